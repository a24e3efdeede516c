"""Group × axes → cases, in the order of the file; the id of a case is fixed here.

``like`` inherits a group's axes, arguments and steps; ``$axis`` stands for an axis value; ``violates`` turns one group
into a case a way to break that constraint; ``after`` puts calls of other groups before a case's own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product as times
from math import prod
from typing import Any

from msgspec import Struct

from conformance.card import DEFAULT, HUGE
from conformance.case import ELEMENT_CAP, HUGE_CAP, Case, CaseFile, Earlier, Expectation, Group, Success, TensorSpec
from conformance.case_id import content_digest, content_text, label_of, make_id
from conformance.contract import Constraint, Contract
from conformance.errors import InvalidData, InvalidSpec, Problem
from conformance.expectation import Expected
from conformance.facets import facets_of, facets_of_file
from conformance.product import PRODUCTS
from conformance.specify import Form, Specified, change_arguments, specify

_INHERITED = ("axes", "arguments", "steps", "products", "deadline")


class _Binding(Struct, frozen=True):
    """One combination of axis values: what ``$axis`` stands for, the labels for the id, and where it applies."""

    values: Mapping[str, Any]
    labels: tuple[str, ...]
    products: frozenset[str]


def expand(file: CaseFile) -> list[Case]:
    """Every case of a file; raises InvalidData with all problems of its groups."""
    cases: list[Case] = []
    problems: list[Problem] = []
    for group in file.groups:
        try:
            cases.extend(expand_group(file, group))
        except InvalidData as error:
            problems.extend(error.problems)
    problems.extend(_duplicates(file, cases))
    if problems:
        raise InvalidData(problems)
    return cases


def expand_group(file: CaseFile, group: Group) -> list[Case]:
    """Every case of one group; raises InvalidData."""
    try:
        return list(_cases_of(file, group))
    except InvalidSpec as error:
        where = file.place(group, error.pointer)
        raise InvalidData([Problem(where, f"group {file.title(group)}: {error}", error.advice)]) from None


def _cases_of(file: CaseFile, group: Group) -> Iterator[Case]:
    body = _merged(file, group, ())
    _check_control(file, group, body)
    form, maker = Form(file.contract, body), _Maker(file, group, body)
    for binding in _bindings(file, group, body):
        spec = form.specify(binding.values)
        if "violates" in body:
            for bound, violating in _violating(file, group, body, binding, spec):
                yield maker.case(bound, violating)
        else:
            yield maker.case(binding, spec)


def _merged(file: CaseFile, group: Group, seen: tuple[str, ...]) -> dict[str, Any]:
    """The group's body over the bodies it is like; arguments and axes merge by name."""
    if "like" not in group.body:
        return dict(group.body)
    other = next((g for g in file.groups if g.name == group.body["like"]), None)
    if other is None or other.name in (*seen, group.name):
        names = ", ".join(g.name for g in file.groups if g.name != group.name)
        raise InvalidSpec(
            f"like {group.body['like']!r} names no other group",
            f"groups are {names or 'none'}",
            "/like",
        )
    base = _merged(file, other, (*seen, group.name))
    merged = {**{key: base[key] for key in _INHERITED if key in base}, **group.body}
    merged["axes"] = {**base.get("axes", {}), **group.body.get("axes", {})}
    merged["arguments"] = _merge_arguments(base.get("arguments", {}), group.body.get("arguments", {}))
    return merged


