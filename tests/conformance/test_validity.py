"""A document is validated once; a changed document or schema, or a spoiled cache, is validated again."""

import pytest
from tiny import group, tiny_folder, write

from conformance import schema, validity
from conformance.caches import CACHE_VARIABLE
from conformance.load import load_case_file


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    validity._known.cache_clear()
    yield tmp_path / "cache"
    validity._known.cache_clear()


def validated(monkeypatch, path) -> list[str]:
    """Schemas that a load of the file validates against, in a process that begins anew."""
    names, honest = [], schema.schema_problems
    monkeypatch.setattr(schema, "schema_problems", lambda name, *rest: names.append(name) or honest(name, *rest))
    validity._known.cache_clear()
    load_case_file(path)
    monkeypatch.undo()
    return names


@pytest.fixture
def path(tmp_path):
    return write(tiny_folder(tmp_path / "data"), group("plain"))


def test_the_second_load_validates_nothing(path, cache, monkeypatch):
    monkeypatch.setenv(CACHE_VARIABLE, str(cache))
    assert schema.CASES in validated(monkeypatch, path)
    monkeypatch.setenv(CACHE_VARIABLE, str(cache))
    assert validated(monkeypatch, path) == []


@pytest.mark.parametrize("text", ["", "no digest\n", "\x00\xff" * 40])
def test_a_spoiled_cache_is_no_reason_to_believe_anything(text, cache):
    cache.mkdir()
    (cache / "valid-1").write_text(text, "latin-1")
    assert not validity.is_remembered(validity.digest_of(schema.CASES, {}))


def test_what_is_remembered_depends_on_document_and_schema():
    digests = {validity.digest_of(name, document) for name in ("cases-1", "sets-1") for document in ({}, {"a": 1})}
    assert len(digests) == 4


def test_an_invalid_document_is_never_remembered(tmp_path):
    for _ in range(2):
        assert schema.problems_unless_known(schema.CASES, {}, "{}", tmp_path / "a.json")


def test_a_cache_that_cannot_be_written_is_done_without(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "file" / "cache"))
    digest = validity.digest_of(schema.CASES, {})
    validity.remember(digest)
    assert validity.is_remembered(digest)
