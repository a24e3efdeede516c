"""Validates documents against the JSON Schemas in ``cases/schemas`` and says where they break them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from conformance.data import data_root
from conformance.errors import InvalidData, Location, Problem
from conformance.json_text import line_of, pointer_of, read_json
from conformance.validity import digest_of, is_remembered, remember

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator, ValidationError
    from referencing import Registry

CASES = "cases-1"
CONTRACT = "contract-1"
SETS = "sets-1"
STANDARDS = "standards-1"
RECORD = "record-1"
WAIVERS = "waivers-1"
PROMOTION = "promotion-1"
TILING = "tiling-1"
ATK = "atk-1"
SMOKE = "smoke-1"
REQUIRED = "required-1"
STATEMENT = "statement-1"
CERTIFICATE = "certificate-1"
TEMPLATES = "templates-1"


def schema_problems(name: str, document: Any, text: str, path: Path) -> list[Problem]:
    """Every place where ``document`` breaks schema ``name``, one problem a place; empty when it is valid.

    ``name`` may end in the JSON pointer of a part: ``exec-1#/$defs/run_answer``.
    """
    found = list(dict.fromkeys(_explained(_validator(name).iter_errors(document))))
    places = Counter(pointer for pointer, _ in found)
    return [
        Problem(Location(path, line_of(text, pointer), pointer), what)
        for pointer, what in found
        # That no form fits is said only where nothing says more at or below the same place.
        if not what.endswith(_NO_FORM)
        or not (places[pointer] > 1 or any(other.startswith(f"{pointer}/") for other in places))
    ]


def problems_unless_known(name: str, document: Any, text: str, path: Path) -> list[Problem]:
    """As ``schema_problems``; a document that was found valid before is not looked at again."""
    digest = digest_of(name, document)
    if is_remembered(digest):
        return []
    problems = schema_problems(name, document, text, path)
    if not problems:
        remember(digest)
    return problems


def read_valid(path: Path, name: str) -> tuple[str, Any]:
    """Text and value of a JSON file that keeps schema ``name``; raises InvalidData otherwise."""
    text, document = read_json(path)
    problems = problems_unless_known(name, document, text, path)
    if problems:
        raise InvalidData(problems)
    return text, document


def schema_document(name: str) -> dict[str, Any]:
    """The JSON Schema of that name."""
    return _documents()[f"{name}.schema.json"]


@cache
def _documents() -> dict[str, dict[str, Any]]:
    folder = data_root() / "schemas"
    return {path.name: json.loads(path.read_text("utf-8")) for path in folder.glob("*.schema.json")}


@cache
def _validator(name: str) -> Draft202012Validator:
    # Deferred for the sake of commands whose documents are all known to be valid.
    from jsonschema import Draft202012Validator
    from referencing import Registry, Resource

    documents = _documents()
    registry: Registry[Any] = Registry().with_resources(
        (file, Resource.from_contents(document)) for file, document in documents.items()
    )
    file, _, pointer = name.partition("#")
    return Draft202012Validator({"$ref": f"{file}.schema.json#{pointer}"}, registry=registry)


_NO_FORM = " has none of the allowed forms"


def _explained(errors: Iterator[ValidationError]) -> Iterator[tuple[str, str]]:
    from jsonschema.exceptions import best_match

    for error in errors:
        deepest = best_match([error]) or error
        yield pointer_of(list(deepest.absolute_path)), _in_words(deepest)


def _in_words(error: ValidationError) -> str:
    rule: Any = error.schema
    wanted: Any = error.validator_value
    if error.validator == "additionalProperties" and isinstance(rule.get("properties"), dict):
        known = sorted(rule["properties"])
        unknown = sorted(set(cast(dict[str, Any], error.instance)) - set(known))
        return f"unknown key {', '.join(map(repr, unknown))}; known keys are {', '.join(known)}"
    if error.validator == "required":
        return error.message.replace("is a required property", "is missing")
    shown = json.dumps(error.instance, ensure_ascii=False)
    shown = shown if len(shown) <= 80 else shown[:77] + "..."
    if error.validator == "type":
        return f"{shown} is not of type {wanted}"
    if error.validator == "pattern":
        return f"{shown} does not match {wanted}"
    if error.validator == "enum":
        return f"{shown} is not one of {', '.join(map(str, wanted))}"
    if error.validator == "anyOf":
        return f"{shown}{_NO_FORM}"
    if error.validator == "not":
        return f"{shown} is not allowed here"
    return error.message if len(error.message) <= 200 else f"{shown} breaks rule {error.validator}"
