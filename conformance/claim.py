"""What a record proves about the required cases: everything against it, or the level it reaches.

A record proves something only if it is whole, was made by this very suite, has one line for each required case, and
every verdict follows from what was measured.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cache
from typing import Any

from conformance.case import Case
from conformance.complaint import Complaint, gathered
from conformance.consistency import contradictions
from conformance.errors import InvalidRecord
from conformance.recheck import Recheck, Rejudged, recheck, setting_of
from conformance.record import Record
from conformance.required import RequiredCase, RequiredList
from conformance.schema import RECORD, schema_problems
from conformance.standard import Standard
from conformance.suite import Suite
from conformance.verdict import Verdict
from conformance.waiver import Waiver, WaiverKind, digest_of_waivers, stale_waivers

LEVELS = ("strict", "cann_mixed")
"""Standards that a certificate may be given by, the stricter first."""
SEED = 0
"""The seed of every certificate: data that the implementer may choose proves less."""
CONFORMANT, PARTIAL = "conformant", "partial"


@dataclass(frozen=True, slots=True)
class Claim:
    """What is claimed; with complaints nothing is.

    ``waived`` and ``partial`` are ids of required cases with the waiver that excuses them, ``unspecified`` counts the
    choices made, by group and by whose answer it was.
    """

    complaints: tuple[Complaint, ...]
    level: str = ""
    standard: Standard | None = None
    counts: Counter[Verdict] = field(default_factory=Counter)
    waived: Mapping[str, Waiver] = field(default_factory=dict)
    partial: Mapping[str, Waiver] = field(default_factory=dict)
    unspecified: Counter[tuple[str, str]] = field(default_factory=Counter)


def examine(
    record: Record,
    required: RequiredList,
    suite: Suite,
    waivers: Sequence[Waiver],
    today: date,
    levels: Sequence[str] = LEVELS,
) -> Claim:
    """The claim that a record supports under the first of ``levels`` that it reaches."""
    if malformed := list(_malformed(record)):
        return Claim(tuple(malformed))
    product = record.header["product"]
    wanted = required.on(product)
    complaints = [
        *_whole(record),
        *_same_suite(record.header, suite),
        *_same_terms(record.header, waivers),
        *_listed(record, wanted, suite),
    ]
    if not wanted:
        complaints.append(Complaint(f"no case of release {required.release} is required on {product}"))
    stale = stale_waivers(waivers, suite.cases.values(), setting_of(record, today))
    complaints += [Complaint(f"waiver {problem}") for problem in stale]

    @cache
    def again(name: str) -> Recheck:
        return recheck(record, suite.cases, suite.standards[name], waivers, today)

    own = record.header["standard"]["name"]
    try:
        complaints += _contradictions(again(own), suite) if own in suite.standards else []
        best = _best(_reached(again(name), wanted, suite, record.header) for name in levels)
    except InvalidRecord as error:
        return Claim((*complaints, Complaint(str(error))))
    return replace(best, complaints=(*complaints, *best.complaints))


def _best(trials: Iterable[Claim]) -> Claim:
    """The first that nothing speaks against, else the one that the fewest cases speak against."""
    tried = []
    for trial in trials:
        tried.append(trial)
        if not trial.complaints:
            break
    return min(tried, key=lambda trial: sum(len(complaint.cases) for complaint in trial.complaints))


def _malformed(record: Record) -> Iterator[Complaint]:
    """What is no record at all, whatever its footer says."""
    header = dict(record.header)
    for problem in schema_problems(f"{RECORD}#/$defs/header", header, json.dumps(header), record.path):
        yield Complaint(f"the record's header: {problem}")
    if not all(isinstance(line.get(key), str) for line in record.lines for key in ("id", "api", "reason")):
        yield Complaint("the record has lines without id, API or reason")


def _whole(record: Record) -> Iterator[Complaint]:
    if record.footer is None:
        yield Complaint("the record has no footer: its run did not end")
    if "shard" in record.header:
        shard = record.header["shard"]
        yield Complaint(f"the record is shard {shard['index']} of {shard['of']}; merge all of them")
    yield from (Complaint(f"the run was red: {text}") for text in record.complaints)
    if record.header["seed"] != SEED:
        yield Complaint(f"the record was made with seed {record.header['seed']}, not with {SEED}")


def _same_terms(header: Mapping[str, Any], waivers: Sequence[Waiver]) -> Iterator[Complaint]:
    """Options of the run that verdicts depend on: its waivers are those given, and each case had its own deadline."""
    terms = header.get("terms", {})
    if "deadline" in terms:
        yield Complaint(f"the run had a deadline of {terms['deadline']} s in place of each case's own")
    if terms.get("waivers") != (digest_of_waivers(waivers) if waivers else None):
        yield Complaint("the run had other waivers than those given")


def _same_suite(header: Mapping[str, Any], suite: Suite) -> Iterator[Complaint]:
    sources = header["environment"].get("sources", "unknown")
    if header["data"] != suite.data:
        yield Complaint(f"the record was made with data {header['data'][:12]}, this suite has {suite.data[:12]}")
    if sources != suite.sources:
        yield Complaint(f"the record was made by sources {sources[:12]}, this suite has {suite.sources[:12]}")
    name, version = header["standard"]["name"], header["standard"]["version"]
    if name not in suite.standards or suite.standards[name].version != version:
        yield Complaint(f"this suite has no standard {name} {version}, by which the record was judged")


def _listed(record: Record, wanted: Mapping[str, RequiredCase], suite: Suite) -> Iterator[Complaint]:
    counts = Counter(line["id"] for line in record.lines)
    yield from gathered(("has no line in the record", name) for name in wanted if not counts[name])
    yield from gathered((f"has {n} lines in the record", name) for name, n in counts.items() if n > 1)
    yield from gathered(("is no case of this suite", name) for name in counts if name not in suite.cases)
    changed = (name for name, one in wanted.items() if name in suite.cases and not _is_same(suite.cases[name], one))
    yield from gathered(("is another case in this suite than in the list", name) for name in changed)


def _is_same(case: Case, required: RequiredCase) -> bool:
    return (case.digest, case.products) == (required.digest, required.products)


def _contradictions(result: Recheck, suite: Suite) -> list[Complaint]:
    """Lines whose verdict does not follow from what was seen."""
    pairs = (
        (what, one.line["id"]) for one in result.rejudged for what in contradictions(one, suite.cases[one.line["id"]])
    )
    return gathered(pairs)


def _reached(result: Recheck, wanted: Mapping[str, RequiredCase], suite: Suite, header: Mapping[str, Any]) -> Claim:
    """Whether the required cases hold under a standard; the complaints are those cases that do not."""
    own, product = header["standard"]["name"], header["product"]
    standard, lines = result.standard, [one for one in result.rejudged if one.line["id"] in wanted]
    is_other = standard.name != own
    bad = [one for one in lines if not (_is_allowed(one, is_other) or _may_be_idle(one, product, suite))]
    partial = {one.line["id"]: one.waiver for one in lines if one.waiver and one.waiver.kind is not WaiverKind.WAIVER}
    waived = [one for one in lines if one.now.verdict is Verdict.WAIVED]
    return Claim(
        tuple(gathered((f"{one.now.verdict.value} by {standard.name}", one.line["id"]) for one in bad)),
        PARTIAL if partial else CONFORMANT,
        standard,
        Counter(one.now.verdict for one in lines),
        {one.line["id"]: one.waiver for one in waived if one.waiver and one.line["id"] not in partial},
        partial,
        Counter((_group(one), one.now.side or "undefined") for one in lines if one.now.verdict is Verdict.UNSPECIFIED),
    )


def _is_allowed(one: Rejudged, is_other: bool) -> bool:
    """Whether a verdict holds; what a waiver excused by the standard of the run need be no deviation by another."""
    verdict = one.now.verdict
    return verdict in _ALLOWED or (is_other and verdict is Verdict.UNEXPECTED_PASS and one.was is Verdict.WAIVED)


def _may_be_idle(one: Rejudged, product: str, suite: Suite) -> bool:
    """Whether a required case need not have run: a waiver skips it, or its API does not belong on the product."""
    if one.now.verdict is Verdict.SKIPPED:
        return one.waiver is not None and one.waiver.kind is WaiverKind.SKIP
    listed = suite.cases[one.line["id"]].contract.products
    return one.now.verdict is Verdict.UNSUPPORTED and product not in listed


_ALLOWED = frozenset({Verdict.PASSED, Verdict.UNSPECIFIED, Verdict.WAIVED})


def _group(one: Rejudged) -> str:
    return ".".join(str(one.line["id"]).split(".")[:4])
