"""Failures grouped by signature, and what sets a group apart."""

from pathlib import Path

import pytest

from conformance.record import Record
from conformance.verdict import Verdict
from reports.grouping import group_failures, what_is_common


def line(facets, n=None, verdict="passed", **rest):
    outputs = {} if n is None else {"outputs": {"y": {"metrics": {"count": n}}}}
    return {"id": "a.b", "api": "A", "verdict": verdict, "facets": facets.split(), **outputs, **rest}


PASSED = [line("fp32 rank2 small", 10), line("fp16 rank2 small", 20), line("fp16 rank3 special medium", 2000)]


@pytest.mark.parametrize(
    ("failed", "words"),
    [
        ([line("bf16 rank2"), line("bf16 rank3 special")], "only bf16 cases"),
        ([line("bf16 noncontiguous"), line("bf16 noncontiguous rank2")], "only bf16 noncontiguous cases"),
        ([line("fp32 rank5 rank1 small"), line("fp16 rank6 small")], "only rank ≥ 5"),
        ([line("fp32 rank1 small"), line("fp16 rank0 small")], "only rank ≤ 1"),
        ([line("fp32 rank2 small", 3000), line("fp16 rank3 small", 4096)], "only n ≥ 3000"),
        ([line("fp32 special rank3"), line("fp32 special rank2")], "only fp32 special cases"),
        ([line("fp32 rank2 medium", 15), line("fp16 rank2 small", 25)], ""),
        ([line("bf16 rank2")], ""),
    ],
)
def test_what_sets_failed_cases_apart(failed, words):
    assert what_is_common(failed, PASSED) == words


def test_a_facet_that_all_passed_cases_have_and_no_failed_one():
    passed = [line("fp32 small"), line("fp16 small")]
    assert what_is_common([line("fp32"), line("fp16")], passed) == "only cases that are not small"


def test_a_facet_that_few_passed_cases_have():
    passed = [line("fp32 special rank2"), *[line(f"{word} rank2") for word in ("fp16", "fp32", "bf16", "int8")]]
    failed = [line(f"{word} special rank2") for word in ("fp16", "fp32", "bf16")]
    assert what_is_common(failed, passed) == "only special cases, 3 of 4"
    assert what_is_common(failed, []) == ""


def test_groups_are_cases_of_one_api_verdict_and_signature():
    rows = [
        ("A", "failed", "x"),
        ("A", "failed", "y"),
        ("A", "failed", "y"),
        ("B", "failed", "y"),
        ("A", "waived", "y"),
    ]
    lines = [
        {**line("", verdict=verdict, signature=signature), "api": api, "id": f"case{n}"}
        for n, (api, verdict, signature) in enumerate(rows)
    ]
    groups = group_failures(Record(Path("r"), {}, (*lines, *PASSED), None))
    assert (groups[0].api, groups[0].verdict, groups[0].ids) == ("A", Verdict.FAILED, ("case1", "case2"))
    assert len(groups) == 4
    assert str(groups[0]) == "2 failed A: y"
