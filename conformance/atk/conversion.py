"""``import`` and ``export``: ATK files ⇄ native case files, each with a list of what the other cannot say."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from conformance import schema
from conformance.atk.exporting import Export, export_cases
from conformance.atk.importing import Import, document_of, files_of, import_files
from conformance.canonical import canonical
from conformance.case import CaseFile, Group
from conformance.corpus import Corpus, load_corpus
from conformance.data import CONTRACT_FILE, data_root
from conformance.errors import InvalidData, InvalidOption, Problem
from conformance.expand import expand
from conformance.json_text import parse_json
from conformance.load import load_contract, load_contracts
from conformance.select import select
from conformance.writing import write_text

if TYPE_CHECKING:
    _Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]

GREEN, RED, MISUSE = 0, 1, 2
ATK = "atk"
_REASONS = 20
_ABOVE = "../../schemas/"


def add_import(subparsers: _Subparsers) -> None:
    """Add ``import`` to the command line."""
    parser = subparsers.add_parser("import", help="make native case files from ATK files")
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="ATK case file, or folder that holds some")
    out = "folder: cases/, an API's folder in it, or any other"
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FOLDER", help=out)
    parser.add_argument("--force", action="store_true", help="write over files that are there")
    parser.set_defaults(handler=_import)


def add_export(subparsers: _Subparsers) -> None:
    """Add ``export`` to the command line."""
    parser = subparsers.add_parser("export", help="write native cases as another suite's file")
    parser.add_argument("select", nargs="*", metavar="SELECTOR", help="id, prefix of ids ending at a dot, or glob")
    parser.add_argument("--to", choices=[ATK], required=True, help="whose file: %(choices)s")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FILE", help="JSON file to write")
    parser.add_argument("--paths", action="append", type=Path, metavar="PATH", help="case file or folder")
    parser.set_defaults(handler=_export)


def _import(given: argparse.Namespace) -> int:
    """0 where every case was readable and at least one was written, 1 where none was, 2 for bad data."""
    done = import_files(given.files)
    drafts = list(_drafts(done, given.output))
    there = [path for path, _, _ in drafts if path.exists()]
    if there and not given.force:
        raise InvalidOption(f"{there[0]} is there already; name another folder, or give --force to write over it")
    for path, text, count in drafts:
        write_text(path, text)
        print(f"{path}: {_cases(count)}")
    total = sum(count for _, _, count in drafts)
    print(f"{_cases(total)} in {len(drafts)} native {'file' if len(drafts) == 1 else 'files'}")
    groups = [group for found in done.groups.values() for group in found]
    _print_counts("outside of the default tier", Counter(group["tier"] for group in groups if "tier" in group))
    _print_counts("said by ATK, not by native cases", done.lost)
    _print_counts("not imported", done.left_out)
    _complain(done.problems)
    return MISUSE if done.problems else GREEN if total else RED


def _export(given: argparse.Namespace) -> int:
    """0 where at least one case was written and all data is sound, 1 where none was, 2 for bad data."""
    corpus = load_corpus(given.paths, given.select)
    files = {file.path for file in corpus.files}
    chosen = select(corpus.cases, given.select)
    done = export_cases((case for case in chosen if case.path in files), _rests(corpus))
    foreign = sum(case.path not in files for case in chosen)
    done.left_out.update({"a case of another suite's file": foreign} if foreign else {})
    if done.entries:
        write_text(given.output, canonical(done.entries))
        print(f"{given.output}: {_cases(len(done.entries))}")
    _print_said(done)
    _complain(corpus.problems)
    return MISUSE if corpus.problems else GREEN if done.entries else RED


def _print_said(done: Export) -> None:
    total = len(done.entries) + done.left_out.total()
    print(f"{len(done.entries)} of {_cases(total)} exported")
    _print_counts("said by native cases, not by ATK's entries", done.lost)
    _print_counts("not exported", done.left_out)


def _rests(corpus: Corpus) -> Mapping[tuple[Path, str], Mapping[str, Any]]:
    return {
        (file.path, group.name): group.body["atk"]
        for file in corpus.files
        for group in file.groups
        if "atk" in group.body
    }


def _drafts(done: Import, output: Path) -> Iterator[tuple[Path, str, int]]:
    """Path, text and number of cases of each native file; raises InvalidOption where one cannot lie there."""
    taken: set[Path] = set()
    for api, source, groups, name in files_of(done):
        folder, schemas = _place(output, api)
        path, number = folder / name, 2
        while path in taken:
            path, number = folder / f"{Path(name).stem}_{number}.json", number + 1
        taken.add(path)
        text = canonical(
            document_of(api, source, groups, f"{schemas}{schema.CASES}.schema.json"),
            schema.schema_document(schema.CASES),
        )
        _require_valid(api, path, text)
        yield path, text, len(groups)


def _place(output: Path, api: str) -> tuple[Path, str]:
    """Folder for files of an API, and the way from there to the schemas: beside its contract where there is one."""
    contract = load_contracts()[api]
    beside = output / Path(*contract.name.split("."))
    if (beside / CONTRACT_FILE).is_file():
        return beside, _ABOVE
    if not (output / CONTRACT_FILE).is_file():
        return output, ""
    if load_contract(output / CONTRACT_FILE).api != api:
        raise InvalidOption(f"{output} is the folder of another API than {api}; name {data_root()} or a new folder")
    return output, _ABOVE


def _require_valid(api: str, path: Path, text: str) -> None:
    """Raises InvalidData where a file would not load again."""
    document = parse_json(text, path)
    problems = schema.schema_problems(schema.CASES, document, text, path)
    if problems:
        raise InvalidData(problems)
    groups = tuple(Group(body["name"], body, f"/groups/{i}") for i, body in enumerate(document["groups"]))
    expand(CaseFile(path, text, load_contracts()[api], {}, groups))


def _cases(count: int) -> str:
    return f"{count} case" if count == 1 else f"{count} cases"


def _print_counts(title: str, counts: Counter[str]) -> None:
    if not counts:
        return
    print(f"{title}:")
    for what, count in counts.most_common(_REASONS):
        print(f"{count:>7}  {what}")
    if len(counts) > _REASONS:
        rest = counts.total() - sum(count for _, count in counts.most_common(_REASONS))
        print(f"{rest:>7}  for {len(counts) - _REASONS} more reasons")


def _complain(problems: Iterable[Problem]) -> None:
    for problem in problems:
        print(f"error: {problem}", file=sys.stderr)
