"""Inputs that an executor script of ATK writes anew, where the user trusts it: it runs in a child process.

Only the script that ran last has a child, which is kept warm; a crash, a hang or an exit ends the child and breaks the
case. What a script wrote for the last case is remembered, so that a call that is made again has the same data.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from conformance.atk.read import AtkCase
from conformance.call import Argument, Call
from conformance.contract import Contract
from conformance.discover import find_executor_shim
from conformance.errors import BrokenCase, UnknownRunner
from conformance.foreign.bind import Given, matched, middle, read_parameters
from conformance.foreign.inputs import Input
from conformance.foreign.matching import plain
from conformance.isolate import IsolatedRunner
from conformance.outcome import Broken, Completed
from conformance.product import PRODUCTS
from conformance.tensor import Bytes, Tensor

DEADLINE = 120.0
"""Seconds a script may take for one case, loading it included."""


@dataclass(frozen=True, slots=True)
class Script:
    """The script that writes inputs of one entry anew; ``digest`` is the SHA-256 of its text."""

    path: Path
    read: AtkCase
    written: Mapping[str, Any]
    contract: Contract
    digest: str

    def rewrite(self, filled: Mapping[str, Argument], seed: int) -> None:
        """Have it write tensors of the call in place; raises BrokenCase where it does not come to an end or may not."""
        _CHILD.write(self, filled, seed)

    def inputs(self, filled: Mapping[str, Argument]) -> dict[str, Tensor]:
        """The tensors that the call reads."""
        read = {parameter.name for parameter in read_parameters(self.contract)}
        return {name: one for name, one in filled.items() if name in read and isinstance(one, Tensor)}

    def question(self, seed: int) -> dict[str, Any]:
        """What the child has to know beside the call."""
        pairs = {id(item): parameter.name for parameter, item in matched(self.read.inputs, self.contract)}
        named = [_first(item).name for item in self.read.inputs if _first(item).is_argument]
        return {
            "script": str(self.path.resolve()),
            "api_type": self.read.api_type,
            "aclnn_api_type": self.read.caller,
            "entry": self.written,
            "seed": seed,
            "ordered": list(map(plain, named)) != [plain(name) for name in pairs.values()],
            "inputs": list(_described(self.read.inputs, pairs)),
        }


def script_for(path: Path, read: AtkCase, written: Mapping[str, Any], contract: Contract) -> Script:
    """The script of that file, with the digest of its text."""
    return Script(path, read, written, contract, hashlib.sha256(path.read_bytes()).hexdigest())


def _described(inputs: tuple[Given, ...], pairs: Mapping[int, str]) -> Iterator[dict[str, Any]]:
    """Name, parameter and, of what is no argument, the value of each input in the order of the file."""
    for item in inputs:
        first = _first(item)
        if id(item) in pairs:
            yield {"name": first.name, "of": pairs[id(item)]}
        else:
            yield {"name": first.name, "value": middle(first.span)}


def _first(item: Given) -> Input:
    return item[0] if isinstance(item, tuple) else item


class _Child:
    """The process in which a script runs. Not a value: it is kept, and knows what was written last."""

    def __init__(self) -> None:
        self._path: Path | None = None
        self._runner: IsolatedRunner | None = None
        self._last: tuple[Any, dict[str, Bytes]] | None = None

    def write(self, script: Script, filled: Mapping[str, Argument], seed: int) -> None:
        """Write the tensors of the call as the script does; raises BrokenCase."""
        question, inputs = script.question(seed), script.inputs(filled)
        key = (script.digest, repr(question), [tensor.strides for tensor in inputs.values()])
        if self._last is None or self._last[0] != key:
            self._last = None
            self._run(script, question, filled)
            self._last = (key, {name: tensor.memory.payload.copy() for name, tensor in inputs.items()})
        for name, payload in self._last[1].items():
            inputs[name].memory.payload[:] = payload

    def _run(self, script: Script, question: dict[str, Any], filled: Mapping[str, Argument]) -> None:
        parameters = script.contract.parameters
        arguments = {parameter.name: filled[parameter.name] for parameter in parameters}
        product = PRODUCTS[script.contract.products[0]]
        call = Call(script.contract.api, product, parameters, arguments, (), DEADLINE)
        try:
            runner = self._runner_of(script.path)
            runner.ask("prepare", question)
            outcome = runner.run(call)
        except UnknownRunner as error:
            raise BrokenCase(f"{script.path.name}: {error}") from None
        if not isinstance(outcome, Completed):
            why = outcome.reason if isinstance(outcome, Broken) else f"the executor {outcome}"
            raise BrokenCase(f"{script.path.name}: {why}")

    def _runner_of(self, path: Path) -> IsolatedRunner:
        if self._runner is None or self._path != path:
            if self._runner is not None:
                self._runner.close()
            self._runner, self._path = IsolatedRunner(find_executor_shim()), path
        return self._runner


_CHILD = _Child()
