"""From a formula's real numbers to golden values, and from golden values to an output's memory."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping

import numpy as np
import torch
from msgspec.structs import replace

from conformance.dtype import DType, Kind
from conformance.errors import BrokenReference
from conformance.golden import Following, GoldenOutput
from conformance.law import Law, Uniform
from conformance.rounding import rounded
from conformance.tensor import Array, Memory, Shape, Tensor
from runners.reference.arguments import Answer, Follows, Random
from runners.reference.convert import odd_float64, to_float64


def golden_output(name: str, answer: Answer, output: Tensor, flushed: Answer | None = None) -> GoldenOutput:
    """Golden of one output; raises BrokenReference when the answer's shape is not the output's.

    ``flushed`` is the answer with subnormal operands as 0, where there are any.
    """
    if tuple(answer.value.shape) != output.shape:
        raise BrokenReference(f"{name}: the formula gives {list(answer.value.shape)}, not {list(output.shape)}")
    value, alternatives = _admissible(name, answer, output.dtype)
    terms = None if answer.terms is None else answer.terms.numpy()
    kept = tuple(_distinct((value,), alternatives))
    further = () if flushed is None or flushed.selects else map(_real, (flushed.value, *flushed.alternatives))
    flushing = tuple(_distinct((value, *kept), further))
    free = None if answer.free is None else answer.free.numpy()
    return GoldenOutput(value, kept, terms, answer.term_count, flushing, _law(answer.random), free)


def following(name: str, answer: Follows, output: Tensor, flushed: Follows | None = None) -> Following:
    """Golden of an output that follows from others; ``flushed`` as for ``golden_output``."""
    bare = replace(output, memory=Memory(0))  # what is kept for long may not hold on to the call's memory

    def golden(written: Mapping[str, Array]) -> GoldenOutput:
        given = {name: to_float64(written[name]) for name in answer.outputs}
        return golden_output(name, answer.of(given), bare, flushed.of(given) if flushed else None)

    kept = (*answer.keeps, *(flushed.keeps if flushed else ()))
    return Following(answer.outputs, golden, sum(tensor.nbytes for tensor in kept))


def _law(random: Random | None) -> Law | None:
    if random is None:
        return None
    return Law(Uniform(random.low, random.high), random.drawn.numpy(), random.either.numpy())


def deliver(golden: GoldenOutput, output: Tensor) -> None:
    """Write the golden value into the output's elements, rounded to its dtype or, for integers, saturated."""
    value = golden.value
    if output.dtype.is_integer:
        value = np.clip(value, *_limits(output.dtype))
    elif output.dtype.is_float:
        with np.errstate(over="ignore"):
            value = rounded(value, output.dtype)
    output.store(value)


def _admissible(name: str, answer: Answer, dtype: DType) -> tuple[Array, list[Array]]:
    reals = [_real(value) for value in (answer.value, *answer.alternatives)]
    if dtype.is_integer and answer.value.dtype == torch.int64:
        return reals[0], [np.clip(real, *_limits(dtype)) for real in reals[1:]] + [np.clip(reals[0], *_limits(dtype))]
    if dtype.kind in (Kind.FLOAT, Kind.COMPLEX):
        reals = [odd_float64(real, dtype) if real.dtype == np.int64 else real for real in reals]
    if dtype.kind is Kind.FLOAT:
        return reals[0], reals[1:]
    if dtype.kind is Kind.COMPLEX:
        return reals[0].astype(np.complex128), [real.astype(np.complex128) for real in reals[1:]]
    if dtype.is_integer and answer.quantised:
        return _int64(reals[0]), [_int64(real) for real in reals[1:]]
    if dtype.is_integer:
        return _integers(reals, dtype)
    raise BrokenReference(f"{name}: a formula in real numbers cannot be delivered as {dtype.name}")


def _integers(reals: list[Array], dtype: DType) -> tuple[Array, list[Array]]:
    """Nearest integer, and as alternatives both neighbours of every real answer, cut to what the dtype holds.

    Documents do not say how a real result becomes an integer; every usual rounding gives a neighbour.
    """
    neighbours = [_int64(step(real)) for real in reals for step in (np.floor, np.ceil)]
    saturated = [np.clip(values, *_limits(dtype)) for values in neighbours]
    return _int64(np.rint(reals[0])), neighbours + saturated


def _distinct(known: tuple[Array, ...], candidates: Iterable[Array]) -> list[Array]:
    """Candidates that hold other numbers than the known ones and than those before them."""
    found: dict[tuple[Shape, bytes], Array] = {}
    for array in candidates:
        found.setdefault(_identity(array), array)
    if not found:
        return []
    others = set(map(_identity, known))
    return [array for identity, array in found.items() if identity not in others]


def _identity(numbers: Array) -> tuple[Shape, bytes]:
    """Equal for arrays of the same numbers, all NaN being one and both zeros."""
    numbers = np.array(numbers)
    if numbers.dtype.kind in "fc":
        numbers += 0.0
        numbers[np.isnan(numbers)] = np.nan
    return numbers.shape, hashlib.sha256(numbers.tobytes()).digest()


def _limits(dtype: DType) -> tuple[int, int]:
    assert dtype.numpy is not None
    bounds = np.iinfo(dtype.numpy)
    return int(bounds.min), int(bounds.max)


def _real(tensor: torch.Tensor) -> Array:
    return tensor.numpy()


def _int64(values: Array) -> Array:
    return np.asarray(values).astype(np.int64)
