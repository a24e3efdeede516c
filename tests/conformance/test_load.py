"""Finding and loading data files; one bad file does not keep the others from loading."""

import json
from datetime import date
from pathlib import Path

import pytest
from tiny import CONTRACT, group, tiny_folder, write

from conformance import load
from conformance.corpus import load_corpus
from conformance.data import data_root, find_case_files, is_case_file
from conformance.load import (
    check_promotion,
    load_case_file,
    load_contract,
    load_contracts,
    load_shared_sets,
    load_standards,
)
from conformance.product import PRODUCTS
from conformance.schema import CASES, schema_document, schema_problems
from conformance.waiver import Named, Setting, WaiverKind, parse_waivers, stale_waivers, waiver_for

A2 = PRODUCTS["ascend910b"]


def test_the_suites_own_shared_data_is_valid():
    check_promotion()
    assert {"fp3", "fp2"} <= set(load_shared_sets())
    assert {"strict", "exact"} <= set(load_standards())
    assert "aclnnPreluBackward" in load_contracts()


def test_case_files_are_what_lies_beside_a_contract(tmp_path):
    folder = tiny_folder(tmp_path)
    path = write(folder, group())
    (tmp_path / "stray.json").write_text("{}")
    (folder / "notes.txt").write_text("")
    assert find_case_files([tmp_path]) == [path]
    assert find_case_files([tmp_path / "stray.json", path]) == [path, tmp_path / "stray.json"]
    assert not is_case_file(folder / "contract.json")
    assert all(is_case_file(found) for found in find_case_files())


def test_a_file_away_from_its_contract_finds_the_suites(tmp_path, invalid):
    name = "aclnnPreluBackward"
    text = {"$schema": "../schemas/cases-1.schema.json", "api": name, "groups": [group()]}
    (tmp_path / "own.json").write_text(json.dumps(text))
    assert load_case_file(tmp_path / "own.json").contract is load_contracts()[name]
    (tmp_path / "own.json").write_text(json.dumps({**text, "api": "aclnnNone"}))
    assert "unknown API 'aclnnNone' (contracts here are of " in invalid(load_case_file, tmp_path / "own.json")


def test_contracts_with_problems_are_left_out(tmp_path):
    tiny_folder(tmp_path / "good")
    tiny_folder(tmp_path / "bad", {**CONTRACT, "api": 3})
    assert list(load_contracts(tmp_path)) == ["aclnnTiny"]


def test_a_rule_that_cannot_be_built_is_a_problem_of_its_contract(tmp_path, invalid, monkeypatch):
    monkeypatch.setattr(load, "parse_contract", lambda document: {}["missing"])
    path = tiny_folder(tmp_path) / "contract.json"
    assert invalid(load_contract, path) == f"{path}:1: 'missing'"


def test_a_file_knows_its_subject_sets_and_groups(tmp_path):
    file = load_case_file(write(tiny_folder(tmp_path), group(), file="views.json", sets={"own": [1]}))
    assert (file.subject, file.sets["own"], file.groups[0].pointer) == ("views", [1], "/groups/0")
    assert "fp3" in file.sets


def test_a_corpus_holds_what_is_valid_and_says_what_is_not(tmp_path):
    folder = tiny_folder(tmp_path)
    write(folder, group(), file="good.json")
    write(folder, group(api=1), file="bad.json")
    write(folder, group(violates="c9"), file="worse.json")
    corpus = load_corpus([folder])
    assert [case.group for case in corpus.cases] == ["plain"]
    assert len(corpus.problems) == 2


def test_data_lies_in_the_checkout():
    assert data_root() == Path(__file__).resolve().parents[2] / "cases"


def test_schema_problems_are_said_once_and_shortly():
    document = {"$schema": 1, "api": "aclnnTiny", "groups": [{"name": "x", "about": "y" * 300, "expect": 1}]}
    text = json.dumps(document, indent=1)
    found = [str(problem) for problem in schema_problems(CASES, document, text, Path("f.json"))]
    assert any("f.json:2 at /$schema: 1 is not of type string" in problem for problem in found)
    assert any(problem.startswith("f.json:8 at /groups/0/expect: 1 ") for problem in found)
    assert all(len(problem) < 300 for problem in found)
    assert schema_document(CASES)["title"] == "case file"


AUGUST = date(2026, 8, 1)
TINY = Named("demo.tiny.x", frozenset({"fp16", "refusal"}))


def waiver(select="demo", **changes):
    entry = {"kind": "waiver", "reason": "known deviation", "url": "u", "owner": "o", "expires": "2026-08-31"}
    return {"select": select, **entry, **changes}


