"""Torch's own operators under test: legal calls run on strided views, all else is unsupported, faults are waived."""

import importlib.util
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from shipped import shipped_cases

from conformance.discover import find_runner
from conformance.errors import UnknownRunner
from conformance.generate import make_call
from conformance.golden_cache import CachedReference
from conformance.opening import open_session
from conformance.options import Options
from conformance.outcome import Completed, Unsupported
from conformance.product import PRODUCTS
from conformance.select import select
from runners.torch_native import runner as module

WAIVERS = Path(module.__file__).with_name("waivers.json")
CASES = shipped_cases()


def run(selector):
    """Outcome and call of the first case that the selector picks."""
    call = make_call(select(CASES, [selector])[0], PRODUCTS["ascend910b"])
    return find_runner("torch").run(call), call


@pytest.mark.parametrize("product", ["ascend950", "ascend910b"])
def test_a_sample_has_no_red_verdict_under_the_waivers(product):
    session = open_session(Options(runner="torch", product=product, waivers=(WAIVERS,)))
    session = replace(session, reference=CachedReference(session.reference, benchmarks=False), diagnose=False)
    judged = {case.id: session.execute(case).judged for case in CASES[::30]}
    assert {name: one.reason for name, one in judged.items() if one.verdict.is_red} == {}
    assert sum(one.verdict.value == "passed" for one in judged.values()) > 200


@pytest.mark.parametrize("api", ["hardshrink_backward", "selu_backward"])
def test_cases_that_are_waived_run(api):
    entries = json.loads(WAIVERS.read_text("utf-8"))["entries"]
    named = [entry["select"] for entry in entries]
    selectors = [one for one in named if isinstance(one, str) and f".{api}." in one]
    session = open_session(Options(runner="torch", waivers=(WAIVERS,)))
    verdicts = {session.execute(case).judged.verdict.value for case in select(CASES, selectors)}
    assert verdicts <= {"passed", "waived", "skipped"}
    assert verdicts & {"passed", "waived"}


@pytest.mark.skipif(torch.backends.cpu.get_cpu_capability() == "DEFAULT", reason="a CPU without vector kernels")
def test_the_waived_fault_is_there():
    """If torch mends it, the waivers must go."""
    outputs = torch.ops.aten.hardshrink_backward(torch.ones(257), torch.full((257,), np.nan), 0.5)
    assert 0 < int((outputs == 0).sum()) < 257


def test_results_are_written_through_strides():
    outcome, call = run("activation.silu.views.out_strided.fp32-*")
    assert isinstance(outcome, Completed)
    x, out = call.arguments["self"], call.arguments["out"]
    assert not out.is_contiguous
    np.testing.assert_allclose(out.array(), x.array() / (1 + np.exp(-x.array())), rtol=1e-6)


@pytest.mark.parametrize(
    ("selector", "reason"),
    [
        ("activation.silu.refusals.null_out_pointer", "torch has no aclnn statuses"),
        ("activation.selu_backward.integers", "torch has no SELU gradient of integers"),
        ("activation.hardshrink_backward.thresholds.beyond_float16", "torch refuses a lambd"),
    ],
)
def test_what_torch_cannot_be_asked_is_unsupported(selector, reason):
    outcome, _ = run(selector)
    assert isinstance(outcome, Unsupported)
    assert outcome.reason.startswith(reason)


def test_an_empty_call_writes_nothing():
    outcome, call = run("activation.prelu_backward.empty")
    assert isinstance(outcome, Completed)
    assert outcome.workspace_bytes == 0
    assert all((tensor.memory.payload == 0xA5).all() for _, tensor in call.tensors(written=True))


def test_it_says_on_what_it_runs():
    info = find_runner("torch", {"device": "cpu"}).describe()
    assert (info.name, info.version, info.facts["device"]) == ("torch", torch.__version__, "cpu")
    assert info.facts["cpu_capability"]


@pytest.mark.parametrize("device", ["tpu", "cuda:99", "npu"])
def test_a_device_that_is_not_there_is_named(device):
    if device == "npu" and importlib.util.find_spec("torch_npu"):
        pytest.skip("torch_npu is installed")
    with pytest.raises(UnknownRunner, match=device.partition(":")[0]):
        find_runner("torch", {"device": device})
