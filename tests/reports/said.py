"""What the suite says of cases, outputs and records, said by its own code: for tests of the translation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from html import unescape
from itertools import product
from pathlib import Path

import fakes
import numpy as np
import random_liars
from lines import HEADER, METRICS, OUTPUT, SEEN, failing, line, record_file
from msgspec import structs
from packaging.specifiers import SpecifierSet
from said_of_numbers import STRICT, measured_flat
from test_liars import DESERVED, SLICE
from test_random_liars import DRAWN, FOLDER, KNOWN, MIXED, SEED
from tiny import REFUSED, prelu_cases, prelu_group, session

from conformance.call import Action, Step
from conformance.case import Refusal, Success, Unspecified
from conformance.dtype import DTYPES
from conformance.errors import Location
from conformance.expand import expand
from conformance.explain import describe_expectation
from conformance.gather import Gathering
from conformance.golden import GoldenOutput
from conformance.isolate import IsolatedRunner
from conformance.load import load_case_file
from conformance.misreadings import misread
from conformance.outcome import (
    LIVED_ON,
    Completed,
    Crashed,
    Phase,
    Rejected,
    StepResult,
    TimedOut,
    Unsupported,
    how_ended,
)
from conformance.product import PRODUCTS
from conformance.record import line_of
from conformance.select import Limits
from conformance.supervise import Supervisor
from conformance.verdict import Judged, Observation, Verdict, excuse, judge
from conformance.waiver import Named, Setting, Waiver, WaiverKind, stale_waivers
from reports.html import html
from runners.reference.runner import ReferenceRunner
from runners.simulator.runner import SimulatorRunner

PRODUCT, Y = PRODUCTS["ascend910b"], frozenset({"y"})
QUOTED = ("not today", "it turns out not", "the document is silent", "no more")
"""What runners and case files of the tests say; it stands alone or after a colon."""


def texts_of(line) -> Iterator[str]:
    """The texts of a case's line that the suite made, with what they quote."""
    yield from (line["reason"], line.get("signature", ""), line.get("call", ""), line.get("expected", ""))
    yield from (line.get("unsteady", ""), line.get("poison", ""), line.get("strict", {}).get("reason", ""))
    outcome = line.get("outcome", {})
    yield from (outcome.get("text", ""), outcome.get("detail", ""), line.get("second", {}).get("text", ""))
    yield from (step["step"] for step in outcome.get("steps", ()))
    yield from (fault["text"] for fault in line.get("faults", ()))
    yield from (found["text"] for found in line.get("diagnosis", {}).values())
    yield from (output.get("reason", "") for output in line.get("outputs", {}).values())


def executed(case, runner=None, **rest) -> Iterator[str]:
    yield from texts_of(line_of(session(runner, **rest).execute(case)))


def of_liars(folder: Path) -> Iterator[str]:
    """Every lying runner's every case; some of those that lie about random numbers."""
    for liar, case in product(dict.fromkeys(row[0] for row in DESERVED), prelu_cases(folder, *SLICE)):
        yield from executed(case, liar())
    random = expand(load_case_file(FOLDER / "common.json"))
    for name in (DRAWN, MIXED, SEED, KNOWN):
        case = next(case for case in random if f".{name}.h" in case.id)
        for liar in (random_liars.Constant, random_liars.OneStepOut, random_liars.Tiled, random_liars.Sound):
            yield from executed(case, liar())


def of_supervision(folder: Path) -> Iterator[str]:
    """Crashes, hangs, poisoned processes, second tries, runs that are stopped."""
    small = prelu_cases(folder, *(prelu_group(f"rows{n}", shape=(n, 2)) for n in (3, 5, 6, 4)))
    runs = [
        (small[:1], "Hangs", {}, 9),
        (small[:1], "CannotBeSent", {}, 9),
        (small, "PoisonedByFiveRows", {}, 1),
        (small[:2], "WearsOut", {"file": str(folder / "worn")}, 9),
    ]
    for cases, liar, options, restarts in runs:
        runner = IsolatedRunner(f"{fakes.__file__}:{liar}", options)
        yield from supervised(cases, Supervisor(session(runner, deadline=0.5), restarts=restarts))
    yield from supervised(small, Supervisor(session(fakes.Flaky())))
    yield from supervised(small[:1], Supervisor(session(Worsens())))


def supervised(cases, supervisor) -> Iterator[str]:
    try:
        for case in cases:
            yield from texts_of(line_of(supervisor.execute(case)))
        yield supervisor.lost
    finally:
        supervisor.close()


class Worsens(fakes.Flaky):
    """Wrong at first, then out of order."""

    def lie(self, call, outcome):
        super().lie(call, outcome)
        if self.calls > 1:
            raise RuntimeError("out of luck")


