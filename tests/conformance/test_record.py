"""Records: strict lines under their schema, and what a reader notices."""

import json
import os
import resource

import fakes
import numpy as np
import pytest
from msgspec import structs
from tiny import REFUSED, prelu_cases, prelu_group, session

from conformance import schema
from conformance.environment import data_digest, environment
from conformance.errors import InvalidRecord
from conformance.execute import Result
from conformance.gather import Gathering
from conformance.header import header_of
from conformance.options import Options
from conformance.outcome import Broken, Crashed, TimedOut, Unsupported
from conformance.record import Record, RecordWriter, encoded, line_of, read_record, short_line
from conformance.schema import schema_problems
from conformance.verdict import Judged, Observation, Verdict

SILENT = prelu_group("silent", expect={"unspecified": "the document is silent", "document": "success"})
NANS = prelu_group("nans", expect={"success": {"degenerate": ["gradWeight"]}})
NANS["arguments"]["gradOutput"]["values"] = {"constant": "nan"}
ELSEWHERE = prelu_group("elsewhere", products=["ascend910"])


@pytest.fixture
def cases(tmp_path):
    return prelu_cases(tmp_path / "data", prelu_group(), REFUSED, SILENT, NANS, ELSEWHERE)


@pytest.fixture
def path(tmp_path, cases):
    """A record of honest and lying runs over every kind of case."""
    trials = [session(), session(fakes.WrongSign()), session(fakes.WritesPastOutput()), session(fakes.Raises())]
    with RecordWriter(tmp_path / "deep" / "record.jsonl", header_of(trials[0], Options(runner="simulator"))) as writer:
        for trial in trials:
            for case in cases:
                writer.add(line_of(trial.execute(case)))
    return writer.path


def test_every_line_keeps_the_schema(path):
    texts = path.read_text(encoding="utf-8").splitlines()
    problems = [p for text in texts for p in schema_problems(schema.RECORD, json.loads(text), text, path)]
    assert [str(problem) for problem in problems] == []
    assert {json.loads(text)["kind"] for text in texts} == {"header", "case", "footer"}


@pytest.mark.parametrize("again", [None, Verdict.PASSED, Verdict.FAILED])
def test_a_run_comes_to_the_same_whether_its_lines_are_short_or_whole(again, cases):
    results = [structs.replace(session(fakes.WrongSign()).execute(case), again=again) for case in cases]
    gatherings = Gathering(), Gathering()
    for result in results:
        gatherings[0].add(line_of(result))
        gatherings[1].add(short_line(result))
    assert gatherings[0].lines == gatherings[1].lines
    assert gatherings[0].close(ended=True) == gatherings[1].close(ended=True)


@pytest.mark.parametrize("outcome", [Crashed(11, "signal 11"), TimedOut(0.5), Unsupported("no kernel"), Broken("why")])
def test_every_outcome_has_a_line(outcome, cases, tmp_path):
    judged = Judged(Verdict.FAILED, "why", float("inf"))
    line = dict(line_of(Result(cases[0], judged, Observation(outcome), second=outcome)))
    assert schema_problems(schema.RECORD, line, json.dumps(line), tmp_path) == []
    assert (line["outcome"]["kind"], line["headroom"]) == (type(outcome).__name__, "inf")
    assert line["second"] == line["outcome"]


@pytest.mark.parametrize(
    "change", [{"kind": "other"}, {"verdict": "fine"}, {"extra": 1}, {"id": "a b"}, {"outcome": {"kind": "Completed"}}]
)
def test_the_schema_refuses_what_is_no_line(change, cases, tmp_path):
    line = {**line_of(session().execute(cases[0])), **change}
    assert schema_problems(schema.RECORD, line, json.dumps(line), tmp_path) != []


def test_a_record_reads_back_as_it_was_written(path, cases):
    record = read_record(path)
    assert record.header["runner"]["name"] == "simulator"
    assert len(record.lines) == record.footer["cases"] == 4 * len(cases)
    assert record.counts[Verdict.BROKEN] == record.footer["counts"]["broken"] == 4
    assert [line["id"] for line in record.lines[: len(cases)]] == [case.id for case in cases]


def test_a_run_that_raises_leaves_a_readable_record_without_footer(tmp_path, cases):
    path = tmp_path / "record.jsonl"

    def interrupted():
        with RecordWriter(path, header_of(session(), Options(runner="simulator"))) as writer:
            writer.add(line_of(session().execute(cases[0])))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    record = read_record(path)
    assert (len(record.lines), record.footer) == (1, None)


@pytest.mark.parametrize("text", ["line\u2028separator\x85next\x0cfeed", "half \udc80 pair", "引号 “”", "\\u0000"])
def test_messages_of_any_text_survive(text, tmp_path, cases):
    path = tmp_path / "record.jsonl"
    with RecordWriter(path, header_of(session(), Options(runner="simulator"))) as writer:
        writer.add(line_of(Result(cases[0], Judged(Verdict.FAILED, text))))
    assert read_record(path).lines[0]["reason"] == text


