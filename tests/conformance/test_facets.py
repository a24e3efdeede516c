"""Facets: the words a case can be picked by."""

import pytest
from tiny import cases_of, group, refusal, with_arguments

from conformance.markers import MARKERS

F32 = {"dtype": "float32", "shape": [2, 3]}


def facets(tmp_path, body, file="numeric.json"):
    return cases_of(tmp_path, group("control"), body, file=file)[-1].facets


def test_words_of_every_case(tmp_path):
    words = facets(tmp_path, group())
    assert {"aclnnTiny", "tiny", "demo", "numeric", "fp32", "rank2", "small"} == words


@pytest.mark.parametrize(
    ("body", "word"),
    [
        (with_arguments(x={**F32, "layout": "transposed"}), "noncontiguous"),
        (with_arguments(x={"dtype": "float32", "shape": [0, 3]}), "empty"),
        (with_arguments(x={**F32, "values": {"specials": "every"}}), "special"),
        (with_arguments(x={**F32, "values": {"ladder": {"around": [0]}}}), "boundary"),
        (with_arguments(y={"alias": "x"}), "alias"),
        (with_arguments(x=None), "nullptr"),
        (with_arguments(executor=None), "nullptr"),
        (group(steps=[{"do": "workspace", "null": ["x"]}]), "nullptr"),
        (group(steps=["workspace", "repeatable", "move", "run"]), "moved"),
        (group(steps=["workspace", {"do": "run", "stream": 1}]), "streams"),
        (group(after=["control"]), "sequence"),
        (with_arguments(x={"dtype": "float32", "shape": [2048]}), "medium"),
        (with_arguments(x={"dtype": "float32", "shape": [1 << 20]}), "large"),
        (group(expect=refusal(), control="control"), "status_161002"),
        (group(expect=refusal(), control="control"), "refusal"),
        (group(expect=refusal(phase="run"), control="control"), "protocol"),
        (group(expect={"unspecified": "the document is silent"}), "unspecified"),
        (group(steps=["workspace", {"do": "run", "status": "PARAM_NULLPTR"}]), "status_161001"),
    ],
)
def test_words_that_say_what_is_particular(body, word, tmp_path):
    assert word in facets(tmp_path, body)
    assert word in MARKERS


@pytest.mark.parametrize(("file", "word"), [("special_values.json", "special"), ("refusals.json", "refusal")])
def test_the_file_says_what_its_cases_are_about(file, word, tmp_path):
    assert word in facets(tmp_path, group(), file)