class Oracle(ReferenceRunner):
    """A reference that answers what it is told to, or raises it."""

    def __init__(self, golden, benchmark=None):
        self._golden, self._benchmark = golden, benchmark

    def golden(self, call):
        return self._said(self._golden)

    def benchmark(self, call):
        return self._said(self._benchmark)

    def _said(self, answer):
        if isinstance(answer, Exception):
            raise answer
        return answer


class Differs(fakes.Honest):
    """Wrong in one of its calls, where it may give an answer of its own."""

    def __init__(self, number, answer=None):
        super().__init__()
        self.left, self.answer = number, answer

    def lie(self, call, outcome):
        self.left -= 1
        if self.left:
            return None
        fakes.first_output(call).view()[...] = 0.5
        return self.answer


STATED = {"success": {"outputs": {"gradWeight": [1, 2]}}}
ODD = prelu_group("odd")
ODD["arguments"] |= {"gradInput": {"alias": "self"}, "gradWeight": None}
BODIES = [
    prelu_group("again", repeat=2),
    prelu_group("stated", expect=STATED),
    {**prelu_group("last"), "after": ["again"]},
    {**REFUSED, "like": "again", "exercises": ["c2"]},
    prelu_group("steps", steps=[{"do": "workspace"}, {"do": "run"}]),
    ODD,
]


def of_the_harness(folder: Path) -> Iterator[str]:
    """Faults of runner and reference, calls that differ when they are repeated, cases that are not run."""
    again, stated, last, wrong, halved, odd = prelu_cases(folder, *BODIES)
    for golden in (KeyError("self"), Unsupported("it has none"), {"gradInput": GoldenOutput(np.zeros(3))}):
        yield from executed(again, reference=Oracle(golden))
    yield from executed(again, reference=Oracle({"gone": GoldenOutput(np.zeros(3))}))
    yield from executed(again, reference=Oracle(ReferenceRunner().golden(session().make_call(again)), KeyError("self")))
    yield from executed(stated)
    yield from executed(wrong, fakes.AcceptsEverything())
    yield from executed(halved, Differs(1, steps(0, None)))
    yield from executed(odd, fakes.WritesNothing())
    stops = TimedOut(2.0), Crashed(11, "signal 11, SIGSEGV"), Crashed(11), Crashed(0, "exit status 3"), Crashed(0)
    for answer in (None, Rejected(Phase.RUN, 561000, ""), Unsupported("no more"), *stops):
        yield from executed(again, Differs(2, answer))
        yield from executed(last, Differs(1, answer))
        yield from executed(last, Differs(2, answer))
    yield from (*executed(again, limits=Limits(max_elements=1)), *executed(again, limits=Limits(max_bytes=1)))
    yield from executed(structs.replace(again, products=frozenset()))
    yield SimulatorRunner().supports("aclnnNone", PRODUCT)
    yield SimulatorRunner(kernels=lambda contract: None).supports("aclnnPreluBackward", PRODUCT)
    yield SimulatorRunner().supports("aclnnCelu", PRODUCTS["ascend310b"])
    yield ReferenceRunner().golden(structs.replace(session().make_call(again), api="aclnnNone")).reason
    yield from (finding.phrase for finding, _ in misread_calls(folder / "views"))


def misread_calls(folder: Path):
    layout = {"strides": [4, 2], "offset": 1, "storage": [20]}
    for number, names in enumerate([("self",), ("self", "gradOutput")]):
        body = prelu_group()
        for name in names:
            body["arguments"][name]["layout"] = layout
        yield from misread(session().make_call(prelu_cases(folder / str(number), body)[0]))


def of_expectations() -> Iterator[str]:
    """Expectations and steps in words."""
    refusal, unlike = Refusal(Phase.RUN, 161002), Success((0, 161001, 161002), unlike=Y)
    for expected in (Success(), Success(unlike=Y), unlike, refusal, Unspecified("the document is silent")):
        yield describe_expectation(expected)
    for sides in ((Success(), refusal), (Success(), None), (None, refusal)):
        yield describe_expectation(Unspecified("the document is silent", *sides))
    for action, nulls, short in product(Action, ((), ("x", "y")), (False, True)):
        yield str(Step(action, frozenset(nulls), stream=int(short), short=short))


def steps(first, second, message=""):
    results = (StepResult(Step(Action.WORKSPACE), first, message), StepResult(Step(Action.RUN), second, message))
    return Completed(results, 32)


def refused(message):
    return Rejected(Phase.WORKSPACE, 161002, message)


def seen(outcome, **rest):
    return Observation(outcome, Y, **rest)


