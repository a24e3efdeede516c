"""Faults that come and go: races, torn tiles, sums in the order of arrival."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from conformance.contract import Contract
from conformance.runner import Runner
from conformance.tensor import Array
from runners.faults.fault import HARD, MEDIUM, OURS, Fault, FaultClass
from runners.faults.kernels import Build, Output, with_unit
from runners.faults.units import Summing
from runners.faults.where import sums
from runners.simulator.kernel import Kernel, KernelCall
from runners.simulator.kernel_lookup import find_kernel
from runners.simulator.runner import SimulatorRunner

_fault = partial(Fault, FaultClass.NONDETERMINISM, stateful=True)
_SEED = 20240607
Chance = Callable[[Output, np.random.Generator], Array]


def _random(change: Chance) -> Build:
    """Outputs are changed by chance; the sequence of chances is the same in every process."""

    def build() -> Runner:
        random = np.random.default_rng(_SEED)

        def lookup(contract: Contract) -> Kernel | None:
            kernel = find_kernel(contract)
            if kernel is None:
                return None
            sound = kernel.compute

            def compute(call: KernelCall) -> dict[str, Array]:
                fresh = {name: np.array(values, order="C") for name, values in sound(call).items()}
                return {name: change(Output(name, values, call), random) for name, values in fresh.items()}

            return Kernel(compute, kernel.intermediates)

        return SimulatorRunner(kernels=lookup)

    return build


def _bits(output: Output) -> Array:
    return output.flat.view(f"u{output.values.itemsize}")


def _bits_flip(output: Output, random: np.random.Generator) -> Array:
    bits = _bits(output)
    bits ^= (random.random(len(bits)) < 1e-4).astype(bits.dtype)
    return output.values


def _bit_flips_in_some_runs(output: Output, random: np.random.Generator) -> Array:
    if random.random() < 0.05:
        _bits(output)[random.integers(output.values.size)] ^= _bits(output).dtype.type(1)
    return output.values


def _zeros_in_some_runs(output: Output, random: np.random.Generator) -> Array:
    return output.values * 0 if random.random() < 0.42 else output.values


def _torn_block(output: Output, random: np.random.Generator) -> Array:
    if random.random() >= 1 / 30 or output.values.size < 2 * output.block:
        return output.values
    start = int(random.integers(output.values.size // output.block)) * output.block
    return output.unwritten(slice(start, start + output.block))


def _rubbish_lanes(output: Output, random: np.random.Generator) -> Array:
    hit = random.random(output.values.size) < 1e-5
    output.flat[hit] = output.flat[hit] * 3
    return output.values


def _in_order_of_arrival() -> Runner:
    """Sums are added up in another order every time."""
    random = np.random.default_rng(_SEED)

    def total(terms: Array, axes: tuple[int, ...]) -> Array:
        for axis in axes:
            terms = np.take(terms, random.permutation(terms.shape[axis]), axis)
        return np.asarray(np.sum(terms, axis=axes, keepdims=True, dtype=np.float32))

    return with_unit(lambda dtype: Summing(total))()


FAULTS = (
    _fault(
        "bits_flip", HARD, "one element in ten thousand has its last bit flipped, others each time", OURS,
        _random(_bits_flip),
    ),
    _fault(
        "bit_flips_in_some_runs", HARD, "in one run of twenty one element has its last bit flipped", "ops-nn@bd0f726cb",
        _random(_bit_flips_in_some_runs),
    ),
    _fault(
        "zeros_in_some_runs", MEDIUM, "two of five runs give zeros: the copy out does not wait", "ops-nn@260136131",
        _random(_zeros_in_some_runs),
    ),
    _fault(
        "torn_block_in_some_runs", HARD, "in one run of thirty a block of 32 bytes keeps what it held",
        "ops-nn@cb4499dd7", _random(_torn_block),
    ),
    _fault(
        "rare_rubbish", HARD, "one element in a hundred thousand is three times too large, others each time", OURS,
        _random(_rubbish_lanes),
    ),
    _fault(
        "summed_in_order_of_arrival", HARD, "sums are added up in another order every time", OURS, _in_order_of_arrival,
        sums,
    ),
)  # fmt: skip
"""Faults of this class."""
