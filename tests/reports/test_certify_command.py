"""From a run to a verified certificate by the commands alone."""

import argparse
import json

import pytest
from certified import ENTRY, REFUSED, VENDOR
from tiny import prelu_folder, prelu_group, session, write

from conformance.corpus import load_corpus
from conformance.errors import ConformanceError
from conformance.header import header_of
from conformance.options import Options
from conformance.record import RecordWriter, line_of
from reports import certify, required

HOSTILE = "<script>alert(1)</script>"


def command(*words: object) -> int:
    parser = argparse.ArgumentParser()
    subparsers = parser.add_subparsers()
    for add in (certify.add_certify, certify.add_verify, certify.add_keygen, required.add_command):
        add(subparsers)
    given = parser.parse_args([str(word) for word in words])
    status: int = given.handler(given)
    return status


@pytest.fixture
def place(tmp_path, monkeypatch, capsys):
    """A folder with a record, a list, a statement and keys in it, which is the current one."""
    monkeypatch.chdir(tmp_path)
    write(prelu_folder(tmp_path), prelu_group(), REFUSED, api="aclnnPreluBackward")
    trial = session()
    with RecordWriter(tmp_path / "record.jsonl", header_of(trial, Options(runner="simulator"))) as writer:
        for case in load_corpus([tmp_path / "activation"]).cases:
            writer.add(line_of(trial.execute(case)))
    (tmp_path / "vendor.json").write_text(json.dumps({**VENDOR, "implementation": HOSTILE}))
    assert command("keygen", "-o", "key.pem") == 0
    assert command("required", "new", "2026.1", "-o", "2026.1.json", "--paths", "activation") == 0
    capsys.readouterr()
    return tmp_path


LIST = ("--required", "2026.1.json", "--paths", "activation")
CERTIFY = ("certify", "record.jsonl", "--statement", "vendor.json", "--key", "key.pem", "-o", "out/cert.json", *LIST)
VERIFY = ("verify", "out/cert.json", "--key", "key.pem.pub", *LIST)


def test_a_certificate_is_made_and_verified(place, capsys):
    assert command(*CERTIFY, "--html", "out/cert.html") == 0
    assert "conformant (strict): 2 passed" in capsys.readouterr().out
    assert command(*VERIFY) == 0
    assert "that needs --record" in capsys.readouterr().out
    assert command(*VERIFY, "--record", "record.jsonl", "--rerun-sample", 5, "--nonce", "a") == 0
    out = capsys.readouterr().out
    assert "2 verdicts made again" in out
    assert "2 cases run again on simulator, 2 with the same figures" in out


def test_the_page_shows_everything_and_runs_nothing(place):
    command(*CERTIFY, "--html", "out/cert.html")
    page = (place / "out/cert.html").read_text("utf-8")
    assert HOSTILE not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert all(word in page for word in ("conformant (strict)", "ascend910b", "2026.1", "case lines (Merkle root)"))


def test_a_record_that_proves_too_little_gets_none(place, capsys):
    lines = (place / "record.jsonl").read_text("utf-8").splitlines(keepends=True)
    (place / "record.jsonl").write_text("".join(lines[:-2]), encoding="utf-8")
    assert command(*CERTIFY) == 1
    out = capsys.readouterr().out
    assert "no certificate" in out
    assert "- the record has no footer" in out
    assert "- has no line in the record: activation.prelu_backward" in out
    assert not (place / "out").exists()


def test_a_verifier_is_told_what_does_not_hold(place, capsys):
    command(*CERTIFY)
    command("keygen", "-o", "other.pem", "--kind", "ecdsa-p256")
    capsys.readouterr()
    words = [word.replace("key.pem.pub", "other.pem.pub") for word in VERIFY]
    assert command(*words, "--html", "out/verified.html") == 1
    assert "not to be trusted:\n- signature: not made by key" in capsys.readouterr().out
    assert "Not to be trusted" in (place / "out/verified.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--rerun-sample", 3, "--nonce", "a"), "needs --record"),
        (("--rerun-sample", 3, "--record", "record.jsonl"), "needs --record, and --nonce"),
        (("--required", "absent.json"), "absent.json: cannot be read"),
        (("--key", "vendor.json"), "is no public key"),
    ],
)
def test_what_verify_refuses(words, complaint, place):
    command(*CERTIFY)
    with pytest.raises(ConformanceError, match=complaint):
        command(*VERIFY, *words)


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--statement", "key.pem"), "malformed JSON"),
        (("--waivers", "absent.json"), "cannot be read"),
        (("--key", "key.pem.pub"), "is no unencrypted private key"),
        (("-o", "record.jsonl/cert.json"), "cannot be written"),
    ],
)
def test_what_certify_refuses(words, complaint, place):
    with pytest.raises(ConformanceError, match=complaint):
        command(*CERTIFY, *words)


def test_waivers_that_excuse_nothing_are_named(place, capsys):
    waivers = {"$schema": "waivers-1.schema.json", "entries": [ENTRY]}
    (place / "waivers.json").write_text(json.dumps(waivers))
    assert command(*CERTIFY, "--waivers", "waivers.json") == 1
    assert "waivers.json" in capsys.readouterr().out
