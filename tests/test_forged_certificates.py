"""Certificates forged in many ways: each is refused, and for the right reason.

Whoever forges a record also writes a footer that fits; whoever forges a certificate signs it again.
"""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date

import pytest
from certified import ENTRY, GROUPS, ISSUED, Certified, certified, with_waiver
from msgspec import structs
from tiny import prelu_cases, prelu_group

from conformance.data import data_root
from conformance.errors import InvalidData
from conformance.keys import generate
from conformance.required import list_of
from conformance.standard import parse_standards
from conformance.statement import OWN


@pytest.fixture
def world(tmp_path) -> Certified:
    return certified(tmp_path)


def line(lines, group):
    return next(one for one in lines if one["id"].split(".")[3] == group)


def edit_verdict(lines):
    line(lines, "waived").update(verdict="passed", reason="")


def edit_metric(lines):
    """A smaller error, so that a wrong output would seem to be right."""
    line(lines, "waived")["outputs"]["gradInput"]["metrics"].update(bit_different=0, max_ulp=0, max_step_error=0.0)


def edit_everything(lines):
    """Verdict and judgement too, but the type of the output no longer fits."""
    line(lines, "rows")["outputs"]["gradInput"]["metrics"]["dtype"] = "float16"


def loosen_class(lines):
    line(lines, "halves")["outputs"]["gradWeight"]["comparison"] = "elementwise"


def smuggle(lines):
    """A figure that nothing reads."""
    line(lines, "halves")["outputs"]["gradWeight"]["metrics"]["golden"]["other"] = 1


def smuggle_more(lines):
    line(lines, "halves")["outputs"]["gradWeight"]["metrics"]["other"] = 1


def hide_output(lines):
    one = line(lines, "waived")
    one["filled"].remove("gradInput")
    del one["outputs"]["gradInput"]


def invent(lines):
    """A line of a case that never ran."""
    one = line(lines, "rows")
    for name in ("outcome", "faults", "filled", "vivid", "untouched", "in_place", "outputs", "headroom"):
        one.pop(name, None)


def drop(lines):
    return [one for one in lines if ".halves." not in one["id"]]


def duplicate(lines):
    return [*lines, line(lines, "rows")]


def reorder(lines):
    return lines[::-1]


CHANGED_RECORDS = [
    (edit_verdict, "recorded as passed, but by what was measured waived"),
    (edit_metric, "what is said of an output does not follow from its metrics"),
    (edit_everything, "the metrics of an output are not those of its type, size or comparison class"),
    (loosen_class, "the metrics of an output are not those of its type, size or comparison class"),
    (smuggle, "the metrics of an output hold what no metrics do"),
    (smuggle_more, "the metrics of an output hold what no metrics do"),
    (hide_output, "its outputs are not those of the case"),
    (invent, "recorded as passed, but nothing is recorded that was seen"),
    (drop, "has no line in the record"),
    (duplicate, "has 2 lines in the record"),
]


@pytest.mark.parametrize(("forge", "reason"), CHANGED_RECORDS, ids=lambda value: getattr(value, "__name__", ""))
def test_a_record_that_was_changed_gets_no_certificate_and_keeps_none(forge, reason, world):
    world.rewrite(forge)
    refusals, complaints = world.refusals(), world.complaints()
    assert any(reason in text for text in refusals), refusals
    assert any(reason in text for text in complaints), complaints
    assert any("case lines (Merkle root): the certificate says" in text for text in complaints)


@pytest.mark.parametrize(("forge", "reason"), CHANGED_RECORDS, ids=lambda value: getattr(value, "__name__", ""))
def test_a_certificate_made_over_a_changed_record_is_refused(forge, reason, world):
    """The implementer's own key and digests that fit do not help."""
    world.rewrite(forge)
    world.sign(world.statement())
    assert any(reason in text for text in world.complaints())


def test_reordered_lines_are_another_record(world):
    world.rewrite(reorder)
    assert world.refusals() == []
    assert [text.partition(":")[0] for text in world.complaints()] == [
        "predicate configuration case lines (Merkle root)",
        "predicate configuration record",
    ]


