"""Ids: how they are derived, and selectors over them.

``family.api.subject.group.labels.h<hash>`` in ``[a-z0-9_.-]``. The hash closes every id and stands nowhere else, so no
id is a substring of another and each can be pasted after ``pytest -k``. A changed case is a new case.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable
from difflib import get_close_matches
from fnmatch import fnmatchcase
from typing import Any

from conformance.dtype_words import WORDS

_HASH_DIGITS = 8
"""Decimal, so that a hash never spells a dtype word that somebody picks with -k."""
_SIGNED = {"-inf": "ninf", "-0.0": "n0"}


def label_of(value: Any) -> str:
    """Word for an axis value in ids: dtypes as ATK spells them, shapes as 7x5, negative numbers with n."""
    if isinstance(value, str) and value in _SIGNED:
        return _SIGNED[value]
    if isinstance(value, str):
        return WORDS[value] if value in WORDS else re.sub(r"[^a-z0-9_]+", "_", value.lower()).strip("_") or "x"
    if isinstance(value, bool) or value is None:
        return str(value).lower()
    if isinstance(value, int):
        return str(value).replace("-", "n")
    if isinstance(value, list):
        return "x".join(label_of(item) for item in value) if value else "0d"
    if isinstance(value, dict):
        return "_".join(label_of(item) for item in value.values())
    return re.sub(r"[^a-z0-9_]", "_", f"{value:g}".replace("-", "n").replace(".", "p").replace("+", ""))


_JSON = json.JSONEncoder(sort_keys=True, ensure_ascii=True, separators=(",", ":"), check_circular=False)


def content_text(content: Any) -> str:
    """Any JSON as the text that digests are made of, whatever the order of its keys."""
    return _JSON.encode(content)


def content_digest(content: Any, *texts: str) -> str:
    """SHA-256 in hex over a list of JSON; of further entries, which come last, the texts are given."""
    text = content_text(content)
    if texts:
        text = f"{text[:-1]},{','.join(texts)}]"
    return hashlib.sha256(text.encode()).hexdigest()


def make_id(prefix: Iterable[str], labels: Iterable[str], digest: str) -> str:
    """Id of a case: its place, the labels of its axis values, and a short hash from the digest of its content."""
    short = int(digest, 16) % 10**_HASH_DIGITS
    parts = [*prefix, *filter(None, ["-".join(labels)]), f"h{short:0{_HASH_DIGITS}d}"]
    return ".".join(parts)


def name_of(case_id: str) -> str:
    """An id without its hash."""
    return case_id.rpartition(".")[0]


def matches(selector: str, case_id: str) -> bool:
    """Whether a selector picks an id: the id itself, a prefix ending at a dot, or a glob over the whole id."""
    if any(letter in selector for letter in "*?["):
        return fnmatchcase(case_id, selector) or fnmatchcase(case_id.rpartition(".")[0], selector)
    return case_id == selector or case_id.startswith(selector + ".")


def may_match(selector: str, prefix: str) -> bool:
    """Whether a selector may pick an id that begins with ``prefix`` and a dot; True where it cannot be told."""
    sure = min([selector.find(letter) % (len(selector) + 1) for letter in "*?["])
    literal = selector[:sure]
    return literal.startswith(f"{prefix}.") or f"{prefix}.".startswith(literal)


def near_names(selector: str, ids: Iterable[str]) -> list[str]:
    """Up to five prefixes of existing ids that look like a selector which matched nothing."""
    depth = selector.count(".") + 1
    prefixes = {".".join(case_id.split(".")[:n]) for case_id in ids for n in range(1, max(depth, 2) + 1)}
    close = get_close_matches(selector, sorted(prefixes), n=5, cutoff=0.5)
    within, _, tail = selector.rpartition(".")
    if within in prefixes:  # the name is right up to its last word
        beside = sorted(prefix.rpartition(".")[2] for prefix in prefixes if prefix.rpartition(".")[0] == within)
        close = [*(f"{within}.{word}" for word in get_close_matches(tail, beside, n=3, cutoff=0.5)), within, *close]
    return list(dict.fromkeys(close))[:5] or sorted(prefix for prefix in prefixes if tail and tail in prefix)[:5]
