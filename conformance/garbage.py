"""Garbage collection put off while very many objects that hold no cycles are made, or around them once they are there.

Each run of the collector looks at all of them again: parsing takes four times as long with it as without.
"""

from __future__ import annotations

import atexit
import gc
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

_EVERYTHING = 2
"""The oldest generation, whose search is one of all."""

_RARE = 50_000
"""New objects that can hold others, less those that are gone, after which cycles are searched for among them."""


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
    """No search for cycles inside this block among what is there when it begins, nor twice among what is there later.

    Nor is any made when the interpreter ends: what is there then dies with it. Searches among new objects are rare:
    running a case leaves no cycle, so they find nothing.
    """
    usual = gc.get_threshold()
    atexit.unregister(gc.freeze)
    atexit.register(gc.freeze)
    gc.callbacks.append(_leave_survivors)
    gc.freeze()
    gc.set_threshold(_RARE, *usual[1:])
    try:
        yield
    finally:
        gc.set_threshold(*usual)
        gc.callbacks.remove(_leave_survivors)
        gc.unfreeze()


def _leave_survivors(phase: str, search: Mapping[str, int]) -> None:
    """Leave alone what a search of everything has left."""
    if phase == "stop" and search["generation"] == _EVERYTHING:
        gc.freeze()
