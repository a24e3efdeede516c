// The two phases of every API: phase 1 describes the call to the simulator, phase 2 puts it on a stream.
#include <algorithm>
#include <string>
#include <vector>

#include "device_side.h"
#include "executor.h"

namespace simulator {
namespace {

constexpr aclError device_fault = ACL_ERROR_RT_AICORE_EXCEPTION;

std::string phase_1_of(const Api &api) { return std::string(" (") + api.name + "GetWorkspaceSize)"; }

std::string phase_2_of(const Api &api) { return std::string(" (") + api.name + ")"; }

// Turns handles into descriptions; what these point to lives in here.
class Description {
  public:
    explicit Description(const Api &api) : api_(api) {
        arguments_.reserve(api.count);
        tensors_.reserve(api.count);
    }

    // False, with `stale` naming the parameter, when a handle is no live object.
    bool add(size_t index, const Argument &argument) {
        name_ = api_.parameters[index].name;
        arguments_.push_back(BridgeArgument{});
        BridgeArgument &to = arguments_.back();
        to.present = !argument.is_pointer() || argument.pointer != nullptr;
        to.integer = argument.integer;
        to.real = argument.real;
        return to.present == 0 || !argument.is_pointer() || add_pointer(argument, to);
    }

    const char *stale() const { return name_; }
    const std::vector<BridgeArgument> &arguments() const { return arguments_; }
    std::vector<Slot> take_slots() { return std::move(slots_); }

  private:
    bool add_pointer(const Argument &argument, BridgeArgument &to) {
        switch (argument.kind) {
            case Argument::Kind::tensor:
                return add_tensors(&argument.pointer, 1, to, false);
            case Argument::Kind::tensor_list:
                return add_list(static_cast<const aclTensorList *>(argument.pointer), to);
            case Argument::Kind::scalar:
                return add_scalar(static_cast<const aclScalar *>(argument.pointer), to);
            case Argument::Kind::scalar_list:
                return is_live(static_cast<const aclScalarList *>(argument.pointer));
            case Argument::Kind::int_array:
                return add_array(static_cast<const aclIntArray *>(argument.pointer), to);
            case Argument::Kind::float_array:
                return add_array(static_cast<const aclFloatArray *>(argument.pointer), to);
            case Argument::Kind::bool_array:
                return add_array(static_cast<const aclBoolArray *>(argument.pointer), to);
            default:
                to.elements = argument.pointer;
                return true;
        }
    }

    bool add_list(const aclTensorList *list, BridgeArgument &to) {
        if (!is_live(list)) return false;
        const void *const *handles = reinterpret_cast<const void *const *>(list->values.data());
        return add_tensors(handles, list->values.size(), to, true);
    }

    bool add_tensors(const void *const *handles, size_t count, BridgeArgument &to, bool listed) {
        tensors_.emplace_back();
        std::vector<BridgeTensor> &described = tensors_.back();
        for (size_t i = 0; i < count; ++i) {
            const aclTensor *tensor = static_cast<const aclTensor *>(handles[i]);
            if (tensor != nullptr && !is_live(tensor)) return false;
            described.push_back(tensor == nullptr ? BridgeTensor{} : describe(*tensor));
            const std::string name = listed ? std::string(name_) + "[" + std::to_string(i) + "]" : name_;
            if (tensor != nullptr) slots_.push_back({tensor, tensor->serial, name});
        }
        to.tensors = described.data();
        to.count = count;
        return true;
    }

    bool add_scalar(const aclScalar *scalar, BridgeArgument &to) {
        if (!is_live(scalar)) return false;
        to.dtype = scalar->dtype;
        to.elements = scalar->bytes;
        to.count = scalar->size;
        return true;
    }

    template <class Array>
    bool add_array(const Array *array, BridgeArgument &to) {
        if (!is_live(array)) return false;
        to.elements = array->values.data();
        to.count = array->values.size();
        return true;
    }

    static BridgeTensor describe(const aclTensor &tensor) {
        return {1,
                tensor.dtype,
                tensor.format,
                static_cast<int32_t>(tensor.shape.size()),
                static_cast<int32_t>(tensor.storage.size()),
                tensor.offset,
                tensor.shape.data(),
                tensor.strides.data(),
                tensor.storage.data()};
    }

