"""One input of a call as another suite's file states it: kind, type, shape and span of values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from conformance.dtype import DTYPES, DType
from conformance.foreign.spans import Span
from conformance.layout import Layout

TENSORS = frozenset({"tensor", "tensors", "tensor_tuple"})
SCALARS = frozenset({"scalar", "scalars", "scalar_tuple"})
ATTRIBUTES = frozenset({"attr", "attrs", "attr_tuple"})
UNSEEN = "non_param"
"""Type of an attribute that only an executor script sees: it is no argument of the call."""
_ALIASES = {
    "fp16": "float16",
    "fp32": "float32",
    "fp64": "float64",
    "bf16": "bfloat16",
    "half": "float16",
    "float": "float32",
    "double": "float64",
    "int": "int64",
    "attr_bool": "bool",
    "hif8": "hifloat8",
    "fp8_e5m2": "float8_e5m2",
    "fp8_e4m3fn": "float8_e4m3fn",
}


@dataclass(frozen=True, slots=True)
class Input:
    """One input; ``type`` is one of the words above.

    ``dtype`` is None where the value is no number; ``word`` is the type as written. ``view`` is where a tensor that is
    not dense lies.
    """

    name: str
    type: str
    word: str
    dtype: DType | None
    shape: tuple[int, ...] | None
    span: Span
    required: bool = True
    format: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)
    view: Layout | None = None

    @property
    def is_argument(self) -> bool:
        """Whether the call gets it."""
        return self.word != UNSEEN


Inputs = tuple[Input | tuple[Input, ...], ...]
"""Inputs in the order of the call; a tuple is one argument that is a list."""


def dtype_named(word: str) -> DType:
    """Type of another suite's spelling; KeyError where there is none."""
    name = word.removesuffix("_t")
    return DTYPES[_ALIASES.get(name, name)]
