"""Gradient of the logistic function, from its result."""

from __future__ import annotations

import torch

from conformance.dtype import Kind
from runners.reference.arguments import Answer, Answers, Arguments, Benchmark


def golden(arguments: Arguments) -> Answers:
    """``gradInput`` = g·(1 − y)·y, of the inputs' broadcast shape; of complex numbers with y conjugated.

    Either product may be taken first, and may overflow float32 unless float64 is computed in.
    """
    names = ("gradOutput", "output")
    if any(arguments.dtype(name).kind is Kind.COMPLEX for name in names):
        g, y = (arguments.native(name).to(torch.complex128) for name in names)
        return {"gradInput": Answer(g * (1 - y.conj()) * y.conj())}
    g, y = (arguments.tensor(name) for name in names)
    wide = any(arguments.dtype(name).name == "float64" for name in names)
    held = (lambda product: product) if wide else _held_in_float32
    orders = (held(g * (1 - y)) * y, g * held((1 - y) * y), held(g * y) * (1 - y))
    return {"gradInput": Answer(g * (1 - y) * y, orders)}


def benchmark(arguments: Arguments) -> Benchmark:
    """Torch's gradient in the type that the inputs promote to; of 16 bits in float32, rounded once."""
    g, y = arguments.native("gradOutput"), arguments.native("output")
    dtype = torch.promote_types(g.dtype, y.dtype)
    wide = torch.promote_types(dtype, torch.float32)
    return {"gradInput": torch.ops.aten.sigmoid_backward(g.to(wide), y.to(wide)).to(dtype)}


def _held_in_float32(product: torch.Tensor) -> torch.Tensor:
    """Infinity in place of what is beyond float32."""
    narrow = product.float().double()
    return torch.where(narrow.isinf(), narrow, product)
