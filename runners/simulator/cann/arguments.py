"""C descriptions of arguments → the values that a ``Call`` carries."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from conformance.call import Argument, Attribute, Scalar
from conformance.dtype import BY_ACL, DType, Kind
from conformance.signature import Parameter, ParameterKind
from conformance.tensor import Format, Memory, Tensor

NOWHERE = Memory(0)
"""Memory of tensors in phase 1, which reads no data."""
_FORMATS = {known.value: known for known in Format}


def read_arguments(ffi: Any, parameters: tuple[Parameter, ...], described: Any, size: int) -> dict[str, Argument]:
    """Arguments by parameter name, None for null pointers; ``described`` is a C array of ``BridgeArgument``."""
    if size != len(parameters):
        raise ValueError(f"the library passes {size} arguments for {len(parameters)} parameters: build it again")
    return {parameter.name: _read(ffi, parameter, described[i]) for i, parameter in enumerate(parameters)}


def _read(ffi: Any, parameter: Parameter, given: Any) -> Argument:
    if not given.present:
        return None
    kind = parameter.kind
    if kind is ParameterKind.TENSOR:
        return _tensor(ffi, given.tensors[0])
    if kind is ParameterKind.TENSOR_LIST:
        tensors = (given.tensors[i] for i in range(given.count))
        return tuple(_tensor(ffi, tensor) if tensor.present else None for tensor in tensors)
    if kind is ParameterKind.SCALAR:
        return _scalar(ffi, given)
    return Attribute(kind, _VALUES[kind](ffi, given))


def _tensor(ffi: Any, given: Any) -> Tensor:
    rank = given.rank
    return Tensor(
        dtype_of(given.dtype),
        tuple(ffi.unpack(given.shape, rank)) if rank else (),
        tuple(ffi.unpack(given.strides, rank)) if rank else (),
        given.offset,
        tuple(ffi.unpack(given.storage, given.storage_rank)) if given.storage_rank else (),
        _FORMATS.get(given.format, Format.UNDEFINED),
        NOWHERE,
    )


@cache
def dtype_of(number: int) -> DType:
    """Element type of an ACL number; for one that our table lacks, a type that every dtype list refuses."""
    known = BY_ACL.get(number)
    return known or DType(f"dtype_{number}", f"dtype_{number}", number, 8, Kind.OTHER, None)


def _scalar(ffi: Any, given: Any) -> Scalar:
    dtype = dtype_of(given.dtype)
    if dtype.numpy is None:
        return Scalar(dtype, 0)
    value = np.frombuffer(_bytes(ffi, given, given.count), dtype.numpy, 1)[0]
    if dtype.is_float:
        return Scalar(dtype, float(value))
    return Scalar(dtype, value.item() if dtype.kind is not Kind.OTHER else float(value))


def _bytes(ffi: Any, given: Any, size: int) -> bytes:
    return bytes(ffi.buffer(ffi.cast("char *", given.elements), size)) if size else b""


def _array(ffi: Any, given: Any, dtype: str) -> tuple[Any, ...]:
    width = np.dtype(dtype).itemsize
    return tuple(np.frombuffer(_bytes(ffi, given, given.count * width), dtype).tolist())


_VALUES: dict[ParameterKind, Callable[[Any, Any], Any]] = {
    ParameterKind.INT64: lambda ffi, given: given.integer,
    ParameterKind.INT32: lambda ffi, given: given.integer,
    ParameterKind.DOUBLE: lambda ffi, given: given.real,
    ParameterKind.FLOAT: lambda ffi, given: given.real,
    ParameterKind.BOOL: lambda ffi, given: bool(given.integer),
    ParameterKind.STRING: lambda ffi, given: ffi.string(ffi.cast("char *", given.elements)).decode(),
    ParameterKind.INT_ARRAY: lambda ffi, given: _array(ffi, given, "int64"),
    ParameterKind.FLOAT_ARRAY: lambda ffi, given: _array(ffi, given, "float32"),
    ParameterKind.BOOL_ARRAY: lambda ffi, given: _array(ffi, given, "bool"),
}
