"""What a page's script makes of a sentence in Chinese, in Python, with the forms that it took and what it left."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import reports
from reports.sentences import forms, kind_of

WORDS = json.loads((Path(reports.__file__).parent / "page" / "words.json").read_text(encoding="utf-8"))
PATTERNS = [(form, re.compile(form.pattern, re.ASCII | re.DOTALL)) for form in forms()]
LONGEST = 2000
A_NAME = re.compile(r"\S+(?: \d\S*)?")


@dataclass(frozen=True)
class Told:
    """A sentence in Chinese, the English forms that it took, and the parts that no form fits."""

    chinese: str
    forms: frozenset[str] = frozenset()
    unknown: tuple[str, ...] = ()


def joined(parts: list[Told | None], mark: str) -> Told | None:
    if None in parts:
        return None
    return Told(
        mark.join(part.chinese for part in parts),
        frozenset().union(*(part.forms for part in parts)),
        tuple(one for part in parts for one in part.unknown),
    )


@cache
def known(text: str) -> Told | None:
    """The sentence; None where it is not known as a whole, or longer than any that the suite makes."""
    if len(text) > LONGEST:
        return None
    return next(filter(None, (fitted(form, pattern, text) for form, pattern in PATTERNS)), None) or in_pieces(text)


def in_pieces(text: str) -> Told | None:
    return joined([known(piece) for piece in text.split("; ")], "；") if "; " in text else None


def fitted(form, pattern, text) -> Told | None:
    found = pattern.search(text)
    if not found:
        return None
    said = [NESTED.get(kind_of(slot), Told)(part) for slot, part in zip(form.slots, found.groups(), strict=True)]
    whole = joined(said, "")
    if whole is None:
        return None
    parts = {slot: part.chinese for slot, part in zip(form.slots, said, strict=True)}
    chinese = re.sub(r"\{(\w+)\}", lambda slot: parts[slot[1]], form.chinese)
    return Told(chinese, whole.forms | {form.english}, whole.unknown)


def listed(mark: str) -> Callable[[str], Told | None]:
    return lambda text: joined([known(part) for part in re.split(r", (?![^(\[]*[)\]])", text)], mark)


def tell(text: str) -> Told:
    """The sentence as far as it is known; names stand for themselves."""
    whole = known(text)
    if whole is None:
        pieces = text.split("; ")
        said = [known(piece) for piece in pieces]
        left = [one or Told(piece, unknown=(piece,)) for one, piece in zip(said, pieces, strict=True)]
        whole = joined(left, "；" if any(said) else "; ")
    return Told(
        whole.chinese.strip(), whole.forms, tuple(one for one in whole.unknown if one and not A_NAME.fullmatch(one))
    )


def say(word: str) -> Told:
    return Told(WORDS[word][1])


NESTED = {
    "told": known,
    "action": known,
    "outcome": known,
    "any": tell,
    "list": listed("，"),
    "arguments": listed(", "),
    "verdict": say,
    "comparison": say,
}
