"""One simulated CANN for a test session, and C++ programs compiled against it."""

import fcntl
import os
import shutil
from pathlib import Path

import pytest
from cann_programs import Programs

from runners.simulator.cann.build import build


def needs_compiler():
    if shutil.which("g++") is None or shutil.which("gcc") is None:
        if os.environ.get("CI") == "true":
            pytest.fail("CI has to build the simulated CANN and there is no gcc")
        pytest.skip("no gcc here: the simulated CANN cannot be built")


@pytest.fixture(scope="session")
def tree(tmp_path_factory) -> Path:
    """A built tree; the workers of one session share it."""
    needs_compiler()
    base = tmp_path_factory.getbasetemp()
    root = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "cann"
    with root.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        build(root)
    return root


@pytest.fixture(scope="session")
def programs(tree, tmp_path_factory):
    return Programs(tree, tmp_path_factory.mktemp("programs"))
