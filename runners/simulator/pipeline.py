"""Runs an elementwise operator through a tiling plan: copy in, compute, copy out, tile by tile on every core.

Local buffers stand for the Unified Buffer: they start as garbage and keep what earlier tiles left, so lanes
beyond a tile's true count compute on rubbish, as on the device.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from conformance.tensor import WORKSPACE_FILL_BYTE, Array
from runners.simulator.tiling import CoreRange, Plan, Tile

VectorStep = Callable[..., Array]
"""Lanes of every input → lanes of the output, all of one length."""
Buffers = list[Array]


def execute(plan: Plan, inputs: Sequence[Array], output: Array, step: VectorStep) -> None:
    """Fill the flat ``output`` from flat ``inputs``; elements that no tile covers stay as they are."""
    slots = [[_garbage(plan, source.dtype) for source in inputs] for _ in range(1 + plan.double_buffer)]
    for core in plan.cores:
        if plan.double_buffer:
            _pipelined(plan, core, inputs, output, step, slots)
        else:
            _serial(plan, core, inputs, output, step, slots[0])


def _serial(
    plan: Plan, core: CoreRange, inputs: Sequence[Array], output: Array, step: VectorStep, slot: Buffers
) -> None:
    for tile in plan.tiles(core):
        _copy_in(tile, inputs, slot)
        _compute_and_copy_out(tile, slot, output, step)


def _pipelined(
    plan: Plan,
    core: CoreRange,
    inputs: Sequence[Array],
    output: Array,
    step: VectorStep,
    slots: list[Buffers],
) -> None:
    """Two slots in turn: the next tile is loaded before the present one is computed; the last one drains."""
    tiles = list(plan.tiles(core))
    _copy_in(tiles[0], inputs, slots[0])
    for i, tile in enumerate(tiles):
        if i + 1 < len(tiles):
            _copy_in(tiles[i + 1], inputs, slots[(i + 1) % 2])
        _compute_and_copy_out(tile, slots[i % 2], output, step)


def _copy_in(tile: Tile, inputs: Sequence[Array], slot: Buffers) -> None:
    for source, buffer in zip(inputs, slot, strict=True):
        buffer[: tile.count] = source[tile.start : tile.start + tile.count]


def _compute_and_copy_out(tile: Tile, slot: Buffers, output: Array, step: VectorStep) -> None:
    lanes = step(*(buffer[: tile.lanes] for buffer in slot))
    output[tile.start : tile.start + tile.count] = lanes[: tile.count]


def _garbage(plan: Plan, dtype: np.dtype[np.generic]) -> Array:
    lanes = -(-plan.tile_elements // plan.lane_step) * plan.lane_step
    return np.full(lanes * dtype.itemsize, WORKSPACE_FILL_BYTE, np.uint8).view(dtype)
