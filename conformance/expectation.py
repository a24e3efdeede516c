"""What a group expects, as written → the expectation of its cases."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from conformance.case import Expectation, Refusal, Success, Unspecified
from conformance.case_id import content_text
from conformance.contract import Contract
from conformance.errors import InvalidSpec
from conformance.number import parse_number
from conformance.outcome import Phase
from conformance.protocol import parse_statuses, status_of
from conformance.specify import refers, substitute


class Expected:
    """What a body expects of its calls, read once where it refers to no axis; raises InvalidSpec."""

    def __init__(self, contract: Contract, body: Mapping[str, Any]) -> None:
        self._contract, self._body = contract, body
        self._same = None if refers(body["expect"]) else parse_expectation(contract, body, {})
        self._text = "" if self._same is None else _text(body["expect"], self._same)

    def expectation(self, axes: Mapping[str, Any]) -> Expectation:
        """The expectation with these axis values; raises InvalidSpec."""
        return self._same or parse_expectation(self._contract, self._body, axes)

    def text(self, axes: Mapping[str, Any], expectation: Expectation) -> str:
        """What digests hold of it: the expectation as it is written, with these axis values, and its statuses."""
        if self._same is not None:
            return self._text
        return _text(substitute(self._body["expect"], axes), expectation)


def _text(written: Any, expectation: Expectation) -> str:
    return content_text([written, expectation.statuses if isinstance(expectation, Success) else ()])


def parse_expectation(contract: Contract, body: Mapping[str, Any], axes: Mapping[str, Any]) -> Expectation:
    """Expectation of a body, with the statuses written beside its steps; raises InvalidSpec."""
    pointer = "/steps"
    try:
        statuses = parse_statuses(body)
        pointer = "/expect"
        expectation = _expectation(contract, substitute(body["expect"], axes), statuses)
    except ValueError as error:
        raise InvalidSpec(str(error), getattr(error, "advice", ""), pointer) from None
    if isinstance(expectation, Success) and expectation.unlike and not body.get("after"):
        raise InvalidSpec("an output is to be unlike that of the call before, but no call comes before", "", pointer)
    return expectation


def _expectation(contract: Contract, written: Any, statuses: tuple[int, ...]) -> Expectation:
    if written == "success":
        return Success(statuses)
    if "reject" in written:
        return Refusal(Phase(written["phase"]), status_of(written["reject"]))
    if "unspecified" in written:
        answers = {
            side: _expectation(contract, written[side], ())
            for side in ("document", "implementation")
            if side in written
        }
        return Unspecified(written["unspecified"], **answers, crash=written.get("crash", False))  # type: ignore[arg-type]
    return _success(contract, written["success"], statuses)


def _success(contract: Contract, written: Mapping[str, Any], statuses: tuple[int, ...]) -> Success:
    sets = {key: frozenset(written.get(key, ())) for key in ("degenerate", "untouched", "unlike")}
    named = frozenset(written.get("outputs", ())).union(*sets.values())
    outputs = {p.name for p in contract.parameters if p.is_written}
    if named - outputs:
        names = ", ".join(sorted(named - outputs))
        raise InvalidSpec(f"expect names {names}", f"outputs are {', '.join(sorted(outputs))}")
    literal = {
        name: tuple(float(parse_number(value)) for value in values)
        for name, values in written.get("outputs", {}).items()
    }
    return Success(
        statuses,
        written.get("workspace"),
        literal or None,
        **sets,
    )
