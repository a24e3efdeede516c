"""Canonical form of data files: keys in the order of the schema, one line for whatever fits in 110 columns."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from conformance import schema
from conformance.data import CONTRACT_FILE, FOLDER, find_case_files, find_templates
from conformance.errors import InvalidData
from conformance.foreign.heads import is_foreign
from conformance.json_text import read_json
from conformance.writing import write_text

WIDTH = 110


def canonical(document: Any, order: Mapping[str, Any] | None = None) -> str:
    """Canonical text of a document; ``order`` is the JSON Schema whose property order keys follow."""
    arranged = arrange(document, order or {}, order or {})
    return _text(arranged, 0, 0) + "\n"


def arrange(value: Any, rule: Mapping[str, Any], root: Mapping[str, Any]) -> Any:
    """The value with keys of every object in the order of its schema; keys that the schema does not list come last."""
    rule, root = _resolved(rule, root)
    if isinstance(value, dict):
        listed = rule.get("properties", {})
        names = [*(name for name in listed if name in value), *(name for name in value if name not in listed)]
        other = rule.get("additionalProperties")
        rest = other if isinstance(other, dict) else {}
        return {name: arrange(value[name], listed.get(name, rest), root) for name in names}
    if isinstance(value, list):
        items = rule.get("items", {})
        return [arrange(item, items if isinstance(items, dict) else {}, root) for item in value]
    return value


def _resolved(rule: Any, root: Mapping[str, Any]) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """The rule that a reference stands for, and the schema it stands in."""
    if not isinstance(rule, dict):
        return {}, root
    file, _, name = rule.get("$ref", "").partition("#/$defs/")
    if not name:
        return rule, root
    root = schema.schema_document(file.removesuffix(".schema.json")) if file else root
    return root["$defs"][name], root


def _text(value: Any, indent: int, used: int) -> str:
    """``used`` columns of the first line are taken by indent, key and comma."""
    line = _one_line(value)
    if not isinstance(value, (dict, list)) or not value or indent + used + len(line) <= WIDTH:
        return line
    inner = " " * (indent + 2)
    if isinstance(value, dict):
        keyed = [(f"{json.dumps(key, ensure_ascii=False)}: ", item) for key, item in value.items()]
        opening, closing = "{", "}"
    else:
        keyed = [("", item) for item in value]
        opening, closing = "[", "]"
    lines = [f"{inner}{key}{_text(item, indent + 2, len(key) + 1)}" for key, item in keyed]
    return f"{opening}\n" + ",\n".join(lines) + f"\n{' ' * indent}{closing}"


def _one_line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(", ", ": "))


def data_files(paths: Iterable[Path] | None) -> list[tuple[Path, str]]:
    """The suite's own case files, the contracts beside them, and templates, each with the name of its schema."""
    own = (path for path in find_case_files(paths) if not is_foreign(path))
    found = [*own, *(find_templates() if paths is None else ())]
    files = [(path, schema.TEMPLATES if path.parent.name == FOLDER else schema.CASES) for path in found]
    contracts = {path.parent / CONTRACT_FILE for path in found}
    return files + [(path, schema.CONTRACT) for path in sorted(contracts) if path.is_file()]


def not_canonical(paths: Iterable[Path] | None) -> Iterator[tuple[Path, str]]:
    """Files that are not in canonical form, with the text they should have; malformed ones are left to ``load``."""
    for path, name in data_files(paths):
        try:
            text, document = read_json(path)
        except InvalidData:
            continue
        wanted = canonical(document, schema.schema_document(name))
        if text != wanted:
            yield path, wanted


def write_canonical(paths: Iterable[Path] | None) -> list[Path]:
    """Rewrite every file that is not in canonical form; returns those rewritten."""
    rewritten = []
    for path, wanted in list(not_canonical(paths)):
        write_text(path, wanted)
        rewritten.append(path)
    return rewritten
