"""What ``verify`` does."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from datetime import date, datetime, timezone
from pathlib import Path

from conformance.certificate import Given, complaints_about
from conformance.complaint import Complaint, gathered
from conformance.data import data_root
from conformance.envelope import Envelope, open_envelope
from conformance.errors import InvalidOption
from conformance.keys import load_public
from conformance.merkle import merkle_root
from conformance.opening import open_session
from conformance.options import Options, parse_runner_options
from conformance.recheck import recheck
from conformance.record import read_record
from conformance.required import FOLDER, load_required
from conformance.rerun import run_again, sample_of, strangers
from conformance.statement import OWN, case_lines
from conformance.suite import Suite, load_suite
from conformance.writing import write_text
from reports.certificate_page import page_of
from reports.certifying import print_complaints

GREEN, RED = 0, 1


def verify(given: argparse.Namespace) -> int:
    """0 when nothing speaks against the certificate; every complaint is printed."""
    _check(given)
    key = load_public(given.key)
    envelope = open_envelope(given.certificate)
    own = envelope.statement["predicate"][OWN]
    path = given.required or data_root() / FOLDER / f"{Path(own['release']['name']).name}.json"
    suite = load_suite(given.paths)
    known = Given(key, load_required(path), suite, _today(), given.record)
    complaints = complaints_about(envelope, known, given.certificate)
    if given.rerun_sample is not None and not complaints:
        complaints = list(_rerun(envelope, suite, given))
    if given.html is not None:
        write_text(given.html, page_of(envelope, complaints))
    if complaints:
        print_complaints(f"{given.certificate}: not to be trusted", tuple(complaints))
        return RED
    print(f"{given.certificate}: {own['level']} on {own['product']}, release {own['release']['name']}")
    print(f"signed by key {key.id}; every digest is as stated")
    if given.record is None:
        print("verdicts were not made again: that needs --record")
    else:
        print(f"{own['record']['lines']} verdicts made again from what was measured: all are as recorded")
    return GREEN


def _today() -> date:
    """The day by universal time, as records count it."""
    return datetime.now(timezone.utc).date()


def _check(given: argparse.Namespace) -> None:
    if given.rerun_sample is None:
        return
    if given.record is None or not given.nonce:
        raise InvalidOption("--rerun-sample needs --record, and --nonce with any text of your own")


def _rerun(envelope: Envelope, suite: Suite, given: argparse.Namespace) -> Iterator[Complaint]:
    """What a sample run again speaks against; the sample is the verifier's choice alone."""
    record = read_record(given.record)
    header = record.header
    options = Options(
        runner=given.runner or header["runner"]["spec"],
        product=header["product"],
        standard=header["standard"]["name"],
        seed=header["seed"],
        runner_options=parse_runner_options(given.runner_options, given.cann, given.devices),
    )
    session = open_session(options)
    rejudged = recheck(record, suite.cases, session.standard, (), _today()).rejudged
    sample = sample_of(rejudged, given.rerun_sample, given.nonce, merkle_root(case_lines(given.record)))
    yield from strangers(envelope.statement["subject"], session)
    again = run_again(session, sample, suite.cases)
    yield from gathered((one.complaint, one.line["id"]) for one in again if one.complaint)
    same = sum(one.has_same_figures for one in again)
    print(f"{len(again)} cases run again on {options.runner}, {same} with the same figures to the last digit")
