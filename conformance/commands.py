"""What each command does; returns exit statuses. ``cli`` parses, this acts."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from inspect import signature
from io import StringIO
from itertools import takewhile
from pathlib import Path
from typing import Any

from rich.console import Console

from conformance.bisect import find_culprits
from conformance.canonical import write_canonical
from conformance.card import DEFAULT
from conformance.case import Case
from conformance.case_id import name_of
from conformance.corpus import load_corpus
from conformance.discover import find_report
from conformance.errors import InvalidOption, NothingSelected
from conformance.foreign.file_options import PLAIN, FileOptions
from conformance.kept_reference import trouble_of
from conformance.lint import lint_corpus
from conformance.listing import AnyCard, Bodies, Listing, load_listing
from conformance.load import load_waivers
from conformance.opening import open_session, product_of
from conformance.options import Options
from conformance.processes import Stale, run_in_processes
from conformance.product import Product
from conformance.record import holds_cases, read_cases
from conformance.run import Plan, Tally
from conformance.run import run as run_cases
from conformance.scaffold import Draft, draft_api, draft_group, write
from conformance.select import select, select_one
from conformance.shard import Shard, Share, share_of, shuffled
from conformance.show import show_case
from conformance.supervise import Supervisor
from conformance.tier import of_tier
from conformance.waiver import Setting, Waiver, stale_waivers
from conformance.writing import write_text

RED, GREEN, MISUSE = 1, 0, 2
_WIDTH = 120
"""Columns of a report that is written to a file."""


@dataclass(frozen=True, slots=True)
class Selection:
    """Which cases a run takes: files, selectors, tier, and a share of them, balanced by an earlier record."""

    paths: Sequence[Path] | None = None
    selectors: Sequence[str] = ()
    tier: str = DEFAULT
    shard: Shard | None = None
    balance: Path | None = None
    shuffle: int | None = None
    file_options: FileOptions = PLAIN


def run(selection: Selection, options: Options, record: Path, *, resume: bool = False, jobs: int = 1) -> int:
    """Run the selected cases; 0 only when something was executed and nothing is red."""
    if selection.balance is not None and selection.shard is None:
        raise InvalidOption("--balance is for shares of a run; write --shard I/N with it")
    listing = load_listing(selection.paths, selection.selectors, selection.file_options)
    console = Console()
    _complain(listing)
    cases = _selected(listing, selection.selectors, selection.tier)
    if selection.shuffle is not None:
        cases = shuffled(cases, selection.shuffle)
    share = _share(cases, product_of(options), selection)
    problems = [str(problem) for problem in listing.problems]
    plan = Plan(cases if share is None else share.cases, record, share, resume, problems=problems)
    stale = partial(_stale, listing, load_waivers(options.waivers), product_of(options))
    tally, troubles = (_run_here if jobs == 1 else partial(run_in_processes, jobs=jobs))(options, plan, console, stale)
    find_report("terminal")(record, console)
    for trouble in [*troubles, *([f"not conforming: {tally.why_red}"] if tally.why_red else [])]:
        console.print(trouble, markup=False, highlight=False, soft_wrap=True)
    return tally.exit_status


def _run_here(options: Options, plan: Plan, console: Console, stale: Stale) -> tuple[Tally, list[str]]:
    session = open_session(options, keep=True)
    complaints = [*stale(session.cann), *plan.complaints]
    tally = run_cases(session, options, replace(plan, complaints=complaints), console)
    return tally, list(filter(None, [trouble_of(session.reference)]))


def _share(cases: Sequence[AnyCard], product: Product, selection: Selection) -> Share[AnyCard] | None:
    if selection.shard is None:
        return None
    lines = read_cases(selection.balance).lines if selection.balance else ()
    seconds = {name_of(line["id"]): float(line["seconds"]) for line in lines}
    return share_of(cases, selection.shard, product, seconds)


def list_cases(
    paths: Sequence[Path] | None, selectors: Sequence[str], product: str | None, about: bool, tier: str = DEFAULT
) -> int:
    """Print ids, one a line; bad files are named on stderr and make the status 2."""
    listing = load_listing(paths, selectors)
    _complain(listing)
    cases = [c for c in _selected(listing, selectors, tier) if product is None or product in c.products]
    if not cases:
        raise NothingSelected(f"no case of {product} is among those picked" if product else "no case is in that tier")
    group = ""
    for case in cases:
        if about and case.group != group:
            print(f"# {case.about}")
        group = case.group
        print(case.id)
    return MISUSE if listing.problems else GREEN


def show(paths: Sequence[Path] | None, selector: str, options: Options) -> int:
    """Print one case in full."""
    listing = load_listing(paths, [selector], options.file_options)
    _complain(listing)
    _need_cases(listing)
    print(show_case(Bodies().case(select_one(listing.cards, selector)), open_session(options)))
    return GREEN


def bisect(selection: Selection, case_id: str, options: Options) -> int:
    """Name the earlier cases that make a case fail; 0 when there are some."""
    listing = load_listing(selection.paths, [*selection.selectors, case_id], selection.file_options)
    _complain(listing)
    bodies = Bodies()
    case = bodies.case(select_one(listing.cards, case_id))
    cases = _selected(listing, selection.selectors, selection.tier)
    if selection.shuffle is not None:
        cases = shuffled(cases, selection.shuffle)
    before = list(takewhile(lambda other: other.id != case.id, cases))
    able = [bodies.case(other) for other in before if options.product in other.products]
    found = find_culprits(able, partial(_fails_after, case, options))
    if found.alone or found.never:
        print(f"{case.id} {'fails alone' if found.alone else f'passes, alone and after {len(before)} cases'}")
        return RED
    print(f"{case.id} passes alone and fails after ({found.trials} trials):")
    for culprit in found.cases:
        print(culprit.id)
    return GREEN


def _fails_after(case: Case, options: Options, before: Sequence[Case]) -> bool:
    """Whether a case is red after others, in a process and a runner of its own."""
    supervisor = Supervisor(open_session(options))
    try:
        for other in before:
            supervisor.session.execute(other)
        return supervisor.session.execute(case).judged.verdict.is_red
    finally:
        supervisor.close()


def lint(paths: Sequence[Path] | None, fix: bool) -> int:
    """Print every problem of the data, or rewrite the files in canonical form first."""
    if fix:
        for path in write_canonical(paths):
            print(f"rewritten {path}")
    corpus = load_corpus(paths)
    problems = list(dict.fromkeys([*corpus.problems, *lint_corpus(corpus, whole=paths is None)]))
    for problem in problems:
        print(problem, file=sys.stderr)
    if not corpus.files and not corpus.cases and not problems:
        raise NothingSelected("no case file was found; name one, or the folder that holds some")
    apis = len({case.contract.api for case in corpus.cases})
    print(f"{len(corpus.cases)} cases of {apis} APIs in {len(corpus.files)} files, {len(problems)} problems")
    return RED if problems or not corpus.cases else GREEN


def report(form: str, record: Path, output: Path | None = None, **options: Sequence[Path]) -> int:
    """Print a record in another form, or write it to a file; options are those of the form's own that were given.

    A form that is no text takes ``output`` and writes the file itself. 0 when the report is about at least one case.
    """
    printer = find_report(form)
    takes = signature(printer).parameters
    given: dict[str, Any] = {name: value for name, value in options.items() if value}
    for name in given.keys() - takes.keys():
        raise InvalidOption(f"report {form} takes no --{name}")
    if "output" in takes:
        printer(record, Console(), output=output, **given)
    elif output is None:
        printer(record, Console(), **given)
    else:
        text = StringIO()
        printer(record, Console(file=text, width=_WIDTH), **given)
        write_text(output, text.getvalue())
    if holds_cases(record):
        return GREEN
    print(f"error: {record}: holds no case; the report is about nothing", file=sys.stderr)
    return RED


def new_case(path: Path, group: str) -> int:
    """Add a placeholder group to a case file and name the file."""
    return _written([draft_group(path, group)])


def new_api(family: str, prototype: str, root: Path | None) -> int:
    """Write the placeholders of a new API and name the files."""
    return _written(draft_api(family, prototype, root))


def _written(drafts: list[Draft]) -> int:
    write(drafts)
    for draft in drafts:
        print(draft.path)
    print("now replace every TODO, then run: python -m conformance lint")
    return GREEN


def _complain(listing: Listing) -> None:
    for problem in listing.problems:
        print(f"error: {problem}", file=sys.stderr)
    for note in listing.notes:
        print(f"note: {note}", file=sys.stderr)


def _stale(listing: Listing, waivers: Sequence[Waiver], product: Product, cann: str) -> list[str]:
    """Complaints about waivers; one that matches no case that was loaded may match another of the suite's."""
    setting = Setting(product, date.today(), cann)

    def among(cases: Sequence[AnyCard]) -> list[str]:
        return [str(problem) for problem in stale_waivers(waivers, cases, setting)]

    stale = among(listing.cards)
    return among([*listing.cards, *load_listing().cards]) if stale else stale


def _selected(listing: Listing, selectors: Iterable[str], tier: str = DEFAULT) -> list[AnyCard]:
    _need_cases(listing)
    wanted = list(selectors)
    return of_tier(select(listing.cards, wanted), tier, wanted)


def _need_cases(listing: Listing) -> None:
    if not listing.cards:
        raise NothingSelected("no case file is valid" if listing.problems else "no case file was found")
