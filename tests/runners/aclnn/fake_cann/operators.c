#include "fake.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Both phases of an operator: SIZE is the workspace it asks for, REFUSAL what phase 1 returns. */
#define PAIR(NAME, SIZE, REFUSAL)                                                                                   \
    static int NAME(Executor *, void *);                                                                            \
    int aclnn##NAME##GetWorkspaceSize(const Tensor *self, Tensor *out, uint64_t *size, Executor **executor) {       \
        return prepare(NAME, self, out, SIZE, REFUSAL, size, executor);                                             \
    }                                                                                                               \
    int aclnn##NAME(void *workspace, uint64_t size, Executor *executor, void *stream) {                             \
        return start(workspace, size, executor, stream);                                                            \
    }                                                                                                               \
    static int NAME(Executor *e, void *workspace)

static int refuse(int status, const char *text) { fake_say(text); return status; }

static int prepare(int (*run)(Executor *, void *), const Tensor *self, const Tensor *out, uint64_t needed,
                   int refusal, uint64_t *size, Executor **executor) {
    if (!size || !executor || !self || !out) return refuse(161001, "EZ1001: a pointer is null");
    if (refusal) return refuse(refusal, "EZ1001: not today");
    Executor *made = calloc(1, sizeof(Executor));
    fake_live(1);
    made->run = run; made->self = self; made->out = out;
    *size = made->size = needed;
    *executor = made;
    return 0;
}

static int start(void *workspace, uint64_t size, Executor *executor, void *stream) {
    if (!executor) return refuse(161001, "EZ1001: executor is null");
    int status = executor->size && !workspace ? 161001 : size != executor->size || !stream ? 161002 : 0;
    bool keep = executor->repeatable && !status;
    status = status ? refuse(status, "EZ1001: workspace does not fit") : executor->run(executor, workspace);
    if (!keep) { fake_live(-1); free(executor); }
    return status;
}

static int64_t count(const Tensor *t) { int64_t n = 1; for (uint64_t i = 0; i < t->rank; i++) n *= t->dims[i]; return n; }

static float *element(const Tensor *t, int64_t index) {
    int64_t at = t->offset;
    for (int64_t axis = (int64_t)t->rank - 1; axis >= 0; axis--) {
        at += index % t->dims[axis] * t->strides[axis];
        index /= t->dims[axis];
    }
    return (float *)t->data + at;
}

PAIR(Double, 0, 0) {
    (void)workspace;
    for (int64_t i = 0; i < count(e->out); i++) *element(e->out, i) = 2 * *element(e->self, i);
    return 0;
}
PAIR(Halve, 96, 0) {
    if (((unsigned char *)workspace)[95] != 0x7F) return refuse(561000, "EZ9999: workspace was not filled");
    memset(workspace, 0, 96);
    for (int64_t i = 0; i < count(e->out); i++) *element(e->out, i) = *element(e->self, i) / 2;
    return 0;
}
PAIR(Refuse, 0, 161002) { (void)e; (void)workspace; return 0; }
PAIR(RefuseToRun, 0, 0) { (void)e; (void)workspace; return refuse(561003, "EZ9999: no kernel"); }
PAIR(Hungry, 1ul << 62, 0) { (void)e; (void)workspace; return 0; }
PAIR(Segfault, 0, 0) { (void)e; (void)workspace; *(volatile int *)8 = 1; return 0; }
PAIR(Abort, 0, 0) { (void)e; (void)workspace; abort(); }
PAIR(Hang, 0, 0) { (void)e; (void)workspace; while (pause()) {} return 0; }
PAIR(Overrun, 0, 0) { (void)workspace; element(e->out, 0)[count(e->out)] = 1; return 0; }
PAIR(OverrunWorkspace, 64, 0) { (void)e; ((char *)workspace)[64] = 1; return 0; }
PAIR(WriteInput, 0, 0) { (void)workspace; *element(e->self, 0) = 99; return 0; }
PAIR(FailLater, 0, 0) { (void)e; (void)workspace; fake_say("EZ9999: lane 7"); fake_break_stream(507015); return 0; }
PAIR(NeverEnd, 0, 0) { (void)e; (void)workspace; fake_break_stream(507046); return 0; }
PAIR(Die, 0, 0) { (void)e; (void)workspace; fake_die(); return 0; }

int aclnnHalfThereGetWorkspaceSize(void) { return 0; }

/* Writes every argument it got as a float64 into out. */
static int types(Executor *e, void *workspace) {
    (void)workspace;
    memcpy(e->out->data, e->values, e->count * sizeof(double));
    return 0;
}

int aclnnTypesGetWorkspaceSize(int8_t a, int32_t b, int64_t c, bool d, float f, double g, const char *text,
                               const Array *ints, const Array *floats, const Array *bools, const Scalar *scalar,
                               const Array *list, Tensor *out, uint64_t *size, Executor **executor) {
    int status = prepare(types, out, out, 0, 0, size, executor);
    double values[] = {a, b, (double)c, d, f, g, text ? text[1] : -1,
                       (double)((int64_t *)ints->items)[1], ((float *)floats->items)[1], ((bool *)bools->items)[1],
                       *(float *)scalar->bytes, (double)list->size, *(float *)((Tensor **)list->items)[1]->data};
    (*executor)->count = sizeof values / sizeof *values;
    memcpy((*executor)->values, values, sizeof values);
    return status;
}

int aclnnTypes(void *workspace, uint64_t size, Executor *executor, void *stream) {
    return start(workspace, size, executor, stream);
}
