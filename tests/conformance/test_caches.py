"""Caches: each has one line in one table, can be seen, and can be removed at any time."""

import os
import re
import threading
from argparse import ArgumentParser
from pathlib import Path

import pytest
from tiny import group, tiny_folder, write

from conformance import validity
from conformance.cache_command import add_command
from conformance.cache_use import clear, use_of
from conformance.caches import CACHE_VARIABLE, CACHES, GOLDENS_VARIABLE, INDEX, Form, goldens_file, note_use
from conformance.cli import main
from conformance.errors import InvalidOption
from conformance.index import Index
from conformance.kept import entry_of, keep
from conformance.select import Limits
from conformance.store import Store
from conformance.surveyed import Surveyed
from conformance.validity import is_remembered, remember

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """The folder of all caches."""
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    monkeypatch.setenv(GOLDENS_VARIABLE, "")
    return tmp_path / "cache"


@pytest.fixture
def filled(folder):
    """Every cache with two entries, or one where it is one document."""
    for cache in CACHES.values():
        for name in ("a", "b"):
            if cache.form is Form.FOLDER:
                keep(entry_of(cache, Path(name)), "key", {})
            elif cache.form is Form.FOLDERS:
                keep(cache.path / name / "deeper" / "file", "key", {})
            elif cache.form is Form.LINES:
                remember(name * 32)
            elif cache.form is Form.DOCUMENT:
                keep(cache.path, "key", {})
            else:
                store = Store(cache.path, 1 << 20)
                store.put(name.encode(), b"answer")
                store.close()
    return folder


def command(*words):
    """Exit status of ``cache``."""
    parser = ArgumentParser()
    add_command(parser.add_subparsers())
    given = parser.parse_args(["cache", *map(str, words)])
    return given.handler(given)


def shown(capsys):
    """What ``cache`` says: name → the other cells."""
    assert command() == 0
    header, *lines = capsys.readouterr().out.splitlines()
    assert re.split("  +", header.strip()) == ["cache", "bytes", "entries", "last used", "where", "what"]
    return {name: cells for name, *cells in (re.split("  +", line.strip()) for line in lines)}


def test_no_cache_is_named_twice_in_the_sources():
    names = [re.escape(f'"{cache.file}"') for cache in CACHES.values()]
    sources = [path for path in (ROOT / "conformance").rglob("*.py") if path.name != "caches.py"]
    assert [path.name for path in sources if re.search("|".join(names), path.read_text())] == []
    assert len({cache.name for cache in CACHES.values()}) == len(CACHES) == len(names)


def test_every_cache_is_shown_with_what_it_takes(filled, capsys):
    for name, (size, entries, last, where, _) in shown(capsys).items():
        cache = CACHES[name]
        assert (int(size) > 0, int(entries)) == (True, 1 if cache.form is Form.DOCUMENT else 2)
        assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d", last)
        assert where == str(cache.path)


def test_what_was_never_used_takes_nothing(capsys):
    assert {cells[:3] == ["0", "0", "·"] for cells in map(list, shown(capsys).values())} == {True}


USES = {
    "index": lambda: entry_of(INDEX, Path("a")),
    "surveyed": lambda: Surveyed(Limits()),
    "valid": lambda: is_remembered("c" * 32),
}
"""Cache → what a process does that looks into it."""


@pytest.mark.parametrize("name", USES)
def test_a_process_that_looks_into_a_cache_uses_it(name, filled):
    path, long_ago = CACHES[name].path, 10**9
    for place in (path, *path.parent.glob(f"{path.name}/*")):
        os.utime(place, (long_ago, long_ago))
    assert use_of(CACHES[name], path).last == long_ago
    note_use.cache_clear()
    validity._known.cache_clear()
    USES[name]()
    assert use_of(CACHES[name], path).last > long_ago


@pytest.mark.parametrize("names", [[], ["index"], ["goldens", "valid"]])
def test_caches_are_removed_by_name_or_all(names, filled, capsys):
    assert command("clear", *names) == 0
    said = [line.partition(":")[0] for line in capsys.readouterr().out.splitlines()]
    assert said == (names or list(CACHES))
    assert {name for name, cells in shown(capsys).items() if cells[0] == "0"} == set(said)
    assert not any(CACHES[name].path.exists() for name in said)


def test_what_other_versions_and_killed_processes_left_goes_and_files_of_others_stay(filled):
    left = ["index-7", "judged-1.json.4711", "surveyed-2.json", "valid-12"]
    others = ["index-notes", "valid", "judged-1.json.bak", "goldens-1.sqlite.txt", "my-index-1"]
    for name in left + others:
        (filled / name).touch()
    assert command("clear") == 0
    assert sorted(path.name for path in filled.iterdir()) == sorted(others)


def test_goldens_that_lie_elsewhere_or_are_off_are_shown_and_removed_there(filled, tmp_path, monkeypatch, capsys):
    file = goldens_file(str(tmp_path / "elsewhere"))
    Store(file, 1 << 20).close()
    assert command("clear", "goldens", "--golden-cache", file.parent) == 0
    assert not file.exists()
    monkeypatch.setenv(GOLDENS_VARIABLE, "off")
    capsys.readouterr()
    assert shown(capsys)["goldens"][:4] == ["0", "0", "·", "off"]
    assert command("clear", "goldens") == 0
    assert CACHES["goldens"].path.exists()


def test_a_cache_that_there_is_not_is_refused_with_those_that_there_are(capsys):
    with pytest.raises(SystemExit) as exit_:
        command("clear", "indx")
    assert exit_.value.code == 2
    assert "there is no cache 'indx'; there are valid, index, " in capsys.readouterr().err


def test_what_cannot_be_removed_is_said(filled, monkeypatch):
    def refuse(path, missing_ok=False):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "unlink", refuse)
    with pytest.raises(InvalidOption, match=r"valid-1: cannot be removed: Permission denied"):
        command("clear", "valid")


def test_runs_go_on_while_their_cache_is_removed(tmp_path):
    path = write(tiny_folder(tmp_path / "data"), group("plain"))
    ids, over = [card.id for card in Index().cards_of(path)], threading.Event()

    def clear_again_and_again():
        while not over.is_set():
            clear(INDEX, INDEX.path)

    clearing = threading.Thread(target=clear_again_and_again)
    clearing.start()
    try:
        for _ in range(30):
            assert [card.id for card in Index().cards_of(path)] == ids
    finally:
        over.set()
        clearing.join()


def test_a_variable_that_names_a_file_is_one_error_at_both_doors(tmp_path, monkeypatch, capsys, pytester):
    (tmp_path / "file").touch()
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "file"))
    assert main(["list", "activation.silu"]) == 2
    assert capsys.readouterr().err.endswith("/file', which is no folder; name one, or unset it\n")
    path = write(tiny_folder(tmp_path / "data"), group("plain"))
    result = pytester.runpytest_inprocess("-q", str(path))
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: CONFORMANCE_CACHE is *file', which is no folder; name one, or unset it"])


def test_without_a_home_nothing_is_kept_and_everything_runs(monkeypatch, capsys):
    monkeypatch.delenv(CACHE_VARIABLE)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)

    def homeless():
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", homeless)
    assert main(["list", "activation.silu.refusals"]) == 0
    capsys.readouterr()
    assert {tuple(cells[:2]) for cells in shown(capsys).values() if len(cells) > 4} == {("0", "0")}