def of_verdicts() -> Iterator[str]:
    """Judgements on observations that no runner of the tests gives occasion for."""
    done, unspecified = steps(0, 0), Unspecified("the document is silent", Success(), crash=True)
    pairs = [
        (Refusal(Phase.WORKSPACE, 161002), seen(refused(" "), untouched=Y)),
        (Refusal(Phase.WORKSPACE, 161001), seen(refused(""), untouched=Y)),
        *((Success((0, 0)), seen(steps(0, None, text))) for text in ("", "why")),
        *((Success((7, 0)), seen(steps(8, 0, text))) for text in ("", "why")),
        (Success(), seen(refused(""))),
        (Success(), seen(refused("why"))),
        (Success(workspace=64), seen(done)),
        (Success(untouched=Y), seen(done)),
        (Success(), seen(done)),
        (unspecified, seen(done)),
        (unspecified, seen(refused("why"))),
        (unspecified, seen(steps(0, None))),
        (unspecified, seen(TimedOut(2.0))),
        *((Success(), seen(done, measured=measured_flat(value))) for value in (0.0, np.nan)),
        (Success(), seen(done, measured=measured_flat(0.0, DTYPES["complex64"]))),
    ]
    yield from (judge(expected, observation, STRICT).reason for expected, observation in pairs)
    yield from (
        str(outcome)
        for outcome in (Crashed(11), Crashed(0, "exit status 3"), Crashed(*how_ended(LIVED_ON)), done, refused(""))
    )


def of_waivers() -> Iterator[str]:
    """Verdicts under a waiver, and complaints about waivers."""
    today, where = date(2026, 8, 1), Location(Path("w"), 3, "/entries/0")
    for since, kind in product((None, date(2026, 7, 1)), (WaiverKind.XFAIL, WaiverKind.WAIVER)):
        waiver = Waiver(("x",), kind, "known", "u", "o", date(2026, 9, 1), None, where, since=since)
        yield from (excuse(Judged(verdict, "timed out"), waiver).reason for verdict in (Verdict.FAILED, Verdict.PASSED))
        changes = [{"expires": date(2026, 1, 1)}, {"since": date(2026, 8, 2)}, {}, {"facets": frozenset({"a", "b"})}]
        changes += [{"select": (), "facets": frozenset({"a"})}, {"cann": SpecifierSet(">=8.0")}]
        for change, cann in product(changes, ("", "new")):
            yield from map(str, stale_waivers([replace(waiver, **change)], [Named("y")], Setting(PRODUCT, today, cann)))


def of_records(folder: Path) -> Iterator[str]:
    """What a page says of whole records: facts, complaints, groups of failures, cells of the matrix.

    Problems in the data stay as they are: they name files, lines and words of the data.
    """
    flaky = failing(again="passed", reason="timed out; run again it passed: flaky", signature="timed out")
    few = line(facets=["special"]), *(line(facets=[word]) for word in ("fp16", "fp32", "bf16", "int8"))
    groups = [  # failed, passed
        ([line("failed", facets=["bf16", word], signature="timed out") for word in ("a", "b")], [line()]),
        ([line("failed", facets=[word], signature="timed out") for word in ("a", "b")], [line(facets=["c"])] * 2),
        ([line("failed", facets=[word, "special"], signature="timed out") for word in ("fp16", "fp32")], few),
        *(apart(make, *figures) for make in (ranked, sized) for figures in ((1, 9), (9, 1))),
    ]
    parts = [
        [line(headroom=0.5), flaky, failing(signature="timed out"), line("skipped")],
        *([*bad, *good] for bad, good in groups),
    ]
    for number, lines in enumerate(parts):
        yield from of_page(record_file(folder / f"{number}.jsonl", *lines))
    yield from of_page(record_file(folder / "half.jsonl", line(), ended=False))
    yield from of_page(record_file(folder / "odd.jsonl", line(), complaints=of_several_processes()))


def of_page(record: Path) -> Iterator[str]:
    """The texts that a page has translated where they stand."""
    page = html(record)
    yield from map(unescape, re.findall(r" data-told>([^<]*)<", page))
    yield from map(unescape, re.findall(r' data-tip title="([^"]*)"', page))


def apart(make, bad, good):
    """Failed and passed cases that one number tells apart."""
    failed = [{**make(bad, word), "verdict": "failed", "signature": "timed out"} for word in "ab"]
    return failed, [make(good, word) for word in "ab"]


def ranked(number, word):
    return line(facets=[f"rank{number + 'ab'.index(word)}", word])


def sized(number, word):
    return line(facets=[word], **{**SEEN, "outputs": {"out": {**OUTPUT, "metrics": {**METRICS, "count": number}}}})


def of_several_processes() -> tuple[str, ...]:
    gathering, twice = Gathering(), line()
    for host, runner in (("a", "ascend910b"), ("b", "ascend950")):
        gathering.begin({**HEADER, "product": runner, "environment": {**HEADER["environment"], "host": host}})
    gathering.add(twice)
    gathering.add({**twice, "verdict": "failed"})
    return gathering.close(ended=True).complaints
