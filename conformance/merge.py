"""Records of shards put together again, unless they do not belong together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from conformance.errors import InvalidRecord
from conformance.record import Record, RecordWriter
from conformance.shard import digest_of

Line = Mapping[str, Any]
_PER_MACHINE = ("started", "shard", "environment")
"""Parts of a header that differ from machine to machine; of the environment only versions must not."""
_SAME_VERSIONS = ("suite", "python", "numpy", "torch", "ml_dtypes")
_PER_DEVICE = ("device", "host", "pid")
"""Facts of a runner that differ from machine to machine."""


def merge(records: Sequence[Record], path: Path) -> Record:
    """Write one record of all the shards; raises InvalidRecord with everything that speaks against it."""
    complaints = list(_complaints(records))
    if complaints:
        raise InvalidRecord("the shards do not belong together:\n" + "\n".join(f"- {text}" for text in complaints))
    first = min(records, key=_index)
    header = {key: value for key, value in first.header.items() if key != "shard"}
    lines: dict[str, Line] = {}
    for record in sorted(records, key=_index):
        for line in record.lines:
            lines.setdefault(line["id"], line)
    with RecordWriter(path, header) as writer:
        for _, line in sorted(lines.items()):
            writer.add(line)
    return Record(path, header, tuple(lines.values()), {})


def _index(record: Record) -> int:
    return int(record.header.get("shard", {}).get("index", 0))


def _complaints(records: Sequence[Record]) -> Iterator[str]:
    strangers = [record.path for record in records if "shard" not in record.header]
    if strangers or not records:
        yield from (f"{path} is no record of a shard" for path in strangers)
        return
    yield from (f"{record.path} has no footer: its run did not end" for record in records if record.footer is None)
    yield from _wrong_set(records)
    yield from _different_headers(records)
    yield from _wrong_cases(records)
    yield from _different_answers(records)


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
        before, after = _build(first), _build(other)
        for name in sorted(before.keys() | after.keys()):
            if before.get(name) != after.get(name):
                yield f"{name}: {before.get(name)} in {first.path}, {after.get(name)} in {other.path}"


def _build(record: Record) -> dict[str, Any]:
    """What must be the same of all shards."""
    header = record.header
    runner = {key: value for key, value in header["runner"].items() if key not in ("spec", "facts")}
    facts = {name: value for name, value in header["runner"]["facts"].items() if name not in _PER_DEVICE}
    versions = {name: header["environment"].get(name) for name in _SAME_VERSIONS}
    selection = {name: header["shard"][name] for name in ("selected", "digest", "identity")}
    rest = {key: value for key, value in header.items() if key not in (*_PER_MACHINE, "runner")}
    return {**rest, **_named("runner", runner), **_named("runner", facts), **versions, **_named("selection", selection)}


def _named(prefix: str, values: Mapping[str, Any]) -> dict[str, Any]:
    return {f"{prefix} {name}": value for name, value in values.items()}


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
            if case_id in known and case_id in theirs and _answer(known[case_id]) != _answer(theirs[case_id]):
                yield f"{case_id} was answered otherwise in {other.path} than in {first.path}"


def _answer(line: Line) -> Any:
    """Verdict and what was measured: the bits of a result may not differ from machine to machine."""
    return [line["verdict"], line.get("outputs"), line.get("outcome", {}).get("text")]