def _merge_arguments(base: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(base)
    for name, argument in own.items():
        both = isinstance(argument, dict) and isinstance(merged.get(name), dict)
        merged[name] = {**merged[name], **argument} if both else argument
    return merged


def _check_control(file: CaseFile, group: Group, body: Mapping[str, Any]) -> None:
    """A refusal names, by ``control`` or ``like``, the same call with the one fault removed."""
    if not (isinstance(body["expect"], dict) and "reject" in body["expect"]):
        return
    control = group.body.get("control", group.body.get("like"))
    if control is None:
        raise InvalidSpec(
            "a refusal without control",
            'name the legal group it differs from by one fault: "control" or "like"',
            "/expect",
        )
    other = next((g for g in file.groups if g.name == control), None)
    if other is None or not _succeeds(other):
        raise InvalidSpec(
            f"control {control!r} is no group of this file that expects success",
            "name a group of this file whose expectation is success",
            "/control" if "control" in group.body else "/like",
        )


def _succeeds(group: Group) -> bool:
    """Whether the call is accepted, by the document at least where its answer is all there is."""
    expect = group.body["expect"]
    if isinstance(expect, dict) and "unspecified" in expect:
        expect = expect.get("document")
    return expect == "success" or (isinstance(expect, dict) and "success" in expect)


def _bindings(file: CaseFile, group: Group, body: Mapping[str, Any]) -> Iterator[_Binding]:
    applies = _products(file.contract, body.get("products"))
    axes = {name: _axis_values(file, group, name, raw) for name, raw in body.get("axes", {}).items()}
    for combination in times(*axes.values()):
        products = applies
        for value in combination:
            products &= frozenset(value.get("products", applies))
        if products:
            values = {name: value["value"] for name, value in zip(axes, combination, strict=True)}
            labels = tuple(v.get("name") or label_of(v["value"]) for v in combination)
            yield _Binding(values, labels, products)


def _products(contract: Contract, written: Any) -> frozenset[str]:
    """Names of products: those written, those that the contract does not list, or where nothing is written its own."""
    if written == "unlisted":
        return frozenset(PRODUCTS) - frozenset(contract.products)
    return frozenset(written or contract.products)


def _axis_values(file: CaseFile, group: Group, name: str, raw: Any) -> list[dict[str, Any]]:
    if isinstance(raw, str):
        if raw[1:] not in file.sets:
            raise InvalidSpec(
                f"axis {name!r} uses unknown set {raw!r}",
                f"sets are {', '.join(sorted(file.sets))}",
                f"/axes/{name}",
            )
        raw = file.sets[raw[1:]]
    return [value if isinstance(value, dict) else {"value": value} for value in raw]


def _violating(
    file: CaseFile, group: Group, body: Mapping[str, Any], binding: _Binding, spec: Specified
) -> Iterator[tuple[_Binding, Specified]]:
    """One call a way to break the constraint; the same way on several products is one call."""
    constraint = _constraint(file, group, body["violates"])
    ways: dict[str, tuple[dict[str, Any], set[str]]] = {}
    for name in sorted(binding.products):
        if not constraint.applies_to(PRODUCTS[name]):
            continue
        for violation in constraint.rule.violations(spec.facts, PRODUCTS[name]):
            ways.setdefault(violation.name, (dict(violation.changes), set()))[1].add(name)
    if not ways:
        raise InvalidSpec(
            f"{constraint.label} cannot be broken starting from these arguments",
            "write the refusal out, or start from other arguments",
            "/violates",
        )
    for name, (changes, products) in ways.items():
        bound = _Binding(binding.values, (*binding.labels, name), frozenset(products))
        yield bound, change_arguments(spec, changes)


def _constraint(file: CaseFile, group: Group, label: str) -> Constraint:
    for constraint in file.contract.constraints:
        if constraint.label == label:
            return constraint
    raise InvalidSpec(
        f"violates {label!r}, which the contract of {file.contract.api} does not have",
        f"its labels are {', '.join(c.label for c in file.contract.constraints)}",
        "/violates",
    )


class _Maker:
    """Makes the cases of one group; what all of them have in common is found once."""

    def __init__(self, file: CaseFile, group: Group, body: Mapping[str, Any]) -> None:
        self._file, self._group, self._body = file, group, body
        self._expected = Expected(file.contract, body)
        self._place = (file.contract.name, file.subject, group.name)
        self._facets = facets_of_file(file) | _further_facets(body)
        self._cap = HUGE_CAP if body.get("tier") == HUGE else ELEMENT_CAP
        classes = {name: comparison.value for name, comparison in file.contract.outputs.items()}
        self._judged_by = content_text([classes, file.contract.deterministic, body.get("deadline")])[1:-1]

    def case(self, binding: _Binding, spec: Specified) -> Case:
        """The case of one combination of axis values."""
        file, group, body = self._file, self._group, self._body
        _check_size(spec, self._cap)
        expectation = self._expected.expectation(binding.values)
        _check_literals(spec, expectation)
        before = [_before(file, group, name, binding.values) for name in body.get("after", ())]
        digest = content_digest(_content(file.contract, spec, before, body))
        case_id = make_id(self._place, binding.labels, digest)
        # What else of group and contract a verdict depends on.
        expected = self._expected.text(binding.values, expectation)
        return Case(
            id=case_id,
            digest=content_digest([case_id, digest], expected, self._judged_by),
            contract=file.contract,
            path=file.path,
            group=group.name,
            about=body["about"],
            arguments=spec.arguments,
            nulls=spec.nulls,
            steps=spec.steps,
            expectation=expectation,
            products=binding.products,
            exercises=tuple(body.get("exercises", ())) or ((body["violates"],) if "violates" in body else ()),
            facets=self._facets | facets_of(spec, expectation),
            control=group.body.get("control", group.body.get("like")),
            template=group.template.path if group.template else None,
            deadline=float(body.get("deadline", 60.0)),
            after=tuple(Earlier(name, call.arguments, call.nulls, call.steps) for name, call in before),
            repeat=body.get("repeat", 1),
            tier=body.get("tier", DEFAULT),
        )


def _content(
    contract: Contract, spec: Specified, before: list[tuple[str, Specified]], body: Mapping[str, Any]
) -> list[Any]:
    """What makes a case the case that it is."""
    content = [contract.api, spec.as_json(), body["expect"]]
    content += [[call.as_json() for _, call in before]] if before else []
    content += [{"repeat": body["repeat"]}] if "repeat" in body else []
    return content


def _further_facets(body: Mapping[str, Any]) -> frozenset[str]:
    """Facets of a case that is more than one call."""
    return frozenset({"after": "sequence", "repeat": "repeated"}[key] for key in ("after", "repeat") if key in body)


def _before(file: CaseFile, group: Group, name: str, axes: Mapping[str, Any]) -> tuple[str, Specified]:
    """The call of the group named under ``after``, with the axis values of the case that comes after it."""
    other = next((g for g in file.groups if g.name == name), None)
    if other is None:
        raise InvalidSpec(f"after {name!r}, which is no group of this file", _names(file), "/after")
    body = _merged(file, other, ())
    if "after" in body or "violates" in body:
        raise InvalidSpec(f"after {name!r}, which is more than one call", "name a group of one call", "/after")
    strange = sorted(set(body.get("axes", {})) - set(axes))
    if strange:
        advice = f"axes here are {', '.join(axes) or 'none'}"
        raise InvalidSpec(f"after {name!r}, whose axis {strange[0]!r} this group has not", advice, "/after")
    try:
        spec = specify(file.contract, body, axes)
    except InvalidSpec as error:
        raise InvalidSpec(f"after {name!r}: {error}", error.advice, "/after") from None
    _check_size(spec, HUGE_CAP if body.get("tier") == HUGE else ELEMENT_CAP)
    return name, spec


def _names(file: CaseFile) -> str:
    return f"groups are {', '.join(group.name for group in file.groups)}"


def _check_size(spec: Specified, cap: int) -> None:
    for name, argument in spec.arguments.items():
        if isinstance(argument, TensorSpec):
            elements = max(prod(argument.storage_shape), prod(argument.shape))
            if elements > cap:
                raise InvalidSpec(
                    f"{name} has {elements} elements, the cap is {cap}",
                    "use a smaller shape",
                    f"/arguments/{name}",
                )


def _check_literals(spec: Specified, expectation: Expectation) -> None:
    stated = expectation.outputs if isinstance(expectation, Success) else None
    for name, values in (stated or {}).items():
        output = spec.arguments[name]
        if isinstance(output, TensorSpec) and len(values) != prod(output.shape):
            what = f"{name}: {len(values)} values stated for {prod(output.shape)} elements"
            raise InvalidSpec(what, "state every element, row-major", "/expect")


def _duplicates(file: CaseFile, cases: list[Case]) -> Iterator[Problem]:
    """One problem for each group that gives the same call with the same expectation twice."""
    first: dict[tuple[str, str], str] = {}
    named: set[str] = set()
    for case in cases:
        other = first.setdefault((case.group, case.id.rpartition(".")[2]), case.id)
        if other is not case.id and case.group not in named:
            named.add(case.group)
            where = file.place(next(g for g in file.groups if g.name == case.group))
            what = f"duplicate id {case.id}" if other == case.id else f"{case.id} is the same case as {other}"
            yield Problem(where, what, "drop the axis value, or the axis that nothing refers to")
