"""Faults where two arguments are one memory."""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence
from functools import partial

from conformance.call import Call
from conformance.outcome import Completed, Outcome
from conformance.tensor import GUARD_BYTES, Tensor
from runners.faults.contracts import Refusing
from runners.faults.fault import MEDIUM, OURS, Fault, FaultClass
from runners.faults.views import of_values, reading_all
from runners.faults.where import both, has_inputs, only_reads, only_writes
from runners.simulator.runner import SimulatorRunner

_fault = partial(Fault, FaultClass.ALIAS)


def _shares_inputs(call: Call) -> bool:
    memories = [id(tensor.memory) for _, tensor in call.tensors(written=False) if tensor.numel]
    return len(set(memories)) < len(memories)


def _is_in_place(call: Call) -> bool:
    inputs = {id(tensor.memory) for _, tensor in call.tensors(written=False)}
    return any(id(tensor.memory) in inputs for _, tensor in call.tensors(written=True) if tensor.numel)


def _second_cleared(tensors: Sequence[Tensor]) -> list[Tensor]:
    first, *rest = tensors
    return [first, *(of_values(t, t.array() * 0) if t.memory is first.memory and t.numel else t for t in rest)]


class WritesTheShared(SimulatorRunner):
    """Inputs that are one memory are taken for a call in place: the result goes there too."""

    def run(self, call: Call) -> Outcome:
        """Run honestly, then write the input."""
        outcome = super().run(call)
        if _shares_inputs(call) and isinstance(outcome, Completed):
            tensor = next(t for _, t in call.tensors(written=False))
            tensor.view()[...] = tensor.view() * 0
        return outcome


class PastTheEndInPlace(SimulatorRunner):
    """A call in place writes whole blocks, beyond the memory's end."""

    def run(self, call: Call) -> Outcome:
        """Run honestly, then write behind the memory."""
        outcome = super().run(call)
        if _is_in_place(call) and isinstance(outcome, Completed):
            memory = next(t for _, t in call.tensors(written=True)).memory
            memory.everything[GUARD_BYTES + len(memory.payload) :][:8] = 0
        return outcome


class CrashesInPlace(SimulatorRunner):
    """A call in place ends the process."""

    def run(self, call: Call) -> Outcome:
        """Die or run honestly."""
        if _is_in_place(call):
            os.kill(os.getpid(), signal.SIGSEGV)
        return super().run(call)


FAULTS = (
    _fault(
        "shared_inputs_refused", MEDIUM, "inputs that are one memory are refused", OURS,
        lambda: Refusing(_shares_inputs), has_inputs(2),
    ),
    _fault(
        "shared_inputs_written", MEDIUM, "inputs that are one memory are taken for a call in place", "rl-kernel#197",
        WritesTheShared, has_inputs(2),
    ),
    _fault(
        "second_of_shared_inputs_lost", MEDIUM, "of inputs that are one memory the second is read as 0", OURS,
        reading_all(_second_cleared), has_inputs(2),
    ),
    _fault(
        "past_the_end_in_place", MEDIUM, "a call in place writes eight bytes past its memory", "ops-nn@88776dc04",
        PastTheEndInPlace, both(only_reads, only_writes),
    ),
    _fault(
        "crashes_in_place", MEDIUM, "a call in place crashes", OURS, CrashesInPlace, both(only_reads, only_writes),
        isolated=True,
    ),
)  # fmt: skip
"""Faults of this class."""
