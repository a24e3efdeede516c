"""Every target: those that the modules of this package name."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from benchmarks.target import Target


def all_targets() -> tuple[Target, ...]:
    """Targets of every module, in the order of module names."""
    modules = [import_module(f"{__name__}.{found.name}") for found in iter_modules(__path__)]
    return tuple(target for module in modules for target in module.TARGETS)
