"""The child process of ``isolate``: builds a runner, answers questions and makes calls, one at a time."""

from __future__ import annotations

import json
import os
import sys
import traceback
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from pickle import PicklingError
from typing import Any

from conformance.channel import READY, RUN, Channel
from conformance.discover import find_runner
from conformance.errors import ConformanceError
from conformance.exchange import Parcel, SharedFile, contents_after, goes_on, pack_outcome, unpack
from conformance.nursery import attend
from conformance.runner import Runner


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
    while True:
        try:
            question = channel.receive()
        except EOFError:
            return
        if question[0] != RUN:
            _send(channel, _answer(runner, question, shared))
            continue
        for parcel in question[1]:
            if not goes_on(_send(channel, _answer(runner, (RUN, parcel), shared))):
                break


def _send(channel: Channel, answer: tuple[Any, ...]) -> tuple[Any, ...]:
    """Send an answer, or why it cannot be sent; returns what was."""
    try:
        channel.send(answer)
    except (TypeError, AttributeError, ValueError, PicklingError) as error:  # nothing has been sent yet
        answer = ("raised", f"an answer that cannot be sent to another process: {error}")
        channel.send(answer)
    return answer


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
