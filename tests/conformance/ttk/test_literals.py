"""Cells are Python literals; what is none stands for itself."""

from math import inf, isnan

import pytest

from conformance.ttk.literals import literal


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", None),
        ("None", None),
        ("((1, 2), (3,))", [[1, 2], [3]]),
        ("[]", []),
        ("('float16', None)", ["float16", None]),
        ("float16, float32", ["float16", "float32"]),
        ("ND", "ND"),
        ("{'a': True, \"b\": [1.5]}", {"a": True, "b": [1.5]}),
        ('{"a": true, "b": null}', {"a": True, "b": None}),
        ("(-inf, +1e3)", [-inf, 1000.0]),
        ("float('-inf')", -inf),
        ("np.inf", inf),
        ("Ascend 910B", "Ascend 910B"),
        ("((1, 2)", "((1, 2)"),
        ("__import__('os').getcwd()", "__import__('os').getcwd()"),
        ("{**{}}", "{**{}}"),
        ("1j", "1j"),
        ("-'a'", "-'a'"),
        ("a\0b", "a\0b"),
    ],
)
def test_a_cell_has_one_value(text, value):
    assert literal(text) == value


def test_nan_is_a_number():
    assert isnan(literal("nan"))


@pytest.mark.parametrize("text", ["(" * 5000, "-" * 100_000 + "1", "[" * 90 + "]" * 90, "9" * 5000])
def test_a_deep_or_long_text_is_no_danger(text):
    assert literal(text) is not None
