"""ReLU: max(x, 0) in the type of x; NaN stays."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from conformance.tensor import Array
from runners.simulator.kernel import KernelCall


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``out`` of ``self``."""
    return {"out": rectified(call.inputs["self"])}


def rectified(x: Array) -> Array:
    """X where it is not up to 0, else 0."""
    zero = np.zeros((), x.dtype)
    result: Array = np.where(x <= zero, zero, x)
    return result
