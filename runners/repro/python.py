"""How a Python program with ctypes spells storages, arguments and answers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from conformance.call import Attribute, Scalar
from conformance.dtype import DType
from conformance.signature import OUT_POINTERS, ParameterKind
from conformance.tensor import Array
from runners.repro.recipe import Given, Making, Storage
from runners.repro.spelling import INLINE_BYTES, Attachment, doubles_bytes, identifier, literal, scalar_bytes, view
from runners.repro.tolerance import Answer

_ARRAYS = {
    ParameterKind.INT_ARRAY: ("IntArray", "I64"),
    ParameterKind.FLOAT_ARRAY: ("FloatArray", "ctypes.c_float"),
    ParameterKind.BOOL_ARRAY: ("BoolArray", "ctypes.c_bool"),
}
_OUT_NAMES = {"workspaceSize": "workspace_size", "executor": "executor"}
_HEX_LINE = 96


class Python:
    """Spells values; what is too long for source text goes to ``attachment``."""

    def __init__(self, attachment: Attachment) -> None:
        self._attachment = attachment

    def storage(self, storage: Storage) -> str:
        """Expression of ``bytes`` with the payload."""
        if not storage.data:
            return f"bytes([{storage.fill:#04x}]) * {storage.size}"
        if storage.size > INLINE_BYTES:
            start = self._attachment.add(storage.data)
            return f"ATTACHED[{start} : {start + storage.size}]"
        text = storage.data.hex()
        lines = [text[at : at + _HEX_LINE] for at in range(0, len(text), _HEX_LINE)]
        return "bytes.fromhex(" + "\n    ".join(["", *(f'"{line}"' for line in lines)]) + "\n)"

    def extents(self, values: Iterable[int]) -> str:
        """List of integers."""
        return str(list(values))

    def dtype(self, dtype: DType) -> str:
        """Its ``aclDataType`` number."""
        return str(dtype.acl)

    def string(self, text: str) -> str:
        """Literal."""
        return repr(text)

    def create(self, given: Given) -> list[str]:
        """Statements that make the object of an argument; none for null pointers and plain arguments."""
        name, argument = identifier(given.parameter.name), given.argument
        if isinstance(argument, Scalar):
            return [
                f"# {argument.value} {argument.dtype}",
                f'{name} = function("aclCreateScalar", P, ctypes.c_char_p, INT)'
                f"({scalar_bytes(argument)!r}, {argument.dtype.acl})",
            ]
        if isinstance(argument, Attribute) and argument.kind in _ARRAYS and isinstance(argument.value, tuple):
            made, element = _ARRAYS[argument.kind]
            values, count = [_number(value) for value in argument.value], len(argument.value)
            return [
                f'{name} = function("aclCreate{made}", P, P, U64)(({element} * {count})({", ".join(values)}), {count})'
            ]
        names = [named.name for named in given.tensors if named is not None]
        return [*(f"{identifier(name)} = {view(name)}.tensor" for name in names), *self._list(given)]

    def _list(self, given: Given) -> list[str]:
        if not isinstance(given.argument, tuple):
            return []
        members = ", ".join("None" if named is None else identifier(named.name) for named in given.tensors)
        count = len(given.tensors)
        made = f'function("aclCreateTensorList", P, P, U64)((P * {count})({members}), {count})'
        return [f"{identifier(given.parameter.name)} = {made}"]

    def destroy(self, given: Given) -> list[str]:
        """Statements that release what ``create`` made; a list releases its members."""
        argument = given.argument
        if argument is None or (isinstance(argument, Attribute) and argument.kind not in _ARRAYS):
            return []
        if isinstance(argument, Attribute):
            made = _ARRAYS[argument.kind][0]
        else:
            made = {Scalar: "Scalar", tuple: "TensorList"}.get(type(argument), "Tensor")
        return [f'function("aclDestroy{made}", INT, P)({identifier(given.parameter.name)})']

    def arguments(self, making: Making, nulls: frozenset[str]) -> str:
        """Arguments of phase 1, out pointers included."""
        words = [self._argument(given, nulls) for given in making.arguments]
        words += ["None" if p in nulls else f"ctypes.byref({_OUT_NAMES[p]})" for p in OUT_POINTERS]
        return ", ".join(words)

    def _argument(self, given: Given, nulls: frozenset[str]) -> str:
        argument, name = given.argument, given.parameter.name
        if argument is None or name in nulls:
            return "None"
        if isinstance(argument, Attribute) and argument.kind not in _ARRAYS:
            value = argument.value
            return repr(value.encode("utf-8")) if isinstance(value, str) else _number(value)
        return identifier(name)

    def answers(self, answers: Sequence[Answer]) -> str:
        """List of pairs: values, allowed differences."""
        return f"[{', '.join(f'({self._doubles(a.values)}, {self._doubles(a.allowed)})' for a in answers)}]"

    def _doubles(self, values: Array) -> str:
        if values.nbytes > INLINE_BYTES:
            return f"attached_doubles({self._attachment.add(doubles_bytes(values))}, {values.size})"
        return f"[{literal(values)}]"


def _number(value: object) -> str:
    return repr(value)
