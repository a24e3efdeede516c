"""Groups times axes give cases; ``like`` inherits, ``violates`` breaks."""

import pytest
from tiny import OUT, case_file, cases_of, group, refusal, with_arguments

from conformance.case import Refusal, Success
from conformance.expand import expand
from conformance.outcome import Phase
from conformance.product import PRODUCTS

X = {"dtype": "$dtype", "shape": ["$rows", 3]}
AXES = {"dtype": ["float16", "float32"], "rows": [1, 2, 4]}


def timed(**changes):
    return {**with_arguments(x=X, y=X), "axes": AXES, **changes}


def test_axes_multiply_in_the_order_of_the_file(tmp_path):
    cases = cases_of(tmp_path, timed())
    labels = [case.id.split(".")[-2] for case in cases]
    assert labels == ["fp16-1", "fp16-2", "fp16-4", "fp32-1", "fp32-2", "fp32-4"]
    assert [case.arguments["x"].shape for case in cases[:3]] == [(1, 3), (2, 3), (4, 3)]
    assert all(case.id.startswith("demo.tiny.numeric.plain.") for case in cases)


def test_a_named_value_an_object_and_a_set(tmp_path):
    shapes = [{"name": "flat", "value": {"x": [6], "y": [6]}}, {"value": {"x": [2, 3], "y": [2, 3]}}]
    arguments = {"x": {"dtype": "$dtype", "shape": "$shapes.x"}, "y": {"dtype": "$dtype", "shape": "$shapes.y"}}
    body = {**with_arguments(**arguments), "axes": {"shapes": shapes, "dtype": "@halves"}}
    cases = cases_of(tmp_path, body, sets={"halves": ["float16"]})
    assert [case.id.split(".")[-2] for case in cases] == ["flat-fp16", "2x3_2x3-fp16"]


def test_products_of_values_and_groups_intersect(tmp_path):
    values = ["float32", {"value": "bfloat16", "products": ["ascend950"]}]
    body = {**with_arguments(x=X, y=X), "axes": {"dtype": values, "rows": [1]}, "products": ["ascend950", "ascend910"]}
    other = {**body, "name": "other", "about": "no product is left", "products": ["ascend910"]}
    cases = cases_of(tmp_path, body, other)
    assert [(case.group, sorted(case.products)) for case in cases] == [
        ("plain", ["ascend910", "ascend950"]),
        ("plain", ["ascend950"]),
        ("other", ["ascend910"]),
    ]


def test_a_group_may_be_for_the_products_that_the_contract_does_not_list(tmp_path):
    body = {**with_arguments(x=X, y=X), "axes": {"dtype": ["float32"], "rows": [1]}, "products": "unlisted"}
    (case,) = cases_of(tmp_path, body)
    assert case.products == PRODUCTS.keys() - set(case.contract.products)


def test_like_inherits_and_merges_arguments_key_by_key(tmp_path):
    heir = {
        "name": "heir",
        "about": "y has another shape than x",
        "like": "plain",
        "axes": {"rows": [2]},
        "arguments": {"y": {"shape": [7]}, "factor": None},
        "expect": refusal(),
    }
    cases = cases_of(tmp_path, timed(deadline=5), heir)[6:]
    assert [case.arguments["y"].dtype.word for case in cases] == ["fp16", "fp32"]
    assert {(case.arguments["y"].shape, case.arguments["factor"], case.deadline) for case in cases} == {((7,), None, 5)}
    assert {case.control for case in cases} == {"plain"}


def test_a_refusal_may_name_its_control_apart(tmp_path):
    other = group("broken", control="plain", expect=refusal("PARAM_NULLPTR", "run"))
    case = cases_of(tmp_path, group(), other)[1]
    assert case.expectation == Refusal(Phase.RUN, 161001)
    assert case.control == "plain"


def test_like_cannot_go_in_circles(tmp_path, invalid):
    one, two = group("one", like="two"), group("two", like="one")
    file = case_file(tmp_path, one, two)
    with pytest.raises(Exception, match="names no other group") as caught:
        expand(file)
    assert len(caught.value.problems) == 2


def test_violates_makes_one_case_for_each_way_to_break(tmp_path):
    body = group("broken", like="plain", violates="c2", expect=refusal())
    cases = [case for case in cases_of(tmp_path, group(), body) if case.group == "broken"]
    ways = {case.id.split(".")[-2]: sorted(case.products) for case in cases}
    assert all("x" in way or "y" in way or "all" in way for way in ways)
    assert any(products == ["ascend910", "ascend910b"] for products in ways.values()), "bfloat16 is legal on ascend950"
    assert all(case.exercises == ("c2",) for case in cases)


def test_violating_a_pointer_rule_passes_null(tmp_path):
    body = group("broken", like="plain", violates="c1", expect=refusal("PARAM_NULLPTR"))
    cases = [case for case in cases_of(tmp_path, group(), body) if case.group == "broken"]
    assert {name for case in cases for name, argument in case.arguments.items() if argument is None} == {
        "x",
        "factor",
        "y",
    }


def test_a_changed_case_is_a_new_case_and_an_unchanged_one_is_not(tmp_path):
    first, again, changed = (
        cases_of(tmp_path / name, body)[0].id
        for name, body in [("a", group()), ("b", group(about="said in other words")), ("c", with_arguments(axis=1))]
    )
    assert first == again
    assert first != changed


def test_no_id_is_part_of_another(tmp_path):
    ids = [case.id for case in cases_of(tmp_path, timed(), timed(name="plain2", about="the same under another name"))]
    assert not [(one, two) for one in ids for two in ids if one != two and one in two]


def test_what_a_case_carries(tmp_path):
    (case,) = cases_of(tmp_path, group(exercises=["c3", "n1"], tier="large", axes={"a": ["x"]}))
    assert case.expectation == Success()
    assert (case.exercises, case.control, case.nulls) == (("c3", "n1"), None, frozenset())
    assert case.facts == case.arguments
    assert case.arguments["y"].is_contiguous
    assert case.arguments["y"].shape == tuple(OUT["shape"])
