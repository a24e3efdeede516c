"""Execution plans of the tiled operators: which core computes which elements, in which tiles.

Figures restate the operators' host code (docs/provenance.md). Sizes are elements unless a name says bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from conformance.dtype import DType
from conformance.product import Product

UB_BLOCK_BYTES = 32
"""Granule of copies between device memory and the Unified Buffer."""


@dataclass(frozen=True, slots=True)
class CoreRange:
    """Elements ``start`` … ``start + count`` of one core."""

    start: int
    count: int


@dataclass(frozen=True, slots=True)
class Tile:
    """One tile: ``count`` elements are copied, ``lanes`` (at least as many) are computed."""

    start: int
    count: int
    lanes: int


@dataclass(frozen=True, slots=True)
class Plan:
    """How an operator spreads ``elements`` over cores and tiles.

    Vector steps run on a tile's count rounded up to ``lane_step``; with ``double_buffer`` the next tile
    is copied in while the present one is computed.
    """

    operator: str
    elements: int
    dtype: DType
    cores: tuple[CoreRange, ...]
    tile_elements: int
    lane_step: int
    double_buffer: bool

    @property
    def tile_count(self) -> int:
        """Tiles of all cores together."""
        return sum(-(-core.count // self.tile_elements) for core in self.cores)

    def tiles(self, core: CoreRange) -> Iterator[Tile]:
        """Tiles of one core in order; the last may be partial."""
        end = core.start + core.count
        for start in range(core.start, end, self.tile_elements):
            count = min(self.tile_elements, end - start)
            yield Tile(start, count, align_up(count, self.lane_step))

    def describe(self) -> str:
        """The plan for people: one line of figures, then one line a group of equally loaded cores."""
        buffers = "double" if self.double_buffer else "single"
        head = (
            f"{self.operator} {self.elements} x {self.dtype}: {len(self.cores)} cores, "
            f"{self.tile_count} tiles of {self.tile_elements}, {buffers} buffer"
        )
        return "\n".join([head, *self._loads()])

    def _loads(self) -> Iterator[str]:
        first = 0
        for i, core in enumerate(self.cores):
            if i + 1 == len(self.cores) or self.cores[i + 1].count != core.count:
                who = f"core {i}" if first == i else f"cores {first}-{i}"
                yield f"  {who}: {core.count} elements in {-(-core.count // self.tile_elements)} tiles"
                first = i + 1


PlanFunction = Callable[[int, DType, Product], Plan]


def align_up(count: int, step: int) -> int:
    """Least multiple of ``step`` that is not less than ``count``."""
    return -(-count // step) * step


SILU_GRAD_BUFFERS = {4: (5, 8), 2: (13, 16)}
"""Item size in bytes → UB shares that single- and double-buffered tiles take."""
SILU_GRAD_ELEMENTS_A_CORE = 1024


def silu_grad(elements: int, dtype: DType, product: Product) -> Plan:
    """Plan of SiluGrad: blocks of 32 bytes dealt evenly, the first cores taking one block more."""
    block = UB_BLOCK_BYTES // dtype.itemsize
    blocks = -(-elements // block)
    cores = max(1, min(product.vector_cores, -(-elements // SILU_GRAD_ELEMENTS_A_CORE), blocks))
    small, tail = blocks // cores * block, blocks % cores
    single, double = (
        product.unified_buffer // UB_BLOCK_BYTES // shares * block for shares in SILU_GRAD_BUFFERS[dtype.itemsize]
    )
    pipelined = small > 2 * single
    ranges = _deal(elements, [small + block] * tail + [small] * (cores - tail))
    return Plan("SiluGrad", elements, dtype, ranges, double if pipelined else single, block, pipelined)


@dataclass(frozen=True, slots=True)
class _HardShrinkGradCost:
    """UB bytes an element takes with single and double buffer, and the vector register's lanes."""

    single: int
    double: int
    alignment: int


_HARD_SHRINK_GRAD = {
    "float32": _HardShrinkGradCost(12, 24, 64),
    "float16": _HardShrinkGradCost(6, 12, 128),
    "bfloat16": _HardShrinkGradCost(14, 20, 64),
}
HARD_SHRINK_GRAD_RESERVED_BYTES = 16 * 1024
HARD_SHRINK_GRAD_SINGLE_BUFFER_LIMIT = 1024


def hard_shrink_grad(elements: int, dtype: DType, product: Product) -> Plan:
    """Plan of HardShrinkGrad: even shares, the last core taking the rest; vector steps run on whole tiles."""
    cost = _HARD_SHRINK_GRAD[dtype.name]
    pipelined = elements > HARD_SHRINK_GRAD_SINGLE_BUFFER_LIMIT
    available = product.unified_buffer - HARD_SHRINK_GRAD_RESERVED_BYTES
    tile = available // (cost.double if pipelined else cost.single) // cost.alignment * cost.alignment
    if elements < tile:
        tile = align_up(max(elements, 1), cost.alignment)
    share = -(-elements // product.vector_cores)
    ranges = _deal(elements, [share] * -(-elements // share) if share else [])
    return Plan("HardShrinkGrad", elements, dtype, ranges, tile, tile, pipelined)


def _deal(elements: int, shares: list[int]) -> tuple[CoreRange, ...]:
    """Consecutive ranges of the given sizes, cut off at ``elements``."""
    ranges = []
    start = 0
    for share in shares:
        count = min(share, elements - start)
        if count > 0:
            ranges.append(CoreRange(start, count))
        start += share
    return tuple(ranges)


PLANS: dict[str, PlanFunction] = {"SiluGrad": silu_grad, "HardShrinkGrad": hard_shrink_grad}
"""Operator name → its plan function."""
