"""Makes ``import atk.…`` give the shim, whatever the path: scripts import the same names from many places."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

import torch

from runners.executors.shim import NAMES, Placeholder

_SHIMMED = "atk"
_DEVICE = ("torch_npu",)
"""Packages of the device: empty modules where they are not installed."""


class _Finder(MetaPathFinder, Loader):
    names: frozenset[str] = frozenset()

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        shimmed = fullname.partition(".")[0] in self.names
        return ModuleSpec(fullname, self, is_package=True) if shimmed else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return _Shimmed(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Nothing is to be executed: names are made when they are asked for."""


class _Shimmed(ModuleType):
    """A module of ATK's: names of the shim, placeholders for other classes; what is in lower case is a module."""

    def __getattr__(self, name: str) -> Any:
        if name in NAMES:
            return NAMES[name]
        if name[:1].isupper():
            return type(name, (Placeholder,), {})
        raise AttributeError(f"the shim of {self.__name__} has no {name}")


def install() -> None:
    """Put the shim in place of every package of the name, and let tensors be moved to a device that is not there."""
    finder = _Finder()
    absent = [name for name in _DEVICE if importlib.util.find_spec(name) is None]
    finder.names = frozenset([_SHIMMED, *absent])
    sys.meta_path.insert(0, finder)
    if not hasattr(torch.Tensor, "npu"):
        torch.Tensor.npu = lambda self, *_, **__: self  # type: ignore[attr-defined]