@pytest.mark.parametrize(
    ("size", "reason"), [(0.6, "the record has no footer"), (0.999, "the record has no footer")], ids=["half", "footer"]
)
def test_a_truncated_record(size, reason, world):
    content = world.record.read_bytes()
    world.record.write_bytes(content[: int(len(content) * size)])
    assert any(reason in text for text in world.refusals())
    assert any(reason in text for text in world.complaints())


def test_a_record_edited_without_its_footer(world):
    world.record.write_bytes(world.record.read_bytes().replace(b'"verdict":"waived"', b'"verdict":"passed"'))
    assert any("its lines do not match its footer" in text for text in world.complaints())


def test_an_edited_case(world, tmp_path):
    """The suite's case asks for less than the one that the list names."""
    unspecified = prelu_group("waived", shape=(3, 2), expect={"unspecified": "an edited expectation"})
    edited = prelu_cases(tmp_path / "edited", *GROUPS[:2], unspecified, *GROUPS[3:])
    (old,) = (case for case in world.suite.cases.values() if case.group == "waived")
    (new,) = (structs.replace(case, id=old.id) for case in edited if case.group == "waived")
    world = replace(world, suite=replace(world.suite, cases={**world.suite.cases, old.id: new}))
    assert any("is another case in this suite than in the list" in text for text in world.refusals())
    assert any("is another case in this suite than in the list" in text for text in world.complaints())


@pytest.mark.parametrize("record", [True, False])
def test_another_list(record, world):
    """A list of the same release with one case less."""
    cases = [case for case in world.suite.cases.values() if case.group != "waived"]
    forged = replace(world, required=list_of(cases, "2026.1", "default", date(2026, 10, 1)), entries=())
    world.sign({**forged.statement()})
    complaints = world.complaints(record=record)
    assert any("required cases 2026.1: the certificate says" in text for text in complaints), complaints


def test_a_swapped_library(world):
    statement = world.statement()
    statement["subject"][0]["digest"]["sha256"] = "ab" * 32
    world.sign(statement)
    (complaint,) = world.complaints()
    assert complaint.startswith("subject runners/simulator: the certificate says abab")


def test_a_second_library_of_the_same_name(world):
    statement = world.statement()
    statement["subject"].insert(0, {"name": "runners/simulator", "digest": {"sha256": "ab" * 32}})
    world.sign(statement)
    assert world.complaints() == ["the certificate repeats or reorders what it says"]


@pytest.mark.parametrize("fact", [{}, {"library libopapi.so": "unknown: Permission denied"}])
def test_an_implementation_without_a_digest(fact, world):
    def described(runner):
        return {**runner, "facts": fact}

    header = json.loads(world.record.read_text("utf-8").partition("\n")[0])
    world.rewrite(lambda lines: lines, {"runner": described(header["runner"])})
    assert any("digest" in text and "librar" in text for text in world.refusals())


def test_an_expired_waiver_excuses_nothing(world):
    late = date(2027, 2, 1)
    refusals = world.refusals(late)
    assert any("expired on 2027-01-31" in text for text in refusals)
    assert any(text.startswith("failed by strict: activation.prelu_backward.numeric.waived") for text in refusals)
    (complaint,) = world.complaints(late)
    assert complaint.startswith("a waiver expired on 2027-01-31")


def test_an_expired_waiver_written_anew(world):
    """The end moved in the certificate alone does not fit the waiver that it repeats."""
    statement = world.statement()
    statement["predicate"][OWN]["validUntil"] = "2030-01-01"
    world.sign(statement)
    assert any("validUntil: the certificate says 2030-01-01, here it is 2027-01-31" in t for t in world.complaints())


def test_another_key(world):
    world.sign(world.statement(), generate())
    (complaint,) = world.complaints()
    assert complaint.startswith("signature: not made by key")


