"""Weights per channel: C elements along axis 1, or one element for everything."""

from __future__ import annotations

from math import prod

import torch

from conformance.tensor import Shape


def per_channel(weight: torch.Tensor, shape: Shape) -> torch.Tensor:
    """Weight of any shape, made to broadcast over a tensor of ``shape``; one element serves every channel."""
    if weight.numel() == 1:
        return weight.reshape(())
    if len(shape) < 2 or shape[1] != weight.numel():
        raise ValueError(f"weight of {weight.numel()} elements for a tensor of shape {list(shape)}")
    return weight.reshape(-1, *[1] * (len(shape) - 2))


def sum_per_channel(terms: torch.Tensor, weight_shape: Shape) -> torch.Tensor:
    """Sum of all terms that share a weight element, in the weight's shape."""
    if prod(weight_shape) == 1:
        return terms.sum().reshape(weight_shape)
    others = [axis for axis in range(terms.ndim) if axis != 1]
    return (terms.sum(others) if others else terms).reshape(weight_shape)
