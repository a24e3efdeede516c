"""NaN, infinities, thresholds and other places where documents leave room: which answers are admissible."""

import math

import numpy as np
import pytest

from conformance.call import Attribute, Scalar
from conformance.dtype import DTYPES
from conformance.signature import ParameterKind

INF, NAN = math.inf, math.nan


def admissible(output):
    """Value and alternatives of a one-element output, as a list without repetition."""
    answers = [float(a.item()) for a in (output.value, *output.alternatives)]
    unique = []
    for answer in answers:
        if not any(answer == u or (math.isnan(answer) and math.isnan(u)) for u in unique):
            unique.append(answer)
    return unique


def assert_same(answers, expected):
    assert len(answers) == len(expected)
    np.testing.assert_allclose(np.sort(answers), np.sort(expected), rtol=1e-14)


def lambd(value):
    return Scalar(DTYPES["float32"], float(np.float32(value)))


@pytest.mark.parametrize(
    ("x", "weight", "expected"),
    [
        (NAN, 0.5, [NAN]),
        (0, INF, [NAN]),
        (0, NAN, [NAN]),
        (2, INF, [2, NAN]),
        (2, NAN, [2, NAN]),
        (-2, INF, [-INF]),
        (INF, 0, [INF]),
        (-INF, 0, [NAN]),
        (-INF, 0.5, [-INF]),
    ],
)
def test_prelu(x, weight, expected, tensor, golden):
    answer = golden("aclnnPrelu", {"self": tensor([x]), "weight": tensor([weight])}, {"out": tensor([0])})
    assert_same(admissible(answer["out"]), expected)


@pytest.mark.parametrize(
    ("g", "x", "weight", "grad_input", "grad_weight"),
    [
        (3, 0, 0.5, [1.5], [0]),
        (3, NAN, 0.5, [1.5, 3, NAN], [NAN, 0]),
        (NAN, 1, 0.5, [NAN], [0]),
        (NAN, -1, 0.5, [NAN], [NAN]),
        (INF, 1, 0.5, [INF], [0]),
        (0, -INF, 0.5, [0], [NAN]),
        (0, -1, INF, [NAN], [0]),
    ],
)
def test_prelu_backward(g, x, weight, grad_input, grad_weight, tensor, golden):
    inputs = {"gradOutput": tensor([g]), "self": tensor([x]), "weight": tensor([weight])}
    answer = golden("aclnnPreluBackward", inputs, {"gradInput": tensor([0]), "gradWeight": tensor([0])})
    assert_same(admissible(answer["gradInput"]), grad_input)
    assert_same(admissible(answer["gradWeight"]), grad_weight)


@pytest.mark.parametrize(
    ("x", "expected"),
    [
        (NAN, [NAN]),
        (INF, [INF]),
        (-INF, [NAN, 0]),
        (0, [0]),
        (-87, [-87 / (1 + math.exp(87))]),
        (-89, [-89 / (1 + math.exp(89)), 0]),
    ],
)
def test_silu(x, expected, tensor, golden):
    assert_same(admissible(golden("aclnnSilu", {"self": tensor([x])}, {"out": tensor([0])})["out"]), expected)


@pytest.mark.parametrize(
    ("g", "x", "expected"),
    [
        (1, NAN, [NAN]),
        (NAN, 1, [NAN]),
        (2, INF, [NAN, 2]),
        (2, -INF, [NAN, 0]),
        (3, 0, [1.5]),
        (INF, 1, [INF]),
        (1, -89, [-88 * math.exp(-89), 0]),
        (INF, -89, [-INF, NAN]),
        (1, 1e30, [1]),
        (1, -1e30, [0]),
    ],
)
def test_silu_backward(g, x, expected, tensor, golden):
    answer = golden("aclnnSiluBackward", {"gradOutput": tensor([g]), "self": tensor([x])}, {"gradInput": tensor([0])})
    assert_same(admissible(answer["gradInput"]), expected)


# A tenth as float32 is 0.100000001490; the nearest float16 is below it, the nearest bfloat16 above.
HARDSHRINK = [
    ("float32", NAN, 0.5, [NAN, 0]),
    ("float32", 2, NAN, [2, 0]),
    ("float32", 0.5, 0.5, [0]),
    ("float32", -0.5, 0.5, [0]),
    ("float32", INF, 0.5, [INF]),
    ("float32", -INF, 0.5, [-INF]),
    ("float32", INF, INF, [0]),
    ("float32", -0.25, -1, [-0.25]),
    ("float32", 1e-45, 0, [float(np.float32(1e-45))]),
    ("float16", 0.1, 0.1, [0]),
    ("bfloat16", 0.1, 0.1, [0, 0.10009765625]),
    ("bfloat16", -0.1, 0.1, [0, -0.10009765625]),
]


@pytest.mark.parametrize(("dtype", "x", "threshold", "expected"), HARDSHRINK)
def test_hardshrink(dtype, x, threshold, expected, tensor, golden):
    inputs = {"self": tensor([x], dtype), "lambd": lambd(threshold)}
    assert_same(admissible(golden("aclnnHardshrink", inputs, {"out": tensor([0], dtype)})["out"]), expected)


