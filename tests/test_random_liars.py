"""Lying runners of a random output: each gets the verdict it deserves, wherever it runs and by whichever door."""

import json
import sys
from pathlib import Path
from shlex import quote

import numpy as np
import pytest
import random_liars
from tiny import session

from conformance.data import data_root
from conformance.errors import InvalidData
from conformance.expand import expand
from conformance.explain import explain
from conformance.golden_cache import CachedReference
from conformance.isolate import IsolatedRunner
from conformance.load import load_case_file
from conformance.metrics import Metrics
from conformance.options import Options
from conformance.record import line_of
from conformance.schema import schema_problems
from conformance.show import show_case
from conformance.standard import ComparisonClass
from conformance.verdict import Verdict
from runners.external.runner import ExternalRunner

FOLDER = data_root() / "activation" / "r_relu_with_noise"
LIARS = Path(random_liars.__file__)
F, P = Verdict.FAILED, Verdict.PASSED


@pytest.fixture(scope="module")
def cases():
    found = [case for name in ("common", "evaluation") for case in expand(load_case_file(FOLDER / f"{name}.json"))]
    return {case.id.split(".h")[0].removeprefix("activation.r_relu_with_noise."): case for case in found}


DRAWN, MIXED, SEED, AGAIN = (
    "common.seed_seven.fp32",
    "common.draws_among_ones.fp32",
    "common.another_seed.fp32-8",
    "common.same_seed_again.fp32",
)
HALF, KNOWN, QUIET = "common.seed_seven.fp16", "common.one_value_to_draw.fp32", "evaluation.trained_before"
DESERVED = [
    (random_liars.Constant, DRAWN, "noise: Kolmogorov–Smirnov distance 0.6"),
    (random_liars.Constant, SEED, "noise, out holds the very bits that the call before wrote, expected others"),
    (random_liars.OneStepOut, DRAWN, "noise: 1 of 4096 elements are neither a draw within the bounds"),
    (random_liars.OneStepOut, HALF, "noise: 1 of 4096 elements are neither a draw within the bounds"),
    (random_liars.Normal, DRAWN, "noise: Kolmogorov–Smirnov distance 0.1"),
    (random_liars.HalfTheRange, DRAWN, "noise: Kolmogorov–Smirnov distance 0.5"),
    (random_liars.HalfTheRange, HALF, "noise: Kolmogorov–Smirnov distance 0.4996"),
    (random_liars.Tiled, MIXED, "elements apart are correlated by"),
    (random_liars.NotANumber, DRAWN, "noise: NaN or infinity on one side only at 1 of 4096 elements"),
    (random_liars.NotWritten, DRAWN, "noise: 4096 of 4096 elements are neither a draw within the bounds"),
    (random_liars.NotWritten, MIXED, "noise: 49153 of 49153 elements are neither a draw within the bounds"),
    (random_liars.OtherProduct, DRAWN, "out: max error"),
    (random_liars.OtherProduct, HALF, "out: max error"),
    (random_liars.SeedIgnored, SEED, "noise, out holds the very bits that the call before wrote, expected others"),
    (random_liars.Unsteady, AGAIN, "elements of noise, 4096 elements of out differ between run 1 and run 2 of 20"),
    (random_liars.OnesInEvaluation, QUIET, "noise was written, expected it untouched"),
    (random_liars.OneStepOut, KNOWN, "noise: 1 of 6 elements are neither a draw within the bounds"),
]


@pytest.mark.parametrize(("liar", "name", "reason"), DESERVED, ids=[f"{d[0].__name__}-{d[1]}" for d in DESERVED])
def test_a_liar_fails(cases, liar, name, reason):
    judged = session(liar()).execute(cases[name]).judged
    assert judged.verdict is F, judged
    assert reason in judged.reason


@pytest.mark.parametrize("name", [DRAWN, MIXED, SEED, AGAIN, HALF, KNOWN, QUIET])
def test_the_honest_pass(cases, name):
    assert session(random_liars.Sound()).execute(cases[name]).judged.verdict is P


@pytest.mark.parametrize("product", ["ascend950", "ascend910"])
@pytest.mark.parametrize("name", [DRAWN, SEED, MIXED])
def test_the_reference_keeps_its_own_law(cases, name, product):
    reference = session().reference
    judged = session(reference, product, reference=CachedReference(reference)).execute(cases[name]).judged
    assert judged.verdict is P, judged


IN_A_CHILD = [
    ("Constant", SEED, F),
    ("OtherProduct", MIXED, F),
    ("NotWritten", HALF, F),
    ("Sound", SEED, P),
    ("Sound", MIXED, P),
]


