"""Sentences that the suite makes, in Chinese: forms with slots, as patterns that a browser and Python read alike.

``page/sentences.json`` has them in the order in which they are tried. A slot is the name of a pattern, with a digit
where a form has several of a kind. What it holds stands in the Chinese sentence as it is, but for what must be a known
sentence itself (``told``, ``outcome``, ``action``, and the parts of ``list`` and ``arguments``), ``any``, which is
translated where it is known, and the words for verdicts and classes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

_FILE = Path(__file__).parent / "page" / "sentences.json"
_SLOT = re.compile(r"\{([a-z]+)(\d?)\}")
_SYNTAX = re.compile(r"[\\^$.*+?()\[\]{}|/]")


@dataclass(frozen=True, slots=True)
class Form:
    """One sentence in both languages; ``pattern`` has a group for each of ``slots``, in order."""

    english: str
    chinese: str
    pattern: str
    slots: tuple[str, ...]


@cache
def forms() -> tuple[Form, ...]:
    """Every form, in the order in which they are tried."""
    document = json.loads(_FILE.read_text(encoding="utf-8"))
    pairs = (pair for group in document["forms"].values() for pair in group)
    return tuple(_form(english, chinese, document["slots"]) for english, chinese in pairs)


def carried_forms() -> list[list[Any]]:
    """The forms as a page carries them: pattern, slots, Chinese, and the longest words that the pattern needs."""
    return [[form.pattern, list(form.slots), form.chinese, _longest_literal(form.english)] for form in forms()]


def kind_of(slot: str) -> str:
    """The name of a slot's pattern."""
    return slot.rstrip("0123456789")


def _longest_literal(english: str) -> str:
    return max(_SLOT.split(english)[::3], key=len)


def _form(english: str, chinese: str, patterns: Mapping[str, str]) -> Form:
    """A form; raises KeyError for a slot without pattern."""
    literals, slots = _SLOT.split(english)[::3], tuple(kind + digit for kind, digit in _SLOT.findall(english))
    escaped = [_SYNTAX.sub(r"\\\g<0>", literal) for literal in literals]
    groups = [f"({patterns[kind_of(slot)]})" for slot in slots]
    pattern = escaped[0] + "".join(group + after for group, after in zip(groups, escaped[1:], strict=True))
    return Form(english, chinese, f"^{pattern}$", slots)
