"""Whether the line of a case says what follows from what it holds, and fits the case.

A consistent line is no proof that the run took place; a sample of cases run again is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import prod
from typing import Any

from conformance.case import Case, TensorSpec
from conformance.explain import describe_call, describe_expectation
from conformance.metrics import Metrics
from conformance.recheck import Rejudged
from conformance.record import judgement_line, number_of
from conformance.yardstick import comparison_of

Line = Mapping[str, Any]
_ENDED = ("Completed", "Rejected")
_FIGURES = frozenset(Metrics.__struct_fields__)


def contradictions(one: Rejudged, case: Case) -> Iterator[str]:
    """What is wrong with a line, given the verdict made again from it by the record's own standard."""
    line, now = one.line, one.now
    if one.is_changed:
        yield f"recorded as {one.was.value}, but by what was measured {now.verdict.value}"
    if line["api"] != case.contract.api:
        yield "names another API than its case has"
    if "outcome" not in line:
        if one.was.was_executed:
            yield f"recorded as {one.was.value}, but nothing is recorded that was seen"
        return
    if line.get("headroom") != (None if now.headroom is None else number_of(now.headroom)):
        yield "its headroom does not follow from its metrics"
    if (line.get("call"), line.get("expected")) != (describe_call(case), describe_expectation(case.expectation)):
        yield "its words for call or expectation are not those of the case"
    if line.get("side") != now.side:
        yield "whose answer it was does not follow from what was seen"
    yield from _outputs(line, one, case)


def _outputs(line: Line, one: Rejudged, case: Case) -> Iterator[str]:
    expected = _written(case)
    filled = set(line["filled"])
    if line["outcome"]["kind"] in _ENDED and filled != expected.keys():
        yield "its outputs are not those of the case"
    for name, output in line["outputs"].items():
        judgement = one.now.outputs.get(name)
        stated = {key: output[key] for key in ("met", "headroom", "reason") if key in output}
        if stated != (judgement_line(judgement) if judgement is not None else {}):
            yield "what is said of an output does not follow from its metrics"
        if not all(_is_exact(output[part]) for part in ("metrics", "benchmark") if part in output):
            yield "the metrics of an output hold what no metrics do"
        spec = expected.get(name)
        if spec is None or _form(output) != _form_of(case, name, spec):
            yield "the metrics of an output are not those of its type, size or comparison class"


def _is_exact(document: Line) -> bool:
    """Whether metrics have every field and no other, down to the last; judging looks at those alone that it knows."""
    try:
        Metrics.from_json(document)
    except (KeyError, TypeError, ValueError, AttributeError):
        return False
    return document.keys() == _FIGURES


def _written(case: Case) -> dict[str, TensorSpec]:
    """Outputs of a case that have elements."""
    given = ((p.name, case.arguments.get(p.name)) for p in case.contract.parameters if p.is_written)
    return {name: spec for name, spec in given if isinstance(spec, TensorSpec) and prod(spec.shape) > 0}


def _form(output: Line) -> tuple[Any, ...]:
    return output["metrics"]["dtype"], output["metrics"]["count"], output["comparison"]


def _form_of(case: Case, name: str, spec: TensorSpec) -> tuple[Any, ...]:
    elements: int = prod(spec.shape)
    parts = 2 if spec.dtype.name.startswith("complex") else 1
    return spec.dtype.name, parts * elements, comparison_of(case, name, spec.dtype).value
