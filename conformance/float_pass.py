"""The measuring pass over floating-point outputs: block by block, large ones by several threads.

Shares of some blocks are measured apart and merged in their order, so that no figure depends on how many threads there
are.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from importlib import import_module
from queue import SimpleQueue
from types import ModuleType
from typing import Any

import numpy as np

from conformance.array_pass import ArrayPass
from conformance.dtype import DType
from conformance.metrics import DTypeProbes
from conformance.sides import Sides
from conformance.tally import Tally

BLOCK = 1 << 15
"""Elements looked at together; scratch memory is a few arrays of this many float64 a thread."""
_THREADS = 4
"""Threads at most."""
SHARE = BLOCK << 3
"""Elements that a thread measures before it hands over what it counted."""
_AT_A_TIME = 64
"""Shares whose counts may lie about before they are merged."""
_WORTH_LOADING, _WORTH_COMPILING = 3 << 24, 1 << 28
"""Elements measured in this process from which on the compiled loops are loaded, in a third of a second and 100 MB, and
from which on they are compiled, in four seconds, where that was not done before."""


def measure_floats(sides: Sides, dtype: DType, probes: DTypeProbes, total: Tally | None = None, base: int = 0) -> Tally:
    """Everything counted on real numbers of one dtype; complex ones arrive as their parts.

    ``total`` is what was counted on the ``base`` elements before these; it is counted into.
    """
    for tally in _tallies(sides, dtype, probes):
        if tally.worst is not None:
            tally.worst.index += base
        if total is None:
            total = tally
        else:
            total.merge(tally)
    return total or Tally.empty(probes)


def _tallies(sides: Sides, dtype: DType, probes: DTypeProbes) -> Iterable[Tally]:
    """What was counted in every share, in their order."""
    shares = range(0, len(sides.output), SHARE)
    LOOPS.measuring(len(sides.output))
    threads = 1 if len(shares) < 2 else min(_threads(), len(shares))
    passes = [SharePass(sides, dtype, probes) for _ in range(threads)]
    return map(passes[0].count, shares) if threads == 1 else _by_threads(passes, shares)


def _threads() -> int:
    """Threads that there are processors for, a few at most."""
    return min(_THREADS, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)


def _by_threads(passes: Sequence[SharePass], shares: Sequence[int]) -> Iterator[Tally]:
    """What was counted in every share, in their order; a few at a time, so that results do not pile up."""
    idle: SimpleQueue[SharePass] = SimpleQueue()
    for one in passes:
        idle.put(one)

    def measure(start: int) -> Tally:
        free = idle.get()
        try:
            return free.count(start)
        finally:
            idle.put(free)

    with ThreadPoolExecutor(len(passes)) as pool:
        for first in range(0, len(shares), _AT_A_TIME):
            yield from pool.map(measure, shares[first : first + _AT_A_TIME])


class _Loops:
    """The compiled loops, once enough has been measured, where their compiler is installed."""

    def __init__(self) -> None:
        self.module: ModuleType | None = None
        self._measured = 0

    def measuring(self, elements: int) -> None:
        """Load it when these elements are the ones for which that pays."""
        before, self._measured = self._measured, self._measured + elements
        if before < _WORTH_LOADING <= self._measured:
            self.load(compiling=self._measured >= _WORTH_COMPILING)
        elif before < _WORTH_COMPILING <= self._measured and self.module is None:
            self.load(compiling=True)

    def load(self, *, compiling: bool) -> bool:
        """Whether it is there now; it is not ``compiling`` where nothing compiled is kept."""
        # Without numba, with one that does not work here, or where what it compiles cannot be kept, numpy measures
        # everything.
        with suppress(Exception):
            module = import_module("conformance.fused_pass")
            if compiling or module.is_kept():
                self._compile(module, anew=compiling)
                self.module = module
        return self.module is not None

    def _compile(self, module: Any, *, anew: bool) -> None:
        """Compile the loops, or load what is kept; ``anew`` says that it is worth compiling what is damaged again."""
        try:
            module.compile_loops()
        except Exception:
            if not anew:
                raise
            module.begin_anew()
            module.compile_loops()

    def new_pass(self, dtype: DType, probes: DTypeProbes) -> Any:
        """A pass over shares of an output; None where there is none for such."""
        if self.module is None or not self.module.can_count(dtype, probes):
            return None
        return self.module.FusedPass(dtype, probes, BLOCK)


LOOPS = _Loops()
"""That of this process."""


class SharePass:
    """Measures one share after the other: by the compiled pass where that can, else block by block by arrays."""

    def __init__(self, sides: Sides, dtype: DType, probes: DTypeProbes) -> None:
        self._sides, self._dtype, self._probes = sides, dtype, probes
        self._fused = LOOPS.new_pass(dtype, probes)
        self._arrays: ArrayPass | None = None

    def count(self, start: int) -> Tally:
        """What is counted in the share that begins there."""
        stop = min(start + SHARE, len(self._sides.output))
        tally: Tally | None = None if self._fused is None else self._fused.count(self._sides, start, stop)
        return tally or self._by_arrays(start, stop)

    def _by_arrays(self, start: int, stop: int) -> Tally:
        if self._arrays is None:
            self._arrays = ArrayPass(self._sides, self._dtype, self._probes, min(BLOCK, len(self._sides.output)))
        blocks = (slice(first, min(first + BLOCK, stop)) for first in range(start, stop, BLOCK))
        with np.errstate(all="ignore"):
            tally, *others = (
                self._arrays.count(block.start, self._sides.output[block], self._sides.golden[block])
                for block in blocks
            )
        for other in others:
            tally.merge(other)
        return tally
