"""What speaks against a certificate, each thing once with the cases that show it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

_NAMED = 10
"""Cases that one complaint names."""


@dataclass(frozen=True, slots=True)
class Complaint:
    """One reason to refuse, and the ids of the cases that it is about; none where it is about the whole."""

    what: str
    cases: tuple[str, ...] = ()

    def __str__(self) -> str:
        if not self.cases:
            return self.what
        rest = len(self.cases) - _NAMED
        more = f" and {rest} more" if rest > 0 else ""
        return f"{self.what}: {', '.join(self.cases[:_NAMED])}{more}"


def gathered(pairs: Iterable[tuple[str, str]]) -> list[Complaint]:
    """Complaints from pairs of reason and case id, one for each reason, in the order of first coming."""
    cases: dict[str, list[str]] = defaultdict(list)
    for what, case_id in pairs:
        cases[what].append(case_id)
    return [Complaint(what, tuple(dict.fromkeys(ids))) for what, ids in cases.items()]
