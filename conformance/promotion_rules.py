"""Rules about element types that may differ: promotion, casts to the output, mixed precision."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from msgspec.structs import replace

from conformance.call import Scalar
from conformance.constraint import (
    Facts,
    TensorChange,
    Violation,
    id_word,
    tensor_of,
    tensors_of,
    with_changes,
)
from conformance.dtype import DTYPES, DType
from conformance.dtype_rules import DTypeLists, another_float
from conformance.product import Product
from conformance.promotion import castable, promote

_ODD_TYPES = tuple(DTYPES[name] for name in ("uint16", "complex64", "float64", "int32", "bool"))
"""Tried in this order for a type that does not promote or cannot be cast."""
_SCALAR_TYPES = tuple(DTYPES[name] for name in ("float32", "complex64"))
"""Tried in this order for a scalar that cannot be cast: to an integer type, to a real one."""


@dataclass(frozen=True, slots=True)
class Promotes:
    """The tensors' types promote, ``into`` a listed type that can be cast to that of ``castable_to``."""

    parameters: tuple[str, ...]
    into: DTypeLists | None = None
    castable_to: str | None = None

    def check(self, facts: Facts, product: Product) -> str | None:
        """Names the pair that does not promote, or what is wrong with the promoted type."""
        tensors = list(tensors_of(facts, self.parameters))
        if not tensors:
            return None
        promoted = tensors[0][1].dtype
        for name, tensor in tensors[1:]:
            result = promote(promoted, tensor.dtype)
            if result is None:
                return f"{name} of dtype {tensor.dtype} does not promote with {promoted}"
            promoted = result
        return self._fault(promoted, facts, product)

    def _fault(self, promoted: DType, facts: Facts, product: Product) -> str | None:
        names = ", ".join(self.parameters)
        if self.into is not None and promoted not in self.into.of(product):
            return f"{names} promote to {promoted}, which is not supported"
        target = tensor_of(facts, self.castable_to) if self.castable_to is not None else None
        if target is not None and not castable(promoted, target.dtype):
            return f"{names} promote to {promoted}, which cannot be cast to {self.castable_to} of {target.dtype}"
        return None

    def violations(self, facts: Facts, product: Product) -> Iterator[Violation]:
        """Up to two types for the last tensor that break the rule; none where every pair is fine."""
        return _breaking(self, self.parameters[-1], facts, product)


@dataclass(frozen=True, slots=True)
class PromotesTo:
    """The output has the type that the tensors' types promote to."""

    parameters: tuple[str, ...]
    output: str

    def check(self, facts: Facts, product: Product) -> str | None:
        """Names the promoted type and the output's; silent where the tensors do not promote."""
        output, promoted = tensor_of(facts, self.output), _promoted(facts, self.parameters)
        if output is None or promoted is None or output.dtype == promoted:
            return None
        names = ", ".join(self.parameters)
        return f"{names} promote to {promoted}, so {self.output} must have it, not {output.dtype}"

    def violations(self, facts: Facts, product: Product) -> Iterator[Violation]:
        """float32 or float16 for the output, and for the last tensor float32 into an output of float16."""
        output, last = tensor_of(facts, self.output), tensor_of(facts, self.parameters[-1])
        if output is None or last is None:
            return
        other = another_float(output.dtype)
        yield Violation(f"{id_word(self.output)}_{other.word}", {self.output: TensorChange(dtype=other)})
        narrow, wide = DTYPES["float16"], DTYPES["float32"]
        changes = {name: TensorChange(dtype=narrow) for name in (*self.parameters[:-1], self.output)}
        word = f"{id_word(self.parameters[-1])}_{wide.word}_into_{narrow.word}"
        yield Violation(word, {**changes, self.parameters[-1]: TensorChange(dtype=wide)})


