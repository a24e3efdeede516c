"""Faults in what memory is read and written beside the results themselves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np

from conformance.call import Action, Call
from conformance.contract import Contract
from conformance.outcome import Completed, Outcome, Rejected
from conformance.tensor import FILL_BYTE, GUARD_BYTES, Array, Memory, Tensor
from runners.faults.fault import EASY, HARD, MEDIUM, OURS, Fault, FaultClass
from runners.faults.kernels import Build, Compute, Output, changing_outputs, patched
from runners.faults.where import both, has_inputs, has_outputs, only_reads
from runners.simulator.kernel import KernelCall
from runners.simulator.runner import SimulatorRunner

_fault = partial(Fault, FaultClass.MEMORY)


class After(SimulatorRunner):
    """The memory of a call is damaged after an honest run."""

    def __init__(self, damage: Callable[[Call, Outcome], None]) -> None:
        super().__init__()
        self._damage = damage

    def run(self, call: Call) -> Outcome:
        """Run honestly, then do the damage."""
        outcome = super().run(call)
        self._damage(call, outcome)
        return outcome


def _when_completed(damage: Callable[[Call], None]) -> Build:
    """Damage after every call that ran phase 2 with elements to compute."""

    def after(call: Call, outcome: Outcome) -> None:
        ran = any(step.action is Action.RUN for step in call.steps)
        if isinstance(outcome, Completed) and ran and all(t.numel for _, t in call.tensors(written=True)):
            damage(call)

    return lambda: After(after)


def _outputs(call: Call) -> list[Tensor]:
    return [tensor for _, tensor in call.tensors(written=True)]


def _inputs(call: Call) -> list[Tensor]:
    return [tensor for _, tensor in call.tensors(written=False)]


def _behind(memory: Memory) -> Array:
    return memory.everything[GUARD_BYTES + len(memory.payload) :]


def _one_byte_past(call: Call) -> None:
    _behind(_outputs(call)[-1].memory)[0] ^= 1


def _byte_before(call: Call) -> None:
    _outputs(call)[0].memory.everything[GUARD_BYTES - 1] ^= 1


def _whole_block(call: Call) -> None:
    """The last copy out moves 32 bytes, whatever the length."""
    memory = _outputs(call)[0].memory
    _behind(memory)[: -len(memory.payload) % 32] = 0


def _past_workspace(call: Call) -> None:
    for memory in call.workspaces:
        _behind(memory)[:8] = 0


def _past_input(call: Call) -> None:
    _behind(_inputs(call)[0].memory)[:4] = 0


def _padded_input(call: Call) -> None:
    """What lies behind the first element of an input's storage is used as scratch and set to 0."""
    for tensor in _inputs(call):
        if len(tensor.memory.payload) > tensor.numel * tensor.dtype.itemsize:
            tensor.memory.payload[-1] ^= 1


def _input_scaled(number: int) -> Callable[[Call], None]:
    def damage(call: Call) -> None:
        tensor = _inputs(call)[number]
        if tensor.numel and tensor.dtype.numpy is not None and tensor.strides.count(0) == 0:
            tensor.view()[...] = tensor.view() * tensor.dtype.numpy.type(2)

    return damage


def _nothing_written(call: Call) -> None:
    for tensor in _outputs(call):
        tensor.view_bytes()[...] = FILL_BYTE


def _second_unwritten(call: Call) -> None:
    _outputs(call)[1].view_bytes()[...] = FILL_BYTE


def _on_refusal(call: Call, outcome: Outcome) -> None:
    if isinstance(outcome, Rejected) and call.steps[-1].action is Action.RUN:
        for tensor in _outputs(call):
            if not tensor.dtype.bits % 8:
                tensor.view_bytes()[...] = 0


def _empty_written(call: Call, outcome: Outcome) -> None:
    for tensor in _outputs(call):
        if not tensor.numel and isinstance(outcome, Completed):
            _behind(tensor.memory)[:8] = 0


