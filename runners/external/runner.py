"""Any program as a runner: ``--runner 'exec:COMMAND'``. Dying, hanging and talking nonsense are told apart."""

from __future__ import annotations

import atexit
import shlex
from typing import Any

from conformance.call import Call
from conformance.errors import UnknownRunner
from conformance.outcome import Broken, Crashed, Outcome, TimedOut
from conformance.product import Product
from conformance.runner import RunnerInfo
from runners.external.memories import BadAnswer, Exchange
from runners.external.program import Died, Program, Silent
from runners.external.wire import decode, encode, outcome_from, run_request, start_request, supports_request

_START_SECONDS = 60.0
"""How long the program may take to answer ``start`` and ``supports``."""


class ExternalRunner:
    """Starts ``command`` at the first question and keeps it; a program that died or went astray is started again."""

    def __init__(self, command: str = "") -> None:
        """``command`` is split as a shell would, but run without one; raises UnknownRunner when it is empty."""
        self._command = command
        self._words = shlex.split(command)
        if not self._words:
            raise UnknownRunner("exec needs a command: --runner 'exec:COMMAND'")
        self._program: Program | None = None
        self._said: dict[str, Any] = {}
        self._asked = 0
        atexit.register(self.close)

    def describe(self) -> RunnerInfo:
        """Name, version and facts that the program answers, and its command; raises UnknownRunner."""
        self._running()
        facts = {**self._said.get("facts", {}), "command": self._command}
        return RunnerInfo(self._said["name"], self._said["version"], facts)

    def supports(self, api: str, product: Product) -> str | None:
        """The program's answer; raises UnknownRunner when it has none."""
        self._running()
        reason: str | None = self._must_answer(supports_request(api, product))["unsupported"]
        return reason

    def run(self, call: Call) -> Outcome:
        """The program's answer; Crashed when it dies, TimedOut past the call's deadline, Broken for nonsense."""
        program = self._running()
        try:
            with Exchange(call, self._said.get("shared_files", True)) as exchange:
                answer = self._ask(program, run_request(call, exchange), call.deadline)
                outcome = outcome_from(answer, call)
                exchange.take_back(answer.get("memories", []))
                return outcome
        except Died as death:
            self._drop()
            return Crashed(death.signal, str(death))
        except Silent:
            self._drop()
            return TimedOut(call.deadline)
        except BadAnswer as nonsense:
            reason = f"{self._command}: {nonsense}{program.last_words()}"
            self._drop()
            return Broken(reason)

    def close(self) -> None:
        """Tell the program to stop, and wait for it to exit."""
        program, self._program = self._program, None
        atexit.unregister(self.close)
        if program is not None:
            program.stop(encode({"do": "stop", "id": self._asked + 1}))

    def _running(self) -> Program:
        if self._program is None:
            try:
                self._program = Program(self._words)
            except OSError as error:
                raise UnknownRunner(f"cannot start {self._command!r}: {error}") from None
            self._said = self._must_answer(start_request())
        return self._program

    def _must_answer(self, request: dict[str, Any]) -> dict[str, Any]:
        program = self._program
        assert program is not None
        try:
            return self._ask(program, request, _START_SECONDS)
        except Died as death:
            what = f"died in {request['do']}: {death}"
        except Silent:
            what = f"did not answer {request['do']} in {_START_SECONDS:g} s"
        except BadAnswer as nonsense:
            what = f"{nonsense}{program.last_words()}"
        self._drop()
        raise UnknownRunner(f"{self._command}: {what}")

    def _ask(self, program: Program, request: dict[str, Any], seconds: float) -> dict[str, Any]:
        self._asked += 1
        asked = {**request, "id": self._asked}
        return decode(program.ask(encode(asked), seconds), asked)

    def _drop(self) -> None:
        if self._program is not None:
            self._program.close()
        self._program = None
