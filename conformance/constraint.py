"""What a rule is, what it looks at, and how one way to break it is written down.

``check`` says what is wrong with a call, ``violations`` how to break the rule minimally; host checks of the
simulator, refusal cases and the coverage list all use this one home. The kinds stand by subject in the
modules ``*_rules``; ``rule_kinds`` lists them. A rule that meets a null tensor is silent: ``not_null``
speaks for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from math import prod
from typing import Protocol

from conformance.call import Attribute, Scalar
from conformance.dtype import DType
from conformance.product import Product
from conformance.signature import snake_name
from conformance.tensor import Format, Shape


class TensorFacts(Protocol):
    """What rules look at in a tensor, made or only specified."""

    @property
    def dtype(self) -> DType:
        """Element type."""
        ...

    @property
    def shape(self) -> Shape:
        """View shape."""
        ...

    @property
    def format(self) -> Format:
        """Storage format."""
        ...


Fact = TensorFacts | Scalar | Attribute | tuple[TensorFacts | None, ...] | None
Facts = Mapping[str, Fact]
"""Parameter name → what is passed; None is a null pointer. ``workspaceSize``, ``executor`` only when null."""


@dataclass(frozen=True, slots=True)
class TensorChange:
    """Replacement of a tensor's dtype, shape or format; None keeps what is there."""

    dtype: DType | None = None
    shape: Shape | None = None
    format: Format | None = None


@dataclass(frozen=True, slots=True)
class TensorOutline:
    """Dtype, shape and format alone: the facts of a tensor that nobody has made."""

    dtype: DType
    shape: Shape
    format: Format = Format.ND


Change = TensorChange | Attribute | Scalar | None
"""None passes a null pointer."""


@dataclass(frozen=True, slots=True)
class Violation:
    """One minimal way to break a rule: a word for ids (``[a-z0-9_]+``) and the arguments to change.

    The same word stands for the same changes on every product.
    """

    name: str
    changes: Mapping[str, Change]


class Rule(Protocol):
    """One kind of constraint with its parameters filled in.

    Fields of type ``str`` or ``tuple[str, ...]`` name parameters of the API; all else has a type of its own.
    """

    def check(self, facts: Facts, product: Product) -> str | None:
        """What is wrong, as one clause naming parameters and values; None when nothing is."""
        ...

    def violations(self, facts: Facts, product: Product) -> Iterator[Violation]:
        """Minimal changes to legal ``facts`` that break this rule, each on its own."""
        ...


class Quantifier(Enum):
    """How many of the tensors have to be empty."""

    ANY = "any"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class EmptyExit:
    """Early success, outputs untouched, when any or all of the tensors have no elements. Refuses nothing."""

    parameters: tuple[str, ...]
    when: Quantifier = Quantifier.ANY

    def is_empty(self, facts: Facts) -> bool:
        """Whether a call of these facts leaves here; null pointers are not empty tensors."""
        empty = [tensor_size(tensor) == 0 for _, tensor in tensors_of(facts, self.parameters)]
        return any(empty) if self.when is Quantifier.ANY else bool(empty) and all(empty)

    def check(self, facts: Facts, product: Product) -> None:
        """Nothing is ever wrong."""

    def violations(self, facts: Facts, product: Product) -> Iterator[Violation]:
        """None: it cannot be broken."""
        return iter(())


_NO_TENSORS = (Scalar, Attribute)
_NO_TENSOR = (Scalar, Attribute, tuple)


def tensor_of(facts: Facts, name: str) -> TensorFacts | None:
    """Tensor passed for ``name``; None for a null pointer and for anything that is not a tensor."""
    fact = facts.get(name)
    return None if isinstance(fact, _NO_TENSOR) else fact


def tensors_of(facts: Facts, names: Iterable[str]) -> Iterator[tuple[str, TensorFacts]]:
    """Named tensors that are not null, in order; elements of a tensor list are called ``name[0]``, …."""
    for name in names:
        fact = facts.get(name)
        if isinstance(fact, tuple):
            yield from ((f"{name}[{i}]", tensor) for i, tensor in enumerate(fact) if tensor is not None)
        elif fact is not None and not isinstance(fact, _NO_TENSORS):
            yield name, fact


def beside_first(facts: Facts, names: Iterable[str]) -> Iterator[tuple[str, TensorFacts, str, TensorFacts]]:
    """First tensor that is not null, by name, with each later one: what "all alike" compares."""
    tensors = list(tensors_of(facts, names))
    return ((*tensors[0], *other) for other in tensors[1:])


def tensor_size(tensor: TensorFacts) -> int:
    """Number of elements."""
    return prod(tensor.shape)


def with_changes(facts: Facts, changes: Mapping[str, Change]) -> Facts:
    """Facts of the call that a violation makes out of a legal one."""
    changed = dict(facts)
    for name, change in changes.items():
        if not isinstance(change, TensorChange):
            changed[name] = change
        elif (tensor := tensor_of(facts, name)) is not None:
            changed[name] = TensorOutline(
                tensor.dtype if change.dtype is None else change.dtype,
                tensor.shape if change.shape is None else change.shape,
                tensor.format if change.format is None else change.format,
            )
    return changed


def spread(
    facts: Facts,
    names: Iterable[str],
    word: str,
    change_of: Callable[[TensorFacts], TensorChange | None],
    *,
    together: bool = False,
) -> Iterator[Violation]:
    """The same change made to each tensor alone (``self_<word>``) and to all at once (``all_<word>``).

    ``together`` leaves out the single ones: they would break an earlier rule that wants these tensors alike.
    """
    tensors = [(name, tensor) for name in names if (tensor := tensor_of(facts, name)) is not None]
    changes = {name: change for name, tensor in tensors if (change := change_of(tensor)) is not None}
    if not together or len(changes) == 1:
        yield from (Violation(f"{id_word(name)}_{word}", {name: change}) for name, change in changes.items())
    if len(changes) > 1:
        yield Violation(f"all_{word}", changes)


def id_word(parameter: str) -> str:
    """Parameter name as ids spell it: ``gradOutput`` → ``grad_output``."""
    return snake_name(parameter)
