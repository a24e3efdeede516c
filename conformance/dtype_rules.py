"""Rules about the element types of tensors and scalars, each tensor by itself or all alike."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from conformance.call import Attribute, Scalar
from conformance.constraint import (
    Facts,
    TensorChange,
    Violation,
    beside_first,
    id_word,
    spread,
    tensor_of,
    tensors_of,
)
from conformance.dtype import DTYPES, DType
from conformance.product import Product

_EVERYWHERE = "*"
_REPRESENTATIVES = tuple(
    DTYPES[name] for name in ("float64", "int32", "int64", "complex64", "bool", "float32", "uint16", "uint32")
)
"""Tried in this order for a dtype that a list leaves out."""

_QUANTISED = ("int8", "float8_e4m3fn", "float8_e5m2")
"""Tried in this order for the number of another type than a tensor's."""


@dataclass(frozen=True, slots=True)
class DTypeLists:
    """Element types a product takes: one list for every product, and lists that replace it on single ones."""

    everywhere: tuple[DType, ...]
    by_product: Mapping[str, tuple[DType, ...]] = field(default_factory=dict, hash=False)

    @classmethod
    def read(cls, document: Sequence[str] | Mapping[str, Sequence[str]]) -> DTypeLists:
        """From a list of names, or a map of product name to such lists with ``*`` for all other products."""
        by_name = document if isinstance(document, Mapping) else {_EVERYWHERE: document}
        lists = {name: tuple(DTYPES[dtype] for dtype in dtypes) for name, dtypes in by_name.items()}
        return cls(lists.pop(_EVERYWHERE), lists)

    def of(self, product: Product) -> tuple[DType, ...]:
        """Types that ``product`` takes."""
        return self.by_product.get(product.name, self.everywhere)

    def only_elsewhere(self, product: Product) -> list[DType]:
        """Types that some product takes and ``product`` does not."""
        declared = [*self.everywhere, *(dtype for dtypes in self.by_product.values() for dtype in dtypes)]
        return [dtype for dtype in dict.fromkeys(declared) if dtype not in self.of(product)]

    def undeclared(self, product: Product, count: int) -> list[DType]:
        """``count`` common types that no product takes, or fewer."""
        refused = [dtype for dtype in _REPRESENTATIVES if dtype not in self.of(product)]
        return [dtype for dtype in refused if dtype not in self.only_elsewhere(product)][:count]


@dataclass(frozen=True, slots=True)
class DTypeIn:
    """Every tensor has a listed element type; ``together``: an earlier rule wants the tensors alike."""

    parameters: tuple[str, ...]
    dtypes: DTypeLists
    together: bool = False

    def check(self, facts: Facts, product: Product) -> str | None:
        """Names the first tensor of another type."""
        allowed = self.dtypes.of(product)
        for name, tensor in tensors_of(facts, self.parameters):
            if tensor.dtype not in allowed:
                return f"{name} has dtype {tensor.dtype}, which is not one of {_listed(allowed)}"
        return None

    def violations(self, facts: Facts, product: Product) -> Iterator[Violation]:
        """A type that is not listed, those that only other products take; one more for all at once."""
        undeclared = self.dtypes.undeclared(product, 2)
        for dtype in (*undeclared[:1], *self.dtypes.only_elsewhere(product)):
            yield from _all_of(dtype, facts, self.parameters, self.together)
        for dtype in undeclared[1:]:
            yield from _all_of(dtype, facts, self.parameters, together=True)


@dataclass(frozen=True, slots=True)
class DTypeNotIn:
    """No tensor has one of the listed types: a gate beside a longer list, as for one type on one product."""

    parameters: tuple[str, ...]
    dtypes: DTypeLists
    together: bool = False

    def check(self, facts: Facts, product: Product) -> str | None:
        """Names the first tensor of a listed type."""
        for name, tensor in tensors_of(facts, self.parameters):
            if tensor.dtype in self.dtypes.of(product):
                return f"{name} has dtype {tensor.dtype}, which {product} does not take"
        return None

    def violations(self, facts: Facts, product: Product) -> Iterator[Violation]:
        """Each listed type."""
        for dtype in self.dtypes.of(product):
            yield from _all_of(dtype, facts, self.parameters, self.together)


