"""Records of shards put together again, unless they do not belong together."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from conformance.errors import InvalidRecord
from conformance.record import Record, RecordWriter, read_record
from conformance.same_run import differences
from conformance.schema import RECORD, schema_problems
from conformance.shard import digest_of

Line = Mapping[str, Any]
_TOLERANCE = 1e-6
"""Relative difference of figures that is none: goldens may differ in their last bits from processor to processor."""


def merge(records: Sequence[Record], path: Path) -> Record:
    """Write one record of all the shards; raises InvalidRecord with everything that speaks against it."""
    complaints = list(_complaints(records, path))
    if complaints:
        raise InvalidRecord("the shards do not belong together:\n" + "\n".join(f"- {text}" for text in complaints))
    shards = sorted(records, key=_index)
    header = {key: value for key, value in shards[0].header.items() if key != "shard"}
    lines: dict[str, Line] = {}
    for record in shards:
        for line in record.lines:
            lines.setdefault(line["id"], line)
    with RecordWriter(path, header, earlier=sum(record.seconds for record in shards)) as writer:
        for _, line in sorted(lines.items()):
            writer.add(line)
        writer.close(complaints=tuple(dict.fromkeys(text for record in shards for text in record.complaints)))
    return read_record(path)


def _index(record: Record) -> int:
    return int(record.header.get("shard", {}).get("index", 0))


def _complaints(records: Sequence[Record], path: Path) -> Iterator[str]:
    if not records:
        yield "there are none"
    yield from (f"{path} is one of them, and would be overwritten" for record in records if _is_same(record.path, path))
    malformed = [problem for record in records for problem in _malformed(record)]
    if malformed or not records:
        yield from malformed
        return
    yield from (f"{record.path} has no footer: its run did not end" for record in records if record.footer is None)
    yield from _wrong_set(records)
    yield from _different_headers(records)
    yield from _wrong_cases(records)
    yield from _different_answers(records)


def _is_same(one: Path, other: Path) -> bool:
    return one.resolve() == other.resolve()


def _malformed(record: Record) -> list[str]:
    """What keeps a record from being looked at any further."""
    if "shard" not in record.header:
        return [f"{record.path} is no record of a shard"]
    broken = schema_problems(RECORD, record.header, json.dumps(record.header), record.path)
    return [f"{record.path}:1: is no header of a record: it breaks the schema"] if broken else []


def _wrong_set(records: Sequence[Record]) -> Iterator[str]:
    counts = {record.header["shard"]["of"] for record in records}
    if len(counts) > 1:
        yield f"they are shards of {', '.join(map(str, sorted(counts)))}"
        return
    have = Counter(map(_index, records))
    for index in range(1, counts.pop() + 1):
        if have[index] != 1:
            yield f"shard {index} is {'missing' if not have[index] else f'there {have[index]} times'}"


def _different_headers(records: Sequence[Record]) -> Iterator[str]:
    first, *others = records
    for other in others:
        for name, before, after in differences(first.header, other.header):
            yield f"{name}: {before} in {first.path}, {after} in {other.path}"


def _wrong_cases(records: Sequence[Record]) -> Iterator[str]:
    identity = set(records[0].header["shard"]["identity"])
    counts = Counter(line["id"] for record in records for line in record.lines)
    for case_id, count in sorted(counts.items()):
        if count != (len(records) if case_id in identity else 1):
            yield f"{case_id} is there {count} times"
    yield from (f"{case_id} is missing, which every shard has" for case_id in sorted(identity - counts.keys()))
    wanted = records[0].header["shard"]
    if len(counts) != wanted["selected"] or digest_of(counts) != wanted["digest"]:
        yield f"{len(counts)} cases are there, {wanted['selected']} were selected"


def _different_answers(records: Sequence[Record]) -> Iterator[str]:
    """Identity cases that did not get the same answer everywhere: the machines are not alike."""
    first, *others = records
    known = {line["id"]: line for line in first.lines}
    for other in others:
        theirs = {line["id"]: line for line in other.lines}
        for case_id in first.header["shard"]["identity"]:
            if case_id in known and case_id in theirs and not _alike(_answer(known[case_id]), _answer(theirs[case_id])):
                yield f"{case_id} was answered otherwise in {other.path} than in {first.path}"


def _answer(line: Line) -> Any:
    """Verdict, what was measured, and how the call ended."""
    return [line["verdict"], line.get("outputs"), line.get("outcome", {}).get("text")]


def _alike(one: Any, other: Any) -> bool:
    """Whether two answers are the same, figures as closely as processors agree on a golden."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(_alike(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_alike, one, other))
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=_TOLERANCE, abs_tol=_TOLERANCE**2)
    return bool(one == other)
