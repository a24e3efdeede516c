"""The reference as the suite sees it: goldens and benchmarks of calls, and a runner that answers them."""

from __future__ import annotations

from collections.abc import Mapping

import torch

from conformance.call import Action, Call, Step, with_executors
from conformance.errors import BrokenReference
from conformance.golden import Following, Golden, GoldenOutput
from conformance.outcome import Broken, Outcome, StepResult, Unsupported, outcome_of
from conformance.product import Product
from conformance.runner import RunnerInfo
from conformance.signature import Role
from conformance.status import SUCCESS
from conformance.tensor import SECOND_FILL_BYTE, Array, Tensor
from runners.reference import origin
from runners.reference.arguments import Answer, Answers, Arguments, Benchmark, Follows
from runners.reference.convert import TORCH, is_convertible, to_numpy
from runners.reference.delivery import deliver, following, golden_output
from runners.reference.formulas import Formula, formula_of

UNCHECKED = "the reference does not check arguments"


class ReferenceRunner:
    """Reference and runner in one; as a runner it delivers goldens, checks nothing and refuses nothing."""

    def __init__(self) -> None:
        # One thread: a float64 sum split over threads would change its last bits with the number of cores.
        torch.set_num_threads(1)

    def describe(self) -> RunnerInfo:
        """Name, version and the versions of the libraries that compute goldens."""
        return origin.describe()

    def basis(self) -> str:
        """Everything beside a call that its golden depends on, one a line."""
        return origin.basis()

    def supports(self, api: str, product: Product) -> str | None:
        """None when there is a formula for ``api``; formulas are the same on every product."""
        return None if formula_of(api) else f"the reference has no formula for {api}"

    def golden(self, call: Call) -> Golden | Unsupported:
        """Golden of every output, {} when an input is empty; raises BrokenReference if the formula fails."""
        formula = _formula(call)
        if isinstance(formula, Unsupported):
            return formula
        outputs = dict(call.tensors(written=True))
        answers = _evaluate(formula, Arguments(call))
        flushed = _evaluate(formula, Arguments(call, flush=True)) if _may_flush(call, answers) else {}
        return {
            name: _golden_of(name, answer, outputs[name], flushed.get(name))
            for name, answer in answers.items()
            if name in outputs
        }

    def benchmark(self, call: Call) -> Mapping[str, Array] | None:
        """Torch's own operator in the outputs' precision; None where it has none or an input is empty."""
        formula = _formula(call)
        if isinstance(formula, Unsupported) or formula.benchmark is None or _is_empty(call):
            return None
        results: Benchmark = formula.benchmark(Arguments(call))
        if results is None:
            return None
        outputs = dict(call.tensors(written=True))
        return {
            name: to_numpy(value.to(TORCH[outputs[name].dtype.name]))
            for name, value in results.items()
            if is_convertible(outputs[name].dtype)
        }

    def run(self, call: Call) -> Outcome:
        """Succeed in phase 1 with workspace 0, then write the golden into the outputs."""
        reason = _inexpressible(call)
        if reason is not None:
            return Unsupported(reason)
        results = []
        for step in call.steps:
            try:
                refusal = self._step(step, call)
            except BrokenReference as error:
                return Broken(str(error))
            if refusal is not None:
                return refusal
            results.append(StepResult(step, SUCCESS))
        return outcome_of(results, workspace_bytes=0)

    def _step(self, step: Step, call: Call) -> Unsupported | None:
        if step.action is Action.REFILL:
            call.refill_outputs(SECOND_FILL_BYTE)
        if step.action is not Action.RUN:
            return None
        golden = self.golden(call)
        if isinstance(golden, Unsupported):
            return golden
        outputs = dict(call.tensors(written=True))
        for name, output in golden.items():
            if not isinstance(output, Following):
                deliver(output, outputs[name])
        given = {name: tensor.array() for name, tensor in outputs.items()}
        for name, output in golden.items():
            if isinstance(output, Following):
                deliver(output.golden(given), outputs[name])
        return None


def _golden_of(
    name: str, answer: Answer | Follows, output: Tensor, flushed: Answer | Follows | None
) -> GoldenOutput | Following:
    if isinstance(answer, Follows):
        return following(name, answer, output, flushed if isinstance(flushed, Follows) else None)
    return golden_output(name, answer, output, flushed if isinstance(flushed, Answer) else None)


def _formula(call: Call) -> Formula | Unsupported:
    formula = formula_of(call.api)
    if formula is None:
        return Unsupported(f"the reference has no formula for {call.api}")
    for parameter in call.parameters:
        argument = call.arguments.get(parameter.name)
        if argument is None and parameter.is_pointer and not parameter.optional:
            return Unsupported(f"{UNCHECKED}: {parameter.name} is null")
        if isinstance(argument, Tensor) and argument.dtype.carrier is None:
            return Unsupported(f"torch cannot hold {parameter.name} of {argument.dtype.name}")
    return formula


def _may_flush(call: Call, answers: Answers) -> bool:
    """Whether arithmetic on subnormal operands is part of some answer."""
    return any(not answer.selects for answer in answers.values()) and Arguments(call).has_subnormals


def _evaluate(formula: Formula, arguments: Arguments) -> Answers:
    call = arguments.call
    if _is_empty(call):
        return {}
    try:
        return formula.golden(arguments)
    except (RuntimeError, ValueError, TypeError, IndexError) as error:
        raise BrokenReference(f"the formula of {call.api} cannot take these arguments: {error}") from error


def _is_empty(call: Call) -> bool:
    inputs = (call.arguments.get(p.name) for p in call.parameters if p.role is not Role.OUTPUT)
    return any(isinstance(argument, Tensor) and argument.numel == 0 for argument in inputs)


def _inexpressible(call: Call) -> str | None:
    """Why the protocol steps need what the reference lacks: null checks, or phase 1's executor."""
    for step, ready in with_executors(call.steps):
        if step.nulls:
            return f"{UNCHECKED}: {step}"
        if step.action is Action.RUN and not ready:
            return f"{UNCHECKED}: no executor to run"
    return None
