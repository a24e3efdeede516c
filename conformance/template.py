"""Case templates: groups written once over roles, for the case files of many APIs.

A template names roles (bound to parameters of the API), parameters (JSON values with a default) and axis sets. In its
groups ``"$role"`` and ``"$parameter"`` stand for what the case file binds them to, and constraints are named by the
kind of their rule, since labels differ from contract to contract. A template takes in the groups of others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from conformance.case import Group, Source
from conformance.errors import InvalidData, Location, Problem
from conformance.json_text import place_of
from conformance.rule_kinds import RULE_KINDS

TENSORS, OUTPUTS, POINTERS = "tensors", "outputs", "pointers"
BUILT_IN = frozenset({TENSORS, OUTPUTS, POINTERS})
"""Words that every template has: tensors bound to roles, those that are written, pointers that may not be null."""


@dataclass(frozen=True, slots=True)
class Template:
    """One template as written, after schema validation; with ``over``, what it takes in is part of it."""

    source: Source
    takes: tuple[str, ...]
    roles: frozenset[str]
    defaults: Mapping[str, Any]
    parameters: frozenset[str]
    sets: Mapping[str, Any]
    groups: tuple[Group, ...]

    @property
    def name(self) -> str:
        """What case files call it by."""
        return self.source.path.stem


def parse_template(document: Mapping[str, Any], text: str, path: Path) -> Template:
    """Template of a document that keeps its schema, without what it takes in."""
    parameters: Mapping[str, Any] = document.get("parameters", {})
    source = Source(path, text)
    return Template(
        source,
        tuple(document.get("takes", ())),
        frozenset(document.get("roles", ())),
        {name: entry["default"] for name, entry in parameters.items() if "default" in entry},
        frozenset(parameters),
        {name: entry.get("values") for name, entry in document.get("sets", {}).items()},
        tuple(Group(body["name"], body, f"/groups/{i}", source) for i, body in enumerate(document["groups"])),
    )


def over(template: Template, taken: Sequence[Template]) -> Template:
    """``template`` with those it takes in, whose entries give way to its own; raises InvalidData."""
    groups = list(template.groups)
    own = {group.name for group in groups}
    for other in taken:
        groups += [group for group in other.groups if group.name not in own]
    every = [*reversed(taken), template]
    whole = replace(
        template,
        roles=frozenset().union(*(one.roles for one in every)),
        defaults={name: value for one in every for name, value in one.defaults.items()},
        parameters=frozenset().union(*(one.parameters for one in every)),
        sets={name: values for one in every for name, values in one.sets.items()},
        groups=tuple(groups),
    )
    problems = [*_contradictions(whole)]
    if problems:
        raise InvalidData(problems)
    return whole


def _contradictions(template: Template) -> Iterator[Problem]:
    words = template.roles | template.parameters | BUILT_IN
    named: set[str] = set()
    for name in sorted(template.roles & template.parameters):
        yield _problem(template.source, f"/parameters/{name}", f"{name!r} is a role too", "rename one of them")
    for name in sorted(BUILT_IN & (template.roles | template.parameters)):
        yield _problem(template.source, "", f"{name!r} is a word that every template has", "rename it")
    for group in template.groups:
        source = group.template or template.source
        if group.name in named:
            yield _problem(source, f"{group.pointer}/name", f"group {group.name!r} stands twice", "rename one of them")
        named.add(group.name)
        for name in sorted(words & set(group.body.get("axes", ()))):
            what = f"axis {name!r} is a role or parameter too"
            yield _problem(source, f"{group.pointer}/axes/{name}", what, "rename the axis")
        for kind in map(kind_in, _selectors(group.body)):
            if kind not in RULE_KINDS:
                advice = f"kinds are {', '.join(RULE_KINDS)}"
                yield _problem(source, group.pointer, f"unknown rule kind {kind!r}", advice)


def _problem(source: Source, pointer: str, what: str, advice: str) -> Problem:
    return Problem(Location(source.path, *place_of(source.text, pointer)), what, advice)


def _selectors(body: Mapping[str, Any]) -> list[Any]:
    return [*body.get("exercises_rules", ()), *filter(None, [body.get("violates_rule")])]


def kind_in(selector: Any) -> str:
    """Kind of rule of a selector: the word itself, or its ``kind``."""
    kind: str = selector if isinstance(selector, str) else selector["kind"]
    return kind
