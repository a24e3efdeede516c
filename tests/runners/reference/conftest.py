"""Calls built by hand: ``tensor`` makes one from values, ``golden`` asks the reference about a call."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest

from conformance.call import DEFAULT_STEPS, Argument, Attribute, Call, Scalar, Step
from conformance.dtype import DTYPES
from conformance.golden import GoldenOutput
from conformance.product import PRODUCTS
from conformance.signature import Parameter, ParameterKind, Role
from conformance.tensor import Tensor, new_tensor
from runners.reference.runner import ReferenceRunner


def make_tensor(values: object, dtype: str = "float32") -> Tensor:
    array = np.asarray(values, dtype=DTYPES[dtype].numpy)
    made = new_tensor(DTYPES[dtype], array.shape)
    made.view()[...] = array
    return made


def _kind(argument: Argument) -> ParameterKind:
    if isinstance(argument, Attribute):
        return argument.kind
    return ParameterKind.SCALAR if isinstance(argument, Scalar) else ParameterKind.TENSOR


def make_call(
    api: str,
    inputs: Mapping[str, Argument],
    outputs: Mapping[str, Argument],
    steps: tuple[Step, ...] = DEFAULT_STEPS,
) -> Call:
    roles = [(name, argument, Role.INPUT) for name, argument in inputs.items()]
    roles += [(name, argument, Role.OUTPUT) for name, argument in outputs.items()]
    parameters = tuple(Parameter(name, _kind(argument), role, "") for name, argument, role in roles)
    arguments = {name: argument for name, argument, _ in roles}
    return Call(api, PRODUCTS["ascend910b"], parameters, arguments, steps)


def golden_of(api: str, inputs: Mapping[str, Argument], outputs: Mapping[str, Argument]) -> dict[str, GoldenOutput]:
    answer = ReferenceRunner().golden(make_call(api, inputs, outputs))
    assert isinstance(answer, dict), answer
    return answer


@pytest.fixture
def tensor() -> Callable[..., Tensor]:
    return make_tensor


@pytest.fixture
def call() -> Callable[..., Call]:
    return make_call


@pytest.fixture
def golden() -> Callable[..., Any]:
    return golden_of


@pytest.fixture
def runner() -> ReferenceRunner:
    return ReferenceRunner()