@dataclass(frozen=True, slots=True)
class DTypeNumber:
    """An integer is the ``aclDataType`` number of a tensor's element type."""

    attribute: str
    tensor: str

    def check(self, facts: Facts, product: Product) -> str | None:
        """Names both numbers."""
        fact, tensor = facts.get(self.attribute), tensor_of(facts, self.tensor)
        if not isinstance(fact, Attribute) or tensor is None or fact.value == tensor.dtype.acl:
            return None
        return f"{self.attribute} is {fact.value}, {self.tensor} has dtype {tensor.dtype}, which is {tensor.dtype.acl}"

    def violations(self, facts: Facts, product: Product) -> Iterator[Violation]:
        """The numbers of two other quantised types."""
        fact, tensor = facts.get(self.attribute), tensor_of(facts, self.tensor)
        if not isinstance(fact, Attribute) or tensor is None:
            return
        others = [dtype for dtype in map(DTYPES.__getitem__, _QUANTISED) if dtype != tensor.dtype]
        for other in others[:2]:
            yield Violation(f"{id_word(self.attribute)}_{other.word}", {self.attribute: replace(fact, value=other.acl)})


@dataclass(frozen=True, slots=True)
class SameDType:
    """All tensors have the first one's element type."""

    parameters: tuple[str, ...]

    def check(self, facts: Facts, product: Product) -> str | None:
        """Names the first tensor that differs from the first."""
        for first, model, name, tensor in beside_first(facts, self.parameters):
            if tensor.dtype != model.dtype:
                return f"{name} has dtype {tensor.dtype}, {first} has {model.dtype}"
        return None

    def violations(self, facts: Facts, product: Product) -> Iterator[Violation]:
        """float32 or float16 for each tensor but the first."""
        for name in self.parameters[1:]:
            if (tensor := tensor_of(facts, name)) is not None:
                other = another_float(tensor.dtype)
                yield Violation(f"{id_word(name)}_{other.word}", {name: TensorChange(dtype=other)})


@dataclass(frozen=True, slots=True)
class ScalarDTypeIn:
    """Every ``aclScalar`` is stored in one of the listed types."""

    parameters: tuple[str, ...]
    dtypes: DTypeLists

    def check(self, facts: Facts, product: Product) -> str | None:
        """Names the first scalar of another type."""
        allowed = self.dtypes.of(product)
        for name in self.parameters:
            scalar = facts.get(name)
            if isinstance(scalar, Scalar) and scalar.dtype not in allowed:
                return f"{name} has dtype {scalar.dtype}, which is not one of {_listed(allowed)}"
        return None

    def violations(self, facts: Facts, product: Product) -> Iterator[Violation]:
        """The same value in one common type that is not listed."""
        for name in self.parameters:
            scalar = facts.get(name)
            if isinstance(scalar, Scalar):
                for dtype in self.dtypes.undeclared(product, 1):
                    yield Violation(f"{id_word(name)}_{dtype.word}", {name: replace(scalar, dtype=dtype)})


def another_float(dtype: DType) -> DType:
    """float16 for float32 and float32 for everything else: types that nearly every API declares."""
    return DTYPES["float16" if dtype.name == "float32" else "float32"]


def _all_of(dtype: DType, facts: Facts, names: Iterable[str], together: bool) -> Iterator[Violation]:
    return spread(facts, names, dtype.word, lambda _: TensorChange(dtype=dtype), together=together)


def _listed(dtypes: Iterable[DType]) -> str:
    return ", ".join(dtype.name for dtype in dtypes)
