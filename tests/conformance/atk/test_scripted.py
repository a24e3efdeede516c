"""Executor scripts beside ATK files: never run unless they are trusted, then in a process of their own."""

import os

import numpy as np
import pytest
from atk_samples import case, tensor, write_atk

from conformance.atk import scripted
from conformance.cli import main
from conformance.errors import BrokenCase
from conformance.foreign.file_options import FileOptions
from conformance.foreign_files import cases_or_problem
from conformance.generate import make_call
from conformance.kept_reference import keeping
from conformance.product import PRODUCTS
from conformance.record import read_record
from runners.reference.runner import ReferenceRunner

SCRIPT = """
import os, signal, sys, time
import numpy as np
import torch
from atk.tasks.api_execute import register
from atk.tasks.api_execute.base_api import BaseApi

print("on standard output")


@register("mine")
class Mine(BaseApi):
    def init_by_input_data(self, input_data):
        x = input_data.kwargs["self"]
        input_data.kwargs["self"] = {made}
"""


@pytest.fixture(autouse=True)
def shim(monkeypatch):
    """The suite's own shim, and a child that ends with the test."""
    child = scripted._Child()
    monkeypatch.setattr(scripted, "find_executor_shim", lambda: "runners.executors.runner:ExecutorRunner")
    monkeypatch.setattr(scripted, "_CHILD", child)
    yield
    if child._runner is not None:
        child._runner.close()


def beside(folder, made, *inputs, **more):
    (folder / "executor_aclnnSilu.py").write_text(SCRIPT.format(made=made))
    return write_atk(folder, case(3, *(inputs or [tensor()]), api_type="mine", **more))


def only(path, trust=True, place=0):
    return cases_or_problem(path, FileOptions(trust=trust))[place]


def test_a_script_that_nobody_trusts_is_not_run(tmp_path):
    path = beside(tmp_path, f"open({str(tmp_path / 'ran')!r}, 'w')")
    assert "executor_aclnnSilu.py rewrites self" in only(path, trust=False).unsupported
    assert not (tmp_path / "ran").exists()


def test_a_script_that_is_trusted_makes_the_inputs_in_another_process_once_a_case(tmp_path, capfd):
    made = only(beside(tmp_path, "torch.full_like(x, os.getpid()) + time.monotonic() % 1"))
    assert made.unsupported == ""
    calls = [make_call(made, PRODUCTS["ascend910b"], seed).arguments["self"].array() for seed in (0, 0, 1)]
    assert np.array_equal(calls[0], calls[1])
    assert int(calls[0][0, 0]) == int(calls[2][0, 0]) != os.getpid()
    assert "on standard output" not in capfd.readouterr().out
    assert list(tmp_path.rglob("__pycache__")) == []


def test_a_rule_of_the_suite_comes_before_a_script(tmp_path):
    (tmp_path / "executor.py").write_text("register('mine')\nd.kwargs['labels'] = softmax(d)\n")
    inputs = tensor("features"), tensor("labels")
    made = only(write_atk(tmp_path, case(3, *inputs, api="SoftmaxCrossEntropyWithLogits", api_type="mine")))
    assert made.data.script is None
    assert "labels" in made.data.ruled


def test_a_script_is_part_of_what_a_verdict_depends_on_and_not_of_the_id(tmp_path):
    first, untrusted = (only(beside(tmp_path, "x.abs()"), trust) for trust in (True, False))
    other = only(beside(tmp_path, "x.exp()"))
    assert first.id == other.id == untrusted.id
    assert len({first.digest, other.digest, untrusted.digest}) == 3


def test_of_two_scripts_none_is_chosen(tmp_path):
    path = beside(tmp_path, "x.abs()")
    (tmp_path / "executor_too.py").write_text(SCRIPT.format(made="x.exp()"))
    assert "more than one script does: executor_aclnnSilu.py, executor_too.py" in only(path).unsupported


ENDING = """
import os, time
from conformance.outcome import Completed
from conformance.runner import RunnerInfo


class Ending:
    def describe(self):
        return RunnerInfo("ending", "1")

    def supports(self, api, product):
        return None

    def prepare(self, question):
        self.way = question["entry"]["id"]

    def run(self, call):
        [lambda: os._exit(3), lambda: os.kill(os.getpid(), 9), lambda: time.sleep(60), lambda: None][self.way]()
        return Completed(())
"""


def test_a_process_that_ends_or_hangs_breaks_its_case_alone(tmp_path, monkeypatch):
    (tmp_path / "ending.py").write_text(ENDING)
    monkeypatch.setattr(scripted, "find_executor_shim", lambda: f"{tmp_path / 'ending.py'}:Ending")
    path = beside(tmp_path, "x")
    write_atk(tmp_path, *(case(number, tensor(), api_type="mine") for number in range(4)))
    reasons = {}
    for made in cases_or_problem(path, FileOptions(trust=True))[:3]:
        monkeypatch.setattr(scripted, "DEADLINE", 1.0 if made.group == "id2" else 60.0)
        with pytest.raises(BrokenCase) as error:
            make_call(made, PRODUCTS["ascend910b"])
        reasons[made.group] = str(error.value)
    assert reasons == {
        "id0": "executor_aclnnSilu.py: the executor crashed (exit status 3)",
        "id1": "executor_aclnnSilu.py: the executor crashed (signal 9, SIGKILL)",
        "id2": "executor_aclnnSilu.py: the executor timed out after 1 s",
    }
    make_call(only(path, place=3), PRODUCTS["ascend910b"])


@pytest.mark.parametrize("door", ["native", "pytest"])
def test_both_doors_run_what_is_trusted_and_a_broken_script_is_red(door, tmp_path, pytester, capsys):
    ways = "[x.sum, x.abs, lambda: sys.exit(3)]"
    path = beside(tmp_path, f"{ways}[self.task_result.case_config.id]()")
    write_atk(tmp_path, *(case(number, tensor(), api_type="mine") for number in range(3)))
    record = tmp_path / "record.jsonl"
    words = [str(word) for word in (path, "--record", record, "--trust-executors")]
    native = door == "native"
    status = main(["run", "--paths", *words]) if native else pytester.runpytest_inprocess("-q", *words).ret
    assert status == 1
    lines = {line["id"].split(".")[3]: line for line in read_record(record).lines}
    assert {name: line["verdict"] for name, line in lines.items()} == {
        "id0": "broken",
        "id1": "passed",
        "id2": "broken",
    }
    assert "executor_aclnnSilu.py: makes the input self a tensor of shape []" in lines["id0"]["reason"]
    assert lines["id2"]["reason"] == "executor_aclnnSilu.py: the executor crashed (exit status 3)"
    assert read_record(record).header["terms"] == {"trust_executors": 1}


def test_no_golden_of_data_that_a_script_makes_is_kept(tmp_path):
    kept = keeping(ReferenceRunner(), str(tmp_path))
    path = beside(tmp_path, "x.abs()")
    write_atk(tmp_path, case(0, tensor(), api_type="mine"), case(1, tensor()))
    shelves = [
        kept.shelf(made, PRODUCTS["ascend910b"], 0, b"") for made in cases_or_problem(path, FileOptions(trust=True))
    ]
    assert [shelf is None for shelf in shelves] == [True, False]
