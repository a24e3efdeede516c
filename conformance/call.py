"""What a runner gets: one API call with its data, and nothing of what is expected of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from itertools import groupby

from msgspec import Struct, field, structs

from conformance.dtype import DType
from conformance.product import Product
from conformance.signature import Parameter, ParameterKind, Role
from conformance.tensor import WORKSPACE_FILL_BYTE, Memory, Tensor

_TENSORS = frozenset({ParameterKind.TENSOR, ParameterKind.TENSOR_LIST})
AttributeValue = int | float | bool | str | tuple[int, ...] | tuple[float, ...] | tuple[bool, ...]


class Scalar(Struct, frozen=True):
    """An ``aclScalar``: a number stored in ``dtype``; ``value`` is already rounded to it."""

    dtype: DType
    value: int | float | bool | complex


class Attribute(Struct, frozen=True):
    """A plain C argument (int64_t, double, bool, char*) or an array object."""

    kind: ParameterKind
    value: AttributeValue


Argument = Tensor | tuple[Tensor | None, ...] | Scalar | Attribute | None
"""None is a null pointer; a tuple is a tensor list."""
Named = tuple[tuple[str, Tensor], ...]
"""Tensors with their names."""


class Action(Enum):
    """What one protocol step does."""

    WORKSPACE = "workspace"
    """Phase 1: check, plan, return workspace size and executor."""
    REPEATABLE = "repeatable"
    """Make the executor of the last phase 1 repeatable."""
    RUN = "run"
    """Phase 2 with the executor of the last phase 1, then synchronise."""
    REFILL = "refill"
    """Overwrite every output with another pattern; done by the suite's own code, the implementation is not asked."""
    MOVE = "move"
    """Move every tensor, contents included, to other addresses and tell the (repeatable) executor so."""


class Step(Struct, frozen=True):
    """One protocol step; ``nulls`` names pointers to pass as null in this step only.

    For ``workspace`` they are parameter names, ``workspaceSize`` or ``executor``; for ``run`` they are ``executor``
    or ``workspace``. A ``run`` goes to the caller's stream of that number; with ``short`` it declares one byte less
    workspace than phase 1 asked for, although all of it is there.
    """

    action: Action
    nulls: frozenset[str] = frozenset()
    stream: int = 0
    short: bool = False

    def with_nulls(self, nulls: frozenset[str]) -> Step:
        """The same step passing null for these pointers too."""
        return structs.replace(self, nulls=self.nulls | nulls)

    def declared(self, nbytes: int) -> int:
        """Workspace size in bytes that phase 2 is told, of ``nbytes`` that phase 1 asked for."""
        return max(nbytes - 1, 0) if self.short else nbytes

    def __str__(self) -> str:
        nulls = f" with null {', '.join(sorted(self.nulls))}" if self.nulls else ""
        stream = f" on stream {self.stream}" if self.stream else ""
        return f"{self.action.value}{nulls}{stream}{' declaring a byte too little' if self.short else ''}"


def with_executors(steps: Sequence[Step]) -> Iterator[tuple[Step, bool]]:
    """Each step with whether an executor stands ready before it, if every step does what it asks for.

    A phase 1 makes a one-shot executor, a run uses it up unless it was made repeatable.
    """
    ready = repeatable = False
    for step in steps:
        yield step, ready
        if step.action is Action.WORKSPACE:
            ready, repeatable = True, False
        elif step.action is Action.REPEATABLE:
            repeatable = ready
        elif step.action is Action.RUN:
            ready = repeatable


DEFAULT_STEPS = (Step(Action.WORKSPACE), Step(Action.RUN))


def describe_steps(steps: Sequence[Step]) -> str:
    """Steps in words, equal neighbours counted: ``workspace (64 times), run``."""
    counted = ((str(step), len(list(same))) for step, same in groupby(steps))
    return ", ".join(step if count == 1 else f"{step} ({count} times)" for step, count in counted)


