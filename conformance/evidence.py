"""What a diagnosis looks at: a failed output beside its golden and the inputs, and its wrong elements up close."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from conformance.differences import badness, float_differences
from conformance.dtype import DType
from conformance.float_pass import BLOCK
from conformance.golden import GoldenOutput
from conformance.rounding import float_format, rounded
from conformance.sides import Sides, lay_out, part_dtype
from conformance.tensor import Array, Shape
from conformance.wrong import Wrong, find_wrong

_WHOLE = 2.0**53
_EXAMINED = 1 << 12
"""Wrong elements, and as many of all, on which a guess about the whole output is tried."""
_SURE = 0.98
"""Share of the elements tried that a guess must predict; the rest may be wrong for another reason."""
_FEWEST_KNOWN = 0.7
"""Share of the wrong elements that a guess must say something about."""

Guess = Callable[[Array], tuple[Array, Array]]
"""Flat indices → predicted numbers (float64), and whether the guess says anything there."""


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """One failed output. ``output`` is contiguous; ``strides`` and ``offset`` say how it lay in its storage.

    ``inputs`` are contiguous copies from before the call, ``thresholds`` real scalars and attributes by name, and
    ``exact`` says that results are selected, so that any difference is a wrong element.
    """

    golden: GoldenOutput
    output: Array
    dtype: DType
    exact: bool = False
    inputs: Mapping[str, Array] = field(default_factory=dict)
    strides: Shape | None = None
    offset: int = 0
    thresholds: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Specimen:
    """The wrong elements of an output up close.

    ``got``, ``want`` and ``goal`` (the golden rounded to the dtype) are those at ``wrong.kept``; ``distance`` is in
    ULP, infinite where classes differ. ``dtype`` is real: complex numbers are taken as their parts.
    """

    evidence: Evidence
    sides: Sides
    dtype: DType
    wrong: Wrong
    got: Array
    want: Array
    goal: Array
    distance: Array

    @property
    def shape(self) -> Shape:
        """Shape of the output's elements."""
        return self.evidence.output.shape

    def input_at(self, name: str, indices: Array) -> Array | None:
        """An input's numbers (float64) at flat indices of the output; None where it does not broadcast to it."""
        array = self.evidence.inputs[name]
        lead = len(self.shape) - array.ndim
        if lead < 0 or array.dtype.kind == "c" or not array.size:
            return None
        if any(a not in (1, b) for a, b in zip(array.shape, self.shape[lead:], strict=True)):
            return None
        places = np.unravel_index(indices // self.sides.parts, self.shape)[lead:] if self.shape else ()
        at = tuple(0 if extent == 1 else place for extent, place in zip(array.shape, places, strict=True))
        chosen = array[at].astype(np.float64)
        return np.broadcast_to(chosen, indices.shape)

    def matches(self, got: Array, predicted: Array) -> Array:
        """Which predictions (float64) the output holds, as closely as elements count as right."""
        if not self.dtype.is_float:
            held = np.abs(predicted) < _WHOLE  # beyond, a prediction may be another integer that was rounded
            equal: Array = held & (got.astype(np.float64) == predicted)
            return equal
        goal = rounded(predicted, self.dtype)
        near = badness(float_differences(got, predicted, goal, float_format(self.dtype))) <= self.wrong.cutoff
        if self.sides.terms is not None:
            slack = self.wrong.cutoff * self.dtype.unit * self._largest_terms(self.sides.terms)
            near |= np.abs(got.astype(np.float64) - predicted) <= slack
        matching: Array = near
        return matching

    def _largest_terms(self, terms: Array) -> float:
        blocks = (terms[start : start + BLOCK] for start in range(0, len(terms), BLOCK))
        return max(float(np.max(block, initial=0.0, where=np.isfinite(block))) for block in blocks)

    def explains(self, guess: Guess, fewest: int) -> bool:
        """Whether a guess about the whole output predicts it, on at least ``fewest`` wrong elements and elsewhere."""
        bad = _thin(self.wrong.kept)
        predicted, known = guess(bad)
        if known.sum() < max(fewest, _FEWEST_KNOWN * len(bad)):
            return False
        if self.matches(self.sides.output[bad[known]], predicted[known]).mean() < _SURE:
            return False
        anywhere = np.arange(0, self.wrong.size, max(1, self.wrong.size // _EXAMINED))
        predicted, known = guess(anywhere)
        return bool(self.matches(self.sides.output[anywhere[known]], predicted[known]).mean() >= _SURE)


def _thin(indices: Array) -> Array:
    return indices[:: max(1, len(indices) // _EXAMINED)]


def take_specimen(evidence: Evidence) -> Specimen | None:
    """The wrong elements of an output; None where nothing differs."""
    dtype = part_dtype(evidence.dtype)
    sides = lay_out(evidence.golden, evidence.output, wide=dtype.is_float)
    shape = evidence.output.shape if sides.parts == 1 else (*evidence.output.shape, sides.parts)
    wrong = find_wrong(sides, dtype, shape, evidence.exact)
    if wrong is None:
        return None
    got, want = sides.output[wrong.kept], sides.golden[wrong.kept].astype(np.float64)
    if not dtype.is_float:
        return Specimen(evidence, sides, dtype, wrong, got, want, want, np.abs(got.astype(np.float64) - want))
    goal = rounded(want, dtype)
    distance = badness(float_differences(got, want, goal, float_format(dtype)))
    return Specimen(evidence, sides, dtype, wrong, got, want, goal, distance)
