"""Rule kinds: each turns metrics of one dtype into met, not met or cannot judge, and says what it needs measured."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from typing import Any, Protocol

from msgspec import Struct

from conformance.dtype import DTYPES
from conformance.metrics import Cap, Domain, DomainCount, DTypeProbes, Metrics, Tolerance


class Judgement(Struct, frozen=True):
    """What a standard says. ``met`` None means it cannot judge.

    ``headroom`` is error ÷ limit: 0 is perfect, 1 exactly at the limit, infinite where nothing is allowed or a class
    differs. Where a rule's own quotient is not among the metrics it is an upper bound, at most 1 when met.
    """

    met: bool | None
    headroom: float | None
    reason: str


def cannot_judge(reason: str) -> Judgement:
    """Judgement without a verdict."""
    return Judgement(None, None, reason)


class Rule(Protocol):
    """One rule with its numbers for one dtype filled in."""

    def judge(self, metrics: Metrics, benchmark: Metrics | None) -> Judgement:
        """Judgement on metrics without class mismatches."""
        ...

    def probes(self) -> DTypeProbes:
        """What must be counted for this rule."""
        ...


_NOTHING = DTypeProbes(slacks=())


def quotient(error: float, limit: float) -> float:
    """Error ÷ limit, where nothing over nothing is 0 and something over nothing infinite."""
    if error == 0:
        return 0.0
    return error / limit if limit > 0 else inf


def _compare(what: str, error: float, limit: float, unit: str = "") -> Judgement:
    """Met when error ≤ limit; an error that is NaN is not met."""
    met = error <= limit
    word = "≤" if met else ">"
    return Judgement(met, quotient(error, limit), f"{what} {error:.4g}{unit} {word} {limit:.4g}{unit}")


def _forbidden_flush(metrics: Metrics) -> Judgement:
    return Judgement(False, inf, f"{metrics.flushed} subnormal results flushed to zero, which this rule forbids")


@dataclass(frozen=True, slots=True)
class Exact:
    """Every element is the rounded golden bit for bit, NaN payload and sign of zero aside."""

    flush: bool = False

    def judge(self, metrics: Metrics, benchmark: Metrics | None) -> Judgement:
        """Met when no element differs; flushed subnormals count unless ``flush`` allows them."""
        different = metrics.bit_different - (metrics.flushed if self.flush else 0)
        reason = f"{different} of {metrics.count} elements differ from the golden, 0 allowed"
        return Judgement(different == 0, quotient(different, 0), reason)

    def probes(self) -> DTypeProbes:
        """Nothing beyond the usual metrics."""
        return _NOTHING


@dataclass(frozen=True, slots=True)
class Ulp:
    """No element is further than ``ulps`` from the golden rounded to the dtype."""

    ulps: float
    flush: bool = True

    def judge(self, metrics: Metrics, benchmark: Metrics | None) -> Judgement:
        """Met when the largest ULP distance is within the limit."""
        if metrics.flushed and not self.flush:
            return _forbidden_flush(metrics)
        return _compare("max error", metrics.max_ulp, self.ulps, " ULP")

    def probes(self) -> DTypeProbes:
        """Nothing beyond the usual metrics."""
        return _NOTHING


@dataclass(frozen=True, slots=True)
class Nearest:
    """Every element is the golden rounded to nearest, give or take ``ulps`` of the ``arithmetic`` before rounding.

    The error is at most 0.5 steps of the output and ``ulps`` steps of the arithmetic, whose relative size is largest
    just above a power of two. Subnormal results may be flushed unless ``flush`` is off.
    """

    ulps: float
    arithmetic: str
    flush: bool = True

    def judge(self, metrics: Metrics, benchmark: Metrics | None) -> Judgement:
        """Met when the largest error in steps is within the limit."""
        if metrics.flushed and not self.flush:
            return _forbidden_flush(metrics)
        return _compare("max error", metrics.max_step_error, self.limit(metrics.dtype), " steps")

    def limit(self, dtype_name: str) -> float:
        """Largest admissible error in steps of the output's dtype."""
        digits = DTYPES[dtype_name].mantissa - DTYPES[self.arithmetic].mantissa
        return 0.5 + self.ulps * 2.0 ** (digits + 1)

    def probes(self) -> DTypeProbes:
        """Nothing beyond the usual metrics."""
        return _NOTHING


