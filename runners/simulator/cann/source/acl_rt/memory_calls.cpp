// aclrtMalloc to aclrtMemsetAsync: the checks in the order of the documented runtime.
#include <cstring>
#include <string>
#include <vector>

#include "memory.h"
#include "state.h"

namespace simulator {
namespace {

aclError allocate_for(void **pointer, size_t size, const char *function) {
    if (pointer == nullptr) return fail_null(function, "devPtr");
    if (size == 0) return fail(ACL_ERROR_INVALID_PARAM, std::string("size is 0 (") + function + ")");
    aclError status = ACL_SUCCESS;
    const ContextPointer context = required_context(function, &status);
    if (context == nullptr) return status;
    *pointer = allocate(size, Place::device, context->device);
    if (*pointer != nullptr) return ACL_SUCCESS;
    return fail(ACL_ERROR_RT_MEMORY_ALLOCATION, "no device memory for " + std::to_string(size) + " bytes");
}

aclError free_from(void *pointer, Place place, const char *function) {
    if (pointer == nullptr) return fail_null(function, "devPtr");
    if (release(pointer, place)) return ACL_SUCCESS;
    const Span span = span_at(pointer);
    const std::string what =
        span.known ? "a " + span.text + ", " + std::to_string(span.offset) + " bytes in" : "nothing of ours";
    return fail(ACL_ERROR_RT_PARAM_INVALID,
                "the address is the start of no live allocation but of " + what + " (" + function + ")");
}

// What is wrong with touching `count` bytes at an address; empty for host memory, which is not ours to judge.
std::string objection(const void *address, size_t count) {
    const Span span = span_at(address);
    if (!span.known) return "";
    if (span.freed) return "address in a " + span.text;
    if (count <= span.reach) return "";
    return std::to_string(count) + " bytes at offset " + std::to_string(span.offset) + " leave a " + span.text;
}

aclError check_copy(const void *dst, size_t room, const void *src, size_t count, aclrtMemcpyKind kind,
                    const char *function) {
    if (dst == nullptr) return fail_null(function, "dst");
    if (src == nullptr) return fail_null(function, "src");
    const std::string sizes = "count " + std::to_string(count) + ", destMax " + std::to_string(room);
    if (room == 0 || count > room) return fail(ACL_ERROR_RT_PARAM_INVALID, sizes + " (" + function + ")");
    if (kind < ACL_MEMCPY_HOST_TO_HOST || kind > ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE) {
        return fail(ACL_ERROR_INVALID_PARAM, "kind " + std::to_string(kind) + " is unknown (" + function + ")");
    }
    return ACL_SUCCESS;
}

std::string objection_to_copy(const void *dst, const void *src, size_t count) {
    const std::string target = objection(dst, count), source = objection(src, count);
    if (!target.empty()) return "dst: " + target;
    return source.empty() ? "" : "src: " + source;
}

Fault fault_of(const std::string &text, const char *function) {
    if (text.empty()) return {};
    return {ACL_ERROR_RT_PARAM_INVALID, text + " (" + function + ")"};
}

}  // namespace
}  // namespace simulator

using namespace simulator;

