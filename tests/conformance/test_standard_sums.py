"""The strict bound on sums: sound ways of adding never alarm, a 16-bit accumulator and a lost term do."""

import json
from pathlib import Path

import numpy as np
import pytest

from conformance.dtype import DTYPES
from conformance.golden import GoldenOutput
from conformance.measure import measure
from conformance.rounding import rounded
from conformance.standard import ComparisonClass, parse_standards, probes_of

DOCUMENT = json.loads((Path(__file__).parents[2] / "cases" / "standards.json").read_text("utf-8"))
STRICT = parse_standards(DOCUMENT)["strict"]
PROBES = probes_of([STRICT])
RANDOM = np.random.default_rng(11)


def one_after_another(rows, kind):
    return np.add.accumulate(rows, axis=1, dtype=kind)[:, -1]


def pairwise(rows, kind):
    return np.add.reduce(rows, axis=1, dtype=kind)


def by_core(rows, kind):
    """Forty-eight blocks added one after another, then their sums."""
    blocks = np.array_split(rows, min(48, rows.shape[1]), axis=1)
    return one_after_another(np.stack([one_after_another(block, kind) for block in blocks], axis=1), kind)


def judge(terms, sums, name):
    """Strict judgement on sums of exact ``terms``, delivered in a dtype."""
    size = np.abs(terms).sum(axis=1)
    golden = GoldenOutput(terms.sum(axis=1), terms=size, term_count=terms.shape[1])
    metrics = measure(golden, rounded(sums.astype(np.float64), DTYPES[name]), DTYPES[name], PROBES)
    return STRICT.judge(metrics, ComparisonClass.REDUCTION)


DATA = {
    "uniform": lambda shape: RANDOM.random(shape),
    "constant": lambda shape: np.full(shape, 0.1),
    "heavy_tailed": lambda shape: np.minimum(RANDOM.lognormal(0, 2, shape), 100.0),
    "tiny": lambda shape: RANDOM.random(shape) * 2.0**-12,
    "both_signs": lambda shape: RANDOM.normal(size=shape),
}


@pytest.mark.parametrize("data", DATA)
@pytest.mark.parametrize("order", [one_after_another, pairwise, by_core])
@pytest.mark.parametrize("count", [1, 2, 33, 1024, 1 << 14, 1 << 20])
def test_float32_accumulation_in_any_order_is_met(data, order, count):
    factor = np.float32(2.0**-4)
    terms = DATA[data]((max(1, min(32, (1 << 18) // count)), count)).astype(np.float32) * factor
    judgement = judge(terms.astype(np.float64), order(terms, np.float32), "float32")
    assert judgement.met, judgement.reason


@pytest.mark.parametrize("name", ["float16", "bfloat16"])
@pytest.mark.parametrize("data", DATA)
@pytest.mark.parametrize("order", [one_after_another, pairwise, by_core])
@pytest.mark.parametrize("count", [1, 33, 1024, 1 << 14])
def test_terms_may_be_rounded_once_when_the_sum_is_held_in_float32(name, data, order, count):
    shape = (max(1, min(32, (1 << 18) // count)), count)
    left, right = (rounded(DATA[data](shape) * 2.0**-4, DTYPES[name]).astype(np.float64) for _ in range(2))
    terms = rounded(left * right, DTYPES[name]).astype(np.float32)
    judgement = judge(left * right, order(terms, np.float32), name)
    assert judgement.met, judgement.reason


@pytest.mark.parametrize(
    ("name", "accumulator"), [("float16", "float16"), ("bfloat16", "bfloat16"), ("float32", "float16")]
)
@pytest.mark.parametrize("data", ["uniform", "constant", "heavy_tailed"])
@pytest.mark.parametrize("count", [1024, 1 << 14, 1 << 18])
def test_a_16_bit_accumulator_is_caught(name, accumulator, data, count):
    kind = DTYPES[accumulator].numpy
    terms = rounded(DATA[data]((16, count)) * 2.0**-6, DTYPES[accumulator])
    judgement = judge(terms.astype(np.float64), one_after_another(terms, kind), name)
    assert judgement.met is False
    assert judgement.headroom > 2


@pytest.mark.parametrize("count", [2, 100, 1024, 4096])
def test_a_lost_last_term_is_caught(count):
    terms = RANDOM.uniform(0.5, 1.5, (8, count)).astype(np.float32)
    assert judge(terms.astype(np.float64), pairwise(terms[:, :-1], np.float32), "float32").met is False


def test_cancelling_terms_do_not_make_a_right_sum_fail():
    half = RANDOM.random((64, 500)).astype(np.float32)
    terms = np.concatenate((half, -half[:, ::-1]), axis=1)
    terms[:, 0] += np.float32(1e-4)
    judgement = judge(terms.astype(np.float64), one_after_another(terms, np.float32), "float32")
    assert judgement.met, judgement.reason


@pytest.mark.parametrize("name", ["float16", "bfloat16"])
def test_an_elementwise_result_with_terms_is_held_to_float32_arithmetic(name):
    x = np.linspace(-4.0, 4.0, 4001)
    terms, exact = 1.0 + np.abs(x), 1.0 + x
    golden = GoldenOutput(exact, terms=terms, term_count=2)
    for computed, met in (
        ((np.float32(1) + x.astype(np.float32)), True),
        (1.0 + rounded(x, DTYPES[name]).astype(float), False),
    ):
        output = rounded(np.asarray(computed, np.float64), DTYPES[name])
        metrics = measure(golden, output, DTYPES[name], PROBES)
        assert STRICT.judge(metrics, ComparisonClass.ELEMENTWISE).met is met
