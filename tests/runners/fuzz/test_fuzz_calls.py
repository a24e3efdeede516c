"""Calls made from contracts are legal by both sides; faulty ones differ by one fault that both sides refuse alike."""

import pytest
from tiny import session

from conformance.case import Refusal, Success
from conformance.cli import main
from conformance.contract import Basis
from conformance.load import load_contracts
from conformance.platform_rules import ProductIn
from conformance.product import PRODUCTS
from conformance.rule_kinds import parameters_of
from runners.fuzz.attempts import GOLDEN, REFUSAL, Surroundings, make_attempt
from runners.fuzz.bodies import answer, faults
from runners.fuzz.choices import SeededChoices
from runners.fuzz.openness import left_open, left_out
from runners.fuzz.roots import lengths, ranks_of

CONTRACTS = load_contracts()
APIS = sorted(api for api, contract in CONTRACTS.items() if not left_out(contract))
PRODUCT = "ascend950"
LEGAL, FAULTY = 100, 50
"""Attempts of an API."""
REFUSES_EMPTY, DIFFERS = "its document refuses empty tensors", "document and implementation differ about empty tensors"
NEVER_EMPTY = {
    "aclnnSeluBackward": REFUSES_EMPTY,
    "aclnnHardtanhBackward": REFUSES_EMPTY,
    "aclnnMishBackward": REFUSES_EMPTY,
    "aclnnGeluQuant": REFUSES_EMPTY,
    "aclnnSwiGluGrad": DIFFERS,
    "aclnnClippedSwigluGrad": DIFFERS,
    "aclnnSwigluGroup": DIFFERS,
    "aclnnSwigluGroupQuantGrad": DIFFERS,
}
"""APIs of which no legal call has an empty tensor, and why."""


def attempts(api, kind, count):
    contract = CONTRACTS[api]
    product = PRODUCTS[PRODUCT if PRODUCT in contract.products else "ascend910b"]
    about = Surroundings(
        session(product=product.name), contract, ranks_of(contract, product), lengths(contract, product, 4096)
    )
    made = [make_attempt(about, [kind], SeededChoices(f"{api}{n}")) for n in range(count)]
    return product, [attempt for attempt in made if attempt is not None]


@pytest.mark.parametrize("api", APIS)
def test_legal_calls_are_legal_and_few_are_thrown_away(api, tmp_path):
    product, made = attempts(api, GOLDEN, LEGAL)
    kept = [attempt.cases(tmp_path / "f.json")[0] for attempt in made]
    assert len(kept) > 0.8 * LEGAL
    assert {answer(case.contract, case.facts, product) for case in kept} == {0}
    assert all(isinstance(case.expectation, Success) for case in kept)
    facets = {facet for case in kept for facet in case.facets}
    assert "noncontiguous" in facets
    assert ("empty" in facets) is (api not in NEVER_EMPTY)


@pytest.mark.parametrize("api", APIS)
def test_refusals_break_every_rule_that_can_be_broken(api, tmp_path):
    product, made = attempts(api, REFUSAL, FAULTY)
    cases = [attempt.cases(tmp_path / "f.json") for attempt in made]
    assert len(cases) > 0.8 * FAULTY
    for legal, faulty in cases:
        assert isinstance(faulty.expectation, Refusal)
        assert answer(faulty.contract, legal.facts, product) == 0
        assert answer(faulty.contract, faulty.facts, product) == faulty.expectation.status
    contract = CONTRACTS[api]
    labels = {name.partition("_")[0] for legal, _ in cases for name, _, _ in faults(contract, legal.facts, product)}
    assert {c.label for c in contract.constraints if _is_breakable(contract, c, product)} <= labels


def _is_breakable(contract, constraint, product):
    """Not a rule about the product, nor one about tensors that are never passed."""
    agreed = constraint.basis is Basis.BOTH and constraint.applies_to(product) and constraint.status
    free = [name for name in parameters_of(constraint.rule) if not left_open(contract, name)]
    return bool(agreed and free and not constraint.untested and not isinstance(constraint.rule, ProductIn))


def test_an_api_without_a_call_that_is_sure_to_succeed_is_left_out_with_the_reason(capsys, tmp_path):
    assert {api for api in CONTRACTS if api not in APIS} == {"aclnnSwigluGroupQuant"}
    assert main(["fuzz", "--api", "aclnnSwigluGroupQuant", "--product", PRODUCT, "-o", str(tmp_path)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "aclnnSwigluGroupQuant is left out" in line
    assert "no source says how values are quantised" in line


@pytest.mark.parametrize(
    ("api", "name", "null"),
    [("aclnnSwigluGroup", "weightOptional", {True}), ("aclnnGeluQuant", "inputScaleOptional", {True, False})],
)
def test_what_a_contract_leaves_open_is_never_passed(api, name, null):
    _, made = attempts(api, GOLDEN, 20)
    assert {attempt.groups[0]["arguments"][name] is None for attempt in made} == null


def test_tensors_that_must_be_dense_are_shifted_at_most():
    _, made = attempts("aclnnSwiGluGrad", GOLDEN, LEGAL)
    layouts = {name: {str(a.groups[0]["arguments"][name].get("layout")) for a in made} for name in ("out", "x")}
    assert layouts["out"] == {"None", "{'offset': 3}"}
    assert "transposed" in layouts["x"]


def test_broadcast_mixed_types_and_switch_points_are_all_met():
    _, made = attempts("aclnnSiluBackward", GOLDEN, 300)
    calls = [attempt.groups[0]["arguments"] for attempt in made]
    assert any(call["gradOutput"]["shape"] != call["self"]["shape"] for call in calls)
    assert any(call["gradOutput"]["dtype"] != call["self"]["dtype"] for call in calls)
    assert max(attempt.elements for attempt in made) > 1000
