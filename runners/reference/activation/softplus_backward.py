"""Gradient of softplus, log(1 + exp(β·x)) / β."""

from __future__ import annotations

import torch

from conformance.dtype import DTYPES
from runners.reference.arguments import Answer, Answers, Arguments, Benchmark
from runners.reference.sigmoid import sigmoid, vanishes

_FLOAT32 = DTYPES["float32"]


def golden(arguments: Arguments) -> Answers:
    """``gradInput`` = β·x > threshold ? g : g·σ(β·x), of self's shape; 0 will do where σ is lost in float32.

    Alternatives: everything in float32, the type that scalars are read and float64 is computed in; there β·x may turn
    the comparison. So float64 results count as float32 ones. A step of β·x changes its exponential by as many steps
    as it is large.
    """
    g, x = arguments.tensor("gradOutput"), arguments.tensor("self")
    beta, threshold = arguments.number("beta"), arguments.number("threshold")
    z, narrow = beta * x, (torch.tensor(beta).float() * x.float()).double()
    exact = _select(g, z, z > threshold)
    alternatives = [
        torch.where(vanishes(z, rounded=True) & ~(z > threshold), g * 0, exact),
        _select(g, z, narrow > torch.tensor(threshold).float()),
        _select(g.float().double(), narrow, narrow > torch.tensor(threshold).float()),
    ]
    dtype = arguments.dtype("gradInput")
    steps = _FLOAT32.unit / dtype.unit if dtype.name == "float64" else 1.0
    terms = exact.abs() * (0.5 + z.abs().clamp(max=128) * sigmoid(-z) / 16) * steps
    return {"gradInput": Answer(exact, tuple(alternatives), terms)}


def benchmark(arguments: Arguments) -> Benchmark:
    """Torch's softplus gradient; none for two types or an integer one."""
    g, x = arguments.native("gradOutput"), arguments.native("self")
    if g.dtype != x.dtype or not x.is_floating_point():
        return None
    beta, threshold = arguments.number("beta"), arguments.number("threshold")
    return {"gradInput": torch.ops.aten.softplus_backward(g, x, beta, threshold)}


def _select(g: torch.Tensor, z: torch.Tensor, passes: torch.Tensor) -> torch.Tensor:
    return torch.where(passes, g, g * sigmoid(z))
