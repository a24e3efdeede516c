// The table of executors, and the calls that act on one.
#include "executor.h"

#include <deque>
#include <string>
#include <unordered_map>

namespace simulator {
namespace {

constexpr size_t remembered = 256;

struct Executors {
    std::mutex lock;
    std::unordered_map<const aclOpExecutor *, ExecutorPointer> known;
    std::deque<const aclOpExecutor *> used;
};

Executors &executors() {
    static Executors &only = *new Executors;
    return only;
}

}  // namespace

aclOpExecutor *add_executor(ExecutorPointer executor) {
    aclOpExecutor *handle = executor.get();
    const std::lock_guard<std::mutex> hold(executors().lock);
    executors().known[handle] = std::move(executor);
    return handle;
}

ExecutorPointer find_executor(const aclOpExecutor *handle) {
    const std::lock_guard<std::mutex> hold(executors().lock);
    const auto found = executors().known.find(handle);
    return found == executors().known.end() ? nullptr : found->second;
}

void retire_executor(const aclOpExecutor *handle) {
    Executors &all = executors();
    ExecutorPointer forgotten;  // destroyed after the lock is released
    const std::lock_guard<std::mutex> hold(all.lock);
    all.used.push_back(handle);
    if (all.used.size() <= remembered) return;
    const auto oldest = all.known.find(all.used.front());
    all.used.pop_front();
    if (oldest == all.known.end()) return;
    forgotten = std::move(oldest->second);
    all.known.erase(oldest);
}

bool destroy_executor(const aclOpExecutor *handle) {
    Executors &all = executors();
    ExecutorPointer gone;  // destroyed after the lock is released
    const std::lock_guard<std::mutex> hold(all.lock);
    const auto found = all.known.find(handle);
    if (found == all.known.end()) return false;
    gone = std::move(found->second);
    all.known.erase(found);
    for (auto entry = all.used.begin(); entry != all.used.end(); ++entry) {
        if (*entry == handle) {
            all.used.erase(entry);
            break;
        }
    }
    return true;
}

namespace {

aclnnStatus set_address(aclOpExecutor *executor, aclTensor *tensor, void *addr, const char *function) {
    if (tensor == nullptr) return refuse(inner_null_pointer, std::string("tensor is null (") + function + ")");
    if (!is_live(tensor)) return refuse(inner_error, std::string("not a live aclTensor (") + function + ")");
    tensor->data = addr;
    if (executor == nullptr) return refuse(inner_null_pointer, std::string("executor is null (") + function + ")");
    if (find_executor(executor) == nullptr)
        return refuse(inner_error, std::string("no executor of ours (") + function + ")");
    return OK;
}

aclnnStatus set_list_address(aclOpExecutor *executor, size_t index, aclTensorList *list, void *addr,
                             const char *function) {
    if (list == nullptr) return refuse(inner_null_pointer, std::string("the list is null (") + function + ")");
    if (!is_live(list)) return refuse(inner_error, std::string("not a live aclTensorList (") + function + ")");
    if (index >= list->values.size()) {
        return refuse(invalid_parameter, "no element " + std::to_string(index) + " in the list (" + function + ")");
    }
    return set_address(executor, const_cast<aclTensor *>(list->values[index]), addr, function);
}

}  // namespace
}  // namespace simulator

using namespace simulator;

extern "C" {

aclnnStatus aclSetAclOpExecutorRepeatable(aclOpExecutor *executor) {
    if (executor == nullptr) return refuse(inner_null_pointer, "executor is null (aclSetAclOpExecutorRepeatable)");
    const ExecutorPointer found = find_executor(executor);
    if (found == nullptr) return refuse(inner_error, "no executor of ours (aclSetAclOpExecutorRepeatable)");
    const BridgeAnswer answer = found->call->repeat();
    return answer.status == OK ? OK : refuse(answer.status, answer.text);
}

aclnnStatus aclDestroyAclOpExecutor(aclOpExecutor *executor) {
    if (executor == nullptr) return refuse(inner_null_pointer, "executor is null (aclDestroyAclOpExecutor)");
    return destroy_executor(executor) ? OK : refuse(inner_error, "no executor of ours (aclDestroyAclOpExecutor)");
}

#define ADDRESS_SETTER(name)                                                                 \
    aclnnStatus name(aclOpExecutor *executor, const size_t, aclTensor *tensor, void *addr) { \
        return set_address(executor, tensor, addr, #name);                                   \
    }
ADDRESS_SETTER(aclSetInputTensorAddr)
ADDRESS_SETTER(aclSetOutputTensorAddr)
ADDRESS_SETTER(aclSetTensorAddr)
ADDRESS_SETTER(AclSetInputTensorAddr)
ADDRESS_SETTER(AclSetOutputTensorAddr)
ADDRESS_SETTER(AclSetTensorAddr)

#define LIST_ADDRESS_SETTER(name)                                                                         \
    aclnnStatus name(aclOpExecutor *executor, size_t, const size_t relativeIndex, aclTensorList *tensors, \
                     void *addr) {                                                                        \
        return set_list_address(executor, relativeIndex, tensors, addr, #name);                           \
    }
LIST_ADDRESS_SETTER(aclSetDynamicInputTensorAddr)
LIST_ADDRESS_SETTER(aclSetDynamicOutputTensorAddr)
LIST_ADDRESS_SETTER(aclSetDynamicTensorAddr)
LIST_ADDRESS_SETTER(AclSetDynamicInputTensorAddr)
LIST_ADDRESS_SETTER(AclSetDynamicOutputTensorAddr)
LIST_ADDRESS_SETTER(AclSetDynamicTensorAddr)

aclnnStatus aclDumpOpTensors(const char *, const char *, aclTensor **, size_t, size_t, aclrtStream) { return OK; }

aclnnStatus aclnnInit(const char *) { return OK; }

aclnnStatus aclnnFinalize(void) { return OK; }

aclnnStatus aclnnReselectStaticKernel(void) { return OK; }

aclnnStatus aclnnReselectStaticKernelWithPath(const char *) { return OK; }
}
