"""Fixtures of all self-tests; its place puts this folder on the import path."""

import fcntl
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from conformance.errors import InvalidData
from conformance.isolate import IsolatedRunner

pytest_plugins = ["pytester"]
os.environ["CONFORMANCE_GOLDEN_CACHE"] = "off"
ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def isolated_runner() -> Iterator[Callable[[str], IsolatedRunner]]:
    """A function that makes the runner of a name in a process of its own, which ends with the test."""
    made: list[IsolatedRunner] = []

    def make(name: str) -> IsolatedRunner:
        made.append(IsolatedRunner(name))
        return made[-1]

    yield make
    for runner in made:
        runner.close()


@pytest.fixture(scope="session")
def cann() -> Path:
    """The checkout's simulated CANN, built or brought up to date under a lock."""
    if shutil.which("g++") is None:
        if os.environ.get("CI") == "true":
            pytest.fail("CI needs g++ to build the simulated CANN")
        pytest.skip("g++ is missing: the simulated CANN cannot be built")
    build = pytest.importorskip("runners.simulator.cann.build", reason="cffi is missing")
    root = ROOT / "build" / "cann"
    root.mkdir(parents=True, exist_ok=True)
    with (root / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        build.build(root)
    return root


@pytest.fixture
def invalid():
    """Text of the one problem that a call raises."""

    def text(function, *arguments):
        with pytest.raises(InvalidData) as caught:
            function(*arguments)
        assert len(caught.value.problems) == 1, str(caught.value)
        return str(caught.value)

    return text
