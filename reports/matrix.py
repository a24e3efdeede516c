"""API × dtype × product of some records: how many cases came to which verdict, and how near the passed ones were."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from conformance.dtype import DTYPES
from conformance.record import Record
from conformance.verdict import Verdict

NO_DTYPE = "–"
"""Column of cases without a tensor."""
_WORDS = [*(dtype.word for dtype in DTYPES.values()), NO_DTYPE]
_LEAST = 0.01
_SHADES = (0.25, 0.5, 0.75)
Key = tuple[str, str, int]
"""API, word of the dtype, number of the record."""


@dataclass(frozen=True, slots=True)
class Cell:
    """The cases of one API with a tensor of one dtype in one record."""

    counts: Counter[Verdict]
    headroom: float | None
    """Largest error ÷ limit of the passed cases."""

    @property
    def red(self) -> int:
        """Cases that make the run fail."""
        return sum(count for verdict, count in self.counts.items() if verdict.is_red)

    @property
    def shade(self) -> str:
        """Class of the style sheet: red, waived, idle (nothing ran), open (nothing judged) or near0 … near3."""
        if self.red:
            return "red"
        if self.counts[Verdict.WAIVED]:
            return "waived"
        if not self.counts[Verdict.PASSED]:
            return "open" if self.counts[Verdict.UNSPECIFIED] else "idle"
        return f"near{sum((self.headroom or 0) > limit for limit in _SHADES)}"

    @property
    def label(self) -> str:
        """What stands in the cell, so that colours are never needed to read it."""
        if self.red:
            return f"✗ {self.red}"
        if self.shade == "idle":
            return NO_DTYPE
        if self.shade in ("open", "waived"):
            return "?" if self.shade == "open" else f"! {self.counts[Verdict.WAIVED]}"
        if not self.headroom:
            return "✓"
        return f"{self.headroom:.2f}" if self.headroom >= _LEAST else f"<{_LEAST}"


@dataclass(frozen=True, slots=True)
class Matrix:
    """Rows and columns that have a cell, and the cells."""

    apis: tuple[str, ...]
    dtypes: tuple[str, ...]
    cells: Mapping[Key, Cell]


def matrix_of(records: Sequence[Record]) -> Matrix:
    """The matrix; a case with tensors of several dtypes is counted under each."""
    together: dict[Key, list[Mapping[str, Any]]] = defaultdict(list)
    for number, record in enumerate(records):
        for line in record.lines:
            for word in dtypes_of(line):
                together[line["api"], word, number].append(line)
    apis, words = {api for api, _, _ in together}, {word for _, word, _ in together}
    cells = {key: _cell(lines) for key, lines in together.items()}
    return Matrix(tuple(sorted(apis)), tuple(word for word in _WORDS if word in words), cells)


def dtypes_of(line: Mapping[str, Any]) -> list[str]:
    """Words of the dtypes that a case's tensors have."""
    return [word for word in line["facets"] if word in _WORDS] or [NO_DTYPE]


def _cell(lines: Sequence[Mapping[str, Any]]) -> Cell:
    near = [
        float(line["headroom"])
        for line in lines
        if line["verdict"] == Verdict.PASSED.value and line.get("headroom") is not None
    ]
    return Cell(Counter(Verdict(line["verdict"]) for line in lines), max(near, default=None))
