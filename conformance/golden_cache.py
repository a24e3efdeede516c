"""A reference that answers each call once: for running many implementations over the same cases."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from typing import Generic, TypeVar

from conformance.call import Argument, Call
from conformance.golden import Following, Golden
from conformance.outcome import Unsupported
from conformance.runner import Reference, RunnerInfo
from conformance.tensor import Array, Tensor

T = TypeVar("T")
DEFAULT_LIMIT = 256 << 20
"""Bytes of goldens that are kept, and of benchmarks."""


class CachedReference:
    """Answers of another reference, kept by what the call says: API, product, arguments, the bytes of its inputs.

    One case of one product and seed is one key, whoever asks. The answer unused for longest goes first when
    ``limit_bytes`` is passed; one larger than that is not kept. Answers are shared: whoever reads them must not
    write them. Exceptions are not kept. With ``benchmarks`` False no benchmark is asked for, which standards that
    compare with none do not miss.
    """

    def __init__(self, reference: Reference, limit_bytes: int = DEFAULT_LIMIT, *, benchmarks: bool = True) -> None:
        self._reference = reference
        self._benchmarks = benchmarks
        self._goldens = _Kept[Golden | Unsupported](limit_bytes)
        self._results = _Kept[Mapping[str, Array] | None](limit_bytes)

    @property
    def hits(self) -> int:
        """How often an answer was at hand."""
        return self._goldens.hits + self._results.hits

    def describe(self) -> RunnerInfo:
        """What the reference behind says of itself."""
        return self._reference.describe()

    def golden(self, call: Call) -> Golden | Unsupported:
        """The golden, computed at the first asking."""
        return self._goldens.get(digest_of(call), lambda: self._reference.golden(call), golden_bytes)

    def benchmark(self, call: Call) -> Mapping[str, Array] | None:
        """The benchmark, computed at the first asking."""
        if not self._benchmarks:
            return None
        return self._results.get(digest_of(call), lambda: self._reference.benchmark(call), benchmark_bytes)


class _Kept(Generic[T]):
    """Answers by key, the one unused for longest first, of so many bytes together."""

    def __init__(self, limit_bytes: int) -> None:
        self._limit = limit_bytes
        self._size = self.hits = 0
        self._answers: OrderedDict[bytes, tuple[T, int]] = OrderedDict()

    def get(self, key: bytes, make: Callable[[], T], size_of: Callable[[T], int]) -> T:
        """The answer of that key, made and kept when there is none."""
        if key in self._answers:
            self.hits += 1
            self._answers.move_to_end(key)
            return self._answers[key][0]
        answer = make()
        self._answers[key] = answer, size_of(answer)
        self._size += size_of(answer)
        while self._size > self._limit:
            _, (_, nbytes) = self._answers.popitem(last=False)
            self._size -= nbytes
        return answer


def golden_bytes(golden: Golden | Unsupported) -> int:
    """Bytes of the arrays that a golden holds."""
    if isinstance(golden, Unsupported):
        return 0
    values = [one for one in golden.values() if not isinstance(one, Following)]
    arrays = (a for one in values for a in (*one.admissible, one.terms) if a is not None)
    kept = sum(one.nbytes for one in golden.values() if isinstance(one, Following))
    return kept + sum(array.nbytes for array in arrays)


def benchmark_bytes(benchmark: Mapping[str, Array] | None) -> int:
    """Bytes of a benchmark's arrays."""
    return sum(array.nbytes for array in (benchmark or {}).values())


def digest_of(call: Call) -> bytes:
    """Hash of everything a reference may read of a call: names, shapes, dtypes, scalars and the inputs' elements."""
    digest = hashlib.blake2b(f"{call.api} {call.product.name}".encode(), digest_size=16)
    for parameter in call.parameters:
        digest.update(f"|{parameter.name}".encode())
        for part in _parts(call.arguments.get(parameter.name), parameter.role.value != "output"):
            digest.update(part)
    return digest.digest()


def _parts(argument: Argument, is_read: bool) -> Iterator[bytes]:
    if isinstance(argument, tuple):
        for member in argument:
            yield from _parts(member, is_read)
    elif not isinstance(argument, Tensor):
        yield repr(argument).encode()
    else:
        yield f"{argument.dtype.name} {argument.shape}".encode()
        if is_read:
            yield argument.view_bytes().tobytes()
