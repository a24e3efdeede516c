"""Large elementwise kernels strip by strip: the same bits, and which kernels compute the whole."""

import numpy as np
import pytest

from conformance.dtype import DTYPES
from conformance.load import load_contracts
from conformance.product import PRODUCTS
from runners.simulator import strips
from runners.simulator.kernel import KernelCall, KernelSpec, Spec
from runners.simulator.kernel_lookup import find_kernel
from runners.simulator.strips import in_strips
from runners.simulator.tiling import PLANS

FP16 = DTYPES["float16"]
COUNT = 1000


@pytest.fixture(autouse=True)
def _small_strips(monkeypatch):
    monkeypatch.setattr(strips, "STRIP", 64)


def kernel_call(shape=(COUNT,), out=None, scratch=None):
    x = np.random.default_rng(1).standard_normal(shape).astype(np.float16)
    out = out or shape
    spec = KernelSpec(PRODUCTS["ascend910b"], {"self": Spec(shape, FP16)}, {"out": Spec(out, FP16)})
    return KernelCall(spec, {"self": x}, {}, {}, scratch or {}, lambda name: np.zeros(shape, np.float16), PLANS)


class Doubling:
    """A kernel that notes the sizes it is asked for."""

    def __init__(self, wish=lambda call: None):
        self.sizes, self.wish = [], wish

    def __call__(self, call):
        x = call.inputs["self"]
        self.sizes.append(x.size)
        self.wish(call)
        return {"out": x + x}


@pytest.mark.parametrize("shape", [(COUNT,), (10, 100)])
def test_a_large_call_is_computed_strip_by_strip(shape):
    kernel, call = Doubling(), kernel_call(shape)
    results = in_strips(kernel)(call)
    assert kernel.sizes == [64] * 15 + [40]
    assert results["out"].shape == shape
    assert results["out"].tobytes() == (2 * call.inputs["self"]).tobytes()


@pytest.mark.parametrize(
    ("kernel", "call"),
    [
        (Doubling(), kernel_call((4 * 64,))),
        (Doubling(), kernel_call(out=(1,))),
        (Doubling(), kernel_call(scratch={"self": np.zeros(COUNT)})),
        (Doubling(lambda call: call.plan("SiluGrad", COUNT, FP16)), kernel_call()),
        (Doubling(lambda call: call.output_memory("out")), kernel_call()),
    ],
    ids=["small", "of two shapes", "with intermediates", "with a plan", "with its output's memory"],
)
def test_other_calls_are_computed_whole(kernel, call):
    in_strips(kernel)(call)
    assert kernel.sizes[-1] == call.inputs["self"].size


@pytest.mark.parametrize("api", ["aclnnFastGelu", "aclnnGelu", "aclnnHardswish", "aclnnMish", "aclnnSigmoid"])
def test_the_kernels_of_elementwise_operators_give_the_same_bits(api, monkeypatch):
    kernel, call = find_kernel(load_contracts()[api]), kernel_call()
    in_parts = kernel.compute(call)["out"]
    monkeypatch.setattr(strips, "STRIP", COUNT)
    assert in_parts.tobytes() == kernel.compute(call)["out"].tobytes()
