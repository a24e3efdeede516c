"""Cards of case files, remembered in the user's cache, so that only what is executed need be read and expanded.

The entry of a file begins with its key, a digest over everything its cases come from: the file and its name, the
contract beside it, templates, shared sets, tables and schemas, this package's code, and the libraries that round
numbers. An entry under another key is stale, one that does not match its own digest is corrupt: both are made again.
A file with problems has none. Entries are replaced whole, so that several processes may write them at a time; any may
be deleted.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from conformance.caches import INDEX
from conformance.card import Card, FileCard, GroupCard
from conformance.data import CONTRACT_FILE, data_root, find_templates, root_of
from conformance.environment import source_digest
from conformance.kept import entry_of, keep, make_room, read_kept

_LIBRARIES = ("numpy", "ml_dtypes", "jsonschema")


class Index:
    """Cards of files, read or made. Not a value: it keeps digests of what files share, as when first asked."""

    def __init__(self) -> None:
        self._digests: dict[Path, bytes] = {}
        self._has_made = False

    def cards_of(self, path: Path) -> tuple[Card, ...]:
        """Cards of a case file, in the order of its cases; raises InvalidData."""
        if not (path.parent / CONTRACT_FILE).is_file():
            return _made(path)  # its contract is whatever folder of the suite has the API
        entry, key = entry_of(INDEX, path), self._key(path)
        return _read(entry, key, path) or self._make(entry, key, path)

    def _make(self, entry: Path, key: str, path: Path) -> tuple[Card, ...]:
        if not self._has_made:
            make_room(INDEX)
        # What this process read of templates may be older than the key.
        cards = _made(path, afresh=not self._has_made)
        self._has_made = True
        if self._key(path) == key:
            keep(entry, key, _to_json(cards))
        return cards

    def _key(self, path: Path) -> str:
        digest = hashlib.sha256(code_digest())
        for part in (self._shared(root_of(path)), self._shared(path.parent / CONTRACT_FILE), _content(path)):
            digest.update(part)
        digest.update(path.name.encode("utf-8", "surrogateescape"))
        return digest.hexdigest()

    def _shared(self, place: Path) -> bytes:
        """Digest of a contract, or of a root's templates and the suite's shared data."""
        if place not in self._digests:
            self._digests[place] = _digest([place] if place.suffix == ".json" else _shared_files(place))
        return self._digests[place]


def _made(path: Path, *, afresh: bool = False) -> tuple[Card, ...]:
    # Deferred for the sake of runs whose files are all in the index: numpy and all take half a second to import.
    from conformance.carding import make_cards

    return make_cards(path, afresh=afresh)


def _shared_files(root: Path) -> list[Path]:
    own = data_root()
    return [*find_templates(root), *sorted(own.glob("*.json")), *sorted((own / "schemas").glob("*.json"))]


def _digest(paths: Iterable[Path]) -> bytes:
    digest = hashlib.sha256()
    for path in paths:
        digest.update(path.name.encode("utf-8", "surrogateescape") + b"\0" + _content(path))
    return digest.digest()


def _content(path: Path) -> bytes:
    """Digest of a file; of nothing where it cannot be read, which its loader then says."""
    try:
        return hashlib.sha256(path.read_bytes()).digest()
    except OSError:
        return b""


@cache
def code_digest() -> bytes:
    """What identifies the code that cases are made by: this package's, and the libraries that round numbers."""
    versions = [f"{name} {version(name)}" for name in _LIBRARIES]
    return "\0".join([source_digest(("conformance",)), sys.version, *versions]).encode()


def _read(entry: Path, key: str, path: Path) -> tuple[Card, ...]:
    """Cards of an entry; none where it is missing, stale or corrupt."""
    try:
        return _from_json(read_kept(entry, key), path)
    except (LookupError, TypeError, ValueError):
        return ()


def _to_json(cards: Sequence[Card]) -> dict[str, Any]:
    """Cards of one file, column by column."""
    homes = {id(card.home): card.home for card in cards}
    places = {key: place for place, key in enumerate(homes)}
    products = list(dict.fromkeys(card.products for card in cards))
    return {
        "api": cards[0].api if cards else "",
        "words": cards[0].home.file.words if cards else (),
        "groups": [[home.name, home.about, home.line, home.tier, home.exercises] for home in homes.values()],
        "products": [sorted(one) for one in products],
        "id": [card.id for card in cards],
        "group": [places[id(card.home)] for card in cards],
        "on": [products.index(card.products) for card in cards],
        "facets": [card.mask for card in cards],
        "steady": [int(card.is_steady) for card in cards],
    }


def _from_json(written: dict[str, Any], path: Path) -> tuple[Card, ...]:
    about = FileCard(path, written["api"], tuple(map(sys.intern, written["words"])))
    homes = [
        GroupCard(about, name, text, line, sys.intern(tier), tuple(exercises))
        for name, text, line, tier, exercises in written["groups"]
    ]
    products = [_shared_set(tuple(one)) for one in written["products"]]
    columns = (written[name] for name in ("id", "group", "on", "facets", "steady"))
    return tuple(
        Card(case_id, homes[group], products[on], mask, bool(steady))
        for case_id, group, on, mask, steady in zip(*columns, strict=True)
    )


@cache
def _shared_set(names: tuple[str, ...]) -> frozenset[str]:
    """One set for all cases that apply to the same products."""
    return frozenset(names)
