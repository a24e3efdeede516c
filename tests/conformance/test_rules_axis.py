"""Rules about one axis: halves, tensors without it, extents and multiples."""

import pytest

from conformance.axis_rules import Extent, Halved, Over, WithoutAxis
from conformance.call import Attribute
from conformance.constraint import TensorOutline, with_changes
from conformance.dtype import DTYPES
from conformance.product import PRODUCTS
from conformance.signature import ParameterKind

A2 = PRODUCTS["ascend910b"]
BY_DIM, LAST = Halved("out", "x", axis="dim"), Halved("out", "x")


def facts(dim=None, dtype="float32", **shapes):
    tensors = {name: shape if shape is None else TensorOutline(DTYPES[dtype], shape) for name, shape in shapes.items()}
    return tensors if dim is None else {**tensors, "dim": Attribute(ParameterKind.INT64, dim)}


def changed_shapes(rule, legal):
    """Violation → shapes it changes; every violation has to break the rule."""
    assert rule.check(legal, A2) is None
    shapes = {}
    for violation in rule.violations(legal, A2):
        assert rule.check(with_changes(legal, violation.changes), A2) is not None, violation
        shapes[violation.name] = {name: change.shape for name, change in violation.changes.items()}
    return shapes


@pytest.mark.parametrize(
    ("rule", "given", "message"),
    [
        (LAST, facts(x=(3, 8), out=(3, 4)), None),
        (LAST, facts(x=(3, 9), out=(3, 4)), None),
        (LAST, facts(x=(3, 8), out=(3, 5)), "out has shape (3, 5), half of x has (3, 4)"),
        (LAST, facts(x=(3, 8), out=(12,)), "out has shape (12,), half of x has (3, 4)"),
        (BY_DIM, facts(x=(6, 8), out=(3, 8), dim=0), None),
        (BY_DIM, facts(x=(6, 8), out=(3, 8), dim=-2), None),
        (BY_DIM, facts(x=(6, 8), out=(3, 8), dim=1), "out has shape (3, 8), half of x has (6, 4)"),
        (BY_DIM, facts(x=(6, 8), out=(3, 8), dim=2), None),
        (BY_DIM, facts(x=(), out=(0,), dim=0), None),
        (BY_DIM, facts(x=(), out=(), dim=0), "out has shape (), half of x has (0,)"),
        (LAST, facts(x=None, out=(4,)), None),
        (LAST, facts(x=(8,), out=None), None),
    ],
)
def test_halved(rule, given, message):
    assert rule.check(given, A2) == message


def test_halved_is_broken_by_length_rank_and_the_whole_shape():
    assert changed_shapes(BY_DIM, facts(x=(6, 8), out=(3, 8), dim=0)) == {
        "out_last_dim_grown": {"out": (3, 9)},
        "out_rank_grown": {"out": (1, 3, 8)},
        "out_not_halved": {"out": (6, 8)},
    }


ROW_OF = WithoutAxis("out", "x", axis="dim")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (facts(x=(6, 8), out=(6,), dim=1), None),
        (facts(x=(6, 8), out=(8,), dim=-2), None),
        (facts(x=(6, 8), out=(8,), dim=1), "out has shape (8,), x without axis 1 has (6,)"),
        (facts(x=(8,), out=(), dim=0), None),
        (facts(x=(8,), out=(1,), dim=1), None),
        (facts(x=None, out=(1,), dim=0), None),
        (facts(x=(8,), out=None, dim=0), None),
    ],
)
def test_without_axis(given, message):
    assert ROW_OF.check(given, A2) == message


def test_without_axis_is_broken_by_length_rank_and_the_whole_shape():
    assert changed_shapes(ROW_OF, facts(x=(6, 8), out=(6,), dim=1)) == {
        "out_last_dim_grown": {"out": (7,)},
        "out_rank_grown": {"out": (1, 6)},
        "out_not_reduced": {"out": (6, 8)},
    }


EVEN = Extent("x", axis="dim", multiple_of=2)
EVEN_FROM = Extent("x", axis="dim", over=Over.TRAILING, multiple_of=2)
BLOCKS_FROM = Extent("x", over=Over.TRAILING, multiple_of=128, bytes=True)
ROWS = Extent("x", over=Over.OTHERS, max=6)
COLUMNS = Extent("x", min=1, max=8)


@pytest.mark.parametrize(
    ("rule", "given", "message"),
    [
        (EVEN, facts(x=(6, 5), dim=0), None),
        (EVEN, facts(x=(6, 5), dim=-1), "x has 5 elements along axis 1, not a multiple of 2"),
        (EVEN, facts(x=(6, 5), dim=2), None),
        (EVEN, facts(x=(), dim=0), None),
        (EVEN, facts(x=None, dim=0), None),
        (EVEN_FROM, facts(x=(4, 3, 2), dim=1), None),
        (EVEN_FROM, facts(x=(4, 3, 5), dim=1), "x has 15 elements from axis 1, not a multiple of 2"),
        (BLOCKS_FROM, facts(x=(3, 32)), None),
        (BLOCKS_FROM, facts(x=(3, 32), dtype="float16"), "x has 32 elements from axis 1, not a multiple of 128 bytes"),
        (ROWS, facts(x=(2, 3, 9)), None),
        (ROWS, facts(x=(7, 2)), "x has 7 elements across axis 1, not 6 or less"),
        (COLUMNS, facts(x=(7, 0)), "x has 0 elements along axis 1, not 1 or more"),
        (COLUMNS, facts(x=(7, 9)), "x has 9 elements along axis 1, not 8 or less"),
    ],
)
def test_extent(rule, given, message):
    assert rule.check(given, A2) == message


@pytest.mark.parametrize(
    ("rule", "legal", "shapes"),
    [
        (EVEN, facts(x=(6, 5), dim=-2), {"x_no_multiple": {"x": (7, 5)}}),
        (EVEN_FROM, facts(x=(4, 3, 2), dim=1), {"x_no_multiple": {"x": (4, 3, 1)}}),
        (ROWS, facts(x=(2, 3, 9)), {"x_too_many": {"x": (7, 1, 9)}}),
        (COLUMNS, facts(x=(7, 2)), {"x_too_few": {"x": (7, 0)}, "x_too_many": {"x": (7, 9)}}),
    ],
)
def test_extent_is_broken_by_one_element(rule, legal, shapes):
    assert changed_shapes(rule, legal) == shapes
