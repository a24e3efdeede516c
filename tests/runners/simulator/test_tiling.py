"""Plans: the documented figures at the sizes where something switches, and what every plan must keep."""

from itertools import pairwise

import pytest

from conformance.dtype import DTYPES
from conformance.product import PRODUCTS
from runners.simulator.tiling import PLANS, CoreRange, Plan, Tile, hard_shrink_grad, silu_grad

A2, A5 = PRODUCTS["ascend910b"], PRODUCTS["ascend950"]
FP32, FP16, BF16 = DTYPES["float32"], DTYPES["float16"], DTYPES["bfloat16"]

SIZES = [
    0,
    1,
    7,
    8,
    9,
    63,
    64,
    65,
    1023,
    1024,
    1025,
    48 * 1024 - 1,
    48 * 1024 + 1,
    65537,
    943_104,
    943_105,
    1 << 20,
]


@pytest.mark.parametrize("operator", PLANS)
@pytest.mark.parametrize("dtype", [FP32, FP16, BF16], ids=str)
@pytest.mark.parametrize("n", SIZES)
def test_every_element_lies_in_exactly_one_tile(operator, dtype, n):
    plan = PLANS[operator](n, dtype, A2 if operator == "SiluGrad" else A5)
    tiles = [tile for core in plan.cores for tile in plan.tiles(core)]
    assert sum(tile.count for tile in tiles) == n
    assert all(before.start + before.count == after.start for before, after in pairwise(tiles))
    assert all(0 < tile.count <= tile.lanes for tile in tiles)
    assert len(tiles) == plan.tile_count


@pytest.mark.parametrize(
    ("n", "dtype", "cores", "tile", "double"),
    [
        (1, FP32, 1, 9824, False),  # 192 KiB / 32 = 6144 blocks; 6144 // 5 = 1228 blocks of 8 elements
        (1, FP16, 1, 7552, False),  # 6144 // 13 = 472 blocks of 16
        (1024, FP32, 1, 9824, False),
        (1025, FP32, 2, 9824, False),
        (48 * 1024 + 1, FP32, 48, 9824, False),
        (2 * 9824 * 48, FP32, 48, 9824, False),  # small core exactly two single tiles
        (2 * 9824 * 48 + 8 * 48, FP32, 48, 6144, True),  # one block more on every core
        (2 * 7552 * 48, BF16, 48, 7552, False),
        (2 * 7552 * 48 + 16 * 48, BF16, 48, 6144, True),
    ],
)
def test_silu_grad_figures_on_a2(n, dtype, cores, tile, double):
    plan = silu_grad(n, dtype, A2)
    assert (len(plan.cores), plan.tile_elements, plan.double_buffer) == (cores, tile, double)


def test_silu_grad_gives_the_first_cores_one_block_more():
    plan = silu_grad(2 * 1024 + 8, FP32, A2)  # 257 blocks over 3 cores: 86, 86, 85
    assert [core.count for core in plan.cores] == [86 * 8, 86 * 8, 85 * 8]


def test_silu_grad_cuts_the_last_core_at_the_true_size():
    plan = silu_grad(1025, FP32, A2)  # 129 blocks: 65 and 64, of which the last holds one element
    assert plan.cores == (CoreRange(0, 520), CoreRange(520, 505))


@pytest.mark.parametrize(
    ("n", "dtype", "cores", "tile", "double"),
    [
        (1, FP32, 1, 64, False),
        (65, FP32, 33, 128, False),
        (1024, FP16, 64, 1024, False),
        (1025, FP16, 61, 1152, True),  # 17 elements a core; the tile is 1025 rounded up to 128
        (1 << 20, FP32, 64, 9856, True),  # 232 KiB // 24 = 9898, down to a multiple of 64
        (1 << 20, FP16, 64, 19712, True),  # 232 KiB // 12 = 19797, down to a multiple of 128
        (1 << 20, BF16, 64, 11840, True),  # 232 KiB // 20 = 11878, down to a multiple of 64
    ],
)
def test_hard_shrink_grad_figures_on_950(n, dtype, cores, tile, double):
    plan = hard_shrink_grad(n, dtype, A5)
    assert (len(plan.cores), plan.tile_elements, plan.double_buffer) == (cores, tile, double)


def test_hard_shrink_grad_gives_the_last_core_the_rest_and_computes_whole_tiles():
    plan = hard_shrink_grad(65, FP32, A5)
    assert plan.cores[-1] == CoreRange(64, 1)
    assert list(plan.tiles(plan.cores[-1])) == [Tile(64, 1, 128)]


@pytest.mark.parametrize("plan_of", [silu_grad, hard_shrink_grad])
def test_nothing_to_compute_uses_no_core(plan_of):
    assert plan_of(0, FP32, A2).cores == ()


def test_a_plan_describes_itself_with_equal_cores_in_one_line():
    plan = Plan("Op", 25, FP32, (CoreRange(0, 10), CoreRange(10, 10), CoreRange(20, 5)), 4, 8, True)
    assert plan.describe().splitlines() == [
        "Op 25 x float32: 3 cores, 8 tiles of 4, double buffer",
        "  cores 0-1: 10 elements in 3 tiles",
        "  core 2: 5 elements in 2 tiles",
    ]
