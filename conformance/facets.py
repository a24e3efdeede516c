"""Facets of a case: the words it can be picked by with ``-k`` and ``-m``, derived from what it is."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod

from conformance.call import Action
from conformance.case import ArgumentSpec, CaseFile, Expectation, Refusal, Success, TensorSpec, Unspecified
from conformance.outcome import Phase
from conformance.signature import snake_name
from conformance.specify import Specified

_SUBJECTS = {"special_values": "special", "refusals": "refusal", "views": "views"}
_SMALL, _MEDIUM = 1 << 10, 1 << 20


def facets_of(file: CaseFile, spec: Specified, expectation: Expectation) -> frozenset[str]:
    """Every facet of a case."""
    words = {file.contract.api, snake_name(file.contract.api), file.contract.family, file.subject}
    words.add(_SUBJECTS.get(file.subject, file.subject))
    words |= facets_of_call(spec.arguments)
    if spec.nulls or None in spec.arguments.values() or any(step.nulls for step in spec.steps):
        words.add("nullptr")
    words.update(word for word, holds in _step_facets(spec).items() if holds)
    return frozenset(words | facets_of_expectation(expectation))


def facets_of_call(arguments: Mapping[str, ArgumentSpec]) -> frozenset[str]:
    """Facets that follow from the tensors of a call: types, ranks, size, layouts."""
    tensors = [argument for argument in arguments.values() if isinstance(argument, TensorSpec)]
    words = {tensor.dtype.word for tensor in tensors} | {f"rank{len(tensor.shape)}" for tensor in tensors}
    words.update(name for name, holds in _tensor_facets(tensors).items() if holds)
    return frozenset(words | {_size_class(tensors)})


def _step_facets(spec: Specified) -> dict[str, bool]:
    return {
        "moved": any(step.action is Action.MOVE for step in spec.steps),
        "streams": any(step.stream for step in spec.steps),
    }


def _tensor_facets(tensors: list[TensorSpec]) -> dict[str, bool]:
    kinds = {tensor.values.kind for tensor in tensors if tensor.values}
    return {
        "noncontiguous": not all(tensor.is_contiguous for tensor in tensors),
        "empty": any(prod(tensor.shape) == 0 for tensor in tensors),
        "special": "specials" in kinds,
        "boundary": "ladder" in kinds,
        "alias": any(tensor.alias for tensor in tensors),
    }


def _size_class(tensors: list[TensorSpec]) -> str:
    elements = max((prod(tensor.shape) for tensor in tensors), default=0)
    if elements >= _MEDIUM:
        return "large"
    return "small" if elements < _SMALL else "medium"


def facets_of_expectation(expectation: Expectation) -> set[str]:
    """Facets that follow from what is expected."""
    if isinstance(expectation, Refusal):
        run = {"protocol"} if expectation.phase is Phase.RUN else set()
        return {"refusal", f"status_{expectation.status}", *run}
    if isinstance(expectation, Unspecified):
        return {"unspecified"}
    assert isinstance(expectation, Success)
    return {f"status_{status}" for status in expectation.statuses if status}
