"""The cases of some records as an HTML page carries them: an index read at once, details in blocks read when opened.

Both are JSON, compressed, in base64: a page of 100 000 cases stays small, and no text of a record can end a script.
"""

from __future__ import annotations

import gzip
import json
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from conformance.metrics import ULP_BINS
from conformance.options import Options
from conformance.record import Record
from conformance.verdict import Verdict
from reports.matrix import dtypes_of

Line = Mapping[str, Any]
BLOCK = 256
"""Cases in one block of details."""
SEVERITY = (
    Verdict.FAILED,
    Verdict.UNEXPECTED_PASS,
    Verdict.BROKEN,
    Verdict.MISTRUSTED,
    Verdict.NOT_RUN,
    Verdict.WAIVED,
    Verdict.UNSPECIFIED,
    Verdict.PASSED,
    Verdict.UNSUPPORTED,
    Verdict.SKIPPED,
)
"""The order in which verdicts stand."""
_SAME = (
    *("call", "expected", "exercises", "diagnosis", "side", "faults", "untouched", "unsteady", "poison", "alike"),
    *("second", "again", "standard", "strict"),
)
"""Parts of a line that are shown as they are."""
_FIGURES = (
    *("dtype", "count", "bit_different", "class_mismatches", "zero_for_nonzero", "max_ulp", "max_abs_error"),
    *("max_rel_error", "mean_rel_error", "rmse", "worst", "draws"),
)
_BENCHMARK = ("max_ulp", "max_abs_error", "max_rel_error", "mean_rel_error", "rmse")
_MARK = "the-id"


class _Numbered(dict[Any, int]):
    """Values → numbers, in the order in which they come."""

    def __missing__(self, value: Any) -> int:
        self[value] = len(self)
        return self[value]


def index_of(records: Sequence[Record]) -> dict[str, Any]:
    """What the list of cases is made from: a column each of numbers, and the texts that they stand for."""
    apis, facets, sets, texts = _Numbered(), _Numbered(), _Numbered(), _Numbered()
    severity = {verdict.value: number for number, verdict in enumerate(SEVERITY)}
    numbered = [(number, line) for number, record in enumerate(records) for line in record.lines]
    lines = [line for _, line in numbered]
    return {
        "ids": "\n".join(line["id"] for line in lines),
        "record": [number for number, _ in numbered],
        "api": [apis[line["api"]] for line in lines],
        "verdict": [severity[line["verdict"]] for line in lines],
        "facets": [sets[_words(line, facets)] for line in lines],
        "headroom": [_short(line.get("headroom")) for line in lines],
        "ms": [round(line["seconds"] * 1000, 2) for line in lines],
        "reason": [texts[line["reason"]] for line in lines],
        "signature": [texts[line.get("signature", "")] for line in lines],
        "apis": list(apis),
        "words": list(facets),
        "sets": list(sets),
        "texts": list(texts),
        "verdicts": [verdict.value for verdict in SEVERITY],
        "red": [verdict.is_red for verdict in SEVERITY],
        "records": [{"product": record.header["product"], "again": _again(record)} for record in records],
        "block": BLOCK,
        "bins": ULP_BINS,
    }


def blocks_of(records: Sequence[Record]) -> Iterator[str]:
    """Details of all cases in the order of the index, packed, ``BLOCK`` cases at a time."""
    details = (detail_of(line) for record in records for line in record.lines)
    while block := list(islice(details, BLOCK)):
        yield packed(block)


def packed(document: Any) -> str:
    """JSON, compressed, in base64; the same for the same document."""
    text = json.dumps(document, separators=(",", ":"))
    return b64encode(gzip.compress(text.encode("ascii"), 6, mtime=0)).decode("ascii")


def detail_of(line: Line) -> dict[str, Any]:
    """What an opened case shows beside what the index has."""
    detail = {name: line[name] for name in _SAME if line.get(name)}
    if "outcome" in line:
        outcome = line["outcome"]
        wanted = ("text", "message", "detail", "workspace", "facts")
        detail["outcome"] = {name: outcome[name] for name in wanted if outcome.get(name)}
        detail["steps"] = [[step["step"], step["status"], step["message"]] for step in outcome.get("steps", ())]
        detail["outputs"] = {name: _output(output) for name, output in line["outputs"].items()}
    return detail


def _output(output: Line) -> dict[str, Any]:
    metrics = output["metrics"]
    return {
        **{name: output[name] for name in ("comparison", "met", "reason") if name in output},
        "headroom": _short(output.get("headroom")),
        **{name: _short(metrics[name]) for name in _FIGURES if metrics.get(name) is not None},
        "ulps": metrics["ulp_histogram"],
        **(
            {"benchmark": {name: _short(output["benchmark"][name]) for name in _BENCHMARK}}
            if "benchmark" in output
            else {}
        ),
    }


def _words(line: Line, facets: _Numbered) -> tuple[int, ...]:
    """Facets of a case; that it has no dtype is one of them."""
    return tuple(facets[word] for word in dict.fromkeys([*line["facets"], *dtypes_of(line)]))


def _short(value: Any) -> Any:
    """A number in four digits; anything else as it is."""
    return float(f"{value:.4g}") if isinstance(value, float) else value


def _again(record: Record) -> tuple[str, str]:
    """The line that runs a case again: what stands before and after its id."""
    header = record.header
    terms = header.get("terms", {})
    options = Options(
        runner=header["runner"]["spec"],
        runner_options=header["runner"].get("options", {}),
        reference=header["reference"]["name"],
        product=header["product"],
        standard=terms.get("standard"),
        seed=header["seed"],
        repeat=int(terms.get("repeat", 1)),
        atk_slice=float(terms.get("atk_slice", 0)),
        trust_executors=bool(terms.get("trust_executors", 0)),
    )
    before, _, after = options.repro(_MARK).partition(_MARK)
    return before, after
