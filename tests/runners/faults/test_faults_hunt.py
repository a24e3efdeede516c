"""A fixed sample of faults must be caught in every implementation, and the smoke tier must catch nearly all."""

import pytest

from conformance.load import load_contracts
from conformance.tier import load_smoke
from runners.faults import hunt as hunting
from runners.faults.catalogue import BY_ID, CATALOGUE, choose
from runners.faults.fault import Scope
from runners.faults.hunt import Task, group_of, hunt, tasks_of
from runners.faults.score import scores_of, total

SAMPLE = [
    "threshold_itself_kept", "nan_shrunk_in_whole_registers", "selected_by_multiplication", "axis_beyond_four_wraps",
    "threshold_rounded_to_half", "constants_of_four_decimals", "factor_off_by_a_millionth", "strides_ignored",
    "four_axes_honoured", "gaps_overwritten", "last_axis_for_channels", "broadcast_aligned_left", "truncated_results",
    "ties_away_from_zero", "exp_of_ten_bits", "small_results_lost", "multiplied_before_dividing",
    "remainder_from_the_start", "plan_of_whole_tiles", "partial_sums_in_16_bits", "chunks_overlap",
    "output_written_in_blocks", "written_in_phase_1", "layouts_of_the_first_call", "executors_run_out",
    "null_gives_161002", "empty_before_shapes", "message_missing", "bits_flip", "summed_in_order_of_arrival",
    "rules_of_910b_on_950", "second_of_shared_inputs_lost", "draws_miss_a_tenth",
]  # fmt: skip
"""At least one of every class, the subtler ones."""
THIRD = [fault for fault in CATALOGUE if not fault.isolated][::3]


OF_EVERY_KIND = Scope(
    (
        "aclnnPrelu", "aclnnPreluBackward", "aclnnSiluBackward", "aclnnHardshrink", "aclnnHardshrinkBackward",
        "aclnnSeluBackward", "aclnnSoftmaxBackward", "aclnnInplaceSigmoid", "aclnnAddRelu", "aclnnGluBackward",
        "aclnnGeluQuant", "aclnnRReluWithNoise",
    )
)  # fmt: skip
"""An API of each kind; ``make faults`` looks at them all."""


def missed(faults, names=frozenset()):
    """Fault, API and product of every implementation of these APIs in which no case shows the fault."""
    catches = [catch for _, found in hunt(tasks_of(faults, OF_EVERY_KIND, names)) for catch in found]
    return [(score.fault.id, *place) for score in scores_of(faults, catches, OF_EVERY_KIND) for place in score.missed]


def test_the_sample_has_every_class():
    assert {BY_ID[name].kind for name in SAMPLE} == {fault.kind for fault in CATALOGUE}


def test_the_sample_is_caught_in_every_implementation():
    assert missed(choose(SAMPLE)) == []


def test_the_smoke_tier_catches_nearly_everything():
    lost = missed(THIRD, load_smoke())
    everywhere = total(scores_of(THIRD, [], OF_EVERY_KIND)).implementations
    assert everywhere > 400
    assert len(lost) <= 0.05 * everywhere, lost[:20]


def test_the_smoke_tier_is_small():
    everything = sum(len(hunting.cases_of(api)) for api in load_contracts())
    assert len(load_smoke()) < 0.15 * everything


def test_a_crash_is_caught_by_a_case_in_a_process_of_its_own():
    ((catch,),) = [found for _, found in hunt([Task(("null_crashes",), "aclnnSilu", "ascend910b")])]
    assert (catch.fault, catch.api, catch.verdict) == ("null_crashes", "aclnnSilu", "failed")
    assert "crashed (signal 11, SIGSEGV)" in catch.reason


def test_the_hunt_goes_on_by_group_or_case_when_asked():
    once, groups, cases = (
        hunting.run_task(Task(("numbers_refused",), "aclnnSilu", "ascend910b", every=every))
        for every in ("", "group", "case")
    )
    assert len(once) == 1 < len(groups) < len(cases)
    assert {catch.group for catch in groups} == {group_of(catch.case) for catch in cases}


def test_a_broken_harness_is_no_catch(monkeypatch):
    monkeypatch.setattr(hunting, "CAUGHT", frozenset({"broken"}))
    assert hunting.run_task(Task(("strides_ignored",), "aclnnSilu", "ascend910b")) == []


@pytest.mark.parametrize("limit", [16, None])
def test_large_cases_can_be_left_out(limit):
    task = Task(("beyond_65536_unwritten",), "aclnnSilu", "ascend910b", max_elements=limit)
    assert bool(hunting.run_task(task)) is (limit is None)
