"""Rules about shapes without broadcasting: rank, number of elements, equality, channel weights."""

import pytest

from conformance.constraint import TensorOutline, with_changes
from conformance.dtype import DTYPES
from conformance.product import PRODUCTS
from conformance.shape_rules import ChannelWeight, Numel, NumelOrder, Rank, SameShape, WeightForm

A2 = PRODUCTS["ascend910b"]
RANKED = ChannelWeight("weight", "self", WeightForm.RANKED)
ANY_SHAPE = ChannelWeight("weight", "self", WeightForm.ANY_SHAPE)


def facts(**shapes):
    return {name: shape if shape is None else TensorOutline(DTYPES["float32"], shape) for name, shape in shapes.items()}


def changed_shapes(rule, legal):
    """Violation → shapes it changes; every violation has to break the rule."""
    shapes = {}
    for violation in rule.violations(legal, A2):
        assert rule.check(with_changes(legal, violation.changes), A2) is not None, violation
        shapes[violation.name] = {name: change.shape for name, change in violation.changes.items()}
    return shapes


@pytest.mark.parametrize(
    ("shape", "message"),
    [
        ((1,) * 8, None),
        ((1,) * 9, "self has rank 9, not 1 to 8"),
        ((), "self has rank 0, not 1 to 8"),
        (None, None),
    ],
)
def test_rank(shape, message):
    assert Rank(("self",), min=1, max=8).check(facts(self=shape), A2) == message


def test_rank_is_broken_with_the_same_number_of_elements():
    assert changed_shapes(Rank(("self", "out"), max=3), facts(self=(2, 5), out=(5,))) == {
        "self_rank_4": {"self": (1, 1, 2, 5)},
        "out_rank_4": {"out": (1, 1, 1, 5)},
        "all_rank_4": {"self": (1, 1, 2, 5), "out": (1, 1, 1, 5)},
    }


def test_rank_of_tensors_that_are_alike_is_broken_in_all_at_once():
    assert changed_shapes(Rank(("self", "out"), min=1, together=True), facts(self=(2,), out=(2,))) == {
        "all_rank_0": {"self": (), "out": ()}
    }


@pytest.mark.parametrize(
    ("shape", "message"),
    [
        ((2, 2), None),
        ((0, 3), "self has 0 elements, not 1 to 4"),
        ((5,), "self has 5 elements, not 1 to 4"),
        (None, None),
    ],
)
def test_numel(shape, message):
    assert Numel(("self",), min=1, max=4).check(facts(self=shape), A2) == message


def test_numel_is_broken_by_one_element():
    assert changed_shapes(Numel(("self",), min=1, max=4), facts(self=(2, 2))) == {
        "self_of_0": {"self": (0,)},
        "self_of_5": {"self": (5,)},
    }


@pytest.mark.parametrize(
    ("shapes", "message"),
    [
        ({"self": (2, 3), "out": (2, 3)}, None),
        ({"self": (2, 3), "out": (1, 2, 3)}, "out has shape (1, 2, 3), self has (2, 3)"),
        ({"self": (2, 3), "out": (3, 2)}, "out has shape (3, 2), self has (2, 3)"),
        ({"self": (), "out": (1,)}, "out has shape (1,), self has ()"),
        ({"self": None, "out": (1,)}, None),
    ],
)
def test_same_shape(shapes, message):
    assert SameShape(("self", "out")).check(facts(**shapes), A2) == message


@pytest.mark.parametrize(
    ("shape", "grown"),
    [
        ((2, 3), {"out_last_dim_grown": (2, 4), "out_rank_grown": (1, 2, 3)}),
        ((), {"out_rank_grown": (1,)}),
        ((2,) * 8, {"out_last_dim_grown": (2,) * 7 + (3,)}),
    ],
)
def test_same_shape_is_broken_by_one_more_of_something(shape, grown):
    found = changed_shapes(SameShape(("self", "out")), facts(self=shape, out=shape))
    assert found == {name: {"out": shape} for name, shape in grown.items()}


@pytest.mark.parametrize(
    ("weight", "tensor", "ranked", "any_shape"),
    [
        ((3,), (2, 3), None, None),
        ((1,), (2, 3), None, None),
        ((), (2, 3), None, None),
        ((1, 1, 1), (2, 3), None, None),
        ((1, 3), (2, 3), None, None),
        ((1, 3, 1), (2, 3, 4), None, None),
        ((3, 1), (2, 3), "weight has shape (3, 1), not (3,) or (1, 3)", None),
        ((3, 1), (2, 3, 4), "weight has shape (3, 1), not (3,) or (1, 3, 1)", None),
        ((2, 3), (2, 6), "weight has shape (2, 3), not (6,) or (1, 6)", None),
        ((2,), (2, 3), *["weight has 2 elements, self has 3 channels"] * 2),
        ((5,), (5,), *["weight has 5 elements, self has 1 channels"] * 2),
        ((1,), (5,), None, None),
        ((1,), (), None, None),
        ((0,), (2, 0), None, None),
        ((0,), (0,), *["weight has 0 elements, self has 1 channels"] * 2),
        (
            (2,),
            (),
            "weight has 2 elements, but self of rank 0 takes one",
            "weight has 2 elements, self has 1 channels",
        ),
        (None, (2, 3), None, None),
        ((2,), None, None, None),
    ],
)
def test_channel_weight(weight, tensor, ranked, any_shape):
    call = facts(weight=weight, self=tensor)
    assert (RANKED.check(call, A2), ANY_SHAPE.check(call, A2)) == (ranked, any_shape)


@pytest.mark.parametrize(
    ("rule", "tensor", "shapes"),
    [
        (ANY_SHAPE, (2, 3), {"weight_one_too_many": (4,)}),
        (ANY_SHAPE, (2, 0), {"weight_one_too_many": (2,)}),
        (RANKED, (), {"weight_one_too_many": (2,)}),
        (
            RANKED,
            (2, 3, 4),
            {
                "weight_one_too_many": (4,),
                "weight_channels_at_axis_0": (3, 1, 1),
                "weight_rank_grown": (1, 3, 1, 1),
            },
        ),
    ],
)
def test_channel_weight_is_broken_by_count_axis_and_rank(rule, tensor, shapes):
    found = changed_shapes(rule, facts(weight=(1,), self=tensor))
    assert found == {name: {"weight": shape} for name, shape in shapes.items()}


def test_channel_weight_changes_what_must_have_its_shape_along_with_it():
    rule = ChannelWeight("weight", "self", WeightForm.ANY_SHAPE, alongside=("gradWeight",))
    assert changed_shapes(rule, facts(weight=(3,), self=(2, 3), gradWeight=(3,))) == {
        "weight_one_too_many": {"weight": (4,), "gradWeight": (4,)}
    }


@pytest.mark.parametrize(
    ("noise", "message"),
    [((6,), None), ((2, 4), None), ((5,), "noise has 5 elements, self has 6"), (None, None)],
)
def test_numel_order(noise, message):
    assert NumelOrder("noise", "self").check(facts(self=(2, 3), noise=noise), A2) == message


def test_numel_order_is_broken_by_one_element():
    rule = NumelOrder("noise", "self")
    assert changed_shapes(rule, facts(self=(2, 3), noise=(7,))) == {"noise_one_fewer": {"noise": (5,)}}
    assert not list(rule.violations(facts(self=(0,), noise=(0,)), A2))
