"""The nearest of several admissible answers, element by element, and in parts where there are many."""

from __future__ import annotations

import numpy as np
import pytest

from conformance import choose as choosing
from conformance.choose import Chosen, choose
from conformance.dtype import DTYPES
from conformance.golden import GoldenOutput
from conformance.rounding import float_format
from conformance.sides import lay_out
from conformance.tensor import Array

_SINGLE = DTYPES["float32"]
_TINY = 1e-40


def _chosen(output: list[float], *answers: list[float], flushing: tuple[list[float], ...] = ()) -> Chosen:
    """The answers chosen for every element, of the first and the others."""
    value, *others = (np.array(answer, np.float64) for answer in answers)
    golden = GoldenOutput(value, tuple(others), flushing=tuple(np.array(answer) for answer in flushing))
    with np.errstate(all="ignore"):
        got = np.array(output, np.float32)
        return choose(lay_out(golden, got, wide=True), np.arange(len(got)), got, _SINGLE, float_format(_SINGLE))


@pytest.mark.parametrize(
    ("output", "answers", "nearest"),
    [
        ([1.0], [[1.0], [2.0]], [1.0]),
        ([2.0], [[1.0], [2.0]], [2.0]),
        ([1.0, 4.0], [[1.0, 1.0], [2.0, 3.0], [5.0, 4.0]], [1.0, 4.0]),
        ([np.nan], [[1.0], [np.nan]], [np.nan]),
        ([3.0], [[np.nan], [np.inf], [2.0]], [2.0]),
        ([0.0], [[_TINY], [0.0]], [0.0]),
    ],
    ids=["golden", "other", "each its own", "nan", "number", "zero before flushed"],
)
def test_the_nearest_answer_is_chosen(output: list[float], answers: list[list[float]], nearest: list[float]) -> None:
    np.testing.assert_array_equal(_chosen(output, *answers).golden, nearest)


def test_earlier_answers_win_ties() -> None:
    # Both are the same number when rounded; what was not rounded tells them apart.
    assert _chosen([1.0], [1.0 + 1e-12], [1.0]).golden[0] == 1.0 + 1e-12


def test_elements_that_only_flushed_operands_explain_are_counted() -> None:
    chosen = _chosen([1.0, 2.0, 3.0, 4.0], [1.0, 1.0, 1.0, 1.0], flushing=([1.0, 2.0, np.nextafter(3.0, 4.0), 0.5],))
    assert (chosen.flushed, chosen.flushed_exactly) == (2, 2)
    assert list(chosen.differences.distance[:3]) == [0, 0, 0]


def test_answers_looked_at_in_parts_are_those_looked_at_together(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    words = np.array([0.0, -0.0, 1.0, 1.0000001, -1.0, np.nan, np.inf, -np.inf, _TINY, 3.4e38, 3.5e38])
    output, first, second, third = (list(rng.choice(words, 400)) for _ in range(4))
    plain = list(rng.choice(words[2:4], 400))
    for given in (output, plain):
        whole = _chosen(given, first, second, flushing=(third,))
        monkeypatch.setattr(choosing, "_AT_ONCE", 100)
        parts = _chosen(given, first, second, flushing=(third,))
        monkeypatch.undo()
        assert (whole.flushed, whole.flushed_exactly) == (parts.flushed, parts.flushed_exactly)
        np.testing.assert_array_equal(whole.golden, parts.golden)
        np.testing.assert_array_equal(whole.target, parts.target)
        for one, other in zip(whole.differences, parts.differences, strict=True):
            np.testing.assert_array_equal(_marks(one, 400), _marks(other, 400))


def _marks(marks: Array | None, size: int) -> Array:
    return np.zeros(size, np.bool_) if marks is None else marks
