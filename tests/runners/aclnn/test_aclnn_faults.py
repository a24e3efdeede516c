"""A library that crashes, hangs, aborts or writes past its output costs exactly the cases of that API."""

import pytest

from conformance.errors import UnknownRunner
from conformance.guard import Snapshot
from conformance.isolate import IsolatedRunner
from conformance.outcome import Broken, Completed, Crashed, TimedOut
from conformance.product import PRODUCTS


@pytest.fixture
def runner(fake_cann):
    isolated = IsolatedRunner("aclnn", {"cann": str(fake_cann)})
    yield isolated
    isolated.close()


def test_each_fault_costs_its_own_case_and_no_other(runner, unary):
    culprits = {
        "aclnnSegfault": (30.0, Crashed(11, "signal 11, SIGSEGV")),
        "aclnnAbort": (30.0, Crashed(6, "signal 6, SIGABRT")),
        "aclnnHang": (0.5, TimedOut(0.5)),
    }
    for api, (deadline, expected) in culprits.items():
        good = unary("aclnnDouble")
        assert isinstance(runner.run(good), Completed)
        assert good.arguments["out"].array().tolist() == [2, 4, 6]
        assert runner.run(unary(api, deadline=deadline)) == expected
    assert isinstance(runner.run(unary("aclnnHalve")), Completed)


def test_a_write_past_the_output_is_seen_through_the_child(runner, unary):
    for api, expected in {"aclnnOverrun": ["out: memory written 0 bytes past its end"], "aclnnDouble": []}.items():
        call = unary(api)
        before = Snapshot(call)
        runner.run(call)
        assert [str(fault) for fault in before.faults()] == expected


def test_a_device_that_stays_lost_fails_its_culprit_and_breaks_the_rest(runner, unary):
    assert str(runner.run(unary("aclnnDie"))) == "rejected at run with 507010"
    outcome = runner.run(unary("aclnnDouble"))
    assert isinstance(outcome, Broken)
    assert outcome.reason.endswith("aclrtSetDevice returned RT_DEV_SETUP_ERROR (507033)")


def test_no_driver_is_one_readable_error(fake_cann, monkeypatch):
    monkeypatch.setenv("FAKE_NO_DRIVER", "1")
    runner = IsolatedRunner("aclnn", {"cann": str(fake_cann)})
    with pytest.raises(UnknownRunner, match=r"^aclInit returned INTERNAL_ERROR \(500000\)$"):
        runner.describe()
    runner.close()


@pytest.mark.parametrize(
    ("soc", "reason"),
    [
        ("Ascend910_9391", "the device is Ascend910_9391, product ascend910_93, not ascend910b"),
        ("Turbo9000", "the device is Turbo9000, which is no known product"),
    ],
)
def test_the_chip_decides_what_is_supported(fake_cann, monkeypatch, soc, reason):
    monkeypatch.setenv("FAKE_SOC", soc)
    runner = IsolatedRunner("aclnn", {"cann": str(fake_cann)})
    assert runner.supports("aclnnDouble", PRODUCTS["ascend910b"]) == reason
    runner.close()
