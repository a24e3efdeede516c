"""Runs one executor script for its inputs, in place of an implementation: tensors that the call reads are rewritten."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Mapping
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

from conformance.call import Call
from conformance.outcome import Broken, Completed, Outcome
from conformance.product import Product
from conformance.runner import RunnerInfo
from runners.executors import finder
from runners.executors.dataset import Refused, dataset_of, outputs_of, take_back
from runners.executors.hooks import run_hooks
from runners.executors.shim import REGISTERED, InputDataset, OpsDataset, TaskResult

_NAME = "conformance_atk_executor"


class ExecutorRunner:
    """Runner of a child process that serves one script. Not a value: it keeps what it was asked and has loaded."""

    def __init__(self) -> None:
        self._question: Mapping[str, Any] = {}
        self._loaded = False

    def describe(self) -> RunnerInfo:
        """Nothing that is judged."""
        return RunnerInfo("executors", "1")

    def supports(self, api: str, product: Product) -> str | None:
        """Every API: the script says which it is for."""
        return None

    def prepare(self, question: Mapping[str, Any]) -> None:
        """Take what the next run has to know beside its call."""
        self._question = question

    def run(self, call: Call) -> Outcome:
        """Have the script make the inputs, and write them into the call's tensors; Broken says why that cannot be."""
        try:
            with redirect_stdout(sys.stderr):
                if not self._loaded:
                    _load(Path(self._question["script"]))
                self._loaded = True
                _rewrite(call, self._question)
        except Refused as reason:
            return Broken(str(reason))
        return Completed(())


def _load(script: Path) -> None:
    """Execute the script, whose classes register themselves; raises Refused."""
    finder.install()
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(script.parent))
    spec = importlib.util.spec_from_file_location(_NAME, script)
    if spec is None or spec.loader is None:
        raise Refused("is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[_NAME] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise Refused(f"cannot be loaded: {type(error).__name__}: {error}"[:300]) from None


def _rewrite(call: Call, question: Mapping[str, Any]) -> None:
    data, slots = dataset_of(call, question["inputs"])
    was = InputDataset(data.args, data.kwargs)
    unseen = frozenset(slot.key for slot in slots if not slot.parameter)
    task = TaskResult(question["entry"], outputs_of(call), unseen)
    words = dict.fromkeys((question["api_type"], question["aclnn_api_type"]))
    classes = [REGISTERED[word] for word in words if word in REGISTERED]
    if not classes:
        raise Refused(f"registers no executor {question['api_type']!r}")
    OpsDataset.seed_everything(question["seed"])
    passed = run_hooks(classes, task, data, ordered=question["ordered"])
    take_back(call, slots, data, passed, was)
