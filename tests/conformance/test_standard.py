"""Every standard in cases/standards.json, on outputs it meets, outputs it does not, and outputs it cannot judge."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from jsonschema import Draft202012Validator

from conformance.dtype import DTYPES
from conformance.golden import GoldenOutput
from conformance.measure import measure
from conformance.metrics import Metrics
from conformance.rounding import rounded
from conformance.rules import Scaled
from conformance.standard import ComparisonClass, parse_standards, probes_of

CASES = Path(__file__).parents[2] / "cases"
DOCUMENT = json.loads((CASES / "standards.json").read_text("utf-8"))
STANDARDS = parse_standards(DOCUMENT)
PROBES = probes_of(STANDARDS.values())
VALUES = np.linspace(0.5, 1.9, 1000)
DUAL = [name for name in STANDARDS if name.startswith(("cann_dual", "cann_cv"))]


def metrics_of(output, name="float32", golden=VALUES, **more):
    """Metrics of ``output``, rounded to the dtype."""
    with np.errstate(all="ignore"):
        values = rounded(np.asarray(output, np.float64), DTYPES[name])
    return measure(GoldenOutput(np.asarray(golden, np.float64), **more), values, DTYPES[name], PROBES)


def off_by(ulps, name="float32", where=slice(None)):
    """The right answer, some elements of it moved up by so many ULP."""
    output = rounded(VALUES, DTYPES[name])
    output.view(f"uint{DTYPES[name].bits}")[where] += ulps
    return output.astype(np.float64)


def judge(standard, metrics, comparison="elementwise", benchmark=None):
    return STANDARDS[standard].judge(metrics, ComparisonClass(comparison), benchmark)


def test_the_document_satisfies_its_schema():
    schema = json.loads((CASES / "schemas" / "standards-1.schema.json").read_text("utf-8"))
    assert list(Draft202012Validator(schema).iter_errors(DOCUMENT)) == []


@pytest.mark.parametrize("key", ["ulp", "rtoll"])
def test_a_misspelt_number_is_refused_by_schema_and_parser(key):
    bad = {"standards": {"x": {"version": "1", "about": "a", "source": "s", "rules": []}}}
    bad["standards"]["x"]["rules"] = [{"kind": "ulp", "why": "w", "dtypes": {"float32": {key: 1}}}]
    schema = json.loads((CASES / "schemas" / "standards-1.schema.json").read_text("utf-8"))
    assert list(Draft202012Validator(schema).iter_errors(bad))
    with pytest.raises(TypeError, match=key):
        parse_standards(bad)


def test_rounding_to_subnormal_numbers_alone_does_not_break_a_limit_on_relative_errors():
    tiny = np.array([3.1e-8, 1.7e-7, 1.0])
    assert metrics_of(tiny, "float16", tiny).max_rel_error > 0.1
    assert judge("cann_single_benchmark", metrics_of(tiny, "float16", tiny)).met


@pytest.mark.parametrize(
    ("wrong", "steps", "met"),
    [
        (0, 0, True),
        (0, 1, True),
        (0, 9, True),
        (0, 10, False),
        (999, 9, True),
        (999, 10, False),
        (slice(None), 1, False),
        (slice(0, 400), 1, True),
    ],
)
def test_among_subnormal_numbers_errors_are_counted_in_steps(wrong, steps, met):
    golden = np.concatenate([np.linspace(3.1e-8, 6e-7, 500), np.linspace(1.0, 1.9, 500)])
    output = rounded(golden, DTYPES["float16"])
    output.view("uint16")[wrong] += steps
    metrics = metrics_of(output.astype(np.float64), "float16", golden)
    assert metrics.max_rel_error > 0.1
    assert judge("cann_single_benchmark", metrics).met is met


def test_probes_cover_every_standard_and_ask_each_thing_once():
    asked = PROBES.of("float16")
    assert (len(asked.tolerances), len(asked.caps), len(asked.domains)) == (2, 1, 1)
    assert asked.slacks == (0.5,)


MET_AND_NOT = [
    # standard, class, dtype, ULP off that is still met, ULP off that is not
    ("exact", "exact", "float16", 0, 1),
    ("strict", "exact", "bfloat16", 0, 1),
    ("strict", "rounded", "float32", 0, 1),
    ("strict", "elementwise", "float32", 8, 9),
    ("strict", "arithmetic", "float32", 4, 5),
    ("strict", "arithmetic", "bfloat16", 0, 1),
    ("strict", "elementwise", "float16", 0, 1),
    ("strict", "elementwise", "bfloat16", 0, 1),
    ("strict", "quantised", "float8_e5m2", 0, 1),
    ("ulp", "elementwise", "float32", 4, 5),
    ("ulp", "reduction", "float16", 1, 2),
    ("torch", "elementwise", "float32", 80, 400),
    ("torch", "elementwise", "bfloat16", 1, 4),
    ("cann_mixed", "elementwise", "float16", 3, 9),
    ("cann_mixed", "exact", "float32", 5000, 40_000),
    ("cann_single_benchmark", "elementwise", "float32", 100, 2000),
    ("cann_single_benchmark", "reduction", "bfloat16", 0, 2),
]


@pytest.mark.parametrize(("standard", "comparison", "dtype", "met", "not_met"), MET_AND_NOT)
def test_each_standard_draws_its_line(standard, comparison, dtype, met, not_met):
    good = judge(standard, metrics_of(off_by(met, dtype), dtype), comparison)
    bad = judge(standard, metrics_of(off_by(not_met, dtype), dtype), comparison)
    assert (good.met, bad.met) == (True, False), (good.reason, bad.reason)
    assert good.headroom <= 1 < bad.headroom


@pytest.mark.parametrize("standard", DUAL)
def test_dual_benchmarks_compare_with_a_benchmark_and_cannot_judge_without(standard):
    benchmark = metrics_of(off_by(1, "float16"), "float16")
    assert judge(standard, metrics_of(off_by(1, "float16"), "float16"), benchmark=benchmark).met is True
    assert judge(standard, metrics_of(off_by(40, "float16"), "float16"), benchmark=benchmark).met is False
    alone = judge(standard, benchmark)
    assert (alone.met, alone.headroom) == (None, None)
    assert "benchmark" in alone.reason


def test_levels_of_the_dual_benchmark_are_ordered():
    benchmark, ours = metrics_of(off_by(2)), metrics_of(off_by(3))
    headrooms = [judge(f"cann_dual_benchmark_{level}", ours, benchmark=benchmark).headroom for level in ("L0", "L1")]
    assert headrooms[0] < headrooms[1]


def test_errors_on_small_values_are_counted_against_the_benchmarks():
    golden = np.full(100, 2.0**-15) + np.arange(100) * 2.0**-30
    right, wrong = (metrics_of(golden + error, golden=golden) for error in (0.0, 2.0**-20))
    judgement = judge("cann_dual_benchmark_L0", wrong, benchmark=right)
    assert (judgement.met, judgement.headroom) == (False, 50.0)
    assert judge("cann_dual_benchmark_L0", right, benchmark=right).met is True


LIES = {
    "one_element_zeroed": lambda x: np.concatenate((x[:-1], [0.0])),
    "tail_repeats_its_neighbour": lambda x: np.concatenate((x[:-1], x[-2:-1])),
    "one_ulp": lambda x: np.concatenate((x[:-1], np.nextafter(x[-1:].astype(np.float32), np.float32(9)))),
    "everything_zero": np.zeros_like,
    "everything_constant": np.ones_like,
    "negated": np.negative,
}


@pytest.mark.parametrize("lie", LIES)
@pytest.mark.parametrize("comparison", ["exact", "rounded", "elementwise"])
def test_strict_sees_through_every_lie(lie, comparison):
    judgement = judge("strict", metrics_of(LIES[lie](VALUES)), comparison)
    assert judgement.met is (lie == "one_ulp" and comparison == "elementwise")
    assert any(word in judgement.reason for word in ("differ", "ULP"))


@pytest.mark.parametrize("standard", STANDARDS)
@pytest.mark.parametrize(("golden", "got"), [(np.nan, 0.0), (np.inf, -np.inf), (1.0, np.nan), (np.inf, 3e38)])
def test_no_standard_forgives_a_class_mismatch(standard, golden, got):
    metrics = metrics_of([1.0, got], golden=[1.0, golden])
    judgement = judge(standard, metrics, benchmark=metrics)
    assert (judgement.met, judgement.headroom) == (False, np.inf)
    assert "first at (1,)" in judgement.reason


@pytest.mark.parametrize("standard", STANDARDS)
def test_matching_nan_and_infinities_are_met_by_all(standard):
    metrics = metrics_of([np.nan, np.inf, 1.0], golden=[np.nan, np.inf, 1.0])
    assert judge(standard, metrics, benchmark=metrics).met is True


@pytest.mark.parametrize(
    ("standard", "dtype", "comparison", "word"),
    [
        ("strict", "float8_e5m2", "reduction", "no numbers"),
        ("strict", "float32", "reduction", "without terms"),
        ("cann_single_benchmark", "float64", "elementwise", "no numbers for float64"),
        ("torch", "float8_e5m2", "elementwise", "no numbers"),
    ],
)
def test_without_numbers_there_is_no_verdict(standard, dtype, comparison, word):
    judgement = judge(standard, metrics_of(VALUES, dtype), comparison)
    assert (judgement.met, judgement.headroom) == (None, None)
    assert word in judgement.reason


@pytest.mark.parametrize("standard", STANDARDS)
def test_an_empty_output_cannot_be_judged(standard):
    assert judge(standard, metrics_of(np.empty(0), golden=np.empty(0))).met is None


@pytest.mark.parametrize("standard", ["cann_mixed", "torch", *DUAL])
def test_a_record_that_lacks_a_probe_cannot_be_judged(standard):
    bare = measure(GoldenOutput(VALUES), rounded(VALUES, DTYPES["float16"]), DTYPES["float16"])
    judgement = judge(standard, bare, benchmark=bare)
    assert judgement.met is None
    assert "record" in judgement.reason


@pytest.mark.parametrize(("comparison", "met"), [("exact", False), ("rounded", True), ("elementwise", True)])
def test_flushing_subnormals_is_allowed_where_something_is_computed(comparison, met):
    assert judge("strict", metrics_of([0.0, 1.0], golden=[1e-40, 1.0]), comparison).met is met


@pytest.mark.parametrize("comparison", ["integer", "elementwise", "exact"])
@pytest.mark.parametrize(("got", "met"), [(16777217, True), (16777216, False)])
def test_integers_are_exact_in_strict(comparison, got, met):
    golden = GoldenOutput(np.array([16777217]))
    metrics = measure(golden, np.array([got], np.int32), DTYPES["int32"], PROBES)
    assert judge("strict", metrics, comparison).met is met


def test_the_reason_gives_measured_and_allowed():
    assert judge("strict", metrics_of(off_by(9))).reason == "max error 9 ULP > 8 ULP"


@pytest.mark.parametrize("standard", STANDARDS)
def test_a_stored_record_is_judged_as_the_fresh_one(standard):
    fresh = metrics_of(off_by(3, "float16", slice(0, None, 3)), "float16", terms=VALUES, term_count=4)
    stored = Metrics.from_json(json.loads(json.dumps(fresh.to_json())))
    assert judge(standard, stored, benchmark=stored) == judge(standard, fresh, benchmark=fresh)


@pytest.mark.parametrize(("wrong", "met"), [(10, True), (11, False)])
def test_the_mixed_standard_lets_one_percent_miss_but_never_the_cap(wrong, met):
    assert judge("cann_mixed", metrics_of(off_by(9, "float16", slice(0, wrong)), "float16")).met is met
    beyond = judge("cann_mixed", metrics_of(off_by(300, "float16", slice(0, 1)), "float16"))
    assert (beyond.met, "beyond" in beyond.reason) == (False, True)


def test_a_slack_that_would_blame_correct_rounding_is_refused():
    with pytest.raises(ValueError, match="half an ULP"):
        Scaled(1, 0, "float32", 0, slack=0.4)


def test_strict_without_flushing_is_strict_but_for_that():
    strict, other = STANDARDS["strict"], STANDARDS["strict_no_flush"]
    pairs = [(a, b) for a, b in zip(strict.clauses, other.clauses, strict=True)]
    assert [(a.classes, a.with_terms, a.rules.keys()) for a, _ in pairs] == [
        (b.classes, b.with_terms, b.rules.keys()) for _, b in pairs
    ]
    rules = [(a.rules[dtype], b.rules[dtype]) for a, b in pairs for dtype in a.rules]
    assert all(replace(a, flush=False) == b for a, b in rules if hasattr(a, "flush"))
    assert all(a == b for a, b in rules if not hasattr(a, "flush"))
    assert any(a.flush for a, _ in rules if hasattr(a, "flush"))


@pytest.mark.parametrize("comparison", ["rounded", "elementwise"])
def test_flushed_subnormals_are_admitted_unless_forbidden(comparison):
    metrics = metrics_of([0.0, 1.0], golden=[1e-40, 1.0])
    assert judge("strict", metrics, comparison).met is True
    assert judge("strict_no_flush", metrics, comparison).met is False


@pytest.mark.parametrize("comparison", ["arithmetic", "elementwise"])
def test_sixteen_bit_results_must_be_rounded_to_nearest(comparison):
    golden = np.linspace(1, 2, 999)
    nearest = metrics_of(golden, "bfloat16", golden)
    cut_off = metrics_of((golden.astype(np.float32).view(np.uint32) & 0xFFFF0000).view(np.float32), "bfloat16", golden)
    assert (nearest.max_ulp, cut_off.max_ulp) == (0, 1)
    assert judge("strict", nearest, comparison).met is True
    assert judge("strict", cut_off, comparison).met is False


def test_float32_before_the_rounding_may_err_by_its_own_ulps():
    golden = 1 + (0.5 + 2.0**-10) * 2.0**-10
    near, far = (metrics_of([1.0], "float16", [golden + extra]) for extra in (0, 2.0**-19))
    assert judge("strict", near).met is True
    assert judge("strict", far).met is False
