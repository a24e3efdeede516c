"""Ten faults for the fuzzer to find: the simulator, each time with one lie."""

from __future__ import annotations

import numpy as np
from msgspec import structs

from conformance.outcome import Completed, Rejected
from conformance.tensor import GUARD_BYTES, new_tensor
from runners.simulator.runner import SimulatorRunner


class Planted(SimulatorRunner):
    """``misread`` may change how an input is seen, ``after`` what was answered."""

    def run(self, call):
        seen = {name: self.misread(tensor) for name, tensor in call.tensors(written=False)}
        outcome = super().run(structs.replace(call, arguments={**call.arguments, **seen}))
        return self.after(call, outcome) or outcome

    def misread(self, tensor):
        return tensor

    def after(self, call, outcome):
        """What becomes of an answer; None keeps it."""
        if isinstance(outcome, Completed) and first(call).numel:
            with np.errstate(all="ignore"):
                self.spoil(call)

    def spoil(self, call):
        """What becomes of outputs that have elements."""


def first(call):
    return next(tensor for _, tensor in call.tensors(written=True))


class NanDropped(Planted):
    def spoil(self, call):
        np.nan_to_num(first(call).view(), copy=False, nan=0.0, posinf=np.inf, neginf=-np.inf)


class GreaterOrEqual(Planted):
    """``>=`` for ``>``: at zero the gradient passes unweighted."""

    def spoil(self, call):
        x, dy, dx = (call.arguments[name].view() for name in ("self", "gradOutput", "gradInput"))
        dx[...] = np.where(x == 0, dy, dx)


class StridesIgnored(Planted):
    """Elements are taken one after another from the first on, as far as the storage goes."""

    def misread(self, tensor):
        if tensor.dtype.numpy is None or not tensor.numel:
            return tensor
        dense = new_tensor(tensor.dtype, tensor.shape)
        stored = tensor.memory.payload.view(tensor.dtype.numpy)[tensor.offset :]
        dense.view()[...] = np.resize(stored, tensor.shape)
        return dense


class OffsetIgnored(Planted):
    def misread(self, tensor):
        return structs.replace(tensor, offset=0)


class WrongTail(Planted):
    def spoil(self, call):
        view = first(call).view()
        if view.size % 16:
            view[(-1,) * view.ndim] = 77


class WrongBroadcast(Planted):
    """A narrower gradient is repeated element by element in place of axis by axis."""

    def spoil(self, call):
        x, dy, dx = (call.arguments[name].view() for name in ("self", "gradOutput", "gradInput"))
        if dy.shape != dx.shape:
            dx[...] = np.where(x > 0, np.resize(dy, dx.shape), dx)


class Truncates(Planted):
    """bfloat16 results lose their low bits in place of being rounded."""

    def spoil(self, call):
        out, x = first(call), call.arguments["self"].array()
        if out.dtype.name == "bfloat16":
            wide = x.astype(np.float32)
            exact = np.ascontiguousarray(wide / (1 + np.exp(-wide)))
            out.view()[...] = (exact.view(np.uint32) & 0xFFFF0000).view(np.float32).astype(x.dtype)


class WrongStatus(Planted):
    """One violation, too many dimensions, is refused as a null pointer."""

    def after(self, call, outcome):
        deep = any(len(tensor.shape) > 8 for written in (True, False) for _, tensor in call.tensors(written=written))
        return structs.replace(outcome, status=161001) if isinstance(outcome, Rejected) and deep else None


class WritesPastTheEnd(Planted):
    def spoil(self, call):
        memory = first(call).memory
        memory.everything[GUARD_BYTES + len(memory.payload)] ^= 1


class LastAxisWeights(Planted):
    """Weights along the last axis in place of axis 1."""

    def spoil(self, call):
        x, dy, weight, dx = (call.arguments[n].view() for n in ("self", "gradOutput", "weight", "gradInput"))
        if weight.size > 1 and (weight.size,) == dx.shape[-1:]:
            dx[...] = np.where(x > 0, dy, weight.reshape(-1) * dy)
