"""Which cells a case covers: what its tensors are, what is in them, and how the call is made."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise
from math import prod

import numpy as np

from conformance.call import Action, Step
from conformance.case import Case, Expectation, Refusal, Success, TensorSpec, Unspecified, ValueSpec
from conformance.cells import BREAKS, EXITS, KEEPS, PROTOCOL, REFUSAL, Cell, sides_of
from conformance.dtype import DTYPES, DType, largest, smallest_normal
from conformance.product import PRODUCTS
from conformance.rounding import rounded
from conformance.signature import Role
from conformance.tensor import Shape
from conformance.values import fill

_FIXED = frozenset({"list", "constant", "cycle", "ladder", "specials"})
"""Kinds of values that do not depend on random numbers: only they hold a special value on purpose."""
_MOST_LOOKED_AT = 4096


def covered_cells(case: Case) -> Iterator[Cell]:
    """Cells that a case covers by itself, some more than once.

    Tensors count where something is computed from them: not in refused calls, and not where no output is written.
    """
    tensors = [(name, spec) for name, spec in case.arguments.items() if isinstance(spec, TensorSpec)]
    if not isinstance(case.expectation, Refusal):
        yield from (Cell("empty", (name,)) for name, spec in tensors if prod(spec.shape) == 0)
        yield from (Cell("protocol", (word,)) for word in _protocol(case))
    if _computes(case):
        for name, spec in tensors:
            yield from _of_tensor(name, spec, case)
    yield from _sides(case)


def kept_by(case: Case, cases: Iterable[Case]) -> Iterator[Cell]:
    """What a case covers as the control of refusals among ``cases`` of its file: the constraints they break."""
    for other in cases:
        if other.control == case.group and other.path == case.path:
            yield from (Cell(REFUSAL, (label, KEEPS), name) for label in other.exercises for name in case.products)


def _of_tensor(name: str, spec: TensorSpec, case: Case) -> Iterator[Cell]:
    for product in case.products:
        yield Cell("dtype", (name, spec.dtype.name), product)
    yield Cell("rank", (name, str(len(spec.shape))))
    yield from (Cell("layout", (name, kind)) for kind in layouts_of(spec))
    if case.contract.parameter(name).role is not Role.OUTPUT:
        yield from (Cell("special", (name, spec.dtype.name, word)) for word in specials_in(spec))


def _computes(case: Case) -> bool:
    """Whether some element of an output is compared, or two answers to one call are told apart."""
    expectation = case.expectation
    if isinstance(expectation, Success):
        written = {p.name for p in case.contract.tensors if p.is_written} - expectation.untouched
        outputs = [case.arguments.get(name) for name in written]
        return any(isinstance(spec, TensorSpec) and prod(spec.shape) > 0 for spec in outputs)
    return isinstance(expectation, Unspecified) and not isinstance(expectation.document, Refusal)


def layouts_of(spec: TensorSpec) -> list[str]:
    """Words for how a tensor lies in memory; axes of one element say nothing."""
    if spec.is_contiguous:
        return ["contiguous"]
    axes = [(stride, extent) for stride, extent in zip(spec.strides, spec.shape, strict=True) if extent > 1]
    strides = [stride for stride, _ in axes if stride]
    kinds = {
        "offset": spec.offset > 0,
        "permuted": strides != sorted(strides, reverse=True),
        "gaps": _has_gaps(axes),
        "expanded": len(strides) < len(axes),
    }
    return [kind for kind, holds in kinds.items() if holds]


def _has_gaps(axes: list[tuple[int, int]]) -> bool:
    reach = 1
    for stride, extent in sorted(axis for axis in axes if axis[0]):
        if stride > reach:
            return True
        reach = stride * extent
    return False


def specials_in(spec: TensorSpec) -> frozenset[str]:
    """Words of the special values among the elements of an input."""
    values = spec.values
    if values is None or values.kind not in _FIXED or spec.dtype.carrier is None:
        return frozenset()
    return _specials(values.kind, json.dumps(values.argument), values.each, spec.dtype.name, spec.distinct_shape)


@cache
def _specials(kind: str, argument: str, each: int, dtype_name: str, shape: Shape) -> frozenset[str]:
    dtype, values = DTYPES[dtype_name], ValueSpec(kind, json.loads(argument), each)
    whole = prod(shape)
    count = whole if kind == "list" else min(whole, _MOST_LOOKED_AT * each)
    random = np.random.Generator(np.random.PCG64(0))
    numbers = fill(values.kind, values.argument, values.each, dtype, shape, count, random)
    return frozenset(word for word, holds in _holds(numbers.tolist(), dtype).items() if holds)


def _holds(numbers: list[float], dtype: DType) -> dict[str, bool]:
    with np.errstate(all="ignore"):
        held = np.array(numbers)
        elements = rounded(held.astype(np.float64), dtype) if dtype.codes is not None else held.astype(dtype.numpy)
    if dtype.is_integer:
        limits = np.iinfo(elements.dtype)
        ends = {"smallest": limits.min, "largest": limits.max}
        return {"zero": bool((elements == 0).any()), **{w: bool((elements == end).any()) for w, end in ends.items()}}
    if not dtype.is_float:
        return {}
    sizes = np.abs(elements.astype(np.float64))
    return {
        "nan": bool(np.isnan(sizes).any()),
        "inf": bool(np.isinf(sizes).any()),
        "zero": bool((sizes == 0).any()),
        "subnormal": bool(((sizes > 0) & (sizes < smallest_normal(dtype))).any()),
        "largest": bool((sizes == largest(dtype)).any()),
    }


def _protocol(case: Case) -> Iterator[str]:
    """Words of ``PROTOCOL`` that a case is about."""
    steps = case.steps
    runs = [step for step in steps if step.action is Action.RUN]
    asked = [step for step in steps if step.action is Action.WORKSPACE]
    good = [not step.nulls for step in asked]
    holds = (
        len(runs) > 1 and len(asked) > 1,
        any(step.action is Action.REPEATABLE for step in steps),
        any(step.action is Action.MOVE for step in steps),
        any(step.stream for step in runs),
        any(step.short for step in runs),
        any("executor" in step.nulls for step in runs),
        any("workspace" in step.nulls for step in runs),
        any(not first and later for first, later in pairwise(good)),
        _asked_twice(steps),
        bool(case.after),
        case.repeat > 1,
    )
    yield from (word for word, one in zip(PROTOCOL, holds, strict=True) if one)


def _asked_twice(steps: tuple[Step, ...]) -> bool:
    """Whether phase 1 succeeds twice with no phase 2 in between."""
    return any(
        first.action is later.action is Action.WORKSPACE and not first.nulls | later.nulls
        for first, later in pairwise(steps)
    )


def _sides(case: Case) -> Iterator[Cell]:
    """Sides of the constraints that a case names; a refused one breaks a constraint where its rule says so."""
    sides = _sides_of(case.expectation)
    for constraint in case.contract.constraints:
        if constraint.label not in case.exercises:
            continue
        taken = {EXITS} if sides_of(constraint) == (EXITS,) else sides
        for name in sorted(case.products):
            if not isinstance(case.expectation, Refusal) or constraint.rule.check(case.facts, PRODUCTS[name]):
                yield from (Cell(REFUSAL, (constraint.label, side), name) for side in taken)


def _sides_of(expectation: Expectation) -> set[str]:
    """A call with a refused step on the way to success stands on both sides."""
    if isinstance(expectation, Success):
        return {KEEPS, BREAKS} if any(expectation.statuses) else {KEEPS}
    return {BREAKS}
