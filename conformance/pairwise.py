"""Sums as numpy makes them, compiled: of up to 128 numbers in eight parts, of more by halves.

No figure says then who added it up.
"""

from __future__ import annotations

from conformance.compiled import compiled

_LEAF = 128
"""Numbers that are added up without halving them."""
DEPTH = 64
"""Halvings at most."""


@compiled
def pairwise(numbers, stack):  # type: ignore[no-untyped-def]
    """Sum by halves; ``stack`` is memory for parts that wait and for sums."""
    if len(numbers) <= _LEAF:
        return _sum(numbers)
    parts, partial = stack
    parts[0] = len(numbers), 0
    waiting, depth, start = 1, 0, 0
    while waiting:
        size, additions, waiting = next_part(parts, waiting, _LEAF)
        partial[depth] = _sum(numbers[start : start + size])
        for _ in range(additions):
            depth -= 1
            partial[depth] += partial[depth + 1]
        depth += 1
        start += size
    return partial[0]


@compiled
def next_part(parts, waiting, most):  # type: ignore[no-untyped-def]
    """Halve the first of the ``waiting`` parts until ``most`` numbers are left; the other halves wait.

    Returns how many these are, the additions that are due when they are added up, and the parts that wait then. A part
    is its size and its additions; the first one stands last.
    """
    waiting -= 1
    size, additions = parts[waiting]
    while size > most:
        half = size // 2
        half -= half % 8
        parts[waiting] = size - half, additions + 1
        waiting += 1
        size, additions = half, 0
    return size, additions, waiting


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
