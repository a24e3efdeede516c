"""Measures random elements: how far from their distribution they are, and whether they repeat themselves."""

from __future__ import annotations

from math import sqrt

import numpy as np

from conformance.draws import FEWEST, Draws, Trial, TrialCount, chance_of
from conformance.dtype import DType
from conformance.golden import GoldenOutput
from conformance.law import Law, Uniform
from conformance.rounding import float_format, rounded
from conformance.tensor import Array

_FEWEST_PAIRS = 256
"""Pairs of draws that a lag must have for its correlation to count."""
_LOOKED_AT = 1 << 20
"""Elements among which repetition is looked for."""


def measure_draws(golden: GoldenOutput, output: Array, dtype: DType, trials: tuple[Trial, ...]) -> Draws | None:
    """Numbers on the draws of an output; None where its golden has no law. Draws that are no numbers are left out."""
    law = golden.law
    if law is None:
        return None
    drawn = law.drawn.reshape(-1)
    numbers = output.reshape(-1).astype(np.float64)
    numbers[~np.isfinite(numbers)] = np.nan
    below, above = _shares(law.distribution, numbers[drawn], dtype)
    correlation, lag = _repetition(law, numbers) if law.distribution.varies else (0.0, 0)
    either = law.either
    kept = rounded(golden.value[either].astype(np.float64), dtype)
    return Draws(
        distribution=str(law.distribution),
        count=int(drawn.sum()),
        distance=_distance(below, above) if law.distribution.varies else 0.0,
        trials=tuple(_try(trial, below, above) for trial in trials),
        correlation=correlation,
        lag=lag,
        either=len(kept),
        either_drawn=int(np.count_nonzero(output[either] != kept)),
    )


def _shares(distribution: Uniform, draws: Array, dtype: DType) -> tuple[Array, Array]:
    """Probability up to one step of the type below each draw, and up to one step above it."""
    draws = draws[~np.isnan(draws)]
    step = float_format(dtype).ulp(np.abs(draws))
    return distribution.cdf(draws - step), distribution.cdf(draws + step)


def _distance(below: Array, above: Array) -> float:
    """Kolmogorov–Smirnov distance that no rounding by up to a step explains."""
    count = len(below)
    if not count:
        return 0.0
    ranks = np.arange(count + 1) / count
    over = (ranks[1:] - np.sort(above)).max()
    under = (np.sort(below) - ranks[:-1]).max()
    return float(max(over, under, 0.0))


def _try(trial: Trial, below: Array, above: Array) -> TrialCount:
    size = len(below) // trial.parts
    if size < FEWEST:
        return TrialCount(trial, 0, 0)
    runs = (slice(at * size, (at + 1) * size) for at in range(trial.parts))
    passed = sum(chance_of(_distance(below[run], above[run]), size) >= trial.alpha for run in runs)
    return TrialCount(trial, trial.parts, passed)


def _repetition(law: Law, numbers: Array) -> tuple[float, int]:
    """Largest autocorrelation of the draws in standard deviations, and its lag; by Fourier transform, over all lags."""
    numbers, drawn = numbers[:_LOOKED_AT], law.drawn.reshape(-1)[:_LOOKED_AT]
    drawn = drawn & ~np.isnan(numbers)
    level = np.where(drawn, (law.distribution.cdf(np.where(drawn, numbers, 0.0)) - 0.5) * sqrt(12), 0.0)
    pairs = np.rint(_correlated(drawn.astype(np.float64)))
    enough = np.flatnonzero(pairs[1:] >= _FEWEST_PAIRS) + 1
    if not len(enough):
        return 0.0, 0
    scores = np.abs(_correlated(level)[enough]) / np.sqrt(pairs[enough])
    at = int(scores.argmax())
    return float(scores[at]), int(enough[at])


def _correlated(values: Array) -> Array:
    """Σ v[i]·v[i + lag] for every lag from 0."""
    size = 1 << (2 * len(values) - 1).bit_length()
    spectrum = np.fft.rfft(values, size)
    sums: Array = np.fft.irfft(spectrum * np.conj(spectrum), size)[: len(values)]
    return sums
