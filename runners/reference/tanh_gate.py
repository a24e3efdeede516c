"""SituGLU: β·tanh(x/β)·σ(x) of one half times λ·tanh(u/λ) of the other, and its gradients."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch

from runners.reference.arguments import Answer, Arguments
from runners.reference.halves import flag
from runners.reference.narrow import drowned, narrowed, products
from runners.reference.sigmoid import sigmoid, vanishes

_ERROR = 0.45
"""Steps that two tanh, σ, three products and two quotients may be off together, ÷ 32; less than a millionth."""
_OFF = 1 / 4
"""Steps of 1 that 1 − tanh² and 1 − σ lose in float32, ÷ 32, which the bound on elementwise functions multiplies by."""


@dataclass(frozen=True, slots=True)
class Gate:
    """``x``, of which σ is taken, and ``u``; β and λ."""

    x: torch.Tensor
    u: torch.Tensor
    beta: float
    linear: float

    def forward(self) -> Answer:
        """Their product; 0 will do wherever float32 loses σ, and for what it flushes on the way."""
        share = sigmoid(self.x)
        bent, straight = _bounded(self.x, self.beta), _bounded(self.u, self.linear)
        value = bent * share * straight
        lost = torch.where(vanishes(self.x), value * 0, value)
        flushed = (
            _bounded(self.x, self.beta, narrowed) * share * straight,
            bent * share * _bounded(self.u, self.linear, narrowed),
            narrowed(bent * share) * straight,
        )
        return Answer(value, (lost, *flushed), terms=_ERROR * value.abs())

    def backward(self, g: torch.Tensor) -> tuple[Answer, Answer]:
        """Gradients with respect to x and u."""
        tanh, share, rest = torch.tanh(self.x / self.beta), sigmoid(self.x), sigmoid(-self.x)
        flat = _flat(self.x / self.beta)
        bent, straight = _bounded(self.x, self.beta), _bounded(self.u, self.linear)
        slope = flat * share + bent * share * rest
        flushed = narrowed(flat * share) + narrowed(bent * share * rest)
        size = (flat + _OFF) * share + (self.beta * tanh).abs() * share * (rest + _OFF)
        lost = torch.where(vanishes(self.x), slope * 0, slope)
        rounded = drowned(flat) * share + bent * share * drowned(rest)
        over = g * straight
        early = narrowed(g * self.linear) * torch.tanh(self.u / self.linear) * lost
        others = (*products(g, straight, lost), early, over * flushed, *products(g, straight, rounded))
        of_x = Answer(over * slope, others, terms=2 * over.abs() * size)
        front = bent * share
        level = _flat(self.u / self.linear)
        gone = torch.where(vanishes(self.x), front * 0, front)
        others = (*products(g, gone, level), *products(g, front, drowned(level)))
        of_u = Answer(g * front * level, others, terms=2 * (g * front).abs() * (level + _OFF))
        return of_x, of_u


def gate_of(arguments: Arguments) -> Gate:
    """The halves of a call's x along ``dim``; σ is taken of the first where ``activateLeft`` says so."""
    left, right = arguments.tensor("x").chunk(2, arguments.integer("dim"))
    x, u = (left, right) if flag(arguments, "activateLeft") else (right, left)
    return Gate(x, u, arguments.number("beta"), arguments.number("linearBeta"))


def _bounded(
    x: torch.Tensor, factor: float, quotient: Callable[[torch.Tensor], torch.Tensor] | None = None
) -> torch.Tensor:
    """factor·tanh(x/factor), where the quotient may first become what float32 makes of it."""
    z = x / factor
    return factor * torch.tanh(quotient(z) if quotient else z)


def _flat(z: torch.Tensor) -> torch.Tensor:
    """1 − tanh², without cancellation."""
    return 1 / torch.cosh(z.clamp(-350, 350)) ** 2
