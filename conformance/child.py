"""The child process of ``isolate``: builds the runner named on the command line and answers one question at a time."""

from __future__ import annotations

import json
import sys
import traceback
from multiprocessing.connection import Connection
from pickle import PicklingError
from typing import Any

from conformance.call import Call
from conformance.discover import find_runner
from conformance.errors import ConformanceError
from conformance.exchange import SharedFile, changes, small_contents, unpack
from conformance.runner import Runner


def main() -> None:
    """Serve until the parent closes its end of the pipe."""
    pipe, shared = Connection(int(sys.argv[1])), SharedFile(int(sys.argv[2]))
    try:
        runner = find_runner(sys.argv[3], json.loads(sys.argv[4]))
    except ConformanceError as error:
        _answer_all_with(pipe, ("raised", str(error)))
        return
    while True:
        try:
            question = pipe.recv()
        except EOFError:
            return
        _send(pipe, _answer(runner, question, shared))


def _send(pipe: Connection, answer: tuple[Any, ...]) -> None:
    try:
        pipe.send(answer)
    except (TypeError, AttributeError, ValueError, PicklingError) as error:  # nothing has been sent yet
        pipe.send(("raised", f"an answer that cannot be sent to another process: {error}"))


def _answer_all_with(pipe: Connection, answer: tuple[str, str]) -> None:
    try:
        while True:
            pipe.recv()
            pipe.send(answer)
    except EOFError:
        return


def _answer(runner: Runner, question: tuple[Any, ...], shared: SharedFile) -> tuple[Any, ...]:
    kind, *arguments = question
    try:
        if kind == "run":
            return _run(runner, unpack(arguments[0], shared))
        return ("answer", getattr(runner, kind)(*arguments))
    except ConformanceError as error:
        return ("raised", str(error))
    except Exception:  # whatever a foreign runner raises must reach the parent as text
        return ("raised", traceback.format_exc(limit=-3).strip())


def _run(runner: Runner, call: Call) -> tuple[Any, ...]:
    before = small_contents(call)
    outcome = runner.run(call)
    # Workspaces travel only as evidence: their contents mean nothing, their guards do.
    damaged = [memory for memory in call.workspaces if memory.guard_fault() is not None]
    return ("answer", outcome, changes(call, before), damaged)


if __name__ == "__main__":
    main()