extern "C" {

aclError aclrtMalloc(void **devPtr, size_t size, aclrtMemMallocPolicy) {
    return allocate_for(devPtr, size, "aclrtMalloc");
}

aclError aclrtMallocAlign32(void **devPtr, size_t size, aclrtMemMallocPolicy) {
    return allocate_for(devPtr, size, "aclrtMallocAlign32");
}

aclError aclrtMallocWithCfg(void **devPtr, size_t size, aclrtMemMallocPolicy, aclrtMallocConfig *) {
    return allocate_for(devPtr, size, "aclrtMallocWithCfg");
}

aclError aclrtFree(void *devPtr) { return free_from(devPtr, Place::device, "aclrtFree"); }

aclError aclrtMallocHost(void **hostPtr, size_t size) {
    if (hostPtr == nullptr) return fail_null("aclrtMallocHost", "hostPtr");
    if (size == 0) return fail(ACL_ERROR_INVALID_PARAM, "size is 0 (aclrtMallocHost)");
    *hostPtr = allocate(size, Place::host, 0);
    return *hostPtr != nullptr ? ACL_SUCCESS : fail(ACL_ERROR_RT_MEMORY_ALLOCATION, "no host memory");
}

aclError aclrtFreeHost(void *hostPtr) { return free_from(hostPtr, Place::host, "aclrtFreeHost"); }

aclError aclrtMemcpy(void *dst, size_t destMax, const void *src, size_t count, aclrtMemcpyKind kind) {
    if (count == 0) return ACL_SUCCESS;
    aclError status = check_copy(dst, destMax, src, count, kind, "aclrtMemcpy");
    if (status != ACL_SUCCESS || dst == src) return status;
    if (required_context("aclrtMemcpy", &status) == nullptr) return status;
    const Fault fault = fault_of(objection_to_copy(dst, src, count), "aclrtMemcpy");
    if (fault.status != ACL_SUCCESS) return fail(fault.status, fault.text);
    std::memmove(dst, src, count);
    return ACL_SUCCESS;
}

aclError aclrtMemcpyAsync(void *dst, size_t destMax, const void *src, size_t count, aclrtMemcpyKind kind,
                          aclrtStream handle) {
    if (count == 0) return ACL_SUCCESS;
    aclError status = check_copy(dst, destMax, src, count, kind, "aclrtMemcpyAsync");
    if (status != ACL_SUCCESS || dst == src) return status;
    const StreamPointer stream = required_stream("aclrtMemcpyAsync", handle, &status);
    if (stream == nullptr) return status;
    std::vector<char> host_bytes;  // pageable memory is read now, as a staging copy would
    if (!span_at(src).known) host_bytes.assign(static_cast<const char *>(src), static_cast<const char *>(src) + count);
    append(stream, [dst, src, count, bytes = std::move(host_bytes)] {
        const std::string text = bytes.empty() ? objection_to_copy(dst, src, count) : objection(dst, count);
        if (text.empty()) std::memmove(dst, bytes.empty() ? src : bytes.data(), count);
        return fault_of(text, "aclrtMemcpyAsync");
    });
    return ACL_SUCCESS;
}

aclError aclrtMemset(void *devPtr, size_t maxCount, int32_t value, size_t count) {
    if (count == 0) return ACL_SUCCESS;
    if (devPtr == nullptr) return fail_null("aclrtMemset", "devPtr");
    aclError status = ACL_SUCCESS;
    if (required_context("aclrtMemset", &status) == nullptr) return status;
    const std::string text = count > maxCount ? "count exceeds maxCount" : objection(devPtr, count);
    if (!text.empty()) return fail(ACL_ERROR_RT_PARAM_INVALID, text + " (aclrtMemset)");
    std::memset(devPtr, value & 0xFF, count);
    return ACL_SUCCESS;
}

aclError aclrtMemsetAsync(void *devPtr, size_t maxCount, int32_t value, size_t count, aclrtStream handle) {
    if (count == 0) return ACL_SUCCESS;
    if (devPtr == nullptr) return fail_null("aclrtMemsetAsync", "devPtr");
    if (count > maxCount) return fail(ACL_ERROR_RT_PARAM_INVALID, "count exceeds maxCount (aclrtMemsetAsync)");
    aclError status = ACL_SUCCESS;
    const StreamPointer stream = required_stream("aclrtMemsetAsync", handle, &status);
    if (stream == nullptr) return status;
    append(stream, [devPtr, value, count] {
        const std::string text = objection(devPtr, count);
        if (text.empty()) std::memset(devPtr, value & 0xFF, count);
        return fault_of(text, "aclrtMemsetAsync");
    });
    return ACL_SUCCESS;
}

aclError aclrtGetMemInfo(aclrtMemAttr attr, size_t *free, size_t *total) {
    if (free == nullptr || total == nullptr) return fail_null("aclrtGetMemInfo", "free or total");
    aclError status = ACL_SUCCESS;
    const ContextPointer context = required_context("aclrtGetMemInfo", &status);
    if (context == nullptr) return status;
    const bool there =
        attr == ACL_HBM_MEM || attr == ACL_DDR_MEM || attr == ACL_HBM_MEM_HUGE || attr == ACL_HBM_MEM_NORMAL;
    *free = there ? free_bytes(context->device) : 0;
    *total = there ? total_bytes() : 0;
    return ACL_SUCCESS;
}
}
