"""How far each element of an output may stand from its golden: a standard's rule as one number an element.

Simpler than the suite's own judgement where that costs a short program little: rules that count elements or need a
benchmark have no such number, and at the overflow edge no exception is made.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from conformance.dtype import DType
from conformance.errors import ConformanceError
from conformance.golden import GoldenOutput
from conformance.random_rules import Distribution
from conformance.rounding import FloatFormat, float_format, rounded
from conformance.rules import Exact, Nearest, Rule, Scaled, Ulp, Within
from conformance.standard import ComparisonClass, Standard
from conformance.tensor import Array


class CannotReproduce(ConformanceError):
    """A case that no standalone program can be written for."""


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """One admissible answer: float64 ``values`` and the allowed absolute differences, flat in row-major order."""

    values: Array
    tolerances: Array

    @property
    def allowed(self) -> Array:
        """The tolerances, or only one where all are the same."""
        first = self.tolerances[:1]
        return first if (self.tolerances == first).all() else self.tolerances


def answers(
    golden: GoldenOutput, dtype: DType, comparison: ComparisonClass, standard: Standard
) -> Iterator[tuple[Answer, str]]:
    """Every admissible answer, with its rule in words; raises CannotReproduce for rules without such a number."""
    for value in golden.admissible:
        flat = np.ascontiguousarray(value).reshape(-1)
        if not dtype.is_float:
            yield Answer(flat.astype(np.float64), np.zeros(flat.size)), "equal"
            continue
        rule = standard.rule_for(dtype.name, comparison, golden.terms is not None)
        terms = None if golden.terms is None else golden.terms.reshape(-1)
        yield _answer(flat, terms, golden.term_count, dtype, rule)


def _answer(exact: Array, terms: Array | None, term_count: int, dtype: DType, rule: Rule | None) -> tuple[Answer, str]:
    form = float_format(dtype)
    with np.errstate(all="ignore"):
        near = rounded(exact, dtype).astype(np.float64)
        size = np.where(np.isfinite(near), np.abs(near), 0.0)
        if isinstance(rule, Exact | Distribution):
            return Answer(near, np.zeros(near.size)), "equal"
        if isinstance(rule, Ulp):
            return Answer(near, _flushed(form, size, rule.ulps * form.ulp(size))), f"within {rule.ulps:g} ULP"
        if isinstance(rule, Nearest):
            steps = rule.limit(dtype.name)
            tolerances = _flushed(form, size, steps * form.ulp(np.maximum(size, form.smallest_subnormal)))
            return Answer(np.where(np.isfinite(near), exact, near), tolerances), f"within {steps:.4g} ULP"
        if isinstance(rule, Within):
            text = f"within {rule.atol:g} + {rule.rtol:g} of the value"
            return Answer(near, rule.atol + rule.rtol * size), text
        if isinstance(rule, Scaled) and terms is not None:
            unrounded = np.where(np.isfinite(near), exact, near)
            tolerances, text = _scaled(rule, terms, term_count, dtype, form, size)
            return Answer(unrounded, tolerances), text
    raise CannotReproduce(f"the standard's rule for {dtype} outputs is no bound on single elements")


def _flushed(form: FloatFormat, size: Array, tolerances: Array) -> Array:
    """Subnormal results may be flushed to zero."""
    return np.where(size < form.arithmetic_normal, np.maximum(tolerances, size), tolerances)


def _scaled(
    rule: Scaled, terms: Array, term_count: int, dtype: DType, form: FloatFormat, size: Array
) -> tuple[Array, str]:
    factor = rule.limit(dtype.name, term_count) * form.unit
    error = factor * np.where(np.isfinite(terms), terms, 0.0)
    underflow = term_count * (form.smallest_subnormal / 2 + form.arithmetic_normal)
    tolerances = _flushed(form, size, error + rule.slack * form.ulp(size + error) + underflow)
    return tolerances, f"within {factor:.3g} of the sum of {term_count} terms' sizes and {rule.slack:g} ULP"
