"""Softplus backward: dy where β · x > threshold, else dy / (1 + exp(−β · x)), in float32.

One type of up to 32 bits is what inputs are read and the result is rounded in; float64, integers and two types
pass through float32. The result is cast to ``gradInput``'s type.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from conformance.dtype import DTYPES, DType
from conformance.tensor import Array
from runners.simulator.arithmetic import round_to
from runners.simulator.kernel import KernelCall, KernelSpec, Spec
from runners.simulator.promoted import promoted_intermediates, promoted_result

_OWN = ("float16", "float32", "bfloat16")


def intermediates(spec: KernelSpec) -> Mapping[str, Spec]:
    """Inputs and a result that are cast."""
    return promoted_intermediates(spec, _computed(spec))


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``gradInput`` of ``gradOutput``, ``self``, ``beta`` and ``threshold``."""
    return promoted_result(call, lambda dy, x: _gradient(call, dy, x), _computed(call.spec))


def _gradient(call: KernelCall, dy: Array, x: Array) -> Array:
    unit = call.unit
    beta, threshold = (round_to(call.scalars[name].value, DTYPES["float32"]) for name in ("beta", "threshold"))
    z = unit.multiply(x, beta)
    lanes: Array = np.where(z > threshold, dy, unit.logistic(z, numerator=dy))
    return lanes


def _computed(spec: KernelSpec) -> DType:
    one, other = (spec.inputs[name].dtype for name in ("gradOutput", "self"))
    return one if one == other and one.name in _OWN else DTYPES["float32"]
