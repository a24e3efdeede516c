"""What is measured on one output against its golden, and which further counts standards ask for.

Probes are derived from the loaded standards, so that a stored record can be judged again under any of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import inf, isfinite, nan
from typing import Any

from msgspec import Struct, field

from conformance.draws import Draws, Trial, TrialCount

Number = int | float | complex
ULP_BINS = ("0", "1", "2", "3-4", "5-8", "9-16", "17-32", "33-64", ">64")
"""Names of the bins of ``Metrics.ulp_histogram``, in order."""
RELATIVE_FLOOR = 1e-7
"""Added to |golden| in relative errors: relative error = |output - golden| / (|golden| + 1e-7)."""


class Tolerance(Struct, frozen=True):
    """Asks how many elements satisfy |output - golden| ≤ atol + rtol·|golden|."""

    rtol: float
    atol: float


class Cap(Struct, frozen=True):
    """Asks how many elements satisfy |output - golden| ≤ max(limit, ulps·ulp(golden))."""

    limit: float
    ulps: float


class Domain(Struct, frozen=True):
    """Splits elements at |golden| = threshold; below it, errors above ``error_limit`` are counted."""

    threshold: float
    error_limit: float


class DTypeProbes(Struct, frozen=True):
    """Counts asked for on outputs of one dtype; ``slacks`` are in ULP, at least 0.5 (see ``ScaledError``)."""

    tolerances: tuple[Tolerance, ...] = ()
    caps: tuple[Cap, ...] = ()
    domains: tuple[Domain, ...] = ()
    slacks: tuple[float, ...] = (0.5,)
    trials: tuple[Trial, ...] = ()


class Probes(Struct, frozen=True):
    """Counts asked for, by dtype name."""

    by_dtype: Mapping[str, DTypeProbes] = field(default_factory=dict)

    def of(self, dtype_name: str) -> DTypeProbes:
        """What is asked of outputs of that dtype; only the default slack where nothing is."""
        return self.by_dtype.get(dtype_name, _NOTHING_ASKED)


_NOTHING_ASKED = DTypeProbes()
NO_PROBES = Probes()


class ToleranceCount(Struct, frozen=True):
    """Compared elements within a tolerance."""

    tolerance: Tolerance
    within: int


class CapCount(Struct, frozen=True):
    """Compared elements within a cap."""

    cap: Cap
    within: int


class DomainCount(Struct, frozen=True):
    """Compared elements below a threshold and how many of them err too much; errors of those at or above it."""

    domain: Domain
    small: int
    small_errors: int
    large: int
    large_max_rel: float
    large_mean_rel: float
    large_rmse: float


class ScaledError(Struct, frozen=True):
    """Largest max(0, |output - golden| - slack·ulp - underflow) / (u·Σ|terms|) over the compared elements.

    ulp is the step of the output dtype at the larger of |output| and |golden|, u the dtype's unit roundoff, and
    underflow = term_count·(smallest subnormal of the dtype / 2 + smallest normal of the arithmetic), the arithmetic
    being float32, or float64 for float64 outputs. Infinite where all terms are zero and the output is not.
    """

    slack: float
    value: float


class Specials(Struct, frozen=True):
    """How many elements are NaN, +inf and -inf."""

    nan: int = 0
    plus_inf: int = 0
    minus_inf: int = 0

    def plus(self, other: Specials) -> Specials:
        """Both counted together."""
        if other == NO_SPECIALS:
            return self
        return Specials(self.nan + other.nan, self.plus_inf + other.plus_inf, self.minus_inf + other.minus_inf)


NO_SPECIALS = Specials()


class Worst(Struct, frozen=True):
    """The element that differs most: a class mismatch, else the largest scaled error, else the largest ULP distance.

    ``index`` counts elements in row-major order, ``position`` is the same as a multi-index; on complex outputs both
    have a last axis of two, real and imaginary part. ``expected`` is the golden, not rounded. ``inputs`` holds the
    element of every input that broadcasts to the output's shape.
    """

    index: int
    position: tuple[int, ...]
    got: Number
    expected: Number
    class_mismatch: bool
    ulp: int
    abs_error: float
    rel_error: float
    inputs: Mapping[str, Number] = field(default_factory=dict)


class Metrics(Struct, frozen=True):
    """Numbers measured on one output. ``count`` counts real and imaginary parts apart.

    ``compared`` elements are finite in the output and in the golden rounded to the dtype; errors are over these and
    against the golden *before* rounding, relative ones with ``RELATIVE_FLOOR``. ``class_mismatches`` counts elements
    where NaN does not meet NaN or an infinity not the same infinity. ``bit_different`` counts elements that are not
    the rounded golden (NaN payload and sign of zero aside); ``zero_sign_mismatches`` counts the latter.
    ``flushed`` elements are ±0 where |golden| is below the smallest normal number, or are explained only by operands
    so flushed: 0 ULP away, but bit-different.
    ``zero_for_nonzero`` counts zeros where the rounded golden is not zero, flushed ones aside. ULP distances are
    between output and rounded golden, ±0 being one point; at the overflow edge (|golden| within one ULP of the
    largest finite number, one side infinite and the other that number) the distance is 1 ULP and no mismatch.
    ``max_step_error`` is the largest |output - golden| in ULP of the larger of both, over the elements that are not the
    rounded golden, flushed ones aside: a result rounded to nearest has at most 0.5, one cut off up to 1.
    ``mixed_readings`` counts elements that are NaN where others of the same kinds of inputs are not, or the reverse,
    though both would be admissible: an implementation may answer either way, but not both ways (see ``readings``).
    ``draws`` is there where the golden has a law; a draw counts as different when it is outside the bounds.
    ``term_count`` is None and ``scaled_errors`` empty where the golden gives no terms.
    """

    dtype: str
    count: int
    compared: int
    golden: Specials
    output: Specials
    class_mismatches: int
    zero_sign_mismatches: int
    bit_different: int
    flushed: int
    zero_for_nonzero: int
    max_abs_error: float
    mean_abs_error: float
    max_rel_error: float
    mean_rel_error: float
    rmse: float
    ulp_histogram: tuple[int, ...]
    max_ulp: int
    max_step_error: float
    mixed_readings: int
    term_count: int | None
    scaled_errors: tuple[ScaledError, ...]
    tolerances: tuple[ToleranceCount, ...]
    caps: tuple[CapCount, ...]
    domains: tuple[DomainCount, ...]
    worst: Worst | None
    golden_all_zero: bool
    golden_all_nan: bool
    golden_constant: bool
    draws: Draws | None = None

    def within(self, tolerance: Tolerance) -> int | None:
        """Elements within that tolerance; None when it was not measured."""
        return next((entry.within for entry in self.tolerances if entry.tolerance == tolerance), None)

    def within_cap(self, cap: Cap) -> int | None:
        """Elements within that cap; None when it was not measured."""
        return next((entry.within for entry in self.caps if entry.cap == cap), None)

    def domain(self, domain: Domain) -> DomainCount | None:
        """Counts of that domain; None when it was not measured."""
        return next((entry for entry in self.domains if entry.domain == domain), None)

    def scaled_error(self, slack: float) -> float | None:
        """Largest scaled error with that slack in ULP; None without terms or when it was not measured."""
        return next((entry.value for entry in self.scaled_errors if entry.slack == slack), None)

    def to_json(self) -> dict[str, Any]:
        """JSON object; NaN and infinities are the strings "nan", "inf", "-inf"."""
        encoded: dict[str, Any] = _encode(self)
        return encoded

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Metrics:
        """Metrics that ``to_json`` wrote; KeyError or TypeError on anything else."""
        plain = {name: _decode(document[name]) for name in cls.__struct_fields__ if name not in _NESTED}
        plain["ulp_histogram"] = tuple(document["ulp_histogram"])
        return cls(**plain, **{name: read(document[name]) for name, read in _NESTED.items()})


def _encode(value: Any) -> Any:
    kind = type(value)
    if kind in _PLAIN:
        return value
    if kind is tuple:
        return [_encode(item) for item in value]
    if isinstance(value, float):
        return value if isfinite(value) else "nan" if value != value else ("inf" if value > 0 else "-inf")
    if issubclass(kind, Struct):
        return {name: _encode(getattr(value, name)) for name in kind.__struct_fields__}
    if isinstance(value, complex):
        return {"real": _encode(value.real), "imag": _encode(value.imag)}
    return {name: _encode(item) for name, item in value.items()} if isinstance(value, Mapping) else value


_PLAIN = frozenset((int, bool, str, type(None)))


_WORDS = {"nan": nan, "inf": inf, "-inf": -inf}
_NUMBERS = frozenset({int, float, bool})
"""Types of numbers that need no decoding."""


def _decode(value: Any) -> Any:
    if isinstance(value, Mapping):
        return complex(_decode(value["real"]), _decode(value["imag"]))
    return _WORDS.get(value, value) if isinstance(value, str) else value


def _flat(cls: Any) -> Any:
    """Reader of a dataclass of plain numbers."""
    return lambda document: cls(**{name: _decode(value) for name, value in document.items()})


def _list(cls: Any, key: str = "", key_cls: Any = None) -> Any:
    """Reader of a list of dataclasses, whose field ``key`` is itself a ``key_cls``."""

    def read(items: list[dict[str, Any]]) -> tuple[Any, ...]:
        nested = [{key: _flat(key_cls)(item[key])} if key else {} for item in items]
        plain = [{name: _decode(value) for name, value in item.items() if name != key} for item in items]
        return tuple(cls(**inner, **outer) for inner, outer in zip(nested, plain, strict=True))

    return read


def _numbers(document: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value if value.__class__ in _NUMBERS else _decode(value) for name, value in document.items()}


def read_worst(document: Mapping[str, Any] | None) -> Worst | None:
    """The element that ``to_json`` wrote."""
    if document is None:
        return None
    plain = dict(document)
    position, inputs = plain.pop("position"), plain.pop("inputs")
    return Worst(**_numbers(plain), position=tuple(position), inputs=_numbers(inputs))


def read_draws(document: Mapping[str, Any] | None) -> Draws | None:
    """Numbers on draws that ``to_json`` wrote."""
    if document is None:
        return None
    plain = {name: _decode(value) for name, value in document.items() if name not in ("trials", "distribution")}
    trials = _list(TrialCount, "trial", Trial)(document["trials"])
    return Draws(**plain, distribution=document["distribution"], trials=trials)


_NESTED: Mapping[str, Any] = {
    "golden": _flat(Specials),
    "output": _flat(Specials),
    "scaled_errors": _list(ScaledError),
    "tolerances": _list(ToleranceCount, "tolerance", Tolerance),
    "caps": _list(CapCount, "cap", Cap),
    "domains": _list(DomainCount, "domain", Domain),
    "worst": read_worst,
    "draws": read_draws,
}
"""Fields of Metrics that are not plain numbers, and how each is read from JSON."""
