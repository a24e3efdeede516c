"""Comparison: all metrics of one output against its golden in float64, beside the peers that look at it once.

What the default standards ask for is counted too, as in every run.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import ml_dtypes
import numpy as np
import torch

from benchmarks.clocks import allocated, seconds
from benchmarks.target import Contest, Figure, Setting, Target
from conformance.dtype import DTYPES
from conformance.golden import GoldenOutput
from conformance.load import load_standards
from conformance.measure import measure
from conformance.metrics import Probes
from conformance.standard import probes_of

_LARGE, _SMALL = 10_000_000, 100
_SHARE = 3
"""One element in so many differs by a step where outputs are not equal."""
_PROBES: Probes = probes_of(load_standards().values())


def _pair(name: str, count: int, *, equal: bool) -> tuple[GoldenOutput, Any]:
    """A golden that the dtype cannot hold, and an output: the golden rounded, or a step beside it in every third."""
    golden = np.random.default_rng(0).standard_normal(count)
    output = golden.astype(DTYPES[name].numpy)
    if not equal:
        bits = output.view(f"uint{8 * output.itemsize}")
        bits[::_SHARE] += 1
    return GoldenOutput(golden), output


def _measured(name: str, count: int, *, equal: bool) -> tuple[Callable[[], Any], Any, Any]:
    """The measurement, the output and the golden as an array of the dtype."""
    golden, output = _pair(name, count, equal=equal)
    dtype = DTYPES[name]
    return partial(measure, golden, output, dtype, _PROBES), output, golden.value.astype(dtype.numpy)


def _beside_add(name: str, equal: bool, setting: Setting) -> Contest:
    action, output, golden = _measured(name, setting.size(_LARGE), equal=equal)
    return Contest(seconds(action), seconds(partial(np.add, output, golden, out=np.empty_like(output))))


def _beside_torch(name: str, setting: Setting) -> Contest:
    action, output, golden = _measured(name, setting.size(_LARGE), equal=True)
    ours, theirs = _as_torch(output), _as_torch(golden)
    return Contest(seconds(action), seconds(partial(torch.testing.assert_close, ours, theirs)))


def _as_torch(array: Any) -> torch.Tensor:
    if array.dtype == ml_dtypes.bfloat16:
        return torch.from_numpy(array.view(np.int16)).view(torch.bfloat16)
    return torch.from_numpy(array)


def _beside_numpy(name: str, setting: Setting) -> Contest:
    action, output, golden = _measured(name, setting.size(_LARGE), equal=True)
    return Contest(seconds(action), seconds(partial(np.testing.assert_allclose, output, golden, rtol=1e-2)))


def _memory(name: str, setting: Setting) -> Contest:
    action, _, _ = _measured(name, setting.size(_LARGE), equal=False)
    return Contest(allocated(action))


def _small(name: str, equal: bool, setting: Setting) -> Contest:
    action, _, _ = _measured(name, _SMALL, equal=equal)
    return Contest(seconds(action, calls=setting.size(2000)))


_ADD = {"float32": (3.0, 2.0), "float16": (1.2, 0.8), "bfloat16": (1.2, 0.8)}
_TORCH = {"float32": (4.0, 8.0), "float16": (1.0, 1.5), "bfloat16": (1.0, 2.0)}
_STATES = {True: "equal", False: "a third a step off"}


def _of(name: str) -> list[Target]:
    rows = [
        Target(
            f"comparison.{name}.add.{'equal' if equal else 'unequal'}",
            f"10⁷ elements, {state}, against `numpy.add` of the arrays",
            Figure.RATIO,
            *_ADD[name],
            partial(_beside_add, name, equal),
        )
        for equal, state in _STATES.items()
    ]
    torch_says, numpy_says = "`torch.testing.assert_close`", "`numpy.testing.assert_allclose`"
    return [
        *rows,
        Target(
            f"comparison.{name}.assert_close",
            f"10⁷ equal elements against {torch_says}",
            Figure.SPEEDUP,
            *_TORCH[name],
            partial(_beside_torch, name),
        ),
        Target(
            f"comparison.{name}.assert_allclose",
            f"10⁷ equal elements against {numpy_says}",
            Figure.SPEEDUP,
            5.0,
            8.0,
            partial(_beside_numpy, name),
        ),
        Target(
            f"comparison.{name}.memory",
            "memory beyond the arrays, 10⁷ elements, a third a step off",
            Figure.ALONE,
            16 * 2**20,
            8 * 2**20,
            partial(_memory, name),
            unit="B",
        ),
        *(
            Target(
                f"comparison.{name}.small.{'equal' if equal else 'unequal'}",
                f"100 elements, {state}",
                Figure.ALONE,
                25e-6,
                15e-6,
                partial(_small, name, equal),
            )
            for equal, state in _STATES.items()
        ),
    ]


TARGETS = tuple(target for name in _ADD for target in _of(name))
