"""Answers left in memory that two sides look at."""

import mmap
import pickle
import subprocess
import sys
from time import monotonic

import numpy as np
import pytest

from conformance.answer_log import LEAST_BYTES, AnswerLog

ANSWERS = [("answer", 1), ("answer", None), ("answer", b"x" * 200)]


@pytest.fixture
def sides():
    memory = np.empty(1024, np.uint8)
    return AnswerLog(memory), AnswerLog(memory)


def add(log, answer):
    return log.add(pickle.dumps(answer))


def take(log):
    log.look()
    return log.take()


def test_answers_are_taken_in_the_order_in_which_they_were_added(sides):
    adds, takes = sides
    assert take(takes) is None
    assert all(add(adds, answer) for answer in ANSWERS[:2])
    assert [take(takes), take(takes), take(takes)] == [*ANSWERS[:2], None]
    assert add(adds, ANSWERS[2])
    assert [take(takes), take(takes)] == [ANSWERS[2], None]


def test_only_what_was_seen_is_taken(sides):
    adds, takes = sides
    add(adds, ANSWERS[0])
    assert takes.take() is None
    takes.look()
    add(adds, ANSWERS[1])
    assert [takes.take(), takes.take()] == [ANSWERS[0], None]


def test_a_question_forgets_answers_that_were_not_taken(sides):
    adds, takes = sides
    add(adds, ANSWERS[0])
    takes.look()
    takes.begin()
    adds.begin()
    assert take(takes) is None
    add(adds, ANSWERS[1])
    assert take(takes) == ANSWERS[1]


def test_an_answer_that_has_no_room_is_not_added(sides):
    adds, takes = sides
    while add(adds, ANSWERS[2]):
        pass
    given = []
    while (answer := take(takes)) is not None:
        given.append(answer)
    assert set(given) == {ANSWERS[2]}
    assert 1024 // 250 <= len(given) <= 1024 // 200


def test_the_smallest_log_has_room_for_no_answer():
    log = AnswerLog(np.empty(LEAST_BYTES, np.uint8))
    assert not add(log, ANSWERS[0])
    assert take(log) is None


def test_both_sides_know_since_when_nothing_was_said(sides):
    adds, takes = sides
    before = monotonic()
    takes.begin()
    asked = takes.since
    add(adds, ANSWERS[0])
    assert before <= asked <= takes.since == adds.since <= monotonic()


@pytest.mark.parametrize("time", [float("nan"), float("inf"), 1e300])
def test_a_time_that_something_wrote_over_is_now(time, sides):
    log, _ = sides
    log._time[0] = time
    assert monotonic() - 1 < log.since <= monotonic()


@pytest.mark.parametrize("end", [0, LEAST_BYTES - 1, 1025, 2**64 - 1])
def test_an_end_that_something_wrote_over_is_told(end, sides):
    log, _ = sides
    log._end[0] = end
    with pytest.raises(ValueError, match=f"was written over: it ends at {end}"):
        log.look()


@pytest.mark.parametrize("byte", [0x00, 0x7F, 0xFF])
def test_an_answer_that_something_wrote_over_is_told(byte, sides):
    adds, takes = sides
    add(adds, ANSWERS[2])
    takes.look()
    adds._memory[LEAST_BYTES + 8 : LEAST_BYTES + 40] = bytes([byte]) * 32
    with pytest.raises(ValueError, match="an answer was written over"):
        takes.take()


WRITES = """
import mmap, sys, time
import numpy as np
from conformance.answer_log import AnswerLog

with open(sys.argv[1], "r+b") as file:
    log = AnswerLog(np.frombuffer(mmap.mmap(file.fileno(), 0), np.uint8))
print("ready", flush=True)
until = time.monotonic() + 0.5
while time.monotonic() < until:
    log.begin()
"""


def test_where_an_answer_ends_and_when_it_was_given_are_written_in_one_piece(tmp_path):
    # A reader that saw half of a time would give up a call that has only begun.
    path = tmp_path / "log"
    path.write_bytes(bytes(1024))
    with path.open("r+b") as file:
        reads = AnswerLog(np.frombuffer(mmap.mmap(file.fileno(), 0), np.uint8))
    began = monotonic()
    with subprocess.Popen([sys.executable, "-c", WRITES, path], stdout=subprocess.PIPE) as writer:
        assert writer.stdout.readline() == b"ready\n"
        ends, times = set(), set()
        while writer.poll() is None:
            ends.add(reads._end[0])
            times.add(reads._time[0])
    assert ends == {LEAST_BYTES}
    assert began <= min(times) <= max(times) <= monotonic()
    assert len(times) > 1000
