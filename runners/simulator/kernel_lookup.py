"""How the kernel of an API is found: by the name of its module."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module

from conformance.contract import Contract
from conformance.properties import Elementwise
from conformance.signature import snake_name
from runners.simulator.kernel import Kernel, no_intermediates
from runners.simulator.strips import in_strips

PACKAGE = "runners.simulator.kernels"
KernelLookup = Callable[[Contract], "Kernel | None"]


def find_kernel(contract: Contract) -> Kernel | None:
    """Kernel of the module named after the API, ``<family>.<snake_name>``; None when there is none."""
    lanes_stand_alone = any(isinstance(promise, Elementwise) for promise in contract.properties)
    return _kernel_of(f"{PACKAGE}.{contract.family}.{snake_name(contract.api)}", lanes_stand_alone)


@cache
def _kernel_of(name: str, lanes_stand_alone: bool) -> Kernel | None:
    try:
        module = import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and (name == error.name or name.startswith(f"{error.name}.")):
            return None
        raise
    compute = in_strips(module.compute) if lanes_stand_alone else module.compute
    return Kernel(compute, getattr(module, "intermediates", no_intermediates))
