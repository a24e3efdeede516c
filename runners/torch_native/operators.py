"""Which operator of torch computes an API's outputs: a short function, or the benchmark of the API's formula."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np
import torch

from runners.reference.arguments import Arguments, BenchmarkFunction
from runners.reference.formulas import formula_of
from runners.torch_native.views import Inexpressible, Views

Results = Mapping[str, torch.Tensor]
Operator = Callable[[Views], Results]
"""Arguments → output name → values, of the output's shape and of the dtype that torch computes in."""

_ALPHA, _SCALE = 1.6732632423543772848170429916717, 1.0507009873554804934193349852946


def _silu(views: Views) -> Results:
    return {"out": torch.nn.functional.silu(views.tensor("self"))}


def _silu_backward(views: Views) -> Results:
    gradient, x = _together(views, "gradOutput", "self")
    return {"gradInput": torch.ops.aten.silu_backward(gradient, x)}


def _hardshrink(views: Views) -> Results:
    x = views.tensor("self")
    return {"out": torch.nn.functional.hardshrink(x, _limit(views, x.dtype))}


def _hardshrink_backward(views: Views) -> Results:
    gradient, x = _together(views, "gradOutput", "self")
    return {"gradInput": torch.ops.aten.hardshrink_backward(gradient, x, _limit(views, x.dtype))}


def _prelu(views: Views) -> Results:
    x, weight = views.tensor("self"), views.tensor("weight").reshape(-1)
    dtype = torch.promote_types(x.dtype, weight.dtype)
    return {"out": torch.prelu(x.to(dtype), weight.to(dtype))}


def _prelu_backward(views: Views) -> Results:
    """Gradients as autograd computes them: one kernel for both, then a sum over the broadcast axes."""
    x, weight = views.tensor("self"), views.tensor("weight")
    channels = weight.numel()
    spread = weight.reshape(() if channels == 1 else (channels, *[1] * (x.ndim - 2)))
    gradient = views.tensor("gradOutput").expand_as(x)
    dx, terms = torch.ops.aten._prelu_kernel_backward(gradient, x, spread)
    return {"gradInput": dx, "gradWeight": terms.sum_to_size(spread.shape).reshape(weight.shape)}


def _selu_backward(views: Views) -> Results:
    gradient, result = views.tensor("gradOutput"), views.tensor("result")
    if not gradient.is_floating_point():
        raise Inexpressible("torch has no SELU gradient of integers")
    return {"gradInput": torch.ops.aten.elu_backward(gradient, _ALPHA, _SCALE, 1.0, True, result)}


def _softmax_backward(views: Views) -> Results:
    gradient, output = views.tensor("gradOutput"), views.tensor("output")
    result = torch.ops.aten._softmax_backward_data(gradient, output, views.integer("dim"), gradient.dtype)
    return {"out": result}


def _together(views: Views, *names: str) -> tuple[torch.Tensor, ...]:
    """Tensors broadcast to one shape and promoted to one dtype."""
    given = [views.tensor(name) for name in names]
    shape = np.broadcast_shapes(*(tuple(tensor.shape) for tensor in given))
    tensors = [tensor.expand(shape) for tensor in given]
    dtype = tensors[0].dtype
    for tensor in tensors[1:]:
        dtype = torch.promote_types(dtype, tensor.dtype)
    return tuple(tensor.to(dtype) for tensor in tensors)


def _limit(views: Views, dtype: torch.dtype) -> float:
    """Threshold in the range of the dtype that torch casts it to."""
    limit = views.number("lambd")
    if limit < 0:
        raise Inexpressible("torch takes a negative lambd as it is, not as 0")
    if torch.finfo(dtype).max < limit < float("inf"):
        raise Inexpressible(f"torch refuses a lambd that {dtype} cannot hold")
    return limit


def operator_of(api: str, device: torch.device) -> Operator | None:
    """Operator of an API: one of those below on its views, else on the CPU the benchmark of its formula on copies."""
    if api in OPERATORS:
        return OPERATORS[api]
    formula = formula_of(api)
    if formula is None or formula.benchmark is None or device.type != "cpu":
        return None
    return partial(_benchmarked, formula.benchmark)


def _benchmarked(benchmark: BenchmarkFunction, views: Views) -> Results:
    results = benchmark(Arguments(views.call))
    if results is None:
        raise Inexpressible("torch has no operator for these arguments")
    return results


OPERATORS: Mapping[str, Operator] = {
    "aclnnSilu": _silu,
    "aclnnSiluBackward": _silu_backward,
    "aclnnHardshrink": _hardshrink,
    "aclnnHardshrinkBackward": _hardshrink_backward,
    "aclnnPrelu": _prelu,
    "aclnnPreluBackward": _prelu_backward,
    "aclnnSeluBackward": _selu_backward,
    "aclnnSoftmaxBackward": _softmax_backward,
}
