"""Relations between calls that need no golden: what must be the same, or half as much, when a call is made again.

A relation never fails a correct implementation. Elements that change their place, or are read another way, must
agree bit for bit only where the contract's class leaves one right answer (``exact``, ``rounded``); for the other
classes the golden says as much as can be said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

import numpy as np

from conformance.call import Attribute
from conformance.contract import Contract
from conformance.dtype import smallest_normal
from conformance.properties import Elementwise, InPlace, Property, Scales, SumsToZero
from conformance.standard import ComparisonClass
from conformance.tensor import Array
from conformance.values import fill
from runners.fuzz.trial import Elements, Refused, Trial, difference

_P = TypeVar("_P")
_ONE_ANSWER = (ComparisonClass.EXACT, ComparisonClass.ROUNDED)
_LOW, _HIGH = 1 / 16, 16.0
"""Elements of this size can be halved, multiplied and summed in 16 bits without underflow or overflow."""
_ROUNDINGS = 8
"""Roundings of the tensors' own type that a sum of gradients may hold for each of its terms."""
Relation = Callable[[Trial], Iterator[str]]
"""Yields "" for every comparison that holds, and what is wrong for one that does not; nothing where it says nothing."""


def repeat(trial: Trial) -> Iterator[str]:
    """A dense call made twice gives equal bits."""
    if trial.contract.deterministic and trial.is_contiguous:
        yield from _compared(trial.outputs, trial.again(trial.inputs), trial.outputs)


def layout(trial: Trial) -> Iterator[str]:
    """Strided tensors give what contiguous ones give."""
    if not trial.is_contiguous:
        yield from _compared(trial.outputs, trial.again(trial.inputs), trial.judged_as(*_ONE_ANSWER))


def reversal(trial: Trial) -> Iterator[str]:
    """Elements in reverse order give results in reverse order."""
    if names := _place_free(trial):
        turned = trial.again({name: _flipped(array) for name, array in trial.inputs.items()})
        yield from _compared(trial.outputs, {name: _flipped(turned[name]) for name in names}, names)


def split(trial: Trial) -> Iterator[str]:
    """Two halves, computed one after the other, give the halves of the whole."""
    names = _place_free(trial)
    size = trial.outputs[names[0]].size if names else 0
    if size > 1:
        parts = [trial.again(_part(trial.inputs, cut), (cut.stop - cut.start,)) for cut in _halves(size)]
        joined = {name: np.concatenate([part[name] for part in parts]) for name in names}
        yield from _compared(trial.outputs, joined, names)


def scaling(trial: Trial) -> Iterator[str]:
    """Half of what a property calls linear gives half of every output."""
    for scales in _properties(trial, Scales):
        if trial.dtype(scales.input).is_float and all(_is_moderate(array) for array in trial.inputs.values()):
            halved = trial.again({**trial.inputs, scales.input: _half(trial.inputs[scales.input])})
            for name in trial.judged_as(*ComparisonClass):
                smallest, defined = smallest_normal(trial.dtype(name)), trial.defined(name)
                yield _unlike_half(name, trial.outputs[name], halved[name], smallest, defined)


def in_place(trial: Trial) -> Iterator[str]:
    """An output that is an input holds what an output of its own does."""
    for promise in _properties(trial, InPlace):
        output = trial.outputs[promise.output]
        for name in promise.inputs:
            if trial.inputs[name].shape == output.shape and trial.inputs[name].dtype == output.dtype:
                apart = trial.again(trial.inputs)
                together = trial.again(trial.inputs, aliases={promise.output: name})
                yield from _compared(apart, together, apart)


def zero_sum(trial: Trial) -> Iterator[str]:
    """Gradients of shares that sum to one sum to zero, as far as rounding lets them."""
    for promise in _properties(trial, SumsToZero):
        named, shares = trial.call.arguments[promise.axis], trial.inputs[promise.shares]
        axis = named.value if isinstance(named, Attribute) else None
        others = [array for name, array in trial.inputs.items() if name != promise.shares]
        if isinstance(axis, int) and shares.ndim and all(map(_is_moderate, others)):
            made = _simplex(trial, promise.shares, axis)
            outputs = trial.again({**trial.inputs, promise.shares: made})
            yield _unbalanced(trial, promise, outputs[promise.output], made, axis, others)


def _has_one_answer(contract: Contract) -> bool:
    return any(comparison in _ONE_ANSWER for comparison in contract.outputs.values())


def _promises(contract: Contract, kind: type[Property]) -> bool:
    return any(isinstance(promise, kind) for promise in contract.properties)


