"""Gradient of softmax along one axis, from the forward's output."""

from __future__ import annotations

import torch

from runners.reference.arguments import Answer, Answers, Arguments, Benchmark


def golden(arguments: Arguments) -> Answers:
    """``out`` = (g − Σ g·y)·y, summed along ``dim``, of gradOutput's shape; a 0-dim one has one element."""
    g, y = arguments.tensor("gradOutput"), arguments.tensor("output")
    dim = arguments.integer("dim")
    product = g * y
    total = product.sum(dim, keepdim=True)
    size = product.abs().sum(dim, keepdim=True)
    count = g.shape[dim] if g.ndim else 1
    return {"out": Answer((g - total) * y, terms=(g.abs() + size) * y.abs(), term_count=count)}


def benchmark(arguments: Arguments) -> Benchmark:
    """Torch's softmax gradient in gradOutput's dtype."""
    g, y = arguments.native("gradOutput"), arguments.native("output")
    return {"out": torch.ops.aten._softmax_backward_data(g, y, arguments.integer("dim"), g.dtype)}
