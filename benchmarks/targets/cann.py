"""Calls through the C ABI of the simulated CANN, from a C++ program: what one costs, and ten thousand of them."""

from __future__ import annotations

import os
from pathlib import Path

from benchmarks.clocks import command_seconds, finished
from benchmarks.target import Contest, Figure, Measure, Setting, Target

_ROOT = Path(__file__).resolve().parent.parent.parent
_CALLS = 10_000


def _program(folder: Path) -> tuple[Path, dict[str, str]]:
    """The program that calls in a loop, and the environment it runs in; RuntimeError where nothing can be built."""
    # Here and not above: naming the targets must work without the extra "cann".
    from runners.simulator.cann.build import build

    cann, program = _ROOT / "build" / "cann", folder / "loop"
    cann.mkdir(parents=True, exist_ok=True)
    build(cann)
    source = Path(__file__).resolve().parent.parent / "loop.cpp"
    libraries = ["-lascendcl", "-lnnopbase", "-lopapi_nn"]
    finished(["g++", "-O1", "-I", cann / "include", "-L", cann / "lib64", source, *libraries, "-o", program])
    return program, {**os.environ, "LD_LIBRARY_PATH": str(cann / "lib64")}


def _loop(setting: Setting) -> Contest:
    program, environment = _program(setting.folder)
    return Contest(command_seconds([program, str(setting.size(_CALLS))], environment=environment))


def _call(setting: Setting) -> Contest:
    program, environment = _program(setting.folder)
    calls = setting.size(_CALLS)

    def each(times: int) -> Measure:
        whole = command_seconds([program, str(times)], environment=environment)
        return lambda: whole() / calls

    return Contest(each(calls), each(1))


TARGETS = (
    Target(
        "cann.call",
        "a small two-phase call, its kernel included: 10 000 of them less a program that makes one",
        Figure.BEYOND,
        0.3e-3,
        0.2e-3,
        _call,
    ),
    Target("cann.loop", "a C++ program that makes 10 000 small two-phase calls", Figure.ALONE, 4.0, 2.0, _loop),
)