def by_facets(*facets):
    """An entry without selectors."""
    return {key: value for key, value in waiver(facets=list(facets)).items() if key != "select"}


def parsed(*entries):
    document = {"entries": list(entries)}
    return parse_waivers(document, json.dumps(document, indent=1), Path("w.json"))


def test_the_first_entry_in_force_counts():
    entries = parsed(
        waiver(expires="2026-07-31"),
        waiver(products=["ascend950"]),
        waiver("demo.tiny", kind="flaky"),
        waiver("*"),
    )
    assert waiver_for(entries, Named("demo.tiny.x"), Setting(A2, AUGUST)).kind is WaiverKind.FLAKY
    assert waiver_for(entries, Named("other.x"), Setting(A2, AUGUST)).select == ("*",)
    assert waiver_for(entries, Named("demo.tiny.x"), Setting(A2, date(2026, 9, 1))) is None


def test_an_entry_may_list_selectors_and_each_must_match():
    entries = parsed(waiver(["demo.tiny", "demo.other"]))
    assert waiver_for(entries, Named("demo.other.x"), Setting(A2, AUGUST)) is entries[0]
    stale = stale_waivers(entries, [Named("demo.tiny.x")], Setting(A2, AUGUST))
    assert [str(problem) for problem in stale] == ["w.json:3 at /entries/0: 'demo.other' matches no case (remove it)"]


@pytest.mark.parametrize(
    ("entry", "complaint"),
    [
        (waiver(), None),
        (waiver("nothing"), "w.json:3 at /entries/0: 'nothing' matches no case (remove it)"),
        (waiver("nothing", products=["ascend950"]), None),
        (waiver(expires="2026-07-31"), "w.json:3 at /entries/0: expired on 2026-07-31 (renew it or remove it)"),
        (waiver(since="2026-08-01"), None),
        (waiver(since="2026-08-02"), "is known only since 2026-08-02, which is to come (correct the date)"),
        (waiver(facets=["fp16", "refusal"]), None),
        (waiver(facets=["fp16", "fp32"]), "'demo' matches no case that has fp16 and fp32 (remove it)"),
        (by_facets("fp16"), None),
        (by_facets("bf16"), "no case has bf16 (remove it)"),
        (waiver("nothing", cann="<8.3"), None),
        (waiver("nothing", cann=">=8.0,<=8.3"), "'nothing' matches no case (remove it)"),
    ],
)
def test_entries_that_are_stale(entry, complaint):
    stale = stale_waivers(parsed(entry), [TINY], Setting(A2, AUGUST, "8.3.RC1"))
    assert len(stale) == (complaint is not None)
    assert all(complaint in str(problem) for problem in stale)


@pytest.mark.parametrize(
    ("cann", "excused"),
    [("7.0.1", False), ("8.0", True), ("8.0.0.alpha001", False), ("8.2.RC1", True), ("8.3.RC1", False), ("8.3", False)],
)
def test_an_entry_may_be_for_a_range_of_versions(cann, excused):
    entries = parsed(waiver(cann=">=8.0,<8.3"))
    assert (waiver_for(entries, TINY, Setting(A2, AUGUST, cann)) is not None) is excused


@pytest.mark.parametrize(("cann", "stated"), [("", "no version of CANN"), ("new", "'new', which is no version")])
def test_a_version_that_cannot_be_compared_excuses_nothing_and_is_a_problem(cann, stated):
    setting = Setting(A2, AUGUST, cann)
    entries = parsed(waiver(cann=">=8.0"))
    assert waiver_for(entries, TINY, setting) is None
    (problem,) = stale_waivers(entries, [TINY], setting)
    assert f"cann '>=8.0' cannot be compared: the runner states {stated}" in str(problem)


def test_facets_and_selectors_must_both_be_met():
    entries = parsed(waiver("demo", facets=["fp16"]), by_facets("refusal"))
    assert waiver_for(entries, TINY, Setting(A2, AUGUST)) is entries[0]
    assert waiver_for(entries, Named("other.x", frozenset({"fp16", "refusal"})), Setting(A2, AUGUST)) is entries[1]
    assert waiver_for(entries, Named("demo.x"), Setting(A2, AUGUST)) is None


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"cann": "8.0"}, "cann: '8.0' is no range of versions (write"),
        ({"since": "2026-13-01"}, "since: month must be in 1..12"),
        ({"since": "2026-09-01"}, "since 2026-09-01 is after expires 2026-08-31"),
    ],
)
def test_what_no_entry_can_say(changes, complaint, invalid):
    assert complaint in invalid(parsed, waiver(**changes))


def test_a_date_that_does_not_exist(invalid):
    assert "at /entries/0: expires: day is out of range" in invalid(parsed, waiver(expires="2026-02-30"))
