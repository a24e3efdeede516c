"""Counts a block of numbers in one compiled pass: what ``array_pass`` counts array by array, bit for bit.

The compiler is numba, which not every installation has; ``float_pass`` loads this module where that pays. A block that
holds anything but numbers, or where a zero or a sign differs, is left to ``array_pass``, which knows the rules for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import inf

import numpy as np

from conformance.compiled import is_kept as is_kept
from conformance.dtype import DTYPES, DType
from conformance.fused_loops import CHUNK, MOST_ABS, MOST_REL, MOST_STEPS, PLACES, SCALED, Format, Terms, count
from conformance.metrics import ULP_BINS, Domain, DTypeProbes
from conformance.rounding import FloatFormat, float_format
from conformance.sides import Sides
from conformance.tally import Candidate, Domains, Errors, Tally
from conformance.tensor import Array


@dataclass(frozen=True, slots=True, eq=False)
class _Asked:
    """What is counted of outputs of one dtype, as the compiled pass takes it."""

    form: Format
    domain: tuple[float, float]
    limits: tuple[Array, Array]
    slacks: Array
    no_terms: Terms

    @classmethod
    def of(cls, dtype: DType, probes: DTypeProbes) -> _Asked:
        """Of a dtype and probes that ``can_count`` admits."""
        domain = probes.domains[0] if probes.domains else Domain(0.0, inf)
        tolerances = np.array([(probe.rtol, probe.atol) for probe in probes.tolerances], np.float64).reshape(-1, 2)
        caps = np.array([(probe.limit, probe.ulps) for probe in probes.caps], np.float64).reshape(-1, 2)
        slacks = np.array(probes.slacks, np.float64)
        return cls(
            _format(float_format(dtype)),
            (float(domain.threshold), float(domain.error_limit)),
            (tolerances, caps),
            slacks,
            Terms(_as_read_only(np.empty(0)), 0.0, 0.0, slacks),
        )


_asked = lru_cache(maxsize=32)(_Asked.of)


class FusedPass:
    """Counts up to ``blocks`` blocks of ``size`` elements at once, in scratch memory of its own."""

    def __init__(self, dtype: DType, probes: DTypeProbes, size: int, blocks: int) -> None:
        self._dtype, self._probes, self._size, self._asked = dtype, probes, size, _asked(dtype, probes)
        self._wide = np.empty(size * blocks if dtype.bits < 16 else 0, np.float32)
        self._scratch = np.empty((6, min(size, CHUNK))), np.empty((2, size))
        self._found, self._bins = np.empty((blocks, PLACES), np.int64), np.empty((blocks, len(ULP_BINS)), np.int64)
        self._scaled = np.empty((blocks, len(probes.slacks)))
        self._beyond = np.empty((blocks, len(probes.tolerances) + len(probes.caps)), np.int64)
        self._sums = np.empty((blocks, 8))

    def count(self, sides: Sides, start: int, stop: int) -> list[Tally | None]:
        """What is counted in each block of these elements; None of one that is left to ``array_pass``."""
        asked, output, golden = self._asked, sides.output[start:stop], sides.golden[start:stop]
        count(
            _as_read_only(self._numbers(output)),
            _as_read_only(golden),
            self._terms(sides, start, stop),
            self._size,
            asked.form,
            asked.domain,
            asked.limits,
            self._scratch,
            (self._found, self._bins, self._beyond, self._scaled, self._sums),
        )
        return [self._tally(sides, at, first) for at, first in enumerate(range(start, stop, self._size))]

    def _terms(self, sides: Sides, start: int, stop: int) -> Terms:
        if sides.terms is None or sides.parts > 1:
            return self._asked.no_terms
        form, terms = float_format(self._dtype), _as_read_only(sides.terms[start:stop])
        return Terms(terms, form.unit, form.underflow(sides.term_count), self._asked.slacks)

    def _numbers(self, output: Array) -> Array:
        """Outputs as the loops take them."""
        if self._dtype.bits == 16:
            return output.view(np.uint16)
        if self._dtype.bits > 16:
            return output
        wide = self._wide[: len(output)]
        np.copyto(wide, output, casting="unsafe")
        return wide

    def _tally(self, sides: Sides, at: int, first: int) -> Tally | None:
        """What was counted in the block that begins at ``first``."""
        largest, unequal, small, small_errors, *_ = self._found[at].tolist()
        has_one_answer = sides.has_one_answer and (sides.terms is None or sides.parts == 1)
        if largest > self._asked.form.maximum or (unequal and not has_one_answer):
            return None
        tally, size = Tally(self._probes), min(self._size, len(sides.output) - first)
        self._count_errors(tally, at, Domains(small, small_errors), size - small)
        if not tally.errors.sum_abs < inf:
            return None
        within = [size - beyond for beyond in self._beyond[at].tolist()]
        tally.within, tally.within_cap = within[: len(tally.within)], within[len(tally.within) :]
        tally.histogram[0] = size - unequal
        if unequal:
            self._count_unequal(tally, sides, at, first)
        return tally

    def _count_unequal(self, tally: Tally, sides: Sides, at: int, first: int) -> None:
        """Count elements that are not the rounded golden, and name the worst of them."""
        _, unequal, *_, longest, place, _, distance, scaled_place = self._found[at].tolist()
        figures = self._found[at].view(np.float64).tolist()
        most_steps, most_scaled = figures[MOST_STEPS], figures[SCALED]
        tally.add_counted(self._bins[at].tolist(), unequal, longest, most_steps)
        if sides.terms is not None:
            tally.scaled = self._scaled[at].tolist()
        if most_scaled:
            longest, place = distance, scaled_place
        worst = first + place
        tally.propose(Candidate((False, most_scaled, longest), worst, sides.output[worst], sides.golden[worst]))

    def _count_errors(self, tally: Tally, at: int, found: Domains, large: int) -> None:
        """Count errors of elements below the threshold and of those above it, the larger number."""
        total, ratios, squares, small_total, small_ratios, small_squares, small_abs, small_rel = self._sums[at].tolist()
        most_abs, most_rel = self._found[at, MOST_ABS : MOST_REL + 1].view(np.float64).tolist()
        found.large = Errors(large, most_abs, total, squares, most_rel, ratios)
        tally.errors = Errors(found.small, small_abs, small_total, small_squares, small_rel, small_ratios)
        tally.errors.merge(found.large)
        if tally.domains:
            tally.domains = [found]


def compile_loops() -> None:
    """Compile the loops for every kind of outputs, or load them where that was done before; OSError if not kept."""
    for name in ("float32", "float16", "float64"):
        dtype = DTYPES[name]
        one = Sides(np.ones(1, dtype.numpy), np.ones(1), (), None, 0, 1)
        FusedPass(dtype, DTypeProbes(), 1, 1).count(one, 0, 1)


def can_count(dtype: DType, probes: DTypeProbes) -> bool:
    """Whether the pass knows how to count what is asked of outputs of a dtype."""
    return dtype.codes is None and len(probes.domains) < 2


def _as_read_only(array: Array) -> Array:
    """The array as one that may not be written, which to numba is a type of its own: one is enough to compile for."""
    view: Array = array.view()
    view.flags.writeable = False
    return view


def _format(form: FloatFormat) -> Format:
    mantissa = round(-np.log2(form.epsilon))
    shift = 52 - mantissa
    normal, maximum = (int(np.float64(number).view(np.int64)) for number in (form.smallest_normal, form.maximum))
    return Format(
        1.5 * 2.0**shift if shift else 0.0,
        form.smallest_normal,
        form.smallest_subnormal,
        form.epsilon,
        maximum,
        shift,
        (normal >> shift) - (1 << mantissa),
        23 - mantissa,
        form.smallest_normal * 2.0**126,
    )
