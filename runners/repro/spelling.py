"""Values as C++ and Python spell them; bytes and numbers too long for source text go to one attached file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from conformance.call import Scalar
from conformance.signature import ParameterKind
from conformance.tensor import Array
from runners.repro.tolerance import CannotReproduce

INLINE_BYTES = 64 * 1024
_ALIGNMENT = 8
_LINE = 100
_CTYPES = {
    ParameterKind.INT64: "I64",
    ParameterKind.INT32: "ctypes.c_int32",
    ParameterKind.DOUBLE: "ctypes.c_double",
    ParameterKind.FLOAT: "ctypes.c_float",
    ParameterKind.BOOL: "ctypes.c_bool",
    ParameterKind.STRING: "ctypes.c_char_p",
}


class Attachment:
    """Content of the file beside a program."""

    def __init__(self) -> None:
        self.content = bytearray()

    def add(self, data: bytes) -> int:
        """Append ``data``; its offset in bytes, a multiple of 8."""
        self.content += bytes(-len(self.content) % _ALIGNMENT)
        start = len(self.content)
        self.content += data
        return start


def identifier(name: str) -> str:
    """Name of an argument's object in the program; the ending keeps it clear of keywords and the program's names."""
    return f"{name.replace('.', '_')}Arg"


def view(name: str) -> str:
    """Name of the description of a tensor in the program."""
    return f"{name.replace('.', '_')}View"


def memory(name: str) -> str:
    """Name of the memory that a tensor lies in."""
    return f"{name.replace('.', '_')}Memory"


def ctype(kind: ParameterKind) -> str:
    """How ctypes passes a parameter of that kind."""
    return _CTYPES.get(kind, "P")


def wrapped(words: Iterable[str], indent: str = "        ") -> str:
    """Words with commas, in lines of about 100 characters."""
    lines, line = [], ""
    for word in words:
        if len(line) + len(word) + 2 > _LINE:
            lines.append(line.rstrip())
            line = ""
        line += f"{word}, "
    text = f"\n{indent}".join([*lines, line.rstrip(", ")])
    return f"\n{indent}{text}" if lines else text


def literal(values: Array, spell: Sequence[str] = ("nan", "inf", "-inf")) -> str:
    """Doubles as a list of shortest exact decimals."""
    words = {"nan": spell[0], "inf": spell[1], "-inf": spell[2]}
    return wrapped(words.get(repr(float(v)), repr(float(v))) for v in values)


def doubles_bytes(values: Array) -> bytes:
    """Little-endian float64."""
    return np.ascontiguousarray(values, "<f8").tobytes()


def scalar_bytes(scalar: Scalar) -> bytes:
    """What ``aclCreateScalar`` reads; raises CannotReproduce for types without numbers."""
    if scalar.dtype.numpy is None:
        raise CannotReproduce(f"a standalone program cannot write a scalar of {scalar.dtype}")
    return np.array([scalar.value]).astype(scalar.dtype.numpy).tobytes()
