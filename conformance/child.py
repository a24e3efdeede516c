"""The child process of ``isolate``: builds a runner, answers questions and makes calls, one at a time."""

from __future__ import annotations

import json
import os
import pickle
import sys
import traceback
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from time import monotonic
from typing import Any

from conformance.answer_log import AnswerLog
from conformance.channel import DONE, MORE, READY, RUN, Channel
from conformance.discover import find_runner
from conformance.errors import ConformanceError
from conformance.exchange import Parcel, SharedFile, contents_after, goes_on, pack_outcome, unpack
from conformance.garbage import settled
from conformance.nursery import attend
from conformance.runner import Runner

_CANNOT_BE_SENT = (TypeError, AttributeError, ValueError, pickle.PicklingError)
_SILENCE = 0.02
"""Seconds for which answers are gathered before who asked is told of them: a run is to be seen to go on."""


def main() -> None:
    """Serve in a fork whenever the parent asks for one; its name and options for the runner come first."""
    name, options, descriptor, control = sys.argv[1], json.loads(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
    attend(control, partial(serve, name, options, SharedFile(descriptor)), _read_contracts)


def _read_contracts() -> None:
    """Have what most runners read before their first call; whatever is wrong with it, they say."""
    from conformance.load import load_contracts  # a run that needs one child starts without it

    with suppress(OSError, ConformanceError):
        load_contracts()


def serve(name: str, options: Mapping[str, str], shared: SharedFile, channel: Channel) -> None:
    """Build the runner and answer until the parent closes its side of the channel."""
    # A program that the runner starts must not hold the channel open: its end tells the parent of a crash.
    for inherited in (channel.reads.fileno(), channel.writes.fileno(), shared.descriptor):
        os.set_inheritable(inherited, False)
    try:
        runner = find_runner(name, options)
    except ConformanceError as error:
        _answer_all_with(channel, ("raised", str(error)))
        return
    log = AnswerLog(shared.log())
    with settled(), suppress(EOFError):
        while True:
            question = channel.receive()
            if question[0] == RUN:
                _make_calls(runner, question[1], shared, channel, log)
            else:
                _send(channel, _answer(runner, question, shared))


def _make_calls(
    runner: Runner, parcels: Sequence[Parcel], shared: SharedFile, channel: Channel, log: AnswerLog
) -> None:
    """Make calls as long as they return, and their answers fit in the log; one that does neither is sent, the last."""
    log.begin()
    told = monotonic()
    for parcel in parcels:
        answer = _answer(runner, (RUN, parcel), shared)
        if not (goes_on(answer) and _is_logged(answer, log)):
            _send(channel, answer)
            return
        if monotonic() - told > _SILENCE:
            channel.send(MORE)
            told = monotonic()
    channel.send(DONE)


def _is_logged(answer: tuple[Any, ...], log: AnswerLog) -> bool:
    with suppress(*_CANNOT_BE_SENT):
        return log.add(pickle.dumps(answer, pickle.HIGHEST_PROTOCOL))
    return False


def _send(channel: Channel, answer: tuple[Any, ...]) -> None:
    """Send an answer, or why it cannot be sent."""
    try:
        channel.send(answer)
    except _CANNOT_BE_SENT as error:  # nothing has been sent yet
        channel.send(("raised", f"an answer that cannot be sent to another process: {error}"))


def _answer_all_with(channel: Channel, answer: tuple[str, str]) -> None:
    try:
        while True:
            channel.receive()
            channel.send(answer)
    except EOFError:
        return


def _answer(runner: Runner, question: tuple[Any, ...], shared: SharedFile) -> tuple[Any, ...]:
    kind, *arguments = question
    try:
        if kind == READY:
            return ("answer", None)
        if kind == RUN:
            return _run(runner, arguments[0], shared)
        return ("answer", getattr(runner, kind)(*arguments))
    except ConformanceError as error:
        return ("raised", str(error))
    except Exception:  # whatever a foreign runner raises must reach the parent as text
        return ("raised", traceback.format_exc(limit=-3).strip())


def _run(runner: Runner, parcel: Parcel, shared: SharedFile) -> tuple[Any, ...]:
    call, buffer = unpack(parcel, shared)
    outcome = runner.run(call)
    # Workspaces travel only as evidence: their contents mean nothing, their guards do.
    damaged = [memory for memory in call.workspaces if memory.guard_fault() is not None]
    return ("answer", pack_outcome(outcome, call.steps), contents_after(parcel, buffer), damaged)


if __name__ == "__main__":
    main()
