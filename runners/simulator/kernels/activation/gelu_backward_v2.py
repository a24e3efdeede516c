"""GELU backward by erf, dy · (Φ(x) + x · φ(x)), or by tanh, in float32 and rounded to nearest even."""

from __future__ import annotations

from collections.abc import Mapping
from math import pi, sqrt

import numpy as np

from conformance.tensor import Array
from runners.simulator.arithmetic import ONE, erf
from runners.simulator.kernel import KernelCall, KernelSpec, Spec
from runners.simulator.kernels.activation.gelu_backward import by_tanh
from runners.simulator.promoted import promoted_intermediates, promoted_result
from runners.simulator.vector_unit import VectorUnit

_HALF, _ROOT, _DENSITY = np.float32(0.5), np.float32(1 / sqrt(2)), np.float32(1 / sqrt(2 * pi))


def intermediates(spec: KernelSpec) -> Mapping[str, Spec]:
    """Inputs that are broadcast or promoted, and a result that is cast."""
    return promoted_intermediates(spec)


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``gradInput`` of ``gradOutput``, ``self`` and ``approximate``."""
    form = by_tanh if call.attributes["approximate"] == "tanh" else by_erf
    return promoted_result(call, lambda dy, x: form(call.unit, dy, x))


def by_erf(unit: VectorUnit, dy: Array, x: Array) -> Array:
    """The gradient of lanes by erf."""
    rising = unit.multiply(ONE + erf(unit.multiply(x, _ROOT)), _HALF)
    density = unit.multiply(unit.exp(unit.multiply(unit.multiply(x, x), -_HALF)), _DENSITY)
    return unit.multiply(dy, unit.multiply_add(x, density, rising))
