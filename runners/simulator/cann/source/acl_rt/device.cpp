// Devices and contexts: which context a thread works in, and who still uses a device.
#include <cstdlib>
#include <string>
#include <vector>

#include "state.h"

namespace simulator {
namespace {

thread_local ContextPointer chosen_context;

ContextPointer new_context(int32_t device, bool primary) {
    ContextPointer context = std::make_shared<Context>();
    context->device = device;
    context->primary = primary;
    context->own_stream = std::make_shared<Stream>();
    context->own_stream->context = context.get();
    tables().contexts[context.get()] = context;
    return context;
}

// Numbers listed in ASCEND_RT_VISIBLE_DEVICES, ascending, up to the first bad item; every device without the variable.
std::vector<int32_t> visible_devices() {
    const char *wanted_count = getenv("ACLNN_SIM_DEVICES");
    const int32_t all = wanted_count != nullptr && atoi(wanted_count) > 0 ? atoi(wanted_count) : 8;
    std::vector<int32_t> visible;
    const char *listed = getenv("ASCEND_RT_VISIBLE_DEVICES");
    if (listed == nullptr) {
        for (int32_t id = 0; id < all; ++id) visible.push_back(id);
        return visible;
    }
    for (const char *at = listed; *at != '\0';) {
        char *end = nullptr;
        const long id = strtol(at, &end, 10);
        if (end == at || id < 0 || id >= all || (!visible.empty() && id <= visible.back())) break;
        visible.push_back(static_cast<int32_t>(id));
        if (*end != ',') break;
        at = end + 1;
    }
    return visible;
}

aclError bad_device(int32_t device, const char *function) {
    return fail(ACL_ERROR_RT_INVALID_DEVICEID, "device " + std::to_string(device) + " is not one of " +
                                                   std::to_string(device_count()) + " (" + function + ")");
}

bool is_device(int64_t device) { return device >= 0 && device < device_count(); }

// Takes the context out of the tables; its tasks run to the end first.
void close_context(const ContextPointer &context) {
    close_streams(context);
    Tables &all = tables();
    const std::lock_guard<std::mutex> hold(all.lock);
    context->alive = false;
    all.contexts.erase(context.get());
}

aclError reset(int32_t device, bool force, const char *function) {
    if (!is_device(device)) return bad_device(device, function);
    Tables &all = tables();
    ContextPointer primary;
    {
        const std::lock_guard<std::mutex> hold(all.lock);
        uint64_t &users = all.users[device];
        if (users == 0) {
            return fail(ACL_ERROR_RT_CONTEXT_RELEASE_ERROR, std::string("the device is not set (") + function + ")");
        }
        users = force ? 0 : users - 1;
        if (users > 0) return ACL_SUCCESS;
        primary = all.primaries[device];
        all.primaries.erase(device);
    }
    close_context(primary);
    release_device_memory(device);
    return ACL_SUCCESS;
}

}  // namespace

Tables &tables() {
    static Tables &only = *new Tables;
    return only;
}

int32_t device_count() { return static_cast<int32_t>(visible_devices().size()); }

int32_t physical_device(int32_t visible) { return visible_devices()[static_cast<size_t>(visible)]; }

ContextPointer current_context() {
    Tables &all = tables();
    const std::lock_guard<std::mutex> hold(all.lock);
    return chosen_context != nullptr && chosen_context->alive ? chosen_context : nullptr;
}

ContextPointer required_context(const char *function, aclError *status) {
    ContextPointer context = current_context();
    if (context == nullptr) {
        *status = fail(ACL_ERROR_RT_CONTEXT_NULL,
                       std::string("this thread has no context; call aclrtSetDevice first (") + function + ")");
    }
    return context;
}

}  // namespace simulator

using namespace simulator;

