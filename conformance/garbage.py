"""Garbage collection put off while very many objects that hold no cycles are made, or around them once they are there.

Each run of the collector looks at all of them again: parsing takes four times as long with it as without.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collected_later() -> Iterator[None]:
    """No search for cycles inside this block."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


@contextmanager
def settled() -> Iterator[None]:
    """No search for cycles inside this block among what is there when it begins."""
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
