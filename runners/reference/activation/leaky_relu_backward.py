"""Gradient of leaky ReLU, from the forward's input or from its result."""

from __future__ import annotations

import math

import torch

from conformance.dtype import DTYPES
from conformance.number import round_to
from conformance.promotion import promote
from runners.reference.arguments import Answer, Answers, Arguments, Benchmark
from runners.reference.pairs import broadcast


def golden(arguments: Arguments) -> Answers:
    """``out`` = x > 0 ? g : g·slope, of gradOutput's and self's broadcast shape.

    A NaN x may take either branch. The slope may be rounded to float32 or to the type computed in; a product that is
    computed in float32 for 16-bit types is rounded twice, since the slope has more digits than they have.
    """
    g, x = broadcast(arguments.tensor("gradOutput"), arguments.tensor("self"))
    own = arguments.dtype("self")
    dtypes = (DTYPES["float32"], promote(arguments.dtype("gradOutput"), own) or own)
    slope = arguments.number("negativeSlope")
    slopes = dict.fromkeys((slope, *(float(round_to(dtype, slope)) for dtype in dtypes)))
    scaled = [g * slope for slope in slopes]
    if dtypes[1].bits == 16:
        scaled += [product.to(torch.float32).to(torch.float64) for product in scaled]
    first, *others = (torch.where(x > 0, g, product) for product in scaled)
    return {"out": Answer(first, (*others, *(torch.where(x <= 0, product, g) for product in scaled)))}


def benchmark(arguments: Arguments) -> Benchmark:
    """Torch's leaky ReLU gradient in the promoted dtype; none for a result of a NaN slope, which torch refuses."""
    if arguments.integer("selfIsResult") and math.isnan(arguments.number("negativeSlope")):
        return None
    g, x = broadcast(arguments.native("gradOutput"), arguments.native("self"))
    dtype = torch.promote_types(g.dtype, x.dtype)
    slope, is_result = arguments.number("negativeSlope"), bool(arguments.integer("selfIsResult"))
    return {"out": torch.ops.aten.leaky_relu_backward(g.to(dtype), x.to(dtype), slope, is_result)}