@dataclass(frozen=True, slots=True)
class Castable:
    """The type of ``source`` can be cast to the type of ``target``."""

    source: str
    target: str

    def check(self, facts: Facts, product: Product) -> str | None:
        """Names both types when the cast is not allowed."""
        source, target = tensor_of(facts, self.source), tensor_of(facts, self.target)
        if source is None or target is None or castable(source.dtype, target.dtype):
            return None
        return f"{self.source} of dtype {source.dtype} cannot be cast to {self.target} of dtype {target.dtype}"

    def violations(self, facts: Facts, product: Product) -> Iterator[Violation]:
        """Up to two types of the target that nothing may be cast to from the source's."""
        return _breaking(self, self.target, facts, product)


@dataclass(frozen=True, slots=True)
class ScalarCastable:
    """The type of an ``aclScalar`` can be cast to the one that the tensors promote to."""

    scalar: str
    tensors: tuple[str, ...]

    def check(self, facts: Facts, product: Product) -> str | None:
        """Names both types; silent where the tensors do not promote."""
        scalar, promoted = facts.get(self.scalar), _promoted(facts, self.tensors)
        if not isinstance(scalar, Scalar) or promoted is None or castable(scalar.dtype, promoted):
            return None
        names = ", ".join(self.tensors)
        return f"{self.scalar} of dtype {scalar.dtype} cannot be cast to {promoted}, to which {names} promote"

    def violations(self, facts: Facts, product: Product) -> Iterator[Violation]:
        """The same value in a type of a higher kind than the tensors'."""
        scalar = facts.get(self.scalar)
        for dtype in _SCALAR_TYPES if isinstance(scalar, Scalar) else ():
            assert isinstance(scalar, Scalar)
            changed = replace(scalar, dtype=dtype)
            if self.check({**facts, self.scalar: changed}, product) is not None:
                yield Violation(f"{id_word(self.scalar)}_{dtype.word}", {self.scalar: changed})


@dataclass(frozen=True, slots=True)
class MixedPrecision:
    """Inputs of different types give an output of type ``wide``, inputs of one type one of that type."""

    parameters: tuple[str, ...]
    output: str
    wide: DType

    def check(self, facts: Facts, product: Product) -> str | None:
        """Names the output's type and the one it should have."""
        output = tensor_of(facts, self.output)
        dtypes = dict.fromkeys(tensor.dtype for _, tensor in tensors_of(facts, self.parameters))
        if output is None or not dtypes:
            return None
        wanted = self.wide if len(dtypes) > 1 else next(iter(dtypes))
        if output.dtype == wanted:
            return None
        inputs = f"{', '.join(self.parameters)} have dtype {', '.join(map(str, dtypes))}"
        return f"{inputs}, so {self.output} must have {wanted}, not {output.dtype}"

    def violations(self, facts: Facts, product: Product) -> Iterator[Violation]:
        """Inputs alike with another output, and mixed inputs with an output that is not wide."""
        output, mixed = tensor_of(facts, self.output), tensor_of(facts, self.parameters[-1])
        if output is None or mixed is None:
            return
        other, narrow = another_float(output.dtype), another_float(self.wide)
        yield Violation(f"{id_word(self.output)}_{other.word}", {self.output: TensorChange(dtype=other)})
        changed = another_float(mixed.dtype)
        changes = {self.parameters[-1]: TensorChange(dtype=changed), self.output: TensorChange(dtype=narrow)}
        yield Violation(f"{id_word(self.parameters[-1])}_{changed.word}_into_{narrow.word}", changes)


def _breaking(rule: Promotes | Castable, name: str, facts: Facts, product: Product) -> Iterator[Violation]:
    changes = ((dtype, {name: TensorChange(dtype=dtype)}) for dtype in _ODD_TYPES)
    breaking = (
        Violation(f"{id_word(name)}_{dtype.word}", change)
        for dtype, change in changes
        if rule.check(with_changes(facts, change), product) is not None
    )
    return islice(breaking, 2)


def _promoted(facts: Facts, names: tuple[str, ...]) -> DType | None:
    """Type that the tensors promote to; None where they do not, and without tensors."""
    dtypes = [tensor.dtype for _, tensor in tensors_of(facts, names)]
    promoted: DType | None = dtypes[0] if dtypes else None
    for dtype in dtypes[1:]:
        promoted = promoted and promote(promoted, dtype)
    return promoted
