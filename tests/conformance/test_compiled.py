"""What was compiled is kept for the very sources that it was compiled from."""

import ast
from pathlib import Path

import pytest

from conformance.caches import CACHE_VARIABLE

compiled = pytest.importorskip("conformance.compiled", reason="numba is not installed")
ROOT = Path(compiled.__file__).parent
LOOPS = ("fused_loops", "fused_numbers", "pairwise")


@pytest.fixture
def versions(tmp_path, monkeypatch):
    """A function that makes the folder of a version of the sources."""

    def folder_of(version):
        monkeypatch.setattr(compiled, "_digest_of_sources", lambda: version)
        compiled._folder.cache_clear()
        return compiled._folder(tmp_path / "compiled")

    yield folder_of
    compiled._folder.cache_clear()


def test_sources_are_all_that_the_loops_import_of_the_suite():
    imported = set()
    for name in LOOPS:
        for node in ast.walk(ast.parse((ROOT / f"{name}.py").read_text())):
            if isinstance(node, ast.ImportFrom) and node.module.startswith("conformance."):
                imported.add(node.module.partition(".")[2])
    assert imported | set(LOOPS) == set(compiled.SOURCES)


@pytest.mark.parametrize("name", compiled.SOURCES)
def test_a_change_of_any_source_is_another_version(name, tmp_path, monkeypatch):
    for source in compiled.SOURCES:
        (tmp_path / f"{source}.py").write_text("1")
    monkeypatch.setattr(compiled, "__file__", str(tmp_path / "compiled.py"))
    before = compiled._digest_of_sources()
    (tmp_path / f"{name}.py").write_text("2")
    assert compiled._digest_of_sources() != before


def test_a_function_is_kept_in_the_folder_of_its_version_and_numba_is_left_as_it_was(tmp_path, monkeypatch):
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path))
    usual = compiled._SETTINGS.CACHE_DIR
    function = compiled.compiled(lambda number: number + 1)
    assert function(1) == 2
    (kept,) = (tmp_path / "compiled-1" / compiled._digest_of_sources()).rglob("*.nbi")
    assert kept.parent == Path(function.stats.cache_path)
    assert usual == compiled._SETTINGS.CACHE_DIR


@pytest.mark.parametrize("kind", ["nbi", "nbc"])
def test_what_was_damaged_is_compiled_anew_once_it_is_forgotten(kind, tmp_path, monkeypatch):
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path))

    def twice(number):
        return number * 2

    compiled.compiled(twice)(1)
    (file,) = (tmp_path / "compiled-1").rglob(f"*.{kind}")
    file.write_bytes(b"damaged")
    again = compiled.compiled(twice)
    with pytest.raises(Exception):  # noqa: B017, PT011 - whatever the library makes of it
        again(1)
    compiled.begin_anew()
    assert again(1) == 2
    assert compiled.is_kept()


def test_where_nothing_can_be_kept_nothing_is_compiled(tmp_path, monkeypatch):
    (tmp_path / "compiled-1").touch()
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path))
    with pytest.raises(OSError, match="compiled-1"):
        compiled.compiled(lambda number: number)


def test_versions_are_kept_side_by_side_until_they_are_many(versions):
    folders = [versions(str(number)) for number in range(compiled._MOST_VERSIONS)]
    assert all(folder.is_dir() for folder in folders)
    assert versions("0") == folders[0]
    assert all(folder.is_dir() for folder in folders)
    newest = versions("one more")
    assert list(newest.parent.iterdir()) == [newest]
