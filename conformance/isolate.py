"""Runs a runner in a warm child process with a deadline, and tells a crash from a hang from an answer.

The child gets one call at a time and sends back the outcome with the memories that changed; they are copied into the
parent's call, so that guards are checked in one place. A child that died or hung is replaced.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping
from math import ceil
from multiprocessing.connection import Connection
from typing import Any

from conformance.call import Call
from conformance.errors import UnknownRunner
from conformance.exchange import SharedFile, pack, take_back
from conformance.outcome import Broken, Crashed, Outcome, TimedOut
from conformance.product import Product
from conformance.runner import RunnerInfo

_START_SECONDS = 120.0
_LONGEST_POLL = 2**31 - 1
"""Milliseconds that the system call can wait."""


class IsolatedRunner:
    """A runner that lives in a child process; the name is resolved there, as ``find_runner`` does here."""

    def __init__(self, name: str, options: Mapping[str, str] | None = None) -> None:
        self._name = name
        self._options = dict(options or {})
        self._child: subprocess.Popen[bytes] | None = None
        self._pipe: Connection | None = None
        self._info: RunnerInfo | None = None
        self._poll = select.poll()
        self._shared = SharedFile()
        self.starts = 0

    def describe(self) -> RunnerInfo:
        """What the child's runner says of itself; raises UnknownRunner when it cannot be built."""
        if self._info is None:
            self._info = self._ask(("describe",))
        return self._info

    def supports(self, api: str, product: Product) -> str | None:
        """What the child's runner answers."""
        answer: str | None = self._ask(("supports", api, product))
        return answer

    def run(self, call: Call) -> Outcome:
        """Outcome of the child's run: Crashed or TimedOut when it dies or passes the call's deadline."""
        if self._pipe is None:
            # Starting is not the call's time: wait until the child answers before its deadline begins.
            self._ask(("describe",))
        pipe = self._start()
        try:
            packed, places = pack(call, self._shared)
            pipe.send(("run", packed))
            if not self._answers_within(call.deadline):
                self.close()
                return TimedOut(call.deadline)
            kind, *answer = pipe.recv()
        except (EOFError, BrokenPipeError, ConnectionResetError):
            return self._crashed()
        if kind == "raised":
            return Broken(f"the runner raised {answer[0]}")
        outcome, changed, workspaces = answer
        take_back(call, changed, places, self._shared)
        call.workspaces.extend(workspaces)
        return outcome  # type: ignore[no-any-return]

    def ask(self, question: str, *details: Any) -> Any:
        """What a method of the child's runner that is not of the protocol returns; raises UnknownRunner."""
        return self._ask((question, *details))

    def close(self) -> None:
        """Kill the child and everything it started."""
        atexit.unregister(self.close)
        if self._child is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._child.pid, signal.SIGKILL)
            self._child.wait()
        if self._pipe is not None:
            self._pipe.close()
        self._child = self._pipe = None

    def _ask(self, question: tuple[Any, ...]) -> Any:
        pipe = self._start()
        try:
            pipe.send(question)
            if not self._answers_within(_START_SECONDS):
                self.close()
                raise UnknownRunner(f"runner {self._name!r} did not answer {question[0]} in {_START_SECONDS:g} s")
            kind, *answer = pipe.recv()
        except (EOFError, BrokenPipeError, ConnectionResetError):
            raise UnknownRunner(f"runner {self._name!r} died in {question[0]}: {self._crashed()}") from None
        if kind == "raised":
            raise UnknownRunner(answer[0])
        return answer[0]

    def _answers_within(self, seconds: float) -> bool:
        """Whether the child says something in time, if only by its end. ``Connection.poll`` takes twice as long."""
        return bool(self._poll.poll(min(ceil(seconds * 1000), _LONGEST_POLL)))

    def _start(self) -> Connection:
        if self._pipe is None:
            ours, theirs = _connection_pair()
            inherited = [theirs.fileno(), self._shared.descriptor]
            command = [sys.executable, "-m", "conformance.child", *map(str, inherited)]
            command += [self._name, json.dumps(self._options)]
            self.starts += 1
            # A session of its own, so that closing kills what the runner itself started too.
            self._child = subprocess.Popen(command, pass_fds=inherited, start_new_session=True)
            theirs.close()
            self._pipe = ours
            self._poll = select.poll()
            self._poll.register(ours.fileno(), select.POLLIN)
            # A child that hangs would outlive an interrupted run.
            atexit.register(self.close)
        return self._pipe

    def _crashed(self) -> Crashed:
        code = self._child.wait() if self._child is not None else 0
        self.close()
        if code >= 0:
            return Crashed(0, f"exit status {code}")
        return Crashed(-code, f"signal {-code}, {signal.Signals(-code).name}")


def _connection_pair() -> tuple[Connection, Connection]:
    ours, theirs = socket.socketpair()
    return Connection(ours.detach()), Connection(theirs.detach())
