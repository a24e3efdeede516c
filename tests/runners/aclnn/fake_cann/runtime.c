#include "fake.h"
#include <stdlib.h>
#include <string.h>

static int live, broken, dead, streams;
static char stream_of[4];
static const char *said;

static int is_stream(void *stream) { return (char *)stream >= stream_of && (char *)stream < stream_of + 4; }
int fake_stream_count(void) { return streams; }

void fake_live(int change) { live += change; }
int fake_live_count(void) { return live; }
void fake_say(const char *text) { said = text; }
void fake_break_stream(int status) { broken = status; }
void fake_die(void) { broken = 507010; dead = 507033; }

int aclInit(const char *path) { return path == NULL && !getenv("FAKE_NO_DRIVER") ? 0 : 500000; }
int aclFinalize(void) { return 0; }
const char *aclGetRecentErrMsg(void) { const char *text = said; said = NULL; return text; }
const char *aclrtGetSocName(void) { const char *name = getenv("FAKE_SOC"); return name ? name : "Ascend910B3"; }
int aclrtGetVersion(int32_t *major, int32_t *minor, int32_t *patch) { *major = 1; *minor = 17; *patch = 0; return 0; }
int aclrtSetDevice(int32_t id) { return id == 0 ? dead : 107001; }
int aclrtResetDevice(int32_t id) { return id == 0 ? 0 : 107001; }
int aclrtResetDeviceForce(int32_t id) { broken = 0; return aclrtResetDevice(id); }
int aclrtCreateStream(void **stream) { *stream = streams < 4 ? &stream_of[streams++] : NULL; return broken; }
int aclrtDestroyStream(void *stream) { streams--; return is_stream(stream) ? 0 : 100000; }
int aclrtSynchronizeStreamWithTimeout(void *stream, int32_t ms) { return ms > 0 && is_stream(stream) ? broken : 107000; }
int aclrtCreateEvent(void **event) { *event = malloc(1); return 0; }
int aclrtDestroyEvent(void *event) { free(event); return 0; }
int aclrtRecordEvent(void *event, void *stream) { return event && is_stream(stream) ? 0 : 107000; }
int aclrtEventElapsedTime(float *ms, void *start, void *end) { *ms = 0.25f; return start && end ? 0 : 100000; }

int aclrtMalloc(void **pointer, size_t size, int policy) {
    if (size == 0 || size > (1ul << 40) || policy != 0) return size ? 207001 : 100000;
    *pointer = aligned_alloc(64, (size + 63) / 64 * 64);
    live++;
    return 0;
}

int aclrtFree(void *pointer) {
    if (pointer == NULL) return 100000;
    live--;
    free(pointer);
    return 0;
}

int aclrtMemcpy(void *to, size_t room, const void *from, size_t count, int kind) {
    if (broken) return broken;
    if (count > room || (kind != 1 && kind != 2)) return 107000;
    memcpy(to, from, count);
    return 0;
}
