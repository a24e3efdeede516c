"""The command line: ``python -m conformance COMMAND`` (console script ``aclnn-conformance``). Parsing only."""

from __future__ import annotations

import argparse
import errno
import os
import sys
from collections.abc import Callable, Sequence
from io import TextIOWrapper
from pathlib import Path
from typing import Any

from conformance import __version__, commands
from conformance.card import DEFAULT
from conformance.discover import find_commands
from conformance.errors import ConformanceError
from conformance.options import (
    DEFAULT_PRODUCT,
    DEFAULT_REFERENCE,
    DEFAULT_RUNNER,
    GOLDEN_CACHE_HELP,
    STANDARD_HELP,
    TRUST_HELP,
    Options,
    add_runner_options,
    parse_count,
    parse_jobs,
    parse_limit,
    parse_runner_options,
    parse_seconds,
    parse_shard,
    parse_share,
)
from conformance.product import PRODUCTS
from conformance.tier import TIERS

USAGE_ERROR = 2
INTERRUPTED = 130
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_SCARCE = {
    errno.EMFILE: "allow a process more of them: ulimit -n 256",
    errno.ENFILE: "the machine allows no more of them",
    errno.EAGAIN: "allow more processes: ulimit -u",
    errno.ENOMEM: "leave the suite more memory",
}
"""What the machine may not give, and what to do then."""
SLICE_HELP = "share of the cases of ATK files whose tensors lie with gaps, from 0 to 1"
PATHS_HELP = "case file or folder, may be given several times (all by default)"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status. 0 is a green run, 1 a red one, 2 bad use or bad data, 130 Ctrl-C."""
    if sys.stdout is None:  # closed, as by >&-: nothing else may take its place
        sys.stdout = open(os.devnull, "w")  # noqa: PTH123, SIM115 - for as long as the process lives
    if isinstance(sys.stdout, TextIOWrapper):
        # Messages of implementations may hold bytes that are no text, and terminals may know ASCII only.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        given = _parser().parse_args(arguments)
        handler: Callable[[argparse.Namespace], int] = given.handler
        status = handler(given)
        sys.stdout.flush()
        return status
    except ConformanceError as error:
        print(f"error: {error}", file=sys.stderr)
        return USAGE_ERROR
    except BrokenPipeError:
        _say_no_more()  # `list | head` closes our output
        return 1
    except OSError as error:
        if error.errno in _FULL:
            _say_no_more()
        elif error.filename is None and error.errno not in _SCARCE:
            raise
        print(f"error: {_words_of(error)}", file=sys.stderr)
        return USAGE_ERROR
    except KeyboardInterrupt:
        print("interrupted; a record that was being written has no footer", file=sys.stderr)
        return INTERRUPTED


def _words_of(error: OSError) -> str:
    """What happened to what, and what to do."""
    if error.errno in _SCARCE:
        return f"{f'{error.filename}: ' if error.filename else ''}{error.strerror}; {_SCARCE[error.errno]}"
    return f"{error.filename or 'what is written'}: {error.strerror}"


def _say_no_more() -> None:
    """Drop what is not printed yet, which would be tried again when the interpreter ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def options_of(given: argparse.Namespace) -> Options:
    """The options of a parsed ``run`` or ``show``."""
    return Options(
        runner=given.runner,
        reference=given.reference,
        product=given.product,
        standard=given.standard,
        seed=given.seed,
        max_elements=given.max_elements,
        max_bytes=given.max_bytes,
        atk_slice=given.atk_slice,
        trust_executors=given.trust_executors,
        waivers=tuple(given.waivers),
        isolate=given.isolate,
        runner_options=parse_runner_options(given.runner_options, given.cann, given.devices),
        deadline=given.deadline,
        repeat=given.repeat,
        golden_cache=given.golden_cache,
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("conformance", description="Conformance suite for aclnn operators.")
    parser.add_argument("--version", action="version", version=__version__)
    subparsers = parser.add_subparsers(metavar="COMMAND", required=True)
    _add_run(subparsers)
    _add_bisect(subparsers)
    _add_list(subparsers)
    _add_show(subparsers)
    _add_lint(subparsers)
    _add_report(subparsers)
    _add_new(subparsers)
    for add_command in find_commands():
        add_command(subparsers)
    return parser


_Subparsers = argparse._SubParsersAction  # the type argparse returns has no public name


def _add_run(subparsers: _Subparsers[argparse.ArgumentParser]) -> None:
    run = subparsers.add_parser("run", help="run cases and write a record")
    _add_selection(run)
    _add_options(run)
    run.add_argument("--record", type=Path, default=Path("build/record.jsonl"), help="file to write (%(default)s)")
    run.add_argument("--shuffle", type=int, metavar="SEED", help="run in another order, told by the seed")
    run.add_argument("--jobs", type=parse_jobs, default=1, metavar="N", help="processes that run cases (%(default)s)")
    run.add_argument("--resume", action="store_true", help="go on with that record, which an interrupted run left")
    run.add_argument("--shard", type=parse_shard, metavar="I/N", help="run share I of N; merge joins their records")
    run.add_argument("--balance", type=Path, metavar="RECORD", help="make shares take equally long, judged by a record")
    run.set_defaults(
        handler=lambda given: commands.run(
            commands.Selection(
                given.paths,
                given.select,
                given.tier,
                given.shard,
                given.balance,
                given.shuffle,
                options_of(given).file_options,
            ),
            options_of(given),
            given.record,
            resume=given.resume,
            jobs=given.jobs,
        )
    )


def _add_bisect(subparsers: _Subparsers[argparse.ArgumentParser]) -> None:
    bisect = subparsers.add_parser("bisect", help="find which earlier cases make a case fail that passes alone")
    bisect.add_argument("case", help="id of the case, or a prefix that picks one")
    _add_selection(bisect)
    bisect.add_argument("--shuffle", type=int, metavar="SEED", help="the order of the run in which it failed")
    _add_options(bisect)
    bisect.set_defaults(
        handler=lambda given: commands.bisect(
            commands.Selection(
                given.paths,
                given.select,
                given.tier,
                shuffle=given.shuffle,
                file_options=options_of(given).file_options,
            ),
            given.case,
            options_of(given),
        )
    )


def _add_list(subparsers: _Subparsers[argparse.ArgumentParser]) -> None:
    listing = subparsers.add_parser("list", help="list case ids")
    _add_selection(listing)
    listing.add_argument("--product", choices=sorted(PRODUCTS), help="only cases for this product")
    listing.add_argument("--about", action="store_true", help="also say what each group is for")
    listing.set_defaults(
        handler=lambda given: commands.list_cases(given.paths, given.select, given.product, given.about, given.tier)
    )


def _add_show(subparsers: _Subparsers[argparse.ArgumentParser]) -> None:
    show = subparsers.add_parser("show", help="show one case: call, data, golden, expectation")
    show.add_argument("case", help="id, or a prefix that picks one case")
    show.add_argument("--paths", action="append", type=Path, metavar="PATH", help=PATHS_HELP)
    _add_options(show)
    show.set_defaults(handler=lambda given: commands.show(given.paths, given.case, options_of(given)))


def _add_lint(subparsers: _Subparsers[argparse.ArgumentParser]) -> None:
    lint = subparsers.add_parser("lint", help="check all data, and that contracts and cases agree")
    lint.add_argument("paths", nargs="*", type=Path, help="case files or folders (all by default)")
    lint.add_argument("--fix", action="store_true", help="rewrite files in canonical form")
    lint.set_defaults(handler=lambda given: commands.lint(given.paths or None, given.fix))


def _add_report(subparsers: _Subparsers[argparse.ArgumentParser]) -> None:
    several: Any = {"action": "append", "default": [], "type": Path, "metavar": "FILE"}
    report = subparsers.add_parser("report", help="turn a record into a report")
    report.add_argument("form", help="terminal, markdown, html, junit, ctrf, waivers, xlsx")
    report.add_argument("record", type=Path, nargs="?", default=Path("build/record.jsonl"))
    report.add_argument("-o", "--output", type=Path, metavar="FILE", help="file to write (printed by default)")
    report.add_argument("--beside", **several, help="html: a record of another product to show with it; repeatable")
    report.add_argument("--history", **several, help="html: earlier records, or a folder of them; repeatable")
    report.set_defaults(
        handler=lambda given: commands.report(
            given.form, given.record, given.output, beside=given.beside, history=given.history
        )
    )


def _add_new(subparsers: _Subparsers[argparse.ArgumentParser]) -> None:
    new = subparsers.add_parser("new", help="begin a group of cases or an API with placeholders")
    kinds = new.add_subparsers(metavar="WHAT", required=True)
    case = kinds.add_parser("case", help="add a placeholder group to a case file, new or not")
    case.add_argument("file", type=Path, help="case file; its API's contract lies beside it")
    case.add_argument("group", help="name of the group: [a-z][a-z0-9_]*")
    case.set_defaults(handler=lambda given: commands.new_case(given.file, given.group))
    api = kinds.add_parser("api", help="write contract, reference function and kernel of a new API as placeholders")
    api.add_argument("family", help="folder of its family: activation")
    api.add_argument("--prototype", required=True, help='phase 1 in C: "…GetWorkspaceSize(const aclTensor* self, …)"')
    api.add_argument("--root", type=Path, help="checkout to write into (the one that runs by default)")
    api.set_defaults(handler=lambda given: commands.new_api(given.family, given.prototype, given.root))


def _add_selection(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("select", nargs="*", metavar="SELECTOR", help="id, prefix of ids ending at a dot, or glob")
    parser.add_argument("--paths", action="append", type=Path, metavar="PATH", help=PATHS_HELP)
    parser.add_argument("--tier", choices=TIERS, default=DEFAULT, help="cases to run, from a few to all (%(default)s)")


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--runner", default=DEFAULT_RUNNER, help="who is judged: a name, module:Class or exec:COMMAND (%(default)s)"
    )
    add_runner_options(parser)
    parser.add_argument("--reference", default=DEFAULT_REFERENCE, help="who supplies goldens (%(default)s)")
    parser.add_argument("--product", default=DEFAULT_PRODUCT, help=f"{', '.join(PRODUCTS)} (%(default)s)")
    parser.add_argument("--standard", help=STANDARD_HELP)
    parser.add_argument("--seed", type=int, default=0, help="changes all random data (%(default)s)")
    parser.add_argument(
        "--repeat",
        type=parse_count,
        default=1,
        metavar="N",
        help="make every call N times; all answers must be the same bits",
    )
    parser.add_argument("--max-elements", type=parse_limit, help="skip cases with a larger tensor")
    parser.add_argument("--max-bytes", type=parse_limit, help="skip cases whose tensors take more together")
    parser.add_argument("--atk-slice", type=parse_share, default=0.0, metavar="RATIO", help=SLICE_HELP)
    parser.add_argument("--trust-executors", action="store_true", help=TRUST_HELP)
    parser.add_argument(
        "--waivers",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="known deviations; may be given several times",
    )
    parser.add_argument("--golden-cache", default="", metavar="DIR", help=GOLDEN_CACHE_HELP)
    parser.add_argument("--deadline", type=parse_seconds, help="seconds a case may take (each case's own by default)")
    parser.add_argument(
        "--isolate",
        action=argparse.BooleanOptionalAction,
        help="run in a child process (foreign runners always)",
    )


if __name__ == "__main__":
    sys.exit(main())
