"""What ``fuzz`` does: every API in turn, findings written and told, an exit status that is never green over nothing."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from conformance.case import Case, Success
from conformance.contract import Contract
from conformance.corpus import load_corpus
from conformance.errors import NothingSelected
from conformance.execute import Session
from conformance.isolate import IsolatedRunner
from conformance.load import contracts_named
from conformance.opening import open_session
from conformance.options import Options
from conformance.writing import require_folder
from runners.fuzz.attempts import GOLDEN, REFUSAL, UNSUPPORTED
from runners.fuzz.campaign import Finding, Search, fuzz
from runners.fuzz.findings import rerun_command, write_finding
from runners.fuzz.openness import left_out
from runners.fuzz.relations import compare, relations_of
from runners.fuzz.trial import Refused, Trial

CLEAN, RED = 0, 1
_OWN = (GOLDEN, REFUSAL, UNSUPPORTED)


def fuzz_apis(options: Options, apis: Sequence[str], seconds: float, calls: float, folder: Path) -> int:
    """Fuzz each API for an equal share of ``seconds``, or until it had ``calls`` drafts of calls.

    Returns 1 when anything was found or nothing was looked at.
    """
    require_folder(folder)
    session = open_session(options)
    contracts = _contracts(session, apis)
    total: Counter[str] = Counter()
    found = 0
    search = Search(seconds / len(contracts), options.seed, calls=calls)
    for contract in contracts:
        outcome = fuzz(session, contract, search, folder)
        total += outcome.looked_at
        found += len(outcome.findings)
        print(f"{contract.api}: {_counts(outcome.looked_at)}, {len(outcome.findings)} findings", flush=True)
        for finding in outcome.findings:
            _tell(finding, session, options, folder)
    _close(session)
    return RED if found or not _is_enough(total) else CLEAN


def replay(options: Options, path: Path) -> int:
    """Compare every relation on the legal calls of a case file; 1 when one is broken or none could be looked at."""
    session = open_session(options)
    corpus = load_corpus([path])
    for problem in corpus.problems:
        print(f"error: {problem}", file=sys.stderr)
    if not corpus.cases:
        raise NothingSelected(f"{path} holds no case that can be read; name a case file")
    legal = [case for case in corpus.cases if isinstance(case.expectation, Success)]
    looked_at: Counter[str] = Counter()
    broken = 0
    for case in (case for case in legal if session.product.name in case.products):
        for name, complaint in _compared(session, case):
            looked_at[name] += 1
            if complaint:
                broken += 1
                print(f"{case.id} breaks {name}: {complaint}")
    _close(session)
    print(f"{_counts(looked_at)}, {broken} broken")
    return RED if broken or not looked_at or corpus.problems else CLEAN


def _compared(session: Session, case: Case) -> Iterator[tuple[str, str]]:
    """Name and complaint ("" when it holds) of every comparison of a legal case."""
    try:
        trial = Trial(case.contract, session.make_call(case), session.runner.run, session.reference)
    except Refused as refusal:
        yield "completion", str(refusal)
        return
    for name in relations_of(case.contract):
        yield from ((name, complaint) for complaint in compare(name, trial))


def _contracts(session: Session, apis: Sequence[str]) -> list[Contract]:
    listed = list(contracts_named(apis).values())
    found = [contract for contract in listed if session.product.name in contract.products]
    if not found:
        raise NothingSelected(f"none of {', '.join(c.api for c in listed)} lists {session.product}")
    return _without_open(found)


def _without_open(contracts: Sequence[Contract]) -> list[Contract]:
    """Contracts that make sure of a call that succeeds; tells of the others.

    Raises NothingSelected when none is left.
    """
    reasons = {contract.api: left_out(contract) for contract in contracts}
    told = [
        f"{api} is left out, its contract makes sure of no call that succeeds: {reason}"
        for api, reason in reasons.items()
        if reason
    ]
    if len(told) == len(contracts):
        raise NothingSelected("; ".join(told))
    for line in told:
        print(line)
    return [contract for contract in contracts if not reasons[contract.api]]


def _tell(finding: Finding, session: Session, options: Options, folder: Path) -> None:
    path = write_finding(finding.attempt, session, folder)
    print(f"  {finding.attempt.property}: {finding.reason}")
    print(
        f"    found after {finding.found_after:.1f} s, shrunk in {finding.shrunk_in:.1f} s"
        f" to {finding.attempt.elements} elements: {path}"
    )
    print(f"    {rerun_command(finding.attempt, path, options)}", flush=True)


def _counts(looked_at: Counter[str]) -> str:
    related = sum(count for name, count in looked_at.items() if name not in _OWN)
    words = f"{looked_at[GOLDEN]} legal calls, {looked_at[REFUSAL]} refusals, {related} relations"
    return words + (f", {looked_at[UNSUPPORTED]} unsupported" if looked_at[UNSUPPORTED] else "")


def _is_enough(total: Counter[str]) -> bool:
    """Whether calls of both kinds were made; says so when not. A runner that cannot refuse is asked for legal ones."""
    needed = [(GOLDEN, "legal call")] + ([] if total[UNSUPPORTED] else [(REFUSAL, "refusal")])
    missing = [words for name, words in needed if not total[name]]
    if missing:
        print(f"nothing shown: no {' and no '.join(missing)} was made; give it more --seconds or --calls")
    return not missing


def _close(session: Session) -> None:
    if isinstance(session.runner, IsolatedRunner):
        session.runner.close()
