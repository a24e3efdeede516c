"""What groups of cases are worth: the faults that each of them finds and no earlier one does."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from conformance.case import Case
from conformance.contract import Contract
from conformance.execute import Session
from conformance.product import Product
from runners.faults.catalogue import CATALOGUE
from runners.faults.fault import Fault
from runners.faults.hunt import CAUGHT, judge_of


@dataclass(frozen=True, slots=True)
class Worth:
    """One group and what it adds to those before it."""

    group: str
    faults: tuple[Fault, ...]

    @property
    def classes(self) -> tuple[str, ...]:
        """Classes of the faults it adds, sorted."""
        return tuple(sorted({fault.kind.value for fault in self.faults}))


def weigh(contract: Contract, product: Product, groups: Mapping[str, Sequence[Case]]) -> list[Worth]:
    """Worth of each group in the order given, by the catalogue's faults that one call alone can show.

    Faults that remember calls or crash are left out: what they show depends on more than the group.
    """
    left = {
        fault.id: (fault, judge_of(fault, product.name))
        for fault in CATALOGUE
        if fault.is_in(contract, product) and not fault.stateful and not fault.isolated
    }
    worths = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, cases in groups.items():
            found = [fault for fault, judge in left.values() if _finds(judge, cases)]
            worths.append(Worth(name, tuple(found)))
            for fault in found:
                del left[fault.id]
    return worths


def _finds(judge: Session, cases: Iterable[Case]) -> bool:
    return any(judge.execute(case).judged.verdict.value in CAUGHT for case in cases)
