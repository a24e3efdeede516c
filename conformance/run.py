"""The native door: cases through a session into a record, with a live progress line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from conformance.execute import Session
from conformance.explain import explain
from conformance.garbage import settled
from conformance.header import header_of
from conformance.listing import AnyCard, Bodies
from conformance.options import Options
from conformance.progress import ProgressLine
from conformance.record import RecordWriter, is_flaky, line_of
from conformance.resume import read_unfinished, require_same_run
from conformance.shard import Share
from conformance.supervise import Journal, Supervisor
from conformance.verdict import Verdict

_IN_FULL = 2
"""Red cases of one kind that are explained in full; a wrong operator can have hundreds."""


@dataclass(frozen=True, slots=True)
class Tally:
    """What a run came to: counts by verdict, complaints that no case carries, and why most idle cases were not run.

    ``flaky`` of the failed cases passed when they were run again. ``problems`` are what in the data cannot be read.
    """

    counts: Counter[Verdict]
    complaints: tuple[str, ...] = ()
    why_idle: str = ""
    flaky: int = 0
    problems: tuple[str, ...] = ()

    @classmethod
    def of(
        cls, lines: Iterable[Mapping[str, Any]], complaints: Iterable[str] = (), problems: Iterable[str] = ()
    ) -> Tally:
        """Tally of the record lines of a run."""
        counts: Counter[Verdict] = Counter()
        reasons: Counter[str] = Counter()
        flaky = 0
        for line in lines:
            verdict = Verdict(line["verdict"])
            counts[verdict] += 1
            flaky += is_flaky(line)
            if not verdict.was_executed:
                reasons[f"{verdict.value}: {line['reason']}"] += 1
        idle = next((reason for reason, _ in reasons.most_common(1)), "")
        return cls(counts, tuple(complaints), idle, flaky, tuple(problems))

    @property
    def exit_status(self) -> int:
        """0 only if at least one case was executed, none is red and nothing else is wrong."""
        executed = sum(count for verdict, count in self.counts.items() if verdict.was_executed)
        red = any(count and verdict.is_red for verdict, count in self.counts.items())
        return 1 if red or self.complaints or self.problems or not executed else 0

    @property
    def why_red(self) -> str:
        """Why the exit status is not 0, in one line, with problems by their number; empty when it is."""
        red = [self._words(verdict, count) for verdict, count in sorted_counts(self.counts) if verdict.is_red]
        executed = any(count and verdict.was_executed for verdict, count in self.counts.items())
        above = [_named_above(len(self.problems))] if self.problems else []
        return "; ".join([*red, *self.complaints, *above, *([] if executed else [self._idle])])

    def _words(self, verdict: Verdict, count: int) -> str:
        flaky = f", {self.flaky} of them flaky" if verdict is Verdict.FAILED and self.flaky else ""
        return f"{count} {verdict.value}{flaky}"

    @property
    def _idle(self) -> str:
        return f"no case was executed ({self.why_idle})" if self.why_idle else "no case was executed"


def sorted_counts(counts: Counter[Verdict]) -> list[tuple[Verdict, int]]:
    """Non-zero counts in the order of the verdicts."""
    return [(verdict, counts[verdict]) for verdict in Verdict if counts[verdict]]


def _named_above(problems: int) -> str:
    return f"{problems} {'problem' if problems == 1 else 'problems'} in the data, named above"


@dataclass(frozen=True, slots=True)
class Plan:
    """What is run and where it is recorded.

    ``share`` says what part of a selection ``cases`` are. With ``resume`` the record goes on with the cases that it
    does not have yet. ``complaints`` and ``problems`` of the data are what makes the run red beside its cases.
    """

    cases: Sequence[AnyCard]
    record: Path
    share: Share[AnyCard] | None = None
    resume: bool = False
    complaints: Sequence[str] = ()
    problems: Sequence[str] = ()


def run(session: Session, options: Options, plan: Plan, console: Console) -> Tally:
    """Execute cases in order, append each to the record, print each red one as it falls."""
    header = header_of(session, options)
    if plan.share is not None:
        header["shard"] = plan.share.to_json()
    before = read_unfinished(plan.record) if plan.resume else None
    if before is not None:
        require_same_run(before, header)
    lines: list[Mapping[str, Any]] = [*(before.lines if before else ())]
    done = {line["id"] for line in lines}
    cases = [case for case in plan.cases if case.id not in done]
    shown = RedCases(console)
    with (
        settled(),
        RecordWriter(plan.record, header, before) as writer,
        ProgressLine(console, len(cases)) as line,
    ):
        supervisor = Supervisor(session, Journal(plan.record.with_suffix(".running")))
        for result in supervisor.execute_all(map(Bodies().case, cases)):
            recorded = line_of(result)
            writer.add(recorded)
            lines.append({key: recorded[key] for key in ("verdict", "reason", "again") if key in recorded})
            line.advance(result.judged.verdict)
            if result.judged.verdict.is_red and not supervisor.lost:
                shown.print(recorded, explain(result, options))
        supervisor.close()
        complaints = tuple(filter(None, [supervisor.lost, *plan.complaints]))
        writer.close(complaints=tuple(dict.fromkeys([*complaints, *plan.problems])))
    return Tally.of(lines, complaints, plan.problems)


class RedCases:
    """Prints red cases: in full the first of a kind (API and signature), in a line the rest."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._seen: Counter[tuple[str, str]] = Counter()

    def print(self, line: Mapping[str, Any], text: str) -> None:
        """Print one red case, given its record line and the text in full; cases of one signature fail alike."""
        kind = (line["api"], str(line.get("signature", "")) or line["reason"])
        self._seen[kind] += 1
        text += "\n"
        if self._seen[kind] > _IN_FULL:
            text = f"{line['verdict'].upper()} {line['id']}  {line['reason']}"
        heading, newline, rest = text.partition("\n")
        self._console.print(Text.assemble((heading, "bold red"), newline, rest), soft_wrap=True)
