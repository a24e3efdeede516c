"""Processes that share tasks: what comes of each, and that none goes on once the work is given up."""

import math
import time
from multiprocessing import active_children

import pytest

from conformance.pool import worked_on


def test_every_task_is_worked_on():
    with worked_on(math.factorial, [3, 4, 5], 2) as running:
        assert {task: done.result() for done, task in running.items()} == {3: 6, 4: 24, 5: 120}
    assert not active_children()


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
def test_work_that_is_given_up_ends_at_once(error):
    start = time.monotonic()
    with pytest.raises(error), worked_on(time.sleep, [600.0] * 4, 2):
        raise error
    assert time.monotonic() - start < 60
    assert not active_children()
