"""A reference whose answers are kept on disk, so that an unchanged set of cases is judged without asking it again.

Answers are kept by what they follow from, never by a name alone: the case's digest, id, product and seed, from which
its arguments and data are made, and the *basis*: the code of suite and reference, versions of the libraries behind them
and the machine's instruction set. Whatever of it changes, the key does. Two things are kept: the goldens themselves,
where they are small, and what outputs measured beside them, by a digest of every byte of the outputs; an
implementation that gives the same bits again needs neither goldens nor another measurement.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from typing import Protocol, runtime_checkable

from conformance.caches import GOLDENS_VARIABLE, OFF, goldens_file
from conformance.call import Call
from conformance.case import Case
from conformance.errors import InvalidOption
from conformance.golden import Golden
from conformance.golden_cache import benchmark_bytes, golden_bytes
from conformance.golden_codec import Benchmark, decode, encode
from conformance.measured_text import measured_of, text_of
from conformance.outcome import Unsupported
from conformance.product import Product
from conformance.runner import Reference, RunnerInfo
from conformance.store import Store
from conformance.tensor import Array
from conformance.verdict import Measured

LARGEST = 1 << 20
"""Bytes of the largest answer of the reference that is kept; larger ones are read hardly faster than computed."""
SIZE_VARIABLE = "CONFORMANCE_GOLDEN_CACHE_MIB"
"""Environment variable that says how many MiB the answers may take."""
_DEFAULT_MIB, _MOST_DIGITS = 1024, 12
_DIGEST_BYTES = 16
_FITTING = b""
"""Kept in place of goldens that are too large: they were computed, and fit the case."""


@runtime_checkable
class Steady(Reference, Protocol):
    """A reference that says what its answers depend on beside the call, so that they can be kept."""

    def basis(self) -> str:
        """Versions, digests of code, instruction set: the same text means the same answers, bit for bit."""
        ...


def keeping(reference: Reference, folder: str) -> Reference:
    """The reference with its answers kept in a folder: by default the variable's, else that of all caches.

    The reference itself where the folder is ``off``, or where it does not say what its answers depend on. Raises
    InvalidOption.
    """
    file = goldens_file(folder)
    if file is None or not isinstance(reference, Steady):
        return reference
    return KeptReference(reference, Store(file, _limit()))


def trouble_of(reference: Reference) -> str:
    """What is wrong with the file that keeps the answers of a reference; empty when nothing is, or there is none."""
    return f"golden cache: {reference.trouble}" if isinstance(reference, KeptReference) and reference.trouble else ""


def _limit() -> int:
    given = os.environ.get(SIZE_VARIABLE, "") or str(_DEFAULT_MIB)
    if not given.isdecimal() or len(given) > _MOST_DIGITS:
        what = f"{SIZE_VARIABLE} is {given!r}"[:80]
        raise InvalidOption(f"{what}; give a number of MiB, or set {GOLDENS_VARIABLE} to {OFF}")
    return int(given) << 20


class KeptReference:
    """Another reference and the file that keeps its answers."""

    def __init__(self, reference: Steady, store: Store) -> None:
        self._reference = reference
        self._store = store
        self._basis = hashlib.sha256(reference.basis().encode()).digest()

    def describe(self) -> RunnerInfo:
        """What the reference behind says of itself."""
        return self._reference.describe()

    def golden(self, call: Call) -> Golden | Unsupported:
        """The golden, computed."""
        return self._reference.golden(call)

    def benchmark(self, call: Call) -> Mapping[str, Array] | None:
        """The benchmark, computed."""
        return self._reference.benchmark(call)

    @property
    def trouble(self) -> str:
        """What is wrong with the file; empty when nothing is."""
        return self._store.trouble

    def close(self) -> None:
        """Write what is to be kept."""
        self._store.close()

    def shelf(self, case: Case, product: Product, seed: int, probes: bytes) -> Shelf | None:
        """Where the answers of a case are kept, by digest of the probes; None where its data may differ next time."""
        if not case.digest or (case.data is not None and not case.data.is_steady):
            return None
        # Not all that a case of another suite's file is made from need be in its digest.
        arguments = repr((case.arguments, case.contract.outputs)) if case.data is not None else ""
        text = f"{case.digest} {case.id} {product.name} {seed} {case.contract.api} {arguments}"
        return Shelf(self._store, hashlib.sha256(self._basis + text.encode()).digest()[:_DIGEST_BYTES], probes)


class Shelf:
    """What is kept of one case."""

    def __init__(self, store: Store, key: bytes, probes: bytes) -> None:
        self._store, self._key, self._probes = store, key, probes

    @property
    def is_known(self) -> bool:
        """Whether goldens were computed before, and found to fit the case."""
        return self._store.has(self._key)

    def keep(self, golden: Golden, benchmark: Benchmark) -> None:
        """Keep answers of the reference, or at least that they fit."""
        large = golden_bytes(golden) + benchmark_bytes(benchmark) > LARGEST
        self._store.put(self._key, _FITTING if large else encode(golden, benchmark) or _FITTING)

    def keep_fitting(self) -> None:
        """Keep that goldens were computed and fit."""
        self._store.put(self._key, _FITTING)

    def answers(self) -> tuple[Golden, Benchmark] | None:
        """The answers kept; None where they were too large or are gone."""
        data = self._store.get(self._key)
        return decode(data) if data else None

    def keep_measured(self, outputs: bytes, measured: Mapping[str, Measured]) -> None:
        """Keep what outputs of that digest measured."""
        self._store.put(self._place(outputs), bytes(text_of(measured)))

    def measured(self, outputs: bytes) -> dict[str, Measured] | None:
        """What outputs of that digest measured before; None where that is not kept."""
        text = self._store.get(self._place(outputs))
        return None if text is None else measured_of(text)

    def _place(self, outputs: bytes) -> bytes:
        return hashlib.sha256(self._key + self._probes + outputs).digest()[:_DIGEST_BYTES]


def digest_of_outputs(call: Call) -> bytes:
    """Hash of all memory that a call may have written its outputs to."""
    digest = hashlib.sha256()
    for name, tensor in call.tensors(written=True):
        digest.update(name.encode())
        digest.update(tensor.memory.payload.data)
    return digest.digest()
