"""Tiny data for self-tests: an API of its own for reading and expanding, PReLU backward for running."""

from __future__ import annotations

import json
import shutil
from datetime import date
from pathlib import Path

from conformance.case import CaseFile
from conformance.corpus import load_corpus
from conformance.data import data_root
from conformance.execute import Session
from conformance.expand import expand
from conformance.load import load_case_file, load_standards
from conformance.product import PRODUCTS
from runners.reference.runner import ReferenceRunner
from runners.simulator.runner import SimulatorRunner

TENSOR, OUT = {"dtype": "float32", "shape": [2, 3]}, {"dtype": "float32", "shape": [2, 3]}
CONTRACT = {
    "$schema": "../../schemas/contract-1.schema.json",
    "api": "aclnnTiny",
    "family": "demo",
    "document": {"name": "aclnnTiny", "source": "tests/tiny.py", "read": "2026-08"},
    "products": ["ascend950", "ascend910b", "ascend910"],
    "parameters": [
        {"name": "x", "kind": "tensor", "role": "input", "c_type": "const aclTensor*"},
        {"name": "factor", "kind": "scalar", "role": "input", "c_type": "const aclScalar*"},
        {"name": "axis", "kind": "int64", "role": "input", "c_type": "int64_t"},
        {"name": "y", "kind": "tensor", "role": "output", "c_type": "aclTensor*"},
    ],
    "constraints": [
        {
            "label": "c1",
            "about": "no pointer of the call is null",
            "rule": {"kind": "not_null", "parameters": ["x", "factor", "y"]},
            "status": "PARAM_NULLPTR",
        },
        {
            "label": "c2",
            "about": "listed types; bfloat16 only on ascend950",
            "rule": {
                "kind": "dtype_in",
                "parameters": ["x", "y"],
                "dtypes": {"*": ["float16", "float32"], "ascend950": ["float16", "float32", "bfloat16"]},
            },
            "status": "PARAM_INVALID",
        },
        {
            "label": "c3",
            "about": "y has the shape of x",
            "rule": {"kind": "same_shape", "parameters": ["x", "y"]},
            "status": "PARAM_INVALID",
        },
        {
            "label": "c4",
            "about": "nothing is done to an empty x",
            "rule": {"kind": "empty_exit", "parameters": ["x"]},
            "status": "SUCCESS",
        },
    ],
    "outputs": {"y": "exact"},
    "deterministic": True,
    "notes": [{"label": "n1", "text": "The document is silent about NaN."}],
    "untested_cells": [{"cell": "*", "reason": "an API made up for tests"}],
}


def group(name="plain", **changes):
    """A legal group of the tiny API with some keys changed; None removes one."""
    body = {
        "name": name,
        "about": f"group {name} as it stands in a test",
        "arguments": {"x": dict(TENSOR), "factor": {"scalar": 0.5}, "axis": 0, "y": dict(OUT)},
        "expect": "success",
        **changes,
    }
    return {key: value for key, value in body.items() if value is not None}


def with_arguments(name="plain", **arguments):
    """A legal group with some arguments changed."""
    return group(name, arguments={**group()["arguments"], **arguments})


def refusal(status="PARAM_INVALID", phase="workspace"):
    return {"reject": status, "phase": phase}


def tiny_folder(root: Path, contract=CONTRACT) -> Path:
    """``root/demo/tiny`` with a contract in it."""
    folder = root / "demo" / "tiny"
    folder.mkdir(parents=True)
    (folder / "contract.json").write_text(json.dumps(contract, indent=1), encoding="utf-8")
    return folder


def write(folder: Path, *groups, file="numeric.json", **top) -> Path:
    """A case file of these groups; ``top`` adds or replaces keys of the document."""
    document = {"$schema": "../../schemas/cases-1.schema.json", "api": "aclnnTiny", "groups": list(groups), **top}
    path = folder / file
    path.write_text(json.dumps(document, indent=1), encoding="utf-8")
    return path


def case_file(root: Path, *groups, **top) -> CaseFile:
    return load_case_file(write(tiny_folder(root), *groups, **top))


def cases_of(root: Path, *groups, **top):
    return expand(case_file(root, *groups, **top))


def problems_of(root: Path, *groups, **top):
    """What is wrong with a file of these groups, as text."""
    write(folder := tiny_folder(root), *groups, **top)
    return [str(problem) for problem in load_corpus([folder]).problems]


def prelu_group(name="rows", dtype="float32", shape=(4, 2), **changes):
    """A legal call of PReLU backward: two channels, mixed signs, a gradient of ones and twos."""
    tensor = {"dtype": dtype, "shape": list(shape)}
    channels = {"dtype": dtype, "shape": [shape[1]]}
    arguments = {
        "gradOutput": {**tensor, "values": {"cycle": [1, 2, -1]}},
        "self": {**tensor, "values": {"cycle": [-1, 2, -3, 0, 5]}},
        "weight": {**channels, "values": {"cycle": [0.5, 0.25]}},
        "gradInput": dict(tensor),
        "gradWeight": dict(channels),
    }
    body = {"name": name, "about": f"group {name} as it stands in a test", "arguments": arguments, "expect": "success"}
    return {**body, **changes}


def prelu_folder(root: Path) -> Path:
    """``root/activation/prelu_backward`` with the suite's own contract in it."""
    folder = root / "activation" / "prelu_backward"
    folder.mkdir(parents=True)
    shutil.copy(data_root() / "activation" / "prelu_backward" / "contract.json", folder)
    return folder


def prelu_cases(root: Path, *groups):
    path = write(prelu_folder(root), *(groups or [prelu_group()]), api="aclnnPreluBackward")
    return expand(load_case_file(path))


def session(runner=None, product="ascend910b", standard="strict", **rest) -> Session:
    standards = load_standards()
    return Session(
        runner=runner or SimulatorRunner(),
        reference=rest.pop("reference", None) or ReferenceRunner(),
        product=PRODUCTS[product],
        standard=standards[standard],
        standards=standards,
        today=date(2026, 8, 1),
        **rest,
    )


REFUSED = {
    "name": "refused",
    "about": "weight has another element type",
    "like": "rows",
    "arguments": {"weight": {"dtype": "int8"}},
    "expect": refusal(),
}
"""A group that is refused, for a file of PReLU backward with the group ``rows``."""
