"""The collector inside a run: what has survived a search is left alone, what has become garbage is not."""

import gc
import subprocess
import sys
import weakref

import fakes
import pytest
from tiny import REFUSED, prelu_cases, prelu_group, session

from conformance.garbage import settled
from conformance.record import line_of


class Knot:
    """Holds itself."""

    def __init__(self):
        self.itself = self


def test_what_survived_a_search_is_not_searched_again_until_the_end():
    with settled():
        before = gc.get_freeze_count()
        kept = [Knot() for _ in range(1000)]
        gc.collect()
        assert gc.get_freeze_count() >= before + len(kept)
    assert gc.get_freeze_count() == 0


def test_garbage_of_a_run_is_found_in_it_and_what_was_left_alone_after_it():
    kept = Knot()
    with settled():
        made = Knot()
        dead, left = weakref.ref(made), weakref.ref(kept)
        del made, kept
        gc.collect()
        assert dead() is None
        assert left() is not None
    gc.collect()
    assert left() is None


def test_nothing_is_searched_when_the_interpreter_ends():
    program = """
import atexit, gc
from conformance.garbage import settled
atexit.register(lambda: print(len(gc.get_objects()) < 1000))
with settled(): pass
with settled(): pass
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"


@pytest.mark.parametrize("runner", [None, fakes.WrongSign()], ids=["passes", "fails"])
def test_running_a_case_leaves_no_cycle_so_that_searches_may_be_rare(runner, tmp_path):
    cases, running = prelu_cases(tmp_path, prelu_group(), REFUSED), session(runner)

    def run():
        for case in cases:
            line_of(running.execute(case))

    run()  # what is looked up for the first time may leave some
    gc.collect()
    run()
    assert gc.collect() == 0