@pytest.mark.parametrize(("liar", "name", "verdict"), IN_A_CHILD)
def test_in_a_process_of_its_own(cases, liar, name, verdict):
    runner = IsolatedRunner(f"{LIARS}:{liar}")
    try:
        assert session(runner).execute(cases[name]).judged.verdict is verdict
    finally:
        runner.close()


@pytest.mark.parametrize(
    ("lie", "name", "verdict"),
    [("", SEED, P), ("", MIXED, P), ("", KNOWN, P), ("seedless", SEED, F), ("apart", DRAWN, F), ("", AGAIN, P)],
)
def test_a_program_in_any_language(cases, lie, name, verdict):
    runner = ExternalRunner(f"{quote(sys.executable)} {quote(str(LIARS.with_name('random_program.py')))} {lie}")
    try:
        assert session(runner).execute(cases[name]).judged.verdict is verdict
    finally:
        runner.close()


def test_the_record_keeps_the_figures_and_can_be_judged_again(cases):
    trial = session(random_liars.Normal())
    line = json.loads(line_of(trial.execute(cases[DRAWN])).text)
    assert schema_problems("record-1", line, "", Path("record")) == []
    noise = line["outputs"]["noise"]
    assert noise["metrics"]["draws"]["distribution"] == "uniform on [0.125, 0.333333343]"
    again = trial.standard.judge(Metrics.from_json(noise["metrics"]), ComparisonClass(noise["comparison"]))
    assert (again.met, again.reason) == (False, noise["reason"])


def test_likeness_is_in_the_record(cases):
    line = dict(line_of(session(random_liars.SeedIgnored()).execute(cases[SEED])))
    assert schema_problems("record-1", line, "", Path("record")) == []
    assert line["alike"] == ["noise", "out"]


def test_the_failure_text_has_the_figures(cases):
    text = explain(session(random_liars.Normal()).execute(cases[DRAWN]), Options())
    assert "noise     4096 draws uniform on [0.125, 0.333333343]: Kolmogorov–Smirnov distance 0.1" in text
    worst = explain(session(random_liars.OneStepOut()).execute(cases[DRAWN]), Options())
    assert "worst at [0]: got 0.3333333730697632, expected 0.3333333432674408" in worst


def test_show_tells_what_is_drawn_and_what_follows(cases):
    text = show_case(cases[KNOWN], session())
    assert "golden    noise [0.25, 0.25, 0.25, 1, 1, 0.25], of which 4 are draws, uniform on [0.25, 0.25]" in text
    assert "  noise     float32[6]\n            [7, 7, 7, 7, 7, 7]\n" in text
    assert "expected  success, with other bits in noise, out than the call before" in show_case(cases[SEED], session())
    assert "golden    out [-0.5, -0.25, -0.125, 3, 1.5, -2], as follows from what is written into noise" in text


def test_where_a_zero_may_be_a_draw_or_one_the_record_counts(cases):
    for runner, drawn in ((random_liars.Sound(), 0), (random_liars.DrawsAtZero(), 1031)):
        result = session(runner).execute(cases["common.zeros.fp32"])
        assert (result.judged.verdict, result.judged.side) == (Verdict.UNSPECIFIED, "both")
        assert result.observation.measured["noise"].metrics.draws.either_drawn == drawn


def test_unlike_without_a_call_before_is_refused(tmp_path):
    body = json.loads((FOLDER / "evaluation.json").read_text("utf-8"))
    body["groups"][0]["expect"] = {"success": {"unlike": ["noise"]}}
    folder = tmp_path / "activation" / "r_relu_with_noise"
    folder.mkdir(parents=True)
    (folder / "contract.json").write_text((FOLDER / "contract.json").read_text("utf-8"), "utf-8")
    (folder / "evaluation.json").write_text(json.dumps(body), "utf-8")
    with pytest.raises(InvalidData, match="unlike that of the call before, but no call comes before"):
        expand(load_case_file(folder / "evaluation.json"))


def test_noise_of_more_elements_keeps_those_beyond(cases):
    case = next(case for name, case in cases.items() if name.startswith("common.more_noise_than_needed.fp32-34"))
    trial = session(random_liars.Sound())
    call = trial.make_call(case)
    before = call.arguments["noise"].array().copy()
    random_liars.Sound().run(call)
    assert call.arguments["noise"].array()[33:] == before[33:]
    assert not np.array_equal(call.arguments["noise"].array()[:33], before[:33])
