// Executors: one prepared call each, and the tensors it was prepared with.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "api.h"
#include "objects.h"
#include "python_side.h"

namespace simulator {

// A tensor an executor refers to; `serial` tells a destroyed tensor from a later one at the same address.
struct Slot {
    const aclTensor *tensor;
    uint64_t serial;
    std::string name;
    bool is_current() const { return is_live(tensor) && tensor->serial == serial; }
};

}  // namespace simulator

struct aclOpExecutor {
    const simulator::Api *api = nullptr;
    simulator::PreparedCallPointer call;
    std::vector<simulator::Slot> slots;
    uint64_t workspace = 0;
    std::atomic<bool> used{false};
};

namespace simulator {

using ExecutorPointer = std::shared_ptr<aclOpExecutor>;

aclOpExecutor *add_executor(ExecutorPointer executor);
// The executor of a handle, used up or not; null for handles that were never ours or are long gone.
ExecutorPointer find_executor(const aclOpExecutor *handle);
// After phase 2: a one-shot executor stays known for a while, so that a second phase 2 gets a clear answer.
void retire_executor(const aclOpExecutor *handle);
// False when the handle is no executor of ours.
bool destroy_executor(const aclOpExecutor *handle);

}  // namespace simulator
