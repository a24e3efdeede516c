"""Objects that phase 1 takes: each is made from an argument of the call and destroyed with the stack that owns it."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from typing import Any

import numpy as np

from conformance.call import Argument, Attribute, Call, Scalar
from conformance.signature import ParameterKind, Role
from conformance.tensor import Tensor
from runners.aclnn.functions import Functions
from runners.aclnn.prototypes import INPUT_SETTER, OUTPUT_SETTER
from runners.aclnn.status import DeviceError

AddressOf = Callable[[Tensor], int]
"""Device address of the first byte of a tensor's payload."""


class CannotExpress(ValueError):
    """An argument that the ABI, or this suite's number formats, cannot hold."""


class Handles:
    """Makes objects; whoever closes the stack destroys them, last made first."""

    def __init__(self, functions: Functions, owner: ExitStack, address_of: AddressOf) -> None:
        self._functions = functions
        self._owner = owner
        self._address_of = address_of

    def arguments(self, call: Call) -> Mapping[str, object]:
        """What phase 1 takes for each parameter, by name; raises CannotExpress or DeviceError."""
        return {parameter.name: self.argument(call.arguments[parameter.name]) for parameter in call.parameters}

    def argument(self, argument: Argument) -> object:
        """A pointer for what is an object, a plain value for the rest, None for null."""
        if isinstance(argument, Tensor):
            return self._owned("Tensor", self.tensor(argument))
        if isinstance(argument, tuple):
            return self._tensor_list(argument)
        if isinstance(argument, Scalar):
            return self._scalar(argument)
        return None if argument is None else self._attribute(argument)

    def tensor(self, tensor: Tensor) -> int:
        """An aclTensor that nobody owns yet; dims and strides are copied by the callee."""
        dims, strides, storage = (_int64s(one) for one in (tensor.shape, tensor.strides, tensor.storage_shape))
        rank, storage_rank = len(tensor.shape), len(tensor.storage_shape)
        pointer = self._functions["aclCreateTensor"](
            *(dims, rank, tensor.dtype.acl, strides, tensor.offset, tensor.format.value),
            *(storage, storage_rank, self._address_of(tensor)),
        )
        return _made("Tensor", pointer)

    def _tensor_list(self, tensors: Sequence[Tensor | None]) -> int:
        """A list owns its tensors: destroying it destroys them."""
        pointers = [None if tensor is None else self.tensor(tensor) for tensor in tensors]
        array = (ctypes.c_void_p * len(pointers))(*pointers)
        return self._owned("TensorList", self._functions["aclCreateTensorList"](array, len(pointers)))

    def _scalar(self, scalar: Scalar) -> int:
        if scalar.dtype.numpy is None:
            raise CannotExpress(f"a scalar of type {scalar.dtype} has no bytes here")
        with np.errstate(all="ignore"):
            value = np.array(scalar.value).astype(scalar.dtype.numpy).tobytes()
        # The callee reads as many bytes as the type has; 16 cover the widest.
        room = ctypes.create_string_buffer(value, max(len(value), 16))
        return self._owned("Scalar", self._functions["aclCreateScalar"](room, scalar.dtype.acl))

    def _attribute(self, attribute: Attribute) -> object:
        value: Any = attribute.value
        if attribute.kind is ParameterKind.STRING:
            return str(value).encode()
        if attribute.kind not in _ARRAYS:
            return value
        kind, element = _ARRAYS[attribute.kind]
        return self._owned(kind, self._functions[f"aclCreate{kind}"]((element * len(value))(*value), len(value)))

    def _owned(self, kind: str, pointer: int | None) -> int:
        made = _made(kind, pointer)
        self._owner.callback(self._functions[f"aclDestroy{kind}"], made)
        return made


def placed_tensors(call: Call) -> Iterator[tuple[str, int, str, Tensor]]:
    """For each tensor the function that tells its new address, its index there, its parameter and the tensor itself.

    Raises CannotExpress for tensor lists, whose members no two descriptions count alike.
    """
    for side, index, name, argument in call.counted():
        if not isinstance(argument, Tensor):
            raise CannotExpress(f"{name} is a tensor list, whose members cannot be told to move")
        yield INPUT_SETTER if side is Role.INPUT else OUTPUT_SETTER, index, name, argument


_ARRAYS: dict[ParameterKind, tuple[str, Any]] = {
    ParameterKind.INT_ARRAY: ("IntArray", ctypes.c_int64),
    ParameterKind.FLOAT_ARRAY: ("FloatArray", ctypes.c_float),
    ParameterKind.BOOL_ARRAY: ("BoolArray", ctypes.c_bool),
}


def _made(kind: str, pointer: int | None) -> int:
    if not pointer:
        raise DeviceError(f"aclCreate{kind} returned null")
    return pointer


def _int64s(values: Sequence[int]) -> Any:
    return (ctypes.c_int64 * len(values))(*values)
