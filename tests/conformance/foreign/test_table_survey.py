"""The survey looks at TTK's tables and msopst's lists too, and agrees with what a run would say."""

import json
import time

import pytest

from conformance.foreign.outlook import NEEDS_SCRIPT, NO_CONTRACT, RUNNABLE, TOO_LARGE, UNFIT, UNREADABLE
from conformance.foreign_files import cases_or_problem
from conformance.select import Limits
from conformance.survey import survey, surveyed_files

HEAD = "testcase_name,op_name,input_shapes,input_dtypes,input_strides\n"
X = {"format": ["ND"], "type": ["float"], "shape": [[3, 5], [100, 20]]}


def table(folder, *rows):
    path = folder / "ttk.csv"
    path.write_text(HEAD + "\n".join(rows))
    return path


def listed(folder, *cases):
    path = folder / "case.json"
    path.write_text(json.dumps([{"case_name": "a", "op": "Silu", "input_desc": [X], **case} for case in cases]))
    return path


@pytest.mark.parametrize(
    ("row", "outcome"),
    [
        ('a,Silu,"((3, 5),)",float32', RUNNABLE),
        ('a,Silu,"((1048576, 1024),)",float32', TOO_LARGE),
        ('a,Unheard,"((3, 5),)",float32', NO_CONTRACT),
        ('a,Silu,"((3, 5), (3,))",float32', UNFIT),
        ('a,Silu,"((-1, 5),)",float32', UNFIT),
        ('a,Silu,"((3, 5),)",float33', UNREADABLE),
        ('a,SwigluGroup,"((3, 6),)",float32', NEEDS_SCRIPT),
    ],
)
def test_every_row_has_one_outcome(row, outcome, tmp_path):
    assert survey([table(tmp_path, row, row)]).outcomes == {outcome: 2}


@pytest.mark.parametrize(
    ("case", "outcomes"),
    [
        ({}, {RUNNABLE: 2}),
        ({"op": "Unheard"}, {NO_CONTRACT: 2}),
        ({"attr": [{"name": "a", "value": 1}]}, {UNFIT: 2}),
        ({"expect": "sometimes"}, {UNREADABLE: 1}),
        ({"fuzz_impl": "fuzz.py:make"}, {NEEDS_SCRIPT: 1}),
    ],
)
def test_every_combination_has_one_outcome(case, outcomes, tmp_path):
    assert survey([listed(tmp_path, case)]).outcomes == outcomes


def test_cases_that_are_not_runnable_are_told_by_line_or_place(tmp_path):
    rows = table(tmp_path, 'a,Silu,"((3, 5),)",float32', 'b,Silu,"((3,\n 5),)",float33', "", "c,Unheard,,")
    cases = listed(tmp_path, {}, {"op": "Unheard"}, {"fuzz_impl": "fuzz.py:make"})
    assert [(str(where), outlook.outcome) for where, outlook in survey([rows, cases]).not_run()] == [
        (f"{rows}:3", UNREADABLE),
        (f"{rows}:6", NO_CONTRACT),
        (f"{cases}:1 at /1", NO_CONTRACT),
        (f"{cases}:1 at /2", NEEDS_SCRIPT),
    ]


@pytest.mark.parametrize(
    ("text", "what"), [("a,b\n1,2\n", ":1: does not begin with the header"), ("", "holds no case")]
)
def test_a_table_that_is_named_and_is_none_of_cases_says_so(text, what, tmp_path):
    path = tmp_path / "odd.csv"
    path.write_text(text)
    (problem,) = survey([path]).problems
    assert str(problem).startswith(str(path))
    assert what in str(problem)


def test_limits_are_those_of_a_run(tmp_path):
    path = listed(tmp_path, {})
    assert survey([path], Limits(max_elements=100)).outcomes == {RUNNABLE: 1, TOO_LARGE: 1}
    assert survey([path], Limits(max_bytes=100)).outcomes == {RUNNABLE: 1, TOO_LARGE: 1}


def test_a_folder_holds_files_of_all_suites(tmp_path):
    paths = [listed(tmp_path, {}), table(tmp_path, 'a,Silu,"((3, 5),)",float32')]
    (tmp_path / "other.csv").write_text("a,b\n")
    assert surveyed_files([tmp_path]) == sorted(paths)
    found = survey(surveyed_files([tmp_path]))
    assert (
        found.outcomes[RUNNABLE] == 3 == sum(one.unsupported == "" for path in paths for one in cases_or_problem(path))
    )


def test_a_large_table_is_looked_at_in_seconds(tmp_path):
    path = table(tmp_path, *(f'a{n},Silu,"(({n % 40 + 1}, 5),)","(\'float16\',)",' for n in range(1000)))
    start = time.perf_counter()
    assert survey([path]).outcomes == {RUNNABLE: 1000}
    assert time.perf_counter() - start < 5
