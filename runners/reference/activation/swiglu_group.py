"""SwiGLU of rows in groups."""

from __future__ import annotations

import torch

from runners.reference.arguments import Answers, Arguments, Benchmark
from runners.reference.narrow import wide
from runners.reference.swiglu_groups import NO_CLAMP, by_rows, clamped, merged
from runners.reference.swish_gate import gate


def golden(arguments: Arguments) -> Answers:
    """``out`` = a·σ(a)·b times the row's weight, a and b the clamped halves of x's last axis."""
    a, b = arguments.tensor("x").chunk(2, -1)
    readings = (gate(*pair) for pair in clamped(a, b, arguments.number("clampLimit")))
    return {"out": by_rows(merged(*readings), arguments)}


def benchmark(arguments: Arguments) -> Benchmark:
    """Torch's SiLU and product in float32; none with clamps, weights or groups."""
    optional = any(not arguments.is_null(name) for name in ("weightOptional", "groupIndexOptional"))
    if optional or arguments.number("clampLimit") != NO_CLAMP:
        return None
    a, b = wide(arguments.native("x")).chunk(2, -1)
    return {"out": torch.nn.functional.silu(a) * b}
