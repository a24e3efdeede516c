"""The comparison of two records as text, and the exit status that a policy gives it."""

from dataclasses import replace
from pathlib import Path

import pytest

from conformance.changes import changes_between
from conformance.record import Record
from reports.diff import exit_status, lines_of

HEADER = {"product": "ascend910b"}


def line(name, verdict="passed", **more):
    whole = f"activation.silu.numeric.ranks.{name}.h00000001"
    return {"id": whole, "api": "aclnnSilu", "verdict": verdict, "reason": "", "seconds": 0.001, **more}


def record(*lines, **header):
    return Record(Path("record.jsonl"), {**HEADER, **header}, lines, {})


BEFORE = record(line("same"), line("worse"), line("better", "failed", reason="3 differ"), line("closer", headroom=0.1))
AFTER = record(
    line("same"), line("worse", "failed", reason="1 of 7 differs"), line("better"), line("closer", headroom=0.9),
    product="ascend950",
)  # fmt: skip


def text(before, after, *, markdown=False):
    return "\n".join(lines_of(before, after, changes_between(before, after), markdown=markdown))


def test_every_change_has_its_line_and_its_reason():
    shown = text(BEFORE, AFTER)
    assert "4 cases in both: 1 regression, 1 repair, 1 lost half of its margin" in shown
    assert "- product: ascend910b → ascend950" in shown
    assert "ranks.worse.h00000001: passed → failed: 1 of 7 differs" in shown
    assert "ranks.better.h00000001: failed → passed: 3 differ" in shown
    assert "error ÷ limit 0.10 → 0.90" in shown


def test_markdown_has_headings_and_code():
    shown = text(BEFORE, AFTER, markdown=True)
    assert "## regression (1)" in shown
    assert "- `activation.silu.numeric.ranks.worse.h00000001`" in shown


@pytest.mark.parametrize(
    ("after", "policy", "status"),
    [
        (AFTER, "regression", 1),
        (AFTER, "none", 0),
        (BEFORE, "any", 0),
        (record(*BEFORE.lines[:3], line("closer", headroom=0.9)), "regression", 0),
        (record(*BEFORE.lines[:3], line("closer", headroom=0.9)), "margin", 1),
        (record(*BEFORE.lines[:3]), "regression", 1),
        (record(*BEFORE.lines, line("new")), "regression", 0),
        (record(*BEFORE.lines, line("new")), "any", 1),
        (record(line("other")), "none", 1),
    ],
)
def test_the_policy_makes_the_exit_status(after, policy, status):
    assert exit_status(changes_between(BEFORE, after), policy) == status


@pytest.mark.parametrize(
    ("before", "after", "policy", "status"),
    [
        ({}, {"complaints": ["a host was lost"]}, "regression", 1),
        ({}, {"complaints": ["a host was lost"]}, "none", 0),
        ({"complaints": ["a host was lost"]}, {"complaints": ["a host was lost"]}, "any", 0),
        ({"complaints": ["a host was lost"]}, {}, "any", 0),
        ({}, None, "margin", 1),
    ],
)
def test_a_run_that_became_red_beside_its_cases_got_worse(before, after, policy, status):
    old, new = (replace(BEFORE, footer=footer) for footer in (before, after))
    assert exit_status(changes_between(old, new), policy) == status


def test_complaints_are_shown_that_are_new_or_settled():
    old, new = (replace(BEFORE, footer={"complaints": [text]}) for text in ("a waiver expired", "a host was lost"))
    shown = text(old, new)
    assert "new complaints about the run (1)\n- a host was lost" in shown
    assert "complaints that are settled (1)\n- a waiver expired" in shown
