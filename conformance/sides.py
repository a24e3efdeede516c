"""The two sides of a comparison, laid out flat: output and golden as real numbers in row-major order."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from conformance.dtype import DTYPES, DType
from conformance.golden import GoldenOutput
from conformance.tensor import Array

_PARTS = {"complex64": DTYPES["float32"], "complex128": DTYPES["float64"]}


def part_dtype(dtype: DType) -> DType:
    """Dtype of the real numbers that elements consist of: the parts of a complex number, else the dtype itself."""
    return _PARTS.get(dtype.name, dtype)


class Sides(NamedTuple):
    """Flat views; complex numbers lie as real and imaginary part, so that ``parts`` is 2, otherwise 1."""

    output: Array
    golden: Array
    alternatives: tuple[Array, ...]
    terms: Array | None
    term_count: int
    parts: int
    flushing: tuple[Array, ...] = ()

    @property
    def has_one_answer(self) -> bool:
        """Whether the golden is the one admissible answer."""
        return not (self.alternatives or self.flushing)

    @property
    def is_plain(self) -> bool:
        """Whether the golden is the one admissible answer, and nothing else is known of it."""
        return self.has_one_answer and self.terms is None

    def terms_at(self, indices: Array) -> Array:
        """Σ|terms| at flat indices; both parts of a complex number have the same."""
        assert self.terms is not None
        chosen: Array = self.terms[indices if self.parts == 1 else indices // 2]
        return chosen


def lay_out(golden: GoldenOutput, output: Array, wide: bool) -> Sides:
    """Flat sides; ``wide`` goldens become float64 (or complex128). ValueError where shapes differ.

    Contiguous arrays of the documented types are not copied.
    """
    everything = (*golden.admissible, *(() if golden.terms is None else (golden.terms,)))
    for array in everything:
        if array.shape != output.shape:
            raise ValueError(f"golden of shape {array.shape} for an output of shape {output.shape}")
    parts = 2 if output.dtype.kind == "c" else 1
    real = parts if wide else None
    return Sides(
        _flat(output, None),
        _flat(golden.value, real),
        tuple(_flat(alternative, real) for alternative in golden.alternatives),
        None if golden.terms is None else golden.terms.reshape(-1),
        golden.term_count,
        parts,
        tuple(_flat(answer, real) for answer in golden.flushing),
    )


def _flat(array: Array, parts: int | None) -> Array:
    if parts is not None:
        array = array.astype(np.complex128 if parts == 2 else np.float64, copy=False)
    elif array.dtype == np.bool_:
        array = array.view(np.uint8) if array.flags.c_contiguous else array.astype(np.uint8)
    flat: Array = (array if array.flags.c_contiguous else np.ascontiguousarray(array)).reshape(-1)
    return flat.view(flat.real.dtype) if flat.dtype.kind == "c" else flat
