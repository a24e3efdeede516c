"""The bench frame: what is met, what is missed, what noise excuses, and that nothing green comes of nothing."""

from __future__ import annotations

from itertools import cycle

import pytest

from benchmarks.__main__ import main
from benchmarks.case_set import make_case_set
from benchmarks.clocks import allocated, command_peak, cpu_seconds, finished, python, seconds
from benchmarks.tables import amount
from benchmarks.target import Contest, Figure, Found, Setting, Target
from benchmarks.targets import all_targets
from conformance.listing import load_listing


@pytest.fixture(autouse=True)
def no_results_of_the_project_are_written(tmp_path, monkeypatch):
    monkeypatch.setattr("benchmarks.__main__.RESULTS", tmp_path / "results.md")


def target(figure=Figure.RATIO, *, measured=(1.0,), peer=(1.0,), floor=2.0, aim=1.0, name="tiny", slow=False):
    """A target whose measurements are given."""
    ours, theirs = cycle(measured), cycle(peer)
    contest = Contest(lambda: next(ours), None if figure is Figure.ALONE else lambda: next(theirs))
    return Target(name, "a fake", figure, floor, aim, lambda setting: contest, slow=slow)


@pytest.mark.parametrize(
    ("fake", "missed", "says"),
    [
        (target(measured=(1.0,)), False, "met, aim too"),
        (target(measured=(1.5,)), False, "met by 25%, aim missed by 50%"),
        (target(measured=(3.0,)), True, "missed by 50%"),
        (target(Figure.SPEEDUP, peer=(4.0,), aim=4.0), False, "met, aim too"),
        (target(Figure.SPEEDUP, peer=(1.0,), aim=4.0), True, "missed by 100%"),
        (target(Figure.BEYOND, measured=(5.0,), peer=(4.0,)), False, "met, aim too"),
        (target(Figure.BEYOND, measured=(9.0,), peer=(4.0,)), True, "missed by 150%"),
        (target(Figure.ALONE, measured=(2.5,)), True, "missed by 25%"),
    ],
)
def test_a_target_is_met_or_missed_by_its_median(fake, missed, says, capsys):
    assert main([], [fake]) == int(missed)
    assert says in capsys.readouterr().out


def test_noise_excuses_a_miss_no_larger_than_itself_and_never_much():
    fake = target()
    assert not Found(fake, (1.7, 1.9, 2.1, 2.3, 2.5), (1.0,) * 5).is_missed
    assert "within noise" not in Found(fake, (1.0, 1.0, 3.0, 6.0, 9.0), (1.0,) * 5).result, "too noisy to excuse this"
    assert Found(fake, (2.1,) * 5, (1.0,) * 5).is_missed


def test_measurements_are_paired_by_round_so_that_a_load_that_grows_is_no_miss():
    assert Found(target(), (1.0, 2.0, 4.0, 8.0, 16.0), (1.0, 2.0, 4.0, 8.0, 16.0)).figure == 1.0


def test_measured_and_peer_take_turns_and_the_first_round_does_not_count(capsys):
    calls = []
    contest = Contest(
        lambda: calls.append("ours") or float(len(calls)),
        lambda: calls.append("peer") or 1.0,
        lambda: calls.append("end"),
    )
    main(["--quick"], [Target("turns", "a fake", Figure.RATIO, 100, 100, lambda setting: contest)])
    assert calls == ["peer", "ours"] * 4 + ["end"]
    assert "6.00×" in capsys.readouterr().out


def test_a_target_that_cannot_be_measured_is_missed_and_the_others_are_still_run(capsys):
    def broken(setting):
        raise RuntimeError("no compiler")

    assert main([], [Target("broken", "a fake", Figure.ALONE, 1, 1, broken), target(name="other")]) == 1
    printed = capsys.readouterr().out
    assert "not measured: RuntimeError: no compiler" in printed
    assert "1 of 2 met; missed: broken" in printed


def test_targets_are_chosen_by_the_beginning_of_their_names_and_none_is_an_error(capsys):
    fakes = [target(name="a.one"), target(name="a.two"), target(name="b")]
    assert main(["--only", "a."], fakes) == 0
    assert "2 of 2 met" in capsys.readouterr().out
    assert main(["--only", "z"], fakes) == 2
    assert "no target begins with z" in capsys.readouterr().err


def test_quick_runs_leave_slow_targets_out_unless_named(capsys):
    fakes = [target(name="slow", slow=True), target(name="quick")]
    main(["--quick"], fakes)
    assert "1 of 1 met" in capsys.readouterr().out
    main(["--quick", "--only", "slow"], fakes)
    assert "1 of 1 met" in capsys.readouterr().out


def test_the_page_has_a_row_for_every_target(tmp_path):
    page = tmp_path / "results.md"
    main(["--only", "t", "--output", str(page)], [target(measured=(3.0,)), target(name="two")])
    text = page.read_text(encoding="utf-8")
    assert "| `tiny` | a fake | 3.00× | 2.00× | 1.00× | 0% | 3 s | 1 s | missed by 50% |" in text
    assert "1 of 2 targets met" in text


def test_a_preparation_has_a_folder_of_its_own_and_smaller_sizes_in_a_quick_run(tmp_path):
    assert Setting(tmp_path).size(100) == 100
    assert Setting(tmp_path, quick=True).size(100) == 10
    seen = []

    def prepare(setting):
        seen.append(setting.folder)
        assert setting.folder.is_dir()
        return Contest(lambda: 1.0)

    main([], [Target("folder", "a fake", Figure.ALONE, 1, 1, prepare)])
    assert not seen[0].exists()


def test_clocks_measure_what_they_say():
    assert 0 < seconds(lambda: sum(range(1000)), calls=3)() < 1
    assert 0 < cpu_seconds(lambda: sum(range(100_000)))() < 1
    assert allocated(lambda: bytearray(1 << 20))() >= 1 << 20
    assert finished(python("-c", "print(7)")) == "7\n"
    with pytest.raises(RuntimeError, match="ended with 3"):
        finished(python("-c", "raise SystemExit(3)"))


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [(0.25, "s", "250 ms"), (12.5e-6, "s", "12.5 µs"), (2.0, "s", "2 s"), (0.0, "s", "0 s"), (3 << 20, "B", "3.0 MiB")],
)
def test_amounts_are_written_with_their_unit(value, unit, text):
    assert amount(value, unit) == text


def test_names_are_unique_and_aims_no_weaker_than_floors():
    targets = all_targets()
    assert len({target.name for target in targets}) == len(targets) > 10
    for one in targets:
        assert one.aim >= one.floor if one.larger_is_better else one.aim <= one.floor, one.name


def test_the_peak_of_a_command_is_its_own():
    held = bytearray(200 << 20)
    nothing, much = (command_peak(python("-S", "-c", code))() for code in ("pass", "b'x' * (90 << 20)"))
    assert nothing < 60 < 90 < much < len(held) >> 20


def test_a_case_set_of_any_size_has_no_id_twice(tmp_path):
    listing = load_listing([make_case_set(tmp_path, 300)])
    assert listing.problems == ()
    assert len({card.id for card in listing.cards}) == len(listing.cards) >= 300
