"""Runners that lie about random numbers: the simulator with one fault each. test_random_liars.py says what they get."""

from __future__ import annotations

import itertools

import numpy as np
from msgspec import structs

from conformance.call import Attribute
from conformance.runner import RunnerInfo
from conformance.signature import ParameterKind
from runners.simulator.runner import SimulatorRunner

LOW, HIGH = 0.125, 1 / 3


class Sound(SimulatorRunner):
    """No fault, under a name that is not trusted. A child process finds no other module of the tests."""

    def describe(self):
        return RunnerInfo(type(self).__name__, "1")


class Noisy(Sound):
    """Writes draws of its own into noise, and the product with them into out."""

    def run(self, call):
        outcome = super().run(call)
        self.lie(call)
        return outcome

    def lie(self, call):
        x, noise = call.arguments["self"].array(), call.arguments["noise"].view()
        if call.arguments["training"].value and x.size and noise.shape == x.shape:
            below = self.is_drawn(x)
            noise[below] = self.draws(noise[below].astype(np.float64)).astype(noise.dtype)
            product = x.astype(np.float64) * noise.astype(np.float64)
            call.arguments["out"].view()[...] = product.astype(noise.dtype)

    def is_drawn(self, x):
        return x < 0


class Constant(Noisy):
    def draws(self, sound):
        return sound * 0 + 0.25


class OneStepOut(Noisy):
    def lie(self, call):
        upper = call.arguments["upper"].value
        high = call.arguments["noise"].dtype.numpy.type(upper)
        self.last = high if float(high) >= upper else np.nextafter(high, high.dtype.type(1))
        super().lie(call)

    def draws(self, sound):
        sound[0] = np.nextafter(self.last, self.last.dtype.type(1))
        return sound


class Normal(Noisy):
    def draws(self, sound):
        return np.clip(np.random.default_rng(3).normal((LOW + HIGH) / 2, 0.04, len(sound)), LOW, HIGH - 1e-6)


class HalfTheRange(Noisy):
    def draws(self, sound):
        return LOW + (sound - LOW) / 2


class Tiled(Noisy):
    """Begins anew every 8192 elements."""

    def draws(self, sound):
        return np.resize(sound[:8192], len(sound))


class NotANumber(Noisy):
    def draws(self, sound):
        sound[3] = np.nan
        return sound


class DrawsAtZero(Noisy):
    def draws(self, sound):
        return sound * 0 + 0.25

    def is_drawn(self, x):
        return x <= 0


class NotWritten(Sound):
    def run(self, call):
        before = call.arguments["noise"].array().copy()
        outcome = super().run(call)
        call.arguments["noise"].view()[...] = before
        return outcome


class OtherProduct(Sound):
    """Multiplies with the draws of another seed."""

    def run(self, call):
        held = call.arguments["noise"].array().copy()
        super().run(seeded(call, call.arguments["seed"].value + 1))
        product = call.arguments["out"].array().copy()
        call.arguments["noise"].view()[...] = held
        outcome = super().run(call)
        call.arguments["out"].view()[...] = product
        return outcome


class SeedIgnored(Sound):
    def run(self, call):
        return super().run(seeded(call, 0))


class Unsteady(Sound):
    """Takes another seed every time."""

    def __init__(self):
        super().__init__()
        self.clock = itertools.count()

    def run(self, call):
        return super().run(seeded(call, next(self.clock)))


class OnesInEvaluation(Noisy):
    def lie(self, call):
        if not call.arguments["training"].value:
            call.arguments["noise"].view()[...] = 1


def seeded(call, seed):
    return structs.replace(call, arguments={**call.arguments, "seed": Attribute(ParameterKind.INT64, seed)})
