"""One call on the device: phase 1, workspace, phase 2, synchronise, for every step of its protocol.

An executor is destroyed at the end when it was never run, or when it was made repeatable and every run succeeded. One
that a run refused is left alone: whether that run destroyed it depends on how the operator was written.
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass

from conformance.call import Action, Call, Step
from conformance.exchange import memories_of
from conformance.outcome import Outcome, StepResult, TimedOut, outcome_of
from conformance.status import SUCCESS
from conformance.tensor import GUARD_BYTES, SECOND_FILL_BYTE
from runners.aclnn.device import Device
from runners.aclnn.functions import Entry
from runners.aclnn.handles import CannotExpress, Handles, placed_tensors
from runners.aclnn.memory import Buffers
from runners.aclnn.status import MEMORY_ALLOCATION, DeviceError, DeviceTimeout, answered, failed

_SHARE = 0.9
"""Part of the deadline that the device may use; the rest is for taking the device again."""


def launch(device: Device, entry: Entry, call: Call) -> Outcome:
    """Run every step; outputs, inputs and workspaces are copied back, guards included.

    Raises DeviceError when the harness cannot prepare the call, or has lost the device since an earlier fault.
    """
    device.require()
    until = time.monotonic() + _SHARE * call.deadline
    with ExitStack() as owner:
        protocol = Protocol(device, entry, call, owner, until)
        try:
            results = [protocol.take(step) for step in call.steps]
        except DeviceTimeout:
            # What still runs may use any of it: nothing is freed, taking the device again reclaims it.
            owner.pop_all()
            device.renew()
            return TimedOut(call.deadline)
        protocol.fetch()
    if protocol.device_failed:
        device.renew()
    return outcome_of(results, protocol.workspace_bytes, protocol.facts)


@dataclass(slots=True)
class Executor:
    """What phase 1 made, and what became of it."""

    pointer: int | None
    repeatable: bool = False
    runs: int = 0
    refused: bool = False

    @property
    def is_ours(self) -> bool:
        """Whether it still exists for certain and nobody else will destroy it."""
        return not self.refused and (self.repeatable or not self.runs)


class Protocol:
    """State of one call between its steps."""

    def __init__(self, device: Device, entry: Entry, call: Call, owner: ExitStack, until: float) -> None:
        self._device = device
        self._functions = device.functions
        self._entry = entry
        self._call = call
        self._owner = owner
        self._until = until
        self._buffers = Buffers(device.functions, owner)
        self._arguments = Handles(device.functions, owner, self._buffers.address_of).arguments(call)
        self._executor: Executor | None = None
        self._size = 0
        self.device_failed = False
        self.workspace_bytes: int | None = None
        self.facts: dict[str, float | int | str] = {}
        self._functions.error_text()  # what earlier calls left behind is not this call's

    def take(self, step: Step) -> StepResult:
        """Do one step; status None when there is nothing to do it with. Raises DeviceError or DeviceTimeout."""
        if self.device_failed:
            return StepResult(step, None, "not run: the device failed in an earlier step")
        if step.action is Action.WORKSPACE:
            return self._workspace(step)
        if step.action is Action.REFILL:
            return self._refill(step)
        if step.action is Action.MOVE:
            return self._move(step)
        return self._repeatable(step) if step.action is Action.REPEATABLE else self._run(step)

    def fetch(self) -> None:
        """Copy everything back; after a device fault as far as it still answers."""
        with suppress(*([DeviceError] if self.device_failed else [])):
            self._buffers.download()

    def _workspace(self, step: Step) -> StepResult:
        self._executor = None
        size, pointer = ctypes.c_uint64(), ctypes.c_void_p()
        outs = {"workspaceSize": ctypes.byref(size), "executor": ctypes.byref(pointer)}
        given: Mapping[str, object] = {**self._arguments, **outs, **dict.fromkeys(step.nulls)}
        start = time.perf_counter()
        status = self._entry.workspace(*given.values())
        self.facts["seconds_workspace"] = _seconds_since(start)
        result = answered(step, status, self._text(status))
        if status == SUCCESS:
            self._size = self.workspace_bytes = size.value
            self._executor = Executor(pointer.value)
            self._owner.callback(self._destroy, self._executor)
        return result

    def _repeatable(self, step: Step) -> StepResult:
        if self._executor is None:
            return _not_run(step)
        status = self._functions["aclSetAclOpExecutorRepeatable"](self._executor.pointer)
        self._executor.repeatable = self._executor.repeatable or status == SUCCESS
        return answered(step, status, self._text(status))

    def _refill(self, step: Step) -> StepResult:
        self._buffers.download()
        self._call.refill_outputs(SECOND_FILL_BYTE)
        self._buffers.upload(tensor.memory for _, tensor in self._call.tensors(written=True))
        return StepResult(step, SUCCESS)

    def _move(self, step: Step) -> StepResult:
        """Move every tensor and tell the executor; the first status that is not 0."""
        if self._executor is None:
            return _not_run(step)
        self._buffers.move(memories_of(self._call))
        for setter, index, name, tensor in placed_tensors(self._call):
            if setter not in self._functions:
                raise CannotExpress(f"this CANN has no {setter}")
            address = self._buffers.address_of(tensor)
            status = self._functions[setter](self._executor.pointer, index, self._arguments[name], address)
            if status != SUCCESS:
                return answered(step, status, self._text(status))
        return StepResult(step, SUCCESS)

    def _run(self, step: Step) -> StepResult:
        executor = None if "executor" in step.nulls else self._executor
        if executor is None and "executor" not in step.nulls:
            return _not_run(step)
        workspace = self._room(step)
        if isinstance(workspace, StepResult):
            return workspace
        pointer, stream = executor.pointer if executor else None, self._device.stream(step.stream)
        start = time.perf_counter()
        self._device.mark_start(stream)
        status = self._entry.run(workspace, step.declared(self._size), pointer, stream)
        text = self._text(status)
        self._device.mark_end(stream)
        after = self._device.synchronise(stream, self._until)
        self.facts["seconds_run"] = _seconds_since(start)
        self._note(executor, status)
        if after != SUCCESS:
            self.device_failed = True
        if status == SUCCESS and after != SUCCESS:
            return failed(step, "synchronising the stream", after, self._text(after))
        return answered(step, status, text)

    def _room(self, step: Step) -> int | StepResult | None:
        """Address of a fresh workspace; None for no workspace; a failed step when nothing can hold it."""
        if self._size == 0 or "workspace" in step.nulls:
            return None
        try:
            start = self._buffers.reserve(self._size + 2 * GUARD_BYTES)
            return self._buffers.fill(self._call.allocate(self._size), start).payload
        except (DeviceError, MemoryError, OverflowError, ValueError) as error:
            asked = f"no room for a workspace of {self._size} bytes, which phase 1 asks for"
            return StepResult(step, MEMORY_ALLOCATION, f"{asked}: {error}")

    def _note(self, executor: Executor | None, status: int) -> None:
        if executor is not None:
            executor.runs += 1
            executor.refused = executor.refused or status != SUCCESS
        elapsed = self._device.milliseconds()
        if elapsed is not None:
            self.facts["device_ms"] = elapsed

    def _destroy(self, executor: Executor) -> None:
        if executor.is_ours and executor.pointer is not None:
            self._functions["aclDestroyAclOpExecutor"](executor.pointer)

    def _text(self, status: int) -> str:
        return self._functions.error_text() if status != SUCCESS else ""


def _not_run(step: Step) -> StepResult:
    return StepResult(step, None, "not run: no executor")


def _seconds_since(start: float) -> float:
    return round(time.perf_counter() - start, 9)
