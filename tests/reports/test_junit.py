"""JUnit XML: valid whatever the texts hold, and never greener than the record."""

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lines import failing, line, record_file

from conformance.record import read_record
from conformance.schema import RECORD, schema_problems
from conformance.verdict import Verdict
from reports.junit import clean, junit

ATTRIBUTES = {
    "testsuites": {"name", "tests", "failures", "errors", "skipped", "time"},
    "testsuite": {"name", "tests", "failures", "errors", "skipped", "time", "timestamp", "hostname"},
    "testcase": {"name", "classname", "time"},
    "property": {"name", "value"},
    "failure": {"message", "type"},
    "error": {"message", "type"},
    "skipped": {"message", "type"},
    "properties": set(),
}
"""What the schemas of JUnit XML that CI servers check with have in common."""
CHILDREN = {
    "testsuites": {"testsuite"},
    "testsuite": {"properties", "testcase"},
    "testcase": {"properties", "failure", "error", "skipped"},
    "properties": {"property"},
}


def parsed(tmp_path, *lines, **rest):
    return ElementTree.fromstring(junit(read_record(record_file(tmp_path / "r.jsonl", *lines, **rest))))


def counted(element, result):
    return len(element.findall(f".//testcase/{result}"))


def test_the_made_up_lines_keep_the_schema_of_records(tmp_path):
    for one in (line(), failing()):
        assert [str(problem) for problem in schema_problems(RECORD, one, "", tmp_path)] == []


def test_the_document_has_the_structure_that_readers_check(tmp_path):
    root = parsed(tmp_path, *(line(verdict.value, "why") for verdict in Verdict), failing(api="aclnnOther"))
    for element in root.iter():
        assert set(element.attrib) <= ATTRIBUTES[element.tag]
        assert {child.tag for child in element} <= CHILDREN.get(element.tag, set())
    for level in (root, *root):
        assert int(level.get("tests")) == len(level.findall(".//testcase"))
        for name, result in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            assert int(level.get(name)) == counted(level, result)
        assert float(level.get("time")) > 0
    assert [suite.get("name") for suite in root] == ["aclnnTiny", "aclnnOther"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", root[0].get("timestamp"))


@pytest.mark.parametrize("verdict", Verdict)
def test_only_passed_cases_look_passed_and_only_red_ones_red(verdict, tmp_path):
    root = parsed(tmp_path, line(verdict.value, "because"))
    red = counted(root, "failure") + counted(root, "error")
    assert bool(red) == verdict.is_red
    assert (red + counted(root, "skipped") == 0) == (verdict is Verdict.PASSED)
    if verdict is not Verdict.PASSED:
        assert root.find(".//testcase")[1].get("message") == f"{verdict.value}: because"


def test_a_failure_says_what_was_called_expected_and_diagnosed(tmp_path):
    root = parsed(tmp_path, failing())
    text = root.find(".//failure").text
    assert "call: aclnnTiny(x float32[2, 3])" in text
    assert "expected: success" in text
    assert "diagnosis of out: only the last element is wrong" in text
    facts = {(p.get("name"), p.get("value")) for p in root.findall(".//testcase/properties/property")}
    assert {("product", "ascend910b"), ("headroom", "1.5"), ("facet", "fp32"), ("facet", "rank2")} <= facts


@pytest.mark.parametrize(
    ("rest", "said"),
    [({"ended": False}, "did not end"), ({"complaints": ["a waiver \x1b matches nothing"]}, "waiver \\x1b matches")],
)
def test_what_makes_a_run_red_beside_its_cases_is_an_error_of_its_own(rest, said, tmp_path):
    root = parsed(tmp_path, line(), **rest)
    assert (root.get("tests"), root.get("errors")) == ("2", "1")
    assert said in root.find(".//error").get("message")


@given(st.text(st.characters(codec=None, exclude_categories=())))
def test_any_text_can_be_read_back(tmp_path_factory, text):
    path = tmp_path_factory.getbasetemp() / "hostile.jsonl"
    root = parsed(path.parent, line("failed", f"<{text}", api=f"aclnn{text}", signature=text))
    assert root[0].get("name") == clean(f"aclnn{text}")
    assert root.find(".//failure").text == clean(f"<{text}")


def test_what_xml_cannot_hold_is_escaped_visibly():
    assert clean("a\x1b[0m\ud800\x00\rb\n") == "a\\x1b[0m\\ud800\\x00\\rb\n"
