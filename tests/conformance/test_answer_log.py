"""Answers left in memory that two sides look at."""

import pickle
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


def test_answers_are_taken_in_the_order_in_which_they_were_added(sides):
    adds, takes = sides
    assert takes.take() is None
    assert all(add(adds, answer) for answer in ANSWERS[:2])
    assert [takes.take(), takes.take(), takes.take()] == [*ANSWERS[:2], None]
    assert add(adds, ANSWERS[2])
    assert [takes.take(), takes.take()] == [ANSWERS[2], None]


def test_a_question_forgets_answers_that_were_not_taken(sides):
    adds, takes = sides
    add(adds, ANSWERS[0])
    takes.begin()
    adds.begin()
    assert takes.take() is None
    add(adds, ANSWERS[1])
    assert takes.take() == ANSWERS[1]


def test_an_answer_that_has_no_room_is_not_added(sides):
    adds, takes = sides
    while add(adds, ANSWERS[2]):
        pass
    given = []
    while (answer := takes.take()) is not None:
        given.append(answer)
    assert set(given) == {ANSWERS[2]}
    assert 1024 // 250 <= len(given) <= 1024 // 200


def test_the_smallest_log_has_room_for_no_answer():
    log = AnswerLog(np.empty(LEAST_BYTES, np.uint8))
    assert not add(log, ANSWERS[0])
    assert log.take() is None


def test_both_sides_know_since_when_nothing_was_said(sides):
    adds, takes = sides
    before = monotonic()
    takes.begin()
    asked = takes.since
    add(adds, ANSWERS[0])
    assert before <= asked <= takes.since == adds.since <= monotonic()


@pytest.mark.parametrize("time", [float("nan"), float("inf"), 1e300])
def test_a_time_that_something_wrote_over_is_now(time):
    memory = np.empty(1024, np.uint8)
    log = AnswerLog(memory)
    memory[8:16] = np.frombuffer(np.float64(time).tobytes(), np.uint8)
    assert monotonic() - 1 < log.since <= monotonic()
