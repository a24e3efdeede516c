"""A complete runner: SiLU and hard shrink in numpy. Of all refusals it knows null pointers; the rest is unsupported."""

from __future__ import annotations

import numpy as np

from conformance.call import Action, Argument, Call, Scalar
from conformance.outcome import Outcome, StepResult, Unsupported, outcome_of
from conformance.product import Product
from conformance.runner import RunnerInfo
from conformance.status import CODES, SUCCESS
from conformance.tensor import Tensor

APIS, PRODUCTS = ("aclnnSilu", "aclnnHardshrink"), ("ascend910b", "ascend910_93")
DTYPES = ("float16", "bfloat16", "float32")


class NumpyRunner:
    def describe(self) -> RunnerInfo:
        return RunnerInfo("numpy-example", "1", facts={"numpy": np.__version__})

    def supports(self, api: str, product: Product) -> str | None:
        return None if api in APIS and product.name in PRODUCTS else f"{api} is not written for {product}"

    def run(self, call: Call) -> Outcome:
        if [step.action for step in call.steps] != [Action.WORKSPACE, Action.RUN] or call.steps[1].nulls:
            return Unsupported("only phase 1 and then phase 2, each once")
        workspace, run = call.steps
        nulls = workspace.nulls | {p.name for p in call.parameters if p.is_pointer and call.arguments[p.name] is None}
        if nulls:
            refused = StepResult(workspace, CODES["PARAM_NULLPTR"], f"null: {', '.join(sorted(nulls))}")
            return outcome_of([refused, StepResult(run, None, "there is no executor to run")])
        return compute(call.arguments["self"], call.arguments.get("lambd"), call.arguments["out"]) or outcome_of(
            [StepResult(workspace, SUCCESS), StepResult(run, SUCCESS)], workspace_bytes=0
        )


def compute(x: Argument, limit: Argument, out: Argument) -> Unsupported | None:
    """Write ``out``, strided or not; what a full implementation would refuse or cast is unsupported here."""
    if not isinstance(x, Tensor) or not isinstance(out, Tensor) or x.dtype.name not in DTYPES or len(x.shape) > 8:
        return Unsupported("only float tensors of up to 8 dimensions")
    if (x.shape, x.dtype) != (out.shape, out.dtype):
        return Unsupported("only an output of the input's shape and type")
    wide = x.view().astype(np.float32)
    with np.errstate(all="ignore"):
        if isinstance(limit, Scalar):
            result = np.where(np.abs(wide) <= limit.value, np.float32(0), wide)
        else:
            result = wide / (1 + np.exp(-wide))
        out.view()[...] = result.astype(out.dtype.numpy)
    return None