@dataclass(frozen=True, slots=True)
class Within:
    """|output - golden| ≤ atol + rtol·|golden| on a share ``matched`` of the elements, and none beyond a cap.

    The cap, where there is one, is ``limit`` or ``limit_ulps`` ULP of the golden, whichever is larger.
    """

    rtol: float
    atol: float
    matched: float = 1.0
    limit: float | None = None
    limit_ulps: float = 0.0

    def judge(self, metrics: Metrics, benchmark: Metrics | None) -> Judgement:
        """Met when enough elements are within the tolerance and all are within the cap."""
        within = metrics.within(self._tolerance)
        capped = metrics.within_cap(self._cap) if self._cap else metrics.compared
        if within is None or capped is None:
            return cannot_judge(f"the record does not count elements within rtol {self.rtol:g}, atol {self.atol:g}")
        ratio = within / metrics.compared if metrics.compared else 1.0
        words = f"{within} of {metrics.compared} elements within rtol {self.rtol:g}, atol {self.atol:g}"
        if not ratio >= self.matched:
            return Judgement(False, quotient(1.0 - ratio, 1.0 - self.matched), f"{words}; {self.matched:.4g} needed")
        if self._cap is not None and capped < metrics.compared:
            beyond = f"{metrics.compared - capped} elements beyond {self.limit:g} and {self.limit_ulps:g} ULP"
            headroom = quotient(metrics.max_abs_error, self._cap.limit)
            return Judgement(False, headroom, f"{beyond}; max absolute error {metrics.max_abs_error:.4g}")
        return Judgement(True, self._headroom(metrics, 1.0 - ratio), words)

    def _headroom(self, metrics: Metrics, missed: float) -> float:
        by_element = min(quotient(metrics.max_abs_error, self.atol), quotient(metrics.max_rel_error, self.rtol), 1.0)
        used = quotient(missed, 1.0 - self.matched) if self.matched < 1.0 else by_element
        capped = min(quotient(metrics.max_abs_error, self.limit), 1.0) if self.limit is not None else 0.0
        return max(used, capped)

    @property
    def _tolerance(self) -> Tolerance:
        return Tolerance(self.rtol, self.atol)

    @property
    def _cap(self) -> Cap | None:
        return None if self.limit is None else Cap(self.limit, self.limit_ulps)

    def probes(self) -> DTypeProbes:
        """The tolerance and the cap."""
        return DTypeProbes((self._tolerance,), (self._cap,) if self._cap else (), slacks=())


@dataclass(frozen=True, slots=True)
class MeanAndMax:
    """Mean relative error below ``mean`` and largest relative error below ``maximum``, both strictly.

    Among subnormal numbers rounding alone may pass these limits, so that errors may instead be counted in steps of the
    type: a step is at most the type's ε of a normal number, and no subnormal one has a finer one.
    """

    mean: float
    maximum: float

    def judge(self, metrics: Metrics, benchmark: Metrics | None) -> Judgement:
        """Met when both relative errors are below their limits, as they are or in steps."""
        errors = metrics.mean_rel_error, metrics.max_rel_error
        said = (
            f"mean relative error {metrics.mean_rel_error:.4g} (must be < {self.mean:.4g}), "
            f"max relative error {metrics.max_rel_error:.4g} (must be < {self.maximum:.4g})"
        )
        if self._are_met(*errors):
            return Judgement(True, self._used(*errors), said)
        steps = _relative_steps(metrics)
        if self._are_met(*steps):
            return Judgement(True, self._used(*steps), "relative errors beyond the limits among subnormal numbers only")
        return Judgement(False, self._used(*errors), said)

    def _are_met(self, mean: float, largest: float) -> bool:
        return mean < self.mean and largest < self.maximum

    def _used(self, mean: float, largest: float) -> float:
        return max(quotient(mean, self.mean), quotient(largest, self.maximum))

    def probes(self) -> DTypeProbes:
        """Nothing beyond the usual metrics."""
        return _NOTHING


def _relative_steps(metrics: Metrics) -> tuple[float, float]:
    """Bounds on mean and largest relative error of normal numbers: half a step for rounding, and steps counted as ε."""
    epsilon = 2 * DTYPES[metrics.dtype].unit
    edges = [0, *(2**n for n in range(len(metrics.ulp_histogram) - 2)), metrics.max_ulp]
    steps = sum(count * edge for count, edge in zip(metrics.ulp_histogram, edges, strict=True) if count)
    return (steps / max(metrics.compared, 1) + 0.5) * epsilon, (metrics.max_ulp + 0.5) * epsilon


