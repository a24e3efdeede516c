"""Making the data of a case: guarded memory, rounding and all, against numpy making the same bytes alone."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from msgspec import structs

from benchmarks.clocks import seconds
from benchmarks.target import Contest, Figure, Setting, Target
from conformance.case import Case, TensorSpec, ValueSpec
from conformance.corpus import load_corpus
from conformance.data import data_root
from conformance.dtype import DTYPES, DType
from conformance.generate import make_call
from conformance.product import PRODUCTS
from conformance.tensor import FILL_BYTE

_LARGE = 10_000_000
_API = "gelu"


def case_of(dtype: DType, count: int, values: ValueSpec) -> Case:
    """A case of one input and one output of so many elements, its input filled in that way."""
    case = next(iter(load_corpus([data_root() / "activation" / _API]).cases))
    made = TensorSpec(dtype, (count,), (1,), 0, (count,))
    return structs.replace(
        case, arguments={"self": structs.replace(made, values=values), "out": made}, nulls=frozenset()
    )


def _beside_numpy(name: str, kind: str, argument: tuple[float, float], setting: Setting) -> Contest:
    dtype, count = DTYPES[name], setting.size(_LARGE)
    case = case_of(dtype, count, ValueSpec(kind, list(argument)))
    ours = partial(make_call, case, PRODUCTS["ascend910b"])
    return Contest(seconds(ours), seconds(partial(_by_numpy, dtype, count, kind, argument)))


def _by_numpy(dtype: DType, count: int, kind: str, argument: tuple[float, float]) -> tuple[Any, Any]:
    random = np.random.Generator(np.random.PCG64(0))
    return (
        getattr(random, kind)(*argument, count).astype(dtype.numpy),
        np.full(count * dtype.itemsize, FILL_BYTE, np.uint8),
    )


def _target(name: str, kind: str, argument: tuple[float, float]) -> Target:
    return Target(
        f"generation.{kind}.{DTYPES[name].word}",
        f"data of a case of 10^7 {name} elements, {kind}, as fast as numpy alone makes the same bytes",
        Figure.SPEEDUP,
        floor=0.8,
        aim=1.0,
        prepare=partial(_beside_numpy, name, kind, argument),
    )


TARGETS = (
    *(_target(name, "uniform", (-2.0, 2.0)) for name in ("float32", "float16", "bfloat16")),
    _target("float32", "normal", (0.0, 1.0)),
)
