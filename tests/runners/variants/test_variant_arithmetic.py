"""The variants' arithmetic is as good as said: exact sums, ULP bounds of functions, one rounding where promised."""

from functools import partial

import numpy as np
import pytest

from conformance.dtype import DTYPES
from conformance.product import PRODUCTS
from runners.simulator.tiling import PLANS
from runners.simulator.vector_unit import VectorUnit
from runners.variants import functions, summation
from runners.variants.precision import Float64Unit, FlushingUnit, flushed
from runners.variants.surroundings import in_reverse, on_cores

ORDERS = {
    name: summation.OrderedSums(order)
    for name, order in {
        "sequential": summation.sequential,
        "pairwise": summation.pairwise,
        "by_cores": summation.by_cores,
    }.items()
}
TINY = np.float32(1e-40)


@pytest.mark.parametrize("axes", [None, 0, -1, (0, 2), ()])
@pytest.mark.parametrize("unit", [*ORDERS.values(), summation.FusedMultiplyAdd()], ids=[*ORDERS, "fused"])
def test_sums_of_small_integers_are_exact_in_every_order(unit, axes):
    terms = np.random.default_rng(3).integers(-9, 9, (3, 65, 7)).astype(np.float32)
    expected = terms.astype(np.float64).sum(axis=axes, keepdims=True)
    np.testing.assert_array_equal(unit.sum(terms, axes), expected)
    np.testing.assert_array_equal(unit.sum_of_products(terms, np.float32(2), axes), 2 * expected)


@pytest.mark.parametrize("count", [1, 2, 3, 47, 48, 49, 1000])
@pytest.mark.parametrize("unit", ORDERS.values(), ids=ORDERS)
def test_no_term_is_lost_at_any_length(unit, count):
    assert unit.sum(np.ones(count, np.float32), None).tolist() == [count]


def test_orders_differ_in_the_last_bits():
    terms = np.random.default_rng(4).uniform(0, 1, 10_001).astype(np.float32)
    assert len({unit.sum(terms, None).item() for unit in ORDERS.values()}) == len(ORDERS)


def test_a_fused_product_is_not_rounded():
    a, square = np.float32([1 + 2**-12]), np.float32([1 + 2**-11])
    assert summation.FusedMultiplyAdd().multiply_add(a, a, -square).item() == 2.0**-24
    assert VectorUnit().multiply_add(a, a, -square).item() == 0


EXPONENTIALS = [
    (VectorUnit(), 3),
    (functions.ExponentialOfTwo(), 2),
    (functions.PolynomialExponential(), 3),
    (functions.CoarseFunctions(), 3),
]


@pytest.mark.parametrize(("unit", "ulps"), EXPONENTIALS, ids=lambda value: type(value).__name__)
def test_exponentials_keep_their_ulp_class(unit, ulps):
    x = np.random.default_rng(5).uniform(-87, 88, 200_000).astype(np.float32)
    exact = np.exp(x.astype(np.float64))
    assert (np.abs(unit.exp(x) - exact) / np.spacing(exact.astype(np.float32))).max() <= ulps


@pytest.mark.parametrize(("unit", "ulps"), EXPONENTIALS, ids=lambda value: type(value).__name__)
def test_exponentials_at_the_ends(unit, ulps):
    with np.errstate(all="ignore"):
        values = unit.exp(np.float32([0, -0.0, np.inf, -np.inf, 200, -200, np.nan]))
    expected = np.float32([1, 1, np.inf, 0, np.inf, 0, np.nan])
    np.testing.assert_allclose(values, expected, rtol=ulps * 2**-23)


@pytest.mark.parametrize("unit", [VectorUnit(), functions.CoarseFunctions()], ids=lambda value: type(value).__name__)
@pytest.mark.parametrize(("name", "exact", "ulps"), [("log", np.log, 3), ("log1p", np.log1p, 2)])
def test_logarithms_keep_their_ulp_class(unit, name, exact, ulps):
    x = np.exp(np.random.default_rng(7).uniform(-80, 80, 200_000)).astype(np.float32)
    wanted = exact(x.astype(np.float64))
    assert (np.abs(getattr(unit, name)(x) - wanted) / np.spacing(np.abs(wanted).astype(np.float32))).max() <= ulps


@pytest.mark.parametrize(
    "unit", [functions.TwoSidedLogistic(), functions.TanhLogistic(), functions.ReciprocalDivision()]
)
def test_logistic_functions_keep_six_ulp(unit):
    x = np.random.default_rng(6).uniform(-80, 20, 200_000).astype(np.float32)
    exact = 1 / (1 + np.exp(-x.astype(np.float64)))
    assert (np.abs(unit.logistic(x) - exact) / np.spacing(exact.astype(np.float32))).max() <= 6


@pytest.mark.parametrize("elements", [1, 1023, 48 * 1024 + 1, 700_001])
@pytest.mark.parametrize("change", [in_reverse, partial(on_cores, count=1), partial(on_cores, count=None)])
def test_other_plans_cover_every_element_once(change, elements):
    for plan_of in PLANS.values():
        plan = change(plan_of)(elements, DTYPES["float16"], PRODUCTS["ascend910b"])
        tiles = [tile for core in plan.cores for tile in plan.tiles(core)]
        assert sum(tile.count for tile in tiles) == elements
        assert len({tile.start for tile in tiles}) == len(tiles)
        starts = [tile.start for tile in tiles]
        assert starts == sorted(starts, reverse=change is in_reverse)


def test_float64_results_are_rounded_once():
    unit, bf16 = Float64Unit(), DTYPES["bfloat16"]
    just_above_a_tie = np.array([1 + 2**-8 + 2**-30])
    assert float(unit.deliver(just_above_a_tie, bf16)[0]) == 1 + 2**-7
    assert unit.widen(np.ones(1, np.float16)).dtype == np.float64


@pytest.mark.parametrize(("operands", "product"), [(False, np.float32(1e-4)), (True, 0)])
def test_flushing_concerns_results_and_with_operands_what_is_read(operands, product):
    unit = FlushingUnit(operands=operands)
    scaled = unit.multiply(unit.widen(np.array([TINY])), np.float32([1e36]))
    np.testing.assert_allclose(scaled, [product], rtol=1e-4)
    assert unit.multiply(np.float32([1e-30]), np.float32([-1e-10])).tolist() == [0]


def test_flushing_keeps_signs_normals_and_specials():
    values = np.float32([-TINY, TINY, 0, 2e-38, np.inf, np.nan])
    np.testing.assert_array_equal(flushed(values), np.float32([0, 0, 0, 2e-38, np.inf, np.nan]))
    assert np.signbit(flushed(values)).tolist()[:2] == [True, False]