    const Api &api_;
    const char *name_ = "";
    std::vector<BridgeArgument> arguments_;
    std::vector<std::vector<BridgeTensor>> tensors_;
    std::vector<Slot> slots_;
};

// What the device will touch: fixed when phase 2 is called, checked and used when the stream gets there.
struct Extent {
    std::string name;
    void *data;
    int64_t low;
    int64_t high;
};

Extent extent_of(const Slot &slot) {
    const aclTensor &tensor = *slot.tensor;
    int64_t first = tensor.offset, last = tensor.offset;
    for (size_t axis = 0; axis < tensor.shape.size(); ++axis) {
        if (tensor.shape[axis] <= 0) return {slot.name, tensor.data, 0, 0};
        const int64_t reach = (tensor.shape[axis] - 1) * tensor.strides[axis];
        (reach < 0 ? first : last) += reach;
    }
    const int64_t size = bytes_of(tensor.dtype, 1);
    return {slot.name, tensor.data, first * size, (last + 1) * size};
}

Fault memory_fault(const Api &api, const std::string &name, const std::string &why) {
    return {device_fault, "aicore exception: " + name + " touches " + why + phase_2_of(api)};
}

class Launch {
  public:
    Launch(const aclOpExecutor &executor, void *workspace)
        : api_(executor.api),
          call_(executor.call),
          workspace_{"workspace", workspace, 0, static_cast<int64_t>(executor.workspace)} {
        for (const Slot &slot : executor.slots) extents_.push_back(extent_of(slot));
    }

    Fault operator()() const {
        std::vector<BridgeSpan> spans(extents_.size());
        BridgeSpan workspace{};
        Fault fault;
        for (size_t i = 0; i < extents_.size(); ++i) {
            if (!resolve(extents_[i], &spans[i], &fault)) return fault;
        }
        if (!resolve(workspace_, &workspace, &fault)) return fault;
        const BridgeAnswer answer = call_->execute(spans.data(), spans.size(), workspace);
        if (answer.status == OK) return {};
        return {device_fault, "aicore exception: " + std::string(answer.text)};
    }

  private:
    bool resolve(const Extent &extent, BridgeSpan *span, Fault *fault) const {
        std::string why;
        size_t reach = 0;
        if (extent.high == extent.low) return true;
        if (!device_range(extent.data, extent.low, extent.high, &reach, &why)) {
            *fault = memory_fault(*api_, extent.name, why);
            return false;
        }
        *span = {extent.data, reach};
        return true;
    }

    const Api *api_;
    PreparedCallPointer call_;
    std::vector<Extent> extents_;
    Extent workspace_;
};

aclnnStatus refuse_unsimulated(const Api &api, const Argument *arguments) {
    for (size_t i = 0; i < api.count; ++i) {
        if (api.parameters[i].required && arguments[i].is_pointer() && arguments[i].pointer == nullptr) {
            return refuse(null_pointer, std::string(api.parameters[i].name) + " is null" + phase_1_of(api));
        }
    }
    return refuse(inner_error,
                  "not simulated: the simulated CANN declares this API and has no kernel for it" + phase_1_of(api));
}

}  // namespace

aclnnStatus phase_1(const Api &api, const Argument *arguments, uint64_t *workspaceSize, aclOpExecutor **executor) {
    if (workspaceSize == nullptr) return refuse(null_pointer, "workspaceSize is null" + phase_1_of(api));
    if (executor == nullptr) return refuse(null_pointer, "executor is null" + phase_1_of(api));
    if (!api.simulated) return refuse_unsimulated(api, arguments);
    Description description(api);
    for (size_t i = 0; i < api.count; ++i) {
        if (!description.add(i, arguments[i])) {
            return refuse(inner_null_pointer,
                          std::string(description.stale()) + " is no live object" + phase_1_of(api));
        }
    }
    const BridgeAnswer answer = prepare(api.name, description.arguments().data(), api.count);
    if (answer.status != OK) return refuse(answer.status, answer.text);
    const ExecutorPointer made = std::make_shared<aclOpExecutor>();
    made->api = &api;
    made->call = std::make_shared<PreparedCall>(answer.call);
    if (answer.idle == 0) made->slots = description.take_slots();
    made->workspace = answer.workspace;
    *workspaceSize = answer.workspace;
    *executor = add_executor(made);
    return OK;
}

aclnnStatus phase_2(const Api &api, void *workspace, aclOpExecutor *handle, aclrtStream stream) {
    if (handle == nullptr) return refuse(null_pointer, "executor is null" + phase_2_of(api));
    const ExecutorPointer executor = find_executor(handle);
    if (executor == nullptr)
        return refuse(null_pointer, "executor is none of ours, or was used up long ago" + phase_2_of(api));
    if (executor->api != &api) {
        return refuse(null_pointer, "executor was made by " + std::string(executor->api->name) + "GetWorkspaceSize" +
                                        phase_2_of(api));
    }
    const BridgeAnswer answer = executor->call->launch(workspace == nullptr);
    const bool used_up = answer.call == 0;
    if (used_up && !executor->used.exchange(true)) retire_executor(handle);
    if (answer.status != OK) return refuse(answer.status, answer.text);
    for (const Slot &slot : executor->slots) {
        if (!slot.is_current())
            return refuse(inner_null_pointer, slot.name + " was destroyed before phase 2" + phase_2_of(api));
    }
    const aclError queued = enqueue(stream, Launch(*executor, workspace));
    if (queued == ACL_SUCCESS) return OK;
    return refuse(runtime_error, "the stream takes no work, status " + std::to_string(queued) + phase_2_of(api));
}

}  // namespace simulator
