"""Standalone programs, compiled or interpreted, run against the simulated CANN: they agree with the suite's verdict."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from conformance.cli import main
from conformance.corpus import load_corpus
from conformance.opening import open_session
from conformance.options import Options
from conformance.verdict import Verdict

CYCLE = {"cycle": [-1, 2, -3, 0, 5]}


def tensor(shape, dtype="float32", **rest):
    return {"dtype": dtype, "shape": shape, **rest}


def prelu(dtype="float32", **changes):
    arguments = {
        "gradOutput": tensor([4, 3], dtype),
        "self": tensor([4, 3], dtype, values=CYCLE),
        "weight": tensor([3], dtype),
        "gradInput": tensor([4, 3], dtype),
        "gradWeight": tensor([3], dtype),
    }
    return {
        name: changes[name] if name in changes and changes[name] is None else {**given, **changes.get(name, {})}
        for name, given in arguments.items()
    }


STRIDED = {
    "self": {"layout": "transposed"},
    "gradInput": {"layout": {"step": 2}},
    "gradOutput": {"layout": {"offset": 5}},
}
INVALID = {"reject": "PARAM_INVALID", "phase": "workspace"}
NULLPTR = {"reject": "PARAM_NULLPTR", "phase": "workspace"}
SILU = {"self": tensor([40_000]), "out": tensor([40_000])}
CASES = {
    "strided_bf16": ("prelu_backward", prelu("bfloat16", **STRIDED), {}),
    "refusal": ("prelu_backward", prelu(gradWeight={"shape": [2]}), {"expect": INVALID, "legal": prelu()}),
    "null_tensor": ("prelu_backward", prelu(weight=None), {"expect": NULLPTR, "legal": prelu()}),
    "null_out_pointer": ("prelu_backward", {**prelu(), "executor": None}, {"expect": NULLPTR, "legal": prelu()}),
    "repeatable": ("prelu_backward", prelu(), {"steps": ["workspace", "repeatable", "run", "refill", "run"]}),
    "refused_then_good": (
        "prelu_backward",
        prelu(),
        {"steps": [{"do": "workspace", "null": ["self"], "status": "PARAM_NULLPTR"}, "workspace", "run"]},
    ),
    "moved": ("prelu_backward", prelu(), {"steps": ["workspace", "repeatable", "run", "refill", "move", "run"]}),
    "many_executors": ("prelu_backward", prelu(), {"steps": [{"do": "workspace", "times": 64}, "run"]}),
    "two_streams": (
        "prelu_backward",
        prelu(),
        {"steps": ["workspace", "run", "refill", "workspace", {"do": "run", "stream": 1}]},
    ),
    "short_workspace": (
        "prelu_backward",
        prelu(**STRIDED),
        {"steps": ["workspace", {"do": "run", "workspace": "short"}], "expect": {"unspecified": "not said"}},
    ),
    "after": ("prelu_backward", prelu("float16"), {"after": ["legal"], "legal": prelu(weight={"shape": [1]})}),
    "null_executor": (
        "prelu_backward",
        prelu(),
        {
            "steps": ["workspace", {"do": "run", "null": ["executor"], "status": "PARAM_NULLPTR"}],
            "expect": {"success": {"untouched": ["gradInput", "gradWeight"]}},
        },
    ),
    "scalar": (
        "hardshrink",
        {"self": tensor([7], "float16", values=CYCLE), "lambd": {"scalar": 1.5}, "out": tensor([7], "float16")},
        {},
    ),
    "attribute": (
        "softmax_backward",
        {
            "gradOutput": tensor([2, 3]),
            "output": tensor([2, 3], values={"simplex": {"axis": -1}}),
            "dim": -1,
            "out": tensor([2, 3]),
        },
        {},
    ),
    "rank_0": ("silu", {"self": tensor([]), "out": tensor([])}, {}),
    "empty": ("silu", {"self": tensor([0, 3]), "out": tensor([0, 3])}, {}),
    "large": ("silu", SILU, {}),
    "unspecified": ("silu", {"self": tensor([3]), "out": {"alias": "self"}}, {"expect": {"unspecified": "not said"}}),
}
COMPILED = ["strided_bf16", "refusal", "null_tensor", "repeatable", "moved", "two_streams", "after", "scalar", "large"]
UNSPECIFIED = ("unspecified", "short_workspace")


@pytest.fixture
def written(case_file, tmp_path):
    """Write the program of a named case in a form; its path, and the case file."""

    def write(name: str, form: str) -> tuple[Path, Path]:
        api, arguments, changes = CASES[name]
        data = case_file(api, arguments, **changes)
        source = tmp_path / "out" / f"program.{'cpp' if form == 'cpp' else 'py'}"
        assert main(["repro", "*.only*", "--paths", str(data), "--form", form, "-o", str(source)]) == 0
        return source, data

    return write


def judged(data: Path) -> Verdict:
    (case,) = (case for case in load_corpus([data]).cases if case.group == "only")
    return open_session(Options()).execute(case).judged.verdict


def run(command, folder: Path, cann: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "LD_LIBRARY_PATH": str(cann / "lib64")}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=60, check=False)


def run_python(source: Path, cann: Path) -> subprocess.CompletedProcess[str]:
    return run([sys.executable, source.name, str(cann)], source.parent, cann)


@pytest.mark.parametrize("name", COMPILED)
def test_a_cpp_program_agrees_with_the_suite(name, written, cann):
    source, data = written(name, "cpp")
    warnings = ["-Wall", "-Wextra", "-Werror"]
    places = ["-I", str(cann / "include"), "-L", str(cann / "lib64")]
    libraries = ["-lascendcl", "-lnnopbase", "-lopapi_nn"]
    subprocess.run(
        ["g++", "-std=c++11", *warnings, source, *places, *libraries, "-o", source.with_suffix("")], check=True
    )
    done = run([str(source.with_suffix(""))], source.parent, cann)
    assert done.returncode == 0, done.stdout
    assert judged(data) is Verdict.PASSED


@pytest.mark.parametrize("name", CASES)
def test_a_ctypes_program_agrees_with_the_suite(name, written, cann):
    source, data = written(name, "ctypes")
    done = run_python(source, cann)
    assert done.returncode == 0, done.stdout + done.stderr
    assert judged(data) is (Verdict.UNSPECIFIED if name in UNSPECIFIED else Verdict.PASSED)


def test_a_program_prints_statuses_values_and_what_was_expected(written, cann):
    source, _ = written("scalar", "ctypes")
    lines = run_python(source, cann).stdout.splitlines()
    assert lines[0].strip() == "step 1 (workspace): status 0"
    assert "out[1] = 2, expected 2" in lines
    assert "out: 0 of 7 elements differ by more than allowed, max difference 0" in lines


@pytest.mark.parametrize(
    ("name", "right", "wrong", "complaint"),
    [
        ("scalar", "[([0.0, 2.0,", "[([0.0, 2.5,", "out[1] = 2, expected 2.5  <- differs"),
        ("refusal", '("workspace", 161002)', '("run", 561000)', "NOT AS EXPECTED: the first failure"),
        ("refused_then_good", "161001):", "161002):", "NOT AS EXPECTED: step 1 should return 161002"),
        ("scalar", "outView.may_be_written()", "", "out: byte 0 was written, outside what the call may write"),
    ],
    ids=["value", "refusal", "status", "memory"],
)
def test_what_is_not_as_expected_is_said_and_gives_exit_status_1(name, right, wrong, complaint, written, cann):
    source, _ = written(name, "ctypes")
    text = source.read_text()
    assert right in text
    source.write_text(text.replace(right, wrong))
    done = run_python(source, cann)
    assert complaint in done.stdout
    assert done.returncode == 1


def test_without_cann_a_program_says_so(written, tmp_path):
    source, _ = written("scalar", "ctypes")
    done = run_python(source, tmp_path)
    assert (done.returncode, done.stdout.strip()) == (2, f"no CANN found at {tmp_path}")
