"""What a record proves: the level, what makes it partial, and what no certificate may leave out."""

import json
from dataclasses import replace
from datetime import date

import fakes
import pytest
from certified import CHECKED, GROUPS, suite_of
from msgspec import structs
from tiny import prelu_cases, session

from conformance.claim import examine
from conformance.header import header_of
from conformance.options import Options
from conformance.record import RecordWriter, line_of, read_record
from conformance.required import list_of
from conformance.verdict import Verdict
from conformance.waiver import parse_waivers

ENTRY = {"reason": "known for a year", "url": "https://example.org/7", "owner": "team", "expires": "2027-01-31"}


class Grazed(fakes.Honest):
    """One element of the weight's gradient off by a little, which a tolerance forgives."""

    def lie(self, call, outcome):
        view = call.arguments["gradInput"].view().reshape(-1)
        view[-1] *= 1 + 2e-6


@pytest.fixture
def cases(tmp_path):
    return prelu_cases(tmp_path / "data", *GROUPS)


@pytest.fixture
def claim_of(tmp_path, cases):
    """The claim of a run in which some groups are answered by a liar."""

    def claim(liars=(), entries=(), *, leave_out=(), unlisted=(), standard="strict", change=None, footer=()):
        known = [
            structs.replace(case, contract=replace(case.contract, products=("ascend950",)))
            if case.group in unlisted
            else case
            for case in cases
        ]
        document = {"entries": [{**ENTRY, **entry} for entry in entries]}
        waivers = parse_waivers(document, json.dumps(document, indent=1), tmp_path / "waivers.json")
        trial = session(waivers=waivers, standard=standard)
        lying = {group: session(liar, waivers=waivers, standard=standard) for group, liar in liars}
        header = header_of(trial, Options(runner="simulator"))
        with RecordWriter(tmp_path / "record.jsonl", {**header, **(change or {})}) as writer:
            for case in known:
                if case.group not in leave_out:
                    writer.add(line_of(lying.get(case.group, trial).execute(case)))
            writer.close(complaints=footer)
        required = list_of(known, "2026.1", "default", date(2026, 10, 1))
        return examine(read_record(writer.path), required, suite_of(known), waivers, CHECKED)

    return claim


def waiver(kind, group="rows"):
    return {"select": f"activation.prelu_backward.numeric.{group}", "kind": kind}


def text(claim):
    return "\n".join(map(str, claim.complaints))


def test_a_faultless_run_conforms_strictly(claim_of):
    claim = claim_of()
    assert (claim.complaints, claim.level, claim.standard.name) == ((), "conformant", "strict")
    assert claim.counts == {Verdict.PASSED: 4, Verdict.UNSPECIFIED: 1}
    assert claim.unspecified == {("activation.prelu_backward.numeric.open", "document"): 1}


@pytest.mark.parametrize("standard", ["strict", "cann_mixed"])
def test_what_only_a_tolerance_forgives_conforms_by_that(standard, claim_of):
    claim = claim_of([("rows", Grazed())], standard=standard)
    assert (text(claim), claim.level, claim.standard.name) == ("", "conformant", "cann_mixed")


def test_a_waiver_that_only_the_stricter_standard_needs(claim_of):
    """The run was judged strictly and its deviation waived; without strict there is nothing to waive."""
    claim = claim_of([("rows", Grazed())], [waiver("waiver")])
    assert (text(claim), claim.level, claim.standard.name) == ("", "conformant", "strict")
    assert [case_id.split(".")[3] for case_id in claim.waived] == ["rows"]


@pytest.mark.parametrize(
    ("kind", "level"), [("waiver", "conformant"), ("xfail", "partial"), ("flaky", "partial"), ("skip", "partial")]
)
def test_only_deviations_agreed_on_leave_a_run_conformant(kind, level, claim_of):
    claim = claim_of([("rows", fakes.WrongSign())], [waiver(kind)])
    assert (text(claim), claim.level) == ("", level)
    excused = claim.waived if level == "conformant" else claim.partial
    assert [(case_id.split(".")[3], one.kind.value) for case_id, one in excused.items()] == [("rows", kind)]


@pytest.mark.parametrize(
    ("liars", "options", "complaint"),
    [
        ([("rows", fakes.WrongSign())], {}, "failed by strict: activation.prelu_backward.numeric.rows"),
        ([("rows", fakes.Raises())], {}, "broken by strict"),
        ([("rows", fakes.SupportsNothing())], {}, "unsupported by strict"),
        ([], {"entries": [waiver("xfail")]}, "unexpected_pass by strict"),
        ([], {"leave_out": ["rows"]}, "has no line in the record"),
        ([], {"entries": [waiver("waiver", "nothing")]}, "matches no case"),
        ([], {"footer": ["a.json:1: malformed JSON"]}, "the run was red: a.json:1: malformed JSON"),
        ([], {"change": {"seed": "0"}}, "the record's header"),
        ([], {"change": {"extra": 0}}, "unknown key 'extra'"),
    ],
)
def test_what_no_certificate_is_given_for(liars, options, complaint, claim_of):
    assert complaint in text(claim_of(liars, **options))


def test_an_api_need_not_exist_where_its_document_does_not_list_the_product(claim_of):
    claim = claim_of([("rows", fakes.SupportsNothing())], unlisted=["rows"])
    assert (text(claim), claim.level) == ("", "conformant")
    assert claim.counts[Verdict.UNSUPPORTED] == 1
