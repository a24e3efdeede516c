"""Comparison: all metrics of one output against its golden in float64, beside the peers that look at it once.

By the compiled loops, which `make` has compiled, and threads; numpy's and torch's own are as they come.

What the default standards ask for is counted too, as in every run.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from functools import partial
from typing import Any

import ml_dtypes
import numpy as np
import torch

from benchmarks.clocks import allocated, cpu_seconds, seconds
from benchmarks.target import Contest, Figure, Measure, Setting, Target
from conformance.dtype import DTYPES
from conformance.float_pass import LOOPS
from conformance.golden import GoldenOutput
from conformance.load import load_standards
from conformance.measure import measure
from conformance.metrics import Probes
from conformance.standard import probes_of

_LARGE, _SMALL = 10_000_000, 100
_PROBES: Probes = probes_of(load_standards().values())


class State(Enum):
    """How output and golden relate."""

    EQUAL = "equal"
    ROUNDED = "equal but for rounding"
    UNEQUAL = "a third a step off"


@dataclass(frozen=True, slots=True)
class Pair:
    """An output, its golden in float64, and the same rounded for peers that compare arrays of one type."""

    name: str
    count: int
    state: State

    def arrays(self) -> tuple[GoldenOutput, Any, Any]:
        """Golden, output and rounded golden."""
        dtype = DTYPES[self.name]
        golden = np.random.default_rng(0).standard_normal(self.count)
        target = golden.astype(dtype.numpy)
        output = target.copy()
        if self.state is State.UNEQUAL:
            output.view(f"uint{dtype.bits}")[::3] += 1
        return GoldenOutput(target.astype(np.float64) if self.state is State.EQUAL else golden), output, target

    def contest(self, peer: Callable[[Any, Any], Callable[[], Any]]) -> Contest:
        """All metrics beside what a peer does with output and rounded golden."""
        golden, output, target = self.arrays()
        action = partial(measure, golden, output, DTYPES[self.name], _PROBES)
        return Contest(seconds(action), seconds(peer(output, target)))

    def alone(self, clock: Callable[[Callable[[], Any]], Measure]) -> Contest:
        """All metrics, measured by a clock."""
        golden, output, _ = self.arrays()
        return Contest(clock(partial(measure, golden, output, DTYPES[self.name], _PROBES)))


def _add(output: Any, target: Any) -> Callable[[], Any]:
    return partial(np.add, output, target, out=np.empty_like(output))


def _assert_close(output: Any, target: Any) -> Callable[[], Any]:
    return partial(torch.testing.assert_close, _as_torch(output), _as_torch(target), rtol=0.1, atol=0.1)


def _as_torch(array: Any) -> torch.Tensor:
    if array.dtype == ml_dtypes.bfloat16:
        return torch.from_numpy(array.view(np.int16)).view(torch.bfloat16)
    return torch.from_numpy(array)


def _assert_allclose(output: Any, target: Any) -> Callable[[], Any]:
    return partial(np.testing.assert_allclose, output, target, rtol=0.1, atol=0.1)


def _large(name: str, state: State, peer: Callable[[Any, Any], Callable[[], Any]], setting: Setting) -> Contest:
    LOOPS.load(compiling=True)
    return Pair(name, setting.size(_LARGE), state).contest(peer)


def _memory(name: str, setting: Setting) -> Contest:
    return Pair(name, setting.size(_LARGE), State.UNEQUAL).alone(allocated)


def _small(name: str, state: State, setting: Setting) -> Contest:
    LOOPS.load(compiling=True)  # as in a run that has measured large outputs
    return Pair(name, _SMALL, state).alone(partial(cpu_seconds, calls=setting.size(2000)))


_ADD = {"float32": (3.0, 2.0), "float16": (1.2, 0.8), "bfloat16": (1.2, 0.8)}
_CLOSE = {"float32": (4.0, 8.0), "float16": (1.0, 1.5), "bfloat16": (1.0, 2.0)}


def _beside(name: str, state: State) -> tuple[Target, ...]:
    label = f"comparison.{name}.{state.name.lower()}"
    add = Target(
        f"{label}.add",
        f"10⁷ elements, {state.value}, against `numpy.add` of the arrays",
        Figure.RATIO,
        *_ADD[name],
        partial(_large, name, state, _add),
    )
    close = Target(
        f"{label}.assert_close",
        f"10⁷ elements, {state.value}, against `torch.testing.assert_close`",
        Figure.SPEEDUP,
        *_CLOSE[name],
        partial(_large, name, state, _assert_close),
    )
    allclose = Target(
        f"{label}.assert_allclose",
        f"10⁷ elements, {state.value}, against `numpy.testing.assert_allclose`",
        Figure.SPEEDUP,
        5.0,
        8.0,
        partial(_large, name, state, _assert_allclose),
    )
    return add, close, allclose


def _alone(name: str) -> tuple[Target, ...]:
    memory = Target(
        f"comparison.{name}.memory",
        "memory beyond the arrays, 10⁷ elements, a third a step off",
        Figure.ALONE,
        16 * 2**20,
        8 * 2**20,
        partial(_memory, name),
        unit="B",
    )
    small = (
        Target(
            f"comparison.{name}.small.{state.name.lower()}",
            f"CPU time of 100 elements, {state.value}",
            Figure.ALONE,
            25e-6,
            15e-6,
            partial(_small, name, state),
        )
        for state in State
    )
    return memory, *small


TARGETS = tuple(
    target
    for name in _ADD
    for state in State
    for target in (*_beside(name, state), *(_alone(name) if state is State.EQUAL else ()))
)
