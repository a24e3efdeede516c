"""The smoke tier: a list of names in the data, and the option that both doors have for it."""

import json

import pytest
from shipped import shipped_cases

from conformance.card import DEFAULT
from conformance.case_id import name_of
from conformance.cli import main
from conformance.data import data_root
from conformance.errors import NothingSelected
from conformance.tier import SMOKE, load_smoke, of_tier, stale_names

CASES = shipped_cases()


def test_every_name_of_the_smoke_tier_is_a_case():
    assert list(stale_names(CASES)) == []
    assert load_smoke() <= {name_of(case.id) for case in CASES}


def test_a_name_that_no_case_has_is_a_problem():
    gone = next(case for case in CASES if name_of(case.id) in load_smoke())
    (problem,) = stale_names(case for case in CASES if name_of(case.id) != name_of(gone.id))
    assert f"{name_of(gone.id)} is no case" in str(problem)


def test_the_tier_is_part_of_all_cases_in_their_order():
    chosen = of_tier(CASES, SMOKE)
    assert chosen == [case for case in of_tier(CASES, DEFAULT) if case in chosen]
    assert 0 < len(chosen) < len(CASES)


def test_a_tier_without_a_case_of_those_asked_for_says_so():
    outside = [case for case in CASES if name_of(case.id) not in load_smoke()][:3]
    with pytest.raises(NothingSelected, match="none of 3 cases is in the smoke tier"):
        of_tier(outside, SMOKE)
    assert of_tier([], SMOKE) == []


def test_both_doors_run_the_same_cases(pytester, capsys):
    assert main(["list", "--tier", SMOKE, "activation.silu"]) == 0
    listed = set(capsys.readouterr().out.split())
    found = pytester.runpytest("--collect-only", "-q", str(CASES[0].path.parents[1] / "silu"), "--tier", SMOKE)
    assert {line.partition("::")[2] for line in found.outlines if "::" in line} == listed


def test_the_file_says_how_it_is_made():
    document = json.loads((data_root() / "smoke.json").read_text("utf-8"))
    assert "conformance faults --smoke" in document["about"]
    assert document["cases"] == sorted(document["cases"])
