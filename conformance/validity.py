"""Documents that kept their schema before, remembered in the user's cache, so that none is validated twice.

Validation is most of the time it takes to load cases. What is remembered is a digest over the document, the name of the
schema and every schema there is: a changed document or schema is validated again. The file may be deleted at any time.
"""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any

from conformance.caches import VALID, note_use
from conformance.data import data_root

_DIGITS = 32
_MOST_BYTES = 8 << 20
"""Size at which the file is begun anew."""
_JSON = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), check_circular=False)


def digest_of(schema: str, document: Any) -> str:
    """What a document is remembered by, as kept under a schema."""
    text = _JSON.encode(document)
    whole = f"{schema}\0{_schemas_digest()}\0{text}"
    return hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]


def is_remembered(digest: str) -> bool:
    """Whether such a document was found valid before."""
    return digest in _known(VALID.path)


def remember(digest: str) -> None:
    """Keep the digest of a valid document; a cache that cannot be written is done without."""
    path = VALID.path
    _known(path).add(digest)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and path.stat().st_size > _MOST_BYTES:
            path.unlink()
        # One short write to the end of the file: several processes may do so at a time.
        with path.open("a", encoding="ascii") as file:
            file.write(f"{digest}\n")
    except OSError:
        return


@cache
def _known(path: Path) -> set[str]:
    try:
        known = {line for line in path.read_text("ascii", "replace").split("\n") if len(line) == _DIGITS}
    except OSError:
        return set()
    note_use(path)
    return known


@cache
def _schemas_digest() -> str:
    digest = hashlib.sha256()
    for path in sorted((data_root() / "schemas").glob("*.schema.json")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()
