"""How a C++ program spells storages, arguments and answers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from conformance.call import Attribute, Scalar
from conformance.dtype import DType
from conformance.signature import OUT_POINTERS, ParameterKind
from conformance.tensor import Array
from runners.repro.recipe import Given, Making, Storage
from runners.repro.spelling import (
    INLINE_BYTES,
    Attachment,
    doubles_bytes,
    identifier,
    literal,
    scalar_bytes,
    view,
    wrapped,
)
from runners.repro.tolerance import Answer

_LAST_OLD_DTYPE = 27
"""Greatest ``aclDataType`` number that every CANN has an enumerator for."""
_ARRAYS = {
    ParameterKind.INT_ARRAY: ("aclIntArray", "int64_t"),
    ParameterKind.FLOAT_ARRAY: ("aclFloatArray", "float"),
    ParameterKind.BOOL_ARRAY: ("aclBoolArray", "bool"),
}


class Cpp:
    """Spells values; what is too long for source text goes to ``attachment``."""

    def __init__(self, attachment: Attachment) -> None:
        self._attachment = attachment

    def storage(self, storage: Storage) -> str:
        """Expression of a ``std::vector<uint8_t>`` with the payload."""
        if not storage.data:
            return f"std::vector<uint8_t>({storage.size}, {storage.fill:#04x})"
        if storage.size > INLINE_BYTES:
            return f"attached(data, {self._attachment.add(storage.data)}, {storage.size})"
        return f"std::vector<uint8_t>{{{wrapped(f'{byte:#04x}' for byte in storage.data)}}}"

    def extents(self, values: Iterable[int]) -> str:
        """Braced list of integers."""
        return f"{{{', '.join(map(str, values))}}}"

    def dtype(self, dtype: DType) -> str:
        """Enumerator where every CANN has it, otherwise the number."""
        if dtype.acl > _LAST_OLD_DTYPE:
            return f"static_cast<aclDataType>({dtype.acl})"
        named = {"float32": "ACL_FLOAT", "float64": "ACL_DOUBLE", "bfloat16": "ACL_BF16"}
        return named.get(dtype.name, f"ACL_{dtype.name.upper()}")

    def string(self, text: str) -> str:
        """Literal of the text's UTF-8 bytes; other than plain characters are octal."""
        plain = (chr(b) if 32 <= b < 127 and chr(b) not in '"\\?' else f"\\{b:03o}" for b in text.encode("utf-8"))
        return f'"{"".join(plain)}"'

    def create(self, given: Given) -> list[str]:
        """Statements that make the object of an argument; none for null pointers and plain arguments."""
        name, argument = identifier(given.parameter.name), given.argument
        if isinstance(argument, Scalar):
            listed = ", ".join(f"{byte:#04x}" for byte in scalar_bytes(argument))
            return [
                f"uint8_t {name}Bytes[] = {{{listed}}};  // {argument.value} {argument.dtype}",
                f"aclScalar *{name} = aclCreateScalar({name}Bytes, {self.dtype(argument.dtype)});",
            ]
        if isinstance(argument, Attribute) and argument.kind in _ARRAYS and isinstance(argument.value, tuple):
            made, element = _ARRAYS[argument.kind]
            listed = ", ".join(_number(value, argument.kind) for value in argument.value)
            count = len(argument.value)
            return [
                f"{element} {name}Values[] = {{{listed or 0}}};",
                f"{made} *{name} = aclCreate{made[3:]}({name}Values, {count});",
            ]
        return [*self._tensors(given), *self._list(given)]

    def _tensors(self, given: Given) -> list[str]:
        names = [named.name for named in given.tensors if named is not None]
        return [f"aclTensor *{identifier(name)} = create({view(name)});" for name in names]

    def _list(self, given: Given) -> list[str]:
        if not isinstance(given.argument, tuple):
            return []
        name = identifier(given.parameter.name)
        members = ", ".join("nullptr" if named is None else identifier(named.name) for named in given.tensors)
        return [
            f"const aclTensor *{name}Members[] = {{{members or 'nullptr'}}};",
            f"aclTensorList *{name} = aclCreateTensorList({name}Members, {len(given.tensors)});",
        ]

    def destroy(self, given: Given) -> list[str]:
        """Statements that release what ``create`` made; a list releases its members."""
        name, argument = identifier(given.parameter.name), given.argument
        if isinstance(argument, Scalar):
            return [f"aclDestroyScalar({name});"]
        if isinstance(argument, Attribute):
            return [f"aclDestroy{_ARRAYS[argument.kind][0][3:]}({name});"] if argument.kind in _ARRAYS else []
        if isinstance(argument, tuple):
            return [f"aclDestroyTensorList({name});"]
        return [] if argument is None else [f"aclDestroyTensor({name});"]

    def arguments(self, making: Making, nulls: frozenset[str]) -> str:
        """Arguments of phase 1, out pointers included."""
        words = [self._argument(given, nulls) for given in making.arguments]
        words += ["nullptr" if pointer in nulls else f"&{pointer}" for pointer in OUT_POINTERS]
        return ", ".join(words)

    def _argument(self, given: Given, nulls: frozenset[str]) -> str:
        argument, name = given.argument, given.parameter.name
        if argument is None or name in nulls:
            return "nullptr"
        if isinstance(argument, Attribute) and argument.kind not in _ARRAYS:
            if isinstance(argument.value, str):
                return f"const_cast<char *>({self.string(argument.value)})"
            assert not isinstance(argument.value, tuple)
            return _number(argument.value, argument.kind)
        return identifier(name)

    def answers(self, answers: Sequence[Answer]) -> str:
        """Braced list of ``Answer``."""
        spelled = (f"Answer{{{self._doubles(a.values)}, {self._doubles(a.allowed)}}}" for a in answers)
        return f"{{{', '.join(spelled)}}}"

    def _doubles(self, values: Array) -> str:
        if values.nbytes > INLINE_BYTES:
            start = self._attachment.add(doubles_bytes(values))
            return f"attached_doubles(data, {start}, {values.size})"
        return f"{{{literal(values, ('NAN', 'INFINITY', '-INFINITY'))}}}"


def _number(value: float, kind: ParameterKind) -> str:
    if kind in (ParameterKind.BOOL, ParameterKind.BOOL_ARRAY):
        return "true" if value else "false"
    if kind in (ParameterKind.INT64, ParameterKind.INT32, ParameterKind.INT_ARRAY):
        # The smallest int64_t has no literal.
        return f"(-INT64_C({-(int(value) + 1)}) - 1)" if value == -(2**63) else f"INT64_C({value})"
    if math.isnan(value):
        return "NAN"
    text = repr(float(value)) if math.isfinite(value) else ("INFINITY" if value > 0 else "-INFINITY")
    return f"static_cast<float>({text})" if kind in (ParameterKind.FLOAT, ParameterKind.FLOAT_ARRAY) else text
