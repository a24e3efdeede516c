"""Strict JSON: what is refused, and where it says that it is."""

import pytest

from conformance.json_text import escape, line_of, parse_json, place_of, pointer_of, read_json

TEXT = """{
  "a": [1,
    {"b/c": {"~": null}}
  ],
  "d\\u0065": "x, ]"
}
"""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "f.json:1: malformed JSON: Expecting value, column 1"),
        ('{"a": 1,\n}', "f.json:2: malformed JSON: "),
        ("[1,\n]", "f.json:2: malformed JSON: Expecting value, column 1 (a comma after the last item)"),
        (
            '{"a": 1\n "b": 2}',
            "f.json:2: malformed JSON: Expecting ',' delimiter, column 2 (a comma is missing after line 1)",
        ),
        (
            "{ // why\n}",
            "f.json:1: malformed JSON: Expecting property name enclosed in double quotes, column 3 (JSON has no",
        ),
        ('{"a": [}', "f.json:1: malformed JSON"),
        ("{} {}", "f.json:1: malformed JSON: Extra data, column 4"),
        ("\ufeff{}", "f.json:1: malformed JSON: Unexpected UTF-8 BOM"),
        ('{"a": 1,\n "b": {"c": 1, "c": 2}}', "f.json:2 at /b/c: key 'c' stands twice (keep one of them)"),
        ('{"a/b": 1,\n "a/b": 2}', "f.json:2 at /a~1b: key 'a/b' stands twice"),
        ('{"a": 1, "a": 2}, and more', "f.json:1 at /a: key 'a' stands twice"),
        ('{"a":\n [0, NaN]}', 'f.json:2 at /a/1: NaN is not JSON (write "nan", "inf" or "-inf" as strings)'),
        ('{"a": "NaN",\n "b": -Infinity}', "f.json:2 at /b: -Infinity is not JSON"),
        ("[1.0,\n\n1e999]", "f.json:3 at /1: 1e999 does not fit a float64"),
        (f"[{'9' * 5000}]", "f.json:1 at /0: an integer of 5000 digits"),
        ("[" * 65 + "]" * 65, "f.json: nested deeper than 64 levels (data files need fewer than ten)"),
        ("[" * 100_000, "f.json: nested deeper than 64 levels"),
        ('{"a": "\\ud800"}', "f.json: holds half a surrogate pair"),
    ],
)
def test_refused_text_is_one_problem_with_its_place(text, message, invalid, tmp_path):
    assert invalid(parse_json, text, tmp_path / "f.json").startswith(f"{tmp_path}/{message}")


def test_files_that_are_not_text_or_not_there(invalid, tmp_path):
    (tmp_path / "latin.json").write_bytes(b'{"a": "\xe9"}')
    assert "latin.json: not UTF-8: invalid continuation byte at byte 7" in invalid(read_json, tmp_path / "latin.json")
    assert "no.json: cannot be read: No such file or directory" in invalid(read_json, tmp_path / "no.json")
    assert "cannot be read: Is a directory" in invalid(read_json, tmp_path)


def test_what_is_accepted(tmp_path):
    (tmp_path / "f.json").write_text(TEXT, encoding="utf-8")
    assert read_json(tmp_path / "f.json") == (TEXT, {"a": [1, {"b/c": {"~": None}}], "de": "x, ]"})
    assert parse_json("[" * 64 + "]" * 64, tmp_path) is not None
    assert parse_json(" -1.5e3 ", tmp_path) == -1500


@pytest.mark.parametrize(
    ("pointer", "line"),
    [("", 1), ("/a", 2), ("/a/0", 2), ("/a/1", 3), ("/a/1/b~1c/~0", 3), ("/de", 5), ("/a/7/x", 2), ("/nothing", 1)],
)
def test_line_of_a_pointer_or_of_its_nearest_parent(pointer, line):
    assert line_of(TEXT, pointer) == line


def test_place_of_names_the_parent_that_exists():
    assert place_of(TEXT, "/a/1/no/such") == (3, "/a/1")


def test_pointers_escape_their_steps():
    assert escape("a/b~c") == "a~1b~0c"
    assert pointer_of(["groups", 0, "a/b"]) == "/groups/0/a~1b"
