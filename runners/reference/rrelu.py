"""Randomised leaky ReLU: below 0 a random slope in training, the mean one otherwise."""

from __future__ import annotations

from zlib import crc32

import torch

from runners.reference.arguments import Answer, Answers, Arguments, Benchmark, Follows, Random


def rectified(arguments: Arguments, output: str) -> Answers:
    """``output`` of ``self``, and ``noise``.

    Training: noise is 1 where x > 0 and a draw from [lower, upper] where x < 0, for as many elements as self has; the
    rest of it stays. ``output`` = x times the noise that was written. Where x is 0 the document wants a draw, the
    implementation writes 1; of NaN neither says anything. Otherwise ``output`` = x > 0 ? x : x·(lower + upper)/2, and
    noise stays as it was.
    """
    x, noise = arguments.tensor("self"), arguments.tensor("noise")
    low, high = arguments.number("lower"), arguments.number("upper")
    if not arguments.integer("training"):
        out = torch.where(x > 0, x, x * ((low + high) / 2))
        return {"noise": Answer(noise, selects=True), output: Answer(out)}
    return {"noise": _noise(arguments, x, noise), output: Follows(("noise",), (x,), _product)}


def _noise(arguments: Arguments, x: torch.Tensor, noise: torch.Tensor) -> Answer:
    low, high = sorted((arguments.number("lower"), arguments.number("upper")))
    flat, x = noise.reshape(-1).clone(), x.reshape(-1)
    draws = torch.rand(len(x), generator=_generator(arguments), dtype=torch.float64) * (high - low) + low
    flat[: len(x)] = torch.where(x < 0, draws, 1.0)
    drawn, either = torch.zeros(len(flat), dtype=torch.bool), torch.zeros(len(flat), dtype=torch.bool)
    drawn[: len(x)] = x < 0
    either[: len(x)] = ~(x < 0) & ~(x > 0)
    law = Random(low, high, drawn.reshape(noise.shape), either.reshape(noise.shape))
    return Answer(flat.reshape(noise.shape), selects=True, random=law)


def _product(x: torch.Tensor, noise: torch.Tensor) -> Answer:
    return Answer(x * noise.reshape(-1)[: x.numel()].reshape(x.shape))


def by_torch(arguments: Arguments, output: str) -> Benchmark:
    """Torch's operators in self's dtype; noise is drawn in float32, and stored before it is multiplied with."""
    x, noise = arguments.native("self"), arguments.native("noise").clone()
    low, high = arguments.number("lower"), arguments.number("upper")
    if not arguments.integer("training"):
        return {"noise": noise, output: torch.nn.functional.leaky_relu(x, (low + high) / 2)}
    if not float("-inf") < low <= high < float("inf"):
        return None
    wide = torch.empty_like(x, dtype=torch.float32)
    torch.ops.aten.rrelu_with_noise(x.float(), wide, low, high, True, _generator(arguments))
    factors = wide.to(x.dtype)
    noise.view(-1)[: x.numel()] = factors.reshape(-1)
    return {"noise": noise, output: x * factors}


def _generator(arguments: Arguments) -> torch.Generator:
    # Torch's generator on the CPU looks at 32 bits of a seed.
    words = f"{arguments.integer('seed')} {arguments.integer('offset')}"
    return torch.Generator().manual_seed(crc32(words.encode()))
