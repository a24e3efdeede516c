"""One case in full: the call with its data, the golden, the expectation."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

import numpy as np

from conformance.call import Call, describe_steps
from conformance.case import Case
from conformance.errors import BrokenReference
from conformance.execute import Session
from conformance.explain import describe_argument, describe_earlier, describe_expectation
from conformance.golden import Following, Golden, GoldenOutput, follow, samples
from conformance.outcome import Unsupported
from conformance.signature import Role
from conformance.tensor import Array, Tensor

_SHOWN = 12


def show_case(case: Case, session: Session) -> str:
    """Text for people; raises BrokenCase when the case's values do not fit its tensors.

    Of a case that cannot be run, or whose data is beyond the session's limits or the memory there is, no data is made.
    """
    why_not = case.unsupported or session.limits.excess(case)
    try:
        return _shown(case, session, why_not)
    except MemoryError:
        return _shown(case, session, "it does not fit into memory")


def _shown(case: Case, session: Session, why_not: str) -> str:
    call = None if why_not else session.make_call(case)
    return "\n".join(
        [
            case.id,
            f"  file      {case.path}",
            *([f"  template  {case.template}, group {case.group}"] if case.template else []),
            f"  about     {case.about}",
            f"  api       {_document(case)}",
            f"  products  {', '.join(sorted(case.products))}; {_shown_for(case, session)}",
            *_idle(case, why_not),
            *_constraints(case),
            *describe_earlier(case),
            *_arguments(case, call),
            *([] if case.unsupported else _expected(case)),
            *(_golden(session, call) if call is not None else []),
            f"  facets    {' '.join(sorted(case.facets))}",
            *_entry(case),
        ]
    )


def _document(case: Case) -> str:
    return str(case.contract.document) if case.contract.document.source else case.api


def _idle(case: Case, why_not: str) -> Iterator[str]:
    """Why there is no data."""
    if case.unsupported:
        yield f"  not run   {case.unsupported}"
    elif why_not:
        yield f"  data      too large to be shown: {why_not}"


def _expected(case: Case) -> Iterator[str]:
    yield f"  steps     {describe_steps(case.steps_taken)}"
    yield f"  expected  {describe_expectation(case.expectation)}"


def _entry(case: Case) -> Iterator[str]:
    """The case as another suite's file holds it, a line for each of its keys."""
    if isinstance(case.written, Mapping):
        for place, (key, value) in enumerate(case.written.items()):
            yield f"  {'' if place else 'entry':<9} {_json(key)}: {_json(value)}"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "backslashreplace").decode("utf-8")


def _shown_for(case: Case, session: Session) -> str:
    applies = session.product.name in case.products
    return f"shown for {session.product}" + ("" if applies else ", where it does not apply and would be skipped")


def _constraints(case: Case) -> Iterator[str]:
    for constraint in case.contract.constraints:
        if constraint.label in case.exercises:
            yield f"  exercises {constraint.label}: {constraint.about}"


def _arguments(case: Case, call: Call | None) -> Iterator[str]:
    """Each argument, and the data of those that are read; no data without a call."""
    for name, spec in case.arguments.items():
        yield f"  {name:<9} {describe_argument(spec)}"
        if call is None:
            continue
        argument = call.arguments[name]
        if (
            isinstance(argument, Tensor)
            and argument.dtype.carrier is not None
            and case.contract.parameter(name).role is not Role.OUTPUT
        ):
            yield f"            {_values(argument.array())}"
    for name in sorted(case.nulls):
        yield f"  {name:<9} null"


def _golden(session: Session, call: Call) -> Iterator[str]:
    """What the reference computes from these arguments, or why it cannot: of refused calls it often cannot."""
    try:
        answer = session.reference.golden(call)
    except BrokenReference as error:
        answer = Unsupported(str(error))
    if isinstance(answer, Unsupported):
        yield f"  golden    none: {answer.reason}"
        return
    golden: Golden = answer
    for name, output in follow(golden, samples(golden)).items():
        yield f"  golden    {name} {_values(output.value)}{_source(golden[name])}"
        for alternative in output.alternatives:
            yield f"            or {_values(alternative)}"


def _source(golden: GoldenOutput | Following) -> str:
    """What else there is to say of a golden whose values are not the only ones."""
    if isinstance(golden, Following):
        return f", as follows from what is written into {', '.join(golden.outputs)}"
    if golden.law is None:
        return ""
    either = int(golden.law.either.sum())
    words = f", of which {int(golden.law.drawn.sum())} are draws, {golden.law.distribution}"
    return words + (f", and {either} may be" if either else "")


def _values(array: Array) -> str:
    flat = array.reshape(-1)
    shown = ", ".join(_number(value) for value in flat[:_SHOWN].tolist())
    return f"[{shown}{f', … {flat.size} in all' if flat.size > _SHOWN else ''}]"


def _number(value: object) -> str:
    return f"{value:.9g}" if isinstance(value, (float, np.floating)) else str(value)
