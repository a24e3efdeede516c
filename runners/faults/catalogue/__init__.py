"""The catalogue: every fault, by class."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from difflib import get_close_matches

from conformance.errors import ConformanceError
from runners.faults.catalogue import (
    alias,
    attribute,
    broadcast,
    crash,
    dtype,
    formula,
    layout,
    memory,
    nondeterminism,
    predicate,
    product,
    random,
    ranges,
    reduction,
    stale,
    state,
    status,
    tail,
)
from runners.faults.fault import Fault, FaultClass
from runners.faults.harmless import load_harmless

_MODULES = (
    predicate, attribute, formula, layout, broadcast, dtype, ranges, tail, reduction, memory, stale, state, status,
    crash, nondeterminism, random, product, alias,
)  # fmt: skip
_HARMLESS = load_harmless()
CATALOGUE: tuple[Fault, ...] = tuple(
    replace(fault, no_fault=_HARMLESS.get(fault.id, {})) for module in _MODULES for fault in module.FAULTS
)
"""Every fault, class by class."""
BY_ID = {fault.id: fault for fault in CATALOGUE}


class UnknownFault(ConformanceError):
    """An id or a class that the catalogue does not have."""


def choose(ids: Iterable[str] = (), classes: Iterable[str] = ()) -> list[Fault]:
    """Faults of these ids and of these classes, all where neither is given; raises UnknownFault."""
    wanted, kinds = set(ids), set(classes)
    unknown = [*(wanted - BY_ID.keys()), *(kinds - {kind.value for kind in FaultClass})]
    if unknown:
        near = [name for word in sorted(unknown) for name in get_close_matches(word, BY_ID)]
        advice = f"; faults of near names: {', '.join(near)}" if near else ""
        raise UnknownFault(f"no fault or class {', '.join(sorted(unknown))}; classes are {_classes()}{advice}")
    if not wanted and not kinds:
        return list(CATALOGUE)
    return [fault for fault in CATALOGUE if fault.id in wanted or fault.kind.value in kinds]


def _classes() -> str:
    return ", ".join(kind.value for kind in FaultClass)
