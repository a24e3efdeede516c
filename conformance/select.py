"""Selectors, product and runner support → runnable cases, and the reasons for the rest."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from math import prod

from conformance.card import L, Listed
from conformance.case import ELEMENT_CAP, Case, TensorSpec
from conformance.case_id import matches, near_names
from conformance.errors import NothingSelected
from conformance.product import Product
from conformance.verdict import Judged, Verdict
from conformance.waiver import Waiver, WaiverKind


@dataclass(frozen=True, slots=True)
class Limits:
    """What a run leaves out: tensors of more elements than this, calls whose tensors take more bytes.

    Cases of this suite's own files keep a cap of their own; of others a tensor beyond it waits for ``max_elements``.
    """

    max_elements: int | None = None
    max_bytes: int | None = None

    def excess(self, case: Case) -> str:
        """What is too large in a case; "" where nothing is."""
        limit = self.max_elements
        if limit is None and self.max_bytes is None and case.data is not None:
            limit = ELEMENT_CAP
        if limit is not None and _elements(case) > limit:
            return f"{_elements(case)} elements, --max-elements is {limit}"
        if self.max_bytes is not None and bytes_of(case) > self.max_bytes:
            return f"{bytes_of(case)} bytes, --max-bytes is {self.max_bytes}"
        return ""


def select(cases: Sequence[L], selectors: Iterable[str]) -> list[L]:
    """Cases that any selector picks, in order; raises NothingSelected naming each selector that picks none."""
    wanted = list(selectors)
    if not wanted:
        return list(cases)
    chosen = [case for case in cases if any(matches(selector, case.id) for selector in wanted)]
    idle = [s for s in wanted if not any(matches(s, case.id) for case in chosen)]
    if idle:
        raise NothingSelected("\n".join(_nothing(selector, cases) for selector in idle))
    return chosen


def select_one(cases: Sequence[L], selector: str) -> L:
    """The one case that the selector picks; raises NothingSelected when it picks none or several."""
    chosen = select(cases, [selector])
    if len(chosen) > 1:
        some = "\n".join(f"  {case.id}" for case in chosen[:10])
        raise NothingSelected(f"{selector!r} picks {len(chosen)} cases; name one, such as\n{some}")
    return chosen[0]


def _nothing(selector: str, cases: Sequence[Listed]) -> str:
    near = near_names(selector, (case.id for case in cases))
    advice = f"near names: {', '.join(near)}" if near else "list shows what there is"
    return f"selector {selector!r} matches no case ({advice})"


def reason_not_to_run(
    case: Case, product: Product, limits: Limits, unsupported: str | None, waiver: Waiver | None
) -> Judged | None:
    """Skipped or unsupported with the reason; None when the case can run."""
    if product.name not in case.products:
        return Judged(Verdict.SKIPPED, f"not a case for {product}")
    if case.unsupported:
        return Judged(Verdict.UNSUPPORTED, case.unsupported)
    excess = limits.excess(case)
    if excess:
        return Judged(Verdict.SKIPPED, excess)
    if waiver is not None and waiver.kind is WaiverKind.SKIP:
        return Judged(Verdict.SKIPPED, f"{waiver.reason} ({waiver.url})")
    return Judged(Verdict.UNSUPPORTED, unsupported) if unsupported is not None else None


def _elements(case: Case) -> int:
    given = chain(case.arguments.values(), *(earlier.arguments.values() for earlier in case.after))
    return max((prod(a.shape) for a in given if isinstance(a, TensorSpec)), default=0)


def bytes_of(case: Case) -> int:
    """Bytes that the tensors of a case's call take."""
    tensors = [a for a in case.arguments.values() if isinstance(a, TensorSpec) and not a.alias]
    return sum((prod(tensor.storage_shape) * tensor.dtype.bits + 7) // 8 for tensor in tensors)
