"""A run that is killed at random moments and resumed comes to what an undisturbed one comes to."""

import pytest
from killed import WAYS, trials


@pytest.mark.parametrize("name", WAYS)
def test_runs_that_are_killed_and_resumed_lose_nothing(name, tmp_path):
    ((_, _, kills, same),) = trials([name], 1, tmp_path)
    assert kills
    assert same
