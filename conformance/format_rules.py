"""Rules about storage formats."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from conformance.constraint import Facts, TensorChange, Violation, beside_first, spread, tensors_of
from conformance.product import Product
from conformance.tensor import Format

_CANDIDATES = (Format.NCHW, Format.ND, Format.NHWC)
"""Tried in this order for a format that is not allowed; no private format, whose storage needs padding."""


@dataclass(frozen=True, slots=True)
class FormatIn:
    """Every tensor has one of the listed formats."""

    parameters: tuple[str, ...]
    formats: tuple[Format, ...]

    def check(self, facts: Facts, product: Product) -> str | None:
        """Names the first tensor of another format."""
        for name, tensor in tensors_of(facts, self.parameters):
            if tensor.format not in self.formats:
                allowed = ", ".join(format_.name for format_ in self.formats)
                return f"{name} has format {tensor.format.name}, which is not one of {allowed}"
        return None

    def violations(self, facts: Facts, product: Product) -> Iterator[Violation]:
        """The first public format that is not listed."""
        other = next((format_ for format_ in _CANDIDATES if format_ not in self.formats), None)
        return iter(()) if other is None else _in_format(other, facts, self.parameters)


@dataclass(frozen=True, slots=True)
class SameFormat:
    """All tensors have the first one's format."""

    parameters: tuple[str, ...]

    def check(self, facts: Facts, product: Product) -> str | None:
        """Names the first tensor that differs from the first."""
        for first, model, name, tensor in beside_first(facts, self.parameters):
            if tensor.format is not model.format:
                return f"{name} has format {tensor.format.name}, {first} has {model.format.name}"
        return None

    def violations(self, facts: Facts, product: Product) -> Iterator[Violation]:
        """Another public format for each tensor but the first."""
        for _, model in list(tensors_of(facts, self.parameters))[:1]:
            other = next(format_ for format_ in _CANDIDATES if format_ is not model.format)
            for name in self.parameters[1:]:
                yield from _in_format(other, facts, (name,))


def _in_format(format_: Format, facts: Facts, names: tuple[str, ...]) -> Iterator[Violation]:
    return spread(facts, names, f"format_{format_.name.lower()}", lambda _: TensorChange(format=format_))
