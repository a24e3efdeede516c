"""What the line of a case says was measured, read from its text in one go: most of the work of judging a record again.

Numbers that JSON has no word for, such as infinite errors, are rare: where there is one, all is read number by number.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_type_hints

from msgspec import UNSET, DecodeError, Struct, UnsetType, defstruct
from msgspec.json import Decoder
from msgspec.structs import asdict

from conformance.metrics import Metrics, read_draws, read_worst
from conformance.record_lines import CaseLine
from conformance.standard import ComparisonClass
from conformance.verdict import Measured

_HINTS = {**get_type_hints(Metrics), "worst": Any, "draws": Any}
_Figures: Any = defstruct("_Figures", list(_HINTS.items()), gc=False, forbid_unknown_fields=True)
"""The fields of Metrics as they stand in a record."""


class _Output(Struct, gc=False):
    comparison: ComparisonClass
    metrics: _Figures
    benchmark: _Figures | UnsetType = UNSET


_outputs_in = Decoder(dict[str, _Output]).decode


def measured_in(line: Mapping[str, Any]) -> dict[str, Measured]:
    """Metrics of each output; raises KeyError, TypeError or ValueError where they cannot be read."""
    text = line.unparsed("outputs") if isinstance(line, CaseLine) else None
    if text is not None:
        try:
            return {name: _measured(output) for name, output in _outputs_in(text).items()}
        except DecodeError:
            pass
    return {name: _read_slowly(output) for name, output in line["outputs"].items()}


def _measured(output: _Output) -> Measured:
    benchmark = None if output.benchmark is UNSET else _metrics(output.benchmark)
    return Measured(_metrics(output.metrics), output.comparison, benchmark)


def _metrics(figures: Any) -> Metrics:
    values = asdict(figures)
    values.update(worst=read_worst(figures.worst), draws=read_draws(figures.draws))
    return Metrics(**values)


def _read_slowly(output: Mapping[str, Any]) -> Measured:
    benchmark = Metrics.from_json(output["benchmark"]) if "benchmark" in output else None
    return Measured(Metrics.from_json(output["metrics"]), ComparisonClass(output["comparison"]), benchmark)
