"""The one map between dtypes, numpy arrays and torch tensors."""

from __future__ import annotations

import numpy as np
import torch

from conformance.dtype import BY_NUMPY, DTYPES, DType
from conformance.tensor import Array

TORCH: dict[str, torch.dtype] = {
    name: found for name in DTYPES if isinstance(found := getattr(torch, name, None), torch.dtype)
}
"""dtype name → torch's; torch spells the shared ones as we do, and a dtype it lacks is absent."""
_NAMES: dict[torch.dtype, str] = {value: name for name, value in TORCH.items()}
_CARRIERS: dict[int, np.dtype[np.signedinteger]] = {8: np.dtype(np.int8), 16: np.dtype(np.int16)}
"""Integer type of a width: bits of floats that only ml_dtypes gives to numpy pass to torch and back in it."""


def is_convertible(dtype: DType) -> bool:
    """Whether both numpy and torch can hold the type."""
    return dtype.numpy is not None and dtype.name in TORCH


def to_torch(array: Array) -> torch.Tensor:
    """Tensor with a copy of the array's elements, of the same element type."""
    dtype = BY_NUMPY[array.dtype]
    dense = np.array(array, order="C")
    if _is_foreign(dtype):
        return torch.from_numpy(dense.view(_CARRIERS[dtype.bits])).view(TORCH[dtype.name])
    return torch.from_numpy(dense)


def to_float64(array: Array) -> torch.Tensor:
    """Tensor with the array's elements as float64: exact for every float type and for integers up to 2^53."""
    with np.errstate(invalid="ignore"):  # a signalling NaN becomes quiet
        return torch.from_numpy(np.array(array, dtype=np.float64, order="C"))


def odd_float64(whole: Array, dtype: DType) -> Array:
    """Integers (int64) as float64, so that rounding them to ``dtype`` gives what rounding once gives.

    For types that are narrower than float64, those beyond 2^53 become a multiple of 2^12, an odd one if inexact.
    """
    if dtype.name == "float64":
        return whole.astype(np.float64)
    multiple = (whole >> 12 | ((whole & 0xFFF) != 0)) << 12
    return np.where((whole > 1 << 53) | (whole < -(1 << 53)), multiple, whole).astype(np.float64)


def to_numpy(tensor: torch.Tensor) -> Array:
    """Array over the tensor's elements, of the same element type."""
    dtype = DTYPES[_NAMES[tensor.dtype]]
    if _is_foreign(dtype):
        assert dtype.numpy is not None
        carrier = {8: torch.int8, 16: torch.int16}[dtype.bits]
        bits: Array = tensor.contiguous().view(carrier).numpy()
        return bits.view(dtype.numpy)
    return tensor.numpy()


def _is_foreign(dtype: DType) -> bool:
    """Whether it is a float type that only ml_dtypes gives to numpy."""
    return dtype.is_float and dtype.numpy is not None and not np.issubdtype(dtype.numpy, np.floating)
