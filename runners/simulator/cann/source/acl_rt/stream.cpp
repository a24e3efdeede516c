// Streams: queues of tasks that run when somebody synchronises, queries or fills them, never earlier.
//
// So a program that reads results without synchronising sees them unwritten every time, not only when it is unlucky.
#include <chrono>
#include <string>
#include <vector>

#include "state.h"

namespace simulator {
namespace {

constexpr size_t longest_queue = 1024;

std::recursive_mutex &device() {
    static std::recursive_mutex &only = *new std::recursive_mutex;
    return only;
}

bool pop(const StreamPointer &stream, uint64_t upto, Task *task) {
    const std::lock_guard<std::mutex> hold(tables().lock);
    if (stream->waiting.empty() || stream->done >= upto) return false;
    *task = std::move(stream->waiting.front());
    stream->waiting.pop_front();
    return true;
}

// A fault aborts the stream: tasks behind it are dropped, as their inputs are worthless.
void settle(const StreamPointer &stream, Fault fault) {
    std::deque<Task> dropped;
    const std::lock_guard<std::mutex> hold(tables().lock);
    stream->done += 1;
    if (fault.status == ACL_SUCCESS) return;
    stream->fault = std::move(fault);
    dropped.swap(stream->waiting);
    stream->done += dropped.size();
}

StreamPointer find_stream(aclrtStream handle, const ContextPointer &context) {
    if (handle == nullptr) return context == nullptr ? nullptr : context->own_stream;
    Tables &all = tables();
    const std::lock_guard<std::mutex> hold(all.lock);
    const auto found = all.streams.find(handle);
    return found == all.streams.end() ? nullptr : found->second;
}

aclError answer(bool finished, const StreamPointer &stream, const char *function) {
    if (!finished) {
        return fail(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, std::string("tasks are still waiting (") + function + ")");
    }
    const Fault fault = take_fault(stream);
    if (fault.status == ACL_SUCCESS) return ACL_SUCCESS;
    report("Device_Error(EZ9999)", fault.text);
    return note(fault.status);
}

std::vector<StreamPointer> streams_of(const ContextPointer &context) {
    const std::lock_guard<std::mutex> hold(tables().lock);
    std::vector<StreamPointer> all{context->own_stream};
    all.insert(all.end(), context->streams.begin(), context->streams.end());
    return all;
}

aclError create(aclrtStream *stream, const char *function) {
    if (stream == nullptr) return fail_null(function, "stream");
    aclError status = ACL_SUCCESS;
    const ContextPointer context = required_context(function, &status);
    if (context != nullptr) *stream = new_stream(context).get();
    return status;
}

aclError destroy(aclrtStream handle, const char *function, bool finish) {
    if (handle == nullptr) return fail_null(function, "stream");
    const StreamPointer stream = find_stream(handle, nullptr);
    if (stream == nullptr) return fail(ACL_ERROR_RT_INVALID_HANDLE, std::string("no live stream (") + function + ")");
    if (finish) run(stream);
    std::deque<Task> dropped;
    const std::lock_guard<std::mutex> hold(tables().lock);
    dropped.swap(stream->waiting);
    stream->context->streams.erase(stream);
    tables().streams.erase(handle);
    return ACL_SUCCESS;
}

aclError bad_timeout(const char *function) {
    return fail(ACL_ERROR_RT_PARAM_INVALID, std::string("a timeout is -1 or positive milliseconds (") + function + ")");
}

}  // namespace

bool legal_timeout(int32_t milliseconds) { return milliseconds == -1 || milliseconds > 0; }

StreamPointer new_stream(const ContextPointer &context) {
    StreamPointer stream = std::make_shared<Stream>();
    stream->context = context.get();
    Tables &all = tables();
    const std::lock_guard<std::mutex> hold(all.lock);
    context->streams.insert(stream);
    all.streams[stream.get()] = stream;
    return stream;
}

StreamPointer required_stream(const char *function, aclrtStream handle, aclError *status) {
    const ContextPointer context = required_context(function, status);
    if (context == nullptr) return nullptr;
    StreamPointer stream = find_stream(handle, context);
    if (stream == nullptr) {
        *status = fail(ACL_ERROR_RT_INVALID_HANDLE, std::string("no live stream (") + function + ")");
    } else if (stream->context != context.get()) {
        *status = fail(ACL_ERROR_RT_STREAM_CONTEXT, std::string("the stream is of another context (") + function + ")");
        stream = nullptr;
    }
    return stream;
}

bool has_waiting(const StreamPointer &stream) {
    const std::lock_guard<std::mutex> hold(tables().lock);
    return !stream->waiting.empty();
}

void append(const StreamPointer &stream, Task task) {
    bool full = false;
    {
        const std::lock_guard<std::mutex> hold(tables().lock);
        stream->waiting.push_back(std::move(task));
        stream->enqueued += 1;
        full = stream->waiting.size() >= longest_queue;
    }
    if (full) run(stream);
}

aclError enqueue(aclrtStream handle, Task task) {
    const StreamPointer stream = find_stream(handle, current_context());
    if (stream == nullptr) return handle == nullptr ? ACL_ERROR_RT_CONTEXT_NULL : ACL_ERROR_RT_INVALID_HANDLE;
    append(stream, std::move(task));
    return ACL_SUCCESS;
}

bool run(const StreamPointer &stream, uint64_t upto, int32_t milliseconds) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds);
    const std::lock_guard<std::recursive_mutex> busy(device());
    if (stream->running) return true;
    stream->running = true;
    bool in_time = true;
    for (Task task; in_time && pop(stream, upto, &task); task = nullptr) {
        settle(stream, task());
        in_time = milliseconds < 0 || std::chrono::steady_clock::now() <= deadline || !has_waiting(stream);
    }
    stream->running = false;
    return in_time;
}

