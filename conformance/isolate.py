"""Runs a runner in a warm child process with a deadline, and tells a crash from a hang from an answer.

The child makes one call at a time and sends back the outcome with the memories that changed; they are copied into the
parent's call, so that guards are checked in one place. A child that died or hung is replaced.

Calls that are known to come next can be sent with one: the child makes them one after the other as long as they
return, and leaves its answers in memory that both map, so that this process is woken once for many. Where anything else
is asked first, those answers are void and the calls are made again in their turn: no answer stands that a call before
it could have spoilt.
"""

from __future__ import annotations

import atexit
import json
import sys
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Any

from conformance.answer_log import AnswerLog
from conformance.call import Call
from conformance.channel import DONE, MORE, READY, RUN, Channel
from conformance.errors import UnknownRunner
from conformance.exchange import Parcel, SharedFile, pack, take_back, unpack_outcome
from conformance.nursery import Nursery
from conformance.outcome import Broken, Crashed, Outcome, TimedOut, how_ended
from conformance.product import Product
from conformance.runner import RunnerInfo
from conformance.tensor import Memory

_START_SECONDS = 120.0


@dataclass(frozen=True, slots=True, eq=False)
class _Sent:
    """A call that is on its way, its memories in the order in which they travel."""

    call: Call
    parcel: Parcel
    memories: Sequence[Memory]


class IsolatedRunner:
    """A runner that lives in a child process; the name is resolved there, as ``find_runner`` does here."""

    def __init__(self, name: str, options: Mapping[str, str] | None = None) -> None:
        self._name = name
        self._options = dict(options or {})
        self._nursery: Nursery | None = None
        self._channel: Channel | None = None
        self._info: RunnerInfo | None = None
        self._shared = SharedFile()
        self._log = AnswerLog(self._shared.log())
        self._is_idle = True
        self._last: Any = None
        self._next: deque[Call] = deque()
        self._sent: deque[_Sent] = deque()
        self.voided = 0
        self.starts = 0

    def ahead(self, calls: Iterable[Call]) -> None:
        """Say which calls will be run next, in their order; they are sent with the first of them."""
        self._next = deque(calls)

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
            self._ask((READY,))
        if not (self._sent and self._sent[0].call is call):
            self._drop_answers()
        channel = self._start()
        try:
            if not self._sent:
                self._send(channel, call)
            sent = self._sent.popleft()
            kind, *answer = self._answer(channel, call.deadline)
        except TimeoutError:
            self.renew()
            return TimedOut(call.deadline)
        except (EOFError, BrokenPipeError, ConnectionResetError):
            return self._crashed()
        if kind == "raised":
            return Broken(f"the runner raised {answer[0]}")
        outcome, contents, workspaces = answer
        take_back(sent.parcel, sent.memories, contents, self._shared)
        call.workspaces.extend(workspaces)
        return unpack_outcome(outcome, call.steps)  # type: ignore[no-any-return]

    def _send(self, channel: Channel, call: Call) -> None:
        """Send a call, and those with it that come next."""
        calls = [call]
        if self._next and self._next[0] is call:
            calls, self._next = [*self._next], deque()
        self._sent.extend(_Sent(call, *pack(call, self._shared)) for call in calls)
        self._wait_until_idle(channel, _START_SECONDS)
        self._log.begin()
        self._is_idle, self._last = False, None
        channel.send((RUN, [sent.parcel for sent in self._sent]))

    def _answer(self, channel: Channel, seconds: float) -> Any:
        """The answer to the first call that was sent; where the child went no further, the others still come next.

        TimeoutError where there is none so long after that to the call before, EOFError where the child ended.
        """
        while (answer := self._log.take()) is None:
            if self._last is not None:
                answer, self._last = self._last, None
                self._put_back()
                break
            try:
                self._hear(channel, seconds)
            except (TimeoutError, EOFError, ConnectionResetError):
                self._log.look()
                answer = self._log.take()
                if answer is None:
                    raise
                break
        return answer

    def _hear(self, channel: Channel, seconds: float) -> None:
        """Wait until the child says something, for so many seconds since it last gave an answer."""
        said = channel.receive(max(self._log.since + seconds - monotonic(), 0.0), is_last=False)
        self._log.look()
        self._is_idle = said != MORE
        self._last = None if said in (MORE, DONE) else said

    def _wait_until_idle(self, channel: Channel, seconds: float) -> None:
        """Let the child end what it was asked for; TimeoutError where a call takes longer."""
        while not self._is_idle:
            try:
                self._hear(channel, seconds)
            except TimeoutError:
                if self._log.since + seconds < monotonic():
                    raise

    def _put_back(self) -> None:
        """Calls that were sent are to be sent again."""
        self._next.extendleft(sent.call for sent in reversed(self._sent))
        self._sent.clear()

    def _drop_answers(self) -> None:
        """Wait for answers that are void; the calls are to be sent again."""
        if not self._sent or self._channel is None:
            return
        longest = max(sent.call.deadline for sent in self._sent)
        self.voided += len(self._sent)
        self._put_back()
        try:
            self._wait_until_idle(self._channel, longest)
        except TimeoutError:
            self.renew()
        except (EOFError, ConnectionResetError):
            self._crashed()

    def ask(self, question: str, *details: Any) -> Any:
        """What a method of the child's runner that is not of the protocol returns; raises UnknownRunner."""
        return self._ask((question, *details))

    def renew(self) -> None:
        """Kill the child and everything it started; the next question gets a fresh one."""
        if self._channel is not None and self._nursery is not None:
            self._nursery.kill()
            self._forget_child()

    def close(self) -> None:
        """End the child, everything it started, and what it was started from."""
        atexit.unregister(self.close)
        if self._nursery is not None:
            self._nursery.close()
        self._forget_child()
        self._nursery = None

    def _forget_child(self) -> None:
        self._put_back()
        if self._channel is not None:
            self._channel.close()
        self._channel, self._is_idle, self._last = None, True, None

    def _ask(self, question: tuple[Any, ...]) -> Any:
        self._drop_answers()
        channel = self._start()
        try:
            self._wait_until_idle(channel, _START_SECONDS)
            channel.send(question)
            kind, *answer = channel.receive(_START_SECONDS)
        except TimeoutError:
            self.renew()
            late = f"runner {self._name!r} did not answer {question[0]} in {_START_SECONDS:g} s"
            raise UnknownRunner(late) from None
        except (EOFError, BrokenPipeError, ConnectionResetError):
            raise UnknownRunner(f"runner {self._name!r} died in {question[0]}: {self._crashed()}") from None
        if kind == "raised":
            raise UnknownRunner(answer[0])
        return answer[0]

    def _start(self) -> Channel:
        if self._channel is None:
            if self._nursery is not None and not self._nursery.is_there:
                self.close()
            if self._nursery is None:
                command = [sys.executable, "-m", "conformance.child", self._name, json.dumps(self._options)]
                self._nursery = Nursery(command, self._shared.descriptor)
                # A child that hangs would outlive an interrupted run.
                atexit.register(self.close)
            self.starts += 1
            self._channel = self._nursery.start()
        return self._channel

    def _crashed(self) -> Crashed:
        code = self._nursery.wait() if self._nursery is not None else 0
        self._forget_child()
        return Crashed(*how_ended(code))
