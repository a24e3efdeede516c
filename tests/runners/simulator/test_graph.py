"""Graph-level facts, inference and the split of PReluGrad."""

import numpy as np
import pytest

from conformance.dtype import BY_NUMPY, DTYPES
from conformance.tensor import Format
from runners.simulator.graph import Operand, fusion_applies, fusions, infer_dtypes, infer_shapes, operators
from runners.simulator.kernels.activation.prelu_backward import reduce, update
from runners.simulator.vector_unit import FLOAT32_UNIT

PASS = "PReluGradFusionPass"


def operands(x=(2, 3, 4, 4), weight=(3,), dy_dtype="float16", dtype="float16", layout=Format.ND):
    return {
        "dy": Operand(x, DTYPES[dy_dtype], layout),
        "x": Operand(x, DTYPES[dtype], layout),
        "weight": Operand(weight, DTYPES[dtype]),
    }


@pytest.mark.parametrize(
    ("operator", "shapes", "expected"),
    [
        ("SiluGrad", [(4, 5), (4, 5)], {"dx": (4, 5)}),
        ("HardShrinkGrad", [(5,), (4, 5)], {"backprops": (4, 5)}),
        ("PReluGrad", [(4, 5), (4, 5), (5,)], {"dx": (4, 5), "da": (5,)}),
        ("PReluGradUpdate", [(1, 5), (4, 5), (5,)], {"dx": (4, 5), "update": (4, 5)}),
        ("PReluGradReduce", [(4, 5), (4, 5), (1,), (4, 5)], {"da": (1,)}),
    ],
)
def test_outputs_take_shape_and_dtype_of_an_input(operator, shapes, expected):
    definition = operators()[operator]
    inputs = {name: Operand(shape, DTYPES["bfloat16"]) for name, shape in zip(definition.inputs, shapes, strict=True)}
    assert infer_shapes(definition, inputs) == expected
    assert {dtype.name for dtype in infer_dtypes(definition, inputs).values()} == {"bfloat16"}


def test_the_threshold_attribute_has_a_default():
    assert operators()["HardShrinkGrad"].attributes == {"lambd": 0.5}


@pytest.mark.parametrize(
    "weight",
    [pytest.param(shape, id=str(shape)) for shape in [(), (1,), (3,), (3, 1, 1)]],
)
def test_the_pass_takes_these_weights(weight):
    assert fusion_applies(fusions()[PASS], operands(weight=weight), "ascend950") is None


@pytest.mark.parametrize(
    ("change", "soc", "reason"),
    [
        ({}, "ascend910b", "ascend910b is not among ascend950"),
        ({"dy_dtype": "float32"}, "ascend950", "dtypes of dy, x, weight differ"),
        ({"dy_dtype": "float64", "dtype": "float64"}, "ascend950", "float64 is not supported"),
        ({"layout": Format.NCHW}, "ascend950", "dy has format NCHW"),
        ({"x": (3,), "weight": (1,)}, "ascend950", "x has rank 1"),
        ({"x": (2, 3, *[1] * 7)}, "ascend950", "x has rank 9"),
        ({"weight": (4,)}, "ascend950", "weight of shape [4]"),
        ({"weight": (1, 3, 1, 1)}, "ascend950", "weight of shape [1, 3, 1, 1]"),
    ],
)
def test_the_pass_leaves_other_graphs_alone_and_says_why(change, soc, reason):
    assert reason in fusion_applies(fusions()[PASS], operands(**change), soc)


def test_the_pass_replaces_known_operators():
    fusion = fusions()[PASS]
    assert {fusion.pattern, *fusion.replacement} <= operators().keys()


@pytest.mark.parametrize(("dtype", "step"), [("float32", 2**-22), ("float16", 2**-10), ("bfloat16", 2**-7)])
@pytest.mark.parametrize("weight_shape", [(), (5,), (5, 1)])
def test_fused_and_split_form_agree(dtype, step, weight_shape):
    rng = np.random.default_rng(3)
    target = DTYPES[dtype].numpy
    dy, x = (rng.uniform(-2, 2, (6, 5, 7)).astype(target) for _ in range(2))
    weight = rng.uniform(-1, 1, weight_shape).astype(target)
    dx, terms = update(dy, x, weight)
    da = FLOAT32_UNIT.deliver(reduce(terms, weight.size), DTYPES[dtype])
    fused_dx, fused_da, size = fused_prelu_grad(dy, x, weight)
    np.testing.assert_array_equal(dx, fused_dx.astype(target))
    assert (np.abs(da.astype(np.float64) - fused_da) <= step * size).all()
    assert BY_NUMPY[dx.dtype].name == dtype


def fused_prelu_grad(dy, x, weight):
    """PReluGrad as one operator in float64: dx, da and the sum of the terms' magnitudes."""
    dy, x, weight = (array.astype(np.float64) for array in (dy, x, weight))
    dx = np.where(x > 0, dy, weight.reshape((1, -1, 1)) * dy)
    terms = np.minimum(x, 0) * dy
    axes = (0, 2) if weight.size > 1 else (0, 1, 2)
    return dx, terms.sum(axes), np.abs(terms).sum(axes)
