"""Element counts at which an implementation may change its way: blocks, vector registers, cores, tiles."""

from __future__ import annotations

from conformance.dtype import DType
from conformance.load import load_tiling
from conformance.product import Product


def switch_points(api: str, product: Product, dtype: DType) -> list[int]:
    """Sizes just before something changes, ascending: a block of 32 bytes, a register, a block a core, known tiles."""
    tiling = load_tiling()
    block, lanes = (max(tiling[key] // dtype.itemsize, 1) for key in ("block_bytes", "vector_bytes"))
    known = [
        switch["elements"]
        for switch in tiling["switches"]
        if switch["api"] == api and product.name in switch["products"] and dtype.name in switch["dtypes"]
    ]
    return sorted({block, 2 * block, lanes, 2 * lanes, block * product.vector_cores, *known})


def size_ladder(api: str, product: Product, dtype: DType, cap: int) -> list[int]:
    """1, and every switch point with its two neighbours, up to ``cap``; ascending."""
    rungs = {size + step for size in switch_points(api, product, dtype) for step in (-1, 0, 1)}
    return sorted(size for size in {1, *rungs} if 1 <= size <= cap)
