"""Faults that only a sequence of calls, or of steps, shows: each is found by the suite's own protocol cases."""

import pytest
import stateful
from tiny import session

from conformance.corpus import load_corpus
from conformance.data import data_root
from conformance.verdict import Verdict

F = Verdict.FAILED
APIS = ("hardshrink", "hardshrink_backward", "prelu", "silu", "softmax_backward")
FOUND = [  # liar, API, the cases that find it, words of the reason
    (stateful.KeepsTheFirstLayout, "hardshrink", ("views_after_dense", "dense_after_views"), "out: "),
    (stateful.KeepsTheLastStridedLayout, "silu", ("dense_after_views", "dense_again"), "out: "),
    (stateful.KeepsTheLastStridedLayout, "softmax_backward", ("dense_after_views", "dense_again"), "out: "),
    (stateful.KeepsNumbers, "hardshrink_backward", ("after_another_threshold",), "gradInput: "),
    (stateful.KeepsNumbers, "softmax_backward", ("after_another_axis",), "out: "),
    (stateful.KeepsShapes, "prelu", ("after_another_shape",), "out: "),
    (stateful.KeepsShapes, "softmax_backward", ("after_another_shape",), "out: "),
    (stateful.KeepsTypes, "silu", ("after_another_type",), "out: "),
    (stateful.KeepsInputs, "prelu", ("after_other_data",), "out: "),
    (stateful.IgnoresRefills, "hardshrink", ("two_calls", "repeatable"), "out was not written"),
    (stateful.IgnoresMoves, "silu", ("moved", "moved_views"), "out was not written"),
    (stateful.LosesStreams, "prelu", ("two_streams", "repeatable_on_two_streams"), "out was not written"),
    (
        stateful.Exhausted,
        "hardshrink",
        ("unused_executors",),
        "expected SUCCESS (0): no executor is left",
    ),
    (stateful.SulksAfterARefusal, "silu", ("after_a_refusal",), "INNER_NULLPTR (561103): left over"),
]


@pytest.fixture(scope="module")
def cases():
    """The float32 cases of the protocol files by API and group, the last of each."""
    files = [data_root() / "activation" / api / "protocol.json" for api in APIS]
    found = {}
    for case in load_corpus(files).cases:
        if "fp32" in case.facets:
            found[case.contract.name.partition(".")[2], case.group] = case
    return found


@pytest.mark.parametrize(("liar", "api", "groups", "reason"), FOUND, ids=lambda value: getattr(value, "__name__", None))
def test_the_protocol_cases_find_it(liar, api, groups, reason, cases):
    for group in groups:
        judged = session(liar()).execute(cases[api, group]).judged
        assert (judged.verdict, group) == (F, group)
        assert reason in judged.reason


@pytest.mark.parametrize(("liar", "api"), [(liar, api) for liar, api, _, _ in FOUND])
def test_a_single_call_does_not(liar, api, cases):
    alone = "one_call" if (api, "one_call") in cases else "dense"
    for group in (alone, "views"):
        assert session(liar()).execute(cases[api, group]).judged.verdict is Verdict.PASSED


def test_the_honest_simulator_passes_them_all(cases):
    trial = session()
    for _, api, groups, _ in FOUND:
        for group in groups:
            assert trial.execute(cases[api, group]).judged.verdict is Verdict.PASSED