@pytest.mark.parametrize(
    ("fact", "kept"), [(np.nan, "nan"), (-np.inf, "-inf"), (np.float64(0.1), 0.1), (2**70, 2**70), (1e-5, 1e-5)]
)
def test_any_figure_of_a_runner_is_kept(fact, kept, tmp_path, cases):
    path = tmp_path / "record.jsonl"
    with RecordWriter(path, header_of(session(), Options(runner="simulator"))) as writer:
        result = session().execute(cases[0])
        outcome = structs.replace(result.observation.outcome, facts={"seconds": fact})
        line = line_of(structs.replace(result, observation=structs.replace(result.observation, outcome=outcome)))
        writer.add(line)
    (read,) = read_record(path).lines
    assert read["outcome"]["facts"] == {"seconds": kept}
    assert dict(read) == dict(line)


def damaged(path, change):
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(change(lines)))
    return path


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda lines: [], "is no record of version record-1"),
        (lambda lines: lines[1:], "is no record of version record-1"),
        (lambda lines: [lines[0].replace(b"record-1", b"record-9")], "is no record of version record-1"),
        (lambda lines: [*lines[:1], *lines[2:]], "its lines do not match its footer; the file was changed"),
        (lambda lines: [lines[0], lines[1].replace(b'"passed"', b'"failed"'), *lines[2:]], "the file was changed"),
        (lambda lines: [lines[0], b"{]\n", *lines[2:]], ":2: malformed line"),
        (lambda lines: [lines[0], b"\xff\xff\n", *lines[2:]], ":2: malformed line"),
        (lambda lines: [lines[0], b"[1]\n"], ":2: is no JSON object"),
        (lambda lines: [lines[0], b'{"kind":"case","verdict":"fine"}\n'], ":2: is no line of a case"),
        (lambda lines: [lines[0], lines[0]], ":2: is no line of a case"),
        (lambda lines: [lines[0], b'{"kind":"footer"}\n'], "the file was changed"),
        (lambda lines: [*lines[:2], b"{half\n"], ":3: malformed line"),
    ],
)
def test_a_damaged_record_is_refused(change, message, path):
    with pytest.raises(InvalidRecord) as caught:
        read_record(damaged(path, change))
    assert message in str(caught.value)


@pytest.mark.parametrize("cut", [1, 30])
def test_a_record_cut_in_its_last_line_is_truncated(cut, path):
    whole = read_record(path)
    path.write_bytes(path.read_bytes()[:-cut])
    record = read_record(path)
    assert record.lines == whole.lines
    assert (record.footer is None) is (cut > 1)


def test_files_that_cannot_be_read_or_written(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InvalidRecord, match=r"no\.jsonl: cannot be read: No such file"):
        read_record(tmp_path / "no.jsonl")
    with pytest.raises(InvalidRecord, match="cannot be written: "):
        RecordWriter(tmp_path / "file" / "record.jsonl", {})
    with pytest.raises(InvalidRecord, match="cannot be written: Is a directory"):
        RecordWriter(tmp_path, {})


def test_a_record_is_written_by_one_run_at_a_time(tmp_path):
    path = tmp_path / "record.jsonl"
    with RecordWriter(path, {"kind": "header"}):
        for kept in (None, Record(path, {"kind": "header"}, (), None)):
            with pytest.raises(InvalidRecord, match=r"record\.jsonl: another run is writing it; name another file"):
                RecordWriter(path, {"kind": "header"}, kept)
        assert path.read_bytes() == encoded({"kind": "header"})
    RecordWriter(path, {"kind": "header"}).close()


def test_a_full_disk_is_an_error_that_names_the_record(tmp_path):
    """Where a limit on the size of files stands for the disk."""
    room = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 10, room[1]))
    try:
        with (
            pytest.raises(InvalidRecord, match=r"record\.jsonl: cannot be written: File too large"),
            RecordWriter(tmp_path / "record.jsonl", {"kind": "header"}) as writer,
        ):
            writer.add({"verdict": "passed", "id": "x" * (2 << 10)})
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, room)


def test_the_environment_names_libraries_without_importing_them(monkeypatch):
    monkeypatch.setattr("conformance.environment._LIBRARIES", ("numpy", "no-such-library"))
    facts = environment()
    assert facts["no-such-library"] == "absent"
    assert facts["cpus"] == str(os.cpu_count())
    assert set(map(type, facts.values())) == {str}


def test_the_data_digest_changes_with_names_and_contents(tmp_path):
    (tmp_path / "a.json").write_text("1")
    first = data_digest(tmp_path)
    (tmp_path / "a.json").rename(tmp_path / "b.json")
    second = data_digest(tmp_path)
    (tmp_path / "b.json").write_text("2")
    assert len({first, second, data_digest(tmp_path)}) == 3
    (tmp_path / "c.txt").write_text("no data")
    (tmp_path / "b.json").rename(tmp_path / "a.json")
    (tmp_path / "a.json").write_text("1")
    assert data_digest(tmp_path) == first
    assert len(data_digest()) == 64


def test_a_case_not_run_has_no_outcome(cases):
    line = line_of(session().execute(structs.replace(cases[0], products=frozenset())))
    assert line["verdict"] == "skipped"
    assert "outcome" not in line
