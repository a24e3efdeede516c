"""What is kept of the suite's cases is what they say; kept of other data, or spoiled, it is made anew."""

import json

import pytest
from shipped import shipped_cases
from tiny import REFUSED, prelu_cases, prelu_group

from conformance import judgeable
from conformance.caches import CACHE_VARIABLE
from conformance.corpus import Corpus
from conformance.judgeable import suite_cases


def said(cases):
    """Everything of some cases that a verdict made again depends on."""
    return {case.id: (case.facets, case.expectation, case.steps_taken, case.standard) for case in cases}


def is_same(one, other):
    """Whether two cases say the same, NaN being NaN."""
    alike = one.expectation == other.expectation or str(one.expectation) == str(other.expectation)
    parts = ("id", "facets", "steps_taken", "standard")
    return alike and all(getattr(one, part) == getattr(other, part) for part in parts)


@pytest.fixture
def kept(tmp_path, monkeypatch):
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    return tmp_path / "cache" / "judged-1.json"


@pytest.fixture
def loads(tmp_path, monkeypatch):
    """Cases of a small suite, and how often they are loaded."""
    loads = []
    cases = tuple(prelu_cases(tmp_path / "data", prelu_group(), REFUSED))

    def load_corpus():
        loads.append(cases)
        return Corpus((), cases, ())

    monkeypatch.setattr(judgeable, "load_corpus", load_corpus)
    return loads


def test_all_that_the_suites_cases_say_is_kept():
    written = json.loads(json.dumps(judgeable._written(shipped_cases())))
    kept = judgeable._cases_of(written)
    assert [case.id for case in shipped_cases() if not is_same(case, kept.pop(case.id))] == []
    assert not kept


def test_the_second_time_no_case_is_loaded(kept, loads):
    first, second = suite_cases(), suite_cases()
    assert len(loads) == 1
    assert said(first.values()) == said(second.values()) == said(loads[0])
    assert [file.name for file in kept.parent.glob(f"{kept.name}*")] == [kept.name]


@pytest.mark.parametrize(
    "spoil",
    [
        lambda text: b"",
        lambda text: text[:-1],
        lambda text: text.replace(b"ACLNN", b"ACLNM").replace(b"workspace", b"workspaca"),
        lambda text: b"x" + text[1:],
        lambda text: b"\xff\n" + text,
    ],
)
def test_what_is_spoiled_is_made_anew(kept, loads, spoil):
    suite_cases()
    whole = kept.read_bytes()
    kept.write_bytes(spoil(whole))
    assert kept.read_bytes() != whole
    suite_cases()
    assert (len(loads), kept.read_bytes()) == (2, whole)


@pytest.mark.parametrize("changed", ["data_digest", "code_digest"])
def test_other_data_or_other_sources_are_another_suite(kept, loads, changed, monkeypatch):
    suite_cases()
    monkeypatch.setattr(judgeable, changed, lambda: b"other")
    suite_cases()
    assert len(loads) == 2


def test_a_cache_that_cannot_be_written_is_done_without(tmp_path, loads, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "file" / "cache"))
    assert said(suite_cases().values()) == said(loads[0])


def test_bad_data_is_not_kept(kept, loads, monkeypatch):
    monkeypatch.setattr(judgeable, "load_corpus", lambda: Corpus((), (), ("a problem",)))
    assert suite_cases() == {}
    assert not kept.exists()
