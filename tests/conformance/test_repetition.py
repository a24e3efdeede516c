"""A case may ask for the same call many times; a deterministic API must answer the same bits every time."""

import itertools

import fakes
import pytest
from tiny import prelu_cases, prelu_group, session

from conformance.outcome import Crashed
from conformance.verdict import Verdict


def flip(call, outcome):
    fakes.first_output(call).view_bytes()[..., 0] ^= 1


@pytest.fixture
def case(tmp_path):
    (case,) = prelu_cases(tmp_path, prelu_group("again", repeat=3))
    return case


def test_repeating_is_a_facet_and_part_of_what_a_case_is(tmp_path):
    case, more, once = prelu_cases(
        tmp_path,
        prelu_group("a", repeat=3),
        {"name": "b", "about": "more often", "like": "a", "repeat": 4, "expect": "success"},
        {"name": "c", "about": "like does not inherit it", "like": "a", "expect": "success"},
    )
    assert (case.repeat, more.repeat, once.repeat) == (3, 4, 1)
    assert "repeated" in case.facets - once.facets
    assert len({one.id.rpartition(".")[2] for one in (case, more, once)}) == 3


def test_every_run_is_made(case):
    counter = itertools.count(1)
    runner = fakes.TurningBad(0, lambda *_: next(counter) and None)
    assert session(runner).execute(case).judged.verdict is Verdict.PASSED
    assert next(counter) == 4


@pytest.mark.parametrize(("honest", "run"), [(1, 2), (2, 3)])
def test_a_bit_that_differs_in_a_later_run_fails(case, honest, run):
    judged = session(fakes.TurningBad(honest, flip)).execute(case).judged
    assert judged.verdict is Verdict.FAILED
    assert f"elements of gradInput differ between run 1 and run {run} of 3 with the same data" in judged.reason


def test_a_refusal_or_a_crash_in_a_later_run_fails(case):
    refused = (
        session(fakes.TurningBad(1, lambda *_: fakes.Rejected(fakes.Phase.RUN, 561000, "busy"))).execute(case).judged
    )
    assert refused.verdict is Verdict.FAILED
    assert "run 2 of 3 with the same data was rejected at run with INNER (561000)" in refused.reason
    crashed = session(fakes.TurningBad(2, lambda *_: Crashed(11))).execute(case).judged
    assert (crashed.verdict, crashed.reason) == (Verdict.FAILED, "crashed (signal 11, in run 3 of 3)")
