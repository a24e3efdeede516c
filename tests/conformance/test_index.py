"""Cards come from the index only while nothing that they were made from has changed; otherwise they are made again."""

import json
import subprocess
import sys

import pytest
from test_template import template, user
from tiny import group, tiny_folder, write

from conformance import carding, index, kept
from conformance.caches import CACHE_VARIABLE
from conformance.data import CONTRACT_FILE
from conformance.errors import InvalidData
from conformance.expand import expand
from conformance.index import Index
from conformance.listing import Bodies, load_listing
from conformance.load import load_case_file

SHARED = ("id", "api", "path", "group", "about", "tier", "products", "facets", "exercises", "is_steady")
TYPES = {"dtype": ["float16", "float32"]}


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def path(tmp_path):
    return write(tiny_folder(tmp_path / "data"), group("plain"), group("zeros", about="another group"))


def made(path, monkeypatch) -> tuple[tuple, bool]:
    """Cards of a file for a process that begins anew, and whether they had to be made."""
    opened, honest = [], carding.load_case_file
    monkeypatch.setattr(carding, "load_case_file", lambda path: opened.append(path) or honest(path))
    cards = Index().cards_of(path)
    monkeypatch.setattr(carding, "load_case_file", honest)
    return cards, bool(opened)


def entries(cache):
    return sorted((cache / "index-1").iterdir())


def test_a_card_says_of_its_case_what_the_case_says(path, monkeypatch):
    for _ in range(2):
        cards, _ = made(path, monkeypatch)
        cases = expand(load_case_file(path))
        assert [[getattr(card, name) for name in SHARED] for card in cards] == [
            [getattr(case, name) for name in SHARED] for case in cases
        ]
        assert [Bodies().case(card) for card in cards] == cases


def test_a_card_knows_the_line_its_group_begins_at(path):
    lines = path.read_text().splitlines()
    starts = {card.group: card.home.line for card in Index().cards_of(path)}
    assert all(name in "".join(lines[line - 1 : line + 2]) for name, line in starts.items())


def test_an_unchanged_file_is_not_opened_again(path, monkeypatch):
    first, opened = made(path, monkeypatch)
    again, reopened = made(path, monkeypatch)
    assert (opened, reopened) == (True, False)
    assert first == again


def change_case_file(path, cache, monkeypatch):
    path.write_text(path.read_text().replace("another group", "one more group"))
    return path


def change_contract(path, cache, monkeypatch):
    contract = path.parent / CONTRACT_FILE
    contract.write_text(contract.read_text().replace("nothing is done", "nothing at all is done"))
    return path


def rename(path, cache, monkeypatch):
    return path.rename(path.with_name("renamed.json"))


def change_code(path, cache, monkeypatch):
    monkeypatch.setattr(index, "code_digest", lambda: b"another version")
    return path


def flip_a_letter(path, cache, monkeypatch):
    (entry,) = entries(cache)
    entry.write_bytes(entry.read_bytes().replace(b"plain", b"plait", 1))
    return path


def cut(path, cache, monkeypatch):
    (entry,) = entries(cache)
    entry.write_bytes(entry.read_bytes()[:-20])
    return path


def empty(path, cache, monkeypatch):
    (entry,) = entries(cache)
    entry.write_bytes(b"")
    return path


def fill_with_noise(path, cache, monkeypatch):
    (entry,) = entries(cache)
    entry.write_bytes(bytes(range(256)))
    return path


def sign_nonsense(path, cache, monkeypatch):
    """An entry under the right key that keeps its own digest and is no list of cards."""
    (entry,) = entries(cache)
    key = entry.read_bytes().split()[0]
    entry.write_bytes(key + b" " + index.hashlib.sha256(b"[1]").hexdigest().encode() + b"\n[1]")
    return path


CHANGES = (
    change_case_file, change_contract, rename, change_code, flip_a_letter, cut, empty, fill_with_noise, sign_nonsense,
)  # fmt: skip


@pytest.mark.parametrize("change", CHANGES)
def test_a_stale_or_corrupt_entry_is_made_again(change, path, cache, monkeypatch):
    made(path, monkeypatch)
    path = change(path, cache, monkeypatch)
    cards, opened = made(path, monkeypatch)
    assert opened
    assert [card.id for card in cards] == [case.id for case in expand(load_case_file(path))]
    assert not made(path, monkeypatch)[1]


def test_a_changed_template_changes_the_cards(tmp_path, monkeypatch):
    root = tmp_path / "data"
    template(root)
    path = user(root)
    before, _ = made(path, monkeypatch)
    template(root, parameters={"values": {"about": "numbers", "default": {"constant": 3}}})
    after, opened = made(path, monkeypatch)
    assert opened
    assert {card.id for card in before}.isdisjoint(card.id for card in after if "longer" not in card.id)


def test_a_file_with_problems_has_no_entry(path, cache, monkeypatch):
    path.write_text(path.read_text().replace('"success"', '"sucess"', 1))
    for _ in range(2):
        with pytest.raises(InvalidData):
            Index().cards_of(path)
    assert not (cache / "index-1").exists() or not entries(cache)


def test_a_case_that_its_file_no_longer_has_is_not_run(path):
    card = load_listing([path]).cards[0]
    path.write_text(path.read_text().replace('"scalar": 0.5', '"scalar": 0.25'))
    with pytest.raises(InvalidData, match="changed meanwhile"):
        Bodies().case(card)


def test_a_cache_that_cannot_be_written_is_done_without(path, cache):
    cache.mkdir()
    (cache / "index-1").write_text("a file where the folder should be")
    assert Index().cards_of(path) == Index().cards_of(path)


def test_the_folder_is_begun_anew_when_it_is_full(path, cache, monkeypatch):
    (cache / "index-1").mkdir(parents=True)
    for number in range(4):
        (cache / "index-1" / f"old{number}").touch()
    monkeypatch.setattr(kept, "_MOST_ENTRIES", 4)
    Index().cards_of(path)
    assert len(entries(cache)) == 1


def test_processes_at_a_time_read_and_write_the_same_entries(path, cache):
    program = (
        "import sys; from pathlib import Path; from conformance.index import Index\n"
        "for _ in range(40):\n"
        "    cards = Index().cards_of(Path(sys.argv[1]))\n"
        "    for entry in Path(sys.argv[2]).glob('index-1/' + '?' * 32):\n"
        "        entry.write_bytes(entry.read_bytes()[: _ * 20])\n"
        "print([card.id for card in cards])"
    )
    command = [sys.executable, "-c", program, str(path), str(cache)]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    printed = {process.communicate()[0].strip() for process in running}
    assert printed == {str([case.id for case in expand(load_case_file(path))])}


def test_an_entry_holds_no_path_of_this_machine(path, cache):
    Index().cards_of(path)
    (entry,) = entries(cache)
    assert str(path.parent) not in entry.read_text()
    assert json.loads(entry.read_text().partition("\n")[2])["api"] == "aclnnTiny"
