"""The simulator over the shipped contracts: every API runs and refuses on every product that it lists."""

import pytest
from msgspec import structs
from shipped import legal_cases

from conformance.call import Action, Step
from conformance.generate import make_call
from conformance.load import load_contracts
from conformance.outcome import Completed, Phase
from conformance.product import PRODUCTS
from conformance.tensor import FILL_BYTE
from runners.simulator.runner import SimulatorRunner

LEGAL = legal_cases()
RUNNER = SimulatorRunner()
PHASE_1_WITHOUT_SIZE = Step(Action.WORKSPACE, frozenset({"workspaceSize"}))


def changed(call, before) -> list[str]:
    """Names of the tensors that no longer hold what they did."""
    return [name for name, tensor in call.tensors(written=True) if (tensor.memory.payload != before[name]).any()]


def contents(call):
    return {name: tensor.memory.payload.copy() for name, tensor in call.tensors(written=True)}


def test_there_is_a_legal_call_of_every_contract():
    assert LEGAL.keys() == load_contracts().keys()


@pytest.mark.parametrize(
    ("api", "product"), [(api, product) for api, case in LEGAL.items() for product in sorted(case.products)]
)
def test_a_legal_call_completes_and_writes(api, product):
    assert RUNNER.supports(api, PRODUCTS[product]) is None
    call = make_call(LEGAL[api], PRODUCTS[product])
    before = contents(call)
    assert isinstance(RUNNER.run(call), Completed)
    assert changed(call, before)


@pytest.mark.parametrize("api", LEGAL)
def test_a_null_size_pointer_is_refused_and_nothing_is_written(api):
    call = make_call(LEGAL[api], PRODUCTS[min(LEGAL[api].products)])
    call = structs.replace(call, steps=(PHASE_1_WITHOUT_SIZE, Step(Action.RUN)))
    before = contents(call)
    outcome = RUNNER.run(call)
    assert (outcome.phase, outcome.status) == (Phase.WORKSPACE, 161001)
    assert changed(call, before) == []


def test_outputs_begin_with_the_fill_pattern():
    call = make_call(LEGAL["aclnnSilu"], PRODUCTS["ascend910b"])
    assert all((tensor.memory.payload == FILL_BYTE).all() for _, tensor in call.tensors(written=True))


def test_the_unlisted_product_is_unsupported():
    assert "does not list" in RUNNER.supports("aclnnSiluBackward", PRODUCTS["ascend310p"])
