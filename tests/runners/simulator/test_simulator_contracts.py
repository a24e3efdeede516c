"""The simulator over the shipped contracts: every API runs, refuses, and leaves early when empty."""

import numpy as np
import pytest

from conformance.call import Action, Call, Scalar, Step
from conformance.dtype import DTYPES
from conformance.load import load_contracts
from conformance.outcome import Completed, Phase
from conformance.product import PRODUCTS
from conformance.tensor import FILL_BYTE, new_tensor
from runners.simulator.runner import SimulatorRunner

CONTRACTS = load_contracts()
RUNNER = SimulatorRunner()
LAMBD = Scalar(DTYPES["float32"], 0.5)
PHASE_1_WITHOUT_SIZE = Step(Action.WORKSPACE, frozenset({"workspaceSize"}))


def a_legal_call(api, make, shape=(2, 3), dtype="float32", product=None, steps=None) -> Call:
    """Ones for every input, the fill pattern in every output; weights have one element a channel."""
    contract = CONTRACTS[api]
    arguments = {}
    for parameter in contract.parameters:
        of = shape[1:2] if "weight" in parameter.name.lower() else shape
        given = new_tensor(DTYPES[dtype], of)
        if not parameter.is_written:
            given = make.tensor(np.ones(of, DTYPES[dtype].numpy))
        arguments[parameter.name] = {"lambd": LAMBD, "dim": make.dim(-1)}.get(parameter.name, given)
    product = PRODUCTS[product or contract.products[0]]
    return Call(api, product, contract.parameters, arguments, *([tuple(steps)] if steps else []))


def written(call: Call) -> bool:
    return any((tensor.memory.payload != FILL_BYTE).any() for _, tensor in call.tensors(written=True))


def test_there_are_contracts_to_run():
    assert len(CONTRACTS) >= 8


@pytest.mark.parametrize(
    ("api", "product"),
    [(api, product) for api, contract in CONTRACTS.items() for product in contract.products],
)
def test_a_legal_call_completes_and_writes_every_output(make, api, product):
    assert RUNNER.supports(api, PRODUCTS[product]) is None
    call = a_legal_call(api, make, product=product)
    assert isinstance(RUNNER.run(call), Completed)
    for _, tensor in call.tensors(written=True):
        assert (tensor.memory.payload != FILL_BYTE).all()


@pytest.mark.parametrize("api", CONTRACTS)
def test_a_null_size_pointer_is_refused_and_nothing_is_written(make, api):
    call = a_legal_call(api, make, steps=[PHASE_1_WITHOUT_SIZE, Step(Action.RUN)])
    outcome = RUNNER.run(call)
    assert (outcome.phase, outcome.status) == (Phase.WORKSPACE, 161001)
    assert not written(call)


@pytest.mark.parametrize("api", CONTRACTS)
def test_a_dtype_that_is_not_listed_is_refused(make, api):
    outcome = RUNNER.run(a_legal_call(api, make, dtype="uint16"))
    assert (outcome.phase, outcome.status) == (Phase.WORKSPACE, 161002)
    assert "uint16" in outcome.message


@pytest.mark.parametrize("api", CONTRACTS)
def test_an_empty_call_completes_without_workspace_or_output(make, api):
    call = a_legal_call(api, make, shape=(0, 3))
    outcome = RUNNER.run(call)
    assert isinstance(outcome, Completed)
    assert outcome.workspace_bytes == 0
    assert not written(call)


def test_the_unlisted_product_is_unsupported():
    assert "does not list" in RUNNER.supports("aclnnSiluBackward", PRODUCTS["ascend310p"])
