"""Collecting 50 000 cases by pytest, and one of them, against plain pytest collecting as many parametrised tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from benchmarks.case_set import make_case_set, own_cache
from benchmarks.clocks import command_peak, command_seconds, finished, python
from benchmarks.target import Contest, Figure, Measure, Setting, Target

_CASES = 50_000
_PLAIN = """
import pytest

@pytest.mark.parametrize("number", range({count}))
def test_nothing(number):
    pass
"""
_Clock = Callable[..., Measure]


def _collecting(root: Path, *arguments: str | Path) -> Sequence[str | Path]:
    """pytest that collects and runs nothing, with no cache of its own and no settings but the defaults."""
    alone = ("-p", "no:cacheprovider", "-c", "/dev/null", "--rootdir", root)
    return python("-m", "pytest", "--collect-only", "-q", *alone, *arguments)


def _ours(root: Path, *arguments: str | Path) -> Sequence[str | Path]:
    return _collecting(root, "-p", "conformance.pytest_plugin", *arguments)


def _prepared(setting: Setting) -> tuple[Path, Path, Mapping[str, str]]:
    """A case set, a file of as many plain tests, and the environment of commands."""
    count = setting.size(_CASES)
    plain = setting.folder / "plain" / "test_plain.py"
    plain.parent.mkdir()
    plain.write_text(_PLAIN.format(count=count), encoding="utf-8")
    return make_case_set(setting.folder / "cases", count), plain, own_cache(setting.folder)


def _all_cases(clock: _Clock) -> Callable[[Setting], Contest]:
    def prepare(setting: Setting) -> Contest:
        cases, plain, environment = _prepared(setting)
        ours = clock(_ours(cases, cases), environment=environment)
        return Contest(ours, clock(_collecting(plain.parent, plain), environment=environment))

    return prepare


def _one_case(setting: Setting) -> Contest:
    cases, plain, environment = _prepared(setting)
    some = sorted(path for path in cases.rglob("*.json") if path.name != "contract.json")[0]
    ids = [line for line in finished(_ours(cases, some), environment).splitlines() if "::" in line]
    plain.write_text(_PLAIN.format(count=1), encoding="utf-8")
    one = command_seconds(_ours(cases, cases / ids[0]), environment=environment)
    return Contest(one, command_seconds(_collecting(plain.parent, plain), environment=environment))


TARGETS = (
    Target(
        "collection.time",
        "pytest collects 50 000 cases, against as many parametrised tests",
        Figure.RATIO,
        floor=0.6,
        aim=0.45,
        prepare=_all_cases(command_seconds),
    ),
    Target(
        "collection.memory",
        "memory at most while pytest collects 50 000 cases, against as many parametrised tests",
        Figure.RATIO,
        floor=0.6,
        aim=0.45,
        prepare=_all_cases(command_peak),
        unit="MiB",
    ),
    Target(
        "collection.one",
        "pytest collects one of 50 000 cases by its node id, beyond its own start and one plain test",
        Figure.BEYOND,
        floor=0.6,
        aim=0.3,
        prepare=_one_case,
    ),
)
