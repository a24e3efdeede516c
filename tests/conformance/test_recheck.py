"""Verdicts made again from a record are those that were written, and follow another standard."""

from dataclasses import replace
from datetime import date

import fakes
import pytest
from tiny import REFUSED, prelu_cases, prelu_group, refusal, session

from conformance.errors import InvalidRecord
from conformance.header import header_of
from conformance.load import load_standards
from conformance.options import Options
from conformance.outcome import Broken, Crashed, Outcome, TimedOut, Unsupported
from conformance.recall import observation_of
from conformance.recheck import left_out, recheck
from conformance.record import RecordWriter, line_of, read_record
from conformance.verdict import Observation, Verdict

STANDARDS = load_standards()
SILENT = prelu_group("silent", expect={"unspecified": "the document is silent", "document": "success"})
NULL = {
    **REFUSED,
    "name": "null",
    "about": "weight is null",
    "arguments": {"weight": None},
    "expect": refusal("PARAM_NULLPTR"),
}
LIARS = (None, fakes.WrongSign(), fakes.WritesPastOutput(), fakes.Raises())


@pytest.fixture
def cases(tmp_path):
    return prelu_cases(tmp_path / "data", prelu_group(), REFUSED, SILENT, NULL)


@pytest.fixture
def record(tmp_path, cases):
    """Honest and lying runs over every kind of case."""
    trials = [session(liar) if liar else session() for liar in LIARS]
    with RecordWriter(tmp_path / "record.jsonl", header_of(trials[0], Options(runner="simulator"))) as writer:
        for trial in trials:
            for case in cases:
                writer.add(line_of(trial.execute(case)))
    return read_record(writer.path)


def again(record, cases, standard="strict", waivers=()):
    return recheck(record, {case.id: case for case in cases}, STANDARDS[standard], waivers, date(2026, 1, 1))


def test_the_same_standard_makes_the_same_verdicts(record, cases):
    result = again(record, cases)
    assert {one.was for one in result.rejudged} >= {Verdict.PASSED, Verdict.FAILED, Verdict.BROKEN, Verdict.UNSPECIFIED}
    assert [(one.line["id"], one.now.reason) for one in result.changed] == []
    assert [one.now.reason for one in result.rejudged] == [line["reason"] for line in record.lines]
    assert result.counts == record.counts


def test_another_standard_may_judge_otherwise(record, cases):
    changed = again(record, cases, "cann_mixed").changed
    assert all(one.was in (Verdict.PASSED, Verdict.FAILED) for one in changed)


def test_a_verdict_that_was_edited_is_seen(record, cases):
    failed = next(line for line in record.lines if line["verdict"] == "failed")
    (one,) = again(replace(record, lines=({**failed, "verdict": "passed"},)), cases).changed
    assert (one.line["id"], one.now.verdict) == (failed["id"], Verdict.FAILED)


def test_a_case_that_the_suite_no_longer_has_is_named(record, cases):
    result = again(record, cases[1:])
    assert set(result.unknown) == {cases[0].id}


@pytest.mark.parametrize(
    "outcome",
    [Crashed(11, "SIGSEGV"), Crashed(9), TimedOut(0.5, "before"), Unsupported("no kernel"), Broken("no golden")],
)
def test_every_outcome_is_read_back(outcome: Outcome, cases):
    trial = session()
    seen = Observation(outcome, poison="later cases fail")
    result = trial.execute(cases[0])
    line = line_of(type(result)(cases[0], trial.judge(cases[0], seen), seen))
    assert observation_of(line, cases[0]) == seen


@pytest.mark.parametrize("missing", ["filled", "vivid", "outputs", "faults"])
def test_a_line_without_what_was_seen_is_no_line(missing, record, cases):
    line = {key: value for key, value in record.lines[0].items() if key != missing}
    with pytest.raises(InvalidRecord, match=missing):
        observation_of(line, cases[0])


def test_what_no_verdict_says_is_said(record, cases):
    line = {key: record.lines[0][key] for key in ("id", "api", "reason", "facets")}
    footer = {**record.footer, "complaints": ["a waiver expired"]}
    header = {**record.header, "terms": {"waivers": "0" * 64}}
    changed = replace(record, header=header, lines=({**line, "verdict": "skipped"},), footer=footer)
    assert list(left_out(record, (), record.header["data"])) == []
    assert list(left_out(changed, (), "b" * 64)) == [
        "not judged again: a waiver expired",
        "verdicts kept of cases of which nothing was seen: 1 skipped",
        f"the record was made with other case data ({header['data'][:12]}): "
        "expectations are those of this suite (bbbbbbbbbbbb)",
        "the run had other waivers than those given",
    ]
    assert "no footer" in next(left_out(replace(record, footer=None), (), record.header["data"]))
