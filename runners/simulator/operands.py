"""Operands of two-input operators as the host prepares them: promoted, broadcast, and the result before its cast."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.dtype import DType
from runners.simulator.arithmetic import common_dtype
from runners.simulator.kernel import KernelSpec, Spec


def promoted(spec: KernelSpec, left: str, right: str) -> DType:
    """Type that two inputs are computed in."""
    return common_dtype(spec.inputs[left].dtype, spec.inputs[right].dtype)


def prepared_operands(spec: KernelSpec, left: str, right: str) -> Mapping[str, Spec]:
    """Intermediates: inputs not of the promoted type and the output's shape, and ``result`` where it must be cast."""
    (output,) = spec.outputs.values()
    form = Spec(output.shape, promoted(spec, left, right))
    needed = {name: form for name in (left, right) if spec.inputs[name] != form}
    return needed if output.dtype == form.dtype else {**needed, "result": form}
