"""Data is what ATK's own generators give: numpy's and torch's streams, seeded with the id of the case."""

import numpy as np
import pytest
import torch
from atk_samples import attribute, case, tensor, write_atk

from conformance.foreign import draw
from conformance.foreign_files import cases_or_problem
from conformance.generate import make_call
from conformance.product import PRODUCTS
from runners.reference.normal import normal_stream


@pytest.fixture(autouse=True)
def torch_stream(monkeypatch):
    monkeypatch.setattr(draw, "find_normal_stream", lambda: normal_stream)


def arrays(folder, *inputs, number=11, api="SiluBackward", seed=0, **more):
    (made,) = cases_or_problem(write_atk(folder, case(number, *inputs, api=api, **more)))
    assert made.unsupported == ""
    call = make_call(made, PRODUCTS["ascend910b"], seed)
    return {name: one.array() for name, one in call.tensors(written=False)}, call.arguments


@pytest.mark.parametrize("dtype", ["fp32", "fp16", "bf16"])
def test_uniform_tensors_are_numpys_stream_in_the_order_of_the_file_cast_as_torch_casts(dtype, tmp_path):
    seen, _ = arrays(tmp_path, tensor("gradOutput", dtype=dtype), tensor("self", dtype=dtype, values=(0, 9)))
    np.random.seed(11)
    types = {"fp32": torch.float32, "fp16": torch.float16, "bf16": torch.bfloat16}
    for name, (low, high) in {"gradOutput": (-2, 2), "self": (0, 9)}.items():
        theirs = torch.from_numpy(np.random.uniform(low, high, (3, 5))).to(types[dtype])
        assert np.array_equal(seen[name].astype(np.float32), theirs.float().numpy())


def test_normal_tensors_are_torchs_stream(tmp_path):
    values = {"name": "nd", "mean": [1, 1], "std": [2, 2]}
    seen, _ = arrays(tmp_path, tensor("gradOutput", values=values), tensor("self", values=values))
    torch.manual_seed(11)
    assert np.array_equal(seen["gradOutput"], torch.normal(1.0, 2.0, (3, 5)).numpy())
    assert np.array_equal(seen["self"], torch.normal(1.0, 2.0, (3, 5)).numpy())


def test_another_id_default_seed_or_seed_of_the_run_gives_other_data(tmp_path):
    inputs = tensor("gradOutput"), tensor("self")
    first = arrays(tmp_path, *inputs)[0]["self"]
    assert np.array_equal(first, arrays(tmp_path, *inputs)[0]["self"])
    assert np.array_equal(first, arrays(tmp_path, *inputs, number=3, default_seed=11)[0]["self"])
    assert not np.array_equal(first, arrays(tmp_path, *inputs, number=12)[0]["self"])
    assert not np.array_equal(first, arrays(tmp_path, *inputs, seed=1)[0]["self"])


@pytest.mark.parametrize(
    ("values", "holds"),
    [
        ("nan", lambda a: np.isnan(a).all()),
        ("-inf", lambda a: (a == -np.inf).all()),
        (["-inf", "inf"], lambda a: np.isinf(a).all() and len(np.unique(a)) == 2),
        (0.25, lambda a: (a == 0.25).all()),
        ([3.5], lambda a: (a == 3.5).all()),
        ([0, "inf"], lambda a: np.isfinite(a).all() and (a >= 0).all()),
        ((-3.4e38, 3.4e38), lambda a: np.isfinite(a).all()),
        ([1, 2, 3], lambda a: list(a.reshape(-1)[:4]) == [1, 2, 3, 1]),
    ],
)
def test_special_spans(values, holds, tmp_path):
    assert holds(arrays(tmp_path, tensor("gradOutput", values=values), tensor("self"))[0]["gradOutput"])


@pytest.mark.parametrize(
    ("dtype", "values", "least", "most"),
    [
        ("int32", (-3, 4), -3, 4),
        ("int64", (-(2**63), 2**63 - 1), -(2**63), 2**63 - 1),
        ("uint8", (-5, 300), 0, 255),
        ("int8", "inf", 127, 127),
        ("int32", "nan", 0, 0),
        ("int32", "(0, 2)", 1, 1),
        ("uint8", {"name": "nd", "mean": [-90, -80], "std": [1, 1]}, 0, 0),
    ],
)
def test_whole_numbers_stay_within_their_bounds_and_their_type(dtype, values, least, most, tmp_path):
    bounds = [attribute(name, 1, dtype, "scalar") for name in ("threshold", "value")]
    seen, _ = arrays(tmp_path, tensor(dtype=dtype, values=values, shape=(40, 40)), *bounds, api="Threshold")
    assert seen["self"].min() >= least
    assert seen["self"].max() <= most


def test_a_number_that_has_a_range_is_drawn_from_the_same_stream(tmp_path):
    slope = attribute("negativeSlope", [0, 1], "fp32", "scalar")
    _, arguments = arrays(tmp_path, tensor(), slope, api="LeakyRelu")
    np.random.seed(11)
    np.random.uniform(-2, 2, (3, 5))
    low, high = 0, 1
    assert arguments["negativeSlope"].value == np.float32(np.random.uniform(low, high))