_APPLIES: Mapping[str, tuple[Relation, Callable[[Contract], bool]]] = {
    "repeat": (repeat, lambda contract: contract.deterministic),
    "layout": (layout, _has_one_answer),
    "reversal": (reversal, lambda contract: _promises(contract, Elementwise) and _has_one_answer(contract)),
    "split": (split, lambda contract: _promises(contract, Elementwise) and _has_one_answer(contract)),
    "scaling": (scaling, lambda contract: _promises(contract, Scales)),
    "in_place": (in_place, lambda contract: _promises(contract, InPlace)),
    "zero_sum": (zero_sum, lambda contract: _promises(contract, SumsToZero)),
}


def relations_of(contract: Contract) -> list[str]:
    """Names of the relations that the contract's classes and properties call for."""
    return [name for name, (_, applies) in _APPLIES.items() if applies(contract)]


def compare(name: str, trial: Trial) -> list[str]:
    """Every comparison of a relation: "" where it holds, otherwise what is wrong; none where it says nothing."""
    try:
        return list(_APPLIES[name][0](trial))
    except Refused as refusal:
        return [f"the call made the other way was {refusal}"]


def _compared(one: Elements, other: Elements, names: Iterable[str]) -> Iterator[str]:
    for name in names:
        found = difference(one[name], other[name])
        yield f"{name}: {found}" if found else ""


def _properties(trial: Trial, kind: type[_P]) -> Iterator[_P]:
    return (promise for promise in trial.contract.properties if isinstance(promise, kind))


def _place_free(trial: Trial) -> list[str]:
    """Outputs that can be computed element by element, in any order; none where shapes differ."""
    shapes = {array.shape for array in (*trial.inputs.values(), *trial.outputs.values())}
    alike = any(_properties(trial, Elementwise)) and len(shapes) == 1 and shapes != {()}
    return trial.judged_as(*_ONE_ANSWER) if alike else []


def _flipped(array: Array) -> Array:
    return array.reshape(-1)[::-1].reshape(array.shape)


def _halves(size: int) -> Sequence[slice]:
    return slice(0, size // 2), slice(size // 2, size)


def _part(inputs: Elements, cut: slice) -> Elements:
    return {name: array.reshape(-1)[cut] for name, array in inputs.items()}


def _half(array: Array) -> Array:
    half: Array = (array / array.dtype.type(2)).astype(array.dtype)
    return half


def _is_moderate(array: Array) -> bool:
    sizes = np.abs(array.astype(np.float64))
    return bool(((sizes == 0) | ((sizes >= _LOW) & (sizes <= _HIGH))).all())


def _unlike_half(name: str, whole: Array, halved: Array, smallest: float, defined: Array) -> str:
    """Looks only where the whole is defined and finite, and its half is far from underflow."""
    sizes = np.abs(whole.astype(np.float64))
    clear = defined & (sizes > _ROUNDINGS * smallest) & np.isfinite(sizes)
    found = difference(_half(whole)[clear], halved[clear])
    return f"{name}, of all that is not tiny: {found}" if found else ""


def _simplex(trial: Trial, name: str, axis: int) -> Array:
    array, dtype = trial.inputs[name], trial.dtype(name)
    random = np.random.Generator(np.random.PCG64(array.size))
    made: Array = fill("simplex", {"axis": axis}, 1, dtype, array.shape, array.size, random)
    return made.reshape(array.shape).astype(array.dtype)


def _unbalanced(
    trial: Trial, promise: SumsToZero, output: Array, shares: Array, axis: int, others: Sequence[Array]
) -> str:
    weights, result = shares.astype(np.float64), output.astype(np.float64)
    terms = np.abs(np.prod([weights, *others], axis=0, dtype=np.float64)).sum(axis, keepdims=True)
    excess = np.abs(1 - weights.sum(axis, keepdims=True))
    unit = max(trial.dtype(promise.output).unit, trial.dtype(promise.shares).unit)
    limit = terms * (excess + _ROUNDINGS * unit + result.shape[axis] * 2.0**-24)
    limit = limit + _ROUNDINGS * unit * np.abs(result).sum(axis, keepdims=True)
    limit = limit + result.shape[axis] * smallest_normal(trial.dtype(promise.output))
    worst = np.abs(result.sum(axis, keepdims=True)) - limit
    if (worst <= 0).all():
        return ""
    at = tuple(map(int, np.unravel_index(int(worst.argmax()), worst.shape)))
    return f"{promise.output} sums to {result.sum(axis, keepdims=True)[at]:g} at {list(at)}, not to 0"
