"""Executor scripts of every form: what becomes of the inputs, or why nothing can."""

import sys

import numpy as np
import pytest
import torch

from conformance.call import Attribute, Call
from conformance.dtype import DTYPES
from conformance.outcome import Broken, Completed
from conformance.product import PRODUCTS
from conformance.signature import Parameter, ParameterKind, Role
from conformance.tensor import new_tensor
from runners.executors import shim
from runners.executors.runner import ExecutorRunner

IMPORTS = """
import numpy as np
import torch
import torch_npu
from atk.configs.dataset_config import InputDataset
from atk.configs.results_config import TaskResult, OutputData
from atk.tasks.api_execute import register
from atk.tasks.api_execute.base_api import BaseApi
from atk.tasks.api_execute.aclnn_base_api import AclnnBaseApi
from atk.tasks.api_execute.function_api import FunctionApi
from atk.tasks.api_execute.kernel_base_api import KernelBaseApi
from atk.tasks.backends.lib_interface.acl_wrapper import AclFormat, AclTensor, AclTensorStruct, TensorPtr, nnopbase
from atk.tasks.dataset.base_dataset import OpsDataset
from atk.tasks.post_process import ACCURACY_REGISTRY, BaseAccuracyCompare
"""
OPERATOR = "@register('mine')\nclass Mine({base}):\n    def init_by_input_data(self, input_data):\n        {line}\n"
CALL = (
    "@register('aclnn_mine')\nclass Call(AclnnBaseApi):\n    def init_by_input_data(self, input_data):\n"
    "        {before}\n        input_args, output_packages = super().init_by_input_data(input_data)\n"
    "        {after}\n        return input_args, output_packages\n"
)
WHOLE = """
@register('aclnn_mine')
class Call(AclnnBaseApi):
    def init_by_input_data(self, input_data):
        input_args, output_packages = [], []
        input_data.kwargs['x'] = input_data.kwargs['x'].abs()
        for index, value in enumerate(input_data.args):
            input_args.extend(self.backend.convert_input_data(value, index=index))
        for name, value in input_data.kwargs.items():
            input_args.extend(self.backend.convert_input_data(value, name=name))
        for index, value in enumerate(self.task_result.output_info_list):
            output_packages.extend(self.backend.convert_output_data(value, index))
        input_args.extend(output_packages)
        return input_args, output_packages

    def __call__(self):
        self.backend.aclnn_x_get_workspace_size()
        self.backend.aclnn_x()

    def after_call(self, output_packages):
        return [self.acl_tensor_to_torch(one) for one in output_packages]

    def get_cpp_func_signature_type(self):
        return "aclnnStatus aclnnMineGetWorkspaceSize(...)"
"""
X = np.arange(-3, 3, dtype=np.float32).reshape(2, 3)


def operator(line, base="BaseApi"):
    return IMPORTS + OPERATOR.format(base=base, line=line)


def call(before="pass", after="pass", more=""):
    return IMPORTS + CALL.format(before=before, after=after) + more


