"""Every exception of the core, one a step of a case's life.

======================  ====================================================================
step                    exception
======================  ====================================================================
read, validate          InvalidData (one readable problem, with file, line and JSON pointer)
expand                  InvalidSpec of one group; all of a file as InvalidData
select                  NothingSelected
make                    BrokenCase (the data cannot be turned into tensors)
reference               BrokenReference
find a runner           UnknownRunner
record                  InvalidRecord
certify                 InvalidKey
======================  ====================================================================

What an implementation does wrong is never an exception: it is an outcome (see ``outcome``).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


class ConformanceError(Exception):
    """Base of every error that the suite reports to its user in one line."""


@dataclass(frozen=True, slots=True)
class Location:
    """A place in a data file: path, 1-based line (0 when unknown) and JSON pointer ("" is the whole document).

    Of a table the pointer is the name of a column.
    """

    path: Path
    line: int = 0
    pointer: str = ""

    def __str__(self) -> str:
        line = f":{self.line}" if self.line else ""
        pointer = f" at {self.pointer}" if self.pointer else ""
        return f"{self.path}{line}{pointer}"


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong in the data: where, what, and what to do next."""

    where: Location
    what: str
    advice: str = ""

    def __str__(self) -> str:
        advice = f" ({self.advice})" if self.advice else ""
        return f"{self.where}: {self.what}{advice}"


class InvalidData(ConformanceError):
    """Data files that break their schema or contradict each other."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__("\n".join(str(problem) for problem in problems))
        self.problems = problems


class InvalidSpec(ValueError):
    """A group that cannot be turned into a case; ``pointer`` is where in the group, "" when it is all of it."""

    def __init__(self, what: str, advice: str = "", pointer: str = "") -> None:
        super().__init__(what)
        self.advice = advice
        self.pointer = pointer


class NothingSelected(ConformanceError):
    """A selection that matches no case."""


class InvalidOption(ConformanceError):
    """An option value that names nothing."""


class BrokenCase(ConformanceError):
    """A case that is valid JSON but cannot be turned into a call: the suite's fault, never the implementation's."""


class BrokenReference(ConformanceError):
    """A reference that raised, or whose answer has the wrong shape or contradicts the values the case states."""


class UnknownRunner(ConformanceError):
    """A runner name that is neither an entry point nor an importable class."""


class UnknownReport(ConformanceError):
    """A report form that no installed package registers."""


class InvalidRecord(ConformanceError):
    """A record file that is truncated, of another version, or not a record."""


class InvalidKey(ConformanceError):
    """A key that is not there, cannot be read or written, or is of another kind."""
