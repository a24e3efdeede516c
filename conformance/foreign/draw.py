"""Data as ATK makes it: generators with the seed of the case, inputs drawn in the order of the file.

Uniform numbers come from numpy's own stream and normal ones from torch's, which an installed reference supplies.
Where ATK's way is not published (whole numbers, infinities, the mean of a normal tensor) the docs say what is done.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from msgspec.structs import replace

from conformance.call import Argument, Attribute, Scalar
from conformance.case import ValueSpec
from conformance.discover import NormalStream, find_normal_stream
from conformance.dtype import DType, Kind, largest
from conformance.errors import BrokenCase
from conformance.foreign.bind import Draw, scalar_of
from conformance.foreign.distributions import shaped
from conformance.foreign.spans import Choice, Constant, Infinities, Literal, Normal, Shaped, Span, Stored, Uniform
from conformance.signature import ParameterKind
from conformance.tensor import Array, Tensor
from conformance.values import fill

_SEEDS = 1 << 32
_WHOLE = np.iinfo(np.int64)


class Rewriter(Protocol):
    """Another suite's script that writes inputs anew."""

    def rewrite(self, filled: Mapping[str, Argument], seed: int) -> None:
        """Write tensors of the call in place, given what the file says of them; raises BrokenCase."""
        ...


@dataclass(frozen=True, slots=True)
class Stream:
    """Fills the tensors of a call.

    ``ruled`` are inputs that a rule of this suite fills in place of another suite's script, ``script`` is that script
    where the user lets it run.
    """

    seed: int
    draws: tuple[Draw, ...]
    ruled: Mapping[str, ValueSpec]
    script: Rewriter | None = None

    def fill(self, made: Mapping[str, Argument], seed: int) -> dict[str, Argument]:
        """The arguments with their data; tensors are written in place. Raises BrokenCase."""
        source = _Source((self.seed + seed) % _SEEDS)
        filled = dict(made)
        for draw in self.draws:
            argument = made[draw.parameter]
            if isinstance(argument, Tensor):
                source.store(draw, argument)
            elif isinstance(argument, (Scalar, Attribute)):
                filled[draw.parameter] = _with_number(argument, draw, source)
        for name, values in self.ruled.items():
            tensor = made[name]
            if isinstance(tensor, Tensor) and tensor.numel:
                _fill_by_rule(tensor, values, source.numpy)
        if self.script is not None:
            self.script.rewrite(filled, (self.seed + seed) % _SEEDS)
        return filled

    @property
    def is_steady(self) -> bool:
        """Whether no script has a say in it."""
        return self.script is None


class _Source:
    """The generators of one case: numpy's, and torch's from the first normal tensor on."""

    def __init__(self, seed: int) -> None:
        self.numpy = np.random.RandomState(seed)
        self._seed = seed
        self._normal: NormalStream | None = None

    def store(self, draw: Draw, tensor: Tensor) -> None:
        """Draw the elements of a tensor and write them; one without elements takes nothing from the streams."""
        if isinstance(draw.span, Stored):
            tensor.store(_read(draw.span.path, tensor))
        elif tensor.numel and tensor.dtype.carrier is not None:
            numbers = self._numbers(draw.span, tensor.dtype, tensor.shape)
            tensor.store(as_elements(numbers, tensor.dtype).reshape(tensor.shape))

    def number(self, span: Span, dtype: DType) -> Any:
        """One number or text of a span."""
        if isinstance(span, Choice):
            return span.values[int(self.numpy.randint(len(span.values)))]
        return self._numbers(span, dtype, ()).reshape(-1)[0].item()

    def _numbers(self, span: Span, dtype: DType, shape: tuple[int, ...]) -> Array:
        if isinstance(span, Constant):
            return _repeated(span.value, shape)
        if isinstance(span, Infinities):
            return np.where(self.numpy.randint(0, 2, shape) == 0, -np.inf, np.inf)
        if isinstance(span, (Choice, Literal)):
            return np.resize(np.array([_number(value) for value in span.values]), shape)
        if isinstance(span, Normal):
            return self._gaussian(span, shape)
        if isinstance(span, Uniform):
            return self._uniform(span, dtype, shape)
        if isinstance(span, Shaped):
            return shaped(self.numpy, span, shape)
        raise BrokenCase(f"{span} fills no tensor")

    def _gaussian(self, span: Normal, shape: tuple[int, ...]) -> Array:
        mean, deviation = self.numpy.uniform(*span.mean), abs(self.numpy.uniform(*span.deviation))
        if self._normal is None:
            self._normal = find_normal_stream()(self._seed)
        drawn: Array = self._normal(mean, deviation, shape)
        return drawn

    def _uniform(self, span: Uniform, dtype: DType, shape: tuple[int, ...]) -> Array:
        if dtype.is_integer or dtype.kind is Kind.BOOL:
            return np.asarray(self.numpy.randint(*whole_bounds(span, dtype), size=shape, dtype=np.int64))
        if dtype.kind is Kind.COMPLEX:
            return self._between(span, dtype, shape) + 1j * self._between(span, dtype, shape)
        return self._between(span, dtype, shape)

    def _between(self, span: Uniform, dtype: DType, shape: tuple[int, ...]) -> Array:
        low, high = (finite(bound, dtype) for bound in (span.low, span.high))
        if isfinite(high - low):
            return np.asarray(self.numpy.uniform(low, high, shape))
        share = self.numpy.random_sample(shape)
        return np.asarray(low * (1 - share) + high * share)


