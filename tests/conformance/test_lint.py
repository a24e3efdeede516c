"""Truths across files: contracts and cases agree, every constraint has cases on both sides."""

import json
import shutil

import pytest
from tiny import CONTRACT, group, refusal, tiny_folder, with_arguments, write

from conformance import lint
from conformance.canonical import write_canonical
from conformance.corpus import load_corpus
from conformance.data import data_root
from conformance.lint import lint_corpus

WRONG_SHAPE = {"y": {"dtype": "float32", "shape": [7]}}


def complaints(root, *groups, whole=False):
    folder = root / "demo" / "tiny" if whole else tiny_folder(root)
    write(folder, *groups)
    write_canonical([folder])
    return [str(problem) for problem in lint_corpus(load_corpus([folder]), whole=whole)]


def broken(**changes):
    return group("broken", like="plain", arguments=WRONG_SHAPE, expect=refusal(), exercises=["c3"], **changes)


def test_good_data_has_no_problem(tmp_path):
    assert complaints(tmp_path, group(exercises=["c3", "n1"]), broken()) == []


@pytest.mark.parametrize(
    ("groups", "complaint"),
    [
        ([group(exercises=["c9"])], "at /groups/0/exercises: the contract has no 'c9' (its labels are c1, c2"),
        (
            [group(about="verify that it works")],
            "at /groups/0/about: 'verify that it works' is not a statement",
        ),
        ([group(), group("b", about=group()["about"])], "group 'b' says the same as 'plain' (say what differs)"),
        (
            [with_arguments(**WRONG_SHAPE)],
            "expects SUCCESS (0) on ascend910, but by the document's constraints c3",
        ),
        (
            [group(), group("b", like="plain", expect=refusal("PARAM_INVALID"), about="nothing is wrong here")],
            "expects PARAM_INVALID (161002) on ascend910, but by the document's constraints nothing refuses it",
        ),
        (
            [group(), {**broken(), "expect": refusal("PARAM_NULLPTR")}],
            "expects PARAM_NULLPTR (161001) on ascend910, but by the document's constraints c3 refuses",
        ),
        (
            [group(expect={"unspecified": "said to differ", "document": refusal()})],
            "expects PARAM_INVALID (161002) on ascend910, but by the document's constraints nothing refuses it",
        ),
    ],
)
def test_a_problem_of_a_group(groups, complaint, tmp_path):
    found = complaints(tmp_path, *groups)
    assert len(found) == 1, found
    assert complaint in found[0]
    assert "numeric.json:" in found[0]


def test_what_the_contract_says_nothing_about_is_not_compared(tmp_path):
    steps = [{"do": "workspace", "null": ["x"], "status": "PARAM_NULLPTR"}]
    late = group("late", control="plain", expect=refusal("INNER", "run"))
    silent = group("silent", expect={"unspecified": "the document is silent"})
    assert complaints(tmp_path, group(), group("steps", steps=steps), late, silent) == []


CACHED = (lint.load_contracts, lint.load_standards, lint.load_shared_sets, lint.load_tiling, lint.load_smoke)


@pytest.fixture
def suite(tmp_path, monkeypatch):
    """A whole case tree of the tiny API alone, in the place of the suite's own."""
    for name in ("sets.json", "standards.json", "promotion.json", "tiling.json"):
        shutil.copy(data_root() / name, tmp_path)
    tiny_folder(tmp_path)
    smoke = {"$schema": "schemas/smoke-1.schema.json", "about": "one case", "cases": ["demo.tiny.numeric.plain"]}
    (tmp_path / "smoke.json").write_text(json.dumps(smoke))
    for module in ("data", "lint", "load", "tier"):
        monkeypatch.setattr(f"conformance.{module}.data_root", lambda: tmp_path)
    for cached in CACHED:
        cached.cache_clear()
    yield tmp_path
    for cached in CACHED:
        cached.cache_clear()


NULLS = group("nulls", like="plain", violates="c1", expect=refusal("PARAM_NULLPTR"))
TYPES = group("types", like="plain", violates="c2", expect=refusal())
EMPTY = {
    **with_arguments("empty", x={"dtype": "float32", "shape": [0]}, y={"dtype": "float32", "shape": [0]}),
    "exercises": ["c4"],
}


