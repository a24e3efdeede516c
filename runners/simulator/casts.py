"""Results that are computed in the type of ``self`` and cast on their way into ``out``."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.tensor import Array
from runners.simulator.arithmetic import round_to
from runners.simulator.kernel import KernelCall, KernelSpec, Spec


def uncast_result(spec: KernelSpec) -> Mapping[str, Spec]:
    """Intermediates of such a kernel: the result in ``self``'s dtype, where ``out`` has another."""
    given, out = spec.inputs["self"], spec.outputs["out"]
    return {} if given.dtype == out.dtype else {"result": given}


def cast_result(call: KernelCall, result: Array) -> Mapping[str, Array]:
    """``out`` of the result in ``self``'s dtype."""
    return {"out": round_to(call.stored("result", result), call.spec.outputs["out"].dtype)}
