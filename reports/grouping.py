"""Red cases of a record grouped by what they share: their signature, and what sets them apart from passed cases."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from conformance.record import Record
from conformance.verdict import Verdict

Line = Mapping[str, Any]
_RANK = re.compile(r"rank(\d+)")
_REFUSAL = "refusal"
_MOST_WORDS = 3
_FEW = 0.25
"""Share of the passed cases that may have what all failing ones have and still be told."""


@dataclass(frozen=True, slots=True)
class FailureGroup:
    """Cases of one API with the same verdict and signature; ``common`` is what only they have, or empty."""

    api: str
    verdict: Verdict
    signature: str
    ids: tuple[str, ...]
    common: str

    def __str__(self) -> str:
        common = f" ({self.common})" if self.common else ""
        return f"{len(self.ids)} {self.verdict.value} {self.api}: {self.signature}{common}"


def group_failures(record: Record) -> tuple[FailureGroup, ...]:
    """Groups of red and waived cases, the largest first."""
    together: dict[tuple[str, str, str], list[Line]] = defaultdict(list)
    passed: dict[str, list[Line]] = defaultdict(list)
    for line in record.lines:
        if line["verdict"] == Verdict.PASSED.value:
            passed[line["api"]].append(line)
        elif "signature" in line:
            together[line["api"], line["verdict"], line["signature"]].append(line)
    groups = [
        FailureGroup(
            api, Verdict(verdict), signature, tuple(line["id"] for line in lines), what_is_common(lines, passed[api])
        )
        for (api, verdict, signature), lines in together.items()
    ]
    return tuple(sorted(groups, key=lambda group: (-len(group.ids), group.api, group.signature)))


def what_is_common(failed: Sequence[Line], passed: Sequence[Line]) -> str:
    """What sets failed cases of an API apart from the passed ones, in words; empty where nothing does.

    In this order: facets that every failed and no passed case has, or the other way round; the lowest rank or number
    of elements from which cases fail; a pair of facets; a facet of all failed cases that few passed ones have.
    """
    passed = _comparable(failed, passed)
    if len(failed) < 2 or not passed:
        return ""
    bad, good = [_facets(line) for line in failed], [_facets(line) for line in passed]
    return (
        _one_facet(bad, good)
        or _no_facet(bad, good)
        or _rank(failed, passed)
        or _size(failed, passed)
        or _two_facets(bad, good)
        or _rare_facet(bad, good)
    )


def _comparable(failed: Sequence[Line], passed: Sequence[Line]) -> list[Line]:
    """Passed cases that expect what the failed ones do; all of them where the failed ones differ in it."""
    kinds = {_REFUSAL in _facets(line) for line in failed}
    return [line for line in passed if len(kinds) > 1 or {_REFUSAL in _facets(line)} == kinds]


def _words(facets: Sequence[str]) -> str:
    """A few facets, without those that only say another one again (refusal, refusals)."""
    told = [word for word in facets if not any(word != other and word.startswith(other) for other in facets)]
    return " ".join(told[:_MOST_WORDS])


def _facets(line: Line) -> frozenset[str]:
    return frozenset(line.get("facets", ()))


def _shared(sets: Sequence[frozenset[str]]) -> list[str]:
    return sorted(frozenset.intersection(*sets))


def _one_facet(bad: Sequence[frozenset[str]], good: Sequence[frozenset[str]]) -> str:
    only = [facet for facet in _shared(bad) if not any(facet in facets for facets in good)]
    return f"only {_words(only)} cases" if only else ""


def _no_facet(bad: Sequence[frozenset[str]], good: Sequence[frozenset[str]]) -> str:
    lacking = [facet for facet in _shared(good) if not any(facet in facets for facets in bad)]
    return f"only cases that are not {_words(lacking[:1])}" if lacking else ""


def _two_facets(bad: Sequence[frozenset[str]], good: Sequence[frozenset[str]]) -> str:
    shared = _shared(bad)
    pairs = ((a, b) for at, a in enumerate(shared) for b in shared[at + 1 :])
    found = next((list(pair) for pair in pairs if not any(facets.issuperset(pair) for facets in good)), None)
    return f"only {_words(found)} cases" if found else ""


def _rare_facet(bad: Sequence[frozenset[str]], good: Sequence[frozenset[str]]) -> str:
    counts = {facet: sum(facet in facets for facets in good) for facet in _shared(bad)}
    if not counts:
        return ""
    facet = min(counts, key=lambda name: (counts[name], name))
    total = len(bad) + counts[facet]
    return f"only {facet} cases, {len(bad)} of {total}" if counts[facet] <= _FEW * len(good) else ""


def _threshold(failed: Sequence[Line], passed: Sequence[Line], number: Callable[[Line], int], name: str) -> str:
    """Whether a number of the case divides failed from passed ones."""
    bad, good = list(map(number, failed)), list(map(number, passed))
    if min(bad) > max(good):
        return f"only {name} ≥ {min(bad)}"
    return f"only {name} ≤ {max(bad)}" if max(bad) < min(good) else ""


def _rank(failed: Sequence[Line], passed: Sequence[Line]) -> str:
    if not all(map(_ranks, (*failed, *passed))):
        return ""
    return _threshold(failed, passed, lambda line: max(_ranks(line)), "rank")


def _ranks(line: Line) -> list[int]:
    matches = map(_RANK.fullmatch, _facets(line))
    return [int(match[1]) for match in matches if match]


def _size(failed: Sequence[Line], passed: Sequence[Line]) -> str:
    """Elements of the largest output; cases whose outputs were not measured say nothing."""
    measured = [line for line in passed if line.get("outputs")]
    if not measured or not all(line.get("outputs") for line in failed):
        return ""
    return _threshold(failed, measured, _elements, "n")


def _elements(line: Line) -> int:
    return max(int(output["metrics"]["count"]) for output in line["outputs"].values())
