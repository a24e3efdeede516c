"""Runner and report names → objects: entry points, ``package.module:Class`` or ``path/file.py:Class``.

A registered name may be followed by a colon and a text that its class takes as first argument: ``exec:COMMAND``.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from importlib.metadata import entry_points
from inspect import signature
from pathlib import Path
from types import ModuleType
from typing import Any

from conformance.errors import UnknownReport, UnknownRunner
from conformance.runner import Reference, Runner

ISOLATED_GROUP = "conformance.runners"
"""Entry points of runners that live in a child process."""
IN_PROCESS_GROUP = "conformance.in_process_runners"
"""Entry points of runners that may share the suite's process: they cannot crash or hang it."""
COMMAND_GROUP = "conformance.commands"
REPORT_GROUP = "conformance.reports"

EXECUTOR_GROUP = "conformance.atk_executors"
"""Entry points of runners that call executor scripts of ATK in place of an implementation."""
NORMAL_GROUP = "conformance.normal_streams"
"""Entry points that give another suite's stream of normal numbers for a seed."""
NormalStream = Callable[[float, float, Sequence[int]], Any]
"""Mean, deviation, shape → the next numbers of a stream, as a float32 array."""


def known_runners() -> list[str]:
    """Names that installed packages register."""
    return sorted({point.name for group in (IN_PROCESS_GROUP, ISOLATED_GROUP) for point in entry_points(group=group)})


def may_share_process(name: str) -> bool:
    """Whether a runner's package registers it as one that may share the suite's process."""
    word = name.partition(":")[0]
    return any(point.name == word for point in entry_points(group=IN_PROCESS_GROUP))


def find_runner(name: str, options: Mapping[str, str] | None = None) -> Runner:
    """A new runner of that name, built with ``options`` as keywords; raises UnknownRunner that says what was tried."""
    found = _build(name, options or {})
    if not isinstance(found, Runner):
        raise UnknownRunner(f"{name} is no runner: it lacks describe(), supports() or run(); see docs/runners.md")
    return found


def find_reference(name: str) -> Reference:
    """A new reference of that name; raises UnknownRunner."""
    found = _build(name, {})
    if not isinstance(found, Reference):
        raise UnknownRunner(f"{name} is no reference: it lacks describe(), golden() or benchmark()")
    return found


def find_report(form: str) -> Callable[..., None]:
    """Function that prints a record file in a form (``terminal``, ``markdown``, …); raises UnknownReport.

    It takes the record's path, a console, and as keywords those options of ``report`` that it knows.
    """
    known = {point.name: point for point in entry_points(group=REPORT_GROUP)}
    if form not in known:
        raise UnknownReport(
            f"unknown report {form!r}; known are {', '.join(sorted(known)) or 'none: install the suite'}"
        )
    printer: Callable[..., None] = known[form].load()
    return printer


def find_commands() -> list[Callable[[Any], None]]:
    """Functions that add one command each to argparse's subparsers, in the order of their names."""
    return [point.load() for point in sorted(entry_points(group=COMMAND_GROUP), key=lambda point: point.name)]


def find_executor_shim() -> str:
    """Name of the runner that calls ATK's executor scripts, for a child process; UnknownRunner where none is there."""
    for point in entry_points(group=EXECUTOR_GROUP):
        return str(point.value)
    raise UnknownRunner("no package can call ATK's executor scripts; install the suite again: pip install -e .")


def find_normal_stream() -> Callable[[int], NormalStream]:
    """Function that makes torch's stream of normal numbers from a seed; raises UnknownRunner where none is there."""
    for point in entry_points(group=NORMAL_GROUP):
        made: Callable[[int], NormalStream] = point.load()
        return made
    raise UnknownRunner("no package supplies torch's normal numbers; install the suite again: pip install -e .")


def _build(name: str, options: Mapping[str, str]) -> Any:
    word, colon, text = name.partition(":")
    try:
        registered = _registered(word)
        if registered is not None:
            return _called(name, registered, [text] if colon else [], options)
        return _called(name, _class_of(name), [], options)
    except UnknownRunner:
        raise
    except Exception as error:
        raise UnknownRunner(f"runner {name!r} cannot be built: {type(error).__name__}: {error}") from error


def _called(name: str, made_by: Any, given: Sequence[str], options: Mapping[str, str]) -> Any:
    """What a class makes of a text and options; raises UnknownRunner where it takes others."""
    with suppress(ValueError):  # of a class that does not say what it takes
        takes = signature(made_by)
        try:
            takes.bind(*given, **options)
        except TypeError as error:
            known = ", ".join(takes.parameters) or "nothing"
            raise UnknownRunner(f"runner {name!r} cannot be built: {error}; it takes {known}") from None
    return made_by(*given, **options)


def _registered(word: str) -> Any:
    points = [point for group in (IN_PROCESS_GROUP, ISOLATED_GROUP) for point in entry_points(group=group)]
    return next((point.load() for point in points if point.name == word), None)


def _class_of(name: str) -> Any:
    module_name, colon, class_name = name.rpartition(":")
    if not colon:
        raise UnknownRunner(
            f"unknown runner {name!r}; known are {', '.join(known_runners())}; "
            "or name a class as package.module:Class or path/file.py:Class"
        )
    module = _module(module_name)
    if not hasattr(module, class_name):
        raise UnknownRunner(f"{module_name} has no class {class_name!r}")
    return getattr(module, class_name)


def _module(name: str) -> ModuleType:
    if not name.endswith(".py"):
        try:
            return importlib.import_module(name)
        except ImportError as error:
            raise UnknownRunner(f"cannot import {name!r}: {error}") from error
    path = Path(name).resolve()
    spec = importlib.util.spec_from_file_location(f"conformance_runner_{path.stem}", path)
    if spec is None or spec.loader is None or not path.is_file():
        raise UnknownRunner(f"no such file: {path}")
    module = importlib.util.module_from_spec(spec)
    # Registered before execution: dataclasses and pickle look their module up by name.
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module
