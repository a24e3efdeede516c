"""Options that both doors share."""

from __future__ import annotations

import os
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import nan
from pathlib import Path
from shlex import quote

from conformance.errors import InvalidOption
from conformance.foreign.file_options import FileOptions
from conformance.shard import Shard

DEFAULT_RUNNER = "simulator"
DEFAULT_REFERENCE = "reference"
DEFAULT_PRODUCT = "ascend910b"
DEFAULT_STANDARD = "strict"
STANDARD_HELP = "rule for the numbers of every case (the one its file asks for, else strict)"
RUNNER_OPTION_HELP = "something the runner is built with; may be given several times"
DEVICES_HELP = "device ids such as 0,1: with xdist each worker owns one; short for --runner-option device=LIST"
GOLDEN_CACHE_HELP = "folder that keeps goldens for later runs (the user's cache by default), or off"
TRUST_HELP = "run ATK's executor scripts where only they know the inputs: code from outside, in a child process"
CANN_HELP = "installation to judge; short for --runner-option cann=PATH"


_MOST_JOBS, _MOST_DIGITS, _MOST_SECONDS = 1024, 30, 1e7


@dataclass(frozen=True, slots=True)
class Options:
    """What a user may set for a run, with the defaults of both doors.

    ``isolate`` None lets a runner share the process when its package says it may. ``deadline`` None keeps each case's
    own, ``standard`` None the one that its file asks for, else ``strict``. ``golden_cache`` is the folder where both
    doors keep goldens, ``off``, or empty for the usual one.
    """

    runner: str = DEFAULT_RUNNER
    reference: str = DEFAULT_REFERENCE
    product: str = DEFAULT_PRODUCT
    standard: str | None = None
    seed: int = 0
    max_elements: int | None = None
    max_bytes: int | None = None
    waivers: tuple[Path, ...] = ()
    isolate: bool | None = None
    runner_options: Mapping[str, str] = field(default_factory=dict)
    deadline: float | None = None
    repeat: int = 1
    atk_slice: float = 0.0
    golden_cache: str = ""
    trust_executors: bool = False

    @property
    def file_options(self) -> FileOptions:
        """How other suites' files are read."""
        return FileOptions(self.atk_slice, self.trust_executors)

    def repro(self, case_id: str, path: str = "cases") -> str:
        """One line that runs a case again under these options."""
        words = [
            f"pytest {quote(path)}",
            f"-k {case_id}",
            f"--runner {quote(self.runner)}",
            f"--product {self.product}",
        ]
        words += [f"--standard {self.standard}"] if self.standard is not None else []
        words += [f"--runner-option {quote(f'{name}={value}')}" for name, value in self.runner_options.items()]
        words += [f"--seed {self.seed}"] if self.seed else []
        words += [f"--repeat {self.repeat}"] if self.repeat > 1 else []
        words += [f"--atk-slice {self.atk_slice:g}"] if self.atk_slice else []
        words += ["--trust-executors"] if self.trust_executors else []
        words += [f"--waivers {quote(str(path))}" for path in self.waivers]
        words += [f"--reference {self.reference}"] if self.reference != DEFAULT_REFERENCE else []
        return " ".join(words)


def add_runner_options(parser: ArgumentParser) -> None:
    """Options of a command line that build a runner: ``runner_options``, ``cann`` and ``devices``."""
    parser.add_argument(
        "--runner-option",
        dest="runner_options",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help=RUNNER_OPTION_HELP,
    )
    parser.add_argument("--devices", metavar="LIST", help=DEVICES_HELP)
    parser.add_argument("--cann", metavar="PATH", help=CANN_HELP)


def parse_runner_options(written: Sequence[str], cann: str | None = None, devices: str | None = None) -> dict[str, str]:
    """NAME=VALUE words as a mapping, with ``cann`` and ``devices`` (option ``device``); raises InvalidOption."""
    for word in written:
        if not word.partition("=")[0].isidentifier() or "=" not in word:
            raise InvalidOption(f"--runner-option {word!r} is not NAME=VALUE")
    options = {word.partition("=")[0]: word.partition("=")[2] for word in written}
    given = {"cann": cann, "device": devices}
    return {**options, **{name: value for name, value in given.items() if value is not None}}


def parse_shard(text: str) -> Shard:
    """Share of ``I/N``, for either door's command line; raises ArgumentTypeError."""
    try:
        return Shard.parse(text)
    except InvalidOption as error:
        raise ArgumentTypeError(str(error)) from None


def parse_jobs(text: str) -> int:
    """A number of processes, ``auto`` for one a core; raises ArgumentTypeError."""
    if text == "auto":
        return os.cpu_count() or 1
    if not 1 <= _whole(text) <= _MOST_JOBS:
        raise ArgumentTypeError(f"{text!r} is no number of processes; write one from 1 to {_MOST_JOBS}, or auto")
    return int(text)


def parse_count(text: str) -> int:
    """A whole number from 1; raises ArgumentTypeError."""
    if _whole(text) < 1:
        raise ArgumentTypeError(f"{text[:40]!r} is no count; write a whole number from 1")
    return int(text)


def parse_limit(text: str) -> int:
    """A whole number from 0; raises ArgumentTypeError."""
    if _whole(text) < 0:
        raise ArgumentTypeError(f"{text[:40]!r} is no limit; write a whole number from 0")
    return int(text)


def parse_seconds(text: str) -> float:
    """A number of seconds above 0; raises ArgumentTypeError."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = nan
    if not 0 < seconds <= _MOST_SECONDS:
        raise ArgumentTypeError(f"{text[:40]!r} is no time; write seconds above 0, at most {_MOST_SECONDS:.0f}")
    return seconds


def _whole(text: str) -> int:
    """The number that a text is; -1 where it is no whole one, or longer than any that is of use."""
    return int(text) if text.isdecimal() and len(text) <= _MOST_DIGITS else -1


def parse_share(text: str) -> float:
    """A number from 0 to 1, for either door's command line; raises ArgumentTypeError."""
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise ArgumentTypeError(f"{text!r} is no share; write a number from 0 to 1")
    return share
