"""Cases of a record run again, chosen by a number that the verifier makes up after the certificate was written."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from conformance.case import Case
from conformance.complaint import Complaint
from conformance.execute import Session
from conformance.recheck import Rejudged
from conformance.record import line_of
from conformance.statement import subjects_of
from conformance.supervise import Supervisor


@dataclass(frozen=True, slots=True)
class Again:
    """One case run again: what was recorded, judged without waivers, and the line that it gives now."""

    recorded: Rejudged
    line: Mapping[str, Any]

    @property
    def complaint(self) -> str:
        """What is not as recorded; empty where the answer is the same."""
        was, now = self.recorded.now.verdict.value, self.line["verdict"]
        if was != now:
            return f"recorded as {was}, run again it is {now}"
        if _answer(self.recorded.line) != _answer(self.line):
            return "answered otherwise than recorded when it was run again"
        return ""

    @property
    def has_same_figures(self) -> bool:
        """Whether every number measured is the same; hosts that differ may round goldens otherwise."""
        return bool(self.recorded.line.get("outputs") == self.line.get("outputs"))


def sample_of(rejudged: Sequence[Rejudged], count: int, nonce: str, root: str) -> list[Rejudged]:
    """Executed cases that a nonce picks; ``root`` is the Merkle root of the lines, so that nobody knew it before."""

    def rank(one: Rejudged) -> bytes:
        return hashlib.sha256(f"{root}\0{nonce}\0{one.line['id']}".encode()).digest()

    return sorted((one for one in rejudged if one.was.was_executed), key=rank)[:count]


def run_again(session: Session, sample: Sequence[Rejudged], cases: Mapping[str, Case]) -> list[Again]:
    """Each case of a sample once more; the session has no waivers."""
    supervisor = Supervisor(session)
    try:
        return [Again(one, line_of(supervisor.execute(cases[one.line["id"]]))) for one in sample]
    finally:
        supervisor.close()


def strangers(subjects: Sequence[Mapping[str, Any]], session: Session) -> Iterator[Complaint]:
    """Libraries that certificate and runner do not share; where they lie may differ from host to host."""
    said = {subject["digest"]["sha256"]: subject["name"] for subject in subjects}
    used = {digest: name for name, digest in subjects_of(session.runner.describe().facts)}
    for digest in said.keys() - used.keys():
        yield Complaint(f"subject {said[digest]}: the runner has no library of digest {digest}")
    for digest in used.keys() - said.keys():
        yield Complaint(f"library {used[digest]} of the runner is no subject of the certificate")


def _answer(line: Mapping[str, Any]) -> Any:
    """How a call ended, and whose answer that was."""
    outcome = line.get("outcome") or {}
    statuses = [step["status"] for step in outcome.get("steps", ())]
    return [outcome.get("kind"), outcome.get("phase"), outcome.get("status"), statuses, line.get("side")]
