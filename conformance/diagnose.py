"""Names what is wrong with a failed output: from a closed set of patterns, the most specific that holds."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from conformance.evidence import Evidence, Specimen, take_specimen
from conformance.golden import GoldenOutput
from conformance.likeness import altered, held, in_place, misplaced, unlaid
from conformance.patterns import Diagnosis, Finding, Pattern
from conformance.tensor import contiguous_strides
from conformance.whereabouts import whereabouts

Reading = tuple[Finding, GoldenOutput]
"""A way to misread the inputs, and what the output would then be."""

_MISPLACED = frozenset(
    {
        Pattern.INPUT_LAYOUT_IGNORED,
        Pattern.INPUT_STRIDES_IGNORED,
        Pattern.INPUT_OFFSET_IGNORED,
        Pattern.OUTPUT_LAYOUT_IGNORED,
        Pattern.PERMUTED,
        Pattern.SHIFTED,
    }
)
"""Patterns that account for every element, right ones too: where the wrong ones stand is a matter of the data."""
_BY_ITSELF = _MISPLACED | {Pattern.ONE_ULP, Pattern.FEW_ULPS, Pattern.LOW_PRECISION, Pattern.FLUSHED}
"""Patterns that say why elements are wrong, wherever they stand."""
_NOWHERE = frozenset({Pattern.EVERYWHERE, Pattern.SCATTERED})


def diagnose(evidence: Evidence, readings: Iterable[Reading] = ()) -> Diagnosis | None:
    """Diagnosis of a failed output; None where no element differs from the golden.

    ``readings`` are asked for one after another, and only where nothing simpler holds.
    """
    with np.errstate(all="ignore"):
        specimen = take_specimen(evidence)
        if specimen is None:
            return None
        what = _what(specimen, readings)
        where = whereabouts(specimen)
    return Diagnosis(_main(what, where), _sentence(specimen, what, where))


def _what(specimen: Specimen, readings: Iterable[Reading]) -> Finding | None:
    plain = held(specimen)
    # A strided output written densely leaves elements unwritten too; its readings then say more.
    if plain and (_is_dense(specimen.evidence) or specimen.wrong.count == specimen.wrong.size):
        return plain
    return _misread(specimen, readings) or plain or misplaced(specimen) or altered(specimen)


def _is_dense(evidence: Evidence) -> bool:
    return not evidence.offset and evidence.strides in (None, contiguous_strides(evidence.output.shape))


def _misread(specimen: Specimen, readings: Iterable[Reading]) -> Finding | None:
    """The first reading that predicts the output, as it stands or as written without the output's own layout."""
    for finding, golden in readings:
        if golden.value.shape != specimen.evidence.output.shape or specimen.sides.parts != 1:
            continue
        predicted = golden.value.reshape(-1).astype(np.float64)
        if specimen.explains(in_place(predicted), 1):
            return finding
        for what, guess in unlaid(specimen, predicted):
            if specimen.explains(guess, 2):
                return Finding(finding.pattern, f"{finding.phrase}, and written without {what}")
    return None


def _main(what: Finding | None, where: Finding) -> Pattern:
    """The pattern that failures are grouped by."""
    if what is None:
        return where.pattern
    return what.pattern if what.pattern in _BY_ITSELF or where.pattern in _NOWHERE else where.pattern


def _sentence(specimen: Specimen, what: Finding | None, where: Finding) -> str:
    wrong = specimen.wrong
    count = f"{wrong.count} of {wrong.size} {'element' if wrong.size == 1 else 'elements'} wrong"
    place = f", {where.phrase}" if _is_told(what, where) else ""
    return f"{count}{place}: {what.phrase}" if what else f"{count}{place}"


def _is_told(what: Finding | None, where: Finding) -> bool:
    """Whether the place adds anything to what the elements hold."""
    if where.pattern is Pattern.EVERYWHERE or (what and what.pattern in _MISPLACED):
        return False
    return where.pattern is not Pattern.SCATTERED or what is None or what.pattern not in _BY_ITSELF
