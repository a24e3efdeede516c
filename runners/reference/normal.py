"""Normal numbers as torch draws them, for cases whose data another suite makes with torch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from conformance.tensor import Array


def normal_stream(seed: int) -> Callable[[float, float, Sequence[int]], Array]:
    """Function that draws the next normal numbers of the stream that ``torch.manual_seed(seed)`` begins."""
    generator = torch.Generator().manual_seed(seed)

    def draw(mean: float, deviation: float, shape: Sequence[int]) -> Array:
        numbers: Any = torch.normal(mean, deviation, tuple(shape), generator=generator)
        drawn: Array = numbers.numpy()
        return drawn

    return draw
