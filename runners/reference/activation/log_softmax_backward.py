"""Gradient of the logarithm of softmax along one axis, from the forward's output."""

from __future__ import annotations

import torch

from conformance.dtype import DTYPES, smallest_normal
from runners.reference.arguments import Answer, Answers, Arguments, Benchmark

_FLOAT32_NORMAL = smallest_normal(DTYPES["float32"])


def golden(arguments: Arguments) -> Answers:
    """``out`` = g − exp(y)·Σ g, summed along ``dim``, of gradOutput's shape; a 0-dim one has one element.

    0 will do for exp(y) where it is below float32's normal numbers.
    """
    g, y = arguments.tensor("gradOutput"), arguments.tensor("output")
    dim = arguments.integer("dim")
    share, total = y.exp(), g.sum(dim, keepdim=True)
    value = g - share * total
    flushed = torch.where((share > 0) & (share < _FLOAT32_NORMAL), g - 0 * total, value)
    size = g.abs().sum(dim, keepdim=True)
    count = g.shape[dim] if g.ndim else 1
    return {"out": Answer(value, (flushed,), terms=g.abs() + share * size, term_count=count)}


def benchmark(arguments: Arguments) -> Benchmark:
    """Torch's gradient in gradOutput's dtype."""
    g, y = arguments.native("gradOutput"), arguments.native("output")
    return {"out": torch.ops.aten._log_softmax_backward_data(g, y, arguments.integer("dim"), g.dtype)}
