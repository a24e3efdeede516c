"""The shipped cases, read once a process for all tests that look at them."""

from functools import cache

from conformance.card import DEFAULT
from conformance.case import Case
from conformance.corpus import load_corpus
from conformance.tier import of_tier


@cache
def shipped_cases() -> tuple[Case, ...]:
    """Every case of the default tier, in the order of a run."""
    return tuple(of_tier(load_corpus().cases, DEFAULT))


@cache
def legal_cases() -> dict[str, Case]:
    """API name → the first case of its group ``legal``: a small call that refusals start from."""
    cases: dict[str, Case] = {}
    for case in shipped_cases():
        if case.group == "legal":
            cases.setdefault(case.contract.api, case)
    return cases
