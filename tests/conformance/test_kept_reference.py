"""Goldens kept from run to run: the same verdicts without the reference, and when it is asked again."""

import platform
from dataclasses import replace

import numpy as np
import pytest
import torch
from tiny import prelu_cases, prelu_group, session

from conformance.caches import GOLDENS, GOLDENS_VARIABLE
from conformance.corpus import load_corpus
from conformance.data import data_root
from conformance.errors import InvalidOption
from conformance.header import header_of
from conformance.kept_reference import SIZE_VARIABLE, keeping, trouble_of
from conformance.opening import open_session
from conformance.options import Options
from conformance.record import RecordWriter, has_kept_golden, line_of, read_record
from conformance.supervise import Supervisor
from conformance.verdict import Verdict
from reports.summary import facts_of
from runners.reference.runner import ReferenceRunner
from runners.simulator.runner import SimulatorRunner

APIS = (
    "gelu",
    "prelu_backward",
    "r_relu_with_noise",
    "inplace_selu",
    "gelu_quant",
    "softmax_cross_entropy_with_logits",
)
EVERY = 23


class Counting(ReferenceRunner):
    """The reference, counting how often it is asked; ``text`` goes into its basis."""

    def __init__(self, text=""):
        super().__init__()
        self.asked, self.text = 0, text

    def basis(self):
        return self.text

    def golden(self, call):
        self.asked += 1
        return super().golden(call)


class Spoiling(SimulatorRunner):
    """Kernels whose results are changed by ``spoil``, which gets the call."""

    def __init__(self, spoil):
        super().__init__()
        self.spoil = spoil

    def run(self, call):
        outcome = super().run(call)
        self.spoil(call)
        return outcome


def wrong_output(call):
    call.arguments["gradInput"].view()[...] = 7


def wrong_input(call):
    call.arguments["self"].view()[...] = -1
    wrong_output(call)


@pytest.fixture
def case(tmp_path):
    return prelu_cases(tmp_path)[0]


@pytest.fixture
def run(tmp_path):
    """Function that runs cases with goldens kept in one folder: lines of the record, and how often it was asked."""

    def run(cases, *, runner=None, folder=tmp_path / "kept", **changes):
        reference = Counting(changes.pop("basis", ""))
        kept = keeping(reference, str(folder))
        base = session(**({"runner": runner} if runner else {}))
        supervisor = Supervisor(replace(base, reference=kept, **changes))
        lines = [line_of(supervisor.execute(case)) for case in cases]
        supervisor.close()
        return [{key: line[key] for key in line if key != "seconds"} for line in lines], reference.asked

    return run


def without_mark(lines):
    return [{key: line[key] for key in line if key != "golden"} for line in lines]


def marks(lines):
    return [line.get("golden") for line in lines]


def test_a_second_run_gives_the_same_lines_without_the_reference(run):
    folders = [data_root() / "activation" / api for api in APIS]
    cases = [case for case in load_corpus(folders).cases if case.tier == "default"][::EVERY]
    plain, _ = run(cases, folder="off")
    first, asked = run(cases)
    second, asked_again = run(cases)
    assert first == plain
    assert without_mark(second) == plain
    executed = [line for line in second if line.get("outputs")]
    assert len(executed) > len(cases) / 2
    assert set(marks(executed)) == {"kept"}
    assert asked > asked_again == 0


@pytest.mark.parametrize("spoil", [wrong_output, wrong_input])
def test_other_outputs_are_measured_against_goldens_that_were_kept(run, case, spoil):
    plain, _ = run([case], runner=Spoiling(spoil), folder="off")
    run([case])
    lines, asked = run([case], runner=Spoiling(spoil))
    assert without_mark(lines) == plain
    assert lines[0]["verdict"] == Verdict.FAILED.value
    assert (marks(lines), asked) == (["kept"], 0)


