"""The one table of element types: ACL enum number, width, kind, rounding step and the word used in ids.

Numbers are those of ``aclDataType`` (see docs/provenance.md). Types that numpy and ml_dtypes cannot hold have no
``numpy`` entry. Those with a code table are held as codes and worked with as float32; the rest can be named, passed
and refused, but not filled with values.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any

import ml_dtypes
import numpy as np

from conformance.coded import CodeTable, code_table
from conformance.dtype_words import WORDS


class Kind(Enum):
    """What arithmetic an element type stands for."""

    FLOAT = "float"
    INTEGER = "integer"
    UNSIGNED = "unsigned"
    BOOL = "bool"
    COMPLEX = "complex"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class DType:
    """One element type.

    ``bits`` is the width of an element, ``mantissa`` the number of stored fraction bits (0 where meaningless).
    """

    name: str
    word: str
    acl: int
    bits: int
    kind: Kind
    numpy: np.dtype[Any] | None
    mantissa: int = 0

    @property
    def itemsize(self) -> int:
        """Bytes an element takes in memory, rounded up to whole bytes."""
        return (self.bits + 7) // 8

    @property
    def codes(self) -> CodeTable | None:
        """Numbers by code, of a type that is stored as codes; None for all others."""
        return code_table(self.name)

    @property
    def carrier(self) -> np.dtype[Any] | None:
        """Numpy type that arrays of such numbers have: its own, float32 for codes; None where they cannot be held."""
        return _FLOAT32 if self.codes is not None else self.numpy

    @property
    def is_float(self) -> bool:
        """Whether elements are real floating-point numbers."""
        return self.kind is Kind.FLOAT

    @property
    def is_integer(self) -> bool:
        """Whether elements are signed or unsigned integers."""
        return self.kind in (Kind.INTEGER, Kind.UNSIGNED)

    @property
    def unit(self) -> float:
        """Unit roundoff u = 2^-(mantissa+1): the largest relative error of one correct rounding."""
        return 2.0 ** -(self.mantissa + 1)

    def __str__(self) -> str:
        return self.name

    def __hash__(self) -> int:
        """By the name alone, which is quicker than by all fields: names are unique."""
        return hash(self.name)

    def __reduce__(self) -> tuple[Any, ...]:
        """The row of the table in another process too, by its name."""
        return (_row, (self.name,))


def _row(name: str) -> DType:
    return DTYPES[name]


_FLOAT32: np.dtype[Any] = np.dtype(np.float32)


def _rows() -> list[DType]:
    def np_(name: object) -> np.dtype[Any]:
        return np.dtype(name)  # type: ignore[call-overload, no-any-return]

    def row(name: str, *rest: Any) -> DType:
        return DType(name, WORDS[name], *rest)

    f, i, u, c, o = Kind.FLOAT, Kind.INTEGER, Kind.UNSIGNED, Kind.COMPLEX, Kind.OTHER
    return [
        row("float32", 0, 32, f, np_("float32"), 23),
        row("float16", 1, 16, f, np_("float16"), 10),
        row("int8", 2, 8, i, np_("int8")),
        row("int32", 3, 32, i, np_("int32")),
        row("uint8", 4, 8, u, np_("uint8")),
        row("int16", 6, 16, i, np_("int16")),
        row("uint16", 7, 16, u, np_("uint16")),
        row("uint32", 8, 32, u, np_("uint32")),
        row("int64", 9, 64, i, np_("int64")),
        row("uint64", 10, 64, u, np_("uint64")),
        row("float64", 11, 64, f, np_("float64"), 52),
        row("bool", 12, 8, Kind.BOOL, np_("bool")),
        row("complex64", 16, 64, c, np_("complex64"), 23),
        row("complex128", 17, 128, c, np_("complex128"), 52),
        row("bfloat16", 27, 16, f, np_(ml_dtypes.bfloat16), 7),
        row("int4", 29, 4, o, None),
        row("complex32", 33, 32, o, None),
        row("hifloat8", 34, 8, f, None, 1),
        row("float8_e5m2", 35, 8, f, np_(ml_dtypes.float8_e5m2), 2),
        row("float8_e4m3fn", 36, 8, f, np_(ml_dtypes.float8_e4m3fn), 3),
        row("float8_e8m0", 37, 8, f, None),
        row("float4_e2m1", 40, 4, f, None, 1),
        row("float4_e1m2", 41, 4, f, None, 2),
    ]


DTYPES: dict[str, DType] = {row.name: row for row in _rows()}
BY_ACL: dict[int, DType] = {row.acl: row for row in DTYPES.values()}
BY_NUMPY: dict[np.dtype[Any], DType] = {row.numpy: row for row in DTYPES.values() if row.numpy is not None}


def smallest_subnormal(dtype: DType) -> float:
    """Smallest positive number of a floating-point type."""
    if dtype.codes is not None:
        return dtype.codes.smallest
    return float(_finfo(_numpy(dtype)).smallest_subnormal)


def smallest_normal(dtype: DType) -> float:
    """Smallest positive normal number of a floating-point type; anything nearer to 0 may be flushed."""
    if dtype.codes is not None:
        return dtype.codes.smallest_normal
    return float(_finfo(_numpy(dtype)).smallest_normal)


def largest(dtype: DType) -> float:
    """Largest finite number of a floating-point type."""
    if dtype.codes is not None:
        return dtype.codes.largest
    return float(_finfo(_numpy(dtype)).max)


_finfo: Any = ml_dtypes.finfo  # covers numpy's own float types too; it carries no annotations


def _numpy(dtype: DType) -> np.dtype[Any]:
    if dtype.numpy is None:
        raise ValueError(f"{dtype.name} has no numpy representation")
    return dtype.numpy