def _repeated(value: Any, shape: tuple[int, ...]) -> Array:
    return np.full(shape, _number(value))


def _number(value: Any) -> int | float | bool:
    if isinstance(value, str):
        raise BrokenCase(f"{value!r} is no number for a tensor")
    return float(value) if isinstance(value, int) and not -(1 << 63) <= value < 1 << 63 else value


def finite(bound: float, dtype: DType) -> float:
    """A bound as float64; an infinite one becomes the largest number of the type, of float32 for others."""
    if isfinite(bound):
        return float(bound)
    end = largest(dtype) if dtype.is_float else float(np.finfo(np.float32).max)
    return float(np.copysign(end, bound))


def whole_bounds(span: Uniform, dtype: DType) -> tuple[int, int]:
    """First whole number and the one after the last; both bounds count where their end is closed."""
    limits = np.iinfo(dtype.numpy) if dtype.is_integer and dtype.numpy is not None else _WHOLE
    floor, ceiling = max(int(limits.min), _WHOLE.min), min(int(limits.max), _WHOLE.max - 1)
    ends = [floor if b == -np.inf else ceiling if b == np.inf else int(b) for b in (span.low, span.high)]
    low = min(max(ends[0] + span.open_low, floor), ceiling)
    high = min(max(ends[1] - span.open_high, low), ceiling)
    return low, max(high, low) + 1


def as_elements(numbers: Array, dtype: DType) -> Array:
    """Numbers cast as torch casts them: to 16 bits by way of float32, to integers by cutting off."""
    with np.errstate(all="ignore"):
        if dtype.is_integer and dtype.numpy is not None and numbers.dtype.kind in "fc":
            limits = np.iinfo(dtype.numpy)
            cut = np.trunc(np.nan_to_num(numbers.real, nan=0.0, posinf=limits.max, neginf=limits.min))
            whole = np.clip(cut, float(limits.min), np.nextafter(float(limits.max) + 1.0, 0.0))
            return np.asarray(np.clip(whole.astype(object), limits.min, limits.max).astype(dtype.numpy))
        if dtype.is_float and dtype.carrier is not None and dtype.bits < 32:
            return numbers.astype(np.float32).astype(dtype.carrier)
        return numbers.astype(dtype.numpy)


def _read(path: Path, tensor: Tensor) -> Array:
    """Elements of a tensor from a file that holds as many bytes, or BrokenCase."""
    wanted = tensor.numel * tensor.dtype.itemsize
    if tensor.dtype.numpy is None:
        raise BrokenCase(f"{path.name}: elements of {tensor.dtype} cannot be read from a file")
    try:
        held = path.read_bytes()
    except OSError as error:
        raise BrokenCase(f"{path}: cannot be read: {error.strerror}") from None
    if len(held) != wanted:
        raise BrokenCase(f"{path}: holds {len(held)} bytes, {tensor.dtype}{list(tensor.shape)} takes {wanted}")
    return np.frombuffer(held, tensor.dtype.numpy).reshape(tensor.shape)


def _with_number(argument: Scalar | Attribute, draw: Draw, source: _Source) -> Scalar | Attribute:
    value = source.number(draw.span, draw.dtype)
    if isinstance(argument, Scalar):
        return scalar_of(argument.dtype, value)
    whole = argument.kind in (ParameterKind.INT64, ParameterKind.INT32)
    kind = int if whole else bool if argument.kind is ParameterKind.BOOL else type(argument.value)
    return replace(argument, value=kind(value))


def _fill_by_rule(tensor: Tensor, values: ValueSpec, random: np.random.RandomState) -> None:
    generator = np.random.Generator(np.random.PCG64(int(random.randint(1 << 31))))
    count = tensor.numel
    numbers = fill(values.kind, values.argument, values.each, tensor.dtype, tensor.shape, count, generator)
    tensor.store(as_elements(numbers, tensor.dtype).reshape(tensor.shape))
