// State of the simulated runtime. One lock per table; the device itself is one lock that is held while tasks run.
//
// Order of locks: device before tables. No table lock is held while a task runs or is destroyed, because tasks call
// into Python and Python code may be waiting for us.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "acl/acl_rt.h"
#include "device_side.h"

namespace simulator {

struct Chip {
    const char *prefix;
    int64_t vector_cores;
    int64_t unified_buffer;
    int64_t arch;
    bool bfloat16;
};
const Chip *chip_of(const std::string &soc);
const Chip *current_chip();

// Fails an ACL call: notes the status as the thread's last error and reports the text.
aclError fail(aclError status, const std::string &text);
aclError fail_null(const char *function, const char *parameter);
aclError note(aclError status);

struct Context;

struct Stream {
    Context *context = nullptr;
    std::deque<Task> waiting;
    uint64_t enqueued = 0;
    uint64_t done = 0;
    Fault fault;
    bool running = false;
};
using StreamPointer = std::shared_ptr<Stream>;

struct Context {
    int32_t device = 0;
    bool primary = false;
    bool alive = true;
    StreamPointer own_stream;
    std::set<StreamPointer> streams;
    std::map<int32_t, int64_t> options;
};
using ContextPointer = std::shared_ptr<Context>;

// Live contexts and streams by handle, and the primary context of each device with its number of users.
struct Tables {
    std::mutex lock;
    std::unordered_map<void *, ContextPointer> contexts;
    std::unordered_map<void *, StreamPointer> streams;
    std::map<int32_t, ContextPointer> primaries;
    std::map<int32_t, uint64_t> users;
    std::map<int32_t, int64_t> options;
};
Tables &tables();

ContextPointer current_context();
// The context of this thread; without one, reports and leaves 107002 in `status`.
ContextPointer required_context(const char *function, aclError *status);
// A stream by handle (null: the context's own), checked against the current context.
StreamPointer required_stream(const char *function, aclrtStream handle, aclError *status);
int32_t device_count();
int32_t physical_device(int32_t visible);

StreamPointer new_stream(const ContextPointer &context);
void append(const StreamPointer &stream, Task task);
bool has_waiting(const StreamPointer &stream);

// Runs waiting tasks in order until `upto` of them are done (all by default); false when so many milliseconds (-1: any
// number) have passed before. A stream that is running already needs nothing: a wait only ever names earlier tasks.
bool run(const StreamPointer &stream, uint64_t upto = UINT64_MAX, int32_t milliseconds = -1);
bool run_one(const StreamPointer &stream);
Fault take_fault(const StreamPointer &stream);
void close_streams(const ContextPointer &context);

void release_device_memory(int32_t device);
bool legal_timeout(int32_t milliseconds);

}  // namespace simulator
