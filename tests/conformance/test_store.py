"""A file of answers: what it keeps, what goes when it is full, and what damage costs."""

import sqlite3
from pathlib import Path

import pytest

from conformance.store import Store, clear, count

ROOM = 10_000


def keys(*numbers):
    return [number.to_bytes(16, "big") for number in numbers]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "folder" / "answers.sqlite"


@pytest.fixture
def kept(path):
    """A store with one answer, written and closed."""
    (key,) = keys(1)
    store = Store(path, ROOM)
    store.put(key, b"answer" * 100)
    store.close()
    return path, key


def test_an_answer_is_there_before_and_after_the_store_is_closed(path):
    (key, other) = keys(1, 2)
    store = Store(path, ROOM)
    store.put(key, b"answer")
    assert (store.has(key), store.get(key), store.get(other)) == (True, b"answer", None)
    store.close()
    again = Store(path, ROOM)
    assert (again.has(key), again.get(key), again.trouble) == (True, b"answer", "")
    again.close()


@pytest.mark.parametrize("use", [Store.get, Store.has])
def test_answers_used_the_longest_time_ago_go_first(path, use):
    first, second, third = keys(1, 2, 3)
    for key, used in ((first, None), (second, first)):
        store = Store(path, ROOM)
        store.put(key, bytes(4000))
        assert used is None or store.get(used) is not None
        store.close()
    store = Store(path, ROOM)
    use(store, first)
    store.put(third, bytes(4000))
    store.close()
    assert [Store(path, ROOM).has(key) for key in (first, second, third)] == [True, False, True]


def test_a_set_of_answers_larger_than_the_limit_keeps_the_part_that_fits(path):
    several = keys(*range(5))
    for _ in range(3):
        store = Store(path, ROOM)
        for key in several:
            if store.get(key) is None:
                store.put(key, bytes(4000))
        store.close()
        assert [Store(path, ROOM).has(key) for key in several] == [True, True, False, False, False]


def test_two_processes_keep_what_both_have_written(path):
    mine, theirs = keys(1, 2)
    one, other = Store(path, ROOM), Store(path, ROOM)
    one.put(mine, b"mine")
    other.put(theirs, b"theirs")
    one.put(theirs, b"theirs")
    one.close()
    other.close()
    both = Store(path, ROOM)
    assert (both.get(mine), both.get(theirs)) == (b"mine", b"theirs")


@pytest.mark.parametrize("damage", ["UPDATE content SET value = zeroblob(100)", "DELETE FROM content"])
def test_a_damaged_answer_counts_as_absent_and_can_be_kept_anew(kept, damage):
    path, key = kept
    with sqlite3.connect(path) as file:
        file.execute(damage)
    store = Store(path, ROOM)
    assert store.get(key) is None
    store.put(key, b"new")
    store.close()
    assert Store(path, ROOM).get(key) == b"new"


def test_an_answer_under_another_key_is_none(kept):
    path, key = kept
    with sqlite3.connect(path) as file:
        file.execute("UPDATE content SET key = ?", keys(2))
        file.execute("UPDATE entry SET key = ?", keys(2))
    store = Store(path, ROOM)
    assert (store.get(keys(2)[0]), store.get(key)) == (None, None)
    assert "an answer in it was damaged" in store.trouble


@pytest.mark.parametrize("start", [0, 4096])
def test_a_damaged_file_is_begun_anew(kept, start):
    path, key = kept
    content = bytearray(path.read_bytes())
    content[start : start + 1000] = b"x" * 1000
    path.write_bytes(content)
    store = Store(path, ROOM)
    found = store.get(key)
    assert found is None
    assert "begun anew" in store.trouble
    store.close()
    fresh = Store(path, ROOM)
    fresh.put(key, b"new")
    fresh.close()
    assert (Store(path, ROOM).get(key), Store(path, ROOM).trouble) == (b"new", "")


def test_a_folder_that_cannot_be_made_is_done_without(tmp_path):
    (tmp_path / "taken").write_text("a file")
    store = Store(tmp_path / "taken" / "answers.sqlite", ROOM)
    store.put(*keys(1), b"answer")
    assert store.get(*keys(1)) is None
    assert "is done without" in store.trouble
    store.close()


def test_what_is_cleared_while_a_run_uses_it_is_made_again(kept):
    path, key = kept
    (other,) = keys(2)
    store = Store(path, ROOM)
    clear(path)
    assert count(path) == 0
    assert (store.get(key), store.trouble) == (None, "")
    store.put(key, b"again")
    store.put(other, b"new")
    store.close()
    again = Store(path, ROOM)
    assert [again.get(one) for one in (key, other)] == [b"again", b"new"]
    again.close()


def test_a_file_that_no_run_uses_is_gone_once_it_is_cleared(kept):
    path, _ = kept
    clear(path)
    assert list(path.parent.iterdir()) == []


def test_a_damaged_file_can_be_cleared_and_not_counted(kept):
    path, _ = kept
    path.write_bytes(b"no database" * 100)
    with pytest.raises(sqlite3.DatabaseError):
        count(path)
    clear(path)
    assert not path.exists()


def test_a_folder_that_may_not_be_looked_into_is_done_without(path, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "mkdir", refuse)
    monkeypatch.setattr(Path, "exists", refuse)
    assert "it cannot be used ([Errno 13] Permission denied) and is done without" in Store(path, ROOM).trouble
