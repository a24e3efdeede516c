"""Sums of a few numbers as numpy makes them, compiled: of up to 128 in eight parts, of more by halves."""

from __future__ import annotations

from conformance.compiled import compiled

_LEAF = 128
"""Numbers that are added up without halving them."""


@compiled
def pairwise(numbers):  # type: ignore[no-untyped-def]
    """Sum by halves."""
    count = len(numbers)
    if count <= _LEAF:
        return _sum(numbers)
    half = count // 2
    half -= half % 8
    return pairwise(numbers[:half]) + pairwise(numbers[half:])


@compiled
def _sum(numbers):  # type: ignore[no-untyped-def]
    """Sum of a leaf in eight parts."""
    count = len(numbers)
    whole = count - count % 8
    total = 0.0
    if whole:
        a, b, c, d, e, f, g, h = numbers[:8]
        for i in range(8, whole, 8):
            a += numbers[i]
            b += numbers[i + 1]
            c += numbers[i + 2]
            d += numbers[i + 3]
            e += numbers[i + 4]
            f += numbers[i + 5]
            g += numbers[i + 6]
            h += numbers[i + 7]
        total = ((a + b) + (c + d)) + ((e + f) + (g + h))
    for i in range(whole, count):
        total += numbers[i]
    return total
