"""A small case that passed before, run again to see whether the process of a runner still does what it did.

One call is enough as long as it ends as it did when the case passed: with the same outcome, and every byte of its
memory the same. Where it ends otherwise the case is judged anew.
"""

from __future__ import annotations

from collections import deque
from dataclasses import replace

from conformance.call import Call
from conformance.case import Case
from conformance.execute import Session
from conformance.outcome import Outcome
from conformance.product import Product
from conformance.runner import Runner, RunnerInfo
from conformance.verdict import Verdict


class Canary:
    """The canary of one session: whichever case it was given last. Not a value: it remembers how its call ended."""

    def __init__(self, session: Session) -> None:
        self._witness = _Witness(session.runner)
        self._session = replace(session, runner=self._witness)
        self.case: Case | None = None
        self._passed: tuple[Call, Outcome] | None = None
        self._fresh: Call | None = None
        self._ended: _End | None = None
        self._foreseen: deque[Call] = deque()

    def foresee(self) -> Call | None:
        """The call by which the case will be asked about next, after those foreseen before; None while there is none.

        It is that call unless the case changes or is found wrong.
        """
        fresh = self._fresh_call()
        if fresh is None:
            return None
        self._foreseen.append(fresh)
        return fresh

    def become(self, case: Case, call: Call, outcome: Outcome) -> None:
        """Take a case that passed just now by a call that ended so."""
        self.case, self._passed, self._ended = case, (call, outcome), None
        self._foreseen.clear()

    def _fresh_call(self) -> Call | None:
        """The call of the case, not made yet; None where it is not known how it should end."""
        if self.case is not None and self._passed is not None:
            call, outcome = self._passed
            self._fresh, self._ended, self._passed = self._session.make_call(self.case), _end(call, outcome), None
        return self._fresh.copy() if self._fresh is not None and self._ended is not None else None

    def complaint(self) -> str:
        """What is wrong with the case now; empty when it passes as before, or when there is none."""
        if self.case is None or self._ends_as_before():
            return ""
        return self._judged_complaint(self.case)

    def _judged_complaint(self, case: Case) -> str:
        self._passed, self._ended = None, None
        self._foreseen.clear()
        judged = self._session.execute(case).judged
        if judged.verdict is not Verdict.PASSED:
            return judged.reason
        self._fresh, self._ended = self._session.make_call(case), self._witness.last
        return ""

    def _ends_as_before(self) -> bool:
        call = self._foreseen.popleft() if self._foreseen else self._fresh_call()
        if call is None:
            return False
        try:
            self._witness.run(call)
        except Exception:  # whoever judges the case says what that means
            return False
        return self._witness.last == self._ended


_End = tuple[Outcome, list[bytes]]
"""How a call ended: the outcome, and what all memories held."""


def _end(call: Call, outcome: Outcome) -> _End:
    tensors = (tensor for written in (True, False) for _, tensor in call.tensors(written=written))
    memories = [*(tensor.memory for tensor in tensors), *call.workspaces]
    return outcome, [memory.everything.tobytes() for memory in memories]


class _Witness:
    """Another runner, which remembers how its last run ended."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner
        self.last: _End | None = None

    def describe(self) -> RunnerInfo:
        """What the other says."""
        return self._runner.describe()

    def supports(self, api: str, product: Product) -> str | None:
        """What the other says."""
        return self._runner.supports(api, product)

    def run(self, call: Call) -> Outcome:
        """What the other does."""
        outcome = self._runner.run(call)
        self.last = _end(call, outcome)
        return outcome
