"""Operators as graphs see them: inference of output shapes and dtypes, and when a fusion pass rewrites one.

The facts are data (``graph.json``); here are the few rules that the data names.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from conformance.dtype import DTYPES, DType
from conformance.tensor import Format, Shape

FACTS = Path(__file__).with_name("graph.json")


@dataclass(frozen=True, slots=True)
class Operand:
    """A tensor in a graph: shape, dtype and storage format."""

    shape: Shape
    dtype: DType
    format: Format = Format.ND


@dataclass(frozen=True, slots=True)
class OutputRules:
    """How an output follows from the inputs: rule name and the input it looks at, for shape and dtype."""

    shape_rule: str
    shape_input: str
    dtype_rule: str
    dtype_input: str


@dataclass(frozen=True, slots=True)
class Operator:
    """An operator's definition: required inputs in order, outputs, attribute defaults, registered SoCs."""

    name: str
    inputs: tuple[str, ...]
    outputs: Mapping[str, OutputRules]
    attributes: Mapping[str, float]
    dtypes: frozenset[str]
    formats: frozenset[str]
    socs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Fusion:
    """A pass that replaces one operator by others where its conditions hold."""

    name: str
    pattern: str
    replacement: tuple[str, ...]
    socs: frozenset[str]
    formats: frozenset[str]
    dtypes: frozenset[str]
    same_dtype: tuple[str, ...]
    rank: Mapping[str, tuple[int, int]]
    weight: str
    weight_of: str
    weight_forms: tuple[str, ...]


@cache
def operators() -> Mapping[str, Operator]:
    """Operators by name."""
    return {name: _operator(name, body) for name, body in _facts()["operators"].items()}


@cache
def fusions() -> Mapping[str, Fusion]:
    """Fusion passes by name."""
    return {name: _fusion(name, body) for name, body in _facts()["fusions"].items()}


def infer_shapes(operator: Operator, inputs: Mapping[str, Operand]) -> dict[str, Shape]:
    """Output name → shape; raises KeyError when a needed input is absent."""
    return {name: SHAPE_RULES[rules.shape_rule](inputs[rules.shape_input]) for name, rules in operator.outputs.items()}


def infer_dtypes(operator: Operator, inputs: Mapping[str, Operand]) -> dict[str, DType]:
    """Output name → dtype; raises KeyError when a needed input is absent."""
    return {name: DTYPE_RULES[rules.dtype_rule](inputs[rules.dtype_input]) for name, rules in operator.outputs.items()}


def fusion_applies(fusion: Fusion, inputs: Mapping[str, Operand], soc: str) -> str | None:
    """None when the pass rewrites an operator of these inputs on ``soc``; else the first condition missed."""
    if soc not in fusion.socs:
        return f"{soc} is not among {', '.join(sorted(fusion.socs))}"
    return _dtypes_fit(fusion, inputs) or _formats_fit(fusion, inputs) or _shapes_fit(fusion, inputs)


def _dtypes_fit(fusion: Fusion, inputs: Mapping[str, Operand]) -> str | None:
    words = [inputs[name].dtype.name for name in fusion.same_dtype]
    if len(set(words)) > 1:
        return f"dtypes of {', '.join(fusion.same_dtype)} differ: {', '.join(words)}"
    return None if words[0] in fusion.dtypes else f"dtype {words[0]} is not supported"


def _formats_fit(fusion: Fusion, inputs: Mapping[str, Operand]) -> str | None:
    for name, operand in inputs.items():
        if operand.format.name not in fusion.formats:
            return f"{name} has format {operand.format.name}"
    return None


def _shapes_fit(fusion: Fusion, inputs: Mapping[str, Operand]) -> str | None:
    for name, (low, high) in fusion.rank.items():
        rank = len(inputs[name].shape)
        if not low <= rank <= high:
            return f"{name} has rank {rank}, not {low} to {high}"
    weight, of = inputs[fusion.weight].shape, inputs[fusion.weight_of].shape
    if any(WEIGHT_FORMS[form](weight, of) for form in fusion.weight_forms):
        return None
    return f"{fusion.weight} of shape {list(weight)} does not fit {fusion.weight_of} of shape {list(of)}"


SHAPE_RULES: dict[str, Callable[[Operand], Shape]] = {"same_as": lambda operand: operand.shape}
DTYPE_RULES: dict[str, Callable[[Operand], DType]] = {"same_as": lambda operand: operand.dtype}
WEIGHT_FORMS: dict[str, Callable[[Shape, Shape], bool]] = {
    "scalar": lambda weight, of: weight == (),
    "one_element": lambda weight, of: weight == (1,),
    "channels": lambda weight, of: weight == of[1:2],
    "channels_trailing_ones": lambda weight, of: weight == of[1:2] + (1,) * (len(of) - 2),
}
"""Weight shape, shape of the tensor it scales → whether the weight has that form; channels are axis 1."""


@cache
def _facts() -> Mapping[str, Any]:
    facts: Mapping[str, Any] = json.loads(FACTS.read_text(encoding="utf-8"))
    return facts


def _operator(name: str, body: Mapping[str, Any]) -> Operator:
    outputs = {
        output: OutputRules(
            rules["shape"]["rule"], rules["shape"]["input"], rules["dtype"]["rule"], rules["dtype"]["input"]
        )
        for output, rules in body["outputs"].items()
    }
    unknown = set(body["dtypes"]) - DTYPES.keys()
    if unknown:
        raise ValueError(f"{name}: unknown dtypes {', '.join(sorted(unknown))}")
    return Operator(
        name,
        tuple(body["inputs"]),
        outputs,
        body["attributes"],
        frozenset(body["dtypes"]),
        frozenset(body["formats"]),
        tuple(body["socs"]),
    )


def _fusion(name: str, body: Mapping[str, Any]) -> Fusion:
    channel = body["channel_weight"]
    return Fusion(
        name,
        body["pattern"],
        tuple(body["replacement"]),
        frozenset(body["socs"]),
        frozenset(body["formats"]),
        frozenset(body["dtypes"]),
        tuple(body["same_dtype"]),
        {operand: (low, high) for operand, (low, high) in body["rank"].items()},
        channel["input"],
        channel["of"],
        tuple(channel["forms"]),
    )
