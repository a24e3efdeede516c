"""Nouns of the case data: argument specifications, expectations, groups, files and cases."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from msgspec import Struct, structs

from conformance.call import Action, Argument, Attribute, Scalar, Step
from conformance.card import DEFAULT
from conformance.constraint import Facts
from conformance.contract import Contract
from conformance.dtype import DType
from conformance.errors import Location
from conformance.json_text import place_of
from conformance.outcome import Phase
from conformance.tensor import Format, Shape, contiguous_strides, distinct_shape

ELEMENT_CAP, HUGE_CAP = 1 << 28, 1 << 32
"""Most elements a storage may have: 2^28, 1 GiB of float32; of a case in the huge tier 2^32."""


class ValueSpec(Struct, frozen=True):
    """How a tensor is filled: one of the kinds of ``generate``, its argument, and how often each value repeats."""

    kind: str
    argument: Any
    each: int = 1


class TensorSpec(Struct, frozen=True):
    """A tensor as a case asks for it; strides and offset in elements. ``alias`` names the argument it shares."""

    dtype: DType
    shape: Shape
    strides: Shape
    offset: int
    storage_shape: Shape
    format: Format = Format.ND
    values: ValueSpec | None = None
    alias: str | None = None

    @property
    def is_contiguous(self) -> bool:
        """Whether the view is dense, in row-major order and fills its storage from offset 0."""
        return self.offset == 0 and self.strides == contiguous_strides(self.shape) and self.storage_shape == self.shape

    @property
    def distinct_shape(self) -> Shape:
        """Shape with every axis of stride 0 as 1: the elements that values are drawn for."""
        return distinct_shape(self.shape, self.strides)


ArgumentSpec = TensorSpec | Scalar | Attribute | None
"""None is a null pointer."""


@dataclass(frozen=True, slots=True)
class Success:
    """Every step returns the status listed (all zero by default) and the outputs match the golden.

    ``workspace`` is the size in bytes that phase 1 must ask for. ``outputs`` states literal values that the document
    gives, flat in row-major order. ``degenerate`` lists outputs whose golden is all zero or all NaN on purpose,
    ``untouched`` those that the call must not write, ``unlike`` those that may not hold the very bits that the call
    just before wrote.
    """

    statuses: tuple[int, ...] = ()
    workspace: int | None = None
    outputs: Mapping[str, tuple[float, ...]] | None = None
    degenerate: frozenset[str] = frozenset()
    untouched: frozenset[str] = frozenset()
    unlike: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Refusal:
    """The first step that does not succeed is in this phase and returns this status."""

    phase: Phase
    status: int


@dataclass(frozen=True, slots=True)
class Unspecified:
    """Document and implementation disagree, or the document is silent: both answers are recorded, neither fails.

    ``crash`` says that nothing at all is defined: then a crash, a hang and damaged memory are answers too.
    """

    reason: str
    document: Success | Refusal | None = None
    implementation: Success | Refusal | None = None
    crash: bool = False


Expectation = Success | Refusal | Unspecified


@dataclass(frozen=True, slots=True)
class Source:
    """A data file and its text, in which places are found."""

    path: Path
    text: str


@dataclass(frozen=True, slots=True)
class Group:
    """One group as written, after schema validation; ``body`` is its JSON, ``pointer`` where it stands.

    ``template`` is the file it stands in when that is not the case file itself.
    """

    name: str
    body: Mapping[str, Any]
    pointer: str
    template: Source | None = None


@dataclass(frozen=True, slots=True)
class CaseFile:
    """One case file: its path, text (for error lines), contract, axis sets and groups."""

    path: Path
    text: str
    contract: Contract
    sets: Mapping[str, list[Any]]
    groups: tuple[Group, ...]

    @property
    def subject(self) -> str:
        """What the file is about, from its name: ``broadcast``."""
        return self.path.stem

    def place(self, group: Group, pointer: str = "") -> Location:
        """Where a value of a group stands, or the nearest that holds it: what a group inherits stands elsewhere."""
        source = group.template or Source(self.path, self.text)
        return Location(source.path, *place_of(source.text, group.pointer + pointer))

    def title(self, group: Group) -> str:
        """Name of a group for messages; one from a template says for which file."""
        return repr(group.name) if group.template is None else f"{group.name!r} for {self.path}"


@dataclass(frozen=True, slots=True)
class Earlier:
    """A call that is made before a case's own: arguments and steps of another group of its file."""

    group: str
    arguments: Mapping[str, ArgumentSpec]
    nulls: frozenset[str]
    steps: tuple[Step, ...]


class Data(Protocol):
    """Data of a case that does not come from its ``ValueSpec``s, such as another suite's own random numbers."""

    def fill(self, made: Mapping[str, Argument], seed: int) -> Mapping[str, Argument]:
        """The arguments with their data; tensors are written in place. Raises BrokenCase."""
        ...

    @property
    def is_steady(self) -> bool:
        """Whether the data follows from the case and the seed, and from nothing else."""
        ...


class Case(Struct, frozen=True):
    """One call and one expectation. ``products`` is where it applies; ``nulls`` are out pointers passed as null.

    ``after`` are calls to be made just before, in the same process; nothing is expected of them but to return.
    ``repeat`` is how often the call itself is made with the same data. ``template`` is where the group is written,
    when that is not ``path``. ``digest`` is a SHA-256 over everything that a verdict on the case depends on, but for
    the standard and the products.

    Of a case from another suite's file ``unsupported`` says why it cannot be run, ``standard`` which standard that file
    asks for, ``data`` fills its tensors, and ``written`` is what the file holds of it.
    """

    id: str
    contract: Contract
    path: Path
    group: str
    about: str
    arguments: Mapping[str, ArgumentSpec]
    nulls: frozenset[str]
    steps: tuple[Step, ...]
    expectation: Expectation
    products: frozenset[str]
    exercises: tuple[str, ...]
    facets: frozenset[str]
    control: str | None = None
    template: Path | None = None
    deadline: float = 60.0
    after: tuple[Earlier, ...] = ()
    repeat: int = 1
    tier: str = DEFAULT
    digest: str = ""
    unsupported: str = ""
    standard: str = ""
    data: Data | None = None
    written: Any = None

    @property
    def api(self) -> str:
        """Name of the API that is called."""
        return self.contract.api

    @property
    def is_steady(self) -> bool:
        """Whether it is small, succeeds and must always answer the same."""
        succeeds = isinstance(self.expectation, Success)
        return succeeds and "small" in self.facets and self.contract.deterministic

    @property
    def earlier(self) -> tuple[Case, ...]:
        """The calls of ``after``, each as a case; its id, from which its data comes, is none that selects."""
        return tuple(
            structs.replace(
                self,
                id=f"{self.id}/{number}.{one.group}",
                group=one.group,
                arguments=one.arguments,
                nulls=one.nulls,
                steps=one.steps,
                after=(),
                repeat=1,
            )
            for number, one in enumerate(self.after, 1)
        )

    @property
    def steps_taken(self) -> tuple[Step, ...]:
        """The steps, each phase 1 with the pointers that the case passes as null."""
        if not self.nulls:
            return self.steps
        return tuple(s.with_nulls(self.nulls) if s.action is Action.WORKSPACE else s for s in self.steps)

    @property
    def facts(self) -> Facts:
        """What constraints look at: arguments, and the out pointers that are null."""
        return {**self.arguments, **dict.fromkeys(self.nulls)}
