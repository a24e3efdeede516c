"""What is counted of random elements, and which further counts standards ask for."""

from __future__ import annotations

from math import exp

from msgspec import Struct

FEWEST = 16
"""Draws below which nothing is said of their distribution."""


class Trial(Struct, frozen=True):
    """Asks in how many of ``parts`` equal runs of neighbouring draws the distribution is not rejected at ``alpha``."""

    parts: int
    alpha: float


class TrialCount(Struct, frozen=True):
    """Parts that pass a trial, of those that there were: none where draws are too few."""

    trial: Trial
    parts: int
    passed: int


class Draws(Struct, frozen=True):
    """Numbers on the random elements of one output.

    ``count`` elements must be draws from ``distribution``. ``distance`` is the Kolmogorov–Smirnov distance between
    theirs and it, where each draw may stand one step of the dtype to either side. ``correlation`` is the largest
    autocorrelation over all lags in row-major order, in standard deviations, and ``lag`` where that is (0: too few
    pairs). ``either`` elements may be draws or the golden; ``either_drawn`` are not the golden.
    """

    distribution: str
    count: int
    distance: float
    trials: tuple[TrialCount, ...]
    correlation: float
    lag: int
    either: int
    either_drawn: int

    def trial(self, trial: Trial) -> TrialCount | None:
        """Counts of that trial; None when it was not made."""
        return next((entry for entry in self.trials if entry.trial == trial), None)


def chance_of(distance: float, count: int) -> float:
    """Bound on the probability of such a Kolmogorov–Smirnov distance or a larger one among ``count`` draws.

    Massart's inequality, 2·exp(-2·n·d²): valid for every n, and for small values as good as the exact law.
    """
    return min(1.0, 2.0 * exp(-2.0 * count * distance * distance))
