"""The certificate as a page: everything it claims stands there, and a verifier's complaints above all."""

from certified import ENTRY, certified

from conformance.complaint import Complaint
from conformance.envelope import open_envelope
from reports.certificate_page import page_of


def test_the_page_says_what_is_certified_and_what_is_excused(tmp_path):
    page = page_of(open_envelope(certified(tmp_path).certificate))
    for text in ("conformant (strict)", "Example", "2026.1", "ascend910b", ENTRY["reason"], ENTRY["owner"]):
        assert text in page


def test_the_page_names_what_the_runner_was_built_with(tmp_path):
    world = certified(tmp_path)
    runner = world.evidence().record.header["runner"]
    assert "no options" in page_of(open_envelope(world.certificate))
    world.rewrite(lambda lines: lines, {"runner": {**runner, "options": {"mode": "fast & loose", "device": "3"}}})
    world.sign(world.statement())
    assert world.complaints() == []
    assert "device=3, mode=fast &amp; loose" in page_of(open_envelope(world.certificate))


def test_a_page_with_complaints_only_says_what_was_claimed_and_begins_with_them(tmp_path):
    page = page_of(open_envelope(certified(tmp_path).certificate), [Complaint("the signature is another key's")])
    claim, complaint, figures = (
        page.index(text) for text in ("claimed: conformant", "another key", "cases by verdict")
    )
    assert claim < complaint < figures