@pytest.mark.parametrize(("dtype", "x", "threshold", "forward"), HARDSHRINK)
def test_hardshrink_backward_passes_where_forward_keeps(dtype, x, threshold, forward, tensor, golden):
    inputs = {"gradOutput": tensor([8], dtype), "self": tensor([x], dtype), "lambd": lambd(threshold)}
    answer = golden("aclnnHardshrinkBackward", inputs, {"gradInput": tensor([0], dtype)})
    assert_same(admissible(answer["gradInput"]), [0 if kept == 0 else 8 for kept in forward])


def test_hardshrink_backward_compares_in_the_promoted_type(tensor, golden):
    inputs = {"gradOutput": tensor([8], "float32"), "self": tensor([0.1], "bfloat16"), "lambd": lambd(0.1)}
    answer = golden("aclnnHardshrinkBackward", inputs, {"gradInput": tensor([0], "float16")})
    assert admissible(answer["gradInput"]) == [8]


@pytest.mark.parametrize(
    ("g", "y", "expected"),
    [
        (1, 0, [1.7580993408473766, 1.0507009873554805]),
        (1, NAN, [1.0507009873554805, NAN]),
        (2, 1, [2.101401974710961]),
        (1, -INF, [-INF]),
        (NAN, 1, [NAN]),
        (0, INF, [0]),
    ],
)
def test_selu_backward(g, y, expected, tensor, golden):
    answer = golden("aclnnSeluBackward", {"gradOutput": tensor([g]), "result": tensor([y])}, {"gradInput": tensor([0])})
    assert_same(admissible(answer["gradInput"]), expected)


@pytest.mark.parametrize(
    ("g", "y", "expected"),
    [
        (20, 1, [21, 22]),
        (-20, 1, [-22, -21]),
        (2, 0, [4, 3, 2]),
        (0, 5, [0]),
        (3, -1, [2, 3]),
        (127, 1, [133, 134, 127]),
    ],
)
def test_selu_backward_of_integers_takes_either_neighbour(g, y, expected, tensor, golden):
    inputs = {"gradOutput": tensor([g], "int8"), "result": tensor([y], "int8")}
    answer = golden("aclnnSeluBackward", inputs, {"gradInput": tensor([0], "int8")})
    assert answer["gradInput"].value.dtype == np.int64
    assert_same(admissible(answer["gradInput"]), expected)


def test_softmax_backward_spreads_nan_along_its_axis_only(tensor, golden):
    g, y = tensor([[1, NAN], [1, 2]]), tensor([[0.5, 0.5], [0.25, 0.75]])
    inputs = {"gradOutput": g, "output": y, "dim": Attribute(ParameterKind.INT64, 1)}
    answer = golden("aclnnSoftmaxBackward", inputs, {"out": tensor(np.zeros((2, 2)))})["out"]
    np.testing.assert_array_equal(answer.value, [[NAN, NAN], [-0.1875, 0.1875]])


FIXED = {"lambd": lambd(0.5), "dim": Attribute(ParameterKind.INT64, 0)}
ELEMENTWISE = {
    "aclnnPrelu": ("self", ["weight"], "out"),
    "aclnnPreluBackward": ("self", ["gradOutput", "weight"], "gradInput"),
    "aclnnSilu": ("self", [], "out"),
    "aclnnSiluBackward": ("self", ["gradOutput"], "gradInput"),
    "aclnnHardshrink": ("self", ["lambd"], "out"),
    "aclnnHardshrinkBackward": ("self", ["gradOutput", "lambd"], "gradInput"),
    "aclnnSeluBackward": ("result", ["gradOutput"], "gradInput"),
}


@pytest.mark.parametrize("special", [NAN, INF, -INF, 0.5, -89.0], ids=str)
@pytest.mark.parametrize("api", ELEMENTWISE)
def test_a_special_value_gets_the_same_answer_in_every_lane(api, special, tensor, golden):
    name, others, output = ELEMENTWISE[api]

    def answers(size):
        given = {n: FIXED.get(n) or tensor(np.ones(1 if n == "weight" else size)) for n in others}
        outputs = {output: tensor(np.zeros(size)), "gradWeight": tensor([0])}
        found = golden(api, {name: tensor(np.full(size, special)), **given}, outputs)[output]
        return [found.value, *found.alternatives]

    single = answers(1)
    for size in range(2, 34):
        for lane, whole in zip(single, answers(size), strict=True):
            np.testing.assert_allclose(whole, np.full(size, lane[0]), rtol=1e-15)


@pytest.mark.parametrize(("dtype", "flushes"), [("float32", True), ("bfloat16", True), ("float16", False)])
def test_arithmetic_on_subnormals_also_answers_as_if_they_were_zero(golden, tensor, dtype, flushes):
    tiny = {"float32": 1e-40, "bfloat16": 1e-40, "float16": 1e-7}[dtype]
    inputs = {"self": tensor([-tiny, -1.0], dtype), "weight": tensor([np.inf], dtype)}
    out = golden("aclnnPrelu", inputs, {"out": tensor([0.0, 0.0], dtype)})["out"]
    assert out.value.tolist() == [-np.inf, -np.inf]
    assert [np.isnan(answer).tolist() for answer in out.flushing] == ([[True, False]] if flushes else [])


def test_selections_do_not_flush(golden, tensor):
    inputs = {"self": tensor([1e-40, -1.0]), "lambd": Scalar(DTYPES["float32"], 0.0)}
    assert golden("aclnnHardshrink", inputs, {"out": tensor([0.0, 0.0])})["out"].flushing == ()
