"""Conforming but different implementations: each really differs, and none raises an alarm over a sample."""

import pytest
from shipped import shipped_cases

from conformance.generate import make_call
from conformance.outcome import Completed, Rejected
from conformance.product import PRODUCTS
from conformance.runner import RunnerInfo
from runners.simulator.runner import SimulatorRunner
from runners.variants import show
from runners.variants.catalogue import VARIANTS, Variant
from runners.variants.show import print_sweep, table_of
from runners.variants.sweep import Part, parts_of, run_part, sweep

EVERY = tuple(VARIANTS)
TELLING = (
    "activation.silu.numeric.n",
    "activation.silu.special_values",
    "activation.silu_backward.special_values",
    "activation.silu_backward.numeric.",
    "activation.softmax_backward.numeric.",
    "activation.prelu_backward.reduction",
    "activation.prelu_backward.special_values",
    "activation.prelu_backward.thresholds",
    "activation.prelu_backward.refusals",
)
"""Beginnings of ids of cases on which every variant shows, save those that only reorder tiles."""
TILES = ("reversed_tiles", "one_core", "many_cores")


@pytest.mark.parametrize(("product", "share"), [("ascend910b", 0.015), ("ascend950", 0.01)])
def test_no_variant_raises_an_alarm_over_a_sample_of_the_cases(product, share):
    findings = run_part(Part(EVERY, product, "strict", share=share))
    assert [str(alarm) for alarm in findings.alarms] == []
    judged = {variant for variant, _, verdict in findings.counts if verdict == "passed"}
    assert judged == set(EVERY)
    assert findings.executed > 15000 * share * len(EVERY)


@pytest.fixture(scope="module")
def cases():
    chosen = [case for case in shipped_cases() if any(case.id.startswith(prefix) for prefix in TELLING)]
    return [case for case in chosen if "large" not in case.facets and "ascend910b" in case.products]


def trace(variant, cases):
    """All that a variant shows on some cases: outputs, workspace, figures of the plan, messages."""
    seen, runner = [], VARIANTS[variant].make()
    for case in cases:
        call = make_call(case, PRODUCTS["ascend910b"])
        outcome = runner.run(call)
        seen += [tensor.view_bytes().tobytes() for _, tensor in call.tensors(written=True)]
        if isinstance(outcome, Completed):
            seen.append((outcome.workspace_bytes, dict(outcome.facts)))
        elif isinstance(outcome, Rejected):
            seen.append(outcome.message)
    return seen


@pytest.fixture(scope="module")
def plain(cases):
    return trace("plain", cases)


@pytest.mark.parametrize("variant", [name for name in EVERY if name not in ("plain", *TILES)])
def test_no_variant_is_the_simulator_in_disguise(variant, cases, plain):
    assert trace(variant, cases) != plain


FLUSHING = ("activation.prelu.thresholds", "activation.prelu.special_values")


@pytest.mark.parametrize(
    ("variant", "standard", "alarms"),
    [
        ("flush", "strict", False),
        ("flush", "strict_no_flush", True),
        ("flush_operands", "strict", False),
        ("flush_operands", "strict_no_flush", True),
        ("plain", "strict_no_flush", False),
    ],
)
def test_flushing_is_admitted_unless_the_standard_forbids_it(variant, standard, alarms):
    findings = run_part(Part((variant,), "ascend910b", standard, FLUSHING))
    assert findings.executed > 0
    assert bool(findings.alarms) is alarms


class Doubling(SimulatorRunner):
    """No conforming implementation."""

    def describe(self):
        return RunnerInfo("doubling", "1")

    def run(self, call):
        outcome = super().run(call)
        for _, tensor in call.tensors(written=True):
            tensor.view()[...] *= 2
        return outcome


@pytest.fixture
def with_a_faulty_one(monkeypatch):
    monkeypatch.setitem(VARIANTS, "doubling", Variant("doubling", "twice the answer", Doubling))


def test_a_variant_that_does_not_conform_is_named_with_the_case(with_a_faulty_one, capsys):
    assert print_sweep(["plain", "doubling"], ["ascend910b"], "strict", ["activation.silu.numeric.near_zero"], 1) == 1
    printed = capsys.readouterr().out
    assert "doubling on ascend910b: activation.silu.numeric.near_zero" in printed
    assert "plain on" not in printed


def test_a_sweep_without_alarms_is_green_and_one_over_nothing_is_red(capsys):
    chosen = ["activation.silu.numeric.near_zero"]
    assert print_sweep(["plain"], ["ascend910b"], "strict", chosen, 1) == 0
    assert (
        print_sweep(["plain"], ["ascend910b"], "strict", ["activation.silu_backward.mixed_types.mixed_on_950"], 1) == 1
    )


def test_unknown_variants_are_named():
    with pytest.raises(show.UnknownVariant, match="unknown variant sideways; variants are plain, "):
        print_sweep(["sideways"], ["ascend910b"], "strict", [], 1)


def test_parts_deal_every_case_out_once(cases):
    whole = run_part(Part(("plain",), "ascend950", "strict", ("activation.silu.special_values",)))
    dealt = sweep(parts_of(["plain"], ["ascend950"], "strict", ["activation.silu.special_values"], jobs=2), jobs=1)
    first = next(dealt)
    for other in dealt:
        first.merge(other)
    assert first.counts == whole.counts
    assert first.headroom == whole.headroom
    assert "plain" in str(list(table_of(first, ["plain"]).columns[0].cells))
