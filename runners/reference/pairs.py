"""Two tensors brought to one shape."""

from __future__ import annotations

import numpy as np
import torch


def broadcast(left: torch.Tensor, right: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Both repeated to the shape that they broadcast to; raises ValueError when there is none."""
    shape = np.broadcast_shapes(tuple(left.shape), tuple(right.shape))
    return left.broadcast_to(shape), right.broadcast_to(shape)
