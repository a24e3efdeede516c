"""Cards of the cases of a file, made by reading and expanding it."""

from __future__ import annotations

from pathlib import Path

from conformance.card import Card, FileCard, GroupCard
from conformance.case import Case
from conformance.expand import expand
from conformance.json_text import lines_of
from conformance.load import forget_templates, load_case_file


def make_cards(path: Path, *, afresh: bool = False) -> tuple[Card, ...]:
    """Cards of every case of a file, with templates read ``afresh`` or not; raises InvalidData with all problems."""
    if afresh:
        forget_templates()
    file = load_case_file(path)
    cases = expand(file)
    words = tuple(sorted(set().union(*(case.facets for case in cases))))
    bits = {word: 1 << place for place, word in enumerate(words)}
    about = FileCard(file.path, file.contract.api, words)
    lines = lines_of(file.text)
    places = {group.name: lines.get(group.pointer) for group in file.groups if group.template is None}
    homes: dict[str, GroupCard] = {}
    for case in cases:
        if case.group not in homes:
            line = places.get(case.group)
            homes[case.group] = GroupCard(about, case.group, case.about, line, case.tier, case.exercises)
    return tuple(_card_of(case, homes[case.group], bits) for case in cases)


def _card_of(case: Case, home: GroupCard, bits: dict[str, int]) -> Card:
    return Card(case.id, home, case.products, sum(bits[word] for word in case.facets), case.is_steady)