bool run_one(const StreamPointer &stream) {
    const std::lock_guard<std::recursive_mutex> busy(device());
    const bool waited = has_waiting(stream);
    if (waited) run(stream, stream->done + 1);
    return waited;
}

Fault take_fault(const StreamPointer &stream) {
    const std::lock_guard<std::mutex> hold(tables().lock);
    Fault fault;
    std::swap(fault, stream->fault);
    return fault;
}

void close_streams(const ContextPointer &context) {
    for (const StreamPointer &stream : streams_of(context)) run(stream);
    const std::lock_guard<std::mutex> hold(tables().lock);
    for (const StreamPointer &stream : context->streams) tables().streams.erase(stream.get());
    context->streams.clear();
}

}  // namespace simulator

using namespace simulator;

extern "C" {

aclError aclrtCreateStream(aclrtStream *stream) { return create(stream, "aclrtCreateStream"); }

aclError aclrtCreateStreamWithConfig(aclrtStream *stream, uint32_t, uint32_t) {
    return create(stream, "aclrtCreateStreamWithConfig");
}

aclError aclrtDestroyStream(aclrtStream stream) { return destroy(stream, "aclrtDestroyStream", true); }

aclError aclrtDestroyStreamForce(aclrtStream stream) { return destroy(stream, "aclrtDestroyStreamForce", false); }

aclError aclrtSynchronizeStream(aclrtStream stream) { return aclrtSynchronizeStreamWithTimeout(stream, -1); }

aclError aclrtSynchronizeStreamWithTimeout(aclrtStream handle, int32_t timeout) {
    if (!legal_timeout(timeout)) return bad_timeout("aclrtSynchronizeStreamWithTimeout");
    aclError status = ACL_SUCCESS;
    const StreamPointer stream = required_stream("aclrtSynchronizeStream", handle, &status);
    return stream == nullptr ? status : answer(run(stream, UINT64_MAX, timeout), stream, "aclrtSynchronizeStream");
}

aclError aclrtSynchronizeDevice(void) { return aclrtSynchronizeDeviceWithTimeout(-1); }

aclError aclrtSynchronizeDeviceWithTimeout(int32_t timeout) {
    if (!legal_timeout(timeout)) return bad_timeout("aclrtSynchronizeDeviceWithTimeout");
    aclError status = ACL_SUCCESS;
    const ContextPointer context = required_context("aclrtSynchronizeDevice", &status);
    if (context == nullptr) return status;
    for (const StreamPointer &stream : streams_of(context)) {
        const aclError found = answer(run(stream, UINT64_MAX, timeout), stream, "aclrtSynchronizeDevice");
        if (status == ACL_SUCCESS) status = found;
    }
    return status;
}

// Each query lets one waiting task run, so that polling ends.
aclError aclrtStreamQuery(aclrtStream handle, aclrtStreamStatus *query) {
    if (query == nullptr) return fail_null("aclrtStreamQuery", "status");
    aclError status = ACL_SUCCESS;
    const StreamPointer stream = required_stream("aclrtStreamQuery", handle, &status);
    if (stream != nullptr) *query = run_one(stream) ? ACL_STREAM_STATUS_NOT_READY : ACL_STREAM_STATUS_COMPLETE;
    return status;
}
}
