"""Operators of tensors whose types promote and whose shapes broadcast; the result is cast to the output's type."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import reduce

from conformance.dtype import DType
from conformance.tensor import Array
from runners.simulator.arithmetic import common_dtype, round_to
from runners.simulator.kernel import KernelCall, KernelSpec, Spec


def promoted_dtype(spec: KernelSpec) -> DType:
    """Type that all inputs promote to."""
    return reduce(common_dtype, (given.dtype for given in spec.inputs.values()))


def promoted_intermediates(spec: KernelSpec, dtype: DType | None = None) -> Mapping[str, Spec]:
    """Inputs that are broadcast or cast, and the result where it is cast; ``dtype`` is what is computed in."""
    (out,) = spec.outputs.values()
    form = Spec(out.shape, dtype or promoted_dtype(spec))
    needed = {name: form for name, given in spec.inputs.items() if given != form}
    return needed if out.dtype == form.dtype else {**needed, "result": form}


def promoted_result(call: KernelCall, lanes: Callable[..., Array], dtype: DType | None = None) -> Mapping[str, Array]:
    """The one output: ``lanes`` of the prepared inputs' lanes, rounded to what is computed in, then cast."""
    ((name, out),) = call.spec.outputs.items()
    inputs = [call.unit.widen(call.prepared(given)) for given in call.spec.inputs]
    result = call.unit.deliver(lanes(*inputs), dtype or promoted_dtype(call.spec))
    return {name: round_to(call.stored("result", result), out.dtype)}
