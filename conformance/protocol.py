"""Protocol steps as a group writes them → the steps of its cases and the statuses that they must return."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import repeat
from typing import Any

from conformance.call import DEFAULT_STEPS, Action, Step
from conformance.errors import InvalidSpec
from conformance.status import CODES

_RUN_ALONE = ("stream", "workspace")
"""Keys that only a ``run`` has."""


def parse_steps(body: Mapping[str, Any]) -> tuple[Step, ...]:
    """Steps of a body, repetitions written out; phase 1 and phase 2 by default. Raises InvalidSpec."""
    if "steps" not in body:
        return DEFAULT_STEPS
    steps = tuple(_step(written) for written in _repeated(body["steps"]))
    _check_moves(steps)
    return steps


def parse_statuses(body: Mapping[str, Any]) -> tuple[int, ...]:
    """The status that each step must return; none where a body writes no steps. Raises InvalidSpec."""
    return tuple(status_of(written.get("status", "SUCCESS")) for written in _repeated(body.get("steps", ())))


def status_of(word: str) -> int:
    """Number of a status; raises InvalidSpec."""
    if word not in CODES:
        raise InvalidSpec(f"unknown status {word!r}", f"statuses are {', '.join(CODES)}")
    return CODES[word]


def _repeated(written: Sequence[Any]) -> Iterator[Mapping[str, Any]]:
    """Every step as an object, as often as it says."""
    for step in written:
        entry: Mapping[str, Any] = {"do": step} if isinstance(step, str) else step
        yield from repeat(entry, entry.get("times", 1))


def _step(written: Mapping[str, Any]) -> Step:
    action = Action(written["do"])
    strange = [key for key in _RUN_ALONE if key in written] if action is not Action.RUN else []
    if strange:
        raise InvalidSpec(f"a {action.value} step has no {strange[0]!r}", "only a run has", "/steps")
    return Step(action, frozenset(written.get("null", ())), written.get("stream", 0), "workspace" in written)


def _check_moves(steps: Sequence[Step]) -> None:
    """A move needs an executor that was made repeatable since the last phase 1."""
    repeatable = False
    for number, step in enumerate(steps, 1):
        if step.action in (Action.WORKSPACE, Action.REPEATABLE):
            repeatable = step.action is Action.REPEATABLE
        elif step.action is Action.MOVE and not repeatable:
            what = f"step {number} moves tensors of an executor that is not repeatable"
            raise InvalidSpec(what, 'put "repeatable" between phase 1 and it', "/steps")
