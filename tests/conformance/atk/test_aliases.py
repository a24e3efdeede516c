"""What a script does to its inputs before the call, whatever names it gives them."""

from __future__ import annotations

from textwrap import indent

import pytest

from conformance.atk.rewrites import ANYTHING, rewritten_in

_SCRIPT = """
import copy
import random
import numpy as np
import torch
import torch.nn.functional as F
from atk.tasks.api_execute import register
from atk.tasks.api_execute.aclnn_base_api import AclnnBaseApi
from atk.tasks.api_execute.base_api import BaseApi
from my_helpers import mend

def fix(t):
    t.zero_()

@register("mine")
class Api(BaseApi):
    def init_by_input_data(self, input_data):
{hook}

    def __call__(self, input_data, with_output=False):
{golden}
"""


def _found(hook: str, golden: str = "return torch.relu(input_data.kwargs['x'])") -> set[str]:
    return set(rewritten_in(_SCRIPT.format(hook=indent(hook, " " * 8), golden=indent(golden, " " * 8))))


@pytest.mark.parametrize(
    ("hook", "inputs"),
    [
        ("kw = input_data.kwargs\nkw['x'] = torch.ones(8)", {"x"}),
        ("x = input_data.kwargs.get('x')\nx[0] = 7.0", {"x"}),
        ("x = input_data.kwargs['x']\nx.mul_(2)", {"x"}),
        ("x = input_data.kwargs['x']\ny = x.view(-1)\ny += 1", {"x"}),
        ("x = self.x = input_data.kwargs['x']\nself.x[...] = 0", {"x"}),
        ("input_data.kwargs['x'].data = torch.ones(8)", {"x"}),
        ("input_data.kwargs['x'].data.fill_(1)", {"x"}),
        ("del input_data.kwargs['x']", {"x"}),
        ("format = input_data.kwargs.pop('format')", {"format"}),
        ("for k, v in input_data.kwargs.items():\n    fix(v)", {ANYTHING}),
        ("for one in input_data.args:\n    one[0] = 1", {ANYTHING}),
        ("[one.zero_() for one in input_data.args]", {ANYTHING}),
        ("kept = []\nkept.append(input_data.kwargs['x'])\nkept[0].zero_()", {"x"}),
        ("fix(input_data)", {ANYTHING}),
        ("fix(t=input_data.kwargs['x'])", {"x"}),
        ("mend(**input_data.kwargs)", {ANYTHING}),
        ("self.mend(input_data.kwargs['x'])", {"x"}),
        ("list(map(fix, input_data.args))", {ANYTHING}),
        ("torch.nn.init.uniform_(input_data.kwargs['x'])", {"x"}),
        ("torch.abs(input_data.kwargs['y'], out=input_data.kwargs['x'])", {"x", "y"}),
        ("y = torch.abs(torch.ones(8), out=input_data.kwargs['x'])", {"x"}),
        ("np.random.shuffle(input_data.kwargs['x'].numpy())", {"x"}),
        ("a = input_data.kwargs['x'].numpy()\na.sort()", {"x"}),
        ("setattr(input_data, 'kwargs', {})", {ANYTHING}),
        ("exec('input_data.kwargs.clear()')", {ANYTHING}),
        ("input_data.kwargs = {}", {ANYTHING}),
        ("data = vars(input_data)\ndata['kwargs'] = {}", {ANYTHING, "kwargs"}),
    ],
)
def test_what_may_write_an_input_is_a_rewrite(hook: str, inputs: set[str]) -> None:
    assert _found(hook) >= inputs


@pytest.mark.parametrize(
    "hook",
    [
        "pass",
        "x = input_data.kwargs['x']\nif x.shape[0] > 1 and self.device == 'pyaclnn':\n    self.rows = len(x)",
        "y = torch.relu(input_data.kwargs['x'])\nself.golden = y",
        "y = F.softmax(input_data.kwargs['x'], dim=-1)",
        "x = input_data.kwargs['x'].clone()\nx[0] = 1\nx.mul_(2)",
        "x = copy.deepcopy(input_data.kwargs['x'])\nx.zero_()",
        "y = torch.zeros_like(input_data.kwargs['x'])\ny[0] = 1",
        "y = torch.zeros(8)\ny.copy_(input_data.kwargs['x'])",
        "pool = torch.nn.MaxPool2d(2)\ny = pool(input_data.kwargs['x'])",
        "input_data.kwargs['x'] = input_data.kwargs['x'].npu()",
        "for name, one in input_data.kwargs.items():\n    print(name, one.shape)",
        "args, out = super().init_by_input_data(input_data)\nargs.pop()\nout[:] = [args[0]]\nreturn args, out",
        "args = []\nfor x in input_data.args:\n    args.extend(self.backend.convert_input_data(x))\nreturn args, []",
    ],
)
def test_what_only_reads_is_none(hook: str) -> None:
    assert _found(hook) == set()


def test_what_the_golden_does_to_its_copy_is_none() -> None:
    assert _found("pass", "x = input_data.kwargs['x']\nfix(x)\nreturn x.mul_(2)") == set()


@pytest.mark.parametrize(
    "text",
    [
        "from other import Base\nclass Api(Base):\n    pass\n",
        "class Api(BaseApi):\n    init_by_input_data = mend\n",
        "Api.init_by_input_data = mend\n",
        "setattr(Api, 'init_by_input_data', mend)\n",
    ],
)
def test_a_hook_from_elsewhere_may_do_anything(text: str) -> None:
    assert rewritten_in(text) == (ANYTHING,)