ABS = operator("input_data.kwargs['x'].abs_()")


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Runs a script in this process, and leaves nothing of it."""
    before = set(sys.modules)
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path])
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.setattr(torch.Tensor, "npu", lambda self: self, raising=False)

    def run_script(text, names=("x", "y"), ordered=False, dtype="float32"):
        (tmp_path / "executor.py").write_text(text)
        kinds = {"x": ParameterKind.TENSOR, "y": ParameterKind.TENSOR, "dim": ParameterKind.INT64}
        parameters = [Parameter(name, kind, Role.INPUT, "") for name, kind in kinds.items()]
        out = Parameter("out", ParameterKind.TENSOR, Role.OUTPUT, "")
        tensors = {name: new_tensor(DTYPES[dtype], X.shape) for name in ("x", "y", "out")}
        for name in ("x", "y"):
            tensors[name].store(X.astype(tensors[name].dtype.carrier))
        arguments = {**tensors, "dim": Attribute(ParameterKind.INT64, 1)}
        runner = ExecutorRunner()
        inputs = [{"name": name, "of": of} for name, of in zip((*names, "dim"), ("x", "y", "dim"), strict=True)]
        inputs.append({"name": "format", "value": "ND"})
        runner.prepare(
            {
                "script": str(tmp_path / "executor.py"),
                "api_type": "mine",
                "aclnn_api_type": "aclnn_mine",
                "entry": {"id": 7, "name": "torch.abs", "inputs": []},
                "inputs": inputs,
                "ordered": ordered,
                "seed": 7,
            }
        )
        ordered_arguments = {p.name: arguments[p.name] for p in (*parameters, out)}
        outcome = runner.run(Call("aclnnMine", PRODUCTS["ascend910b"], (*parameters, out), ordered_arguments, (), 60.0))
        return outcome, tensors["x"].array().astype(np.float32), tensors["y"].array().astype(np.float32)

    yield run_script
    shim.REGISTERED.clear()
    for name in set(sys.modules) - before:
        if name.partition(".")[0] in ("atk", "torch_npu", "conformance_atk_executor"):
            del sys.modules[name]


@pytest.mark.parametrize(
    "script",
    [
        operator("input_data.kwargs['x'] = input_data.kwargs['x'].abs()"),
        operator("input_data.kwargs['x'] = input_data.kwargs['x'].npu().abs()", "FunctionApi"),
        operator("input_data.kwargs['x'] = torch.abs(input_data.kwargs['x'])", "KernelBaseApi"),
        operator("input_data.kwargs['x'].abs_()"),
        operator("input_data.kwargs['x'] = input_data.kwargs['x'].abs().t().contiguous().t().requires_grad_()"),
        operator("input_data.kwargs['x'] = eval(self.api_name)(input_data.kwargs['x'])"),
        operator(
            "assert self.device == 'pyaclnn' and self.task_result.case_config.id == 7; input_data.kwargs['x'].abs_()"
        ),
        operator("assert self.task_result.case_config.no_such_key is None; input_data.kwargs['x'].abs_()"),
        IMPORTS + WHOLE,
        call(before="input_data.kwargs['x'] = input_data.kwargs['x'].abs()"),
        call(before="input_data.kwargs['x'].abs_()", after="input_args.pop(); output_packages[:] = [input_args[0]]"),
        call(before="input_data.kwargs['x'].abs_()", after="input_args.insert(1, TensorPtr())"),
        call(before="input_data.kwargs['x'].abs_()", after="input_data.kwargs['y'] = 'too late to be passed'"),
        call(more=OPERATOR.format(base="BaseApi", line="input_data.kwargs['x'].abs_()")),
        call(before="input_data.kwargs['x'].abs_()", after="input_args.append(AclTensor(AclFormat.ACL_FORMAT_ND))"),
        ABS + "    def __init__(self, task_result):\n        super().__init__(task_result)\n",
        ABS + "    def __call__(self, data, with_output=False):\n        raise MemoryError\n",
        ABS + "    def get_format(self, data, index=None, name=None):\n        return AclFormat.ACL_FORMAT_ND\n",
        ABS
        + "@ACCURACY_REGISTRY.register('own')\nclass Own(BaseAccuracyCompare):\n    level = AclFormat.ACL_FORMAT_ND\n",
    ],
)
def test_an_executor_makes_the_inputs(script, run):
    outcome, x, y = run(script)
    assert isinstance(outcome, Completed), outcome
    assert np.array_equal(x, abs(X))
    assert np.array_equal(y, X)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "int32", "uint8"])
def test_every_type_that_torch_has_comes_back(dtype, run):
    outcome, x, _ = run(operator("input_data.kwargs['x'] = (input_data.kwargs['x'] * 0) + 3"), dtype=dtype)
    assert isinstance(outcome, Completed), outcome
    assert np.all(x == 3)


def test_inputs_without_names_are_there_by_their_places(run):
    outcome, x, y = run(operator("input_data.args[1] = input_data.args[0].abs()"), names=("", ""))
    assert isinstance(outcome, Completed), outcome
    assert np.array_equal(x, X)
    assert np.array_equal(y, abs(X))


@pytest.mark.parametrize("line", ["np.random.rand(2, 3)", "OpsDataset.seed_everything(7); np.random.rand(2, 3)"])
def test_generators_are_seeded_with_the_case(line, run):
    *before, last = line.split("; ")
    made = "; ".join([*before, f"input_data.kwargs['x'] = torch.tensor({last}).float()"])
    np.random.seed(7)
    wanted = np.random.rand(2, 3).astype(np.float32)
    assert np.array_equal(run(operator(made))[1], wanted)


def test_torchs_stream_is_seeded_too(run):
    torch.manual_seed(7)
    wanted = torch.randn(2, 3).numpy()
    assert np.array_equal(run(operator("input_data.kwargs['x'] = torch.randn(2, 3)"))[1], wanted)


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        (operator("raise ValueError('no luck')"), "Mine.init_by_input_data raised ValueError: no luck"),
        (operator("input_data.kwargs['x'] = torch.zeros(3, 2)"), "tensor of shape [3, 2], where the file has [2, 3]"),
        (operator("input_data.kwargs['x'] = torch.zeros(2, 3).double()"), "tensor of type float64"),
        (operator("input_data.kwargs['x'] = torch.zeros(2, 3).to_sparse()"), "no dense tensor"),
        (operator("input_data.kwargs['x'] = torch.zeros(2, 3, device='meta')"), "meta"),
        (operator("input_data.kwargs['x'] = None"), "makes the input x a NoneType"),
        (operator("input_data.kwargs['x'] = [1, 2]"), "makes the input x a list"),
        (operator("input_data.kwargs['dim'] = 0"), "makes the input dim 0, which is 1 in the file"),
        (operator("del input_data.kwargs['x']"), "takes the input x away"),
        (operator("input_data.kwargs['z'] = 1"), "adds inputs: z"),
        (operator("input_data.args.append(1)"), "adds inputs: more"),
        (operator("input_data.kwargs = 3"), "in place of all inputs"),
        (operator("pass", "object"), "Mine, which is no executor"),
        (call(after="input_args[0] = TensorPtr()"), "passes something else for x than the input"),
        (call(after="input_args = []"), "passes something else for x, y, dim"),
        (IMPORTS, "registers no executor 'mine'"),
        (operator("pass").replace("'mine'", "'other'"), "registers no executor 'mine'"),
        ("def", "cannot be loaded: SyntaxError"),
        ("import no_such_package", "cannot be loaded: ModuleNotFoundError: No module named 'no_such_package'"),
        ("from atk.tools import no_such_name; no_such_name()", "cannot be loaded: TypeError"),
        ("1 / 0", "cannot be loaded: ZeroDivisionError"),
    ],
)
def test_what_no_case_can_follow_is_said_and_leaves_the_inputs_alone(script, reason, run):
    outcome, x, y = run(script)
    assert isinstance(outcome, Broken)
    assert reason in outcome.reason
    assert np.array_equal(x, X)
    assert np.array_equal(y, X)


@pytest.mark.parametrize(
    ("script", "ordered", "kind"),
    [
        (call(after="input_args[:2] = input_args[1::-1]"), False, Completed),
        (call(after="input_args[:2] = input_args[1::-1]"), True, Broken),
        (IMPORTS + WHOLE, True, Completed),
        (ABS, True, Completed),
    ],
)
def test_another_order_matters_where_places_bind(script, ordered, kind, run):
    outcome, _, _ = run(script, ordered=ordered)
    assert isinstance(outcome, kind), outcome


def test_a_hook_that_returns_something_else_is_refused(run):
    script = (
        IMPORTS
        + "@register('aclnn_mine')\nclass Call(AclnnBaseApi):\n    def init_by_input_data(self, d):\n        return 3\n"
    )
    outcome, _, _ = run(script)
    assert "returns 3, not the arguments" in outcome.reason
