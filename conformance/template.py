"""Case templates: groups written once over roles, and how the case file of an API makes them its own.

A template names roles (bound to parameters of the API), parameters (JSON values with a default) and axis sets. In its
groups ``"$role"`` and ``"$parameter"`` stand for what the case file binds them to, and constraints are named by the
kind of their rule, since labels differ from contract to contract.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from conformance import schema
from conformance.case import Group, Source
from conformance.contract import Basis, Constraint, Contract
from conformance.errors import InvalidData, InvalidSpec, Location, Problem
from conformance.json_text import line_of
from conformance.rule_kinds import RULE_KINDS, kind_of, parameters_of

FOLDER = "templates"
"""Folder of templates inside ``cases``; the name of a template is the name of its file."""


@dataclass(frozen=True, slots=True)
class Template:
    """One template as written, after schema validation."""

    source: Source
    roles: frozenset[str]
    defaults: Mapping[str, Any]
    parameters: frozenset[str]
    sets: Mapping[str, Any]
    groups: tuple[Mapping[str, Any], ...]

    @property
    def name(self) -> str:
        """What case files call it by."""
        return self.source.path.stem


def parse_template(document: Mapping[str, Any], text: str, path: Path) -> Template:
    """Template of a document that keeps its schema; raises InvalidData where it contradicts itself."""
    parameters: Mapping[str, Any] = document.get("parameters", {})
    template = Template(
        Source(path, text),
        frozenset(document["roles"]),
        {name: entry["default"] for name, entry in parameters.items() if "default" in entry},
        frozenset(parameters),
        {name: entry.get("values") for name, entry in document.get("sets", {}).items()},
        tuple(document["groups"]),
    )
    problems = [
        Problem(Location(path, line_of(text, pointer), pointer), what, advice)
        for pointer, what, advice in _contradictions(template)
    ]
    if problems:
        raise InvalidData(problems)
    return template


def _contradictions(template: Template) -> Iterator[tuple[str, str, str]]:
    words = template.roles | template.parameters
    for name in sorted(template.roles & template.parameters):
        yield f"/parameters/{name}", f"{name!r} is a role too", "rename one of them"
    for number, group in enumerate(template.groups):
        for name in sorted(words & set(group.get("axes", ()))):
            yield f"/groups/{number}/axes/{name}", f"axis {name!r} is a role or parameter too", "rename the axis"
        for selector in _selectors(group):
            kind = _kind_and_names(selector)[0]
            if kind not in RULE_KINDS:
                yield f"/groups/{number}", f"unknown rule kind {kind!r}", f"kinds are {', '.join(RULE_KINDS)}"


def _selectors(group: Mapping[str, Any]) -> list[Any]:
    return [*group.get("exercises_rules", ()), *filter(None, [group.get("violates_rule")])]


def apply_template(template: Template, document: Mapping[str, Any], contract: Contract) -> tuple[Group, ...]:
    """The template's groups as groups of a case file; raises InvalidSpec, or InvalidData for places in the template."""
    words = {**_bound(template, document, contract), **_given(template, document)}
    left_out = set(document.get("without", ()))
    names = [group["name"] for group in template.groups]
    for name in sorted(left_out - set(names)):
        what = f"template {template.name!r} has no group {name!r}"
        raise InvalidSpec(what, f"its groups are {', '.join(names)}", f"/without/{name}")
    groups = []
    for number, written in enumerate(template.groups):
        if written["name"] not in left_out:
            body = _with_labels(replaced(written, words), contract)
            body = _with_arguments(body, document.get("arguments", {}))
            groups.append(Group(body["name"], body, f"/groups/{number}", template.source))
    _check_form(template, groups, contract)
    return tuple(groups)


def sets_of(template: Template, document: Mapping[str, Any]) -> dict[str, Any]:
    """Axis sets of the template under those of the case file; raises InvalidSpec for one that is not given."""
    sets = {**template.sets, **document.get("sets", {})}
    missing = sorted(name for name, values in sets.items() if values is None)
    if missing:
        raise InvalidSpec(f"template {template.name!r} needs the set {missing[0]!r}", "give it under sets", "/sets")
    return sets


