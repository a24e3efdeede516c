"""The collector inside a run: what has survived a search is left alone, what has become garbage is not."""

import gc
import subprocess
import sys
import weakref

from conformance.garbage import settled


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
