"""The record of one run: JSON lines — a header, one line a case, a footer — written as the run goes, read by reports.

A record without footer is truncated; one whose lines do not match the footer's digest was changed.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from conformance.errors import InvalidRecord
from conformance.execute import Result
from conformance.explain import describe_call, describe_expectation
from conformance.fingerprint import fingerprint
from conformance.garbage import collected_later
from conformance.header import VERSION
from conformance.line import begin_line
from conformance.measured_text import text_of
from conformance.outcome import Broken, Completed, Crashed, Outcome, Rejected, StepResult, TimedOut, Unsupported
from conformance.record_file import open_for_writing, writing_to
from conformance.record_lines import CaseLine, case_line, parsed, read_texts
from conformance.rules import Judgement
from conformance.verdict import Observation, Verdict

KEPT = "kept"
"""What the line of a case that was judged without asking the reference says of its golden."""
_SYNC_SECONDS = 1.0


def line_of(result: Result) -> Mapping[str, Any]:
    """One case's line: verdict and everything it was made from, so that it can be made again."""
    judged, case = result.judged, result.case
    line = begin_line(case, judged, result.seconds)
    if result.observation is not None:
        line.update(call=describe_call(case), expected=describe_expectation(case.expectation))
    if result.strict is not None:
        line["standard"] = case.standard
        line["strict"] = {"verdict": result.strict.verdict.value, "reason": result.strict.reason}
    if judged.side is not None:
        line["side"] = judged.side
    if judged.headroom is not None:
        line["headroom"] = number_of(judged.headroom)
    signature = fingerprint(case, judged, result.observation, result.diagnoses)
    if signature is not None:
        line["signature"] = signature
    if result.diagnoses:
        line["diagnosis"] = {
            name: {"pattern": found.pattern.value, "text": found.text} for name, found in result.diagnoses.items()
        }
    if result.observation is not None:
        line.update(_observed(result.observation, result))
    if result.kept:
        line["golden"] = KEPT
    if result.second is not None:
        line["second"] = _outcome(result.second)
    if result.again is not None:
        line["again"] = result.again.value
    return case_line(line)


def short_line(result: Result) -> dict[str, Any]:
    """What is kept of a case's line where no record is written: how it begins, and whether it is flaky."""
    line = begin_line(result.case, result.judged, result.seconds)
    return line if result.again is None else {**line, "again": result.again.value}


def _observed(seen: Observation, result: Result) -> dict[str, Any]:
    return {
        "outcome": _outcome(seen.outcome),
        "faults": [{"rule": f.rule.value, "where": f.where, "text": f.text} for f in seen.faults],
        "filled": sorted(seen.outputs),
        "vivid": seen.vivid,
        "untouched": sorted(seen.untouched),
        "in_place": sorted(seen.in_place),
        **({"poison": seen.poison} if seen.poison else {}),
        **({"unsteady": seen.unsteady} if seen.unsteady else {}),
        **({"alike": sorted(seen.alike)} if seen.alike else {}),
        **({"may_be_silent": True} if seen.may_be_silent else {}),
        "outputs": text_of(seen.measured, {name: judgement_line(one) for name, one in result.judged.outputs.items()}),
    }


def judgement_line(judgement: Judgement) -> dict[str, Any]:
    """What the line of a case says of the judgement on an output."""
    return {"met": judgement.met, "headroom": number_of(judgement.headroom), "reason": judgement.reason}


def _outcome(outcome: Outcome) -> dict[str, Any]:
    line: dict[str, Any] = {"kind": type(outcome).__name__, "text": str(outcome)}
    if isinstance(outcome, Rejected):
        line.update(phase=outcome.phase.value, status=outcome.status, message=outcome.message)
    if isinstance(outcome, Crashed):
        line.update(signal=outcome.signal, detail=outcome.detail)
    if isinstance(outcome, TimedOut):
        line.update(deadline=outcome.deadline, where=outcome.where)
    if isinstance(outcome, (Unsupported, Broken)):
        line.update(why=outcome.reason)
    if isinstance(outcome, Completed):
        facts = {name: number_of(fact) if isinstance(fact, float) else fact for name, fact in outcome.facts.items()}
        line.update(workspace=outcome.workspace_bytes, facts=facts)
    if isinstance(outcome, (Completed, Rejected)):
        line.update(steps=[_step(result) for result in outcome.results])
    return line


def _step(result: StepResult) -> dict[str, Any]:
    return {"step": str(result.step), "status": result.status, "message": result.message}


def number_of(value: float | None) -> float | str | None:
    """Finite numbers as plain ones; what JSON cannot hold as a string."""
    if value is None:
        return None
    return float(value) if abs(value) < float("inf") else str(value)


