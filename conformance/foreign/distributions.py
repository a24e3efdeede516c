"""Numbers that follow a named distribution between two bounds.

What the names mean exactly is not published: here every one of them stays within the bounds that the file gives, or is
the named function of uniform numbers within them.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from conformance.foreign.spans import Shaped
from conformance.tensor import Array, Shape

_Random = np.random.RandomState
_Ends = tuple[float, float]
_DEVIATIONS = 6.0
"""Standard deviations between the bounds; numbers beyond them are drawn to them."""


def shaped(random: _Random, span: Shaped, shape: Shape) -> Array:
    """Numbers of a span."""
    drawn = _KINDS[span.distribution](random, (span.low, span.high), shape)
    return np.asarray(drawn)


def _normal(random: _Random, ends: _Ends, shape: Shape) -> Array:
    low, high = ends
    return np.clip(random.normal(low / 2 + high / 2, (high - low) / _DEVIATIONS, shape), low, high)


def _laplace(random: _Random, ends: _Ends, shape: Shape) -> Array:
    low, high = ends
    scale = (high - low) / _DEVIATIONS / np.sqrt(2.0)
    return np.clip(random.laplace(low / 2 + high / 2, scale, shape), low, high)


def _beta(random: _Random, ends: _Ends, shape: Shape) -> Array:
    return ends[0] + (ends[1] - ends[0]) * random.beta(2.0, 2.0, shape)


def _triangular(random: _Random, ends: _Ends, shape: Shape) -> Array:
    low, high = ends
    return np.full(shape, low) if low == high else np.asarray(random.triangular(low, low / 2 + high / 2, high, shape))


def _of_uniform(function: Callable[[Array], Array]) -> Callable[[_Random, _Ends, Shape], Array]:
    def drawn(random: _Random, ends: _Ends, shape: Shape) -> Array:
        with np.errstate(over="ignore"):
            return function(np.asarray(random.uniform(*ends, shape)))

    return drawn


def _softmax(numbers: Array) -> Array:
    grown = np.exp(numbers - numbers.max(initial=-np.inf))
    return np.asarray(grown / grown.sum())


_KINDS: dict[str, Callable[[_Random, _Ends, Shape], Array]] = {
    "normal": _normal,
    "laplace": _laplace,
    "beta": _beta,
    "triangular": _triangular,
    "relu": _of_uniform(lambda numbers: np.maximum(numbers, 0.0)),
    "sigmoid": _of_uniform(lambda numbers: 1.0 / (1.0 + np.exp(-numbers))),
    "tanh": _of_uniform(np.tanh),
    "softmax": _of_uniform(_softmax),
}
DISTRIBUTIONS = tuple(_KINDS)
"""Names that are known."""
