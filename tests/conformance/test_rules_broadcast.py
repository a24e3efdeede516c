"""Broadcasting as numpy does it, into a target and among inputs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.broadcast_rules import BroadcastNumel, BroadcastResult, BroadcastsTo, broadcast
from conformance.constraint import TensorOutline, with_changes
from conformance.dtype import DTYPES
from conformance.product import PRODUCTS

A2 = PRODUCTS["ascend910b"]
SHAPES = st.lists(st.integers(0, 3), max_size=4).map(tuple)


def facts(**shapes):
    return {name: shape if shape is None else TensorOutline(DTYPES["float32"], shape) for name, shape in shapes.items()}


@given(SHAPES, SHAPES, SHAPES)
def test_broadcast_is_numpy_s(one, two, three):
    try:
        expected = np.broadcast_shapes(one, two, three)
    except ValueError:
        expected = None
    assert broadcast(one, two, three) == expected


@pytest.mark.parametrize(
    ("grad", "target", "fits"),
    [
        ((2, 3), (2, 3), True),
        ((1, 3), (2, 3), True),
        ((), (2, 3), True),
        ((1, 2, 3), (2, 3), False),
        ((2, 4), (2, 3), False),
        ((2, 3), (2, 1), False),
        ((1,), (), False),
        ((1,), (0,), True),
        ((2,), (0,), False),
        (None, (0,), True),
        ((2,), None, True),
    ],
)
def test_broadcasts_to_keeps_the_target_s_shape(grad, target, fits):
    message = BroadcastsTo("grad", "self").check(facts(grad=grad, self=target), A2)
    assert message == (None if fits else f"grad of shape {grad} does not broadcast to self of shape {target}")


@pytest.mark.parametrize(
    ("grad", "tensor", "out", "message"),
    [
        ((2, 1), (3,), (2, 3), None),
        ((2, 1), (3,), (2, 1), "grad (2, 1), self (3,) broadcast to (2, 3), out has shape (2, 1)"),
        ((2,), (3,), (3,), "grad (2,), self (3,) do not broadcast"),
        ((), (), (1,), "grad (), self () broadcast to (), out has shape (1,)"),
        (None, (3,), (4,), None),
        ((2,), (3,), None, None),
    ],
)
def test_broadcast_result_is_the_output_s_shape(grad, tensor, out, message):
    assert BroadcastResult(("grad", "self"), "out").check(facts(grad=grad, self=tensor, out=out), A2) == message


@pytest.mark.parametrize("shapes", [((2, 1), (3,), (2, 3)), ((1, 1), (4, 5), (4, 5)), ((), (), ())])
def test_every_violation_breaks_the_broadcast_result(shapes):
    rule, legal = (
        BroadcastResult(("grad", "self"), "out"),
        facts(**dict(zip(("grad", "self", "out"), shapes, strict=True))),
    )
    faults = {v.name: rule.check(with_changes(legal, v.changes), A2) for v in rule.violations(legal, A2)}
    assert None not in faults.values()
    assert "out_rank_grown" in faults


@pytest.mark.parametrize(
    ("target", "names"),
    [
        ((2, 3), {"grad_last_dim_grown", "grad_rank_grown"}),
        ((2, 1), {"grad_last_dim_grown", "grad_rank_grown"}),
        ((), {"grad_rank_grown"}),
    ],
)
def test_every_violation_breaks_the_broadcast_to_a_target(target, names):
    rule, legal = BroadcastsTo("grad", "self"), facts(grad=target, self=target)
    faults = {v.name: rule.check(with_changes(legal, v.changes), A2) for v in rule.violations(legal, A2)}
    assert set(faults) == names
    assert None not in faults.values()


@pytest.mark.parametrize(
    ("grad", "tensor", "out", "message"),
    [
        ((2, 1), (3,), (2, 3), None),
        ((2, 1), (3,), (6,), None),
        ((2, 1), (3,), (3,), "grad (2, 1), self (3,) broadcast to 6 elements, out has 3"),
        ((2,), (3,), (3,), "grad (2,), self (3,) do not broadcast"),
        ((), (), (1,), None),
        (None, (3,), (4,), None),
        ((2,), (3,), None, None),
    ],
)
def test_broadcast_numel_is_the_output_s(grad, tensor, out, message):
    assert BroadcastNumel(("grad", "self"), "out").check(facts(grad=grad, self=tensor, out=out), A2) == message


def test_every_violation_breaks_the_broadcast_numel():
    rule, legal = BroadcastNumel(("grad", "self"), "out"), facts(grad=(2, 3), self=(2, 3), out=(2, 3))
    faults = {v.name: rule.check(with_changes(legal, v.changes), A2) for v in rule.violations(legal, A2)}
    assert set(faults) == {"grad_last_dim_grown", "self_last_dim_grown", "out_last_dim_grown"}
    assert None not in faults.values()