def test_a_suite_with_a_case_on_each_side_of_every_constraint(suite):
    assert complaints(suite, group(), NULLS, TYPES, broken(), EMPTY, whole=True) == []


@pytest.mark.parametrize(
    ("groups", "missing"),
    [
        ([group(), NULLS, TYPES, broken()], "aclnnTiny c4 (nothing is done to an empty x) has no case that takes this"),
        ([group(), NULLS, TYPES, EMPTY], "aclnnTiny c3 (y has the shape of x) has no case that breaks it"),
        ([group(), NULLS, TYPES, EMPTY, group("b", exercises=["c3"])], "c3 (y has the shape of x) has no case that br"),
    ],
)
def test_a_side_without_a_case(groups, missing, suite):
    found = complaints(suite, *groups, whole=True)
    assert any(missing in problem for problem in found), found
    assert all("contract.json: aclnnTiny c" in problem for problem in found)


def in_suite(suite, *groups, **changes):
    """What is wrong with a whole suite whose contract has some keys changed."""
    (suite / "demo" / "tiny" / "contract.json").write_text(json.dumps({**CONTRACT, **changes}))
    return complaints(suite, *groups, whole=True)


def test_a_side_that_some_products_lack(suite):
    only_there = {**broken(), "products": ["ascend910"]}
    (complaint,) = complaints(suite, group(), NULLS, TYPES, only_there, EMPTY, whole=True)
    assert "c3 (y has the shape of x) has no case that breaks it on ascend950, ascend910b (write one" in complaint


LISTED = ("dtype/*", "special/*", "protocol/*", "layout/x/*")


def test_a_declared_cell_needs_a_case_or_a_reason(suite):
    entries = [{"cell": pattern, "reason": "made up for tests"} for pattern in LISTED]
    (complaint,) = in_suite(suite, group(), NULLS, TYPES, broken(), EMPTY, untested_cells=entries)
    assert "aclnnTiny has no case of layout/y/offset, layout/y/permuted, layout/y/gaps (layout)" in complaint


def test_a_reason_for_nothing_is_stale(suite):
    entries = [*CONTRACT["untested_cells"], {"cell": "layout/x/contiguous", "reason": "made up for tests"}]
    (complaint,) = in_suite(suite, group(), NULLS, TYPES, broken(), EMPTY, untested_cells=entries)
    assert "lists layout/x/contiguous as untested, but no declared cell of that name lacks a case" in complaint


def test_a_step_refused_on_the_way_breaks_a_constraint_too(suite):
    steps = [{"do": "workspace", "null": ["x"], "status": "PARAM_NULLPTR"}, "workspace", "run"]
    protocol = group("protocol", steps=steps, exercises=["c1"])
    assert complaints(suite, group(), protocol, TYPES, broken(), EMPTY, whole=True) == []


def test_untested_constraints_are_left_out_and_contracts_without_cases_are_not(suite):
    constraints = [{**c, "untested": "nobody can break it"} for c in CONTRACT["constraints"][:3]]
    contract = {**CONTRACT, "constraints": [*constraints, CONTRACT["constraints"][3]]}
    (suite / "demo" / "tiny" / "contract.json").write_text(json.dumps(contract))
    lonely = {**CONTRACT, "api": "aclnnLonely"}
    (suite / "demo" / "lonely").mkdir()
    (suite / "demo" / "lonely" / "contract.json").write_text(json.dumps(lonely))
    (complaint,) = complaints(suite, group(), EMPTY, whole=True)
    assert "demo/lonely/contract.json: aclnnLonely has a contract and no case (write case files beside it)" in complaint


SHARED = ["sets.json", "standards.json", "promotion.json", "tiling.json", "smoke.json", "demo/tiny/contract.json"]


@pytest.mark.parametrize("file", SHARED)
def test_every_shared_file_is_checked(file, suite):
    (suite / file).write_text("{}")
    found = complaints(suite, group(), NULLS, TYPES, broken(), EMPTY, whole=True)
    assert any(f"{suite}/{file}:1: " in problem for problem in found)
