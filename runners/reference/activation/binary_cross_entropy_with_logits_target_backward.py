"""Gradient of binary cross entropy of logits with respect to the target."""

from __future__ import annotations

import torch

from runners.reference.arguments import Answer, Answers, Arguments, Benchmark
from runners.reference.narrow import narrowed

_MEAN = 1
_LOST = 2.0**-129
"""2⁻¹⁵⁰, which a product among float32's subnormal numbers is rounded by, ÷ 9·2⁻²⁴, the bound on sums of two terms."""


def golden(arguments: Arguments) -> Answers:
    """``gradTarget`` = g·w·(log σ(−x) − p·log σ(x)), over the number of elements for the mean; of self's shape.

    g, w and p broadcast to self; a w or p that is not passed is 1. The two logarithms cancel near x = 0, and p·log σ(x)
    may overflow float32 on the way, as may the product before the mean is taken.
    """
    x = arguments.tensor("self")
    below, above = _log_sigmoid(-x), _weighted(arguments, "posWeightOptional", _log_sigmoid(x))
    gradient = arguments.tensor("gradOutput").broadcast_to(x.shape)
    weight = _weighted(arguments, "weightOptional", torch.ones_like(x))
    share = 1 / x.numel() if arguments.integer("reduction") == _MEAN else 1.0
    factor, size = gradient * weight, below.abs() + above.abs()
    difference = narrowed(below - narrowed(above))
    in_turn = narrowed(narrowed(difference * gradient) * weight)
    return {
        "gradTarget": Answer(
            factor * (below - above) * share,
            (difference * factor * share, narrowed(difference * factor) * share, in_turn * share),
            terms=share * (factor.abs() * size + _LOST * (weight.abs() + size)),
            term_count=2,
        )
    }


def benchmark(arguments: Arguments) -> Benchmark:
    """Torch's logarithm of sigmoid in float32, into which all listed types promote without loss."""
    given = [name for name in ("weightOptional", "posWeightOptional") if not arguments.is_null(name)]
    tensors = {name: arguments.native(name).float() for name in ("gradOutput", "self", *given)}
    x = tensors["self"]
    below, above = torch.nn.functional.logsigmoid(-x), torch.nn.functional.logsigmoid(x)
    result = below - above * tensors["posWeightOptional"] if "posWeightOptional" in given else below - above
    result = result * tensors["gradOutput"]
    if "weightOptional" in given:
        result = result * tensors["weightOptional"]
    return {"gradTarget": result / x.numel() if arguments.integer("reduction") == _MEAN else result}


def _log_sigmoid(x: torch.Tensor) -> torch.Tensor:
    """Logarithm of σ(x): min(x, 0) − log(1 + exp(−|x|)), which neither overflows nor cancels."""
    return x.clamp(max=0) - torch.log1p(torch.exp(-x.abs()))


def _weighted(arguments: Arguments, name: str, values: torch.Tensor) -> torch.Tensor:
    return values if arguments.is_null(name) else values * arguments.tensor(name).broadcast_to(values.shape)
