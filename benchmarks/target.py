"""A promise about speed or memory, what it is measured by, and what was found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from statistics import median, quantiles

Measure = Callable[[], float]
"""Does the work once and returns what it took."""
MOST_NOISE = 0.25
"""Noise that may excuse a miss; what is noisier proves nothing and excuses no more."""


class Figure(Enum):
    """How a round's two measurements become its figure."""

    RATIO = "measured ÷ peer"
    SPEEDUP = "peer ÷ measured"
    BEYOND = "measured - peer"
    ALONE = "measured"

    def of(self, measured: float, peer: float | None) -> float:
        """Figure of one round."""
        if self is Figure.ALONE or peer is None:
            return measured
        if self is Figure.BEYOND:
            return measured - peer
        return measured / peer if self is Figure.RATIO else peer / measured


@dataclass(frozen=True, slots=True)
class Setting:
    """What a preparation may use."""

    folder: Path
    quick: bool = False

    def size(self, full: int) -> int:
        """A number of elements, cases or calls; a tenth of it in a quick run."""
        return max(1, full // 10) if self.quick else full


@dataclass(frozen=True, slots=True)
class Contest:
    """The measured and its peer; ``ALONE`` has none. ``close`` ends what the preparation began."""

    measured: Measure
    peer: Measure | None = None
    close: Callable[[], None] = lambda: None


@dataclass(frozen=True, slots=True)
class Target:
    """One promise. ``floor`` must be met and ``aim`` is hoped for; speedups must be as large, all else as small.

    ``unit`` is that of the measurements ("s", "ms", "MiB"), shown beside figures that are no ratio. ``slow`` targets
    take minutes and are left out of quick runs.
    """

    name: str
    says: str
    figure: Figure
    floor: float
    aim: float
    prepare: Callable[[Setting], Contest]
    unit: str = "s"
    slow: bool = False

    @property
    def larger_is_better(self) -> bool:
        """Whether the floor is a lower bound."""
        return self.figure is Figure.SPEEDUP


@dataclass(frozen=True, slots=True)
class Found:
    """Measurements of one target by round; ``trouble`` says why there are none."""

    target: Target
    measured: tuple[float, ...] = ()
    peer: tuple[float, ...] = ()
    trouble: str = ""

    @property
    def figures(self) -> tuple[float, ...]:
        """Figure of every round."""
        peers = self.peer or (None,) * len(self.measured)
        return tuple(self.target.figure.of(a, b) for a, b in zip(self.measured, peers, strict=True))

    @property
    def figure(self) -> float:
        """Median of the rounds' figures."""
        return median(self.figures)

    @property
    def noise(self) -> float:
        """Half the distance between the quartiles of the rounds' figures, as a share of the median."""
        if len(self.figures) < 2 or not self.figure:
            return 0.0
        low, _, high = quantiles(self.figures, n=4, method="inclusive")
        return (high - low) / 2 / abs(self.figure)

    def times_missed(self, bound: float) -> float:
        """By what factor the figure misses a bound; at most 1 where it meets it."""
        figure = self.figure
        if self.target.larger_is_better:
            return bound / figure if figure > 0 else float("inf")
        return figure / bound if bound else 1.0 + figure

    @property
    def is_missed(self) -> bool:
        """Whether the floor is missed by more than the noise, or nothing could be measured."""
        return bool(self.trouble) or self.times_missed(self.target.floor) > 1.0 + min(self.noise, MOST_NOISE)

    @property
    def result(self) -> str:
        """Met or missed, and by how much."""
        if self.trouble:
            return f"not measured: {self.trouble}"
        missed = self.times_missed(self.target.floor)
        if missed > 1.0:
            return f"missed by {missed - 1.0:.0%}" + ("" if self.is_missed else ", within noise")
        aim = self.times_missed(self.target.aim)
        return "met, aim too" if aim <= 1.0 else f"met by {1.0 - missed:.0%}, aim missed by {aim - 1.0:.0%}"
