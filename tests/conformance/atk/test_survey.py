"""The survey agrees with what a run would say, and is quick."""

import json
import re
import time
from argparse import ArgumentParser

import pytest
from atk_samples import attribute, case, tensor, write_atk

from conformance import copies
from conformance.atk import outlook, rewrites
from conformance.caches import CACHE_VARIABLE
from conformance.foreign.outlook import NEEDS_SCRIPT, NO_CONTRACT, RUNNABLE, TOO_LARGE, UNFIT, UNREADABLE
from conformance.foreign_files import cases_and_problems, cases_or_problem
from conformance.select import Limits
from conformance.survey import survey, surveyed_files
from conformance.survey_command import add_command


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    """The file that surveys are kept in."""
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    return tmp_path / "cache" / "surveyed-1.json"


@pytest.mark.parametrize(
    ("made", "outcome"),
    [
        (case(1, tensor()), RUNNABLE),
        (case(1, tensor(shape=(1 << 20, 1 << 10))), TOO_LARGE),
        (case(1, tensor(), api=" Silu "), RUNNABLE),
        (case(1, tensor(), api="Unheard"), NO_CONTRACT),
        (case(1, tensor(dtype="fp33"), api="Unheard"), NO_CONTRACT),
        (case(1, tensor(), tensor("other")), UNFIT),
        (case(1, tensor(dtype="fp33")), UNREADABLE),
        (case(1, {"type": "tensor"}), UNREADABLE),
        (case(1, tensor(name={})), RUNNABLE),
        (case(1, tensor(), api_type="rewriting"), NEEDS_SCRIPT),
        (case(1, [attribute("dim", 1, kind="attrs")], api="Softmax"), UNFIT),
        (7, UNREADABLE),
    ],
)
def test_every_case_has_one_outcome(made, outcome, tmp_path):
    (tmp_path / "executor.py").write_text("register('rewriting')\nx.kwargs['self'] = 1\n")
    found = survey([write_atk(tmp_path, made, {**made, "id": 2} if isinstance(made, dict) else made)])
    assert found.outcomes == {outcome: 2}
    assert found.cases == 2


@pytest.mark.parametrize("odd", [case(-1, tensor()), case(True, tensor()), case(9, tensor(shape=(-1, 6)))])
def test_one_odd_case_stands_for_itself_alone(odd, tmp_path):
    for cases in ([odd, case(1, tensor()), case(2, tensor())], [case(1, tensor()), case(2, tensor()), odd]):
        assert survey([write_atk(tmp_path, *cases)]).outcomes == {RUNNABLE: 2, UNREADABLE: 1}


def test_of_cases_with_one_id_all_but_the_first_that_can_be_read_are_none(tmp_path):
    cases = [case(1, tensor(dtype="fp33")), case(1, tensor()), case(2, tensor()), case(1, tensor(shape=(2, 2)))]
    path = write_atk(tmp_path, *cases)
    assert survey([path]).outcomes == {RUNNABLE: 2, UNREADABLE: 2}
    assert len(cases_and_problems(path)[1]) == 2
    assert [str(where).rpartition(" at ")[2] for where, _ in survey([path]).not_run()] == ["/0", "/3"]


def test_runnable_is_what_a_run_would_run(tmp_path):
    path = write_atk(tmp_path, case(0, tensor()), case(1, tensor(name="x")), case(2, tensor(), tensor("y")))
    runnable = sum(one.unsupported == "" for one in cases_or_problem(path))
    assert survey([path]).outcomes[RUNNABLE] == runnable == 2


def test_limits_are_those_of_a_run(tmp_path):
    path = write_atk(tmp_path, case(0, tensor(shape=(8, 8))), case(1, tensor(shape=(2, 2))))
    assert survey([path], Limits(max_elements=16)).outcomes == {RUNNABLE: 1, TOO_LARGE: 1}
    assert survey([path], Limits(max_bytes=100)).outcomes == {RUNNABLE: 1, TOO_LARGE: 1}


def test_only_files_that_begin_as_atks_do_are_taken_from_a_folder(tmp_path):
    write_atk(tmp_path, case(0, tensor()))
    (tmp_path / "other.json").write_text('{"a": 1}')
    (tmp_path / "list.json").write_text("[1, 2]")
    assert [path.name for path in surveyed_files([tmp_path])] == ["atk_aclnnSilu.json"]


def command(*words):
    """Exit status of ``survey``."""
    parser = ArgumentParser()
    add_command(parser.add_subparsers())
    given = parser.parse_args(["survey", *map(str, words)])
    return given.handler(given)


@pytest.mark.parametrize(("cases", "status"), [([case(0, tensor())], 0), ([case(0, tensor(), api="Unheard")], 1)])
def test_the_command_is_green_only_where_something_can_be_run(cases, status, tmp_path, capsys):
    write_atk(tmp_path, *cases)
    assert command(tmp_path, "--apis") == status
    assert "1 files, 1 cases of 1 APIs" in capsys.readouterr().out


