"""Merkle root over byte strings in their order: SHA-256, with other prefixes for leaves than for nodes.

The tree is that of RFC 9162: of n leaves the left half has the largest power of two below n.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

_LEAF, _NODE = b"\x00", b"\x01"


def merkle_root(leaves: Iterable[bytes]) -> str:
    """Root in hex; of no leaves that of the empty string."""
    pending: list[tuple[int, bytes]] = []
    for leaf in leaves:
        height, digest = 0, hashlib.sha256(_LEAF + leaf).digest()
        while pending and pending[-1][0] == height:
            height, digest = height + 1, _node(pending.pop()[1], digest)
        pending.append((height, digest))
    if not pending:
        return hashlib.sha256().hexdigest()
    root = pending.pop()[1]
    while pending:
        root = _node(pending.pop()[1], root)
    return root.hex()


def _node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(_NODE + left + right).digest()
