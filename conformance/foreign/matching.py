"""Which parameter each input of a file is: names count before positions, and what neither settles is not guessed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from conformance.signature import Parameter, ParameterKind

TENSOR_KINDS = frozenset({ParameterKind.TENSOR, ParameterKind.TENSOR_LIST})
Named = tuple[str, bool]
"""Name of an input, and whether it is a tensor."""


def plain(name: str) -> str:
    """A name without what spellings differ in: case and underscores."""
    return name.replace("_", "").lower()


def matching(given: Sequence[Named], wanted: Sequence[Parameter]) -> list[Parameter] | None:
    """The parameter of each input; None where neither names nor positions say which.

    By position where every name that is known stands at its own. Otherwise known names count, and of the other inputs
    each has to be the only tensor, or the only one that is none.
    """
    by_name = {plain(p.name): p for p in wanted}
    known = {place: by_name[plain(name)] for place, (name, _) in enumerate(given) if plain(name) in by_name}
    if len(known) == len(given) and _is_each_once(known):
        return list(known.values())
    placed = _by_position(len(given), wanted)
    if placed is not None and all(placed[place] is parameter for place, parameter in known.items()):
        return placed
    return _by_elimination(given, wanted, known) if known and _is_each_once(known) else None


def _is_each_once(known: Mapping[int, Parameter]) -> bool:
    return len({parameter.name for parameter in known.values()}) == len(known)


def _by_position(count: int, wanted: Sequence[Parameter]) -> list[Parameter] | None:
    needed = [p for p in wanted if not p.optional]
    return next((list(one) for one in (wanted, needed) if len(one) == count), None)


def _by_elimination(
    given: Sequence[Named], wanted: Sequence[Parameter], known: Mapping[int, Parameter]
) -> list[Parameter] | None:
    """Known names, and beside them at most one input of a kind for the one parameter of that kind that is left."""
    taken = {parameter.name for parameter in known.values()}
    left = [p for p in wanted if p.name not in taken]
    needed = [p for p in left if not p.optional]
    others = [is_tensor for place, (_, is_tensor) in enumerate(given) if place not in known]
    if max(Counter(others).values(), default=0) > 1:
        return None
    free = next((one for one in (needed, left) if len(one) == len(others)), [])
    by_kind = {p.kind in TENSOR_KINDS: p for p in free}
    if len(by_kind) != len(others) or set(by_kind) != set(others):
        return None
    return [known[place] if place in known else by_kind[is_tensor] for place, (_, is_tensor) in enumerate(given)]
