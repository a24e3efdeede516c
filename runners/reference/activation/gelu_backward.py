"""Gradient of GELU by tanh."""

from __future__ import annotations

import torch

from runners.reference.arguments import Answer, Answers, Arguments, Benchmark
from runners.reference.gelu_gradient import by_erf, by_tanh


def golden(arguments: Arguments) -> Answers:
    """``gradInput`` by tanh, of the inputs' broadcast shape; by erf, which the document gives as well, will do too."""
    g, x = arguments.tensor("gradOutput"), arguments.tensor("self")
    answer, other = by_tanh(g, x), by_erf(g, x)
    alternatives = (*answer.alternatives, other.value, *other.alternatives)
    return {"gradInput": Answer(answer.value, alternatives, answer.terms, answer.term_count)}


def benchmark(arguments: Arguments) -> Benchmark:
    """Torch's GELU gradient by tanh."""
    return torch_gradient(arguments, "tanh")


def torch_gradient(arguments: Arguments, approximate: str) -> Benchmark:
    """Torch's GELU gradient in the type that the inputs promote to; none for other than floating-point types."""
    g, x = arguments.native("gradOutput"), arguments.native("self")
    dtype = torch.promote_types(g.dtype, x.dtype)
    if not dtype.is_floating_point:
        return None
    g, x = (tensor.to(dtype).expand(arguments.shape("gradInput")).contiguous() for tensor in (g, x))
    return {"gradInput": torch.ops.aten.gelu_backward(g, x, approximate=approximate)}