def test_another_key_under_the_id_of_the_right_one(world):
    world.sign(world.statement(), generate())
    document = json.loads(world.certificate.read_text("utf-8"))
    document["signatures"][0]["keyid"] = world.key.public.id
    world.certificate.write_text(json.dumps(document), encoding="utf-8")
    assert len(world.complaints()) == 1


def test_content_changed_under_the_signature(world):
    honest = json.loads(world.certificate.read_text("utf-8"))
    statement = world.statement()
    statement["predicate"][OWN]["statement"]["version"] = "2.0"
    world.sign(statement)
    forged = json.loads(world.certificate.read_text("utf-8"))
    world.certificate.write_text(json.dumps({**forged, "signatures": honest["signatures"]}), encoding="utf-8")
    assert any(text.startswith("signature") for text in world.complaints())


@pytest.mark.parametrize("record", [True, False])
def test_a_changed_number_of_a_standard(record, world):
    document = json.loads((data_root() / "standards.json").read_text("utf-8"))
    text = json.dumps(document["standards"]["strict"]).replace('"limit": ', '"limit": 1')
    document["standards"]["strict"] = json.loads(text)
    looser = replace(world.suite, standards=parse_standards(document), standards_file="0" * 64, data="0" * 64)
    world.sign(replace(world, suite=looser).statement())
    complaints = world.complaints(record=record)
    assert any("standards.json: the certificate says 0000" in text for text in complaints), complaints


@pytest.mark.parametrize(
    ("header", "reason"),
    [
        ({"seed": 7}, "the record was made with seed 7"),
        ({"data": "0" * 64}, "the record was made with data 0000"),
        ({"environment": {"sources": "1" * 64}}, "the record was made by sources 1111"),
        ({"standard": {"name": "strict", "version": "0"}}, "this suite has no standard strict 0"),
        ({"terms": {"deadline": 600.0}}, "the run had a deadline of 600.0 s"),
        ({"product": "ascend310p"}, "no case of release 2026.1 is required on ascend310p"),
        (
            {"shard": {"index": 1, "of": 2, "selected": 9, "digest": "0" * 64, "identity": []}},
            "the record is shard 1 of 2",
        ),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_a_record_of_another_kind_of_run(header, reason, world):
    world.rewrite(lambda lines: lines, header)
    assert any(reason in text for text in world.refusals())


@pytest.mark.parametrize(
    "entries",
    [(), (ENTRY, {**ENTRY, "select": "activation.prelu_backward.nothing"}), ({**ENTRY, "expires": "2030-01-31"},)],
    ids=["none", "one_more", "prolonged"],
)
def test_waivers_other_than_those_of_the_run(entries, world):
    assert "the run had other waivers than those given" in replace(world, entries=entries).refusals()


@pytest.mark.parametrize(("kind", "level"), [("waiver", "conformant"), ("xfail", "partial"), ("flaky", "partial")])
def test_a_level_higher_than_what_the_waivers_allow(kind, level, world):
    other = with_waiver(world, kind=kind)
    assert other.refusals() == []
    statement = other.statement()
    assert statement["predicate"][OWN]["level"] == f"{level} (strict)"
    statement["predicate"][OWN]["level"] = "conformant (strict)"
    other.sign(statement)
    assert (other.complaints() == []) is (level == "conformant")


def test_a_certificate_from_the_future(world):
    assert any("still to come" in text for text in world.complaints(date(2026, 10, 1)))


def test_a_certificate_older_than_its_run(world):
    statement = world.statement()
    statement["predicate"][OWN]["issued"] = "2026-10-14"
    world.sign(statement)
    assert any("before the run began on 2026-10-15" in text for text in world.complaints())


@pytest.mark.parametrize("damage", ["not json", "{}", '{"payloadType": "x"}'])
def test_no_certificate_at_all(damage, world):
    world.certificate.write_text(damage, encoding="utf-8")
    with pytest.raises(InvalidData):
        world.complaints()


def test_what_is_honest_holds(world):
    assert world.refusals(ISSUED) == []
    assert world.complaints() == []
    assert world.complaints(record=False) == []
