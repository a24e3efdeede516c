"""Goldens that are computed once a call, and what makes two calls the same."""

import numpy as np
import pytest

from conformance.call import DEFAULT_STEPS, Call, Scalar
from conformance.dtype import DTYPES
from conformance.golden import GoldenOutput
from conformance.golden_cache import CachedReference, digest_of
from conformance.outcome import Unsupported
from conformance.product import PRODUCTS
from conformance.runner import RunnerInfo
from conformance.signature import Parameter, ParameterKind, Role
from conformance.tensor import new_tensor

PARAMETERS = (
    Parameter("x", ParameterKind.TENSOR, Role.INPUT, ""),
    Parameter("factor", ParameterKind.SCALAR, Role.INPUT, ""),
    Parameter("y", ParameterKind.TENSOR, Role.OUTPUT, ""),
)


class Counting:
    """A reference that counts how often it is asked."""

    def __init__(self):
        self.asked = 0

    def describe(self):
        return RunnerInfo("counting", "1")

    def golden(self, call):
        self.asked += 1
        return {"y": GoldenOutput(call.arguments["x"].array().astype(np.float64))}

    def benchmark(self, call):
        self.asked += 1
        return {"y": call.arguments["x"].array()}


def a_call(values=(1.0, 2.0), factor=0.5, product="ascend950", api="aclnnTiny", dtype="float32"):
    x, y = (new_tensor(DTYPES[dtype], (len(values),)) for _ in range(2))
    x.view()[...] = values
    arguments = {"x": x, "factor": Scalar(DTYPES["float32"], factor), "y": y}
    return Call(api, PRODUCTS[product], PARAMETERS, arguments, DEFAULT_STEPS)


def test_the_same_call_made_again_is_answered_from_memory():
    counting = Counting()
    cached = CachedReference(counting)
    first, again = cached.golden(a_call()), cached.golden(a_call())
    assert first is again
    assert cached.benchmark(a_call()) is cached.benchmark(a_call())
    assert (counting.asked, cached.hits) == (2, 2)


@pytest.mark.parametrize(
    "change",
    [
        {"values": (1.0, 3.0)},
        {"values": (1.0,)},
        {"factor": 0.25},
        {"product": "ascend910b"},
        {"api": "aclnnOther"},
        {"dtype": "float16"},
    ],
)
def test_another_call_is_another_key(change):
    assert digest_of(a_call(**change)) != digest_of(a_call())


def test_what_an_output_holds_is_no_part_of_the_key():
    call = a_call()
    before = digest_of(call)
    call.arguments["y"].view()[...] = 7
    assert digest_of(call) == before


def test_the_answer_unused_for_longest_goes_first():
    counting = Counting()
    cached = CachedReference(counting, limit_bytes=2 * 16)
    for values in [(1, 1), (2, 2), (1, 1), (3, 3), (1, 1)]:
        cached.golden(a_call(values))
    assert counting.asked == 3
    cached.golden(a_call((2, 2)))
    assert counting.asked == 4


def test_an_answer_beyond_the_limit_is_not_kept():
    counting = Counting()
    cached = CachedReference(counting, limit_bytes=8)
    assert cached.golden(a_call())["y"].value.tolist() == [1, 2]
    cached.golden(a_call())
    assert counting.asked == 2


def test_refusals_of_the_reference_are_kept_and_benchmarks_can_be_left_out():
    counting = Counting()
    counting.golden = lambda call: Unsupported("no formula")
    cached = CachedReference(counting, benchmarks=False)
    assert cached.golden(a_call()) is cached.golden(a_call())
    assert cached.benchmark(a_call()) is None
    assert counting.asked == 0
    assert cached.describe().name == "counting"
