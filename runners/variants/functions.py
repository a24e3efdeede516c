"""Exponential, logarithm, division and logistic function by other sound algorithms, all in float32."""

from __future__ import annotations

import numpy as np

from conformance.tensor import Array
from runners.simulator.arithmetic import ONE
from runners.simulator.vector_unit import VectorUnit

_LOG2_E = np.float32(1.4426950408889634)
_LN2_HIGH, _LN2_LOW = np.float32(0.693359375), np.float32(-2.12194440054690583e-4)
"""ln 2 in two parts; the first has so few digits that its multiples are exact."""
_LOWEST, _HIGHEST = np.float32(-104), np.float32(89)
"""Beyond these the exponential is 0 or infinite in float32."""
_TAYLOR = tuple(np.float32(1 / n) for n in (720, 120, 24, 6, 2, 1, 1))
_HALF = np.float32(0.5)
_TANH_FROM = np.float32(-1)


class ExponentialOfTwo(VectorUnit):
    """exp(x) as 2^k · 2^f with k whole and f in [-1/2, 1/2]; within 2 ULP."""

    def exp(self, x: Array) -> Array:
        """Power of e."""
        whole, rest = _reduced(x)
        return _scaled(np.exp2(rest * _LOG2_E), whole)


class PolynomialExponential(VectorUnit):
    """exp(x) as 2^k · p(r) with the Taylor polynomial of degree 6 on [-ln2/2, ln2/2]; within 3 ULP."""

    def exp(self, x: Array) -> Array:
        """Power of e."""
        whole, rest = _reduced(x)
        power = np.zeros_like(rest)
        for coefficient in _TAYLOR:
            power = power * rest + coefficient
        return _scaled(power, whole)


class ReciprocalDivision(VectorUnit):
    """Quotients as numerator times reciprocal: rounded twice."""

    def divide(self, numerator: Array, denominator: Array) -> Array:
        """Product numerator · (1 / denominator)."""
        return self.multiply(numerator, ONE / denominator)


class TwoSidedLogistic(VectorUnit):
    """σ(x) from exp(-|x|), which never overflows: 1/(1 + e) for x >= 0, e/(1 + e) below."""

    def logistic(self, x: Array, numerator: Array = ONE) -> Array:
        """Product numerator · σ(x)."""
        power = self.exp(-np.abs(x))
        return self.multiply(numerator, self.divide(np.where(x < 0, power, ONE), ONE + power))


class TanhLogistic(VectorUnit):
    """σ(x) = (1 + tanh(x/2))/2 for x > -1; below that it would cancel, and exp is used."""

    def logistic(self, x: Array, numerator: Array = ONE) -> Array:
        """Product numerator · σ(x)."""
        by_tanh = _HALF + _HALF * np.tanh(_HALF * x)
        return self.multiply(numerator, np.where(x > _TANH_FROM, by_tanh, super().logistic(x)))


class CoarseFunctions(VectorUnit):
    """As inexact as OpenCL's full profile lets functions be: exp and log up to 3 ULP off, other quotients 2.5."""

    def exp(self, x: Array) -> Array:
        """The power of e, at most 2 ULP beside the rounded one."""
        return _shaken(np.exp(x.astype(np.float64)).astype(np.float32), 2)

    def log(self, x: Array) -> Array:
        """The logarithm, at most 2 ULP beside the rounded one."""
        return _shaken(np.log(x.astype(np.float64)).astype(np.float32), 2)

    def log1p(self, x: Array) -> Array:
        """The logarithm of 1 + x, at most 1 ULP beside the rounded one."""
        return _shaken(np.log1p(x.astype(np.float64)).astype(np.float32), 1)

    def divide(self, numerator: Array, denominator: Array) -> Array:
        """The quotient, at most 2 ULP beside the rounded one; exact quotients stay."""
        quotient = super().divide(numerator, denominator)
        exact = quotient.astype(np.float64) * denominator == numerator
        return np.where(exact, quotient, _shaken(quotient, 2))


def _reduced(x: Array) -> tuple[Array, Array]:
    """Numbers k and r with x = k·ln 2 + r and |r| at most ln2/2; NaN stays in r."""
    x = np.clip(x, _LOWEST, _HIGHEST)
    whole = np.rint(x * _LOG2_E)
    return whole, (x - whole * _LN2_HIGH) - whole * _LN2_LOW


def _scaled(values: Array, whole: Array) -> Array:
    return np.asarray(np.ldexp(values, np.nan_to_num(whole).astype(np.int32)))


def _shaken(values: Array, ulps: int) -> Array:
    """Normal numbers moved by -ulps … ulps, as a hash of their bits says; others as they are."""
    bits = np.atleast_1d(values).view(np.uint32)
    moves = (bits * np.uint32(2654435761) >> np.uint32(16)) % np.uint32(2 * ulps + 1)
    size = np.abs(np.atleast_1d(values))
    normal = (size >= 2 * np.finfo(np.float32).tiny) & (size < np.finfo(np.float32).max / 2)
    moved = np.where(normal, bits + moves - np.uint32(ulps), bits)
    return moved.view(np.float32).reshape(values.shape)
