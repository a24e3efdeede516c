"""Measures an output against its golden in one pass over blocks; extra memory does not depend on the size."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod

import numpy as np
from msgspec.structs import replace

from conformance.differences import integer_differences
from conformance.dtype import DType, Kind
from conformance.float_pass import BLOCK, measure_floats
from conformance.golden import GoldenOutput
from conformance.measure_draws import measure_draws
from conformance.metrics import (
    NO_PROBES,
    RELATIVE_FLOOR,
    CapCount,
    Domain,
    DomainCount,
    DTypeProbes,
    Metrics,
    Number,
    Probes,
    ScaledError,
    ToleranceCount,
    Worst,
)
from conformance.readings import count_mixed, open_places
from conformance.sides import Sides, lay_out, part_dtype
from conformance.tally import Candidate, Domains, Tally
from conformance.tensor import Array, Shape

_NO_INPUTS: Mapping[str, Array] = {}


def measure(
    golden: GoldenOutput,
    output: Array,
    dtype: DType,
    probes: Probes = NO_PROBES,
    inputs: Mapping[str, Array] = _NO_INPUTS,
) -> Metrics:
    """Metrics of one output. Nothing is skipped: NaN and infinities are matched by class, never assumed right.

    ``output`` is contiguous and of ``dtype``'s carrier type. Where the golden has alternatives, every element is
    measured against the admissible answer nearest to it, and so is every draw of a random one. ``inputs`` are looked at
    only at the worst element.
    ValueError for differing shapes, another numpy type, or a golden that is not integral for an integer output.
    """
    measurement = Measurement(dtype, probes)
    measurement.add(golden, output)
    metrics = measurement.metrics(output, inputs)
    if golden.law is None:
        return metrics
    return replace(metrics, draws=measure_draws(golden, output, dtype, probes.of(dtype.name).trials))


class Measurement:
    """Metrics of one output whose golden comes in pieces, in row-major order; each but the last holds whole shares.

    The figures are those of the whole golden at once, bit for bit.
    """

    __slots__ = (
        "_count",
        "_dtype",
        "_first",
        "_is_constant",
        "_is_nan",
        "_open",
        "_probes",
        "_real",
        "_sides",
        "_tally",
    )

    def __init__(self, dtype: DType, probes: Probes) -> None:
        self._dtype, self._real, self._probes = dtype, part_dtype(dtype), probes.of(dtype.name)
        self._count = 0
        self._is_constant = self._is_nan = True
        self._open: list[Array] = []
        self._tally: Tally | None = None
        self._first: Array | None = None
        self._sides: Sides | None = None

    def takes(self, golden: GoldenOutput) -> bool:
        """Whether a golden is of one kind with those before it: all of them have terms, or none."""
        return self._sides is None or (self._sides.terms is None) == (golden.terms is None)

    def add(self, golden: GoldenOutput, output: Array) -> None:
        """Measure the next elements of the output; raises ValueError as ``measure`` does."""
        if output.dtype != self._dtype.carrier:
            raise ValueError(f"output holds {output.dtype}, not {self._dtype}")
        sides = lay_out(golden.beside(output, self._dtype), output, wide=self._real.is_float)
        if not self.takes(golden):
            raise ValueError("some pieces of a golden have terms, others none")
        self._sides = sides
        if not len(sides.output):
            return
        measure_part = measure_floats if self._real.is_float else _measure_integers
        self._tally = measure_part(sides, self._real, self._probes, self._tally, self._count)
        self._look_at_golden(sides, self._tally)
        self._count += len(sides.output)

    def _look_at_golden(self, sides: Sides, tally: Tally) -> None:
        if self._first is None:
            self._first = sides.golden[: sides.parts]
        elif self._is_constant:
            self._is_constant = bool((sides.golden[: sides.parts] == self._first).all())
        self._is_constant = self._is_constant and _is_constant(sides)
        if self._is_nan:
            self._is_nan = tally.golden.nan == self._count + len(sides.output) and bool(np.isnan(sides.golden).all())
        if sides.alternatives and len(places := open_places(sides)):
            self._open.append(places + self._count)

    def metrics(self, output: Array, inputs: Mapping[str, Array] = _NO_INPUTS) -> Metrics:
        """Metrics of the whole output, which is given again, as ``measure`` gives them."""
        assert self._sides is not None
        mixed = count_mixed(np.concatenate(self._open), output, inputs) if self._open else 0
        return self._metrics(self._sides, output.shape, inputs, mixed)

    def _metrics(self, sides: Sides, shape: Shape, inputs: Mapping[str, Array], mixed: int) -> Metrics:
        tally, count, probes = self._tally or Tally.empty(self._probes), self._count, self._probes
        errors, constant = tally.errors, count > 0 and self._is_constant
        has_terms = sides.terms is not None
        return Metrics(
            dtype=self._dtype.name,
            count=count,
            compared=errors.count,
            golden=tally.golden,
            output=tally.output,
            class_mismatches=tally.class_mismatches,
            zero_sign_mismatches=tally.zero_sign_mismatches,
            bit_different=tally.bit_different,
            flushed=tally.flushed,
            zero_for_nonzero=tally.zero_for_nonzero,
            max_abs_error=errors.max_abs,
            mean_abs_error=errors.mean(errors.sum_abs),
            max_rel_error=errors.max_rel,
            mean_rel_error=errors.mean(errors.sum_rel),
            rmse=errors.rmse,
            ulp_histogram=tuple(tally.histogram),
            max_ulp=tally.max_ulp,
            max_step_error=tally.max_steps,
            mixed_readings=mixed,
            term_count=sides.term_count if has_terms else None,
            scaled_errors=tuple(map(ScaledError, probes.slacks, tally.scaled)) if has_terms else (),
            tolerances=tuple(map(ToleranceCount, probes.tolerances, tally.within)),
            caps=tuple(map(CapCount, probes.caps, tally.within_cap)),
            domains=tuple(map(_domain_count, probes.domains, tally.domains)),
            worst=_worst(tally.worst, shape, sides.parts, inputs) if tally.worst else None,
            golden_all_zero=constant and self._first is not None and not self._first.any(),
            golden_all_nan=count > 0 and self._is_nan,
            golden_constant=constant and count > sides.parts,
        )


def _measure_integers(sides: Sides, dtype: DType, probes: DTypeProbes, total: Tally | None, base: int) -> Tally:
    if dtype.kind is Kind.OTHER or any(a.dtype.kind not in "iu" for a in (sides.golden, *sides.alternatives)):
        raise ValueError(f"an output of {dtype} needs an integer golden, not {sides.golden.dtype}")
    tally = Tally.empty(probes) if total is None else total
    for start in range(0, len(sides.output), BLOCK):
        _integer_block(sides, start, start + BLOCK, tally, base)
    return tally


def _integer_block(sides: Sides, start: int, stop: int, tally: Tally, base: int) -> None:
    output, golden = sides.output[start:stop], sides.golden[start:stop]
    if output.dtype == golden.dtype:
        indices = np.flatnonzero(output != golden)
    else:
        indices = np.flatnonzero(integer_differences(output, golden).distance)
    tally.errors.count += len(output) - len(indices)
    tally.histogram[0] += len(output) - len(indices)
    if not len(indices):
        return
    got, want = output[indices], _nearest_integers(sides, start + indices, output[indices])
    found = integer_differences(got, want)
    error = found.distance.astype(np.float64)
    tally.errors.add(np.stack([error, error / (np.abs(want.astype(np.float64)) + RELATIVE_FLOOR)]), len(indices))
    tally.add_differences(found)
    tally.consider(base + start + indices, found, None, got, want)


def _nearest_integers(sides: Sides, where: Array, got: Array) -> Array:
    want: Array = sides.golden[where]
    best = integer_differences(got, want).distance
    for alternative in sides.alternatives:
        other = alternative[where].astype(want.dtype, copy=False)
        distance = integer_differences(got, other).distance
        want, best = np.where(distance < best, other, want), np.minimum(distance, best)
    return want


def _domain_count(domain: Domain, found: Domains) -> DomainCount:
    large = found.large
    mean = large.mean(large.sum_rel)
    return DomainCount(domain, found.small, found.small_errors, large.count, large.max_rel, mean, large.rmse)


def _is_constant(sides: Sides) -> bool:
    """Whether all goldens are the same number; stops at the first block that says no."""
    golden, parts = sides.golden, sides.parts
    first = golden[:parts]
    if golden[-1] != first[-1]:
        return False
    blocks = (golden[start : start + BLOCK].reshape(-1, parts) for start in range(0, len(golden), BLOCK))
    return all(bool((block == first).all()) for block in blocks)


def _worst(candidate: Candidate, shape: Shape, parts: int, inputs: Mapping[str, Array]) -> Worst:
    mismatch, _, ulp = candidate.rank
    got, expected = _number(candidate.got), _number(candidate.expected)
    error = float(abs(got - expected))
    where = _position(candidate.index // parts, shape)
    return Worst(
        index=candidate.index,
        position=where if parts == 1 else (*where, candidate.index % parts),
        got=got,
        expected=expected,
        class_mismatch=mismatch,
        ulp=ulp,
        abs_error=error,
        rel_error=error / (float(abs(expected)) + RELATIVE_FLOOR),
        inputs={
            name: _number(a[at]) for name, a in inputs.items() if (at := _place(a.shape, where, shape)) is not None
        },
    )


def _position(index: int, shape: Shape) -> Shape:
    """Multi-index of an element that is counted in row-major order."""
    reversed_position = []
    for extent in reversed(shape):
        index, at = divmod(index, extent)
        reversed_position.append(at)
    return tuple(reversed(reversed_position))


def _place(shape: Shape, where: Shape, full: Shape) -> Shape | None:
    """Index into an array that broadcasts from ``shape`` to ``full``; None when it does not."""
    lead = len(full) - len(shape)
    if lead < 0 or not prod(shape) or any(a not in (1, b) for a, b in zip(shape, full[lead:], strict=True)):
        return None
    return tuple(0 if extent == 1 else at for extent, at in zip(shape, where[lead:], strict=True))


def _number(scalar: Array) -> Number:
    kind = scalar.dtype.kind
    if kind in "iu":
        return int(scalar)
    return complex(scalar) if kind == "c" else float(scalar)
