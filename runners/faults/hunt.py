"""Runs faults over the case set: case by case, every fault that is still at large in turn.

Each golden is computed once for all faults. Faults that remember calls see the cases in the order of a run; the others
meet small cases of every group first, which end most of them.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import as_completed
from dataclasses import dataclass, replace
from functools import cache
from math import prod

from conformance.card import DEFAULT
from conformance.case import Case, TensorSpec
from conformance.case_id import name_of
from conformance.corpus import load_corpus
from conformance.execute import Session
from conformance.golden_cache import CachedReference
from conformance.isolate import IsolatedRunner
from conformance.load import load_contracts
from conformance.opening import open_session
from conformance.options import DEFAULT_STANDARD, Options
from conformance.pool import worked_on
from conformance.tier import of_tier
from runners.faults.catalogue import BY_ID
from runners.faults.fault import EVERYWHERE, Fault, Scope

RUNNER = "runners.faults.runner:FaultyRunner"
CAUGHT = frozenset({"failed", "mistrusted"})
"""Verdicts that blame the implementation; a harness that breaks has found nothing."""
_DEADLINE = 2.0
"""Seconds that a call of a fault that may hang gets."""
_SIZES = (1 << 10, 1 << 14, 1 << 18)
"""Elements at which cases count as larger."""


@dataclass(frozen=True, slots=True)
class Catch:
    """A red verdict on one implementation with one fault."""

    fault: str
    api: str
    product: str
    case: str
    verdict: str
    reason: str

    @property
    def group(self) -> str:
        """The prefix of ids that the case's group has."""
        return group_of(self.case)


@dataclass(frozen=True, slots=True)
class Task:
    """One job: these faults on one API of one product, over the cases of some names, or all where none is given.

    It goes on for a fault after its first catch only with ``every``: "" (no), "group" (one catch a group) or "case".
    Cases with a tensor of more than ``max_elements`` are left out.
    """

    faults: tuple[str, ...]
    api: str
    product: str
    names: frozenset[str] = frozenset()
    every: str = ""
    max_elements: int | None = None


def group_of(case_id: str) -> str:
    """Family, API, file and group of an id."""
    return ".".join(case_id.split(".")[:4])


def tasks_of(
    faults: Iterable[Fault], scope: Scope = EVERYWHERE, names: frozenset[str] = frozenset(), every: str = ""
) -> list[Task]:
    """A job for each API and product where some of the faults apply; isolated faults have jobs of their own."""
    contracts = load_contracts()
    shared: dict[tuple[str, str], list[str]] = {}
    alone: list[Task] = []
    for fault in faults:
        for api, product in scope.places(fault, contracts):
            if fault.isolated:
                alone.append(Task((fault.id,), api, product, names, every))
            else:
                shared.setdefault((api, product), []).append(fault.id)
    tasks = [Task(tuple(ids), api, product, names, every) for (api, product), ids in shared.items()]
    return sorted([*tasks, *alone], key=lambda task: -len(task.faults))


def hunt(tasks: Sequence[Task], jobs: int = 1) -> Iterator[tuple[Task, list[Catch]]]:
    """Catches of each job as it ends; in this process for one job at a time."""
    if jobs == 1:
        yield from ((task, run_task(task)) for task in tasks)
        return
    with worked_on(run_task, tasks, jobs) as running:
        for done in as_completed(running):
            yield running[done], done.result()


def run_task(task: Task) -> list[Catch]:
    """Run one job."""
    # Arguments that should have been refused make numpy complain.
    warnings.simplefilter("ignore")
    faults = [BY_ID[name] for name in task.faults]
    cases = [case for case in cases_of(task.api, task.names) if _is_for(task, case)]
    stateful = [fault for fault in faults if fault.stateful]
    others = [fault for fault in faults if not fault.stateful]
    return [*_pursue(task, others, _small_first(cases)), *_pursue(task, stateful, cases)]


def _pursue(task: Task, faults: Sequence[Fault], cases: Sequence[Case]) -> list[Catch]:
    judges = {fault.id: judge_of(fault, task.product) for fault in faults}
    catches: dict[tuple[str, str], Catch] = {}
    try:
        for case in cases:
            for name in [name for name in judges if (name, _mark(task, case)) not in catches]:
                judged = judges[name].execute(case).judged
                if judged.verdict.value in CAUGHT:
                    key = (name, _mark(task, case))
                    catches[key] = Catch(name, task.api, task.product, case.id, judged.verdict.value, judged.reason)
                    if not task.every:
                        _close(judges.pop(name))
    finally:
        for judge in judges.values():
            _close(judge)
    return list(catches.values())


def _mark(task: Task, case: Case) -> str:
    """What a fault is caught once by."""
    return {"": "", "group": group_of(case.id), "case": case.id}[task.every]


def judge_of(fault: Fault, product: str) -> Session:
    """Session that judges one fault; goldens are shared with all others of the product."""
    session = _session(product)
    if fault.isolated:
        return replace(session, runner=IsolatedRunner(RUNNER, {"fault": fault.id}), deadline=_DEADLINE)
    return replace(session, runner=fault.build())


def _close(judge: Session) -> None:
    if isinstance(judge.runner, IsolatedRunner):
        judge.runner.close()


@cache
def _session(product: str) -> Session:
    """Session whose goldens are shared by all faults; nothing but the verdict is wanted."""
    session = open_session(Options(product=product))
    return replace(
        session,
        reference=CachedReference(session.reference, benchmarks=False),
        standards={DEFAULT_STANDARD: session.standard},
        diagnose=False,
    )


def cases_of(api: str, names: frozenset[str] = frozenset()) -> list[Case]:
    """Cases of one API, in the order of a run; those of the names where there are some."""
    return [case for case in _of(api) if not names or name_of(case.id) in names]


@cache
def _of(api: str) -> tuple[Case, ...]:
    """Cases of the default tier."""
    cases = load_corpus(selectors=[load_contracts()[api].name]).cases
    return tuple(of_tier([case for case in cases if case.contract.api == api], DEFAULT))


def _small_first(cases: Sequence[Case]) -> list[Case]:
    """Cases by size class, and within it the first of every group, the second of every group, and so on."""
    seen: dict[tuple[str, int], int] = {}
    ranks = {}
    for case in cases:
        key = (case.group, _size_class(case))
        seen[key] = seen.get(key, -1) + 1
        ranks[case.id] = (key[1], seen[key])
    return sorted(cases, key=lambda case: ranks[case.id])


def _is_for(task: Task, case: Case) -> bool:
    limit = task.max_elements
    return task.product in case.products and (limit is None or _elements(case) <= limit)


def _size_class(case: Case) -> int:
    return sum(_elements(case) > size for size in _SIZES)


def _elements(case: Case) -> int:
    return max((prod(a.shape) for a in case.arguments.values() if isinstance(a, TensorSpec)), default=0)
