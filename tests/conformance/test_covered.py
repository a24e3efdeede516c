"""Which cells a case covers."""

import pytest
from tiny import cases_of, group, refusal, with_arguments

from conformance.covered import covered_cells, kept_by, layouts_of

TENSOR = {"dtype": "float32", "shape": [2, 3]}


def covered(tmp_path, *groups):
    """Names of the cells that the last group's cases cover."""
    cases = [case for case in cases_of(tmp_path, *groups) if case.group == groups[-1]["name"]]
    return {str(cell) for case in cases for cell in covered_cells(case)}


def of_axis(cells, axis):
    return sorted(cell for cell in cells if cell.startswith(f"{axis}/"))


def test_a_plain_call(tmp_path):
    cells = covered(tmp_path, group(products=["ascend910"], exercises=["c3"]))
    assert sorted(cells) == [
        "dtype/x/float32/ascend910",
        "dtype/y/float32/ascend910",
        "layout/x/contiguous",
        "layout/y/contiguous",
        "rank/x/2",
        "rank/y/2",
        "refusal/c3/keeps/ascend910",
    ]


@pytest.mark.parametrize(
    ("layout", "kinds"),
    [
        ("contiguous", ["contiguous"]),
        ("transposed", ["permuted"]),
        ({"step": 2}, ["gaps"]),
        ({"offset": 5}, ["offset"]),
        ({"expanded": [0]}, ["expanded"]),
        ({"chunk": {"of": 8, "at": 3}}, ["offset", "gaps"]),
        ({"strides": [1, 4], "offset": 1, "storage": [16]}, ["offset", "permuted", "gaps"]),
    ],
)
def test_how_a_tensor_lies_in_memory(layout, kinds, tmp_path):
    (case,) = cases_of(tmp_path, with_arguments(x={**TENSOR, "layout": layout}))
    assert layouts_of(case.arguments["x"]) == kinds


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"specials": "every"}, {"nan", "inf", "zero", "subnormal", "largest"}),
        ({"specials": "nonfinite"}, {"nan", "inf"}),
        ({"cycle": [1, "-0.0", "-inf"]}, {"zero", "inf"}),
        ({"list": [1, 2, 3, 4, 5, "nan"]}, {"nan"}),
        ({"constant": 1e-40}, {"subnormal"}),
        ({"constant": -3.4028234663852886e38}, {"largest"}),
        ({"ladder": {"around": [0], "steps": 1}}, {"zero", "subnormal"}),
        ({"cycle": [1, 2, 3, 4, 5, 6, "nan"]}, set()),
        ({"uniform": [0, 0]}, set()),
    ],
)
def test_special_values_that_are_there_on_purpose(values, words, tmp_path):
    wide = with_arguments(x={**TENSOR, "shape": [4, 4], "values": values}, y={**TENSOR, "shape": [4, 4]})
    narrow = with_arguments(x={**TENSOR, "values": values})
    cells = covered(tmp_path, wide if "specials" in values else narrow)
    assert of_axis(cells, "special") == sorted(f"special/x/float32/{word}" for word in words)


def test_nothing_counts_where_nothing_is_compared(tmp_path):
    empty = with_arguments(x={**TENSOR, "shape": [0]}, y={**TENSOR, "shape": [0]})
    assert covered(tmp_path / "empty", empty) == {"empty/x", "empty/y"}
    untouched = group(expect={"success": {"untouched": ["y"]}})
    assert covered(tmp_path / "untouched", untouched) == set()
    silent = group(expect={"unspecified": "the document is silent"})
    assert "rank/x/2" in covered(tmp_path / "silent", silent)
    refused = group(expect={"unspecified": "said to differ", "document": refusal(), "implementation": "success"})
    assert covered(tmp_path / "refused", refused) == set()


STEP = {"do": "workspace", "null": ["x"], "status": "PARAM_NULLPTR"}


@pytest.mark.parametrize(
    ("steps", "words"),
    [
        (["workspace", "run"], []),
        (["workspace", "run", "refill", "workspace", "run"], ["two_calls"]),
        (["workspace", "repeatable", "run", "move", "run"], ["repeatable", "move"]),
        (["workspace", {"do": "run", "stream": 1}], ["stream"]),
        (["workspace", {"do": "run", "workspace": "short"}], ["short_workspace"]),
        (["workspace", "workspace", "run"], ["asked_twice"]),
        ([STEP, "workspace", "run"], ["refused_first"]),
        (["workspace", "run", STEP], []),
        (["workspace", {"do": "run", "null": ["executor"], "status": "PARAM_NULLPTR"}], ["null_executor"]),
        (["workspace", {"do": "run", "null": ["workspace"], "status": "PARAM_NULLPTR"}], ["null_workspace"]),
    ],
)
def test_steps(steps, words, tmp_path):
    assert of_axis(covered(tmp_path, group(steps=steps)), "protocol") == sorted(f"protocol/{word}" for word in words)


def test_calls_before_the_call_and_repetitions(tmp_path):
    cells = covered(tmp_path, group(), group("later", after=["plain"], repeat=3))
    assert of_axis(cells, "protocol") == ["protocol/after", "protocol/repeated"]


def test_a_refusal_breaks_only_what_its_arguments_break_and_its_control_keeps_it(tmp_path):
    wrong = {"y": {**TENSOR, "shape": [7]}}
    refused = group("refused", like="plain", arguments=wrong, expect=refusal(), exercises=["c3", "c2"], control="plain")
    cases = cases_of(tmp_path, group(products=["ascend910"]), {**refused, "products": ["ascend910"]})
    control, case = cases
    assert {str(cell) for cell in covered_cells(case)} == {"refusal/c3/breaks/ascend910"}
    kept = {str(cell) for cell in kept_by(control, cases)}
    assert kept == {"refusal/c2/keeps/ascend910", "refusal/c3/keeps/ascend910"}
