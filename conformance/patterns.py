"""The closed set of patterns that wrong elements of an output can form, and what a diagnosis is."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Pattern(Enum):
    """What wrong elements have in common: the values they hold, or where they stand. Values are words of records."""

    INPUT_LAYOUT_IGNORED = "input_layout_ignored"
    INPUT_STRIDES_IGNORED = "input_strides_ignored"
    INPUT_OFFSET_IGNORED = "input_offset_ignored"
    OUTPUT_LAYOUT_IGNORED = "output_layout_ignored"
    PERMUTED = "permuted"
    SHIFTED = "shifted"
    ONE_ULP = "one_ulp"
    LOW_PRECISION = "low_precision"
    UNWRITTEN = "unwritten"
    ZERO = "zero"
    NAN = "nan"
    INFINITE = "infinite"
    NAN_LOST = "nan_lost"
    INFINITY_LOST = "infinity_lost"
    FLUSHED = "flushed"
    SIGN = "sign"
    COPIED = "copied"
    FACTOR = "factor"
    FEW_ULPS = "few_ulps"
    NAN_INPUT = "nan_input"
    INFINITE_INPUT = "infinite_input"
    ZERO_INPUT = "zero_input"
    SUBNORMAL_INPUT = "subnormal_input"
    THRESHOLD_INPUT = "threshold_input"
    NEGATIVE_INPUT = "negative_input"
    POSITIVE_INPUT = "positive_input"
    LAST_ELEMENT = "last_element"
    TAIL = "tail"
    SLICE = "slice"
    BLOCK = "block"
    LANES = "lanes"
    ONE_ELEMENT = "one_element"
    EVERYWHERE = "everywhere"
    SCATTERED = "scattered"

    @property
    def title(self) -> str:
        """The pattern in general words, without the figures of one case."""
        return _TITLES[self]


_TITLES = {
    Pattern.INPUT_LAYOUT_IGNORED: "strided input read as contiguous from the start of its storage",
    Pattern.INPUT_STRIDES_IGNORED: "strided input read as contiguous",
    Pattern.INPUT_OFFSET_IGNORED: "storage offset of an input ignored",
    Pattern.OUTPUT_LAYOUT_IGNORED: "strided output written as contiguous",
    Pattern.PERMUTED: "elements in the order of other axes",
    Pattern.SHIFTED: "elements shifted",
    Pattern.ONE_ULP: "off by one ULP",
    Pattern.LOW_PRECISION: "results of a lower precision",
    Pattern.UNWRITTEN: "elements never written",
    Pattern.ZERO: "zero in place of a number",
    Pattern.NAN: "NaN in place of a number",
    Pattern.INFINITE: "infinity in place of a number",
    Pattern.NAN_LOST: "a number in place of NaN",
    Pattern.INFINITY_LOST: "a number in place of infinity",
    Pattern.FLUSHED: "subnormal results flushed to zero",
    Pattern.SIGN: "sign flipped",
    Pattern.COPIED: "an input copied",
    Pattern.FACTOR: "wrong by a constant factor",
    Pattern.FEW_ULPS: "off by a few ULP",
    Pattern.NAN_INPUT: "wrong only where an input is NaN",
    Pattern.INFINITE_INPUT: "wrong only where an input is infinite",
    Pattern.ZERO_INPUT: "wrong only where an input is zero",
    Pattern.SUBNORMAL_INPUT: "wrong only where an input is subnormal",
    Pattern.THRESHOLD_INPUT: "wrong only where an input is at a threshold",
    Pattern.NEGATIVE_INPUT: "wrong only where an input is negative",
    Pattern.POSITIVE_INPUT: "wrong only where an input is positive",
    Pattern.LAST_ELEMENT: "only the last element is wrong",
    Pattern.TAIL: "only the tail beyond whole blocks is wrong",
    Pattern.SLICE: "only a slice of one axis is wrong",
    Pattern.BLOCK: "one contiguous block is wrong",
    Pattern.LANES: "wrong elements recur with a fixed period",
    Pattern.ONE_ELEMENT: "a single element is wrong",
    Pattern.EVERYWHERE: "every element is wrong",
    Pattern.SCATTERED: "wrong elements are scattered",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """A pattern, with its figures in this output as a phrase."""

    pattern: Pattern
    phrase: str


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What is wrong with one output: the pattern it is grouped by, and one sentence with figures."""

    pattern: Pattern
    text: str
