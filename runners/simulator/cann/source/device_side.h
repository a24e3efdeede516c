// What the runtime library offers the other simulated libraries: error text, streams and tracked memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "acl/acl_rt.h"

namespace simulator __attribute__((visibility("default"))) {

    // Puts a text on top of the calling thread's recent errors. `label` is a class with its code:
    // "AclNN_Parameter_Error(EZ1001)".
    void report(const std::string &label, const std::string &text);

    // What a task did wrong: a status that synchronisation returns (0: nothing), and its text.
    struct Fault {
        aclError status = 0;
        std::string text;
    };

    using Task = std::function<Fault()>;

    // Appends a task to a stream (null: the current context's own). Returns a runtime status; reports nothing.
    aclError enqueue(aclrtStream stream, Task task);

    // Whether bytes [address + low, address + high) lie inside one live device allocation; `reach` becomes the number
    // of bytes from `address` to the end of that allocation. Otherwise false, and `why` says where the address points.
    bool device_range(const void *address, int64_t low, int64_t high, size_t *reach, std::string *why);

    // SoC name the process simulates, as ACLNN_SIM_SOC says; null when that is no name we know.
    const char *soc_name();

}  // namespace simulator
