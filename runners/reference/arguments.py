"""What a formula reads and what it answers, in torch's terms."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import torch

from conformance.call import Argument, Attribute, Call, Scalar
from conformance.dtype import DTYPES, DType, Kind, smallest_normal, smallest_subnormal
from conformance.errors import BrokenReference
from conformance.tensor import Shape, Tensor
from runners.reference.convert import to_float64, to_torch

_FLOAT32_NORMAL = smallest_normal(DTYPES["float32"])


@dataclass(frozen=True, slots=True, eq=False)
class Arguments:
    """Read-only view of a legal call's arguments by parameter name.

    A parameter asked for as what it is not raises TypeError. Tensors are copies: outputs may alias inputs.
    With ``flush`` numbers that are subnormal in float32 are 0.
    """

    call: Call
    flush: bool = False

    def tensor(self, name: str) -> torch.Tensor:
        """Elements of a tensor as float64, of its view shape; raises BrokenReference for complex ones."""
        tensor = self._tensor(name)
        if tensor.dtype.kind is Kind.COMPLEX:
            raise BrokenReference(f"{name}: a formula in real numbers cannot take {tensor.dtype}")
        values = to_float64(tensor.array())
        return torch.where(values.abs() < _FLOAT32_NORMAL, values * 0, values) if self.flush else values

    def exact(self, name: str) -> torch.Tensor:
        """Elements of a tensor as int64 where its type is an integer that fits, else as float64; of its view shape."""
        tensor = self._tensor(name)
        if not tensor.dtype.is_integer or tensor.dtype.name == "uint64":
            return self.tensor(name)
        return torch.from_numpy(tensor.array().astype(np.int64))

    @property
    def has_subnormals(self) -> bool:
        """Whether some tensor that is read holds a number that is subnormal in float32."""
        return any(_is_subnormal(tensor) for _, tensor in self.call.tensors(written=False))

    def native(self, name: str) -> torch.Tensor:
        """Elements of a tensor in its own dtype, of its view shape."""
        return to_torch(self._tensor(name).view())

    def shape(self, name: str) -> Shape:
        """View shape of a tensor."""
        return self._tensor(name).shape

    def dtype(self, name: str) -> DType:
        """Element type of a tensor."""
        return self._tensor(name).dtype

    def number(self, name: str) -> float:
        """Value of an aclScalar or a plain numeric argument."""
        argument = self._argument(name)
        if isinstance(argument, Scalar | Attribute) and isinstance(argument.value, int | float):
            return float(argument.value)
        raise TypeError(f"{name} is not a real number")

    def exact_number(self, name: str) -> int | float:
        """Value of a numeric argument: an int where float64 does not hold it."""
        rounded = self.number(name)
        argument = self._argument(name)
        assert isinstance(argument, Scalar | Attribute)
        value = argument.value
        return int(value) if isinstance(value, int) and value != rounded else rounded

    def integer(self, name: str) -> int:
        """Value of an integer argument."""
        argument = self._argument(name)
        if isinstance(argument, Scalar | Attribute) and isinstance(argument.value, int):
            return int(argument.value)
        raise TypeError(f"{name} is not an integer")

    def text(self, name: str) -> str:
        """Value of a string argument."""
        argument = self._argument(name)
        if isinstance(argument, Attribute) and isinstance(argument.value, str):
            return argument.value
        raise TypeError(f"{name} is not a string")

    def word(self, name: str) -> str:
        """Value of a string argument."""
        argument = self._argument(name)
        if isinstance(argument, Attribute) and isinstance(argument.value, str):
            return argument.value
        raise TypeError(f"{name} is not a string")

    def is_null(self, name: str) -> bool:
        """Whether an optional parameter was passed as null."""
        return self._argument(name) is None

    def _tensor(self, name: str) -> Tensor:
        argument = self._argument(name)
        if isinstance(argument, Tensor):
            return argument
        raise TypeError(f"{name} is not a tensor")

    def _argument(self, name: str) -> Argument:
        return self.call.arguments.get(name)


@dataclass(frozen=True, slots=True, eq=False)
class Random:
    """Which elements of an answer are draws from [low, high], and which may be draws or the answer (bool)."""

    low: float
    high: float
    drawn: torch.Tensor
    either: torch.Tensor


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """A formula's answer for one output in real numbers (float64); fields are those of ``GoldenOutput``.

    Answers that are whole and exact may be int64 instead, which float64 does not hold beyond 2^53.
    For an integer output it is the unrounded real result: delivery derives the admissible integers. ``selects`` says
    that elements are copied or dropped: there is no arithmetic that could flush subnormal operands. ``quantised`` says
    that every answer holds numbers of the output's type already, chosen by the rounding that the document states. With
    ``random`` some elements are random, and ``value`` has draws of our own in their places. ``free`` (bool) marks
    elements of which the document says nothing.
    """

    value: torch.Tensor
    alternatives: tuple[torch.Tensor, ...] = ()
    terms: torch.Tensor | None = None
    term_count: int = 1
    selects: bool = False
    quantised: bool = False
    random: Random | None = None
    free: torch.Tensor | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Follows:
    """An answer that is made from what the call writes into other outputs.

    ``answer`` takes the tensors of ``keeps``, as they were before the call, and then those of ``outputs`` as they are
    after it, all in float64.
    """

    outputs: tuple[str, ...]
    keeps: tuple[torch.Tensor, ...]
    answer: Callable[..., Answer]
    selects: bool = False

    def of(self, written: Mapping[str, torch.Tensor]) -> Answer:
        """The answer, given what was written."""
        return self.answer(*self.keeps, *(written[name] for name in self.outputs))


def _is_subnormal(tensor: Tensor) -> bool:
    """Whether some element is nearer to 0 than float32's normal numbers; types of a narrower range have none."""
    if not tensor.dtype.is_float or smallest_subnormal(tensor.dtype) >= _FLOAT32_NORMAL:
        return False
    size = np.absolute(tensor.array().astype(np.float64))
    return bool(((size > 0) & (size < _FLOAT32_NORMAL)).any())


Answers = Mapping[str, Answer | Follows]
"""Output parameter name → answer."""
Benchmark = Mapping[str, torch.Tensor] | None
"""Output parameter name → result of a same-precision operator; None where torch has none."""
GoldenFunction = Callable[[Arguments], Answers]
BenchmarkFunction = Callable[[Arguments], Benchmark]
