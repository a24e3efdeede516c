"""A share of the cases for one of several machines, or another order: the same wherever it is asked for.

Cases are dealt by a hash of their id, or by the time they took in an earlier record. A few identity cases are in every
share, so that the shares prove that they ran on the same product and build.
"""

from __future__ import annotations

import hashlib
import heapq
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic

from conformance.card import L, Listed
from conformance.case_id import name_of
from conformance.errors import InvalidOption
from conformance.product import Product

IDENTITY_CASES = 8
"""How many cases every share has, where there are so many."""
_UNKNOWN = 0.01
"""Seconds that a case counts for which the earlier record does not have."""


@dataclass(frozen=True, slots=True)
class Shard:
    """Share ``index`` of ``of``, from 1."""

    index: int
    of: int

    @classmethod
    def parse(cls, text: str) -> Shard:
        """Of ``I/N``; raises InvalidOption."""
        index, slash, count = text.partition("/")
        if not (slash and index.isdecimal() and count.isdecimal() and 1 <= int(index) <= int(count)):
            raise InvalidOption(f"--shard {text!r} is not I/N with 1 ≤ I ≤ N, such as 2/4")
        return cls(int(index), int(count))

    def __str__(self) -> str:
        return f"{self.index}/{self.of}"


@dataclass(frozen=True, slots=True)
class Share(Generic[L]):
    """What one machine runs of a selection, and what the others need to know of it to be put together again."""

    shard: Shard
    cases: tuple[L, ...]
    identity: tuple[str, ...]
    selected: int
    digest: str

    def to_json(self) -> dict[str, Any]:
        """For the header of the record."""
        return {
            "index": self.shard.index,
            "of": self.shard.of,
            "selected": self.selected,
            "digest": self.digest,
            "identity": list(self.identity),
        }


def share_of(
    cases: Sequence[L], shard: Shard, product: Product, seconds: Mapping[str, float] | None = None
) -> Share[L]:
    """A share of ``cases``, in their order; ``seconds`` by name of an id balances the shares by time."""
    identity = identity_cases(cases, product)
    rest = [case.id for case in cases if case.id not in identity]
    mine = (
        _by_time(rest, shard, seconds)
        if seconds
        else {one for one in rest if hash_of(one) % shard.of == shard.index - 1}
    )
    chosen = tuple(case for case in cases if case.id in identity or case.id in mine)
    return Share(shard, chosen, tuple(sorted(identity)), len(cases), digest_of(case.id for case in cases))


def shuffled(cases: Sequence[L], seed: int) -> list[L]:
    """The cases in an order that depends on the seed and their ids alone."""
    return sorted(cases, key=lambda case: hashlib.blake2b(f"{seed} {case.id}".encode(), digest_size=8).digest())


def identity_cases(cases: Iterable[Listed], product: Product) -> frozenset[str]:
    """Ids of a few small cases that succeed on the product and must always answer the same; always the same cases."""
    fit = (case.id for case in cases if case.is_steady and product.name in case.products)
    return frozenset(heapq.nsmallest(IDENTITY_CASES, fit, key=hash_of))


def digest_of(ids: Iterable[str]) -> str:
    """SHA-256 over ids, whatever their order."""
    return hashlib.sha256("\n".join(sorted(ids)).encode()).hexdigest()


def hash_of(case_id: str) -> int:
    """A number that an id always has."""
    return int.from_bytes(hashlib.blake2b(case_id.encode(), digest_size=8).digest(), "big")


def _by_time(ids: Iterable[str], shard: Shard, seconds: Mapping[str, float]) -> set[str]:
    """The longest first, each to whoever has least so far; ties go by hash, so every machine deals alike."""
    order = sorted(ids, key=lambda one: (-seconds.get(name_of(one), _UNKNOWN), hash_of(one)))
    loads = [(0.0, index) for index in range(1, shard.of + 1)]
    mine = set()
    for one in order:
        load, index = heapq.heappop(loads)
        if index == shard.index:
            mine.add(one)
        heapq.heappush(loads, (load + seconds.get(name_of(one), _UNKNOWN), index))
    return mine
