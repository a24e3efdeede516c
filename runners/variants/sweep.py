"""Runs variants over the case set: case by case, every variant in turn, so that each golden is computed once."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import product as pairs
from math import inf

from conformance.card import DEFAULT
from conformance.case import Case
from conformance.corpus import Corpus, load_corpus
from conformance.errors import InvalidData
from conformance.execute import Session
from conformance.golden_cache import CachedReference
from conformance.opening import open_session
from conformance.options import Options
from conformance.pool import worked_on
from conformance.rules import DualBenchmark
from conformance.select import select
from conformance.standard import Standard
from conformance.tier import of_tier
from runners.variants.catalogue import VARIANTS

_SLICES = 4
"""Parts a product's cases are dealt into, so that parallel jobs end together."""


@dataclass(frozen=True, slots=True)
class Alarm:
    """A red verdict on a conforming implementation."""

    variant: str
    product: str
    case: str
    verdict: str
    reason: str

    def __str__(self) -> str:
        return f"{self.variant} on {self.product}: {self.case} {self.verdict}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Part:
    """One job: these variants on a share of one product's cases, ``part`` of ``parts``; under a standard."""

    variants: tuple[str, ...]
    product: str
    standard: str
    selectors: tuple[str, ...] = ()
    share: float = 1.0
    part: int = 0
    parts: int = 1


@dataclass(slots=True)
class Findings:
    """What variants came to: verdicts by variant and API, worst headroom by variant, and every alarm."""

    counts: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    headroom: dict[str, float] = field(default_factory=dict)
    alarms: list[Alarm] = field(default_factory=list)

    def merge(self, other: Findings) -> None:
        """Count in what another job found."""
        self.counts.update(other.counts)
        self.alarms.extend(other.alarms)
        for variant, headroom in other.headroom.items():
            self.headroom[variant] = max(headroom, self.headroom.get(variant, 0.0))

    @property
    def executed(self) -> int:
        """Cases that were run and judged, over all variants."""
        return sum(count for (_, _, verdict), count in self.counts.items() if verdict not in ("skipped", "unsupported"))


def parts_of(
    variants: Sequence[str], products: Sequence[str], standard: str, selectors: Sequence[str], jobs: int
) -> list[Part]:
    """The jobs of a sweep."""
    parts = 1 if jobs == 1 else _SLICES
    return [
        Part(tuple(variants), product, standard, tuple(selectors), part=part, parts=parts)
        for product, part in pairs(products, range(parts))
    ]


def sweep(parts: Sequence[Part], jobs: int) -> Iterator[Findings]:
    """Findings of each job, as it ends in turn; in this process for one job at a time."""
    if jobs == 1:
        yield from map(run_part, parts)
        return
    with worked_on(run_part, parts, jobs) as running:
        yield from (one.result() for one in running)


def run_part(part: Part) -> Findings:
    """Run one job."""
    session = open_session(Options(product=part.product, standard=part.standard))
    session = replace(
        session,
        reference=CachedReference(session.reference, benchmarks=_needs_benchmark(session.standard)),
        standards={part.standard: session.standard},
        diagnose=False,
    )
    judges = {name: replace(session, runner=VARIANTS[name].make()) for name in part.variants}
    findings = Findings()
    for case in _share(part):
        for name, judge in judges.items():
            _count(findings, name, judge, case)
    return findings


def _needs_benchmark(standard: Standard) -> bool:
    return any(isinstance(rule, DualBenchmark) for clause in standard.clauses for rule in clause.rules.values())


def _count(findings: Findings, variant: str, judge: Session, case: Case) -> None:
    judged = judge.execute(case).judged
    findings.counts[variant, case.contract.api, judged.verdict.value] += 1
    if judged.verdict.is_red:
        findings.alarms.append(Alarm(variant, judge.product.name, case.id, judged.verdict.value, judged.reason))
    if judged.headroom is not None and judged.headroom < inf:
        findings.headroom[variant] = max(judged.headroom, findings.headroom.get(variant, 0.0))


def _share(part: Part) -> Iterable[Case]:
    cases = of_tier(select(_corpus(tuple(part.selectors)).cases, part.selectors), DEFAULT, part.selectors)
    chosen = (case for case in cases if part.product in case.products)
    dealt = [case for number, case in enumerate(chosen) if number % part.parts == part.part]
    return (case for case in dealt if _draw(case.id) < part.share)


@cache
def _corpus(selectors: tuple[str, ...]) -> Corpus:
    """The case set as far as it may be picked, read once a process; raises InvalidData when some of it is bad."""
    corpus = load_corpus(selectors=selectors)
    if corpus.problems:
        raise InvalidData(list(corpus.problems))
    return corpus


def _draw(case_id: str) -> float:
    """A number in [0, 1) that an id always gets."""
    return int.from_bytes(hashlib.blake2b(case_id.encode(), digest_size=4).digest(), "big") / 2**32
