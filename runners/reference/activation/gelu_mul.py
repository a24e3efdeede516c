"""GELU of the first half of the last dimension times the second half."""

from __future__ import annotations

import torch

from runners.reference.arguments import Answers, Arguments, Benchmark
from runners.reference.gelu import by_erf, by_tanh
from runners.reference.gelu_gate import multiplied
from runners.reference.narrow import wide


def golden(arguments: Arguments) -> Answers:
    """``out`` = GELU(a)·b with a and b the halves of input; by erf unless ``approximateOptional`` says tanh."""
    a, b = arguments.tensor("input").chunk(2, -1)
    return {"out": multiplied((by_tanh if _word(arguments) == "tanh" else by_erf)(a), b)}


def benchmark(arguments: Arguments) -> Benchmark:
    """Torch's GELU and product, 16 bits in float32."""
    a, b = wide(arguments.native("input")).chunk(2, -1)
    return {"out": torch.nn.functional.gelu(a, approximate=_word(arguments)) * b}


def _word(arguments: Arguments) -> str:
    name = "approximateOptional"
    return "none" if arguments.is_null(name) else arguments.text(name)
