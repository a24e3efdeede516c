"""Builders: small contracts, calls and kernel calls from plain numpy arrays."""

from collections.abc import Callable
from types import ModuleType

import numpy as np
import pytest

from conformance.call import DEFAULT_STEPS, Attribute, Call, Scalar
from conformance.contract import Contract
from conformance.dtype import BY_NUMPY, DTYPES
from conformance.product import PRODUCTS
from conformance.signature import Parameter, ParameterKind, Role
from conformance.standard import ComparisonClass
from conformance.tensor import Memory, Tensor, contiguous_strides, new_tensor
from runners.simulator.kernel import KernelCall, KernelSpec, Spec
from runners.simulator.tiling import PLANS


def a_tensor(values: np.ndarray) -> Tensor:
    tensor = new_tensor(BY_NUMPY[values.dtype], values.shape)
    tensor.view()[...] = values
    return tensor


def every_second(values: np.ndarray) -> Tensor:
    """The values in every second element of their last axis, with an offset of 3 elements."""
    storage = (*values.shape[:-1], values.shape[-1] * 2)
    strides = (*contiguous_strides(storage)[:-1], 2)
    dtype = BY_NUMPY[values.dtype]
    memory = Memory((3 + int(np.prod(storage))) * dtype.itemsize)
    tensor = Tensor(dtype, values.shape, strides, 3, (3 + int(np.prod(storage)),), new_tensor(dtype, ()).format, memory)
    tensor.view()[...] = values
    return tensor


def a_parameter(name: str, argument: object, written: bool) -> Parameter:
    kind = {Tensor: ParameterKind.TENSOR, Scalar: ParameterKind.SCALAR}.get(type(argument), ParameterKind.INT64)
    return Parameter(name, kind, Role.OUTPUT if written else Role.INPUT, "aclTensor*")


def a_call(api, arguments, outputs, product="ascend950", steps=DEFAULT_STEPS) -> Call:
    parameters = tuple(a_parameter(name, argument, name in outputs) for name, argument in arguments.items())
    return Call(api, PRODUCTS[product], parameters, arguments, tuple(steps))


def a_contract(call: Call, *constraints, family: str = "activation") -> Contract:
    outputs = {name: ComparisonClass.EXACT for name, _ in call.tensors(written=True)}
    return Contract(call.api, family, "", tuple(PRODUCTS), call.parameters, tuple(constraints), outputs, True)


@pytest.fixture
def compute() -> Callable[..., dict[str, np.ndarray]]:
    """Run a kernel module on arrays: inputs by name, ``outputs`` name → (shape, dtype)."""

    def run(
        module: ModuleType, outputs, product="ascend950", lambd=None, dim=None, scalars=None, plans=PLANS, **inputs
    ):
        spec = KernelSpec(
            PRODUCTS[product],
            {name: Spec(array.shape, BY_NUMPY[array.dtype]) for name, array in inputs.items()},
            {name: Spec(shape, DTYPES[dtype]) for name, (shape, dtype) in outputs.items()},
        )
        needed = module.intermediates(spec) if hasattr(module, "intermediates") else {}
        numbers = {**(scalars or {}), **({} if lambd is None else {"lambd": lambd})}
        call = KernelCall(
            spec,
            inputs,
            {name: Scalar(DTYPES["float32"], number) for name, number in numbers.items()},
            {} if dim is None else {"dim": dim},
            {name: np.full(each.shape, 77).astype(each.dtype.numpy) for name, each in needed.items()},
            lambda name: np.full(spec.outputs[name].shape, 55).astype(spec.outputs[name].dtype.numpy),
            plans,
        )
        with np.errstate(all="ignore"):
            results = module.compute(call)
        for name, each in spec.outputs.items():
            assert (results[name].shape, results[name].dtype) == (each.shape, each.dtype.numpy), name
        return results

    return run


@pytest.fixture
def make():
    """Namespace of the builders above."""

    class Builders:
        tensor = staticmethod(a_tensor)
        every_second = staticmethod(every_second)
        call = staticmethod(a_call)
        contract = staticmethod(a_contract)
        dim = staticmethod(lambda value: Attribute(ParameterKind.INT64, value))

    return Builders
