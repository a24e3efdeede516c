"""Ways to build a simulator whose kernels are wrong: other inputs, other arithmetic, other results, other formulas."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from conformance.contract import Contract
from conformance.dtype import BY_NUMPY, DType
from conformance.runner import Runner
from conformance.tensor import Array
from runners.simulator.kernel import Kernel, KernelCall
from runners.simulator.kernel_lookup import find_kernel
from runners.simulator.runner import SimulatorRunner
from runners.simulator.tiling import UB_BLOCK_BYTES
from runners.simulator.vector_unit import VectorUnit

REGISTER_BYTES = 256
Build = Callable[[], Runner]
Compute = Callable[[KernelCall], Mapping[str, Array]]
Patch = Callable[[Compute, KernelCall, Contract], Mapping[str, Array]]
"""The sound kernel, a call and its contract → results."""


def patched(patch: Patch) -> Build:
    """The simulator with every kernel run by ``patch``."""

    def lookup(contract: Contract) -> Kernel | None:
        kernel = find_kernel(contract)
        if kernel is None:
            return None
        sound = kernel.compute
        return replace(kernel, compute=lambda call: patch(sound, call, contract))

    return lambda: SimulatorRunner(kernels=lookup)


@dataclass(frozen=True, slots=True, eq=False)
class Output:
    """One result: a dense array of its own, which may be written, and where it came from."""

    name: str
    values: Array
    call: KernelCall

    @property
    def flat(self) -> Array:
        """The values as a vector over the same memory."""
        return self.values.reshape(-1)

    @property
    def dtype(self) -> DType:
        """Element type."""
        return BY_NUMPY[self.values.dtype]

    @property
    def block(self) -> int:
        """Elements in a 32-byte block."""
        return UB_BLOCK_BYTES // self.values.itemsize

    @property
    def register(self) -> int:
        """Elements in a vector register."""
        return REGISTER_BYTES // self.values.itemsize

    @property
    def before(self) -> Array:
        """What the output's memory held before the call, as a vector."""
        return np.array(self.call.output_memory(self.name)).reshape(-1)

    def unwritten(self, where: Array | slice | int) -> Array:
        """The values with those flat positions as they were before the call."""
        self.flat[where] = self.before[where]
        return self.values


Change = Callable[[Output], Array]


def changing_outputs(change: Change) -> Build:
    """Every output that has elements becomes what ``change`` makes of it."""

    def patch(sound: Compute, call: KernelCall, contract: Contract) -> Mapping[str, Array]:
        fresh = {name: np.array(values, order="C") for name, values in sound(call).items()}
        return {name: change(Output(name, values, call)) if values.size else values for name, values in fresh.items()}

    return patched(patch)


def changing_calls(change: Callable[[KernelCall, Contract], KernelCall]) -> Build:
    """Every kernel gets another call than the one that was made."""
    return patched(lambda sound, call, contract: sound(change(call, contract)))


def changing_inputs(change: Callable[[Array, KernelCall], Array]) -> Build:
    """Every input of every kernel becomes what ``change`` makes of it."""

    def changed(call: KernelCall, contract: Contract) -> KernelCall:
        return replace(call, inputs={name: change(values, call) for name, values in call.inputs.items()})

    return changing_calls(changed)


def with_unit(make: Callable[[DType], VectorUnit]) -> Build:
    """Every kernel computes on the vector unit that is made for the type of its first input."""

    def changed(call: KernelCall, contract: Contract) -> KernelCall:
        first = next(iter(call.spec.inputs.values()))
        return replace(call, unit=make(first.dtype))

    return changing_calls(changed)


def computing(formulas: Mapping[str, Compute]) -> Build:
    """Another formula for the APIs named, the sound one for the rest."""
    return patched(lambda sound, call, contract: formulas.get(contract.api, sound)(call))