extern "C" {

aclError aclrtSetDevice(int32_t deviceId) {
    if (!is_device(deviceId)) return bad_device(deviceId, "aclrtSetDevice");
    Tables &all = tables();
    const std::lock_guard<std::mutex> hold(all.lock);
    ContextPointer &primary = all.primaries[deviceId];
    if (primary == nullptr) primary = new_context(deviceId, true);
    ++all.users[deviceId];
    chosen_context = primary;
    return ACL_SUCCESS;
}

aclError aclrtResetDevice(int32_t deviceId) { return reset(deviceId, false, "aclrtResetDevice"); }

aclError aclrtResetDeviceForce(int32_t deviceId) { return reset(deviceId, true, "aclrtResetDeviceForce"); }

aclError aclrtGetDevice(int32_t *deviceId) {
    if (deviceId == nullptr) return fail_null("aclrtGetDevice", "deviceId");
    aclError status = ACL_SUCCESS;
    const ContextPointer context = required_context("aclrtGetDevice", &status);
    if (context != nullptr) *deviceId = context->device;
    return status;
}

aclError aclrtGetDeviceCount(uint32_t *count) {
    if (count == nullptr) return fail_null("aclrtGetDeviceCount", "count");
    *count = static_cast<uint32_t>(device_count());
    return ACL_SUCCESS;
}

aclError aclrtGetRunMode(aclrtRunMode *runMode) {
    if (runMode == nullptr) return fail_null("aclrtGetRunMode", "runMode");
    *runMode = ACL_HOST;
    return ACL_SUCCESS;
}

aclError aclrtCreateContext(aclrtContext *context, int32_t deviceId) {
    if (context == nullptr) return fail_null("aclrtCreateContext", "context");
    if (!is_device(deviceId)) return bad_device(deviceId, "aclrtCreateContext");
    Tables &all = tables();
    const std::lock_guard<std::mutex> hold(all.lock);
    chosen_context = new_context(deviceId, false);
    *context = chosen_context.get();
    return ACL_SUCCESS;
}

aclError aclrtDestroyContext(aclrtContext handle) {
    if (handle == nullptr) return fail_null("aclrtDestroyContext", "context");
    Tables &all = tables();
    ContextPointer context;
    {
        const std::lock_guard<std::mutex> hold(all.lock);
        const auto found = all.contexts.find(handle);
        if (found == all.contexts.end() || found->second->primary) {
            return fail(ACL_ERROR_RT_CONTEXT_NULL, "no context that aclrtCreateContext made (aclrtDestroyContext)");
        }
        context = found->second;
    }
    close_context(context);
    return ACL_SUCCESS;
}

aclError aclrtSetCurrentContext(aclrtContext handle) {
    if (handle == nullptr) return fail_null("aclrtSetCurrentContext", "context");
    Tables &all = tables();
    const std::lock_guard<std::mutex> hold(all.lock);
    const auto found = all.contexts.find(handle);
    if (found == all.contexts.end()) return fail(ACL_ERROR_RT_CONTEXT_NULL, "no live context (aclrtSetCurrentContext)");
    chosen_context = found->second;
    return ACL_SUCCESS;
}

aclError aclrtGetCurrentContext(aclrtContext *context) {
    if (context == nullptr) return fail_null("aclrtGetCurrentContext", "context");
    aclError status = ACL_SUCCESS;
    const ContextPointer current = required_context("aclrtGetCurrentContext", &status);
    if (current != nullptr) *context = current.get();
    return status;
}

aclError aclrtGetDeviceInfo(uint32_t deviceId, aclrtDevAttr attr, int64_t *value) {
    if (value == nullptr) return fail_null("aclrtGetDeviceInfo", "value");
    const Chip *chip = current_chip();
    if (!is_device(deviceId) || chip == nullptr)
        return bad_device(static_cast<int32_t>(deviceId), "aclrtGetDeviceInfo");
    const int64_t cubes = chip->vector_cores > 1 ? chip->vector_cores / 2 : 1;
    switch (attr) {
        case ACL_DEV_ATTR_AICPU_CORE_NUM:
            *value = 6;
            break;
        case ACL_DEV_ATTR_AICORE_CORE_NUM:
        case ACL_DEV_ATTR_CUBE_CORE_NUM:
            *value = cubes;
            break;
        case ACL_DEV_ATTR_VECTOR_CORE_NUM:
            *value = chip->vector_cores;
            break;
        case ACL_DEV_ATTR_WARP_SIZE:
            *value = 32;
            break;
        case ACL_DEV_ATTR_UBUF_PER_VECTOR_CORE:
            *value = chip->unified_buffer;
            break;
        case ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE:
            *value = int64_t{64} << 30;
            break;
        case ACL_DEV_ATTR_L2_CACHE_SIZE:
            *value = int64_t{192} << 20;
            break;
        case ACL_DEV_ATTR_PHY_CHIP_ID:
            *value = physical_device(static_cast<int32_t>(deviceId));
            break;
        case ACL_DEV_ATTR_IS_VIRTUAL:
            *value = 0;
            break;
        case ACL_DEV_ATTR_NPU_ARCH:
            *value = chip->arch;
            break;
        default:
            return fail(ACL_ERROR_INVALID_PARAM, "no such attribute (aclrtGetDeviceInfo)");
    }
    return ACL_SUCCESS;
}

aclError aclGetDeviceCapability(uint32_t deviceId, aclDeviceInfo info, int64_t *value) {
    switch (info) {
        case ACL_DEVICE_INFO_AI_CORE_NUM:
            return aclrtGetDeviceInfo(deviceId, ACL_DEV_ATTR_AICORE_CORE_NUM, value);
        case ACL_DEVICE_INFO_VECTOR_CORE_NUM:
            return aclrtGetDeviceInfo(deviceId, ACL_DEV_ATTR_VECTOR_CORE_NUM, value);
        case ACL_DEVICE_INFO_L2_SIZE:
            return aclrtGetDeviceInfo(deviceId, ACL_DEV_ATTR_L2_CACHE_SIZE, value);
        default:
            return fail(ACL_ERROR_INVALID_PARAM, "no such capability (aclGetDeviceCapability)");
    }
}

aclError aclrtGetResInCurrentThread(aclrtDevResLimitType type, uint32_t *value) {
    int64_t cores = 0;
    if (value == nullptr) return fail_null("aclrtGetResInCurrentThread", "value");
    const bool cube = type == ACL_RT_DEV_RES_CUBE_CORE;
    const aclError status =
        aclrtGetDeviceInfo(0, cube ? ACL_DEV_ATTR_CUBE_CORE_NUM : ACL_DEV_ATTR_VECTOR_CORE_NUM, &cores);
    *value = static_cast<uint32_t>(cores);
    return status;
}

aclError aclGetCannAttribute(aclCannAttr attr, int32_t *value) {
    if (value == nullptr) return fail_null("aclGetCannAttribute", "value");
    const Chip *chip = current_chip();
    if (attr < ACL_CANN_ATTR_INF_NAN || attr > ACL_CANN_ATTR_JIT_COMPILE || chip == nullptr) {
        return fail(ACL_ERROR_INVALID_PARAM, "no such attribute (aclGetCannAttribute)");
    }
    *value = attr != ACL_CANN_ATTR_JIT_COMPILE && chip->bfloat16;
    return ACL_SUCCESS;
}
}
