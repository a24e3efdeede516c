"""How an API is called: its ordered parameters. What it promises is in ``contract``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from functools import cache


class ParameterKind(Enum):
    """What a parameter is in the C prototype."""

    TENSOR = "tensor"
    TENSOR_LIST = "tensor_list"
    SCALAR = "scalar"
    INT64 = "int64"
    INT32 = "int32"
    DOUBLE = "double"
    FLOAT = "float"
    BOOL = "bool"
    STRING = "string"
    INT_ARRAY = "int_array"
    FLOAT_ARRAY = "float_array"
    BOOL_ARRAY = "bool_array"


POINTER_KINDS = frozenset(
    {
        ParameterKind.TENSOR,
        ParameterKind.TENSOR_LIST,
        ParameterKind.SCALAR,
        ParameterKind.STRING,
        ParameterKind.INT_ARRAY,
        ParameterKind.FLOAT_ARRAY,
        ParameterKind.BOOL_ARRAY,
    }
)
OUT_POINTERS = ("workspaceSize", "executor")
"""Phase 1's own results: every API has them after its parameters, and a case may pass null for either."""


class Role(Enum):
    """Whether the implementation reads a parameter, writes it, or both."""

    INPUT = "input"
    OUTPUT = "output"
    INOUT = "inout"


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of phase 1, in prototype order; ``c_type`` is spelled as in the header."""

    name: str
    kind: ParameterKind
    role: Role
    c_type: str
    optional: bool = False

    def __hash__(self) -> int:
        """By the name alone, which is quicker than by all fields."""
        return hash(self.name)

    @property
    def is_pointer(self) -> bool:
        """Whether null can be passed for it."""
        return self.kind in POINTER_KINDS

    @property
    def is_written(self) -> bool:
        """Whether the implementation writes it."""
        return self.role is not Role.INPUT


@cache
def snake_name(api: str) -> str:
    """File and id word of an API: ``aclnnPreluBackward`` → ``prelu_backward``."""
    bare = api.removeprefix("aclnn")
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", bare).lower()
