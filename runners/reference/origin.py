"""What goldens come from, said without torch: versions of libraries, the reference's code, the instruction set."""

from __future__ import annotations

import os
import platform
from importlib.metadata import version
from pathlib import Path

from conformance import __version__
from conformance.environment import source_digest
from conformance.runner import RunnerInfo

_CODE = ("conformance", "runners/reference")
_LIBRARIES = ("numpy", "torch", "ml_dtypes")
_SWITCHES = ("ATEN_CPU_CAPABILITY", "NPY_DISABLE_CPU_FEATURES", "MKL_ENABLE_INSTRUCTIONS", "MKL_CBWR")
"""Environment variables that choose other instructions."""


def describe() -> RunnerInfo:
    """Name, version and the versions of the libraries that compute goldens."""
    return RunnerInfo("reference", __version__, {name: version(name) for name in ("torch", "numpy")})


def basis() -> str:
    """Everything beside a call that its golden depends on, one a line."""
    libraries = (f"{name} {version(name)}" for name in _LIBRARIES)
    switches = (f"{name}={os.environ.get(name, '')}" for name in _SWITCHES)
    machine = (platform.machine(), *platform.libc_ver(), _processor(Path("/proc/cpuinfo")))
    return "\n".join([source_digest(_CODE), platform.python_version(), *libraries, *switches, *machine])


def _processor(description: Path) -> str:
    """Model and features of the first processor; what Python knows of it where the system does not say."""
    try:
        lines = description.read_text(encoding="utf-8", errors="replace").partition("\n\n")[0].splitlines()
    except OSError:
        return platform.processor()
    pairs = (line.partition(":") for line in lines)
    return "; ".join(value.strip() for name, _, value in pairs if name.strip() in ("model name", "flags", "Features"))