def test_where_goldens_were_too_large_to_keep_other_outputs_have_them_computed_again(run, case, monkeypatch):
    monkeypatch.setattr("conformance.kept_reference.LARGEST", 0)
    plain, _ = run([case], runner=Spoiling(wrong_input), folder="off")
    run([case])
    lines, asked = run([case], runner=Spoiling(wrong_input))
    assert lines == plain
    assert asked > 0
    assert run([case])[1] == 0


@pytest.mark.parametrize("change", [{"seed": 1}, {"basis": "another torch"}], ids=str)
def test_the_reference_is_asked_again_when_data_or_code_is_another(run, case, change):
    run([case])
    assert run([case], **change)[1] == 1
    assert run([case], **change)[1] == 0


def test_the_reference_is_asked_again_for_a_changed_case(run, tmp_path):
    (before,) = prelu_cases(tmp_path / "before")
    (after,) = prelu_cases(tmp_path / "after", prelu_group(shape=(5, 2)))
    run([before])
    assert run([after])[1] == 1


def test_outputs_are_measured_again_when_standards_ask_for_other_counts(run, case):
    run([case])
    lines, asked = run([case], standards={}, standard=session().standard)
    assert (marks(lines), asked) == (["kept"], 0)
    assert lines[0]["outputs"]["gradInput"]["metrics"]["tolerances"] == []


def test_answers_that_were_damaged_are_computed_again(run, case, tmp_path):
    plain, _ = run([case])
    path = tmp_path / "kept" / GOLDENS.file
    path.write_bytes(path.read_bytes().replace(b"max_abs_error", b"max_abs_horror"[:13]))
    lines, _ = run([case])
    assert without_mark(lines) == plain


def test_summaries_and_certificates_count_the_cases_that_were_judged_without_the_reference(run, case, tmp_path):
    header = header_of(session(), Options())
    for number, kept in ((1, 0), (2, 1)):
        lines, _ = run([case])
        with RecordWriter(tmp_path / f"{number}.jsonl", header) as writer:
            writer.add({**lines[0], "seconds": 0.1})
        record = read_record(tmp_path / f"{number}.jsonl")
        assert sum(map(has_kept_golden, record.lines)) == kept
        assert (("goldens", "of 1 of 1 cases kept from an earlier run") in facts_of(record)) == bool(kept)


def test_the_basis_names_code_libraries_and_instruction_set():
    basis = ReferenceRunner().basis().split("\n")
    assert len(basis[0]) == 64
    assert {f"numpy {np.__version__}", f"torch {torch.__version__}", platform.machine()} <= set(basis)
    assert basis == ReferenceRunner().basis().split("\n")


def test_both_doors_keep_goldens_and_other_sessions_do_not(tmp_path):
    options = Options(golden_cache=str(tmp_path))
    open_session(options)
    assert not list(tmp_path.iterdir())
    kept = open_session(options, keep=True).reference
    assert (tmp_path / GOLDENS.file).exists()
    assert trouble_of(kept) == ""


def test_a_reference_that_does_not_say_what_it_depends_on_is_not_kept(tmp_path):
    class Plain:
        describe = golden = benchmark = None

    plain = Plain()
    assert keeping(plain, str(tmp_path)) is plain


def test_the_environment_says_where_goldens_are_kept(tmp_path, monkeypatch):
    reference = Counting()
    monkeypatch.setenv(GOLDENS_VARIABLE, "off")
    assert keeping(reference, "") is reference
    monkeypatch.setenv(GOLDENS_VARIABLE, str(tmp_path / "named"))
    keeping(reference, "")
    assert (tmp_path / "named" / GOLDENS.file).exists()


@pytest.mark.parametrize("size", ["much", "-1", "1.5", "9" * 5000])
def test_a_size_that_is_no_number_is_refused(size, tmp_path, monkeypatch):
    monkeypatch.setenv(SIZE_VARIABLE, size)
    with pytest.raises(InvalidOption, match=r"CONFORMANCE_GOLDEN_CACHE_MIB is '.*; give a number of MiB, or set"):
        keeping(Counting(), str(tmp_path))
