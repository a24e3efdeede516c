"""Element types that numpy lacks, as tables: the number behind every code of 4 or 8 bits.

hifloat8 as published for Ascend ("Ascend HiFloat8 Format for Deep Learning", 2024): sign, a prefix code that says how
many exponent bits follow, a sign-magnitude exponent whose leading 1 is implied, and the fraction in what is left.
The float4 types and float8_e8m0 as in the OCP microscaling formats and their sibling with two fraction bits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from math import inf, nan
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

_HIFLOAT8_PREFIXES = (
    (0b11_0000_0, 4, 1),
    (0b10_000_00, 3, 2),
    (0b01_00_000, 2, 3),
    (0b001_0_000, 1, 3),
    (0b0001_000, 0, 3),
)
"""Prefix code with all else 0, exponent bits and fraction bits of each kind of normal number."""
_HIFLOAT8_INFINITY, _HIFLOAT8_NAN = 0x6F, 0x80


@dataclass(frozen=True, slots=True, eq=False)
class CodeTable:
    """Numbers by code (float32, exact), and what follows from them.

    ``sizes`` are the finite magnitudes, ascending (float64). ``smallest_normal`` is where fractions begin to have
    all their bits, ``overflow`` the least magnitude that rounds to infinity, where there is one. A number halfway
    between two neighbours goes to the larger magnitude with ``ties_away``, to the even code otherwise.
    """

    bits: int
    numbers: Array
    sizes: Array
    smallest_normal: float
    overflow: float | None
    ties_away: bool

    @property
    def largest(self) -> float:
        """Largest finite number."""
        return float(self.sizes[-1])

    @property
    def smallest(self) -> float:
        """Smallest positive number."""
        return float(self.sizes[self.sizes > 0][0])

    @property
    def has_nan(self) -> bool:
        """Whether some code is NaN."""
        return bool(np.isnan(self.numbers).any())

    @property
    def is_signed(self) -> bool:
        """Whether there are negative numbers."""
        return bool((self.numbers < 0).any())

    def decode(self, codes: Array) -> Array:
        """float32 numbers of codes."""
        numbers: Array = self.numbers[codes]
        return numbers

    def encode(self, numbers: Array) -> Array:
        """Codes (uint8) of numbers of the type; ValueError for any other number. Every NaN has the one code."""
        flat = np.asarray(numbers, np.float32).reshape(-1)
        order = np.argsort(self._keys(self.numbers), kind="stable")
        keys = self._keys(self.numbers)[order]
        wanted = self._keys(flat)
        at = np.searchsorted(keys, wanted).clip(max=len(keys) - 1)
        strange = keys[at] != wanted
        if strange.any():
            raise ValueError(f"{flat[strange][0]} is no number of the type")
        codes: Array = order[at].astype(np.uint8).reshape(np.shape(numbers))
        return codes

    def _keys(self, numbers: Array) -> Array:
        """Bits of float32, by which numbers are told apart; zeros of a type without -0 are one."""
        plain = np.where(np.isnan(numbers), np.float32(nan), numbers)
        if not (np.signbit(self.numbers) & (self.numbers == 0)).any():
            plain = np.where(plain == 0, np.float32(0), plain)
        keys: Array = plain.astype(np.float32).view(np.uint32)
        return keys

    def nearest(self, values: Array) -> Array:
        """float64 ``values`` as the nearest numbers of the type (float32).

        Beyond the largest number: infinity from ``overflow`` on, else the largest. A type without NaN takes 0 for
        it, one without negative numbers its smallest.
        """
        size = np.abs(values)
        upper = np.searchsorted(self.sizes, size).clip(max=len(self.sizes) - 1)
        lower = np.maximum(upper - 1, 0)
        low, high = self.sizes[lower], self.sizes[upper]
        with np.errstate(invalid="ignore"):
            below, above = size - low, high - size
            up = (above < below) | ((above == below) & ((upper % 2 == 0) | self.ties_away))
        chosen = np.where(up | (size >= high), high, low)
        if self.overflow is not None:
            chosen = np.where(size >= self.overflow, inf, chosen)
        signed = np.copysign(chosen, values)
        if not self.is_signed:
            signed = np.where(values < 0, self.sizes[0], signed)
        missing = nan if self.has_nan else 0.0
        return np.where(np.isnan(values), missing, signed).astype(np.float32)

    def ulp(self, size: Array) -> Array:
        """Distance from the number at or below each magnitude to the next one up."""
        at = np.searchsorted(self.sizes, size, side="right") - 1
        at = at.clip(0, len(self.sizes) - 2)
        step: Array = self.sizes[at + 1] - self.sizes[at]
        return step

    def ranks(self, numbers: Array) -> Array:
        """Place of each number among the magnitudes, infinity one above the largest, then NaN; 0x8000 is the sign."""
        wide = np.abs(numbers.astype(np.float64))
        rank = np.searchsorted(self.sizes, wide)
        rank = np.where(np.isnan(wide), len(self.sizes) + 1, rank)
        ordered: Array = (rank + np.where(np.signbit(numbers), 0x8000, 0)).astype(np.uint16)
        return ordered


def _hifloat8(code: int) -> float:
    if code == _HIFLOAT8_NAN:
        return nan
    sign, magnitude = (-1.0 if code & 0x80 else 1.0), code & 0x7F
    if magnitude == _HIFLOAT8_INFINITY:
        return sign * inf
    if magnitude < 8:
        return sign * 2.0 ** (magnitude - 23) if magnitude else 0.0
    start, width, digits = next(row for row in _HIFLOAT8_PREFIXES if magnitude >= row[0])
    field, fraction = (magnitude - start) >> digits, (magnitude - start) & ((1 << digits) - 1)
    exponent = 0
    if width:
        leading = 1 << (width - 1)
        exponent = (leading + (field & (leading - 1))) * (-1 if field & leading else 1)
    return sign * 2.0**exponent * (1 + fraction / (1 << digits))


def _small_float(exponent_bits: int, digits: int) -> Callable[[int], float]:
    """Numbers of a type of sign, exponent of bias 1 and fraction, without infinity and NaN."""

    def number(code: int) -> float:
        sign = -1.0 if code >> (exponent_bits + digits) else 1.0
        exponent = (code >> digits) & ((1 << exponent_bits) - 1)
        fraction = (code & ((1 << digits) - 1)) / (1 << digits)
        power = max(exponent, 1) - 1
        return sign * 2.0**power * (fraction + (1 if exponent else 0))

    return number


def _power_of_two(code: int) -> float:
    return nan if code == 0xFF else 2.0 ** (code - 127)


_NUMBERS: Mapping[str, tuple[int, Callable[[int], float], float, float | None, bool]] = {
    "hifloat8": (8, _hifloat8, 2.0**-15, 1.25 * 2.0**15, True),
    "float8_e8m0": (8, _power_of_two, 2.0**-127, None, False),
    "float4_e2m1": (4, _small_float(2, 1), 1.0, None, False),
    "float4_e1m2": (4, _small_float(1, 2), 1.0, None, False),
}
"""By type: bits, number of a code, smallest normal number, where infinity begins, whether ties go away from zero."""


@cache
def code_table(name: str) -> CodeTable | None:
    """Table of an element type; None for the types that numpy or ml_dtypes holds."""
    if name not in _NUMBERS:
        return None
    bits, number, smallest_normal, overflow, ties_away = _NUMBERS[name]
    numbers = np.array([number(code) for code in range(1 << bits)], np.float32)
    sizes = np.unique(np.abs(numbers[np.isfinite(numbers)].astype(np.float64)))
    return CodeTable(bits, numbers, sizes, smallest_normal, overflow, ties_away)
