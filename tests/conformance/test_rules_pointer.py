"""not_null: pointers in order; workspaceSize and executor are named like parameters."""

import pytest

from conformance.constraint import TensorOutline, with_changes
from conformance.dtype import DTYPES
from conformance.pointer_rules import NotNull, Null
from conformance.product import PRODUCTS

A2 = PRODUCTS["ascend910b"]
TENSOR = TensorOutline(DTYPES["float32"], (2,))
RULE = NotNull(("workspaceSize", "gradOutput"))


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        ({"gradOutput": TENSOR}, None),
        ({"gradOutput": None}, "gradOutput is null"),
        ({"gradOutput": TENSOR, "workspaceSize": None}, "workspaceSize is null"),
        ({"gradOutput": None, "workspaceSize": None}, "workspaceSize is null"),
    ],
)
def test_the_first_null_pointer_is_named(facts, message):
    assert RULE.check(facts, A2) == message


def test_each_pointer_is_made_null_in_turn():
    facts = {"gradOutput": TENSOR}
    faults = {v.name: RULE.check(with_changes(facts, v.changes), A2) for v in RULE.violations(facts, A2)}
    assert faults == {
        "null_workspace_size": "workspaceSize is null",
        "null_grad_output": "gradOutput is null",
    }


def test_pointers_that_have_to_be_null():
    assert Null(("offset", "scale")).check({"offset": None, "scale": TENSOR}, A2) == "scale is not null"
    assert Null(("offset", "scale")).check({"offset": None}, A2) is None
    assert list(Null(("offset",)).violations({"offset": None}, A2)) == []