def _bound(template: Template, document: Mapping[str, Any], contract: Contract) -> dict[str, str]:
    bind: dict[str, str] = document.get("bind", {})
    if bind.keys() != template.roles:
        raise InvalidSpec(
            f"bind gives {_listed(bind)}", f"the roles of {template.name!r} are {_listed(template.roles)}", "/bind"
        )
    known = [parameter.name for parameter in contract.parameters]
    for role, name in bind.items():
        if name not in known:
            raise InvalidSpec(f"{contract.api} has no parameter {name!r}", f"it has {_listed(known)}", f"/bind/{role}")
    return bind


def _given(template: Template, document: Mapping[str, Any]) -> dict[str, Any]:
    own: Mapping[str, Any] = document.get("with", {})
    for name in sorted(own.keys() - template.parameters):
        advice = f"its parameters are {_listed(template.parameters)}"
        raise InvalidSpec(f"template {template.name!r} has no parameter {name!r}", advice, f"/with/{name}")
    given = {**template.defaults, **own}
    for name in sorted(template.parameters - given.keys()):
        raise InvalidSpec(f"template {template.name!r} needs {name!r}", "give it under with", "/with")
    return given


def _listed(names: Iterable[str]) -> str:
    return ", ".join(sorted(names)) or "nothing"


def replaced(written: Any, words: Mapping[str, Any]) -> Any:
    """``written`` with every string and key ``$word`` replaced by the value of that word; others stay, as axes."""
    if isinstance(written, str):
        return words.get(written[1:], written) if written.startswith("$") else written
    if isinstance(written, dict):
        return {replaced(key, words): replaced(value, words) for key, value in written.items()}
    if isinstance(written, list):
        return [replaced(value, words) for value in written]
    return written


def _with_arguments(body: dict[str, Any], defaults: Mapping[str, Any]) -> dict[str, Any]:
    """The API's other arguments under the group's own; a group that is like another inherits them."""
    if not defaults or "like" in body:
        return body
    return {**body, "arguments": {**defaults, **body.get("arguments", {})}}


def _with_labels(body: dict[str, Any], contract: Contract) -> dict[str, Any]:
    """``exercises`` and ``violates`` as labels of the contract in place of kinds of rules."""
    selectors = body.pop("exercises_rules", [])
    labels = [c.label for selector in selectors for c in _constraints_of(selector, contract)]
    if labels:
        body["exercises"] = sorted({*body.get("exercises", ()), *labels}, key=lambda label: int(label[1:]))
    if "violates_rule" in body:
        body["violates"] = _the_one(body["name"], body.pop("violates_rule"), contract).label
    return body


def _constraints_of(selector: Any, contract: Contract) -> list[Constraint]:
    """Constraints of a kind, or of a kind that name one of some parameters."""
    kind, names = _kind_and_names(selector)
    return [
        constraint
        for constraint in contract.constraints
        if kind_of(constraint.rule) == kind and (not names or names & set(parameters_of(constraint.rule)))
    ]


def _kind_and_names(selector: Any) -> tuple[str, set[str]]:
    return (selector, set()) if isinstance(selector, str) else (selector["kind"], set(selector["of"]))


def _the_one(group: str, selector: Any, contract: Contract) -> Constraint:
    """The constraint that document and implementation share; what one of them says alone is no plain refusal."""
    found = _constraints_of(selector, contract)
    shared = [constraint for constraint in found if constraint.basis is Basis.BOTH]
    if len(shared) == 1:
        return shared[0]
    labels = ", ".join(f"{c.label} ({c.basis.value})" for c in found) or "none"
    raise InvalidSpec(
        f"template group {group!r} breaks one {_kind_and_names(selector)[0]} constraint that document and "
        f"implementation share; {contract.api} has {labels}",
        "leave the group out with a reason under without, and write what is so under groups",
        "/template",
    )


def _check_form(template: Template, groups: Iterable[Group], contract: Contract) -> None:
    """Raises InvalidData where a group, with everything bound, is none that a case file could hold."""
    source = template.source
    problems = [
        Problem(
            Location(source.path, line_of(source.text, group.pointer + found.where.pointer), group.pointer),
            f"group {group.name!r} for {contract.api}: {found.what}",
        )
        for group in groups
        for found in schema.schema_problems(f"{schema.CASES}#/$defs/group", dict(group.body), "{}", source.path)
    ]
    if problems:
        raise InvalidData(problems)
