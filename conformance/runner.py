"""The protocols that runners and references implement, and what they say about themselves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from conformance.call import Call
from conformance.golden import Golden
from conformance.outcome import Outcome, Unsupported
from conformance.product import Product
from conformance.tensor import Array

MESSAGES, NO_MESSAGES = "messages", "none"
"""Fact by which a runner says that its implementation has no error texts, so that none are asked of refusals."""


@dataclass(frozen=True, slots=True)
class RunnerInfo:
    """Who judged or was judged: goes into the record's header."""

    name: str
    version: str
    facts: Mapping[str, str] = field(default_factory=dict)


@runtime_checkable
class Runner(Protocol):
    """Adapter to one implementation; see docs/runners.md for a complete example.

    Built with the runner options of the command line as keyword arguments, none by default.
    """

    def describe(self) -> RunnerInfo:
        """Name, version and facts of the implementation."""
        ...

    def supports(self, api: str, product: Product) -> str | None:
        """None when calls of ``api`` can run as ``product``; otherwise the reason why not."""
        ...

    def run(self, call: Call) -> Outcome:
        """Run every step of the call, writing outputs into the call's own memory. Never says pass or fail."""
        ...


AHEAD = 16
"""Calls that a runner is told of ahead at most."""


@runtime_checkable
class LooksAhead(Protocol):
    """A runner that is quicker where it knows which calls come next."""

    def ahead(self, calls: Iterable[Call]) -> None:
        """Say which small calls will be run next, in their order; they may be made before they are asked for.

        Whatever else is run or asked first, it is as if they had not been made.
        """
        ...


@runtime_checkable
class Reference(Protocol):
    """Supplies goldens from the documented formula, and same-precision benchmarks for dual-benchmark standards."""

    def describe(self) -> RunnerInfo:
        """Name, version and facts of the reference."""
        ...

    def golden(self, call: Call) -> Golden | Unsupported:
        """Golden of every output of a legal call; reads inputs only."""
        ...

    def benchmark(self, call: Call) -> Mapping[str, Array] | None:
        """Result of a trusted operator in the outputs' own precision; None where there is none."""
        ...
