"""What the line of a case says was measured, written in one go and read from its text in one go.

That is most of the work of judging a record again. Numbers that JSON has no word for, such as infinite errors, are
rare: where there is one, all is written and read number by number.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, get_type_hints

from msgspec import UNSET, DecodeError, Raw, Struct, UnsetType, defstruct
from msgspec.json import Decoder, Encoder
from msgspec.structs import astuple

from conformance.metrics import Metrics, read_draws, read_worst
from conformance.record_lines import CaseLine
from conformance.standard import ComparisonClass
from conformance.verdict import Measured

_READERS = {"worst": read_worst, "draws": read_draws}
"""Fields whose form the parser cannot tell, and how each is read from what it parsed."""
_HINTS = {**get_type_hints(Metrics), **dict.fromkeys(_READERS, Any)}
_PARSED = tuple((place, _READERS[name]) for place, name in enumerate(_HINTS) if name in _READERS)
_Figures: Any = defstruct("_Figures", list(_HINTS.items()), gc=False, forbid_unknown_fields=True)
"""The fields of Metrics as they stand in a record."""


class _Output(Struct, gc=False):
    comparison: ComparisonClass
    metrics: _Figures
    benchmark: _Figures | UnsetType = UNSET


_outputs_in = Decoder(dict[str, _Output]).decode
_written = Encoder().encode
_NOTHING: Mapping[str, Mapping[str, Any]] = {}


def measured_in(line: Mapping[str, Any]) -> dict[str, Measured]:
    """Metrics of each output; raises KeyError, TypeError or ValueError where they cannot be read."""
    text = line.unparsed("outputs") if isinstance(line, CaseLine) else None
    found = None if text is None else _read_quickly(text)
    return _read_slowly(line["outputs"]) if found is None else found


def measured_of(text: bytes) -> dict[str, Measured]:
    """Metrics of each output that ``text_of`` wrote; raises KeyError, TypeError or ValueError."""
    found = _read_quickly(text)
    return _read_slowly(json.loads(text)) if found is None else found


def text_of(measured: Mapping[str, Measured], judgements: Mapping[str, Mapping[str, Any]] = _NOTHING) -> Raw:
    """Metrics of each output as a line of a record has them, and what is said of the judgement on some of them."""
    return Raw(_written({name: {**_output(one), **judgements.get(name, {})} for name, one in measured.items()}))


def _output(one: Measured) -> dict[str, Any]:
    line: dict[str, Any] = {"comparison": one.comparison.value, "metrics": _figures(one.metrics)}
    return line if one.benchmark is None else {**line, "benchmark": _figures(one.benchmark)}


def _figures(metrics: Metrics) -> Raw:
    """The text of what ``Metrics.to_json`` gives."""
    with suppress(TypeError):  # a number that is no plain one
        text = _written(metrics)
        # Numbers without a word become null, as does what there is none of.
        absent = (metrics.term_count is None) + (metrics.worst is None) + (metrics.draws is None)
        if text.count(b"null") <= absent:
            return Raw(text)
    return Raw(json.dumps(metrics.to_json(), allow_nan=False, separators=(",", ":")).encode())


def _read_quickly(text: Any) -> dict[str, Measured] | None:
    """None where there is a number that must be read by itself."""
    try:
        return {name: _measured(output) for name, output in _outputs_in(text).items()}
    except DecodeError:
        return None


def _measured(output: _Output) -> Measured:
    benchmark = None if output.benchmark is UNSET else _metrics(output.benchmark)
    return Measured(_metrics(output.metrics), output.comparison, benchmark)


def _metrics(figures: Any) -> Metrics:
    values = list(astuple(figures))
    for place, read in _PARSED:
        values[place] = read(values[place])
    return Metrics(*values)


def _read_slowly(outputs: Mapping[str, Any]) -> dict[str, Measured]:
    return {name: _read_one(output) for name, output in outputs.items()}


def _read_one(output: Mapping[str, Any]) -> Measured:
    benchmark = Metrics.from_json(output["benchmark"]) if "benchmark" in output else None
    return Measured(Metrics.from_json(output["metrics"]), ComparisonClass(output["comparison"]), benchmark)
