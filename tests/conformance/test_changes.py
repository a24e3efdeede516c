"""What changed between two records, case by case."""

from pathlib import Path

import pytest

from conformance.changes import Change, changes_between
from conformance.record import Record

HEADER = {"started": "2026-01-01T00:00:00", "product": "ascend910b", "environment": {"numpy": "2.0", "host": "a"}}
ID = "activation.silu.numeric.ranks.fp32-{}.h0000000{}"


def line(number, verdict="passed", *, recast=0, **more):
    name = ID.format(number, recast)
    return {"id": name, "api": "aclnnSilu", "verdict": verdict, "reason": "", "seconds": 0.001, **more}


def record(*lines, **header):
    return Record(Path("record.jsonl"), {**HEADER, **header}, lines, {})


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        ({}, {"verdict": "failed"}, Change.REGRESSION),
        ({"verdict": "unspecified"}, {"verdict": "mistrusted"}, Change.REGRESSION),
        ({"verdict": "broken"}, {"verdict": "passed"}, Change.REPAIR),
        ({"verdict": "failed"}, {"verdict": "waived"}, Change.REPAIR),
        ({"verdict": "failed"}, {"verdict": "unsupported"}, Change.OTHER),
        ({}, {"verdict": "skipped"}, Change.OTHER),
        (
            {"verdict": "unspecified", "side": "document"},
            {"verdict": "unspecified", "side": "implementation"},
            Change.OTHER,
        ),
        (
            {"verdict": "failed", "outcome": {"kind": "Completed"}},
            {"verdict": "failed", "outcome": {"kind": "Crashed"}},
            Change.OTHER,
        ),
        ({"headroom": 0.2}, {"headroom": 0.7}, Change.MARGIN),
        ({"headroom": None}, {"headroom": 0.6}, Change.MARGIN),
        ({"headroom": 0.2}, {"headroom": 0.5}, None),
        ({"headroom": 0.9}, {"headroom": 0.1}, None),
        ({"verdict": "failed", "headroom": 2}, {"verdict": "failed", "headroom": "inf"}, None),
    ],
)
def test_what_becomes_of_a_case(before, after, kind):
    found = changes_between(record(line(1, **before)), record(line(1, **after)))
    assert [one.kind for one in found.cases] == ([kind] if kind else [])


def test_cases_that_come_go_or_get_other_contents():
    found = changes_between(record(line(1), line(2)), record(line(2, recast=1), line(3)))
    assert {(one.kind, one.name.split(".")[4]) for one in found.cases} == {
        (Change.RECAST, "fp32-2"),
        (Change.GONE, "fp32-1"),
        (Change.NEW, "fp32-3"),
    }
    assert found.common == 0


def test_surroundings_that_differ_are_named_but_not_when_and_where():
    found = changes_between(record(), record(started="2026-02-02", environment={"numpy": "2.1", "host": "b"}))
    assert found.surroundings == (("environment.numpy", "2.0", "2.1"),)


@pytest.mark.parametrize(("seconds", "told"), [(0.3, True), (0.11, False), (0.02, True)])
def test_an_api_that_takes_much_longer_or_shorter_is_timed(seconds, told):
    found = changes_between(record(line(1, seconds=0.1)), record(line(1, seconds=seconds)))
    assert [(timing.before, timing.after) for timing in found.timings] == ([(0.1, seconds)] if told else [])
