"""Ids: derived words, a closing hash, and selectors over them."""

import re

import pytest

from conformance.case_id import content_digest, label_of, make_id, matches, may_match, near_names

ID = "activation.prelu_backward.broadcast.row.bf16-7x5.h31920120"


@pytest.mark.parametrize(
    ("value", "label"),
    [
        ("bfloat16", "bf16"),
        ("Hello, World!", "hello_world"),
        ("---", "x"),
        (True, "true"),
        (None, "none"),
        (1048576, "1048576"),
        (-3, "n3"),
        (0.5, "0p5"),
        (-1e-7, "n1en07"),
        ([7, 5], "7x5"),
        ("-inf", "ninf"),
        ("-0.0", "n0"),
        ([], "0d"),
        ({"self": [4, 2], "mode": "Tanh"}, "4x2_tanh"),
    ],
)
def test_labels_of_axis_values(value, label):
    assert label_of(value) == label
    assert re.fullmatch(r"[a-z0-9_]+", label_of(value))


def test_an_id_closes_with_a_hash_of_its_content():
    one = make_id(("family", "api", "group"), ("bf16", "7x5"), content_digest({"a": [1]}))
    assert re.fullmatch(r"family\.api\.group\.bf16-7x5\.h[0-9]{8}", one)
    assert make_id(("family", "api", "group"), ("bf16", "7x5"), content_digest({"a": [2]})) != one
    assert re.fullmatch(r"family\.api\.h[0-9]{8}", make_id(("family", "api"), (), content_digest(None)))


@pytest.mark.parametrize(
    ("selector", "picked"),
    [
        (ID, True),
        ("activation", True),
        ("activation.prelu_backward", True),
        ("activation.prelu", False),
        ("activation.prelu_backward.broadcast.row.bf16-7x5", True),
        ("*.bf16-*", True),
        ("*.row.bf16-7x5", True),
        ("*.prelu_backward", False),
        ("activation.*_backward.broadcast.row.bf16", False),
        ("activation.*.row.bf16-?x[56]", True),
    ],
)
def test_selectors(selector, picked):
    assert matches(selector, ID) is picked


def test_near_names_are_prefixes_that_exist():
    ids = [ID, "activation.silu.numeric.h12345678"]
    assert near_names("activation.prelu_bakward", ids)[0] == "activation.prelu_backward"
    assert near_names("silu", ids) == ["activation.silu"]
    assert near_names("zzz", ids) == []
    assert near_names("activation.silu.zzz", ids)[0] == "activation.silu"


@pytest.mark.parametrize(
    ("selector", "may"),
    [
        ("activation", True),
        ("activation.silu", True),
        ("activation.silu.views", True),
        ("activation.silu.views.large.fp32.h00000001", True),
        ("activation.sil", True),
        ("activation.silu.view*", True),
        ("*fp32*", True),
        ("activation.silu.numeric", False),
        ("activation.silu_backward", False),
        ("activation.silu_*", False),
        ("norm.[ab]", False),
    ],
)
def test_a_selector_tells_which_files_it_cannot_pick_from(selector, may):
    assert may_match(selector, "activation.silu.views") is may
