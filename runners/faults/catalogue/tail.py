"""Faults at the end of a vector, and where cores and tiles meet."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

import numpy as np

from conformance.contract import Contract
from conformance.dtype import DType
from conformance.product import PRODUCTS, Product
from conformance.tensor import Array
from runners.faults.fault import EASY, HARD, MEDIUM, OURS, Fault, FaultClass
from runners.faults.kernels import Build, Output, changing_outputs
from runners.simulator.arithmetic import round_to, widen
from runners.simulator.runner import SimulatorRunner
from runners.simulator.tiling import PLANS, Plan, PlanFunction

_fault = partial(Fault, FaultClass.TAIL)
_TILE = 4096
"""Elements of a tile of those faults that have no plan of a real operator to spoil."""
_FEW = 1024
"""Elements that one core takes before a second one is used."""
_TILED_ON = {"aclnnSiluBackward": "ascend910b", "aclnnHardshrinkBackward": "ascend950"}
"""Functions whose operators follow a tiling plan, and where."""


def _unwritten(where: Callable[[Output], Array | slice | int]) -> Build:
    """The positions that ``where`` gives keep what they held."""
    return changing_outputs(lambda output: output.unwritten(where(output)))


def _nothing() -> slice:
    return slice(0, 0)


def _last_block(output: Output) -> slice:
    return slice(-output.block, None) if output.values.size > output.block else _nothing()


def _remainder(output: Output) -> slice:
    return slice(output.values.size // output.block * output.block, None)


def _whole_multiple(output: Output) -> slice:
    size = output.values.size
    return slice(-output.block, None) if size > output.block and size % output.block == 0 else _nothing()


def _of_odd_length(output: Output) -> slice:
    return slice(-1, None) if output.values.size % 2 else _nothing()


def _share(output: Output) -> int:
    """Elements of a core when the work is dealt evenly; all of them while one core does."""
    size, cores = output.values.size, output.call.product.vector_cores
    return size if size <= _FEW else -(-size // cores)


def _last_core(output: Output) -> slice:
    size, share = output.values.size, _share(output)
    return slice((size - 1) // share * share, None) if share < size else _nothing()


def _ends_of_cores(output: Output) -> slice:
    share = _share(output)
    return slice(share - 1, output.values.size - 1, share)


def _counted_twice(output: Output) -> Array:
    starts = slice(_share(output), None, _share(output))
    output.flat[starts] = round_to(widen(output.flat[starts]) * np.float32(2), output.dtype)
    return output.values


def _remainder_from_the_start(output: Output) -> Array:
    rest = output.values.size % output.register
    if rest and output.values.size > output.register:
        output.flat[-rest:] = output.flat[:rest].copy()
    return output.values


def _fewer_than_cores(output: Output) -> slice:
    return slice(0, 1) if 1 < output.values.size < output.call.product.vector_cores else _nothing()


def _row_remainders(output: Output) -> Array:
    if output.values.ndim < 2:
        return output.values
    start = output.values.shape[-1] // output.block * output.block
    before = output.before.reshape(output.values.shape)
    output.values[..., start:] = before[..., start:]
    return output.values


def _stale_second_buffer(output: Output) -> Array:
    flat, sound = output.flat, output.flat.copy()
    for start in range(_TILE, len(flat), 2 * _TILE):
        piece = flat[start : start + _TILE]
        piece[...] = sound[start - _TILE : start - _TILE + len(piece)]
    return output.values


def _tiles_shifted(output: Output) -> Array:
    flat, sound = output.flat, output.flat.copy()
    for start in range(_TILE, len(flat), _TILE):
        piece = flat[start : start + _TILE]
        piece[...] = sound[start - output.block : start - output.block + len(piece)]
    return output.values


def _is_tiled(contract: Contract, product: Product) -> bool:
    return _TILED_ON.get(contract.api) == product.name


def _planned(change: Callable[[Plan, Product], Plan]) -> Build:
    """Every plan of a tiled operator becomes another."""

    def spoiled(function: PlanFunction) -> PlanFunction:
        def plan(elements: int, dtype: DType, product: Product) -> Plan:
            return change(function(elements, dtype, product), product)

        return plan

    plans: Mapping[str, PlanFunction] = {name: spoiled(function) for name, function in PLANS.items()}
    return lambda: SimulatorRunner(plans=plans)


def _without_last_core(plan: Plan, product: Product) -> Plan:
    return replace(plan, cores=plan.cores[:-1]) if len(plan.cores) > 1 else plan


def _whole_tiles_only(plan: Plan, product: Product) -> Plan:
    cores = tuple(
        replace(core, count=core.count // plan.tile_elements * plan.tile_elements or core.count) for core in plan.cores
    )
    return replace(plan, cores=cores)


def _one_element_short(plan: Plan, product: Product) -> Plan:
    return replace(plan, cores=tuple(replace(core, count=max(1, core.count - 1)) for core in plan.cores))


def _of_another_product(plan: Plan, product: Product) -> Plan:
    fewest = min(other.vector_cores for other in PRODUCTS.values() if other.vector_cores > 32)
    return replace(plan, cores=plan.cores[: fewest // 2])


FAULTS = (
    _fault(
        "last_block_unwritten", EASY, "the last 32 bytes of an output are not written", "ops-nn@272045840",
        _unwritten(_last_block),
    ),
    _fault(
        "remainder_unwritten", EASY, "what does not fill a block of 32 bytes is not written", "ops-nn@0af1c2bfe",
        _unwritten(_remainder),
    ),
    _fault(
        "remainder_from_the_start", MEDIUM, "lanes after the last whole register get results from the start",
        "pytorch#195075", changing_outputs(_remainder_from_the_start),
    ),
    _fault(
        "last_element_unwritten", EASY, "the last element is not written", "ops-nn@c1638fb6d",
        _unwritten(lambda output: -1),
    ),
    _fault(
        "odd_element_unwritten", MEDIUM, "the last element of an odd length is not written", OURS,
        _unwritten(_of_odd_length),
    ),
    _fault(
        "last_core_idle", MEDIUM, "the share of the last core is not computed", "ops-nn@a08a05a42",
        _unwritten(_last_core),
    ),
    _fault(
        "cores_stop_one_early", MEDIUM, "every core but the last leaves out its last element", OURS,
        _unwritten(_ends_of_cores),
    ),
    _fault(
        "first_of_core_counted_twice", MEDIUM, "the first element of every further core is added twice", OURS,
        changing_outputs(_counted_twice),
    ),
    _fault(
        "beyond_65536_unwritten", MEDIUM, "positions are held in 16 bits: elements from 65536 on are not written",
        "ops-nn@0bbf3b017", _unwritten(lambda output: slice(65536, None)),
    ),
    _fault(
        "beyond_255_registers_unwritten", MEDIUM,
        "repeats are counted in 8 bits: after 255 registers nothing is written", "ops-nn@8314e34ea",
        _unwritten(lambda output: slice(255 * output.register, None)),
    ),
    _fault(
        "whole_multiple_loses_its_end", MEDIUM, "a length that fills its last block exactly loses it", OURS,
        _unwritten(_whole_multiple),
    ),
    _fault(
        "single_element_unwritten", EASY, "a tensor of one element is not written", "ops-nn@36a79ee4b",
        _unwritten(lambda output: slice(0, 1) if output.values.size == 1 else _nothing()),
    ),
    _fault(
        "fewer_elements_than_cores", MEDIUM, "with fewer elements than cores the first one is not written",
        "ops-nn@a08a05a42", _unwritten(_fewer_than_cores),
    ),
    _fault(
        "row_remainders_unwritten", MEDIUM, "the end of every row, beyond whole blocks, is not written",
        "ops-nn@c1638fb6d", changing_outputs(_row_remainders),
    ),
    _fault(
        "stale_second_buffer", MEDIUM, "every second tile of 4096 elements delivers the tile before it",
        "ops-nn@bd0f726cb", changing_outputs(_stale_second_buffer),
    ),
    _fault(
        "tiles_shifted_by_a_block", MEDIUM, "every tile but the first begins a block too early", OURS,
        changing_outputs(_tiles_shifted),
    ),
    _fault(
        "plan_without_last_core", MEDIUM, "the tiling plan leaves out its last core", "ops-nn@a08a05a42",
        _planned(_without_last_core), _is_tiled, tuple(_TILED_ON.values()),
    ),
    _fault(
        "plan_of_whole_tiles", MEDIUM, "a core with several tiles leaves out the last, partial one", "ops-nn@c1638fb6d",
        _planned(_whole_tiles_only), _is_tiled, tuple(_TILED_ON.values()),
    ),
    _fault(
        "plan_one_element_short", EASY, "every core of the plan does one element less", OURS,
        _planned(_one_element_short), _is_tiled, tuple(_TILED_ON.values()),
    ),
    _fault(
        "plan_for_half_the_cores", HARD, "the plan is cut off at the cores of a smaller chip", "ops-nn@6f2c99daa",
        _planned(_of_another_product), _is_tiled, tuple(_TILED_ON.values()),
    ),
)  # fmt: skip
"""Faults of this class."""
