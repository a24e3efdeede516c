"""Case × product × seed → Call with tensors in guarded memory. The data depends on the id and the seed alone."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from math import prod

import numpy as np

from conformance.call import Argument, Call
from conformance.case import Case, TensorSpec, ValueSpec
from conformance.dtype import DType
from conformance.errors import BrokenCase
from conformance.product import Product
from conformance.rounding import rounded
from conformance.signature import Role
from conformance.tensor import FILL_BYTE, INPUT_GAP_BYTE, Memory, Shape, Tensor
from conformance.values import DRAWN, InvalidValues, Numbers, fill_in_blocks

_DEFAULT_VALUES = ValueSpec("uniform", [-2.0, 2.0])


def make_call(case: Case, product: Product, seed: int = 0) -> Call:
    """The call of a case; raises BrokenCase when its values do not fit its tensors."""
    made: dict[str, Argument] = {}
    shared: list[tuple[str, str]] = []
    outputs = [parameter.name for parameter in case.contract.parameters if parameter.role is Role.OUTPUT]
    with np.errstate(all="ignore"):  # numbers may be beyond the type that they are rounded to
        for name, spec in case.arguments.items():
            if not isinstance(spec, TensorSpec):
                made[name] = spec
            elif spec.alias:
                shared.append((name, spec.alias))
            elif name in outputs:
                made[name] = _over(spec, FILL_BYTE)
            else:
                made[name] = _input(case.id, name, spec, seed) if case.data is None else _over(spec, INPUT_GAP_BYTE)
    made.update((name, made[alias]) for name, alias in shared)
    if case.data is not None:
        made = {**made, **case.data.fill(made, seed)}
    ordered = {parameter.name: made[parameter.name] for parameter in case.contract.parameters}
    return Call(case.contract.api, product, case.contract.parameters, ordered, case.steps_taken, case.deadline)


def _over(spec: TensorSpec, byte: int) -> Tensor:
    memory = Memory((prod(spec.storage_shape) * spec.dtype.bits + 7) // 8, byte)
    return Tensor(spec.dtype, spec.shape, spec.strides, spec.offset, spec.storage_shape, spec.format, memory)


def _input(case_id: str, name: str, spec: TensorSpec, seed: int) -> Tensor:
    tensor = _over(spec, INPUT_GAP_BYTE)
    if tensor.numel == 0 or spec.dtype.carrier is None:
        return tensor
    values = spec.values or _DEFAULT_VALUES
    random = _generator(_seed(case_id, name, seed)) if values.kind in DRAWN else _IDLE
    try:
        shape = spec.distinct_shape
        blocks = fill_in_blocks(values.kind, values.argument, values.each, spec.dtype, shape, prod(shape), random)
        _store(tensor, shape, blocks)
    except (InvalidValues, ValueError, TypeError) as error:
        raise BrokenCase(f"{name}: {error}") from None
    return tensor


def _store(tensor: Tensor, shape: Shape, blocks: Iterable[Numbers]) -> None:
    """Write blocks of numbers as elements, into a dense tensor one after the other."""
    if not tensor.is_contiguous or tensor.dtype.codes is not None:
        elements = [_as_elements(numbers, tensor.dtype) for numbers in blocks]
        tensor.store(np.concatenate(elements).reshape(shape))
        return
    places, at = tensor.view().reshape(-1), 0
    for numbers in blocks:
        _as_elements(numbers, tensor.dtype, places[at : at + len(numbers)])
        at += len(numbers)


def _as_elements(numbers: Numbers, dtype: DType, out: Numbers | None = None) -> Numbers:
    """Numbers as elements, the nearest each; into ``out`` where given."""
    if dtype.is_float:
        # One rounding, not the two of a cast through float32: a case's literal is the nearest element to it.
        return rounded(numbers.astype(np.float64, copy=False), dtype, out)
    if dtype.is_integer and dtype.numpy is not None and numbers.dtype.kind == "f":
        limits = np.iinfo(dtype.numpy)
        numbers = np.clip(np.nan_to_num(np.rint(numbers)), limits.min, limits.max)
    elements = np.empty(len(numbers), dtype.numpy) if out is None else out
    elements[...] = numbers
    return elements


def _generator(seed: int) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(seed))


_IDLE = _generator(0)
"""For values that draw nothing: beginning a generator takes as long as filling a small tensor."""


def _seed(case_id: str, name: str, seed: int) -> int:
    return int.from_bytes(hashlib.blake2b(f"{seed}:{case_id}:{name}".encode(), digest_size=8).digest(), "little")
