"""Rules about storage formats."""

import pytest

from conformance.constraint import TensorOutline, with_changes
from conformance.dtype import DTYPES
from conformance.format_rules import FormatIn, SameFormat
from conformance.product import PRODUCTS
from conformance.tensor import Format

A2 = PRODUCTS["ascend910b"]


def facts(**formats):
    return {name: f and TensorOutline(DTYPES["float32"], (2, 3), f) for name, f in formats.items()}


@pytest.mark.parametrize(
    ("format_", "message"),
    [
        (Format.ND, None),
        (Format.NHWC, "self has format NHWC, which is not one of ND, NCHW"),
        (None, None),
    ],
)
def test_format_in(format_, message):
    assert FormatIn(("self",), (Format.ND, Format.NCHW)).check(facts(self=format_), A2) == message


@pytest.mark.parametrize(
    ("self_format", "message"),
    [(Format.ND, None), (Format.NCHW, "out has format ND, self has NCHW"), (None, None)],
)
def test_same_format(self_format, message):
    assert SameFormat(("self", "out")).check(facts(self=self_format, out=Format.ND), A2) == message


@pytest.mark.parametrize(
    ("rule", "names"),
    [
        (FormatIn(("self", "out"), (Format.ND,)), {"self_format_nchw", "out_format_nchw", "all_format_nchw"}),
        (FormatIn(("self",), (Format.NCHW, Format.ND)), {"self_format_nhwc"}),
        (FormatIn(("self",), (Format.NCHW, Format.ND, Format.NHWC)), set()),
        (SameFormat(("self", "out")), {"out_format_nchw"}),
    ],
)
def test_violations_use_public_formats(rule, names):
    legal = facts(self=Format.ND, out=Format.ND)
    faults = {v.name: rule.check(with_changes(legal, v.changes), A2) for v in rule.violations(legal, A2)}
    assert set(faults) == names
    assert None not in faults.values()
