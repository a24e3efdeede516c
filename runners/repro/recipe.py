"""Everything a standalone program says about one case, in the order it says it; the templates only spell it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from conformance.call import Action, Argument, Call, Step
from conformance.case import Case, Expectation, Refusal, Success
from conformance.dtype import DType, Kind
from conformance.exchange import memories_of
from conformance.execute import Session
from conformance.explain import describe_call, describe_earlier, describe_expectation
from conformance.golden import Following, Golden
from conformance.outcome import Phase, Unsupported
from conformance.signature import Parameter, Role
from conformance.tensor import Memory, Tensor
from runners.repro.tolerance import Answer, CannotReproduce, answers


@dataclass(frozen=True, slots=True, eq=False)
class Storage:
    """One allocation's payload: ``fill`` where all bytes are the same, otherwise ``data``."""

    size: int
    fill: int
    data: bytes


@dataclass(frozen=True, slots=True, eq=False)
class NamedTensor:
    """A tensor: what the call calls it (``name`` or ``list.0``), and the number of its storage."""

    name: str
    tensor: Tensor
    memory: int


@dataclass(frozen=True, slots=True, eq=False)
class Given:
    """One argument of phase 1; ``tensors`` are the members of a list, or the one tensor that it is."""

    parameter: Parameter
    argument: Argument
    tensors: tuple[NamedTensor | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Planned:
    """One protocol step, taken ``times`` times; ``wanted`` None leaves its status to the check at the end."""

    number: int
    step: Step
    wanted: int | None
    times: int = 1


@dataclass(frozen=True, slots=True)
class Wanted:
    """What must be so after the last step; ``first_failure`` None where the steps say what they want, or nobody does.

    ``judged`` False means that no answer is wrong. ``text`` is all of it in words.
    """

    text: str
    judged: bool
    first_failure: tuple[str, int] | None
    workspace: int | None


@dataclass(frozen=True, slots=True, eq=False)
class Output:
    """A tensor that the call writes. ``frozen`` outputs must stay as they are, others have admissible answers."""

    place: NamedTensor
    frozen: bool
    rule: str
    answers: tuple[Answer, ...]

    @property
    def readable(self) -> bool:
        """Whether a program can print its elements."""
        return is_readable(self.place.tensor.dtype)


@dataclass(frozen=True, slots=True)
class Address:
    """A tensor as a function that sets addresses counts it: ``side`` is ``Input`` or ``Output``."""

    side: str
    index: int
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Making:
    """One call as a program makes it: what it allocates, passes and does, and what a ``refill`` overwrites."""

    group: str
    call: Call
    storages: tuple[Storage, ...]
    arguments: tuple[Given, ...]
    steps: tuple[Planned, ...]
    refilled: tuple[NamedTensor, ...]
    addresses: tuple[Address, ...]

    @property
    def written(self) -> list[NamedTensor]:
        """Every tensor that the call may write."""
        return [n for given in self.arguments if given.parameter.is_written for n in given.tensors if n is not None]

    @property
    def memory_names(self) -> list[str]:
        """For each storage the name of the first tensor that lies in it."""
        named = [each for given in self.arguments for each in given.tensors if each is not None]
        return [next(n.name for n in named if n.memory == index) for index in range(len(self.storages))]

    @property
    def ends_repeatable(self) -> bool:
        """Whether the last executor is made repeatable, and so must be destroyed."""
        actions = [planned.step.action for planned in self.steps]
        last = max((i for i, action in enumerate(actions) if action is Action.WORKSPACE), default=0)
        return Action.REPEATABLE in actions[last:]


@dataclass(frozen=True, slots=True, eq=False)
class Recipe:
    """One case as a program needs it; ``earlier`` are the calls before its own, of which nothing is wanted."""

    case: Case
    description: tuple[str, ...]
    earlier: tuple[Making, ...]
    main: Making
    wanted: Wanted
    outputs: tuple[Output, ...]

    @property
    def makings(self) -> tuple[Making, ...]:
        """Every call that the program makes, in order."""
        return (*self.earlier, self.main)

    @property
    def streams(self) -> int:
        """How many streams the program needs."""
        return 1 + max(planned.step.stream for making in self.makings for planned in making.steps)


def make_recipe(case: Case, session: Session) -> Recipe:
    """Recipe of a case; raises BrokenCase or CannotReproduce."""
    main = _making(case, session, _statuses(case.expectation))
    golden = _golden(case, session, main.call)
    return Recipe(
        case,
        (*(line.strip() for line in describe_earlier(case)), f"{describe_call(case)} on {session.product.name}"),
        tuple(_making(earlier, session, ()) for earlier in case.earlier),
        main,
        _wanted(case.expectation),
        tuple(_output(case, session, named, golden) for named in main.written),
    )


def _making(case: Case, session: Session, statuses: tuple[int, ...]) -> Making:
    call = session.make_call(case)
    memories = memories_of(call)
    arguments = tuple(_given(call, parameter, memories) for parameter in call.parameters)
    inputs = {id(tensor.memory) for _, tensor in call.tensors(written=False)}
    pure = [given for given in arguments if given.parameter.role is Role.OUTPUT]
    refilled = [n for given in pure for n in given.tensors if n and id(n.tensor.memory) not in inputs]
    moves = any(step.action is Action.MOVE for step in call.steps)
    return Making(
        case.group,
        call,
        tuple(_storage(memory) for memory in memories),
        arguments,
        tuple(_steps(call, statuses)),
        tuple(n for n in refilled if n.name in call.arguments),
        tuple(_addresses(call)) if moves else (),
    )


def _addresses(call: Call) -> Iterator[Address]:
    for side, index, name, argument in call.counted():
        if not isinstance(argument, Tensor):
            raise CannotReproduce(f"{name} is a tensor list, whose members cannot be told to move")
        yield Address(side.value.title(), index, name)


def _golden(case: Case, session: Session, call: Call) -> Golden:
    if not isinstance(case.expectation, Success):
        return {}
    golden = session.reference.golden(call)
    if isinstance(golden, Unsupported):
        raise CannotReproduce(f"no golden: {golden.reason}")
    return golden


def _given(call: Call, parameter: Parameter, memories: Sequence[Memory]) -> Given:
    argument = call.arguments[parameter.name]
    if isinstance(argument, Tensor):
        return Given(parameter, argument, (_named(parameter.name, argument, memories),))
    if isinstance(argument, tuple):
        members = (
            None if member is None else _named(f"{parameter.name}.{index}", member, memories)
            for index, member in enumerate(argument)
        )
        return Given(parameter, argument, tuple(members))
    return Given(parameter, argument)


def _named(name: str, tensor: Tensor, memories: Sequence[Memory]) -> NamedTensor:
    return NamedTensor(name, tensor, next(i for i, memory in enumerate(memories) if memory is tensor.memory))


def _storage(memory: Memory) -> Storage:
    payload = memory.payload
    if len(payload) and (payload == payload[0]).all():
        return Storage(len(payload), int(payload[0]), b"")
    return Storage(len(payload), 0, payload.tobytes())


def _statuses(expectation: Expectation) -> tuple[int, ...]:
    return expectation.statuses if isinstance(expectation, Success) else ()


def _steps(call: Call, statuses: tuple[int, ...]) -> Iterator[Planned]:
    """The steps, equal neighbours of which the same is wanted as one."""
    wanted: Sequence[int | None] = statuses or [None] * len(call.steps)
    number = 1
    for (step, status), same in groupby(zip(call.steps, wanted, strict=True)):
        times = len(list(same))
        yield Planned(number, step, None if step.action is Action.REFILL else status, times)
        number += times


def _wanted(expectation: Expectation) -> Wanted:
    text = describe_expectation(expectation)
    if isinstance(expectation, Refusal):
        return Wanted(text, True, (expectation.phase.value, expectation.status), None)
    if isinstance(expectation, Success):
        return Wanted(text, True, None if expectation.statuses else ("no", 0), expectation.workspace)
    return Wanted(text, False, None, None)


def _output(case: Case, session: Session, named: NamedTensor, golden: Golden) -> Output:
    expectation, tensor = case.expectation, named.tensor
    comparison = case.contract.outputs[named.name.partition(".")[0]]
    refused = isinstance(expectation, Refusal) and expectation.phase is Phase.WORKSPACE
    kept = isinstance(expectation, Success) and named.name in expectation.untouched
    if refused or kept or named.name not in golden or not tensor.numel:
        return Output(named, refused or kept, "", ())
    if not is_readable(tensor.dtype):
        raise CannotReproduce(f"{named.name}: a standalone program cannot read {tensor.dtype} elements")
    known = golden[named.name]
    if isinstance(known, Following):
        raise CannotReproduce(f"{named.name} follows from what is written into {', '.join(known.outputs)}")
    if known.law is not None:
        raise CannotReproduce(f"{named.name} is random: no value of it is the right one")
    made = list(answers(known, tensor.dtype, comparison, session.standard))
    return Output(named, False, made[0][1], tuple(answer for answer, _ in made))


def is_readable(dtype: DType) -> bool:
    """Whether a standalone program can turn elements of this type into numbers."""
    small = dtype.is_float and dtype.bits <= 8
    return dtype.kind in (Kind.FLOAT, Kind.INTEGER, Kind.UNSIGNED, Kind.BOOL) and not small
