"""Runs a runner in a warm child process with a deadline, and tells a crash from a hang from an answer.

The child gets one call at a time and sends back the outcome with the memories that changed; they are copied into the
parent's call, so that guards are checked in one place. A child that died or hung is replaced.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

from conformance.call import Call
from conformance.channel import Channel, channel_pair
from conformance.errors import UnknownRunner
from conformance.exchange import SharedFile, pack, take_back, unpack_outcome
from conformance.outcome import Broken, Crashed, Outcome, TimedOut
from conformance.product import Product
from conformance.runner import RunnerInfo

_START_SECONDS = 120.0


class IsolatedRunner:
    """A runner that lives in a child process; the name is resolved there, as ``find_runner`` does here."""

    def __init__(self, name: str, options: Mapping[str, str] | None = None) -> None:
        self._name = name
        self._options = dict(options or {})
        self._child: subprocess.Popen[bytes] | None = None
        self._channel: Channel | None = None
        self._info: RunnerInfo | None = None
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
        if self._channel is None:
            # Starting is not the call's time: wait until the child answers before its deadline begins.
            self._ask(("describe",))
        channel = self._start()
        try:
            parcel, memories = pack(call, self._shared)
            channel.send(("run", parcel))
            kind, *answer = channel.receive(call.deadline)
        except TimeoutError:
            self.close()
            return TimedOut(call.deadline)
        except (EOFError, BrokenPipeError, ConnectionResetError):
            return self._crashed()
        if kind == "raised":
            return Broken(f"the runner raised {answer[0]}")
        outcome, contents, workspaces = answer
        take_back(memories, contents, self._shared)
        call.workspaces.extend(workspaces)
        return unpack_outcome(outcome, call.steps)  # type: ignore[no-any-return]

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
        if self._channel is not None:
            self._channel.close()
        self._child = self._channel = None

    def _ask(self, question: tuple[Any, ...]) -> Any:
        channel = self._start()
        try:
            channel.send(question)
            kind, *answer = channel.receive(_START_SECONDS)
        except TimeoutError:
            self.close()
            late = f"runner {self._name!r} did not answer {question[0]} in {_START_SECONDS:g} s"
            raise UnknownRunner(late) from None
        except (EOFError, BrokenPipeError, ConnectionResetError):
            raise UnknownRunner(f"runner {self._name!r} died in {question[0]}: {self._crashed()}") from None
        if kind == "raised":
            raise UnknownRunner(answer[0])
        return answer[0]

    def _start(self) -> Channel:
        if self._channel is None:
            ours, theirs = channel_pair()
            inherited = [theirs.reads.fileno(), theirs.writes.fileno(), self._shared.descriptor]
            command = [sys.executable, "-m", "conformance.child", *map(str, inherited)]
            command += [self._name, json.dumps(self._options)]
            self.starts += 1
            # A session of its own, so that closing kills what the runner itself started too.
            self._child = subprocess.Popen(command, pass_fds=inherited, start_new_session=True)
            theirs.close()
            self._channel = ours
            # A child that hangs would outlive an interrupted run.
            atexit.register(self.close)
        return self._channel

    def _crashed(self) -> Crashed:
        code = self._child.wait() if self._child is not None else 0
        self.close()
        if code >= 0:
            return Crashed(0, f"exit status {code}")
        return Crashed(-code, f"signal {-code}, {signal.Signals(-code).name}")
