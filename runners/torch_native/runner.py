"""The runner ``torch``: legal calls on torch's native operators; what has no counterpart there is unsupported."""

from __future__ import annotations

import importlib
import platform
from collections.abc import Mapping

import torch

from conformance.call import Action, Call, Step, with_executors
from conformance.contract import Basis, Contract
from conformance.errors import UnknownRunner
from conformance.load import load_contracts
from conformance.outcome import Outcome, StepResult, Unsupported, outcome_of
from conformance.product import Product
from conformance.runner import RunnerInfo
from conformance.status import SUCCESS
from conformance.tensor import SECOND_FILL_BYTE
from runners.torch_native.operators import operator_of
from runners.torch_native.views import Inexpressible, Views

DEVICES = ("cpu", "cuda", "npu")
NO_STATUSES = "torch has no aclnn statuses"


class TorchRunner:
    """Runs calls that their contract allows; refusals, null pointers and executors are unsupported.

    ``device`` is cpu, cuda or npu, with an index where wanted (``npu:1``); npu needs torch_npu. Raises UnknownRunner
    when the device is not there.
    """

    def __init__(self, device: str = "cpu") -> None:
        self._device = _device(device)
        self._contracts: Mapping[str, Contract] = load_contracts()

    def describe(self) -> RunnerInfo:
        """Torch's version, the device and the vector extension that its CPU kernels use."""
        facts = {"device": str(self._device), "machine": platform.machine(), "threads": str(torch.get_num_threads())}
        if self._device.type == "cpu":
            facts["cpu_capability"] = torch.backends.cpu.get_cpu_capability()
        return RunnerInfo("torch", torch.__version__, facts)

    def supports(self, api: str, product: Product) -> str | None:
        """None where torch has the operator, whatever the product."""
        known = api in self._contracts and operator_of(api, self._device) is not None
        return None if known else f"torch has no operator for {api} on {self._device.type}"

    def run(self, call: Call) -> Outcome:
        """Succeed in phase 1 with workspace 0, then let the operator compute and write its results."""
        reason = self.supports(call.api, call.product) or _strange(call) or self._illegal(call)
        if reason is not None:
            return Unsupported(reason)
        try:
            for step in call.steps:
                self._take(step, call)
        except Inexpressible as error:
            return Unsupported(str(error))
        return outcome_of([StepResult(step, SUCCESS) for step in call.steps], workspace_bytes=0)

    def _illegal(self, call: Call) -> str | None:
        """What the implementation or the document refuses about a call."""
        contract = self._contracts[call.api]
        for basis in (Basis.DOCUMENT, Basis.IMPLEMENTATION):
            breach = contract.first_breach(call.arguments, call.product, without=basis)
            if breach is not None:
                return f"{NO_STATUSES} to refuse with: {breach.message}"
        return None

    def _take(self, step: Step, call: Call) -> None:
        if step.action is Action.REFILL:
            call.refill_outputs(SECOND_FILL_BYTE)
        if step.action is Action.RUN and not self._contracts[call.api].exits_empty(call.arguments, call.product):
            operator, views = operator_of(call.api, self._device), Views(call, self._device)
            for name, values in operator(views).items() if operator else ():
                views.write(name, values)


def _device(word: str) -> torch.device:
    kind = word.partition(":")[0]
    if kind not in DEVICES:
        raise UnknownRunner(f"unknown device {word!r}; devices are {', '.join(DEVICES)}")
    try:
        if kind == "npu":
            importlib.import_module("torch_npu")
        torch.empty(1, device=word)
    except (ImportError, RuntimeError, AssertionError) as error:
        raise UnknownRunner(f"torch cannot use {word}: {str(error).splitlines()[0]}") from error
    return torch.device(word)


def _strange(call: Call) -> str | None:
    """Why the steps need more than torch has: null checks, moved tensors, or an executor's life."""
    for step, ready in with_executors(call.steps):
        if step.nulls or step.short or step.action is Action.MOVE:
            return f"{NO_STATUSES}: {step}"
        if step.action is Action.RUN and not ready:
            return f"{NO_STATUSES}: no executor to run"
    return None
