"""A fake CANN, compiled once a session, and calls for its operators."""

import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from conformance.call import DEFAULT_STEPS, Call
from conformance.dtype import BY_NUMPY
from conformance.product import PRODUCTS
from conformance.signature import Parameter, ParameterKind, Role
from conformance.tensor import Tensor, new_tensor

SOURCES = Path(__file__).parent / "fake_cann"
LIBRARIES = {"libacl_rt.so": "runtime.c", "libnnopbase.so": "base.c", "libopapi_nn.so": "operators.c"}
INPUT = Parameter("self", ParameterKind.TENSOR, Role.INPUT, "const aclTensor*")
OUTPUT = Parameter("out", ParameterKind.TENSOR, Role.OUTPUT, "aclTensor*")


@pytest.fixture(scope="session")
def fake_cann(tmp_path_factory) -> Path:
    """Root of an installation with the fake's three libraries."""
    compiler = shutil.which("gcc")
    if compiler is None and os.environ.get("CI") != "true":
        pytest.skip("gcc is missing: the fake CANN cannot be built")
    assert compiler is not None, "CI needs gcc to build the fake CANN"
    root = tmp_path_factory.mktemp("cann")
    folder = root / "lib64"
    folder.mkdir()
    for name, source in LIBRARIES.items():
        command = [compiler, "-shared", "-fPIC", "-O1", "-Wall", "-Werror", f"-Wl,-soname,{name}"]
        subprocess.run([*command, "-o", folder / name, SOURCES / source], check=True)
    return root


def a_tensor(values: np.ndarray) -> Tensor:
    tensor = new_tensor(BY_NUMPY[values.dtype], values.shape)
    tensor.view()[...] = values
    return tensor


@pytest.fixture
def unary():
    """Make a call of a fake operator: float32 ``self`` in, ``out`` of its shape out."""

    def make(api, values=(1.0, 2.0, 3.0), steps=DEFAULT_STEPS, deadline=30.0, x=None, out=None) -> Call:
        x = a_tensor(np.array(values, np.float32)) if x is None else x
        arguments = {"self": x, "out": new_tensor(x.dtype, x.shape) if out is None else out}
        return Call(api, PRODUCTS["ascend910b"], (INPUT, OUTPUT), arguments, tuple(steps), deadline)

    return make
