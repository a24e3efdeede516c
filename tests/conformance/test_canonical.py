"""The canonical form of data files."""

import json

from tiny import group, tiny_folder, write

from conformance.canonical import WIDTH, arrange, canonical, data_files, not_canonical, write_canonical
from conformance.data import find_case_files
from conformance.schema import CASES, CONTRACT, schema_document

SCHEMA = {
    "properties": {"first": {"$ref": "#/$defs/inner"}, "list": {"items": {"$ref": "#/$defs/inner"}}, "any": True},
    "additionalProperties": {"$ref": "#/$defs/inner"},
    "$defs": {"inner": {"properties": {"a": {}, "b": {}}}},
}


def test_keys_follow_the_schema_and_unknown_ones_come_last():
    document = {"zz": {"b": 1, "a": 2}, "list": [{"c": 0, "b": 1}], "any": {"y": 1, "x": 2}, "first": {"b": 1, "a": 2}}
    arranged = arrange(document, SCHEMA, SCHEMA)
    assert json.dumps(arranged) == (
        '{"first": {"a": 2, "b": 1}, "list": [{"b": 1, "c": 0}], "any": {"y": 1, "x": 2}, "zz": {"a": 2, "b": 1}}'
    )


def test_whatever_fits_stands_on_one_line():
    short, long = {"a": [1, 2.5, "ü"]}, {"key": ["x" * 60, "y" * 60], "empty": [], "deep": {"a": 1}}
    assert canonical(short) == '{"a": [1, 2.5, "ü"]}\n'
    text = canonical(long)
    assert text.splitlines() == [
        "{",
        '  "key": [',
        f'    "{"x" * 60}",',
        f'    "{"y" * 60}"',
        "  ],",
        '  "empty": [],',
        '  "deep": {"a": 1}',
        "}",
    ]
    assert json.loads(text) == long
    assert max(map(len, text.splitlines())) <= WIDTH


def test_canonical_text_is_a_fixed_point(tmp_path):
    path = write(tiny_folder(tmp_path), group(), group("other"))
    document = json.loads(path.read_text())
    text = canonical(document, schema_document(CASES))
    assert canonical(json.loads(text), schema_document(CASES)) == text
    assert json.loads(text) == document


def test_files_are_rewritten_once_and_malformed_ones_never(tmp_path):
    folder = tiny_folder(tmp_path)
    path = write(folder, group())
    (folder / "bad.json").write_text("{")
    assert {found for found, _ in not_canonical([folder])} == {path, folder / "contract.json"}
    assert set(write_canonical([folder])) == {path, folder / "contract.json"}
    assert write_canonical([folder]) == []
    assert (folder / "bad.json").read_text() == "{"
    assert (folder / "contract.json", CONTRACT) in data_files([folder])
    assert find_case_files([folder]) == [folder / "bad.json", path]
