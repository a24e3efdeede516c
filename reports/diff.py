"""Two records side by side: what got worse, what got better, what is new; for a terminal or in markdown."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from conformance.changes import Change, Changed, Changes, Line, changes_between, headroom_of
from conformance.record import Record, read_record

if TYPE_CHECKING:
    _Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]

GREEN, RED = 0, 1
POLICIES = {
    "regression": (Change.REGRESSION, Change.GONE),
    "margin": (Change.REGRESSION, Change.GONE, Change.MARGIN),
    "any": tuple(Change),
    "none": (),
}
"""Word of ``--fail-on`` → changes that make the exit status 1."""
_SHOWN = 50
"""Cases of one kind of change that are listed one by one."""


def add_command(subparsers: _Subparsers) -> None:
    """Add ``diff`` to the command line."""
    parser = subparsers.add_parser("diff", help="show what changed between two records")
    parser.add_argument("before", type=Path, help="record of the earlier run")
    parser.add_argument("after", type=Path, help="record of the later run")
    parser.add_argument(
        "--fail-on", choices=list(POLICIES), default="regression", help="what makes the exit status 1 (%(default)s)"
    )
    parser.add_argument("--markdown", action="store_true", help="print markdown")
    parser.set_defaults(handler=_handle)


def _handle(given: argparse.Namespace) -> int:
    before, after = read_record(given.before), read_record(given.after)
    changes = changes_between(before, after)
    print("\n".join(lines_of(before, after, changes, markdown=given.markdown)))
    return exit_status(changes, given.fail_on)


def exit_status(changes: Changes, policy: str) -> int:
    """1 where the policy says so, and where the records have no case in common: nothing was compared.

    A complaint that the earlier run did not have is a change for the worse under every policy that has some.
    """
    judged = POLICIES[policy]
    worse = (judged and changes.complaints) or any(changes.of(kind) for kind in judged)
    return RED if worse or not changes.common else GREEN


def lines_of(before: Record, after: Record, changes: Changes, *, markdown: bool) -> Iterator[str]:
    """The whole comparison, line by line."""
    yield f"{'# ' if markdown else ''}{before.path.name} → {after.path.name}"
    yield ""
    counts = ", ".join(f"{len(changes.of(kind))} {kind.value}" for kind in Change if changes.of(kind))
    yield f"{changes.common} cases in both: {counts or 'no case changed'}"
    for name, old, new in changes.surroundings:
        yield f"- {name}: {old} → {new}"
    yield from _texts("new complaints about the run", changes.complaints, markdown)
    yield from _texts("complaints that are settled", changes.settled, markdown)
    for kind in Change:
        yield from _section(kind, changes.of(kind), markdown)
    if changes.timings:
        yield from ("", _heading("time", markdown))
        for timing in changes.timings:
            ratio = timing.after / timing.before if timing.before else float("inf")
            yield f"- {timing.api}: {timing.before:.2f} s → {timing.after:.2f} s ({ratio:.1f}×)"


def _texts(title: str, texts: Sequence[str], markdown: bool) -> Iterator[str]:
    if texts:
        yield from ("", _heading(f"{title} ({len(texts)})", markdown), *(f"- {text}" for text in texts))


def _section(kind: Change, cases: list[Changed], markdown: bool) -> Iterator[str]:
    if not cases:
        return
    yield from ("", _heading(f"{kind.value} ({len(cases)})", markdown))
    for one in cases[:_SHOWN]:
        yield f"- {f'`{one.name}`' if markdown else one.name}: {_words(one)}"
    if len(cases) > _SHOWN:
        yield f"- and {len(cases) - _SHOWN} more"


def _heading(text: str, markdown: bool) -> str:
    return f"## {text}" if markdown else text


def _words(one: Changed) -> str:
    if one.before is None or one.after is None:
        line = one.before or one.after
        assert line is not None
        return str(line["verdict"])
    if one.kind is Change.MARGIN:
        return f"error ÷ limit {headroom_of(one.before):.2f} → {headroom_of(one.after):.2f}"
    reason = (one.before if one.kind is Change.REPAIR else one.after)["reason"]
    return f"{_answer(one.before)} → {_answer(one.after)}{': ' + reason if reason else ''}"


def _answer(line: Line) -> str:
    """The verdict, whose answer it was, and how the call ended where that was no return."""
    kind = line.get("outcome", {}).get("kind", "")
    more = ", ".join(filter(None, [line.get("side", ""), kind.lower() if kind in ("Crashed", "TimedOut") else ""]))
    return f"{line['verdict']} ({more})" if more else str(line["verdict"])
