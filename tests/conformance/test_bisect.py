"""The earlier cases that make a case fail are found, be it one or several together."""

import random

import pytest

from conformance.bisect import find_culprits

CASES = [f"case{number}" for number in range(200)]


def failing_after(*guilty):
    return lambda before: set(guilty) <= set(before)


@pytest.mark.parametrize(
    "guilty", [("case0",), ("case199",), ("case77",), ("case3", "case150"), ("case1", "case2", "case180")]
)
def test_exactly_the_guilty_ones_are_found(guilty):
    found = find_culprits(CASES, failing_after(*guilty))
    assert found.cases == guilty
    assert (found.alone, found.never) == (False, False)


def test_one_culprit_takes_few_trials():
    assert find_culprits(CASES, failing_after("case123")).trials < 30


def test_a_case_that_fails_by_itself_needs_no_culprit():
    found = find_culprits(CASES, lambda before: True)
    assert (found.alone, found.cases, found.trials) == (True, (), 1)


def test_a_case_that_does_not_fail_again_is_said_to_pass():
    found = find_culprits(CASES, lambda before: False)
    assert (found.never, found.cases) == (True, ())


def test_order_and_number_matter_where_the_fault_counts():
    """A fault that needs three of many: some three are found, and none of them can be left out."""
    guilty = set(random.Random(1).sample(CASES, 40))
    found = find_culprits(CASES, lambda before: len(guilty & set(before)) >= 3)
    assert len(found.cases) == 3
    assert set(found.cases) <= guilty