class Call(Struct, frozen=True, eq=False):
    """One API call. Arguments stand in prototype order; ``workspaces`` collects what ``allocate`` handed out.

    Which tensors are read and which are written is found once, since everybody asks.
    """

    api: str
    product: Product
    parameters: tuple[Parameter, ...]
    arguments: Mapping[str, Argument]
    steps: tuple[Step, ...] = DEFAULT_STEPS
    deadline: float = 60.0
    workspaces: list[Memory] = field(default_factory=list)
    _read: Named = ()
    _written: Named = ()
    _updated: Named = ()

    def __post_init__(self) -> None:
        read: list[tuple[str, Tensor]] = []
        written: list[tuple[str, Tensor]] = []
        updated: list[tuple[str, Tensor]] = []
        for parameter in self.parameters:
            role, argument = parameter.role, self.arguments.get(parameter.name)
            side = read if role is Role.INPUT else written
            before = len(side)
            if isinstance(argument, Tensor):
                side.append((parameter.name, argument))
            elif isinstance(argument, tuple):
                side += ((f"{parameter.name}.{i}", tensor) for i, tensor in enumerate(argument) if tensor is not None)
            if role is Role.INOUT:
                updated += side[before:]
        structs.force_setattr(self, "_read", tuple(read))
        structs.force_setattr(self, "_written", tuple(written))
        structs.force_setattr(self, "_updated", tuple(updated))

    def allocate(self, nbytes: int) -> Memory:
        """Guarded workspace of ``nbytes`` bytes; its guards are checked after the call."""
        memory = Memory(nbytes, WORKSPACE_FILL_BYTE)
        self.workspaces.append(memory)
        return memory

    def with_deadline(self, seconds: float) -> Call:
        """The same call with another deadline."""
        return structs.replace(self, deadline=seconds)

    def copy(self) -> Call:
        """The same call in other memory, and without workspaces; arguments that share memory share it there too."""
        memories: dict[int, Memory] = {}

        def copied(argument: Argument) -> Argument:
            if isinstance(argument, tuple):
                return tuple(None if one is None else over_copy(one) for one in argument)
            return over_copy(argument) if isinstance(argument, Tensor) else argument

        def over_copy(tensor: Tensor) -> Tensor:
            if id(tensor.memory) not in memories:
                memories[id(tensor.memory)] = tensor.memory.copy()
            return tensor.over(memories[id(tensor.memory)])

        arguments = {name: copied(argument) for name, argument in self.arguments.items()}
        return Call(self.api, self.product, self.parameters, arguments, self.steps, self.deadline)

    def tensors(self, *, written: bool) -> Named:
        """Named tensors that the implementation writes (``written``) or only reads; those of lists as ``name.0``, …."""
        return self._written if written else self._read

    def updated(self) -> Named:
        """Named tensors that the implementation reads and writes: they are among the written ones too."""
        return self._updated

    def counted(self) -> Iterator[tuple[Role, int, str, Argument]]:
        """Side, index, name and argument of every tensor and tensor list, as functions that set addresses count them.

        The index counts the parameters of that side in prototype order, null ones too; one that is read and written
        comes on both sides.
        """
        for side, other in ((Role.INPUT, Role.OUTPUT), (Role.OUTPUT, Role.INPUT)):
            listed = [p.name for p in self.parameters if p.kind in _TENSORS and p.role is not other]
            for index, name in enumerate(listed):
                if self.arguments.get(name) is not None:
                    yield side, index, name, self.arguments[name]

    def refill_outputs(self, byte: int) -> None:
        """Overwrite every element of every pure output with ``byte``; gaps of strided outputs stay as they are."""
        for parameter in self.parameters:
            argument = self.arguments.get(parameter.name)
            if parameter.role.value == "output" and isinstance(argument, Tensor) and not self._is_also_input(argument):
                if argument.dtype.bits % 8:
                    argument.memory.payload[:] = byte
                else:
                    argument.view_bytes()[...] = byte

    def _is_also_input(self, tensor: Tensor) -> bool:
        return any(other.memory is tensor.memory for _, other in self.tensors(written=False))
