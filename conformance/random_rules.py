"""The rule kind for random outputs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf, log, sqrt
from typing import Any

from conformance.draws import FEWEST, Draws, Trial
from conformance.metrics import DTypeProbes, Metrics
from conformance.rules import Judgement, cannot_judge, quotient


@dataclass(frozen=True, slots=True)
class Distribution:
    """Draws lie within the bounds and follow their distribution; all other elements are the golden bit for bit.

    The draws are cut into ``parts`` runs of neighbours, of which at least ``passing`` may not be rejected by a
    Kolmogorov–Smirnov test at significance ``alpha``. Where ``correlation`` is given, no lag's autocorrelation is
    larger, in standard deviations: noise that repeats itself is none.
    """

    alpha: float
    parts: int = 1
    passing: int = 1
    correlation: float | None = None

    def judge(self, metrics: Metrics, benchmark: Metrics | None) -> Judgement:
        """Met when range, distribution and correlation are; of too few draws the range alone is looked at."""
        draws, wrong = metrics.draws, metrics.bit_different
        if draws is None:
            return Judgement(not wrong, quotient(wrong, 0), f"{wrong} of {metrics.count} elements differ, 0 allowed")
        if wrong:
            words = f"{wrong} of {metrics.count} elements are neither a draw within the bounds nor the value due there"
            return Judgement(False, inf, f"{words} ({draws.distribution})")
        if draws.count < FEWEST * self.parts:
            return Judgement(True, 0.0, f"{draws.count} draws within the bounds, too few to judge their distribution")
        shape = self._distributed(draws)
        return self._uncorrelated(draws, shape) if shape.met and self.correlation is not None else shape

    def _distributed(self, draws: Draws) -> Judgement:
        if self.parts == 1:
            limit = sqrt(log(2.0 / self.alpha) / (2.0 * draws.count))
            met, used = draws.distance <= limit, quotient(draws.distance, limit)
            words = f"Kolmogorov–Smirnov distance {draws.distance:.4g} {'≤' if met else '>'} {limit:.4g}"
            return Judgement(met, used, f"{words} of {draws.count} draws from {draws.distribution}")
        trial = draws.trial(self._trial)
        if trial is None:
            return cannot_judge(f"the record does not test {self.parts} parts at {self.alpha:g}")
        words = f"{trial.passed} of {trial.parts} parts follow {draws.distribution} at {self.alpha:g}"
        used = quotient(trial.parts - trial.passed, trial.parts - self.passing)
        return Judgement(trial.passed >= self.passing, used, f"{words}; {self.passing} needed")

    def _uncorrelated(self, draws: Draws, shape: Judgement) -> Judgement:
        assert self.correlation is not None
        used = quotient(draws.correlation, self.correlation)
        if used > 1:
            words = f"draws {draws.lag} elements apart are correlated by {draws.correlation:.4g} standard deviations"
            return Judgement(False, used, f"{words} > {self.correlation:g}: the noise repeats itself")
        return Judgement(True, max(used, shape.headroom or 0.0), shape.reason)

    @property
    def _trial(self) -> Trial:
        return Trial(self.parts, self.alpha)

    def probes(self) -> DTypeProbes:
        """The trial, where there are several parts."""
        return DTypeProbes(slacks=(), trials=(self._trial,) if self.parts > 1 else ())


RANDOM_KINDS: Mapping[str, Any] = {"distribution": Distribution}
"""Rule kinds for random outputs by the word that standards.json uses."""
