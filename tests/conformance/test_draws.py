"""Random elements: what is measured of them, and which noise the rule for distributions lets pass."""

import json

import numpy as np
import pytest

from conformance.data import data_root
from conformance.draws import chance_of
from conformance.dtype import DTYPES
from conformance.golden import Following, GoldenOutput, follow, samples
from conformance.law import Law, Uniform
from conformance.measure import measure
from conformance.metrics import Metrics
from conformance.standard import ComparisonClass, parse_standards, probes_of

STANDARDS = parse_standards(json.loads((data_root() / "standards.json").read_text("utf-8")))
PROBES = probes_of(STANDARDS.values())
LOW, HIGH, COUNT = 0.125, 0.375, 8192
EVEN = Uniform(LOW, HIGH)
RANDOM = np.random.default_rng(7)
DRAWN = np.arange(COUNT) % 4 != 0
"""Three of four elements are draws, the others 1."""


def uniform(count=COUNT, low=LOW, high=HIGH):
    return RANDOM.uniform(low, high, count)


def golden(law=None, drawn=DRAWN, either=None, value=1.0):
    either = np.zeros(drawn.shape, np.bool_) if either is None else either
    return GoldenOutput(np.where(drawn, LOW, value), law=law or Law(EVEN, drawn, either))


GOLDEN = golden()


def metrics_of(noise, dtype="float32", golden=GOLDEN):
    with np.errstate(all="ignore"):
        output = np.where(golden.law.drawn, noise, 1.0).astype(DTYPES[dtype].numpy)
    return measure(golden, output, DTYPES[dtype], PROBES)


def judged(noise, standard="strict", **more):
    return STANDARDS[standard].judge(metrics_of(noise, **more), ComparisonClass.RANDOM)


@pytest.mark.parametrize("standard", STANDARDS)
@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
def test_sound_noise_passes(standard, dtype):
    assert judged(uniform(), standard, dtype=dtype).met, judged(uniform(), standard, dtype=dtype)


@pytest.mark.parametrize("cut", [np.floor, np.ceil])
def test_noise_of_few_digits_passes_however_it_is_rounded(cut):
    assert judged(cut(uniform() * 2**9) / 2**9, dtype="bfloat16").met


ONE_OUT = uniform()
ONE_OUT[5] = np.nextafter(np.float32(HIGH), np.float32(1))
UNSOUND = [
    ("constant", np.full(COUNT, 0.25), "distance"),
    ("one step above the range", ONE_OUT, "1 of 8192 elements are neither a draw within the bounds nor the value due"),
    ("below the range", uniform(low=0.1), "neither a draw within the bounds"),
    ("normal", np.clip(RANDOM.normal(0.25, 0.05, COUNT), LOW, HIGH), "distance"),
    ("half the range", uniform(high=0.25), "distance"),
    ("a tenth of the range missing", uniform(high=0.35), "distance"),
    ("squares", LOW + 0.25 * RANDOM.random(COUNT) ** 2, "distance"),
    ("NaN", np.where(np.arange(COUNT) == 9, np.nan, uniform()), "NaN or infinity on one side only"),
    (
        "every quarter the same",
        np.tile(RANDOM.permutation(np.linspace(LOW, HIGH, COUNT // 4)), 4),
        "draws 2048 elements apart are correlated",
    ),
    ("both halves the same", np.tile(uniform(COUNT // 2), 2), "draws 4096 elements apart are correlated"),
    ("each draw twice", np.repeat(uniform(COUNT // 2), 2), "draws 1 elements apart are correlated"),
    ("rising", np.linspace(LOW, HIGH, COUNT), "the noise repeats itself"),
]


@pytest.mark.parametrize(("noise", "reason"), [entry[1:] for entry in UNSOUND], ids=[entry[0] for entry in UNSOUND])
def test_unsound_noise_fails(noise, reason):
    judgement = judged(noise)
    assert judgement.met is False
    assert judgement.headroom > 1
    assert reason in judgement.reason


def test_cann_wants_96_of_100_parts():
    judgement = judged(uniform(high=0.3), "cann_dual_benchmark_L0")
    assert judgement.met is False
    assert judgement.reason.endswith("parts follow uniform on [0.125, 0.375] at 0.01; 96 needed")


@pytest.mark.parametrize("standard", ["strict", "cann_dual_benchmark_L0"])
def test_of_few_draws_only_the_range_is_judged(standard):
    drawn = np.arange(COUNT) < 15
    assert "too few to judge their distribution" in judged(0.25, standard, golden=golden(drawn=drawn)).reason
    assert judged(0.5, standard, golden=golden(drawn=drawn)).met is False


def test_what_is_not_drawn_counts_bit_for_bit():
    output = np.where(DRAWN, uniform(), 1.0).astype(np.float32)
    output[0] = np.nextafter(np.float32(1), np.float32(0))
    metrics = measure(golden(), output, DTYPES["float32"], PROBES)
    assert (metrics.bit_different, metrics.worst.expected, metrics.worst.index) == (1, 1.0, 0)


@pytest.mark.parametrize(("value", "different", "drawn"), [(1.0, 0, 0), (0.25, 0, 10), (0.5, 10, 10)])
def test_an_element_may_be_a_draw_or_given(value, different, drawn):
    either = np.arange(COUNT) < 10
    law = golden(drawn=DRAWN & ~either, either=either)
    output = np.where(law.law.drawn, uniform(), np.where(either, value, 1.0)).astype(np.float32)
    metrics = measure(GoldenOutput(np.where(law.law.drawn, LOW, 1.0), law=law.law), output, DTYPES["float32"], PROBES)
    assert (metrics.bit_different, metrics.draws.either, metrics.draws.either_drawn) == (different, 10, drawn)


@pytest.mark.parametrize(
    ("low", "high", "dtype", "bounds"),
    [
        (0.125, 0.375, "float16", (0.125, 0.375)),
        (1 / 3, 1 / 3, "float16", (0.333251953125, 0.33349609375)),
        (-1 / 3, 0.0, "float16", (-0.33349609375, 0.0)),
    ],
)
def test_an_end_that_the_type_cannot_hold_is_rounded_either_way(low, high, dtype, bounds):
    assert Uniform(low, high).bounds(DTYPES[dtype]) == bounds


def test_one_value_alone_has_no_distribution():
    judgement = judged(0.25, golden=golden(law=Law(Uniform(0.25, 0.25), DRAWN, ~DRAWN)))
    assert judgement.met
    assert judgement.headroom == 0


def test_a_record_can_be_judged_again():
    metrics = metrics_of(uniform())
    again = Metrics.from_json(json.loads(json.dumps(metrics.to_json())))
    assert again == metrics
    for standard in STANDARDS.values():
        assert standard.judge(again, ComparisonClass.RANDOM) == standard.judge(metrics, ComparisonClass.RANDOM)


def test_the_chance_of_a_distance():
    assert [round(chance_of(distance, 100), 4) for distance in (0.0, 0.1, 0.163)] == [1.0, 0.2707, 0.0098]


def test_sound_noise_seldom_comes_near_the_limits():
    headrooms = [judged(uniform()).headroom for _ in range(50)]
    assert max(headrooms) < 0.75


def test_a_golden_may_follow_from_what_was_written():
    following = Following(("noise",), lambda written: GoldenOutput(2 * written["noise"]))
    both = {"noise": golden(), "out": following}
    assert follow(both, samples(both))["out"].value[1] == 2 * LOW
    assert follow(both, {"noise": np.ones(3)})["out"].value.tolist() == [2.0, 2.0, 2.0]
