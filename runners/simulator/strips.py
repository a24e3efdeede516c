"""Large calls of elementwise kernels computed strip by strip, so that intermediate lanes take no memory to speak of.

A kernel that asks for a tiling plan or writes into its output's memory computes the whole: it has tiles of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from math import prod
from typing import NoReturn

import numpy as np

from conformance.tensor import Array
from runners.simulator.kernel import KernelCall, KernelSpec, Spec
from runners.simulator.tiling import PlanFunction

STRIP = 1 << 18
"""Elements of a strip, a multiple of all vector widths: lanes stay where they are."""
Compute = Callable[[KernelCall], Mapping[str, Array]]


class _Undivided(Exception):
    """Raised where a kernel wants what only a whole call has."""


class _NoPlans(dict[str, PlanFunction]):
    """No tiling plan for anybody."""

    def __missing__(self, operator: str) -> NoReturn:
        raise _Undivided(operator)


def in_strips(compute: Compute) -> Compute:
    """The same results, of large calls strip by strip; for kernels whose every lane depends on its own place alone."""

    def divided(call: KernelCall) -> Mapping[str, Array]:
        shapes = {spec.shape for spec in (*call.spec.inputs.values(), *call.spec.outputs.values())}
        if len(shapes) != 1 or call.scratch or prod(*shapes) <= 4 * STRIP:
            return compute(call)
        try:
            return _by_strip(compute, call, prod(*shapes))
        except _Undivided:
            return compute(call)

    return divided


def _by_strip(compute: Compute, call: KernelCall, count: int) -> Mapping[str, Array]:
    inputs = {name: values.reshape(-1) for name, values in call.inputs.items()}
    whole: dict[str, Array] = {}
    for start in range(0, count, STRIP):
        part = slice(start, min(start + STRIP, count))
        results = compute(_strip(call, inputs, part))
        for name, lanes in results.items():
            if name not in whole:
                whole[name] = np.empty(count, lanes.dtype)
            whole[name][part] = lanes
    return {name: values.reshape(call.spec.outputs[name].shape) for name, values in whole.items()}


def _strip(call: KernelCall, inputs: Mapping[str, Array], part: slice) -> KernelCall:
    shape = (part.stop - part.start,)

    def cut(specs: Mapping[str, Spec]) -> dict[str, Spec]:
        return {name: Spec(shape, spec.dtype) for name, spec in specs.items()}

    return replace(
        call,
        spec=KernelSpec(call.product, cut(call.spec.inputs), cut(call.spec.outputs)),
        inputs={name: values[part] for name, values in inputs.items()},
        plans=_NoPlans(),
        output_memory=_no_memory,
    )


def _no_memory(name: str) -> NoReturn:
    raise _Undivided(name)