@dataclass(frozen=True, slots=True)
class DualBenchmark:
    """Errors are compared with those of a trusted operator of the same precision, the benchmark.

    Above the small-value ``threshold`` the ratios of largest and mean relative error and of RMSE are bounded, with
    ``floor`` the least the benchmark's error counts as; below it the ratio of errors over ``error_limit``.
    """

    threshold: float
    error_limit: float
    max_ratio: float
    mean_ratio: float
    rmse_ratio: float
    count_ratio: float
    floor: float = 0.0

    def judge(self, metrics: Metrics, benchmark: Metrics | None) -> Judgement:
        """Met when all four ratios are within their limits; cannot judge without a benchmark."""
        if benchmark is None:
            return cannot_judge("no benchmark of the same precision to compare with")
        ours, theirs = metrics.domain(self._domain), benchmark.domain(self._domain)
        if ours is None or theirs is None:
            return cannot_judge(f"the record does not split elements at {self.threshold:g}")
        ratios = self._ratios(ours, theirs)
        name, ratio, limit = max(ratios, key=lambda entry: quotient(entry[1], entry[2]))
        return _compare(f"{name} over the benchmark's", ratio, limit)

    def _ratios(self, ours: DomainCount, theirs: DomainCount) -> list[tuple[str, float, float]]:
        return [
            ("max relative error", self._ratio(ours.large_max_rel, theirs.large_max_rel), self.max_ratio),
            ("mean relative error", self._ratio(ours.large_mean_rel, theirs.large_mean_rel), self.mean_ratio),
            ("RMSE", self._ratio(ours.large_rmse, theirs.large_rmse), self.rmse_ratio),
            ("count of errors on small values", ours.small_errors / max(theirs.small_errors, 1), self.count_ratio),
        ]

    def _ratio(self, ours: float, theirs: float) -> float:
        return quotient(ours, max(theirs, self.floor))

    @property
    def _domain(self) -> Domain:
        return Domain(self.threshold, self.error_limit)

    def probes(self) -> DTypeProbes:
        """The small-value domain."""
        return DTypeProbes(domains=(self._domain,), slacks=())


@dataclass(frozen=True, slots=True)
class Scaled:
    """Error beyond ``slack`` ULP is at most (own·u + (constant + per_term·n)·v)·Σ|terms|.

    u is the unit roundoff of the output's dtype, v that of the ``arithmetic`` dtype, n the number of terms.
    """

    constant: float
    per_term: float
    arithmetic: str
    own: float
    slack: float
    flush: bool = True

    def __post_init__(self) -> None:
        if self.slack < 0.5:
            raise ValueError("a slack below half an ULP would blame correct rounding")

    def judge(self, metrics: Metrics, benchmark: Metrics | None) -> Judgement:
        """Met when the largest scaled error is within the limit; cannot judge without terms."""
        error = metrics.scaled_error(self.slack)
        if error is None or metrics.term_count is None:
            return cannot_judge(f"no error scaled by the terms' size, with {self.slack:g} ULP slack, is recorded")
        if metrics.flushed and not self.flush:
            return _forbidden_flush(metrics)
        what = f"error beyond {self.slack:g} ULP, of {metrics.term_count} terms,"
        return _compare(what, error, self.limit(metrics.dtype, metrics.term_count), " u·Σ|terms|")

    def limit(self, dtype_name: str, term_count: int) -> float:
        """Largest admissible scaled error, in unit roundoffs of the output's dtype."""
        unit = DTYPES[self.arithmetic].unit / DTYPES[dtype_name].unit
        return self.own + (self.constant + self.per_term * term_count) * unit

    def probes(self) -> DTypeProbes:
        """The scaled error with this slack."""
        return DTypeProbes(slacks=(self.slack,))


KINDS: Mapping[str, Any] = {
    "exact": Exact,
    "ulp": Ulp,
    "nearest": Nearest,
    "within": Within,
    "mean_and_max": MeanAndMax,
    "dual_benchmark": DualBenchmark,
    "scaled": Scaled,
}
"""Rule kinds by the word that standards.json uses; the numbers there are the fields here."""
