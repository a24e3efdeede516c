"""Everything a standalone program says about one case, in the order it says it; the templates only spell it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from conformance.call import Action, Argument, Call, Step
from conformance.case import Case, Expectation, Refusal, Success
from conformance.dtype import DType, Kind
from conformance.exchange import memories_of
from conformance.execute import Session
from conformance.explain import describe_call, describe_expectation
from conformance.golden import Golden
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
    """One protocol step; ``wanted`` None leaves its status to the check at the end."""

    number: int
    step: Step
    wanted: int | None


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


@dataclass(frozen=True, slots=True, eq=False)
class Recipe:
    """One case as a program needs it."""

    case: Case
    call: Call
    description: str
    storages: tuple[Storage, ...]
    arguments: tuple[Given, ...]
    steps: tuple[Planned, ...]
    refilled: tuple[NamedTensor, ...]
    wanted: Wanted
    outputs: tuple[Output, ...]


def make_recipe(case: Case, session: Session) -> Recipe:
    """Recipe of a case; raises BrokenCase or CannotReproduce."""
    call = session.make_call(case)
    golden = _golden(case, session, call)
    memories = memories_of(call)
    arguments = tuple(_given(call, parameter, memories) for parameter in call.parameters)
    written = [
        named for given in arguments if given.parameter.is_written for named in given.tensors if named is not None
    ]
    inputs = {id(tensor.memory) for _, tensor in call.tensors(written=False)}
    return Recipe(
        case,
        call,
        describe_call(case, session.product.name),
        tuple(_storage(memory) for memory in memories),
        arguments,
        tuple(_steps(call, case.expectation)),
        tuple(n for n in written if _is_pure_output(case, n) and id(n.tensor.memory) not in inputs),
        _wanted(case.expectation),
        tuple(_output(case, session, named, golden) for named in written),
    )


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


def _is_pure_output(case: Case, named: NamedTensor) -> bool:
    return any(p.role is Role.OUTPUT and p.name == named.name for p in case.contract.parameters)


def _steps(call: Call, expectation: Expectation) -> Iterator[Planned]:
    statuses = expectation.statuses if isinstance(expectation, Success) else ()
    for number, step in enumerate(call.steps, 1):
        asked = bool(statuses) and step.action is not Action.REFILL
        yield Planned(number, step, statuses[number - 1] if asked else None)


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
    made = list(answers(golden[named.name], tensor.dtype, comparison, session.standard))
    return Output(named, False, made[0][1], tuple(answer for answer, _ in made))


def is_readable(dtype: DType) -> bool:
    """Whether a standalone program can turn elements of this type into numbers."""
    return dtype.kind in (Kind.FLOAT, Kind.INTEGER, Kind.UNSIGNED, Kind.BOOL) and dtype.name not in _UNREADABLE


_UNREADABLE = frozenset({"float8_e5m2", "float8_e4m3fn"})