class RecordWriter:
    """Appends lines to a record file.

    Each line is flushed, so a killed run leaves every finished case readable; about once a second they are forced to
    the disk, so a machine that loses its power loses no more than that. ``earlier`` are seconds that the run took
    before. Whatever writes raises InvalidRecord when the file takes no more.
    """

    def __init__(
        self, path: Path, header: Mapping[str, Any], before: Record | None = None, earlier: float = 0.0
    ) -> None:
        """Begin a record, or go on with the one read ``before`` from the same path, whose header stays."""
        self.path = path
        kept = b"".join(map(encoded, (before.header, *before.lines))) if before else b""
        self._file: IO[bytes] = open_for_writing(path, kept)
        self._digest = hashlib.sha256(kept)
        self._counts: Counter[str] = Counter(line["verdict"] for line in before.lines) if before else Counter()
        self._synced = time.monotonic()
        self._start = self._synced - (sum(line["seconds"] for line in before.lines) if before else earlier)
        if before is None:
            self._write(header)

    def add(self, line: Mapping[str, Any]) -> None:
        """Append one case's line."""
        self._counts[line["verdict"]] += 1
        self._write(line)

    def close(self, *, ended: bool = True, complaints: Sequence[str] = ()) -> None:
        """Write the footer if the run ended, and close; harmless when already closed.

        ``complaints`` are what makes the run red beside its cases.
        """
        if self._file.closed:
            return
        try:
            if ended:
                self._write({**self._footer(), **({"complaints": list(complaints)} if complaints else {})})
            with writing_to(self.path):
                os.fsync(self._file.fileno())
        finally:
            with writing_to(self.path):
                self._file.close()

    def _footer(self) -> dict[str, Any]:
        return {
            "kind": "footer",
            "cases": sum(self._counts.values()),
            "counts": {verdict.value: self._counts[verdict.value] for verdict in Verdict},
            "seconds": round(time.monotonic() - self._start, 3),
            "digest": self._digest.hexdigest(),
        }

    def __enter__(self) -> RecordWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # An exception leaves the record without footer on purpose: readers then say it is truncated.
        self.close(ended=kind is None)

    def _write(self, line: Mapping[str, Any]) -> None:
        text = encoded(line)
        self._digest.update(text)
        with writing_to(self.path):
            self._file.write(text)
            self._file.flush()
            if time.monotonic() - self._synced > _SYNC_SECONDS:
                os.fsync(self._file.fileno())
                self._synced = time.monotonic()


_JSON = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"), check_circular=False)


def encoded(line: Mapping[str, Any]) -> bytes:
    """A line as it stands in the file, with its end; ``parse_line`` reads it."""
    if isinstance(line, CaseLine):
        return line.text
    text = _JSON.encode(line) + "\n"
    # Half a surrogate pair, as undecodable bytes of a message become, turns into its JSON escape.
    return text.encode("utf-8", "backslashreplace")


@dataclass(frozen=True, slots=True)
class Record:
    """A record read back; ``footer`` is None when the run did not end."""

    path: Path
    header: Mapping[str, Any]
    lines: tuple[Mapping[str, Any], ...]
    footer: Mapping[str, Any] | None

    @property
    def seconds(self) -> float:
        """How long the run took; 0 when it did not end."""
        return float(self.footer["seconds"]) if self.footer else 0.0

    @property
    def complaints(self) -> tuple[str, ...]:
        """What made the run red beside its cases."""
        return tuple(self.footer.get("complaints", ())) if self.footer else ()

    @property
    def counts(self) -> Counter[Verdict]:
        """Cases by verdict, counted from the lines themselves."""
        words = Counter(line["verdict"] for line in self.lines)
        return Counter({Verdict(word): count for word, count in words.items()})


def is_flaky(line: Mapping[str, Any]) -> bool:
    """Whether a case failed, and passed when it was run again: never a pass, and told apart from other failures."""
    return bool(line["verdict"] == Verdict.FAILED.value and line.get("again") == Verdict.PASSED.value)


def has_kept_golden(line: Mapping[str, Any]) -> bool:
    """Whether a case was judged by what the reference answered in an earlier run."""
    return line.get("golden") == KEPT


def read_record(path: Path) -> Record:
    """A record; raises InvalidRecord when it is not one, was changed, or has a broken line before its last."""
    texts = read_texts(path)
    with collected_later():
        lines = list(parsed(path, texts))
    if not lines or lines[0].get("kind") != "header" or lines[0].get("version") != VERSION:
        raise InvalidRecord(f"{path}: is no record of version {VERSION}")
    footer = lines[-1] if lines[-1].get("kind") == "footer" else None
    cases = tuple(lines[1:] if footer is None else lines[1:-1])
    if footer is not None and (_digest(texts[:-1]) != footer.get("digest") or footer.get("cases") != len(cases)):
        raise InvalidRecord(f"{path}: its lines do not match its footer; the file was changed")
    for number, line in enumerate(cases, 2):
        if line.get("kind") != "case" or line.get("verdict") not in _VERDICTS:
            raise InvalidRecord(f"{path}:{number}: is no line of a case")
    return Record(path, lines[0], cases, footer)


def read_cases(path: Path) -> Record:
    """A record for what its cases say; raises InvalidRecord when there is none, too."""
    record = read_record(path)
    if not record.lines:
        raise InvalidRecord(f"{path}: holds no case; name the record of a run that came to one")
    return record


def holds_cases(path: Path) -> bool:
    """Whether a record holds a case, by its first lines; what can be read only once, as a pipe can, is taken to."""
    if not path.is_file():
        return True
    with path.open("rb") as file:
        begins = list(parsed(path, list(islice(file, 2))))
    return any(line.get("kind") == "case" for line in begins)


_VERDICTS = frozenset(verdict.value for verdict in Verdict)


def _digest(texts: Iterable[bytes]) -> str:
    digest = hashlib.sha256()
    for text in texts:
        digest.update(text)
    return digest.hexdigest()
