"""The command ``faults`` and the runner ``fault:ID``."""

import json

import pytest

from conformance.cli import main
from conformance.discover import find_runner
from conformance.errors import UnknownRunner
from conformance.tier import SMOKE
from runners.faults import score as scoring
from runners.faults.catalogue import choose
from runners.faults.hunt import Catch
from runners.faults.page import page
from runners.faults.score import by_class, by_difficulty, scores_of, why_red


def test_the_list_names_faults_without_running_any(capsys):
    assert main(["faults", "--list", "--class", "alias"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(choose(classes=["alias"]))
    assert all(line.startswith("alias") for line in lines)


def test_a_hunt_prints_a_table_and_writes_json_and_a_page(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    words = ["--fault", "axis_is_always_first", "--api", "aclnnSoftmaxBackward"]
    assert main(["faults", *words, "--markdown", "page.md"]) == 0
    written = json.loads((tmp_path / "build" / "faults.json").read_text("utf-8"))
    (fault,) = written["faults"]
    assert (fault["id"], fault["caught"], fault["class"]) == ("axis_is_always_first", True, "attribute")
    (place,) = fault["implementations"]
    assert place["caught_by"][0]["case"].startswith("activation.softmax_backward.")
    assert "| `axis_is_always_first` | easy |" in (tmp_path / "page.md").read_text("utf-8")
    assert "attribute" in capsys.readouterr().out


def test_a_fault_that_applies_nowhere_is_no_success(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["faults", "--fault", "cores_of_910b_on_950", "--product", "ascend910"]) == 1
    assert "no fault applies to any implementation" in capsys.readouterr().out


def test_an_unknown_fault_is_bad_use(capsys):
    assert main(["faults", "--fault", "nonsense"]) == 2
    assert "no fault or class nonsense" in capsys.readouterr().err


def test_the_runner_has_the_fault_and_says_so():
    info = find_runner("fault:strides_ignored").describe()
    assert (info.name, info.facts["fault"]) == ("fault:strides_ignored", "inputs are read densely from their offset on")
    with pytest.raises(UnknownRunner, match="no fault or class nonsense"):
        find_runner("fault:nonsense")


def found(fault, places):
    return [Catch(fault.id, api, product, "a.b.c.d.h1", "failed", "") for api, product in places]


def test_a_hunt_keeps_to_the_apis_named(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["faults", "--fault", "strides_ignored", "--api", "aclnnSilu", "--api", "aclnnInplaceSigmoid"]) == 0
    (fault,) = json.loads((tmp_path / "build/faults.json").read_text())["faults"]
    assert {place["api"] for place in fault["implementations"]} == {"aclnnSilu", "aclnnInplaceSigmoid"}


def test_a_fault_is_caught_only_if_every_implementation_shows_it():
    (fault,) = choose(["strides_ignored"])
    (nowhere,) = scores_of([fault], [])
    (partly,) = scores_of([fault], found(fault, nowhere.places[:1]))
    (fully,) = scores_of([fault], found(fault, nowhere.places))
    assert (nowhere.is_caught, partly.is_caught, fully.is_caught) == (False, False, True)
    assert partly.missed == partly.places[1:]
    (row,) = by_class([partly])
    assert (row.faults, row.caught, row.missed, row.found) == (1, 0, 1, 1)
    assert f"| {len(partly.places)} | 1 |" in page([partly])


def test_the_aim_is_all_of_the_easy_and_nearly_all_of_the_hard():
    (easy,), hard = choose(["strides_ignored"]), [f for f in choose() if f.difficulty.value == "hard"]
    scores = scores_of([easy, *hard], [])
    caught = scores_of([easy, *hard], [c for s in scores for c in found(s.fault, s.places)])
    assert why_red(caught) == []
    assert why_red([scores[0], *caught[1:]]) == ["1 easy or medium faults are missed"]
    half = [*caught[: len(caught) // 2], *scores[len(caught) // 2 :]]
    assert f"of {len(hard)} hard faults are caught, {scoring.LEAST_SHARE:.0%} are due" in why_red(half)[0]
    assert [row.name for row in by_difficulty(caught)] == ["easy", "hard"]


def test_the_smoke_tier_may_miss_one_fault_in_twenty():
    faults = choose()[:40]
    scores = scores_of(faults, [])
    caught = scores_of(faults, [c for s in scores for c in found(s.fault, s.places)])
    assert why_red([*scores[:2], *caught[2:]], SMOKE) == []
    assert why_red([*scores[:3], *caught[3:]], SMOKE) == ["37 of 40 faults are caught, 95% are due"]
