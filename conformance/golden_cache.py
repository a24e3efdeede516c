"""A reference that answers each call once: for running many implementations over the same cases."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from conformance.call import Argument, Call
from conformance.golden import Golden
from conformance.outcome import Unsupported
from conformance.runner import Reference, RunnerInfo
from conformance.tensor import Array, Tensor

DEFAULT_LIMIT = 256 << 20
"""Bytes of goldens and benchmarks that are kept."""


@dataclass(frozen=True, slots=True)
class _Entry:
    """An answer and the bytes of its arrays."""

    answer: Golden | Mapping[str, Array] | Unsupported | None
    nbytes: int


class CachedReference:
    """Answers of another reference, kept by what the call says: API, product, arguments, the bytes of its inputs.

    One case of one product and seed is one key, whoever asks. The entry unused for longest goes first when
    ``limit_bytes`` is passed; an answer larger than that is not kept. Answers are shared: whoever reads them must
    not write them. Exceptions are not kept. With ``benchmarks`` False no benchmark is asked for: standards that do
    not compare with one are judged in half the time.
    """

    def __init__(self, reference: Reference, limit_bytes: int = DEFAULT_LIMIT, *, benchmarks: bool = True) -> None:
        self._reference = reference
        self._limit = limit_bytes
        self._benchmarks = benchmarks
        self._kept: OrderedDict[tuple[str, bytes], _Entry] = OrderedDict()
        self._size = 0
        self.hits = self.misses = 0

    def describe(self) -> RunnerInfo:
        """What the reference behind says of itself."""
        return self._reference.describe()

    def golden(self, call: Call) -> Golden | Unsupported:
        """The golden, computed at the first asking."""
        key = ("golden", digest_of(call))
        if key not in self._kept:
            golden = self._reference.golden(call)
            return self._keep(key, golden, _golden_bytes(golden))
        return self._found(key)  # type: ignore[return-value]

    def benchmark(self, call: Call) -> Mapping[str, Array] | None:
        """The benchmark, computed at the first asking."""
        if not self._benchmarks:
            return None
        key = ("benchmark", digest_of(call))
        if key not in self._kept:
            benchmark = self._reference.benchmark(call)
            return self._keep(key, benchmark, sum(array.nbytes for array in (benchmark or {}).values()))
        return self._found(key)  # type: ignore[return-value]

    def _found(self, key: tuple[str, bytes]) -> Golden | Mapping[str, Array] | Unsupported | None:
        self.hits += 1
        self._kept.move_to_end(key)
        return self._kept[key].answer

    def _keep(self, key, answer, nbytes):  # type: ignore[no-untyped-def]
        self.misses += 1
        self._kept[key] = _Entry(answer, nbytes)
        self._size += nbytes
        while self._size > self._limit:
            _, entry = self._kept.popitem(last=False)
            self._size -= entry.nbytes
        return answer


def _golden_bytes(golden: Golden | Unsupported) -> int:
    if isinstance(golden, Unsupported):
        return 0
    arrays = (a for one in golden.values() for a in (one.value, *one.alternatives, one.terms) if a is not None)
    return sum(array.nbytes for array in arrays)


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
