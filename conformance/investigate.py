"""After a failure: which outputs are diagnosed, beside which inputs, and against which misreadings of the call."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from conformance.call import Attribute, Call, Scalar
from conformance.diagnose import Reading, diagnose
from conformance.evidence import Evidence
from conformance.golden import Golden, follow
from conformance.misreadings import misread
from conformance.outcome import Unsupported
from conformance.patterns import Diagnosis
from conformance.runner import Reference
from conformance.standard import ComparisonClass
from conformance.tensor import Array
from conformance.verdict import Judged, Observation, Verdict

_OFF = 1e-2
"""Relative error above which an output that no standard has judged is looked into."""
_SELECTED = (
    ComparisonClass.EXACT,
    ComparisonClass.QUANTISED,
    ComparisonClass.INTEGER,
    ComparisonClass.RANDOM,
)


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """A call that ended, its goldens, and its inputs as they were before it."""

    call: Call
    golden: Golden
    inputs: Mapping[str, Array]


def investigate(judged: Judged, seen: Observation, run: Run, reference: Reference) -> dict[str, Diagnosis]:
    """Diagnoses of the outputs that made a case fail, by name; empty for verdicts other than failed."""
    if judged.verdict is not Verdict.FAILED:
        return {}
    outputs = dict(run.call.tensors(written=True))
    golden = follow(run.golden, written(run.call))
    found = {}
    for name in _suspects(judged, seen):
        array = outputs[name].array()
        evidence = Evidence(
            golden=golden[name].beside(array, outputs[name].dtype),
            output=array,
            dtype=outputs[name].dtype,
            exact=seen.measured[name].comparison in _SELECTED,
            inputs=run.inputs,
            strides=outputs[name].strides,
            offset=outputs[name].offset,
            thresholds=_thresholds(run.call),
        )
        found[name] = diagnose(evidence, _readings(run.call, name, reference))
    return {name: diagnosis for name, diagnosis in found.items() if diagnosis is not None}


def _suspects(judged: Judged, seen: Observation) -> list[str]:
    """Outputs that a standard has refused; where the case failed before numbers were judged, those far off."""
    if judged.outputs:
        return [name for name, judgement in judged.outputs.items() if judgement.met is False]
    return [
        name
        for name, one in seen.measured.items()
        if name in seen.untouched or one.metrics.class_mismatches or one.metrics.max_rel_error > _OFF
    ]


def _readings(call: Call, name: str, reference: Reference) -> Iterator[Reading]:
    for finding, other in misread(call):
        try:
            golden = reference.golden(other)
        except Exception:  # a call misread need not make sense to the reference
            continue
        if not isinstance(golden, Unsupported) and name in golden:
            yield finding, follow(golden, written(call))[name]


def written(call: Call) -> dict[str, Array]:
    """Elements of every output as they are now, by name."""
    return {name: tensor.array() for name, tensor in call.tensors(written=True) if tensor.dtype.numpy is not None}


def _thresholds(call: Call) -> dict[str, float]:
    """Real numbers that are arguments of the call."""
    values = {n: one.value for n, one in call.arguments.items() if isinstance(one, (Scalar, Attribute))}
    return {
        name: float(value)
        for name, value in values.items()
        if isinstance(value, (int, float)) and not isinstance(value, bool)
    }
