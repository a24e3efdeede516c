"""A line of a record says what its JSON says, however it is written, and is refused where that is no JSON."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance import record_lines
from conformance.record_lines import CaseLine, parse_line
from conformance.schema import RECORD, schema_document

LINE = {
    "kind": "case",
    "id": "activation.prelu.basic.g.h00000000",
    "api": "aclnnPrelu",
    "verdict": "passed",
    "reason": "error 0.5 ≤ 1",
    "exercises": [],
    "facets": ["fp32", "rank2"],
    "seconds": 0.25,
    "headroom": "inf",
    "outcome": {"kind": "Completed", "text": "é", "steps": []},
    "vivid": True,
    "outputs": {"out": {"metrics": {"max_ulp": 18446744073709551615, "worst": None, "rmse": 1e-300}}},
}
TEXT = json.dumps(LINE, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def by_json(text):
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return ValueError


def by_us(text):
    try:
        line = parse_line(text)
    except ValueError:
        return ValueError
    return dict(line) if isinstance(line, CaseLine) else line


def test_a_line_reads_like_the_object_that_it_says():
    line = parse_line(TEXT)
    assert isinstance(line, CaseLine)
    assert (line, list(line), len(line)) == (LINE, list(LINE), len(LINE))
    assert (line["outputs"], line.get("side"), line.get("side", 1), "side" in line) == (LINE["outputs"], None, 1, False)
    assert {**line, "verdict": "failed"} == {**LINE, "verdict": "failed"}
    with pytest.raises(KeyError):
        line["side"]


def test_every_part_that_a_line_may_have_is_known():
    """A line with another part would be read right, but slowly."""
    parts = schema_document(RECORD)["$defs"]["case"]["properties"]
    assert parts.keys() == record_lines._KNOWN


@pytest.mark.parametrize("text", [TEXT, TEXT.rstrip(), TEXT.rstrip() + b"\r\n"])
def test_a_line_is_written_again_as_it_stands(text):
    assert parse_line(text).text == TEXT


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('"passed"', '"passed","verdict":"failed"'),
        ('"vivid":true', '"vivid":false,"vivid":true,"note":1'),
        ("1e-300", "1e999"),
        ("1e-300", "NaN"),
        ("18446744073709551615", "123456789012345678901234567890"),
        ("é", "\\ud800"),
        ('"kind":"case"', '"k\\u0069nd":"case"'),
        ('"id":"activation', '"id":3,"was":"activation'),
        ('"headroom":"inf"', '"headroom":true'),
        ("0.25", "0"),
    ],
)
def test_what_is_odd_means_what_it_means_to_the_standard_library(before, after):
    text = TEXT.decode().replace(before, after).encode()
    assert text != TEXT
    assert str(by_us(text)) == str(by_json(text)) != str(ValueError)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"\xc3\xa9", b"\xc3"),
        (b"0.25", b"00.25"),
        (b"1e-300", b"[" * 100_000 + b"]" * 100_000),
        (b'"steps":[]', b'"steps":[,]'),
        (b'"text":"', b'"text":"\\q'),
        (b'"text":"', b'"text":"\x01'),
        (b"}\n", b"}}\n"),
        (b"}\n", b"\n"),
    ],
)
def test_what_is_no_json_is_refused_even_where_nobody_looks(before, after):
    text = TEXT.replace(before, after)
    assert by_us(text) is by_json(text) is ValueError


@given(st.integers(0, len(TEXT) - 1), st.binary(max_size=2), st.integers(0, 2))
def test_spoiled_lines_are_read_or_refused_as_by_the_standard_library(place, put, cut):
    text = TEXT[:place] + put + TEXT[place + cut :]
    assert str(by_us(text)) == str(by_json(text))
