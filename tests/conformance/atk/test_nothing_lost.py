"""Nothing that a user selects is left out in silence: cases in files of another name, broken files, broken cases."""

import pytest
from atk_samples import case, tensor, write_atk

import runners.reference.runner  # noqa: F401 - pytester forgets modules, and torch cannot be imported twice
from conformance.cli import main
from conformance.listing import load_listing
from conformance.record import read_record
from conformance.survey import survey, surveyed_files

ACTIVATIONS = (case(0, tensor(), api="Silu"), case(1, tensor(), api="aclnnRelu"))


def test_cases_of_any_api_are_found_in_a_file_that_is_named_after_another(tmp_path, capsys):
    path = write_atk(tmp_path, *ACTIVATIONS, api="Activations")
    ids = [card.id for card in load_listing([path]).cards]
    for selectors in (["atk.silu"], ["atk.relu.atk_aclnnactivations"], ids[:1], ids[1:]):
        for place in (tmp_path, path):
            assert main(["list", "--paths", str(place), *selectors]) == 0
            assert capsys.readouterr().out.split() == [one for one in ids if one.startswith(selectors[0])]


def test_a_name_that_is_written_with_escapes_is_found_too(tmp_path, capsys):
    path = write_atk(tmp_path, *ACTIVATIONS, api="Activations")
    path.write_text(path.read_text().replace('"Silu"', '"\\u0053ilu"'))
    assert main(["list", "--paths", str(tmp_path), "atk.silu"]) == 0


def test_a_file_without_a_case_that_a_selector_may_pick_is_not_read(tmp_path):
    write_atk(tmp_path, *ACTIVATIONS)
    (tmp_path / "atk_aclnnElu.json").write_text("[")
    assert not load_listing([tmp_path], ["atk.silu"]).problems
    assert load_listing([tmp_path], ["atk.elu"]).problems


def test_a_selector_that_fits_none_of_the_files_says_so(tmp_path, capsys):
    path = write_atk(tmp_path, *ACTIVATIONS)
    assert main(["list", "--paths", str(path), "activation.silu"]) == 2
    assert "matches no case" in capsys.readouterr().err


BROKEN = {
    "atk_aclnnElu.json": "",
    "arch22_atk_aclnnElu.json": "[]",
    "all_aclnnElu.json": '{"version": 1, "cases": []}',
    "atk_elu.json": "[1]",
    "ttk_elu.csv": "a,b\n1,2\n",
    "msopst_elu.json": "{",
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_file_that_is_broken_but_for_its_name_makes_a_run_of_its_folder_red(name, tmp_path, pytester, capsys):
    write_atk(tmp_path, *ACTIVATIONS)
    (tmp_path / "package.json").write_text("[]")
    (tmp_path / "table.csv").write_text("a,b\n1,2\n")
    broken = tmp_path / name
    broken.write_text(BROKEN[name])
    assert main(["run", "--paths", str(tmp_path), "--record", str(tmp_path / "r.jsonl")]) == 1
    out, err = capsys.readouterr()
    assert "not conforming: 1 problem in the data, named above" in out
    assert err.startswith(f"error: {broken}")
    assert [f"error: {text}\n" for text in read_record(tmp_path / "r.jsonl").complaints] == [err]
    found = survey(surveyed_files([tmp_path]))
    assert [found.files, found.cases] == [2, 2 + (name == "atk_elu.json")]


@pytest.mark.parametrize("name", BROKEN)
def test_pytest_says_why_a_file_that_it_is_given_is_none(name, pytester):
    broken = pytester.path / name
    broken.write_text(BROKEN[name])
    result = pytester.runpytest_inprocess("-q", str(broken))
    assert result.ret == 1
    result.stdout.fnmatch_lines([f"*{broken}*"])


def test_an_imported_file_keeps_its_name_and_is_none_of_another_suite(tmp_path, capsys):
    path = write_atk(tmp_path, *ACTIVATIONS)
    assert main(["import", str(path), "-o", str(tmp_path / "native")]) == 0
    listing = load_listing([tmp_path / "native"])
    assert len(listing.cards) == 2
    assert not listing.problems


@pytest.mark.parametrize("words", [[], ["-n", "2"], ["-k", "atk.relu"], ["--shard", "1/1"]])
def test_pytest_runs_what_can_be_read_and_ends_red_as_the_native_run_does(words, pytester, tmp_path, capsys):
    path = write_atk(tmp_path, *ACTIVATIONS, case("x", tensor()))
    ours, theirs = tmp_path / "ours.jsonl", tmp_path / "theirs.jsonl"
    assert main(["run", "--paths", str(path), "--record", str(ours)]) == 1
    result = pytester.runpytest_inprocess("-q", str(path), "--record", str(theirs), *words)
    result.assert_outcomes(passed=1 if "-k" in words else 2, failed=1, deselected=2 if "-k" in words else 0)
    result.stdout.fnmatch_lines([f"{path}:1 at /2/id: the id is 'x'*", "not conforming: 1 problem in the data*"])
    (problem,) = read_record(ours).complaints
    assert problem.startswith(f"{path}:1 at /2/id: the id is 'x'")
    assert read_record(theirs).complaints == (problem,)


def test_collecting_alone_lists_what_can_be_read_and_is_an_error(pytester, tmp_path):
    path = write_atk(tmp_path, *ACTIVATIONS, case("x", tensor()))
    result = pytester.runpytest_inprocess("-q", "--collect-only", str(path))
    assert result.ret == 2
    result.stdout.fnmatch_lines(["*atk.silu.*", "*atk.relu.*", "*the id is 'x'*"])


def test_import_of_a_folder_names_broken_files_and_writes_the_others(tmp_path, capsys):
    write_atk(tmp_path, *ACTIVATIONS)
    broken = write_atk(tmp_path, api="Elu")
    assert main(["import", str(tmp_path), "-o", str(tmp_path / "native")]) == 2
    out, err = capsys.readouterr()
    assert "2 cases in 2 native files" in out
    assert err.startswith(f"error: {broken}: ")
