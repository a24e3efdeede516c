"""Measures an output against its golden in one pass over blocks; extra memory does not depend on the size."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import prod

import numpy as np

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
from conformance.readings import count_mixed
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
    if output.dtype != dtype.carrier:
        raise ValueError(f"output holds {output.dtype}, not {dtype}")
    real, asked = part_dtype(dtype), probes.of(dtype.name)
    sides = lay_out(golden.beside(output, dtype), output, wide=real.is_float)
    if not len(sides.output):
        tally = Tally(asked)
    elif real.is_float:
        tally = measure_floats(sides, real, asked)
    else:
        tally = _measure_integers(sides, real, asked)
    metrics = _metrics(tally, sides, dtype, output.shape, inputs)
    return metrics if golden.law is None else replace(metrics, draws=measure_draws(golden, output, dtype, asked.trials))


def _measure_integers(sides: Sides, dtype: DType, probes: DTypeProbes) -> Tally:
    if dtype.kind is Kind.OTHER or any(a.dtype.kind not in "iu" for a in (sides.golden, *sides.alternatives)):
        raise ValueError(f"an output of {dtype} needs an integer golden, not {sides.golden.dtype}")
    tally = Tally(probes)
    for start in range(0, len(sides.output), BLOCK):
        _integer_block(sides, start, start + BLOCK, tally)
    return tally


def _integer_block(sides: Sides, start: int, stop: int, tally: Tally) -> None:
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
    tally.consider(start + indices, found, None, got, want)


def _nearest_integers(sides: Sides, where: Array, got: Array) -> Array:
    want: Array = sides.golden[where]
    best = integer_differences(got, want).distance
    for alternative in sides.alternatives:
        other = alternative[where].astype(want.dtype, copy=False)
        distance = integer_differences(got, other).distance
        want, best = np.where(distance < best, other, want), np.minimum(distance, best)
    return want


def _metrics(tally: Tally, sides: Sides, dtype: DType, shape: Shape, inputs: Mapping[str, Array]) -> Metrics:
    count, errors, probes = len(sides.output), tally.errors, tally.probes
    constant = count > 0 and _is_constant(sides)
    has_terms = sides.terms is not None
    return Metrics(
        dtype=dtype.name,
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
        mixed_readings=count_mixed(sides, shape, inputs),
        term_count=sides.term_count if has_terms else None,
        scaled_errors=tuple(map(ScaledError, probes.slacks, tally.scaled)) if has_terms else (),
        tolerances=tuple(map(ToleranceCount, probes.tolerances, tally.within)),
        caps=tuple(map(CapCount, probes.caps, tally.within_cap)),
        domains=tuple(map(_domain_count, probes.domains, tally.domains)),
        worst=_worst(tally.worst, shape, sides.parts, inputs) if tally.worst else None,
        golden_all_zero=constant and not sides.golden[: sides.parts].any(),
        golden_all_nan=0 < count == tally.golden.nan and bool(np.isnan(sides.golden).all()),
        golden_constant=constant and count > sides.parts,
    )


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
    where = tuple(map(int, np.unravel_index(candidate.index // parts, shape)))
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


def _place(shape: Shape, where: Shape, full: Shape) -> Shape | None:
    """Index into an array that broadcasts from ``shape`` to ``full``; None when it does not."""
    lead = len(full) - len(shape)
    if lead < 0 or not prod(shape) or any(a not in (1, b) for a, b in zip(shape, full[lead:], strict=True)):
        return None
    return tuple(0 if extent == 1 else at for extent, at in zip(shape, where[lead:], strict=True))


def _number(scalar: Array) -> Number:
    kind = np.asarray(scalar).dtype.kind
    if kind in "iu":
        return int(scalar)
    return complex(scalar) if kind == "c" else float(scalar)
