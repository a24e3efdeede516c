"""What every case's line in a record begins with: all there is of a case that was lost before it was seen."""

from __future__ import annotations

from typing import Any

from conformance.card import Listed
from conformance.fingerprint import plain_words
from conformance.verdict import Judged


def begin_line(card: Listed, judged: Judged, seconds: float = 0.0) -> dict[str, Any]:
    """Which case, and what became of it."""
    return {
        "kind": "case",
        "id": card.id,
        "api": card.api,
        "verdict": judged.verdict.value,
        "reason": judged.reason,
        "exercises": list(card.exercises),
        "facets": sorted(card.facets - {card.api}),
        "seconds": round(seconds, 6),
    }


def line_of_lost(card: Listed, judged: Judged) -> dict[str, Any]:
    """The line of a case that was to be run and of which nothing was seen."""
    return {**begin_line(card, judged), "signature": plain_words(judged.reason)}
