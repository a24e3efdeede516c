"""What records, or parts of one, must have in common to be of one run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

Header = Mapping[str, Any]
_PER_MACHINE = ("started", "shard", "environment")
"""Parts of a header that differ from machine to machine; of the environment only versions must not."""
_SAME_VERSIONS = ("suite", "python", "numpy", "torch", "ml_dtypes")
_PER_DEVICE = ("device", "host", "pid")
"""Facts and options of a runner that differ from machine to machine."""


def differences(one: Header, other: Header) -> Iterator[tuple[str, Any, Any]]:
    """What two headers do not have in common though they must: its name, in the one, in the other."""
    before, after = _build(one), _build(other)
    for name in sorted(before.keys() | after.keys()):
        if before.get(name) != after.get(name):
            yield name, before.get(name), after.get(name)


def _build(header: Header) -> dict[str, Any]:
    """What must be the same of all parts of a run."""
    runner = {key: value for key, value in header["runner"].items() if key not in ("spec", "facts", "options")}
    facts = _but_per_device(header["runner"]["facts"])
    options = _but_per_device(header["runner"].get("options", {}))
    versions = {name: header["environment"].get(name) for name in _SAME_VERSIONS}
    share = header.get("shard", {})
    selection = {name: share.get(name) for name in ("selected", "digest", "identity")}
    rest = {key: value for key, value in header.items() if key not in (*_PER_MACHINE, "runner", "terms")}
    named = {
        "runner": {**runner, **facts},
        "runner option": options,
        "option": header.get("terms", {}),
        "selection": selection,
    }
    return {**rest, **versions, **{f"{kind} {name}": v for kind, values in named.items() for name, v in values.items()}}


def _but_per_device(facts: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in facts.items() if name not in _PER_DEVICE}
