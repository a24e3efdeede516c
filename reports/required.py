"""The command ``required``: writes the list of required cases of a release, and compares two of them."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from conformance.case_id import matches
from conformance.corpus import load_corpus
from conformance.errors import InvalidData, InvalidOption, NothingSelected
from conformance.required import RequiredList, list_of, load_required, text_of
from conformance.required_changes import Difference, difference
from conformance.tier import TIERS, of_tier
from conformance.writing import require_place, write_text

if TYPE_CHECKING:
    _Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]

GREEN, RED = 0, 1


def add_command(subparsers: _Subparsers) -> None:
    """Add ``required`` to the command line."""
    parser = subparsers.add_parser("required", help="write or compare lists of required cases")
    kinds = parser.add_subparsers(metavar="WHAT", required=True)
    new = kinds.add_parser("new", help="write the list of all cases of a tier as they are now")
    new.add_argument("release", help="name of the release, such as 2026.1")
    new.add_argument("-o", "--output", type=Path, required=True, metavar="FILE", help="list to write; must be new")
    new.add_argument("--tier", choices=TIERS, default="default", help="cases that are required (%(default)s)")
    new.add_argument("--paths", type=Path, action="append", metavar="PATH", help="where the cases are")
    new.add_argument("--supersedes", type=Path, metavar="LIST", help="the list that this one replaces")
    new.add_argument(
        "--reason",
        action="append",
        default=[],
        metavar="SELECTOR=TEXT",
        help="why cases of the superseded list went or changed; may be given several times",
    )
    new.set_defaults(handler=_new)
    diff = kinds.add_parser("diff", help="show what a later list adds, removes and changes, and why")
    diff.add_argument("before", type=Path, help="the earlier list")
    diff.add_argument("after", type=Path, help="the later list")
    diff.set_defaults(handler=_diff)


def _new(given: argparse.Namespace) -> int:
    """0 when the list was written and every change to the superseded one has its reason."""
    if given.output.exists():
        raise InvalidOption(f"{given.output} is there already; lists are never changed, so name a new file")
    require_place(given.output)
    corpus = load_corpus(given.paths)
    if corpus.problems:
        raise InvalidData(list(corpus.problems))
    if not corpus.cases:
        raise NothingSelected("no case file was found")
    before = load_required(given.supersedes) if given.supersedes else None
    reasons = dict(_reason(word, before) for word in given.reason)
    chosen = of_tier(corpus.cases, given.tier)
    required = list_of(chosen, given.release, given.tier, date.today(), before.release if before else "", reasons)
    changes = difference(before, required) if before else None
    write_text(given.output, text_of(required))
    load_required(given.output)
    print(f"{given.output}: {len(required.cases)} cases of release {required.release}, digest {required.digest}")
    if changes is not None:
        print("\n".join(lines_of(changes)))
    return RED if changes is not None and changes.unexplained else GREEN


def _reason(word: str, before: RequiredList | None) -> tuple[str, str]:
    selector, equals, reason = word.partition("=")
    if not (selector and equals and reason):
        raise InvalidOption(f"--reason {word!r} is not SELECTOR=TEXT")
    if before is None:
        raise InvalidOption("--reason explains changes to a superseded list: name it with --supersedes")
    if not any(matches(selector, case_id) for case_id in before.cases):
        raise InvalidOption(f"--reason: {selector!r} picks no case of release {before.release}")
    return selector, reason


def _diff(given: argparse.Namespace) -> int:
    """0 when every case that went or changed has its reason."""
    changes = difference(load_required(given.before), load_required(given.after))
    print("\n".join(lines_of(changes)))
    return RED if changes.unexplained else GREEN


def lines_of(changes: Difference) -> Iterator[str]:
    """Counts, then a line a case."""
    yield f"{len(changes.added)} added, {len(changes.removed)} removed, {len(changes.recast)} recast"
    yield from (f"+ {case_id}" for case_id in changes.added)
    yield from (f"- {case_id}: {reason or 'NO REASON'}" for case_id, reason in changes.removed.items())
    for one in changes.recast:
        now = f" → {one.after}" if one.after != one.before else ""
        yield f"~ {one.before}{now}: {one.reason or 'NO REASON'}"
