"""Calls made from contracts are legal by both sides; faulty ones differ by one fault that both sides refuse alike."""

import pytest
from tiny import session

from conformance.case import Refusal, Success
from conformance.load import load_contracts
from conformance.product import PRODUCTS
from runners.fuzz.attempts import GOLDEN, REFUSAL, Surroundings, make_attempt
from runners.fuzz.bodies import answer
from runners.fuzz.choices import SeededChoices
from runners.fuzz.roots import lengths, ranks_of

APIS = sorted(load_contracts())
PRODUCT = "ascend950"
NEVER_EMPTY = {
    "aclnnSeluBackward": "its document refuses empty tensors",
    "aclnnHardtanhBackward": "its document refuses empty tensors",
    "aclnnMishBackward": "its document refuses empty tensors",
    "aclnnSwiGluGrad": "document and implementation differ about empty tensors",
    "aclnnClippedSwigluGrad": "document and implementation differ about empty tensors",
}
"""APIs of which no legal call has an empty tensor, and why."""


def attempts(api, kind, count):
    contract = load_contracts()[api]
    product = PRODUCTS[PRODUCT if PRODUCT in contract.products else "ascend910b"]
    about = Surroundings(
        session(product=product.name), contract, ranks_of(contract, product), lengths(contract, product, 4096)
    )
    made = [make_attempt(about, [kind], SeededChoices(f"{api}{n}")) for n in range(count)]
    return product, made


@pytest.mark.parametrize("api", APIS)
def test_legal_calls_are_legal_and_few_are_thrown_away(api, tmp_path):
    product, made = attempts(api, GOLDEN, 150)
    kept = [attempt.cases(tmp_path / "f.json")[0] for attempt in made if attempt is not None]
    assert len(kept) > 100
    assert {answer(case.contract, case.facts, product) for case in kept} == {0}
    assert all(isinstance(case.expectation, Success) for case in kept)
    facets = {facet for case in kept for facet in case.facets}
    assert "noncontiguous" in facets
    assert ("empty" in facets) is (api not in NEVER_EMPTY)


@pytest.mark.parametrize("api", APIS)
def test_refusals_break_every_rule_that_can_be_broken(api, tmp_path):
    product, made = attempts(api, REFUSAL, 300)
    cases = [attempt.cases(tmp_path / "f.json") for attempt in made if attempt is not None]
    assert len(cases) > 150
    for legal, faulty in cases:
        assert isinstance(faulty.expectation, Refusal)
        assert answer(faulty.contract, legal.facts, product) == 0
        assert answer(faulty.contract, faulty.facts, product) == faulty.expectation.status
    labels = {faulty.about.split()[7].strip(":") for _, faulty in cases}
    both = {c.label for c in cases[0][1].contract.constraints if c.basis.value == "both" and c.applies_to(product)}
    breakable = {c.label for c in cases[0][1].contract.constraints if c.label in both and not c.untested and c.status}
    assert breakable <= labels


def test_broadcast_mixed_types_and_switch_points_are_all_met():
    _, made = attempts("aclnnSiluBackward", GOLDEN, 300)
    calls = [attempt.groups[0]["arguments"] for attempt in made if attempt is not None]
    assert any(call["gradOutput"]["shape"] != call["self"]["shape"] for call in calls)
    assert any(call["gradOutput"]["dtype"] != call["self"]["dtype"] for call in calls)
    assert max(attempt.elements for attempt in made if attempt is not None) > 1000
