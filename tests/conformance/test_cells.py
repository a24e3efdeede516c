"""Which cells a contract declares."""

import pytest
from tiny import CONTRACT

from conformance.cells import AXES, declared_cells, reason_against
from conformance.contract import parse_contract


def rule(kind, label, **rest):
    basis = rest.pop("basis", "both")
    body = {"label": label, "about": f"a rule of kind {kind}", "basis": basis, "status": "PARAM_INVALID"}
    return {**body, "rule": {"kind": kind, **rest}}


def cells_of(*rules, axis, **changes):
    constraints = [*CONTRACT["constraints"], *rules] if rules else CONTRACT["constraints"]
    contract = parse_contract({**CONTRACT, "constraints": constraints, **changes})
    return [str(cell) for cell in declared_cells(contract) if cell.axis == axis]


def test_types_are_declared_for_each_tensor_and_product():
    cells = cells_of(axis="dtype")
    assert [cell for cell in cells if "/x/" in cell and cell.endswith("ascend910")] == [
        "dtype/x/float32/ascend910",
        "dtype/x/float16/ascend910",
    ]
    assert [cell for cell in cells if "bfloat16" in cell] == [
        "dtype/x/bfloat16/ascend950",
        "dtype/y/bfloat16/ascend950",
    ]


@pytest.mark.parametrize(
    ("added", "types"),
    [
        (rule("dtype_not_in", "c5", parameters=["x"], dtypes=["float16"]), ["float32"]),
        (rule("dtype_in", "c5", parameters=["x"], dtypes=["float16"], basis="implementation"), ["float32", "float16"]),
        (rule("dtype_in", "c5", parameters=["x"], dtypes=["float16"], basis="document"), ["float16"]),
    ],
)
def test_rules_of_the_document_narrow_the_types(added, types):
    assert [f"dtype/x/{name}/ascend910" for name in types] == [
        cell for cell in cells_of(added, axis="dtype") if "/x/" in cell and cell.endswith("ascend910")
    ]


def test_a_tensor_that_must_have_the_type_of_another_takes_its_types():
    lists = {**CONTRACT["constraints"][1], "rule": {"kind": "dtype_in", "parameters": ["x"], "dtypes": ["int8"]}}
    types = [CONTRACT["constraints"][0], lists, *CONTRACT["constraints"][2:]]
    alike = rule("same_dtype", "c5", parameters=["x", "y"])
    alone = cells_of(axis="dtype", constraints=types, products=["ascend910"])
    assert alone == ["dtype/x/int8/ascend910"]
    both = cells_of(axis="dtype", constraints=[*types, alike], products=["ascend910"])
    assert both == ["dtype/x/int8/ascend910", "dtype/y/int8/ascend910"]


def test_ranks_are_declared_where_a_rule_limits_them_also_by_way_of_a_like_shape():
    assert cells_of(axis="rank") == []
    limited = cells_of(rule("rank", "c5", parameters=["x"], min=1, max=2), axis="rank")
    assert limited == ["rank/x/1", "rank/x/2", "rank/y/1", "rank/y/2"]


def test_special_values_are_those_of_the_type():
    assert "special/x/bfloat16/subnormal" in cells_of(axis="special")
    assert not [cell for cell in cells_of(axis="special") if "/y/" in cell]
    numbers = rule("dtype_in", "c2", parameters=["x", "y"], dtypes=["int32", "bool"])
    constraints = [CONTRACT["constraints"][0], numbers, *CONTRACT["constraints"][2:]]
    cells = cells_of(axis="special", constraints=constraints)
    assert cells == ["special/x/int32/zero", "special/x/int32/smallest", "special/x/int32/largest"]


def test_exits_layouts_and_sides_of_constraints():
    assert cells_of(axis="empty") == ["empty/x"]
    assert {"layout/x/expanded", "layout/y/gaps"} <= set(cells_of(axis="layout"))
    assert "layout/y/expanded" not in cells_of(axis="layout")
    sides = [cell for cell in cells_of(axis="refusal") if cell.endswith("ascend910")]
    assert sides[-3:] == ["refusal/c3/breaks/ascend910", "refusal/c3/keeps/ascend910", "refusal/c4/exits/ascend910"]


def test_reasons_come_from_globs_and_from_untested_constraints():
    untested = [{**one, "untested": "nobody can"} if one["label"] == "c3" else one for one in CONTRACT["constraints"]]
    entries = [{"cell": "layout/x/*", "reason": "made up for tests"}]
    contract = parse_contract({**CONTRACT, "constraints": untested, "untested_cells": entries})
    given = {str(cell): reason_against(contract, cell) for cell in declared_cells(contract)}
    assert given["layout/x/gaps"] == "made up for tests"
    assert given["refusal/c3/keeps/ascend910"] == "nobody can"
    assert {
        cell for cell, reason in given.items() if reason and not cell.startswith(("layout/x/", "refusal/c3/"))
    } == set()


def test_cells_stand_in_the_order_of_the_axes():
    cells = declared_cells(parse_contract(CONTRACT))
    assert [AXES.index(cell.axis) for cell in cells] == sorted(AXES.index(cell.axis) for cell in cells)
    assert len(set(cells)) == len(cells)
