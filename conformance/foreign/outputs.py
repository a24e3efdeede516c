"""Where a file gives inputs alone, the outputs of a call are the first that the contract admits, likeliest first."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice, product
from typing import Any, cast

from conformance.case import ArgumentSpec, TensorSpec
from conformance.conditional_rules import Given
from conformance.constraint import EmptyExit
from conformance.contract import Basis, Constraint, Contract
from conformance.dtype import DTYPES, DType
from conformance.foreign.bind import Unbound
from conformance.pointer_rules import NotNull
from conformance.product import Product
from conformance.promotion import promote
from conformance.rule_kinds import parameters_of
from conformance.signature import OUT_POINTERS, ParameterKind, Role
from conformance.tensor import Shape, contiguous_strides

_USUAL = tuple(
    DTYPES[name]
    for name in (
        *("float32", "float16", "bfloat16", "int8", "int32", "int64", "bool", "uint8"),
        *("float8_e5m2", "float8_e4m3fn", "hifloat8"),
    )
)
_TRIES = 4096
_Arguments = Mapping[str, ArgumentSpec]


@dataclass(frozen=True, slots=True)
class _Search:
    """What outputs of one call have to keep: its constraints on a product, and what is given."""

    constraints: tuple[Constraint, ...]
    given: _Arguments
    outputs: tuple[str, ...]
    on: Product

    def breach(self, made: _Arguments) -> str | None:
        """What is wrong with a call; None where nothing is, or where it ends early as empty."""
        for constraint in self.constraints:
            if isinstance(constraint.rule, EmptyExit):
                if constraint.rule.is_empty(made):
                    return None
                continue
            message = constraint.rule.check(made, self.on)
            if message is not None:
                return message
        return None

    def without_outputs(self) -> str | None:
        """What is wrong whatever the outputs are: rules are silent about null but for those that forbid it."""
        named = [c for c in self.constraints if not isinstance(c.rule, (NotNull, Given)) or self._settles(c.rule)]
        return replace(self, constraints=tuple(named)).breach({**dict.fromkeys(self.outputs), **self.given})

    def _settles(self, rule: Any) -> bool:
        return not _named(rule) & set(self.outputs)

    def combinations(self) -> Iterator[tuple[TensorSpec, ...]]:
        """Outputs in prototype order, likeliest first; beyond the first one only what breaks no rule alone."""
        inputs = [argument for argument in self.given.values() if isinstance(argument, TensorSpec)]
        candidates = [_dense(dtype, shape) for shape in _shapes(inputs) for dtype in _dtypes(inputs)]
        yield (candidates[0],) * len(self.outputs)
        yield from islice(product(*(self._admitted(name, candidates) for name in self.outputs)), _TRIES)

    def _admitted(self, output: str, candidates: list[TensorSpec]) -> list[TensorSpec]:
        known = {*self.given, output}
        rules = [c.rule for c in self.constraints if output in _named(cast(Hashable, c.rule)) <= known]
        fit = [t for t in candidates if all(rule.check({**self.given, output: t}, self.on) is None for rule in rules)]
        return fit or candidates[:1]


def complete(contract: Contract, given: _Arguments, on: Product) -> dict[str, ArgumentSpec]:
    """The given arguments and outputs beside them, in prototype order; raises Unbound where the call is not legal.

    Outputs that document and implementation both take come before those that only the document admits.
    """
    outputs = [p for p in contract.parameters if p.role is Role.OUTPUT]
    if any(p.kind is not ParameterKind.TENSOR for p in outputs):
        raise Unbound(f"{contract.api} writes lists of tensors, which cases cannot give yet")
    names = tuple(p.name for p in outputs)
    stated = tuple(contract.enforced(on, without=Basis.IMPLEMENTATION))
    document = _Search(stated, given, names, on)
    refusal = document.without_outputs()
    if refusal is not None:
        raise Unbound(f"the document admits no such call on {on}: {refusal}")
    every = replace(document, constraints=_without_exits(contract, on))
    for search in (every, document) if every.without_outputs() is None else (document,):
        for chosen in search.combinations():
            made = {**given, **dict(zip(names, chosen, strict=True))}
            refusal = search.breach(made)
            if refusal is None:
                return {p.name: made[p.name] for p in contract.parameters}
    raise Unbound(f"no outputs are found that fit these inputs on {on}: {refusal}")


def _without_exits(contract: Contract, on: Product) -> tuple[Constraint, ...]:
    """What document and implementation state, as if empty tensors had to keep it too."""
    return tuple(c for c in contract.constraints if c.applies_to(on) and not isinstance(c.rule, EmptyExit))


@cache
def _named(rule: Any) -> frozenset[str]:
    return frozenset(parameters_of(rule)) - set(OUT_POINTERS)


def _dense(dtype: DType, shape: Shape) -> TensorSpec:
    return TensorSpec(dtype, shape, contiguous_strides(shape), 0, shape)


def _dtypes(inputs: list[TensorSpec]) -> list[DType]:
    """Types an output may have: what the inputs promote to, their own, and the usual ones."""
    promoted: DType | None = inputs[0].dtype if inputs else None
    for tensor in inputs[1:]:
        promoted = promote(promoted, tensor.dtype) if promoted is not None else None
    first = [promoted] if promoted is not None else []
    return list(dict.fromkeys([*first, *(tensor.dtype for tensor in inputs), *_USUAL]))


def _shapes(inputs: list[TensorSpec]) -> list[Shape]:
    """Shapes an output may have: broadcast, those of inputs, and these with one axis halved, doubled or gone."""
    shapes = list(dict.fromkeys(tensor.shape for tensor in inputs)) or [()]
    return list(dict.fromkeys([*_broadcast(shapes), *shapes, *(other for shape in shapes for other in _near(shape))]))


def _broadcast(shapes: list[Shape]) -> list[Shape]:
    rank = max(len(shape) for shape in shapes)
    padded = [(1,) * (rank - len(shape)) + shape for shape in shapes]
    sizes = [{size for size in axis if size != 1} for axis in zip(*padded, strict=True)]
    return [] if any(len(axis) > 1 for axis in sizes) else [tuple(min(axis, default=1) for axis in sizes)]


def _near(shape: Shape) -> Iterator[Shape]:
    for axis in reversed(range(len(shape))):
        before, size, after = shape[:axis], shape[axis], shape[axis + 1 :]
        if size % 2 == 0:
            yield (*before, size // 2, *after)
        yield (*before, 2 * size, *after)
        yield (*before, *after)
        yield (*before, 1, *after)
    yield ()
