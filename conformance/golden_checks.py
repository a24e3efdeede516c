"""Whether goldens fit the call and the case: shapes, and values that the document states."""

from __future__ import annotations

import numpy as np

from conformance.call import Call
from conformance.case import Case, Success
from conformance.errors import BrokenReference
from conformance.golden import Golden, GoldenOutput, follow, samples
from conformance.tensor import Array

_LITERAL_TOLERANCE = 1e-6
"""How far a worked example in a document, printed with six decimals, may stand from the golden."""


def check_golden(case: Case, golden: Golden, call: Call) -> None:
    """Raises BrokenReference where goldens are of another shape than the outputs or contradict the document.

    What follows from other outputs is looked at as it would be if the reference's own values were written there.
    """
    values = follow(golden, samples(golden))
    _check_shapes(values, call)
    _check_literals(case, values)


def _check_shapes(golden: dict[str, GoldenOutput], call: Call) -> None:
    shapes = {name: tensor.shape for name, tensor in call.tensors(written=True)}
    for name, output in golden.items():
        if name not in shapes:
            raise BrokenReference(f"the reference answers {name}, which the call has no output for")
        for array in (*output.admissible, *([] if output.terms is None else [output.terms])):
            if array.shape != shapes[name]:
                raise BrokenReference(f"{name}: golden has shape {array.shape}, the output {shapes[name]}")


def _check_literals(case: Case, golden: dict[str, GoldenOutput]) -> None:
    """Values that the document states must be those that the reference computes."""
    expectation = case.expectation
    stated = expectation.outputs if isinstance(expectation, Success) else None
    for name, values in (stated or {}).items():
        if name not in golden or not _agree(golden[name], np.array(values)):
            got = golden[name].value.reshape(-1)[:8].tolist() if name in golden else "nothing"
            raise BrokenReference(f"{name}: the document states {list(values)[:8]}, the reference computes {got}")


def _agree(output: GoldenOutput, stated: Array) -> bool:
    value = output.value.reshape(-1).astype(np.float64)
    return value.shape == stated.shape and bool(
        np.allclose(value, stated, rtol=_LITERAL_TOLERANCE, atol=_LITERAL_TOLERANCE, equal_nan=True)
    )
