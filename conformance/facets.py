"""Facets of a case: the words it can be picked by with ``-k`` and ``-m``, derived from what it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import prod

from conformance.call import DEFAULT_STEPS, Action, Step
from conformance.case import ArgumentSpec, CaseFile, Expectation, Refusal, Success, TensorSpec, Unspecified
from conformance.outcome import Phase
from conformance.signature import snake_name
from conformance.specify import Specified

_SUBJECTS = {"special_values": "special", "refusals": "refusal", "views": "views"}
_BY_VALUES = {"specials": "special", "ladder": "boundary"}
_SMALL, _MEDIUM = 1 << 10, 1 << 20


def facets_of_file(file: CaseFile) -> frozenset[str]:
    """Facets that all cases of a file have."""
    contract, subject = file.contract, file.subject
    return frozenset(
        {contract.api, snake_name(contract.api), contract.family, subject, _SUBJECTS.get(subject, subject)}
    )


def facets_of(spec: Specified, expectation: Expectation) -> frozenset[str]:
    """Facets of a case beside those of its file."""
    words = {"nullptr"} if spec.nulls or None in spec.arguments.values() else set()
    if spec.steps is not DEFAULT_STEPS:
        words |= _step_facets(spec.steps)
    return facets_of_call(spec.arguments) | facets_of_expectation(expectation) | words


def facets_of_call(arguments: Mapping[str, ArgumentSpec]) -> frozenset[str]:
    """Facets that follow from the tensors of a call: types, ranks, size, layouts."""
    words, most = set(), 0
    for tensor in arguments.values():
        if isinstance(tensor, TensorSpec):
            elements = prod(tensor.shape)
            most = max(most, elements)
            words |= {tensor.dtype.word, f"rank{len(tensor.shape)}", *_tensor_facets(tensor)}
            if not elements:
                words.add("empty")
    words.add("large" if most >= _MEDIUM else "small" if most < _SMALL else "medium")
    return frozenset(words)


def _step_facets(steps: Sequence[Step]) -> set[str]:
    facets = {
        "nullptr": any(step.nulls for step in steps),
        "moved": any(step.action is Action.MOVE for step in steps),
        "streams": any(step.stream for step in steps),
    }
    return {word for word, holds in facets.items() if holds}


def _tensor_facets(tensor: TensorSpec) -> Iterator[str]:
    if not tensor.is_contiguous:
        yield "noncontiguous"
    if tensor.alias:
        yield "alias"
    if tensor.values and tensor.values.kind in _BY_VALUES:
        yield _BY_VALUES[tensor.values.kind]


def facets_of_expectation(expectation: Expectation) -> set[str]:
    """Facets that follow from what is expected."""
    if isinstance(expectation, Refusal):
        run = {"protocol"} if expectation.phase is Phase.RUN else set()
        return {"refusal", f"status_{expectation.status}", *run}
    if isinstance(expectation, Unspecified):
        return {"unspecified"}
    assert isinstance(expectation, Success)
    return {f"status_{status}" for status in expectation.statuses if status}
