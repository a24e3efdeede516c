"""Random outputs: which elements are draws, and from which distribution."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

import numpy as np

from conformance.dtype import DType
from conformance.rounding import rounded
from conformance.tensor import Array


@dataclass(frozen=True, slots=True)
class Uniform:
    """Even over [low, high], two real numbers with low <= high."""

    low: float
    high: float

    def __str__(self) -> str:
        return f"uniform on [{self.low:.9g}, {self.high:.9g}]"

    @property
    def varies(self) -> bool:
        """Whether there is more than one value to draw."""
        return 0 < self.high - self.low < inf

    def cdf(self, values: Array) -> Array:
        """Probability of a draw up to each value (float64)."""
        if not self.varies:
            return (values >= self.low).astype(np.float64)
        share: Array = np.clip((values - self.low) / (self.high - self.low), 0.0, 1.0)
        return share

    def bounds(self, dtype: DType) -> tuple[float, float]:
        """Smallest and largest draw as ``dtype`` may hold it: an end that it cannot hold is rounded either way."""
        with np.errstate(all="ignore"):
            low, high = rounded(np.array([self.low, self.high]), dtype)
            least = low if float(low) <= self.low else np.nextafter(low, low.dtype.type(-inf))
            most = high if float(high) >= self.high else np.nextafter(high, high.dtype.type(inf))
        return float(least), float(most)


@dataclass(frozen=True, slots=True, eq=False)
class Law:
    """Which elements are draws: those of ``drawn``; those of ``either`` may be the golden too. Both are bool arrays."""

    distribution: Uniform
    drawn: Array
    either: Array

    def nearest(self, values: Array, dtype: DType) -> Array:
        """The admissible draw next to each value (float64): itself within the bounds, else the bound; NaN stays."""
        clipped: Array = np.clip(values, *self.distribution.bounds(dtype))
        return clipped