@pytest.mark.parametrize("indent", [None, 4])
def test_reasons_names_every_case_that_is_not_runnable_in_a_line(indent, tmp_path, capsys):
    cases = [
        case(n, tensor(dtype="fp33") if n % 2 else tensor(), api="Silu\n" if n % 3 else "Un\nheard") for n in range(50)
    ]
    (tmp_path / "atk_aclnnSilu.json").write_text(json.dumps(cases, indent=indent))
    assert command(tmp_path, "--reasons") == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith(str(tmp_path))]
    text = (tmp_path / "atk_aclnnSilu.json").read_text().splitlines()
    assert len(lines) == sum(n % 2 or not n % 3 for n in range(50))
    for line in lines:
        number, place = (int(word) for word in re.match(r".*json:(\d+) at /(\d+): aclnn", line).groups())
        assert line.partition(": aclnn")[2] == (
            "Silu cannot be read: unknown dtype 'fp33'"
            if place % 3
            else "Un\\nheard no contract: this suite has no contract of the API"
        )
        assert number == (1 if indent is None else 1 + [n for n, one in enumerate(text) if one == "    {"][place])


def test_no_name_of_an_api_is_cut_where_output_is_no_terminal(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    name = "Unheard" * 30
    write_atk(tmp_path, case(0, tensor()), case(1, tensor(), api=name))
    command(tmp_path, "--apis")
    assert f"aclnn{name} " in capsys.readouterr().out


def best(act):
    took = []
    for _ in range(5):
        start = time.perf_counter()
        act()
        took.append(time.perf_counter() - start)
    return min(took)


def test_a_survey_takes_about_as_long_as_parsing(tmp_path, cache):
    """Twice as long is what is promised; the limit here leaves room for a busy machine."""
    paths = []
    for number in range(25):
        (tmp_path / str(number)).mkdir()
        cases = (case(i, tensor("gradOutput"), tensor(shape=(i + 1, 7)), api="SiluBackward") for i in range(190))
        paths.append(write_atk(tmp_path / str(number), *cases))

    def anew():
        cache.unlink(missing_ok=True)
        survey(paths)

    anew()
    assert best(anew) < 4 * best(lambda: [json.loads(path.read_bytes()) for path in paths])


@pytest.fixture
def parsed(monkeypatch):
    """Paths of the files that are parsed."""
    paths, honest = [], outlook.read_list
    monkeypatch.setattr(outlook, "read_list", lambda path: paths.append(path) or honest(path))
    copies.scripts_digest.cache_clear()
    yield paths
    copies.scripts_digest.cache_clear()


def test_what_was_surveyed_before_is_not_parsed_again(tmp_path, parsed):
    paths = [write_atk(tmp_path, case(0, tensor()), case(1, tensor(), tensor("y")))]
    first, second = survey(paths), survey(paths)
    assert (first, len(parsed)) == (second, 1)
    assert first.outcomes == {RUNNABLE: 1, UNFIT: 1}


@pytest.mark.parametrize(
    ("change", "outcome"),
    [
        (lambda path, cache: write_atk(path.parent, case(0, tensor(), tensor("y"), api_type="odd")), UNFIT),
        (lambda path, cache: (path.parent / "x.py").write_text("register('odd')\nx.kwargs['self'] = 1"), NEEDS_SCRIPT),
        (lambda path, cache: cache.write_bytes(cache.read_bytes()[:-9]), RUNNABLE),
        (lambda path, cache: cache.write_bytes(cache.read_bytes().replace(b"runnable", b"runnabel")), RUNNABLE),
        (lambda path, cache: cache.write_text("{}"), RUNNABLE),
    ],
)
def test_what_was_changed_since_or_kept_badly_is_counted_again(change, outcome, tmp_path, parsed, cache):
    path = write_atk(tmp_path, case(0, tensor(), api_type="odd"))
    assert survey([path]).outcomes == {RUNNABLE: 1}
    change(path, cache)
    rewrites._scripts.cache_clear()
    copies.scripts_digest.cache_clear()
    assert survey([path]).outcomes == {outcome: 1}
    assert len(parsed) == 2


def test_other_limits_are_another_question(tmp_path, parsed):
    path = write_atk(tmp_path, case(0, tensor(shape=(8, 8))))
    assert survey([path]).outcomes == {RUNNABLE: 1}
    assert survey([path], Limits(max_elements=16)).outcomes == {TOO_LARGE: 1}


def test_files_that_are_none_are_named_each_time(tmp_path, parsed):
    path = tmp_path / "atk_aclnnSilu.json"
    path.write_text('[{"aclnn_name": 1,}]')
    for _ in range(2):
        (problem,) = survey([path]).problems
        assert "malformed JSON" in str(problem)
