"""Names that other suites give to operators → our APIs, and their words for chips → our products."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from conformance.foreign.matching import plain
from conformance.load import load_contracts
from conformance.product import PRODUCTS, product_of_soc

_PREFIX = "aclnn"
_ONCE_910_95 = "91095"
"""What files call the 950 by its working name, Ascend910_95."""
_EVERY = frozenset({"", "all", "none"})


def api_named(operator: str) -> str:
    """API of an operator's name, with or without prefix, in any spelling; one that no contract has keeps its name.

    "" where nothing is named.
    """
    bare = operator.strip().removeprefix(_PREFIX).strip("_")
    if not bare:
        return ""
    known = _by_plain_name().get(plain(bare))
    if known is not None:
        return known
    return _PREFIX + ("".join(part[:1].upper() + part[1:] for part in bare.split("_")) if "_" in bare else bare)


@cache
def _by_plain_name() -> Mapping[str, str]:
    return {plain(api.removeprefix(_PREFIX)): api for api in load_contracts()}


def products_named(words: Iterable[str]) -> frozenset[str]:
    """Products that words such as Ascend910B or A2 mean: all where there are none, none where none is known."""
    meant = [word for word in words if plain(word.strip()) not in _EVERY]
    if not meant:
        return frozenset(PRODUCTS)
    return frozenset(name for word in meant for name in _product_named(word.strip()))


def _product_named(word: str) -> list[str]:
    short = plain(word).replace(" ", "").replace("-", "")
    if short.removeprefix("ascend").startswith(_ONCE_910_95):
        return ["ascend950"]
    for name, product in PRODUCTS.items():
        if short in {plain(name), plain(name).removeprefix("ascend"), *(plain(one) for one in product.documents)}:
            return [name]
    found = product_of_soc(word)
    return [found.name] if found is not None else []
