"""The Python side of the simulated CANN: C descriptions of calls in, statuses and computed bytes out.

Phase 1 makes a ``Call`` out of a description and takes the simulator's own first phase; phase 2 asks the call's
lifecycle; the work itself runs later, when the C side's stream gets there, on the caller's device memory.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from typing import Any

import numpy as np
from msgspec import structs

from conformance.call import DEFAULT_STEPS, Action, Argument, Call, Step
from conformance.contract import Contract
from conformance.load import load_contracts
from conformance.outcome import StepResult
from conformance.product import Product, product_of_soc
from conformance.status import CODES, SUCCESS
from conformance.tensor import Memory, Tensor
from runners.simulator.cann.arguments import read_arguments
from runners.simulator.host_checks import Refusal
from runners.simulator.job import KernelJob, NoWork, first_phase
from runners.simulator.kernel import Kernel
from runners.simulator.kernel_lookup import find_kernel
from runners.simulator.lifecycle import Lifecycle
from runners.simulator.tiling import PLANS

PREFIX = "aclnn_simulator_"
WORKSPACE, REPEATABLE = Step(Action.WORKSPACE), Step(Action.REPEATABLE)
RUN, RUN_WITHOUT_WORKSPACE = Step(Action.RUN), Step(Action.RUN, frozenset({"workspace"}))
TEXT_BYTES = 1023


class DeviceCall(Call, frozen=True, eq=False):
    """A call whose workspace is the caller's."""

    workspace: Memory | None = None

    def allocate(self, nbytes: int) -> Memory:
        """The caller's workspace, which is at least that large."""
        return self.workspace or Memory(0)


@dataclass(frozen=True, slots=True)
class Launched:
    """A job as the lifecycle sees it: running it only says that it may be put on a stream."""

    job: KernelJob | NoWork

    @property
    def workspace_bytes(self) -> int:
        """Workspace the job needs, in bytes."""
        return self.job.workspace_bytes

    def run(self) -> None:
        """Nothing: the work waits on the stream."""


class PreparedCall:
    """One phase 1 that succeeded or was refused, with the protocol state that its executor stands for."""

    __slots__ = ("_call", "_lifecycle", "first", "job", "usable")

    def __init__(self, call: DeviceCall, contract: Contract, kernel: Kernel) -> None:
        self._call = call
        self.job: KernelJob | NoWork = NoWork()
        self._lifecycle = Lifecycle(call.api, partial(self._prepare, contract, kernel), lambda: None)
        self.first = self._lifecycle.take(WORKSPACE)
        self.usable = self.first.status == SUCCESS

    def launch(self, *, workspace_is_null: bool) -> StepResult:
        """Phase 2 as the host sees it."""
        result = self._lifecycle.take(RUN_WITHOUT_WORKSPACE if workspace_is_null else RUN)
        self.usable = self._lifecycle.may_run
        return result

    def repeat(self) -> StepResult:
        """Make the executor repeatable."""
        return self._lifecycle.take(REPEATABLE)

    def execute(self, memories: list[Memory], workspace: Memory) -> Refusal | None:
        """Do the work with the tensors, in order of arguments, at these places."""
        if isinstance(self.job, NoWork):
            return None
        arguments = _moved(self._call.arguments, iter(memories))
        call = structs.replace(self._call, arguments=arguments, workspace=workspace)
        return replace(self.job, call=call, arguments=arguments).run()

    def _prepare(self, contract: Contract, kernel: Kernel, nulls: frozenset[str]) -> Launched | Refusal:
        answer = first_phase(self._call, contract, kernel, PLANS, [], nulls)
        if isinstance(answer, Refusal):
            return answer
        self.job = answer
        return Launched(answer)


