"""The C prototype of phase 1, as headers and documents print it → API name and parameters."""

from __future__ import annotations

import re

from conformance.errors import ConformanceError
from conformance.signature import OUT_POINTERS, Parameter, ParameterKind, Role

_KINDS = {
    "aclTensor*": ParameterKind.TENSOR,
    "aclTensorList*": ParameterKind.TENSOR_LIST,
    "aclScalar*": ParameterKind.SCALAR,
    "aclIntArray*": ParameterKind.INT_ARRAY,
    "aclFloatArray*": ParameterKind.FLOAT_ARRAY,
    "aclBoolArray*": ParameterKind.BOOL_ARRAY,
    "char*": ParameterKind.STRING,
    "int64_t": ParameterKind.INT64,
    "int32_t": ParameterKind.INT32,
    "int": ParameterKind.INT32,
    "double": ParameterKind.DOUBLE,
    "float": ParameterKind.FLOAT,
    "bool": ParameterKind.BOOL,
}
_WRITABLE = (ParameterKind.TENSOR, ParameterKind.TENSOR_LIST)
_PROTOTYPE = re.compile(r"(?:\w+\s+)?(aclnn\w+?)GetWorkspaceSize\s*\((.*)\)\s*;?\s*", re.DOTALL)
_PARAMETER = re.compile(r"(.*?[\s*&])([A-Za-z_]\w*)", re.DOTALL)


class InvalidPrototype(ConformanceError):
    """Text that is no prototype of a phase 1."""


def parse_prototype(text: str) -> tuple[str, tuple[Parameter, ...]]:
    """API and parameters, ``workspaceSize`` and ``executor`` left out; raises InvalidPrototype.

    A tensor that is not const is an output, or read as well where its name ends in Ref; a name that ends in Optional
    may be null.
    """
    found = _PROTOTYPE.fullmatch(text.strip())
    if found is None:
        raise InvalidPrototype(f"{text!r} does not read aclnn…GetWorkspaceSize(…)")
    written = [part.strip() for part in found[2].split(",") if part.strip()]
    parameters = tuple(parameter for part in written if (parameter := _parameter(part)) is not None)
    if not any(parameter.is_written for parameter in parameters):
        raise InvalidPrototype(f"{found[1]} has no output: no tensor of it is without const")
    return found[1], parameters


def _parameter(text: str) -> Parameter | None:
    """One parameter; None for the results of phase 1."""
    found = _PARAMETER.fullmatch(text)
    if found is None:
        raise InvalidPrototype(f"{text!r} is no parameter: a type and a name")
    c_type, name = re.sub(r"\s*\*", "*", " ".join(found[1].split())), found[2]
    if name in OUT_POINTERS:
        return None
    kind = _KINDS.get(c_type.removeprefix("const "))
    if kind is None:
        raise InvalidPrototype(f"{name} has type {c_type!r}; types are {', '.join(_KINDS)}")
    is_input = kind not in _WRITABLE or c_type.startswith("const ")
    role = Role.INPUT if is_input else Role.INOUT if name.endswith("Ref") else Role.OUTPUT
    return Parameter(name, kind, role, c_type, optional=name.endswith("Optional"))
