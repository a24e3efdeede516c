"""Finds the formula of an API by its name: ``aclnnFooBackward`` lives in ``<family>/foo_backward.py``."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules

import runners.reference as package
from conformance.signature import snake_name
from runners.reference.arguments import BenchmarkFunction, GoldenFunction


@dataclass(frozen=True, slots=True)
class Formula:
    """What one API's module offers."""

    golden: GoldenFunction
    benchmark: BenchmarkFunction | None


@cache
def families() -> tuple[str, ...]:
    """Names of the subpackages that hold formulas."""
    return tuple(module.name for module in iter_modules(package.__path__) if module.ispkg)


@cache
def formula_of(api: str) -> Formula | None:
    """Formula of an API; None when no family has a module of its name."""
    word = snake_name(api)
    if not word.isidentifier():
        return None
    for family in families():
        name = f"{package.__name__}.{family}.{word}"
        if find_spec(name) is not None:
            module = import_module(name)
            return Formula(module.golden, getattr(module, "benchmark", None))
    return None
