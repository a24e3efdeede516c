"""The example runner of docs/runners.md, judged through the native door."""

from __future__ import annotations

from pathlib import Path

import pytest
from documents import ROOT, blocks, shows

from conformance.cli import main
from conformance.record import Record, read_record
from conformance.verdict import Verdict

EXAMPLE = ROOT / "examples" / "runner_numpy.py"
RIGHT = {Verdict.PASSED, Verdict.UNSUPPORTED, Verdict.UNSPECIFIED, Verdict.SKIPPED}


def judged(source: Path, record: Path, *options: str) -> Record:
    runner = ["--runner", f"{source}:NumpyRunner", "--record", str(record), "--max-elements", "4096"]
    main(["run", "activation.silu", "activation.hardshrink", *runner, *options])
    return read_record(record)


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Record:
    return judged(EXAMPLE, tmp_path_factory.mktemp("example") / "record.jsonl")


def test_nothing_that_the_example_answers_is_wrong(record: Record) -> None:
    assert [line["id"] for line in record.lines if Verdict(line["verdict"]) not in RIGHT] == []


def test_the_example_computes_both_apis_and_refuses_null_pointers(record: Record) -> None:
    passed = [line for line in record.lines if line["verdict"] == "passed"]
    assert {line["api"] for line in passed} == {"aclnnSilu", "aclnnHardshrink"}
    assert {line["outcome"]["kind"] for line in passed} == {"Completed", "Rejected"}
    assert len(passed) >= 50


def test_the_example_says_what_it_does_not_do(record: Record) -> None:
    reasons = {line["reason"] for line in record.lines if line["verdict"] == "unsupported"}
    assert "only phase 1 and then phase 2, each once" in reasons


def test_another_product_is_unsupported_as_a_whole(tmp_path: Path) -> None:
    counts = judged(EXAMPLE, tmp_path / "record.jsonl", "--product", "ascend910").counts
    assert set(counts) == {Verdict.UNSUPPORTED, Verdict.SKIPPED}


@pytest.mark.parametrize(
    ("right", "wrong"),
    [("np.abs(wide) <= limit", "np.abs(wide) < limit"), ("x.view().astype(np.float32)", "x.view()")],
    ids=["threshold_on_the_wrong_side", "computed_in_16_bits"],
)
def test_a_fault_in_the_example_fails(right: str, wrong: str, tmp_path: Path) -> None:
    faulty = tmp_path / "faulty.py"
    faulty.write_text(EXAMPLE.read_text().replace(right, wrong))
    counts = judged(faulty, tmp_path / "record.jsonl").counts
    assert counts[Verdict.FAILED] >= 1
    assert counts[Verdict.BROKEN] == 0


def test_the_failure_in_the_readme_is_what_the_program_prints(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    faulty = tmp_path / "faulty.py"
    faulty.write_text(EXAMPLE.read_text().replace("x.view().astype(np.float32)", "x.view()"))
    judged(faulty, tmp_path / "record.jsonl")
    shown = [block.text for block in blocks(ROOT / "README.md") if block.text.startswith("FAILED")]
    assert [shows(capsys.readouterr().out, text) for text in shown] == [True]


def test_the_document_shows_the_example_as_it_is() -> None:
    shown = [block.text for block in blocks(ROOT / "docs" / "runners.md") if block.file == "examples/runner_numpy.py"]
    assert shown == [EXAMPLE.read_text()]
    assert len(EXAMPLE.read_text().splitlines()) <= 60
