"""Streams and events: work waits until somebody synchronises, in order, across streams by events."""

import pytest

SYNCHRONISING = {
    "aclrtSynchronizeStream(stream)": "1",
    "aclrtSynchronizeStreamWithTimeout(stream, 1000)": "1",
    "aclrtSynchronizeDevice()": "1",
    "aclrtSynchronizeEvent(event)": "1",
    "aclrtDestroyStream(stream)": "1",
    "aclrtGetDevice(&id)": "nan",
}


@pytest.mark.parametrize(("call", "seen"), SYNCHRONISING.items())
def test_results_are_there_after_synchronising_and_never_before(programs, call, seen):
    body = f"""
int main() {{
    aclrtStream stream = begin();
    aclrtEvent event;
    int32_t id = 0;
    float one = 1;
    void *p = device(4);
    aclrtCreateEvent(&event);
    aclrtMemcpyAsync(p, 4, &one, 4, ACL_MEMCPY_HOST_TO_DEVICE, stream);
    aclrtRecordEvent(event, stream);
    {call};
    show("seen", floats(p, 1));
}}"""
    assert programs.answers(body)["seen"].lstrip("-") == seen


def test_polling_a_stream_ends(programs):
    body = """
int main() {
    aclrtStream stream = begin();
    aclrtStreamStatus status;
    void *p = device(4);
    for (int i = 0; i < 3; ++i) aclrtMemsetAsync(p, 4, i, 4, stream);
    int polls = 0;
    for (;;) { ++polls; aclrtStreamQuery(stream, &status); if (status == ACL_STREAM_STATUS_COMPLETE) break; }
    show("polls", polls);
}"""
    assert programs.answers(body)["polls"] == "4"


def test_an_event_orders_two_streams(programs):
    body = """
int main() {
    aclrtStream first = begin(), second;
    aclrtEvent event;
    aclrtCreateStream(&second);
    aclrtCreateEvent(&event);
    void *p = upload({1}), *q = upload({2});
    float three = 3;
    aclrtMemcpyAsync(p, 4, &three, 4, ACL_MEMCPY_HOST_TO_DEVICE, first);
    aclrtRecordEvent(event, first);
    aclrtStreamWaitEvent(second, event);
    aclrtMemcpyAsync(q, 4, p, 4, ACL_MEMCPY_DEVICE_TO_DEVICE, second);
    aclrtSynchronizeStream(second);
    show("copied", floats(q, 1));
}"""
    assert programs.answers(body)["copied"] == "3"


def test_streams_may_wait_for_each_other_in_turn(programs):
    body = """
int main() {
    aclrtStream first = begin(), second;
    aclrtEvent event;
    aclrtCreateStream(&second);
    aclrtCreateEvent(&event);
    void *p = upload({1}), *q = upload({2});
    for (int turn = 0; turn < 3; ++turn) {
        aclrtMemcpyAsync(p, 4, q, 4, ACL_MEMCPY_DEVICE_TO_DEVICE, first);
        aclrtRecordEvent(event, first);
        aclrtStreamWaitEvent(second, event);
        aclrtMemsetAsync(q, 4, turn, 4, second);
        aclrtRecordEvent(event, second);
        aclrtStreamWaitEvent(first, event);
    }
    show("status", aclrtSynchronizeStream(first));
    show("before the last turn", floats(p, 1));
}"""
    answers = programs.answers(body)
    assert (answers["status"], float(answers["before the last turn"])) == ("0", pytest.approx(2.36943e-38, rel=1e-5))


EVENTS = """
int main() {
    aclrtStream stream = begin();
    aclrtEvent start, end;
    float ms = -1;
    uint64_t stamp = 0;
    aclrtEventRecordedStatus status;
    SHOW(aclrtCreateEvent(nullptr));
    SHOW(aclrtCreateEventWithFlag(&start, ACL_EVENT_TIME_LINE));
    aclrtCreateEvent(&end);
    SHOW(aclrtEventElapsedTime(&ms, start, end));
    SHOW(aclrtSynchronizeEvent(start));
    aclrtRecordEvent(start, stream);
    aclrtRecordEvent(end, stream);
    show("too early", aclrtEventElapsedTime(&ms, start, end));
    aclrtQueryEventStatus(end, &status);
    show("queried", status);
    SHOW(aclrtSynchronizeEventWithTimeout(end, 0));
    SHOW(aclrtSynchronizeEventWithTimeout(end, 1000));
    aclrtQueryEventStatus(end, &status);
    show("reached", status);
    show("elapsed", aclrtEventElapsedTime(&ms, start, end));
    show("not negative", ms >= 0 && ms < 1000);
    SHOW(aclrtEventElapsedTime(nullptr, start, end));
    SHOW(aclrtEventGetTimestamp(end, &stamp));
    show("stamped", stamp > 0);
    SHOW(aclrtDestroyEvent(end));
    show("destroyed", aclrtRecordEvent(end, stream));
}
"""


def test_events(programs):
    assert programs.answers(EVENTS) == {
        "aclrtCreateEvent(nullptr)": "100000",
        "aclrtCreateEventWithFlag(&start, ACL_EVENT_TIME_LINE)": "0",
        "aclrtEventElapsedTime(&ms, start, end)": "507000",
        "aclrtSynchronizeEvent(start)": "0",
        "too early": "107006",
        "queried": "0",
        "aclrtSynchronizeEventWithTimeout(end, 0)": "107000",
        "aclrtSynchronizeEventWithTimeout(end, 1000)": "0",
        "reached": "1",
        "elapsed": "0",
        "not negative": "1",
        "aclrtEventElapsedTime(nullptr, start, end)": "100000",
        "aclrtEventGetTimestamp(end, &stamp)": "0",
        "stamped": "1",
        "aclrtDestroyEvent(end)": "0",
        "destroyed": "107017",
    }


def test_a_stream_belongs_to_its_context(programs):
    body = """
int main() {
    aclrtStream stream = begin();
    aclrtContext other;
    aclrtCreateContext(&other, 0);
    show("foreign", aclrtSynchronizeStream(stream));
    show("own", aclrtSynchronizeStream(nullptr));
    aclrtSetDevice(0);
    show("back", aclrtSynchronizeStream(stream));
}"""
    assert list(programs.answers(body).values()) == ["107003", "0", "0"]
