"""Cells with their cases, and what became of them in records."""

import pytest
from tiny import CONTRACT, cases_of, group

from conformance.contract import parse_contract
from conformance.coverage import Answers, coverage_of, stale_reasons


def rows(tmp_path, answers=None, **changes):
    cases = cases_of(tmp_path, group())
    contract = parse_contract({**CONTRACT, "untested_cells": [], **changes})
    return {str(row.cell): row for row in coverage_of(contract, cases, answers)}, cases[0].id


def test_a_cell_has_its_cases_or_a_reason_or_is_a_gap(tmp_path):
    found, name = rows(tmp_path, untested_cells=[{"cell": "layout/y/*", "reason": "made up for tests"}])
    assert found["layout/x/contiguous"].ids == (name,)
    assert found["layout/x/gaps"].is_gap
    assert not found["layout/y/gaps"].is_gap
    assert found["layout/y/gaps"].reason == "made up for tests"


@pytest.mark.parametrize(
    ("product", "red", "cell", "executed", "passed"),
    [
        ("ascend910", False, "layout/x/contiguous", 1, True),
        ("ascend910", True, "layout/x/contiguous", 1, False),
        ("ascend910", False, "dtype/x/float32/ascend910", 1, True),
        ("ascend910", False, "dtype/x/float32/ascend950", 0, False),
        ("ascend910", False, "layout/x/gaps", 0, False),
    ],
)
def test_runs_count_on_the_product_of_the_cell(product, red, cell, executed, passed, tmp_path):
    _, name = rows(tmp_path / "first")
    runs = frozenset({(name, product)})
    found, _ = rows(tmp_path / "second", Answers(runs, runs if red else frozenset()))
    assert (found[cell].executed, found[cell].passed) == (executed, passed)


def test_reasons_for_what_has_cases_or_is_not_declared_are_stale(tmp_path):
    patterns = ["layout/x/contiguous", "rank/z/*", "layout/x/*"]
    entries = [{"cell": pattern, "reason": "made up for tests"} for pattern in patterns]
    contract = parse_contract({**CONTRACT, "untested_cells": entries})
    found = coverage_of(contract, cases_of(tmp_path, group()))
    assert list(stale_reasons(contract, found)) == patterns[:2]
