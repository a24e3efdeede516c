"""The reference as the core finds it: torch is loaded when it is first asked for a golden, which may be never."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING

from conformance.call import Call
from conformance.golden import Golden
from conformance.outcome import Outcome, Unsupported
from conformance.product import Product
from conformance.runner import RunnerInfo
from conformance.tensor import Array
from runners.reference import origin

if TYPE_CHECKING:
    from runners.reference.runner import ReferenceRunner


class LazyReference:
    """``ReferenceRunner``, made at the first question that needs it."""

    def describe(self) -> RunnerInfo:
        """Name, version and the versions of the libraries that compute goldens."""
        return origin.describe()

    def basis(self) -> str:
        """Everything beside a call that its golden depends on, one a line."""
        return origin.basis()

    def supports(self, api: str, product: Product) -> str | None:
        """None when there is a formula for ``api``."""
        return self._loaded.supports(api, product)

    def golden(self, call: Call) -> Golden | Unsupported:
        """Golden of every output."""
        return self._loaded.golden(call)

    def benchmark(self, call: Call) -> Mapping[str, Array] | None:
        """Torch's own operator in the outputs' precision; None where it has none."""
        return self._loaded.benchmark(call)

    def run(self, call: Call) -> Outcome:
        """Deliver goldens."""
        return self._loaded.run(call)

    @cached_property
    def _loaded(self) -> ReferenceRunner:
        made: ReferenceRunner = import_module("runners.reference.runner").ReferenceRunner()
        return made
