"""How the case file of an API makes the groups of a template its own: what roles, parameters and rule kinds become."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from conformance import schema
from conformance.case import Group, Source
from conformance.contract import Basis, Constraint, Contract
from conformance.errors import InvalidData, InvalidSpec, Location, Problem
from conformance.json_text import line_of
from conformance.rule_kinds import kind_of, parameters_of
from conformance.signature import OUT_POINTERS, ParameterKind
from conformance.template import OUTPUTS, POINTERS, TENSORS, Template, kind_in


def apply_template(template: Template, document: Mapping[str, Any], contract: Contract) -> tuple[Group, ...]:
    """The template's groups as groups of a case file; raises InvalidSpec, or InvalidData for places in the template."""
    bound = _bound(template, document, contract)
    words = {**_built_in(bound, contract), **_given(template, document), **bound}
    left_out = set(document.get("without", ()))
    names = [group.name for group in template.groups]
    for name in sorted(left_out - set(names)):
        what = f"template {template.name!r} has no group {name!r}"
        raise InvalidSpec(what, f"its groups are {', '.join(names)}", f"/without/{name}")
    groups = []
    for group in template.groups:
        if group.name not in left_out:
            body = _with_labels(replaced(_steps_written_out(group.body, words), words), contract)
            body = _with_arguments(body, document.get("arguments", {}))
            groups.append(Group(group.name, body, group.pointer, group.template))
    _check_form(groups, template.source.path, contract)
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


def _built_in(bound: Mapping[str, str], contract: Contract) -> dict[str, list[str]]:
    """What ``$tensors``, ``$outputs`` and ``$pointers`` stand for, each in prototype order."""
    names = set(bound.values())
    tensors = [p for p in contract.parameters if p.name in names and p.kind is ParameterKind.TENSOR]
    refused = {
        name
        for constraint in contract.constraints
        if kind_of(constraint.rule) == "not_null" and constraint.basis is Basis.BOTH
        for name in parameters_of(constraint.rule)
    }
    pointers = [*OUT_POINTERS, *(parameter.name for parameter in contract.parameters)]
    return {
        TENSORS: [tensor.name for tensor in tensors],
        OUTPUTS: [tensor.name for tensor in contract.tensors if tensor.is_written],
        POINTERS: [name for name in pointers if name in refused],
    }


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
    """``written`` with every string and key ``$word`` replaced by the value of that word; others stay, as axes.

    A key that stands for several names becomes each of them; where such a name has a key of its own, objects merge.
    """
    kind = written.__class__
    if kind is str:
        return words.get(written[1:], written) if written.startswith("$") else written
    if kind is dict:
        return _merged(written, words)
    if kind is list:
        return [replaced(value, words) for value in written]
    return written


def _merged(written: Mapping[str, Any], words: Mapping[str, Any]) -> dict[str, Any]:
    if not any(key.startswith("$") for key in written):
        return {key: replaced(value, words) for key, value in written.items()}
    entries = [(replaced(key, words), replaced(value, words)) for key, value in written.items()]
    shared = {name: value for names, value in entries if isinstance(names, list) for name in names}
    own = {name: value for name, value in entries if isinstance(name, str)}
    for name in own.keys() & shared.keys():
        if isinstance(own[name], dict) and isinstance(shared[name], dict):
            own[name] = {**shared[name], **own[name]}
    return {**shared, **own}


def _steps_written_out(body: Mapping[str, Any], words: Mapping[str, Any]) -> dict[str, Any]:
    """A step with ``null_each`` becomes one step for each pointer, which is null in it."""
    steps: list[Any] = []
    for step in body.get("steps", ()):
        if isinstance(step, dict) and "null_each" in step:
            shared = {key: value for key, value in step.items() if key != "null_each"}
            steps += [{**shared, "null": [name]} for name in replaced(step["null_each"], words)]
        else:
            steps.append(step)
    return {**body, "steps": steps} if "steps" in body else dict(body)


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
    kind, names = kind_in(selector), set() if isinstance(selector, str) else set(selector["of"])
    return [
        constraint
        for constraint in contract.constraints
        if kind_of(constraint.rule) == kind and (not names or names & set(parameters_of(constraint.rule)))
    ]


def _the_one(group: str, selector: Any, contract: Contract) -> Constraint:
    """The constraint that document and implementation share; what one of them says alone is no plain refusal."""
    found = _constraints_of(selector, contract)
    shared = [constraint for constraint in found if constraint.basis is Basis.BOTH]
    if len(shared) == 1:
        return shared[0]
    labels = ", ".join(f"{c.label} ({c.basis.value})" for c in found) or "none"
    raise InvalidSpec(
        f"template group {group!r} breaks one {kind_in(selector)} constraint that document and "
        f"implementation share; {contract.api} has {labels}",
        "leave the group out with a reason under without, and write what is so under groups",
        "/template",
    )


def _check_form(groups: Iterable[Group], path: Path, contract: Contract) -> None:
    """Raises InvalidData where a group, with everything bound, is none that a case file could hold."""
    written = [(group, group.template) for group in groups if group.template]
    bodies = [group.body for group, _ in written]
    found = schema.problems_unless_known(f"{schema.CASES}#/properties/groups", bodies, "[]", path) if bodies else []
    if found:
        raise InvalidData([_in_template(problem, written, contract) for problem in found])


def _in_template(problem: Problem, written: Sequence[tuple[Group, Source]], contract: Contract) -> Problem:
    """A problem of a list of groups, at the place where the template has it."""
    _, number, *steps = problem.where.pointer.split("/")
    group, source = written[int(number)]
    pointer = "".join((group.pointer, *(f"/{step}" for step in steps)))
    where = Location(source.path, line_of(source.text, pointer), group.pointer)
    return Problem(where, f"group {group.name!r} for {contract.api}: {problem.what}")