def _in_phase_1(call: Call, outcome: Outcome) -> None:
    if isinstance(outcome, Completed) and all(step.action is Action.WORKSPACE for step in call.steps):
        for tensor in _outputs(call):
            tensor.view_bytes()[...] = 0


def _holes(output: Output) -> Array:
    return output.unwritten(slice(99, None, 100))


def _zeros_first(output: Output) -> Array:
    if output.values.size > 1024:
        output.flat[:8] = 0
    return output.values


def _added(output: Output) -> Array:
    before = output.before.reshape(output.values.shape)
    return np.asarray(output.values + before, output.values.dtype)


def _workspace_assumed_clear(sound: Compute, call: KernelCall, contract: Contract) -> Mapping[str, Array]:
    """Intermediates are added to what the workspace held."""
    rubbish = [float(region.reshape(-1)[0]) for region in call.scratch.values() if region.size]
    results = dict(sound(call))
    if rubbish:
        results = {name: np.asarray(v + v.dtype.type(rubbish[0]), v.dtype) for name, v in results.items()}
    return results


FAULTS = (
    _fault(
        "one_byte_past_output", EASY, "the byte after an output is written", "flashinfer#3978",
        _when_completed(_one_byte_past),
    ),
    _fault(
        "byte_before_output", EASY, "the byte before an output is written", "opbase@9004914",
        _when_completed(_byte_before),
    ),
    _fault(
        "output_written_in_blocks", MEDIUM, "an output is written up to a multiple of 32 bytes", "ops-nn@88776dc04",
        _when_completed(_whole_block),
    ),
    _fault(
        "past_the_workspace", MEDIUM, "eight bytes after the workspace are written", "opbase@8c9af95",
        _when_completed(_past_workspace),
    ),
    _fault(
        "past_an_input", MEDIUM, "four bytes after an input are written", "flaggems#5392", _when_completed(_past_input),
        only_reads,
    ),
    _fault(
        "gap_of_an_input_written", HARD, "storage of an input outside its view is used as scratch", OURS,
        _when_completed(_padded_input), only_reads,
    ),
    _fault(
        "first_input_scaled", EASY, "the first input is scaled in place", "rl-kernel#197",
        _when_completed(_input_scaled(0)), only_reads,
    ),
    _fault(
        "last_input_scaled", MEDIUM, "the last input is scaled in place", "rl-kernel#197",
        _when_completed(_input_scaled(-1)), both(only_reads, has_inputs(2)),
    ),
    _fault("nothing_written", EASY, "success without a result", "tt-metal#57356", _when_completed(_nothing_written)),
    _fault(
        "second_output_unwritten", EASY, "of two outputs only the first is written", OURS,
        _when_completed(_second_unwritten), has_outputs(2),
    ),
    _fault(
        "written_on_refusal", EASY, "a call that is refused has its outputs cleared", OURS, lambda: After(_on_refusal),
    ),
    _fault(
        "empty_output_written", MEDIUM, "eight bytes are written to an empty output", "opbase@d571241",
        lambda: After(_empty_written),
    ),
    _fault("written_in_phase_1", MEDIUM, "phase 1 clears the outputs", OURS, lambda: After(_in_phase_1)),
    _fault(
        "every_hundredth_unwritten", MEDIUM, "every hundredth element is not written", OURS, changing_outputs(_holes),
    ),
    _fault(
        "start_of_long_outputs_cleared", MEDIUM, "the first eight elements of long outputs are 0", OURS,
        changing_outputs(_zeros_first),
    ),
    _fault("added_to_the_output", EASY, "results are added to what the outputs held", OURS, changing_outputs(_added)),
    _fault(
        "workspace_assumed_clear", EASY, "intermediates are added to what the workspace held", "opbase@8c9af95",
        patched(_workspace_assumed_clear),
        lambda contract, product: contract.api in ("aclnnPreluBackward", "aclnnHardshrinkBackward", "aclnnPrelu"),
    ),
)  # fmt: skip
"""Faults of this class."""
