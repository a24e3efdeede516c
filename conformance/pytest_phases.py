"""The phases of a case under pytest: who takes part in them, and which of them there are.

A case sets nothing up and takes nothing down. So between two others of its file it is called and reported, and that is
all, unless a plugin beside pytest's own takes part in its phases.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, Literal

import pytest

from conformance.pytest_options import input_of

_PHASES = ("pytest_runtest_setup", "pytest_runtest_call", "pytest_runtest_teardown", "pytest_runtest_makereport")
_LOOKING_AT_PHASES = ("log_level", "setupshow", "setuponly", "setupplan", "usepdb")
_DECIDING = ("skip", "skipif", "xfail")
_OF_FUNCTIONS = ("_pytest.unittest", "_pytest.tmpdir", "_hypothesis_pytestplugin")
"""Modules whose hooks do nothing for an item that is no test function."""
_PYTESTS_OWN = ("_pytest.", "_hypothesis_pytestplugin", "conformance.")
_IDLE_AT_ENDS = {
    "pytest_runtest_logreport": (
        "_pytest.main",
        "_pytest.terminal",
        "_pytest.logging",
        "_pytest.cacheprovider",
        "_pytest.stepwise",
        "conformance.pytest_door",
    ),
    "pytest_runtest_logfinish": ("_pytest.logging",),
}
"""Hook that tells the end of a case → modules that do nothing when they are told that nothing was taken down."""
_RELAY = "__channelexec__"
"""The module in which an xdist worker hands on what it is told."""
HEARD = "conformance_heard"
"""What a worker is told: in which of those hooks somebody listens where it hands them on."""


def heard_at_ends(config: pytest.Config) -> list[str]:
    """Those of the hooks in which somebody in this process has something to do."""
    return [
        name
        for name, idle in _IDLE_AT_ENDS.items()
        if not all(_home(one) in idle for one in getattr(config.hook, name).get_hookimpls())
    ]


def any_decides(marks: Iterable[pytest.Mark]) -> bool:
    """Whether pytest decides by one of these marks what becomes of an item: those of cases are none of them."""
    return any(mark.name in _DECIDING for mark in marks)


def _home(hook: Any) -> str:
    """The module of what a plugin does in a hook."""
    return str(hook.function.__module__)


def _to_nobody(**told: Any) -> None:
    """A hook in which nobody has anything to do."""


class CaseHooks:
    """Hooks of one file's cases.

    pytest captures log records by hanging two handlers on every logger that does not propagate, three times an item;
    torch has dozens of them, and that takes longer than a small case. Records still go to standard error, which is
    captured. That nothing was set up in vain is not reported, nor its end where nobody listens.
    """

    def __init__(self, file: pytest.File) -> None:
        config = file.config
        self._hooks, self._plugins = file.ihook, config.pluginmanager
        self._heard_elsewhere = input_of(config).get(HEARD, _IDLE_AT_ENDS)
        idle = _OF_FUNCTIONS if config.getoption("log_level", None) else (*_OF_FUNCTIONS, "_pytest.logging")
        for name in (*_PHASES, "pytest_runtest_logstart", "pytest_runtest_logfinish"):
            setattr(self, name, self._without(name, idle))
        self._tell = self._without("pytest_runtest_logreport", idle)
        self._call = self._without("pytest_runtest_call", (*idle, "_pytest.skipping"))
        self._ends_are_heard, finish = map(self._is_heard, _IDLE_AT_ENDS)
        self._finish = self.pytest_runtest_logfinish if finish else _to_nobody
        asked = any(config.getoption(option, False) for option in _LOOKING_AT_PHASES)
        self.only_calls = not (asked or self._others_take_part() or any_decides(file.iter_markers()))

    def __getattr__(self, name: str) -> Any:
        found = self.__dict__[name] = getattr(self._hooks, name)
        return found

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Hand on every report but that of a setup that went well."""
        if report.when != "setup" or not report.passed:
            self._tell(report=report)

    def call(self, item: pytest.Item, nextitem: pytest.Item) -> None:
        """Call a case and tell of it; of its end where somebody listens, or where the run ends with it."""
        place = {"nodeid": item.nodeid, "location": item.location}
        self.pytest_runtest_logstart(**place)
        self._report(item, "call", partial(self._call, item=item))
        last = bool(item.session.shouldfail or item.session.shouldstop)
        if last or self._ends_are_heard:
            end = partial(self.pytest_runtest_teardown, item=item, nextitem=None if last else nextitem)
            self._report(item, "teardown", end)
        self._finish(**place)

    def _is_heard(self, name: str) -> bool:
        """Whether somebody has something to do in a hook at the end of a case, here or where a worker hands it on."""
        idle = (*_IDLE_AT_ENDS[name], *([] if name in self._heard_elsewhere else [_RELAY]))
        return not all(_home(one) in idle for one in self._of(name))

    def _report(self, item: pytest.Item, when: Literal["call", "teardown"], action: Callable[[], None]) -> None:
        call = pytest.CallInfo.from_call(action, when, (pytest.exit.Exception, KeyboardInterrupt))
        report = self.pytest_runtest_makereport(item=item, call=call)
        self._tell(report=report)
        if report.failed:
            self.pytest_exception_interact(node=item, call=call, report=report)

    def _of(self, name: str) -> list[Any]:
        """What is done in a hook by those whom this file concerns."""
        strangers = getattr(self._hooks, "remove_mods", ())
        return [one for one in getattr(self._plugins.hook, name).get_hookimpls() if one.plugin not in strangers]

    def _without(self, name: str, modules: tuple[str, ...]) -> Any:
        """The hook for those that are not of these modules."""
        idle = [one.plugin for one in self._of(name) if _home(one) in modules]
        return self._plugins.subset_hook_caller(name, [*getattr(self._hooks, "remove_mods", ()), *idle])

    def _others_take_part(self) -> bool:
        """Whether a plugin that is not pytest's own looks at phases, or runs items in its own way."""
        taking = [one for name in _PHASES for one in self._of(name)]
        running = [one for one in self._of("pytest_runtest_protocol") if not (one.wrapper or one.hookwrapper)]
        return not all(_home(one).startswith(_PYTESTS_OWN) for one in (*taking, *running))
