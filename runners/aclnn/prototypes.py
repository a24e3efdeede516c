"""C prototypes: one table for the runtime and the aclnn base, and one rule for the two phases of every API.

C types are spelled as in the headers and turned into ctypes in one place, so that a float stays a 32-bit float and
small integers keep their width. Every pointer but text is an address.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from conformance.signature import Parameter

Function = Callable[..., Any]

_C_TYPES: dict[str, Any] = {
    "void": None,
    "bool": ctypes.c_bool,
    "int8_t": ctypes.c_int8,
    "uint8_t": ctypes.c_uint8,
    "int16_t": ctypes.c_int16,
    "int": ctypes.c_int,
    "int32_t": ctypes.c_int32,
    "uint32_t": ctypes.c_uint32,
    "int64_t": ctypes.c_int64,
    "uint64_t": ctypes.c_uint64,
    "size_t": ctypes.c_size_t,
    "float": ctypes.c_float,
    "double": ctypes.c_double,
    "aclDataType": ctypes.c_int,
    "aclFormat": ctypes.c_int,
}

_TABLE = """
int aclInit(const char*)
int aclFinalize()
const char* aclGetRecentErrMsg()
const char* aclrtGetSocName()
int aclrtGetVersion(int32_t*, int32_t*, int32_t*)
int aclrtSetDevice(int32_t)
int aclrtResetDevice(int32_t)
int aclrtResetDeviceForce(int32_t)
int aclrtCreateStream(void**)
int aclrtDestroyStream(void*)
int aclrtDestroyStreamForce(void*)
int aclrtSynchronizeStreamWithTimeout(void*, int32_t)
int aclrtMalloc(void**, size_t, int)
int aclrtFree(void*)
int aclrtMemcpy(void*, size_t, const void*, size_t, int)
int aclrtCreateEvent(void**)
int aclrtDestroyEvent(void*)
int aclrtRecordEvent(void*, void*)
int aclrtEventElapsedTime(float*, void*, void*)
void* aclCreateTensor(const int64_t*, uint64_t, int, const int64_t*, int64_t, int, const int64_t*, uint64_t, void*)
void* aclCreateScalar(void*, int)
void* aclCreateIntArray(const int64_t*, uint64_t)
void* aclCreateFloatArray(const float*, uint64_t)
void* aclCreateBoolArray(const bool*, uint64_t)
void* aclCreateTensorList(const void*, uint64_t)
int aclDestroyTensor(const void*)
int aclDestroyScalar(const void*)
int aclDestroyIntArray(const void*)
int aclDestroyFloatArray(const void*)
int aclDestroyBoolArray(const void*)
int aclDestroyTensorList(const void*)
int aclSetAclOpExecutorRepeatable(void*)
int aclDestroyAclOpExecutor(void*)
int aclSetInputTensorAddr(void*, size_t, void*, void*)
int aclSetOutputTensorAddr(void*, size_t, void*, void*)
const char* aclnnSimulatorMarker()
"""
MARKER = "aclnnSimulatorMarker"
"""Only a simulated CANN has it; it returns a sentence that says so."""
INPUT_SETTER, OUTPUT_SETTER = "aclSetInputTensorAddr", "aclSetOutputTensorAddr"
"""Tell a repeatable executor where a tensor, counted among the inputs or the outputs, lies now."""
OPTIONAL = frozenset(
    {"aclrtGetVersion", "aclrtResetDeviceForce", "aclrtDestroyStreamForce", INPUT_SETTER, OUTPUT_SETTER, MARKER}
)
"""Functions that some installation lacks or announces to drop; the runner does without."""


class UnknownCType(ValueError):
    """A C type that no argument of a call can be passed as."""


@dataclass(frozen=True, slots=True)
class Prototype:
    """Result and arguments of a C function, as ctypes types; result None is void."""

    result: Any
    arguments: tuple[Any, ...]

    def bind(self, address: int) -> Function:
        """Callable for the function at an address; the interpreter lock is released while it runs."""
        return ctypes.CFUNCTYPE(self.result, *self.arguments)(address)


def c_type(spelled: str) -> Any:
    """The ctypes type of a C type; raises UnknownCType."""
    bare = " ".join(word for word in spelled.replace("*", " * ").split() if word != "const")
    if bare == "char *":
        return ctypes.c_char_p
    if bare.endswith("*"):
        return ctypes.c_void_p
    if bare not in _C_TYPES:
        raise UnknownCType(f"C type {spelled!r} cannot be passed")
    return _C_TYPES[bare]


def _parse(line: str) -> tuple[str, Prototype]:
    head, _, rest = line.partition("(")
    result, _, name = head.rpartition(" ")
    arguments = [part for part in rest.rstrip(")").split(",") if part.strip()]
    return name, Prototype(c_type(result), tuple(map(c_type, arguments)))


PROTOTYPES: dict[str, Prototype] = dict(_parse(line) for line in _TABLE.strip().splitlines())
"""Every function of the runtime and the aclnn base that the runner calls."""

PHASE_2 = Prototype(ctypes.c_int32, tuple(map(c_type, ("void*", "uint64_t", "void*", "void*"))))
"""The same for every API: workspace, its size in bytes, executor, stream."""


def phase_1(parameters: Sequence[Parameter]) -> Prototype:
    """An API's parameters in order, then workspaceSize and executor; raises UnknownCType."""
    types = [c_type(parameter.c_type) for parameter in parameters]
    return Prototype(ctypes.c_int32, (*types, ctypes.c_void_p, ctypes.c_void_p))


def phase_1_name(api: str) -> str:
    """Symbol of phase 1; phase 2's is the API's own name."""
    return f"{api}GetWorkspaceSize"
