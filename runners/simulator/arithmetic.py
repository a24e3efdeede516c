"""Vector arithmetic as the cores do it: 16-bit floats widened to float32, results rounded to nearest even.

Scalars are numpy scalars throughout: a Python float beside a 0-dim array would widen it under numpy 1.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from conformance.dtype import BY_NUMPY, DType
from conformance.promotion import promote
from conformance.tensor import Array

ONE = np.float32(1)
ZERO = np.float32(0)
Float32 = npt.NDArray[np.float32]


def dtype_of(values: Array) -> DType:
    """Our dtype of a numpy array."""
    return BY_NUMPY[values.dtype]


def widen(values: Array) -> Float32:
    """The values as float32; exact for every float of up to 32 bits."""
    return np.asarray(values, dtype=np.float32)


def erf(values: Array) -> Float32:
    """The error function of each element, computed in double precision."""
    found = np.fromiter(map(math.erf, values.reshape(-1).tolist()), np.float32, values.size)
    return found.reshape(values.shape)


def round_to(values: npt.ArrayLike, dtype: DType) -> Array:
    """The values in ``dtype``, rounded to nearest even; integers saturate and take 0 for NaN."""
    assert dtype.numpy is not None
    array: Array = np.asarray(values)
    if dtype.is_integer and array.dtype.kind not in "iu":
        return _to_integer(array, dtype.numpy)
    return array.astype(dtype.numpy, copy=False)


def _to_integer(values: Array, target: np.dtype[Any]) -> Array:
    limits = np.iinfo(target)
    whole = np.rint(np.nan_to_num(values.astype(np.float64), posinf=np.inf, neginf=-np.inf))
    inside = (whole > limits.min) & (whole < limits.max)
    result: Array = np.where(whole > 0, limits.max, limits.min).astype(target)
    result[inside] = whole[inside].astype(target)
    return result


def common_dtype(left: DType, right: DType) -> DType:
    """Type that two tensors are computed in; raises ValueError when there is none."""
    dtype = promote(left, right)
    if dtype is None:
        raise ValueError(f"{left} and {right} have no common type")
    return dtype


def along_channels(weight: Array, rank: int) -> Array:
    """A weight of one element, or one for every index of axis 1, shaped to broadcast against that rank."""
    if weight.size == 1:
        return weight.reshape((1,) * rank)
    return weight.reshape((1, -1) + (1,) * (rank - 2))
