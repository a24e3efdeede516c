"""Formulas of one tensor against torch's operators in float64, and the numbers that scalars may count as."""

from math import inf, nan

import numpy as np
import pytest
import torch
from torch.nn import functional

from conformance.call import Attribute, Scalar
from conformance.dtype import DTYPES
from conformance.signature import ParameterKind
from runners.reference.held import held, held_together

F32, F16, I8 = (DTYPES[name] for name in ("float32", "float16", "int8"))
X = np.array([-90, -4, -3, -1.5, -0.5, -1e-6, 0, 1e-6, 0.5, 1, 2.75, 3, 4, 90], np.float32)


def scalars(**numbers):
    return {name: Scalar(F32, number) for name, number in numbers.items()}


def shrink(x):
    return torch.where(x > 0.5, x - 0.25, torch.where(x < -0.5, x + 0.25, torch.zeros_like(x)))


@pytest.mark.parametrize(
    ("api", "operator", "attributes"),
    [
        ("aclnnCelu", lambda x: functional.celu(x, -0.75), scalars(alpha=-0.75)),
        (
            "aclnnElu",
            lambda x: torch.ops.aten.elu(x, 1.5, -2.0, 0.5),
            scalars(alpha=1.5, scale=-2.0, inputScale=0.5),
        ),
        ("aclnnFastGelu", lambda x: x * torch.sigmoid(1.702 * x), {}),
        ("aclnnGelu", lambda x: functional.gelu(x, approximate="tanh"), {}),
        ("aclnnHardswish", functional.hardswish, {}),
        ("aclnnLeakyRelu", lambda x: functional.leaky_relu(x, 0.25), scalars(negativeSlope=0.25)),
        ("aclnnShrink", shrink, scalars(lambd=0.5, bias=0.25)),
        ("aclnnSoftshrink", lambda x: functional.softshrink(x, 0.5), scalars(lambd=0.5)),
        ("aclnnThreshold", lambda x: functional.threshold(x, 0.5, -3), scalars(threshold=0.5, value=-3)),
    ],
)
def test_formulas(api, operator, attributes, tensor, golden):
    answer = golden(api, {"self": tensor(X), **attributes}, {"out": tensor(X)})
    expected = operator(torch.tensor(X, dtype=torch.float64))
    np.testing.assert_allclose(answer["out"].value, expected.numpy(), rtol=1e-9, atol=1e-14)


@pytest.mark.parametrize(("number", "word"), [(0, "none"), (1, "tanh"), (2, "none"), (-1, "none")])
def test_gelu_by_its_attribute(number, word, tensor, golden):
    approximate = Attribute(ParameterKind.INT64, number)
    answer = golden("aclnnGeluV2", {"x": tensor(X), "approximate": approximate}, {"y": tensor(X)})
    expected = functional.gelu(torch.tensor(X, dtype=torch.float64), approximate=word)
    np.testing.assert_allclose(answer["y"].value, expected.numpy(), rtol=1e-9, atol=1e-14)


@pytest.mark.parametrize(
    ("number", "dtype", "numbers"),
    [
        (0.5, F16, [0.5]),
        (0.1, F32, [0.1, 0.10000000149011612]),
        (70000.0, F16, [70000.0, inf]),
        (-2.5, I8, [-2.5, -2.0]),
        (inf, I8, [inf]),
    ],
)
def test_a_scalar_is_held_in_every_type_once(number, dtype, numbers):
    assert list(held(number, dtype)) == numbers


def test_scalars_are_held_alike():
    assert held_together((0.5, 2049.0), F16) == ((0.5, 2049.0), (0.5, 2048.0))
    assert len(held_together((nan, 0.1), F32)) == 2
