"""The variants by name: what each does differently, and how its runner is built from the simulator's parts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial

from conformance.contract import Contract
from conformance.runner import Runner
from conformance.tensor import Array
from runners.simulator.kernel import Kernel, KernelCall
from runners.simulator.kernel_lookup import find_kernel
from runners.simulator.runner import SimulatorRunner
from runners.simulator.tiling import PLANS, PlanFunction
from runners.simulator.vector_unit import VectorUnit
from runners.variants import functions, summation
from runners.variants.formulas import OTHER_FORMS, OTHER_READINGS, Formulas
from runners.variants.precision import Float64Unit, FlushingUnit, keeping_intermediates_wide
from runners.variants.summation import FusedMultiplyAdd, OrderedSums
from runners.variants.surroundings import (
    OtherMessages,
    in_reverse,
    on_cores,
    with_larger_workspace,
    with_other_nans,
    with_other_zeros,
)
from runners.variants.unary_formulas import UNARY_FORMS, UNARY_READINGS

Make = Callable[[], Runner]
Change = Callable[[Contract, Kernel], Kernel]


@dataclass(frozen=True, slots=True)
class Variant:
    """A conforming implementation: its name, what is different about it, and its runner."""

    name: str
    about: str
    make: Make


def _changed(change: Change) -> Make:
    """The simulator with every kernel changed."""

    def lookup(contract: Contract) -> Kernel | None:
        kernel = find_kernel(contract)
        return None if kernel is None else change(contract, kernel)

    return partial(SimulatorRunner, kernels=lookup)


def _kernel(change: Callable[[Kernel], Kernel]) -> Make:
    return _changed(lambda _, kernel: change(kernel))


def _unit(unit: VectorUnit) -> Make:
    return _changed(lambda _, kernel: _computing(kernel, lambda call: kernel.compute(replace(call, unit=unit))))


def _results(change: Callable[[Mapping[str, Array]], Mapping[str, Array]]) -> Make:
    return _changed(lambda _, kernel: _computing(kernel, lambda call: change(kernel.compute(call))))


def _formulas(formulas: Formulas) -> Make:
    return _changed(lambda contract, kernel: _computing(kernel, formulas.get(contract.api, kernel.compute)))


def _computing(kernel: Kernel, compute: Callable[[KernelCall], Mapping[str, Array]]) -> Kernel:
    return replace(kernel, compute=compute)


def _plans(change: Callable[[PlanFunction], PlanFunction]) -> Make:
    return partial(SimulatorRunner, plans={name: change(plan) for name, plan in PLANS.items()})


VARIANTS: Mapping[str, Variant] = {
    variant.name: variant
    for variant in (
        Variant("plain", "the simulator as it is", SimulatorRunner),
        Variant("sequential", "sums: one term after another", _unit(OrderedSums(summation.sequential))),
        Variant("pairwise", "sums: a binary tree", _unit(OrderedSums(summation.pairwise))),
        Variant("by_cores", "sums: a block a core, then the cores", _unit(OrderedSums(summation.by_cores))),
        Variant("fused_multiply_add", "products go into sums unrounded", _unit(FusedMultiplyAdd())),
        Variant("float64", "everything in float64, rounded once", _unit(Float64Unit())),
        Variant(
            "wide_intermediates",
            "16-bit intermediates held in float32",
            _kernel(keeping_intermediates_wide),
        ),
        Variant("exp2", "exponential through powers of two", _unit(functions.ExponentialOfTwo())),
        Variant("polynomial_exp", "exponential by a polynomial of degree 6", _unit(functions.PolynomialExponential())),
        Variant("two_sided_sigmoid", "sigmoid from exp(-|x|)", _unit(functions.TwoSidedLogistic())),
        Variant("tanh_sigmoid", "sigmoid from tanh above -1", _unit(functions.TanhLogistic())),
        Variant("reciprocal", "division by way of the reciprocal", _unit(functions.ReciprocalDivision())),
        Variant("coarse_functions", "exp up to 3 ULP off, quotients up to 2", _unit(functions.CoarseFunctions())),
        Variant("flush", "subnormal results are 0", _unit(FlushingUnit(operands=False))),
        Variant("flush_operands", "subnormal operands and results are 0", _unit(FlushingUnit(operands=True))),
        Variant("other_forms", "formulas rearranged", _formulas({**OTHER_FORMS, **UNARY_FORMS})),
        Variant(
            "other_readings",
            "the other branch where documents are silent",
            _formulas({**OTHER_READINGS, **UNARY_READINGS}),
        ),
        Variant("nan_bits", "NaNs with sign and all fraction bits set", _results(with_other_nans)),
        Variant("zero_signs", "zeros with the other sign", _results(with_other_zeros)),
        Variant("reversed_tiles", "tiles from the last to the first", _plans(in_reverse)),
        Variant("one_core", "everything on one core", _plans(partial(on_cores, count=1))),
        Variant("many_cores", "a core for every vector step", _plans(partial(on_cores, count=None))),
        Variant("larger_workspace", "64 KiB more workspace", _kernel(with_larger_workspace)),
        Variant("other_messages", "error texts in other words", OtherMessages),
    )
}
