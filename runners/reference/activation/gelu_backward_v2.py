"""Gradient of GELU by erf or by tanh."""

from __future__ import annotations

from runners.reference.activation.gelu_backward import torch_gradient
from runners.reference.arguments import Answers, Arguments, Benchmark
from runners.reference.gelu_gradient import by_erf, by_tanh


def golden(arguments: Arguments) -> Answers:
    """``gradInput`` by the form that ``approximate`` names, of the inputs' broadcast shape."""
    g, x = arguments.tensor("gradOutput"), arguments.tensor("self")
    return {"gradInput": (by_tanh if arguments.text("approximate") == "tanh" else by_erf)(g, x)}


def benchmark(arguments: Arguments) -> Benchmark:
    """Torch's GELU gradient by that form."""
    return torch_gradient(arguments, arguments.text("approximate"))
