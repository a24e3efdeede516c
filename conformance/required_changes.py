"""What one list of required cases has that another has not, and what is wrong with the lists of the suite."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from conformance.case import Case
from conformance.case_id import matches, name_of
from conformance.errors import InvalidData, Location, Problem
from conformance.required import RequiredList, find_lists, load_required

_NAMED = 4
"""Cases that one problem names."""


@dataclass(frozen=True, slots=True)
class Recast:
    """A case that the later list has with other content, and so mostly with another hash, or on other products."""

    before: str
    after: str
    reason: str


@dataclass(frozen=True, slots=True)
class Difference:
    """Changes from one list to a later one; reasons are those that the later one gives, empty where it has none."""

    added: tuple[str, ...]
    removed: Mapping[str, str]
    recast: tuple[Recast, ...]

    @property
    def unexplained(self) -> tuple[str, ...]:
        """Ids of cases that went or changed without a reason."""
        went = [case_id for case_id, reason in self.removed.items() if not reason]
        return (*went, *(one.before for one in self.recast if not one.reason))


def difference(before: RequiredList, after: RequiredList) -> Difference:
    """What changed from one list to another."""
    gone = {name_of(case_id): case_id for case_id in before.cases if case_id not in after.cases}
    new = {name_of(case_id): case_id for case_id in after.cases if case_id not in before.cases}
    kept = [case_id for case_id, one in before.cases.items() if after.cases.get(case_id, one) != one]
    pairs = [*((gone[name], new[name]) for name in gone if name in new), *zip(kept, kept, strict=True)]
    return Difference(
        added=tuple(case_id for name, case_id in new.items() if name not in gone),
        removed={case_id: _reason(after, case_id) for name, case_id in gone.items() if name not in new},
        recast=tuple(Recast(old, now, _reason(after, old)) for old, now in sorted(pairs)),
    )


def _reason(required: RequiredList, case_id: str) -> str:
    return next((reason for selector, reason in required.reasons.items() if matches(selector, case_id)), "")


def problems_of_lists(cases: Iterable[Case], root: Path | None = None) -> Iterator[Problem]:
    """Lists that break their form, name cases that are not there, or leave a change unexplained.

    A list that another one supersedes may name cases that are no longer there.
    """
    lists: dict[Path, RequiredList] = {}
    for path in find_lists(root):
        try:
            lists[path] = load_required(path)
        except InvalidData as error:
            yield from error.problems
    superseded = {one.supersedes for one in lists.values()}
    known = {case.id: case for case in cases} if lists else {}
    for path, required in lists.items():
        if path.stem != required.release:
            yield Problem(Location(path), f"holds release {required.release}", "name the file after its release")
        if required.release not in superseded:
            yield from _not_there(path, required, known)
        if required.supersedes:
            yield from _unexplained(path, required, list(lists.values()))


def _not_there(path: Path, required: RequiredList, known: Mapping[str, Case]) -> Iterator[Problem]:
    lost = [one.id for one in required.cases.values() if one.id not in known]
    changed = [
        one.id
        for one in required.cases.values()
        if one.id in known and (known[one.id].digest, known[one.id].products) != (one.digest, one.products)
    ]
    advice = "restore the cases, or write a list that supersedes this one: conformance required new"
    for ids, what in ((lost, "are no cases any more"), (changed, "are other cases now")):
        if ids:
            yield Problem(Location(path), f"{_some(ids)} {what}", advice)


def _unexplained(path: Path, required: RequiredList, lists: Iterable[RequiredList]) -> Iterator[Problem]:
    before = next((one for one in lists if one.release == required.supersedes), None)
    if before is None:
        what = f"supersedes {required.supersedes}, of which there is no list"
        yield Problem(Location(path), what, "name a release whose list lies beside it")
    elif unexplained := difference(before, required).unexplained:
        what = f"{_some(unexplained)} went or changed since {before.release} without a reason"
        yield Problem(Location(path), what, "give it when the list is written: required new --reason")


def _some(ids: Iterable[str]) -> str:
    first, rest = list(ids)[:_NAMED], list(ids)[_NAMED:]
    return f"{', '.join(first)}{f' and {len(rest)} more' if rest else ''}"
