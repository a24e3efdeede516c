// Events: a place in a stream's queue and the time when it was reached.
#include <chrono>
#include <memory>
#include <string>

#include "state.h"

namespace simulator {
namespace {

// State of the latest record; a wait keeps the record it was asked for, not the event.
struct Record {
    StreamPointer stream;
    uint64_t place = 0;
    uint64_t microseconds = 0;
    bool reached = false;
};
using RecordPointer = std::shared_ptr<Record>;

struct Events {
    std::mutex lock;
    std::unordered_map<void *, RecordPointer> live;
    uint64_t made = 0;
};

Events &events() {
    static Events &only = *new Events;
    return only;
}

uint64_t now() {
    const auto since = std::chrono::steady_clock::now().time_since_epoch();
    return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(since).count());
}

aclError create(aclrtEvent *event, const char *function) {
    if (event == nullptr) return fail_null(function, "event");
    aclError status = ACL_SUCCESS;
    if (required_context(function, &status) == nullptr) return status;
    Events &all = events();
    const std::lock_guard<std::mutex> hold(all.lock);
    *event = reinterpret_cast<aclrtEvent>(0x1000 + 16 * ++all.made);
    all.live[*event] = nullptr;
    return ACL_SUCCESS;
}

// The latest record of an event, null when there is none; false for a handle that is no live event.
bool find(aclrtEvent event, const char *function, RecordPointer *record, aclError *status) {
    if (event == nullptr) {
        *status = fail_null(function, "event");
        return false;
    }
    Events &all = events();
    const std::lock_guard<std::mutex> hold(all.lock);
    const auto found = all.live.find(event);
    if (found == all.live.end()) {
        *status = fail(ACL_ERROR_RT_INVALID_HANDLE, std::string("no live event (") + function + ")");
        return false;
    }
    *record = found->second;
    return true;
}

}  // namespace
}  // namespace simulator

using namespace simulator;

extern "C" {

aclError aclrtCreateEvent(aclrtEvent *event) { return create(event, "aclrtCreateEvent"); }

aclError aclrtCreateEventWithFlag(aclrtEvent *event, uint32_t) { return create(event, "aclrtCreateEventWithFlag"); }

aclError aclrtCreateEventExWithFlag(aclrtEvent *event, uint32_t) { return create(event, "aclrtCreateEventExWithFlag"); }

aclError aclrtDestroyEvent(aclrtEvent event) {
    RecordPointer record;
    aclError status = ACL_SUCCESS;
    if (!find(event, "aclrtDestroyEvent", &record, &status)) return status;
    const std::lock_guard<std::mutex> hold(events().lock);
    events().live.erase(event);
    return ACL_SUCCESS;
}

aclError aclrtRecordEvent(aclrtEvent event, aclrtStream handle) {
    RecordPointer previous;
    aclError status = ACL_SUCCESS;
    if (!find(event, "aclrtRecordEvent", &previous, &status)) return status;
    const StreamPointer stream = required_stream("aclrtRecordEvent", handle, &status);
    if (stream == nullptr) return status;
    const RecordPointer record = std::make_shared<Record>();
    record->stream = stream;
    const std::weak_ptr<Record> target = record;
    append(stream, [target] {
        if (const RecordPointer reached = target.lock()) {
            reached->microseconds = now();
            reached->reached = true;
        }
        return Fault{};
    });
    {
        const std::lock_guard<std::mutex> hold(tables().lock);
        record->place = stream->enqueued;
    }
    const std::lock_guard<std::mutex> hold(events().lock);
    events().live[event] = record;
    return ACL_SUCCESS;
}

aclError aclrtStreamWaitEvent(aclrtStream handle, aclrtEvent event) {
    RecordPointer record;
    aclError status = ACL_SUCCESS;
    if (!find(event, "aclrtStreamWaitEvent", &record, &status)) return status;
    const StreamPointer stream = required_stream("aclrtStreamWaitEvent", handle, &status);
    if (stream == nullptr) return status;
    if (record != nullptr && record->stream != stream) {
        append(stream, [record] {
            run(record->stream, record->place);
            return Fault{};
        });
    }
    return ACL_SUCCESS;
}

aclError aclrtSynchronizeEvent(aclrtEvent event) { return aclrtSynchronizeEventWithTimeout(event, -1); }

aclError aclrtSynchronizeEventWithTimeout(aclrtEvent event, int32_t timeout) {
    if (!legal_timeout(timeout)) {
        return fail(ACL_ERROR_RT_PARAM_INVALID,
                    "a timeout is -1 or positive milliseconds (aclrtSynchronizeEventWithTimeout)");
    }
    RecordPointer record;
    aclError status = ACL_SUCCESS;
    if (!find(event, "aclrtSynchronizeEvent", &record, &status) || record == nullptr) return status;
    if (!run(record->stream, record->place, timeout) && !record->reached) {
        return fail(ACL_ERROR_RT_EVENT_SYNC_TIMEOUT, "the event is not reached yet (aclrtSynchronizeEventWithTimeout)");
    }
    return ACL_SUCCESS;
}

// Each query lets one task in front of the event run, so that polling ends.
aclError aclrtQueryEventStatus(aclrtEvent event, aclrtEventRecordedStatus *query) {
    if (query == nullptr) return fail_null("aclrtQueryEventStatus", "status");
    RecordPointer record;
    aclError status = ACL_SUCCESS;
    if (!find(event, "aclrtQueryEventStatus", &record, &status)) return status;
    const bool complete = record != nullptr && record->reached;
    if (record != nullptr && !complete) run_one(record->stream);
    *query = complete ? ACL_EVENT_RECORDED_STATUS_COMPLETE : ACL_EVENT_RECORDED_STATUS_NOT_READY;
    return ACL_SUCCESS;
}

aclError aclrtEventElapsedTime(float *ms, aclrtEvent startEvent, aclrtEvent endEvent) {
    if (ms == nullptr) return fail_null("aclrtEventElapsedTime", "ms");
    RecordPointer start, end;
    aclError status = ACL_SUCCESS;
    if (!find(startEvent, "aclrtEventElapsedTime", &start, &status)) return status;
    if (!find(endEvent, "aclrtEventElapsedTime", &end, &status)) return status;
    if (start == nullptr || end == nullptr) return fail(ACL_ERROR_RT_INTERNAL_ERROR, "an event was never recorded");
    if (!start->reached || !end->reached)
        return fail(ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID, "an event is not reached yet");
    *ms = static_cast<float>(static_cast<int64_t>(end->microseconds - start->microseconds)) / 1000.0F;
    return ACL_SUCCESS;
}

aclError aclrtEventGetTimestamp(aclrtEvent event, uint64_t *timestamp) {
    if (timestamp == nullptr) return fail_null("aclrtEventGetTimestamp", "timestamp");
    RecordPointer record;
    aclError status = ACL_SUCCESS;
    if (!find(event, "aclrtEventGetTimestamp", &record, &status)) return status;
    if (record == nullptr) return fail(ACL_ERROR_RT_INTERNAL_ERROR, "the event was never recorded");
    if (!record->reached) return fail(ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID, "the event is not reached yet");
    *timestamp = record->microseconds;
    return ACL_SUCCESS;
}
}
