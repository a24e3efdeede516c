"""Switch points are data: within reach of every API, and the facts of known operators agree with their plans."""

import pytest

from conformance.dtype import DTYPES
from conformance.load import load_contracts, load_tiling
from conformance.product import PRODUCTS
from conformance.sizes import size_ladder, switch_points
from runners.simulator.tiling import PLANS

OPERATORS = {"aclnnSiluBackward": "SiluGrad", "aclnnHardshrinkBackward": "HardShrinkGrad"}
SWITCHES = [
    (switch, dtype, product)
    for switch in load_tiling()["switches"]
    for dtype in switch["dtypes"]
    for product in switch["products"]
]


def shape_of_the_plan(plan):
    return len(plan.cores), plan.tile_count, plan.double_buffer


@pytest.mark.parametrize(("switch", "dtype", "product"), SWITCHES)
def test_something_changes_just_above_a_switch_point(switch, dtype, product):
    plan = PLANS[OPERATORS[switch["api"]]]
    last, next_ = (plan(switch["elements"] + step, DTYPES[dtype], PRODUCTS[product]) for step in (0, 1))
    assert shape_of_the_plan(last) != shape_of_the_plan(next_)
    assert product in load_contracts()[switch["api"]].products


def test_a_ladder_has_blocks_registers_and_cores_with_neighbours():
    ladder = size_ladder("aclnnPrelu", PRODUCTS["ascend910b"], DTYPES["float32"], 400)
    assert ladder == [1, 7, 8, 9, 15, 16, 17, 63, 64, 65, 127, 128, 129, 383, 384, 385]
    assert size_ladder("aclnnPrelu", PRODUCTS["ascend910b"], DTYPES["float16"], 16) == [1, 15, 16]


def test_an_api_has_the_switch_points_of_its_own_operator_and_product():
    half = DTYPES["float16"]
    assert 725744 in switch_points("aclnnSiluBackward", PRODUCTS["ascend910b"], half)
    assert 725744 not in switch_points("aclnnSiluBackward", PRODUCTS["ascend950"], half)
    assert 725744 not in switch_points("aclnnSilu", PRODUCTS["ascend910b"], half)
