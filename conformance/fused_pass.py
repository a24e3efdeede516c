"""Counts a share of an output in one compiled pass: what ``array_pass`` counts array by array, bit for bit.

The compiler is numba, which not every installation has; ``float_pass`` loads this module where that pays. A share that
holds anything but numbers, or where a zero or a sign differs, is left to ``array_pass``, which knows the rules for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import inf
from threading import local
from typing import Any, NamedTuple

import numpy as np

from conformance.compiled import begin_anew as begin_anew
from conformance.compiled import is_kept as is_kept
from conformance.dtype import DTYPES, DType
from conformance.fused_layout import FOUND, Format, Limits, Scratch, Terms
from conformance.fused_loops import count
from conformance.metrics import Domain, DTypeProbes
from conformance.rounding import FloatFormat, float_format
from conformance.sides import Sides
from conformance.sums import COLUMNS
from conformance.tally import Candidate, Domains, Errors, Tally
from conformance.tensor import Array

_SMALLEST_NORMAL = 2.0**-1022
"""That of float64."""
_LARGEST = np.nextafter(2.0**1023, 0.0)
"""Largest number that the loops know the step of."""


class _Found(NamedTuple):
    """What the loops say of a share, see ``FOUND``."""

    largest: int
    unequal: int
    small: int
    small_errors: int
    max_steps: float
    longest: int
    worst: tuple[float, int, int]
    large: tuple[float, ...]
    below: tuple[float, ...]
    everything: tuple[float, ...]
    bins: Array
    farthest: Any
    worst_scaled: Any


@dataclass(frozen=True, slots=True, eq=False)
class _Asked:
    """What is counted of outputs of one dtype, as the compiled pass takes it."""

    form: Format
    limits: Limits
    no_terms: Terms
    maximum: int

    @classmethod
    def of(cls, dtype: DType, probes: DTypeProbes) -> _Asked:
        """Of a dtype and probes that ``can_count`` admits."""
        domain, form = probes.domains[0] if probes.domains else Domain(0.0, inf), float_format(dtype)
        tolerances = np.array([(probe.rtol, probe.atol) for probe in probes.tolerances], np.float64).reshape(-1, 2)
        caps = np.array([(probe.limit, probe.ulps) for probe in probes.caps], np.float64).reshape(-1, 2)
        harmless = float(min([*tolerances[:, 1], *caps[:, 0]], default=inf))
        return cls(
            _format(form),
            Limits(float(domain.threshold), float(domain.error_limit), tolerances, caps, harmless),
            Terms(_read_only(np.empty(0)), 0.0, 0.0, np.array(probes.slacks, np.float64)),
            int(np.float64(min(form.maximum, _LARGEST)).view(np.int64)),
        )


_asked = lru_cache(maxsize=32)(_Asked.of)


class _Memory(local):
    """Scratch memory of a thread, and what is found there."""

    def __init__(self) -> None:
        columns = np.zeros((6, COLUMNS))
        wide, got, want = np.empty((3, COLUMNS))
        distance = np.empty(COLUMNS, np.int64)
        self.scratch = Scratch(wide, got, want, distance, tuple(columns[:3]), tuple(columns[3:]))
        self.found = np.empty(1, FOUND)


_memory = _Memory()


class FusedPass:
    """Counts shares of outputs of a dtype block by block; several threads may use one."""

    __slots__ = ("_asked", "_block", "_dtype", "_probes")

    def __init__(self, dtype: DType, probes: DTypeProbes, block: int) -> None:
        self._dtype, self._probes, self._block, self._asked = dtype, probes, block, _asked(dtype, probes)

    def count(self, sides: Sides, start: int, stop: int) -> Tally | None:
        """What is counted of these elements; None where that is left to ``array_pass``."""
        asked, probes, found = self._asked, self._probes, _memory.found
        beyond, scaled = np.empty(len(probes.tolerances) + len(probes.caps), np.int64), np.empty(len(probes.slacks))
        count(
            _read_only(self._numbers(sides.output[start:stop])),
            _read_only(sides.golden[start:stop]),
            self._terms(sides, start, stop),
            self._block,
            asked.form,
            asked.limits,
            _memory.scratch,
            (found, beyond, scaled),
        )
        return self._tally(_Found(*found.item()), beyond.tolist(), scaled.tolist(), sides, start, stop)

    def _terms(self, sides: Sides, start: int, stop: int) -> Terms:
        if sides.terms is None or sides.parts > 1:
            return self._asked.no_terms
        form, terms = float_format(self._dtype), _read_only(sides.terms[start:stop])
        return Terms(terms, form.unit, form.underflow(sides.term_count), self._asked.no_terms.slacks)

    def _numbers(self, output: Array) -> Array:
        """Outputs as the loops take them."""
        if self._dtype.bits == 16:
            return output.view(np.uint16)
        return output if self._dtype.bits > 16 else output.astype(np.float64)

    def _tally(
        self, found: _Found, beyond: list[int], scaled: list[float], sides: Sides, start: int, stop: int
    ) -> Tally | None:
        """What was counted, unless it is not for the loops to say."""
        has_one_answer = sides.has_one_answer and (sides.terms is None or sides.parts == 1)
        if found.largest > self._asked.maximum or (found.unequal and not has_one_answer):
            return None
        size, tolerances = stop - start, len(self._probes.tolerances)
        errors = Errors(size, *found.everything)
        if not errors.sum_abs < inf:
            return None
        within, large = [size - count for count in beyond], Errors(size - found.small, *found.large)
        split = Domains(found.small, found.small_errors, large, errors)
        return Tally(
            self._probes,
            bit_different=found.unequal,
            histogram=[size - found.unequal, *found.bins.tolist()[1:]],
            max_ulp=found.longest,
            max_steps=found.max_steps,
            errors=errors,
            scaled=scaled,
            within=within[:tolerances],
            within_cap=within[tolerances:],
            domains=[split] if self._probes.domains else [],
            worst=_candidate(found.worst, sides, start) if found.unequal else None,
        )


def _candidate(worst: tuple[float, int, int], sides: Sides, start: int) -> Candidate:
    """The worst element of the share that begins at ``start``."""
    scaled, distance, at = worst[0], worst[1], worst[2] + start
    return Candidate((False, scaled, distance), at, sides.output[at], sides.golden[at])


def compile_loops() -> None:
    """Compile the loops for every kind of outputs, or load them where that was done before; OSError if not kept."""
    for name in ("float32", "float16", "float64"):
        dtype = DTYPES[name]
        one = Sides(np.ones(1, dtype.numpy), np.ones(1), (), None, 0, 1)
        FusedPass(dtype, DTypeProbes(), 1).count(one, 0, 1)


def can_count(dtype: DType, probes: DTypeProbes) -> bool:
    """Whether the pass knows how to count what is asked of outputs of a dtype."""
    return dtype.codes is None and len(probes.domains) < 2


def _read_only(array: Array) -> Array:
    """An array of our own that may not be written now, which to numba is a type of its own: one to compile for."""
    array.flags.writeable = False
    return array


def _format(form: FloatFormat) -> Format:
    mantissa = round(-np.log2(form.epsilon))
    shift = 52 - mantissa
    return Format(
        1.5 * 2.0**shift if shift else 0.0,
        form.smallest_normal,
        form.epsilon,
        _SMALLEST_NORMAL / form.smallest_normal,
        shift,
        23 - mantissa,
        form.smallest_normal * 2.0**126,
    )
