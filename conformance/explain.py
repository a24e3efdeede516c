"""A result in words: what was called, what was expected, what was seen, and how to run it again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.call import DEFAULT_STEPS, Attribute, Scalar, describe_steps
from conformance.case import Case, Expectation, Refusal, Success, TensorSpec
from conformance.execute import Result
from conformance.metrics import Metrics
from conformance.options import Options
from conformance.status import status_name
from conformance.tensor import Format

_SENSIBLE_RATIO = 1e3
"""Relative errors above this only say that the golden is 0."""


def explain(result: Result, options: Options) -> str:
    """Failure text: verdict and reason, the call, diagnosis and worst element of each output, and the repro line."""
    lines = [f"{result.judged.verdict.value.upper()} {result.case.id}", f"  {result.judged.reason}"]
    lines += [
        f"  about     {result.case.about}",
        f"  call      {describe_call(result.case)} on {options.product}",
    ]
    lines += describe_earlier(result.case)
    lines += [f"  expected  {describe_expectation(result.case.expectation)}"]
    lines += [f"  diagnosis {name}: {diagnosis.text}" for name, diagnosis in result.diagnoses.items()]
    lines += [f"  {line}" for line in _metrics(result)]
    lines += [f"  again     {options.repro(result.case.id, _path_of(result.case))}"]
    return "\n".join(lines)


def _path_of(case: Case) -> str:
    """What pytest is given to find the case: its file where another suite wrote that, the suite's folder otherwise."""
    return "cases" if case.data is None else str(case.path)


def describe_call(case: Case) -> str:
    """The call in one line: ``aclnnPrelu(self float32[2, 3], …)``."""
    arguments = [f"{name} {describe_argument(argument)}" for name, argument in case.arguments.items()]
    arguments += [f"{name} null" for name in sorted(case.nulls)]
    return f"{case.contract.api}({', '.join(arguments)})"


def describe_earlier(case: Case) -> list[str]:
    """One line for each call that comes before the case's own: its group, the call, and steps other than the usual."""
    return [f"  after     {earlier.group}: {describe_call(earlier)}{_steps(earlier)}" for earlier in case.earlier]


def _steps(case: Case) -> str:
    return "" if case.steps == DEFAULT_STEPS else f", {describe_steps(case.steps)}"


def describe_argument(argument: Any) -> str:
    """Dtype, shape and layout of a tensor, or the value of anything else."""
    if argument is None:
        return "null"
    if isinstance(argument, (Scalar, Attribute)):
        dtype = f" {argument.dtype}" if isinstance(argument, Scalar) else ""
        return f"= {argument.value}{dtype}"
    assert isinstance(argument, TensorSpec)
    text = f"{argument.dtype.name}{list(argument.shape)}"
    if not argument.is_contiguous:
        text += f" strides {list(argument.strides)} offset {argument.offset} in {list(argument.storage_shape)}"
    if argument.format is not Format.ND:
        text += f" {argument.format.name}"
    return f"{text} aliases {argument.alias}" if argument.alias else text


def describe_expectation(expectation: Expectation) -> str:
    """An expectation in words."""
    if isinstance(expectation, Refusal):
        return f"refusal at {expectation.phase.value} with {status_name(expectation.status)}"
    if isinstance(expectation, Success):
        wanted = [status_name(status) for status in expectation.statuses if status]
        words = f"success, with {', '.join(wanted)} on the way" if wanted else "success"
        unlike = ", ".join(sorted(expectation.unlike))
        return f"{words}, with other bits in {unlike} than the call before" if unlike else words
    sides = {"document": expectation.document, "implementation": expectation.implementation}
    said = [f"{side} says {describe_expectation(answer)}" for side, answer in sides.items() if answer is not None]
    return f"unspecified ({'; '.join(said) or expectation.reason})"


def _metrics(result: Result) -> Iterator[str]:
    if result.observation is None:
        return
    for name, one in result.observation.measured.items():
        judgement = result.judged.outputs.get(name)
        if judgement is None or judgement.met:
            continue
        yield f"{name:<9} {describe_metrics(one.metrics)}"
        worst = one.metrics.worst
        if worst is not None:
            yield f"          worst at {list(worst.position)}: got {worst.got!r}, expected {worst.expected!r}"
            if worst.inputs:
                yield "          where " + ", ".join(f"{name} = {value!r}" for name, value in worst.inputs.items())


def describe_metrics(metrics: Metrics) -> str:
    """The figures that matter, in words: how many elements differ, and by how much at most."""
    words = [f"{metrics.bit_different} of {metrics.count} elements are not the rounded golden"]
    if metrics.class_mismatches:
        words.append(f"{metrics.class_mismatches} differ in being NaN or infinite")
    if metrics.max_ulp:
        words.append(f"max {metrics.max_ulp} ULP, absolute error {metrics.max_abs_error:.3g}")
    if metrics.max_ulp and metrics.max_rel_error <= _SENSIBLE_RATIO:
        words.append(f"relative error {metrics.max_rel_error:.3g}")
    if metrics.draws is not None and not metrics.bit_different:
        draws = metrics.draws
        words = [f"{draws.count} draws {draws.distribution}: Kolmogorov–Smirnov distance {draws.distance:.3g}"]
        words.append(f"correlation at lag {draws.lag} {draws.correlation:.3g} standard deviations")
    if metrics.zero_for_nonzero:
        words.append(f"{metrics.zero_for_nonzero} zeros where there should be none")
    return ", ".join(words)
