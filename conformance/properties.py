"""What a contract promises about relations between calls, and of which calls: data for what is made from contracts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Elementwise:
    """Every element of an output depends only on the elements at its own place, in tensors of one shape."""

    @property
    def names(self) -> tuple[str, ...]:
        """No parameter in particular."""
        return ()


@dataclass(frozen=True, slots=True)
class InPlace:
    """``output`` may be one of ``inputs``, and holds the same as an output of its own would."""

    output: str
    inputs: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Parameters that it speaks of."""
        return (self.output, *self.inputs)


@dataclass(frozen=True, slots=True)
class Scales:
    """Every output is linear in ``input``: half of it gives half of each, exactly while nothing underflows."""

    input: str

    @property
    def names(self) -> tuple[str, ...]:
        """Parameters that it speaks of."""
        return (self.input,)


@dataclass(frozen=True, slots=True)
class SumsToZero:
    """``output`` sums to zero along the axis that ``axis`` names, where ``shares`` sums to one along it."""

    output: str
    shares: str
    axis: str

    @property
    def names(self) -> tuple[str, ...]:
        """Parameters that it speaks of."""
        return (self.output, self.shares, self.axis)


@dataclass(frozen=True, slots=True)
class Dense:
    """The document admits the tensors contiguous alone, or says nothing of others."""

    parameters: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Parameters that it speaks of."""
        return self.parameters


Property = Elementwise | InPlace | Scales | SumsToZero | Dense


def parse_property(document: Mapping[str, Any]) -> Property:
    """Property of a document that keeps the contract schema."""
    given = {
        key: tuple(value) if isinstance(value, list) else value for key, value in document.items() if key != "kind"
    }
    return _KINDS[document["kind"]](**given)


_KINDS: Mapping[str, Callable[..., Property]] = {
    "elementwise": Elementwise,
    "in_place": InPlace,
    "scales": Scales,
    "sums_to_zero": SumsToZero,
    "dense": Dense,
}