class Bridge:
    """The prepared calls of this process by number; each method fills one answer of the C interface."""

    def __init__(self, ffi: Any) -> None:
        self._ffi = ffi
        self._numbers = count(1)
        self._calls: dict[int, PreparedCall] = {}

    def prepare(self, api: Any, soc: Any, arguments: Any, size: int, answer: Any) -> None:
        """Phase 1."""
        name, product = self._text(api), product_of_soc(self._text(soc))
        found = _runnable(name, product)
        if isinstance(found, Refusal):
            _fill(answer, found.status, found.message)
            return
        contract, kernel, product = found
        given = read_arguments(self._ffi, contract.parameters, arguments, size)
        prepared = PreparedCall(DeviceCall(name, product, contract.parameters, given, DEFAULT_STEPS), contract, kernel)
        if prepared.usable:
            answer.call = next(self._numbers)
            answer.workspace = prepared.job.workspace_bytes
            answer.idle = isinstance(prepared.job, NoWork)
            self._calls[answer.call] = prepared
        _fill(answer, *_status(prepared.first))

    def launch(self, number: int, workspace_is_null: int, answer: Any) -> None:
        """Phase 2 as the host sees it."""
        prepared = self._calls[number]
        result = prepared.launch(workspace_is_null=bool(workspace_is_null))
        answer.call = number if prepared.usable else 0
        _fill(answer, *_status(result))

    def execute(self, number: int, tensors: Any, size: int, workspace: Any, answer: Any) -> None:
        """The work."""
        memories = [self._memory(tensors[i]) for i in range(size)]
        refusal = self._calls[number].execute(memories, self._memory(workspace[0]))
        _fill(answer, *((refusal.status, refusal.message) if refusal else (SUCCESS, "")))

    def repeat(self, number: int, answer: Any) -> None:
        """Make an executor repeatable."""
        _fill(answer, *_status(self._calls[number].repeat()))

    def drop(self, number: int, answer: Any) -> None:
        """Forget a call; a number that is none is a way to start the interpreter."""
        self._calls.pop(number, None)
        _fill(answer, SUCCESS, "")

    def _text(self, pointer: Any) -> str:
        text: bytes = self._ffi.string(pointer)
        return text.decode()

    def _memory(self, span: Any) -> Memory:
        if not span.size:
            return Memory(0)
        return Memory.over(np.frombuffer(self._ffi.buffer(span.address, span.size), np.uint8))


def connect(ffi: Any) -> None:
    """Implement every function of the C interface; one that raises answers 561000 with the exception's text."""
    bridge = Bridge(ffi)
    for name in ("prepare", "launch", "execute", "repeat", "drop"):
        ffi.def_extern(name=PREFIX + name)(_guarded(getattr(bridge, name)))


def _guarded(function: Callable[..., None]) -> Callable[..., None]:
    def answering(*given: Any) -> None:
        try:
            function(*given)
        except Exception as error:
            _fill(given[-1], CODES["INNER"], f"the simulator failed: {type(error).__name__}: {error}")

    return answering


def _runnable(api: str, product: Product | None) -> tuple[Contract, Kernel, Product] | Refusal:
    contract = load_contracts().get(api)
    kernel = find_kernel(contract) if contract is not None else None
    if contract is None or kernel is None:
        return Refusal(CODES["INNER"], f"not simulated: there is no contract or no kernel for {api}")
    if product is None:
        return Refusal(CODES["INNER"], "ACLNN_SIM_SOC is no SoC name the simulator knows")
    if not contract.answers_on(product):
        text = f"no kernel package: {api} does not list {product} ({api}GetWorkspaceSize)"
        return Refusal(CODES["INNER_FIND_KERNEL_ERROR"], text)
    return contract, kernel, product


def _moved(arguments: Any, memories: Any) -> dict[str, Argument]:
    """Arguments with every tensor over the next memory."""

    def move(argument: Argument) -> Argument:
        if isinstance(argument, Tensor):
            return structs.replace(argument, memory=next(memories))
        if isinstance(argument, tuple):
            return tuple(None if t is None else structs.replace(t, memory=next(memories)) for t in argument)
        return argument

    return {name: move(argument) for name, argument in arguments.items()}


def _status(result: StepResult) -> tuple[int, str]:
    return (CODES["INNER"] if result.status is None else result.status), result.message


def _fill(answer: Any, status: int, message: str) -> None:
    """Status and text; the text without its error number, which the C side writes in its own way."""
    number, colon, text = message.partition(": ")
    answer.status = status
    answer.text = (text if colon and number.startswith("EZ") else message).encode()[:TEXT_BYTES]
