"""SwiGLU over rows in groups: clamped halves, a weight a row, and rows that belong to no group."""

from __future__ import annotations

from math import prod

import torch

from runners.reference.arguments import Answer, Arguments
from runners.reference.halves import Pair

NO_CLAMP = -1.0


def clamped(a: torch.Tensor, b: torch.Tensor, limit: float) -> tuple[Pair, ...]:
    """Admissible halves, the first one the golden's: a at most the limit, b between it and its negative.

    Whether a may fall below the negative limit no source says. A limit of -1 is none.
    """
    if limit == NO_CLAMP:
        return ((a, b),)
    within = b.clamp(-limit, limit)
    return (a.clamp(max=limit), within), (a.clamp(-limit, limit), within)


def merged(*readings: Answer) -> Answer:
    """One answer of which each reading is admissible, the first one's golden first; terms are the larger ones."""
    first, *others = readings
    further = [value for other in others for value in (other.value, *other.alternatives)]
    terms = [one.terms for one in readings if one.terms is not None]
    largest = torch.stack(terms).amax(0) if terms else None
    return Answer(first.value, (*first.alternatives, *further), terms=largest, term_count=first.term_count)


def by_rows(answer: Answer, arguments: Arguments) -> Answer:
    """The answer with every row times its weight, and 0 in the rows after those that the groups count."""
    factor = row_factor(arguments, prod(answer.value.shape[:-1])).reshape(*answer.value.shape[:-1], 1)
    if bool((factor == 1).all()):
        return answer
    others = tuple(value * factor for value in answer.alternatives)
    terms = None if answer.terms is None else answer.terms * factor.abs()
    return Answer(answer.value * factor, others, terms=terms, term_count=answer.term_count)


def row_factor(arguments: Arguments, rows: int) -> torch.Tensor:
    """Weight of each row, 1 without weights; 0 for rows in no group."""
    null = arguments.is_null("weightOptional")
    factor = torch.ones(rows).double() if null else arguments.tensor("weightOptional").reshape(rows)
    if arguments.is_null("groupIndexOptional"):
        return factor
    counted = arguments.tensor("groupIndexOptional").sum()
    return torch.where(torch.arange(rows) < counted, factor, factor * 0)
