"""Bad data: one readable problem with file, line and JSON pointer; the other files still load and run."""

import json

import pytest
from tiny import (
    CONTRACT,
    group,
    prelu_folder,
    prelu_group,
    problems_of,
    refusal,
    tiny_folder,
    with_arguments,
    write,
)

import runners.reference.runner  # noqa: F401 - pytester forgets modules, and torch cannot be imported twice
from conformance.case import ELEMENT_CAP
from conformance.cli import main
from conformance.corpus import load_corpus

X = {"dtype": "float32", "shape": [2, 3]}


def x(**changes):
    return with_arguments(x={**X, **changes})


SCHEMA = [
    (group(abuot="typo"), "/groups/0: unknown key 'abuot'; known keys are about, after, arguments"),
    (group(about=None), "/groups/0: 'about' is missing"),
    (group(name="And So"), '/groups/0/name: "And So" does not match ^[a-z]'),
    (group(name="not"), '/groups/0/name: "not" is not allowed here'),
    (group(axes=5), "/groups/0/axes: 5 is not of type object"),
    (group(products=["ascend999"]), '/groups/0/products/0: "ascend999" is not one of ascend950'),
    (group(expect="failure"), "/groups/0/expect: 'success' was expected"),
    (group(expect={"reject": "PARAM_INVALID"}), "/groups/0/expect: 'phase' is missing"),
    (x(dtype=3), "/groups/0/arguments/x/dtype: 3 is not of type string"),
    (x(shape=[2, -1]), "/groups/0/arguments/x/shape/1: -1 "),
    (x(shpae=[2]), "/groups/0/arguments/x: unknown key 'shpae'; known keys are alias, dtype, format"),
    (x(values={"uniform": [0]}), "/groups/0/arguments/x/values/uniform: [0] "),
    (x(values={"gauss": [0, 1]}), "/groups/0/arguments/x/values: unknown key 'gauss'"),
    (x(values={"list": ["NaN"]}), '/groups/0/arguments/x/values/list/0: "NaN" '),
    (x(layout={"step": 0}), "/groups/0/arguments/x/layout/step: 0 "),
    (group(steps=["jump"]), '/groups/0/steps/0: "jump" '),
    (group(steps=[{"do": "run", "status": "bad"}]), '/groups/0/steps/0/status: "bad" does not match'),
]
SPECIFICATION = [
    (x(dtype="float33"), "/groups/0/arguments/x: group 'plain': x: unknown dtype 'float33' (dtypes are float32,"),
    (x(format="NDX"), "/groups/0/arguments/x: group 'plain': x: unknown format 'NDX' (formats are UNDEFINED,"),
    (x(layout="rotated"), "/groups/0/arguments/x: group 'plain': x: unknown layout 'rotated'"),
    (x(layout={"chunk": {"of": 4, "at": 2}}), "/groups/0/arguments/x: group 'plain': x: a row of 4 elements"),
    (x(values={"list": [1, 2]}), "/arguments/x: group 'plain': x: a list of 2 values for 6 elements (list 6 values)"),
    (x(values={"list": [1, 2], "each": 2}), "x: a list of 2 values, each 2 times, for 6 elements (list 3 values)"),
    (x(values={"specials": "rare"}), "x: no special-value set 'rare'; sets are every, finite"),
    (x(values={"each": 2}), "/arguments/x: group 'plain': x: values name one kind of list, uniform"),
    (x(values={"simplex": {"axis": 2}}), "/arguments/x: group 'plain': x: axis 2 is out of bounds"),
    (x(dtype="$d"), "/arguments/x: group 'plain': $d refers to an undeclared axis (axes are none)"),
    (with_arguments(x={"alias": "z"}), "/arguments/x: group 'plain': x: alias 'z' names no tensor of this call"),
    (with_arguments(x={"alias": "x"}), "/arguments/x: group 'plain': x: alias 'x' names no tensor of this call"),
    (with_arguments(x={"alias": "y", "dtype": "int8"}), "x: an alias has everything from 'y' (drop the other keys)"),
    (with_arguments(x={"shape": [2]}), "/arguments/x: group 'plain': x lacks dtype"),
    (with_arguments(x=1), "/arguments/x: group 'plain': x is a tensor; write an object with dtype and shape"),
    (with_arguments(z=None), "/arguments/z: group 'plain': aclnnTiny has no parameter 'z' (it has axis, factor, x, y)"),
    (with_arguments(axis=None), "/arguments/axis: group 'plain': axis is no pointer, it cannot be null"),
    (with_arguments(axis=0.5), "/arguments/axis: group 'plain': axis is of kind int64, 0.5 is not"),
    (with_arguments(factor=2), "/arguments/factor: group 'plain': factor is an aclScalar; write"),
    (with_arguments(factor={"scalar": "nan", "dtype": "int32"}), "/arguments/factor: group 'plain': factor: "),
    (group(arguments={"x": X}), "/groups/0/arguments: group 'plain': argument 'factor' is missing"),
    (group(axes={"d": "@nowhere"}), "/groups/0/axes/d: group 'plain': axis 'd' uses unknown set '@nowhere' (sets are"),
    (group(expect={"reject": "OOPS", "phase": "run"}, control="plain"), "/groups/0/control: group 'plain': control"),
    (group(expect=refusal()), "/groups/0/expect: group 'plain': a refusal without control (name the legal group"),
    (group(like="nobody"), "/groups/0/like: group 'plain': like 'nobody' names no other group"),
    (group(violates="c99"), "/groups/0/violates: group 'plain': violates 'c99', which the contract of aclnnTiny"),
    (group(violates="c4"), "/groups/0/violates: group 'plain': c4 cannot be broken starting from these arguments"),
    (group(expect={"success": {"outputs": {"z": [1]}}}), "/groups/0/expect: group 'plain': expect names z (outputs"),
    (
        group(expect={"success": {"outputs": {"y": [1]}}}),
        "/groups/0/expect: group 'plain': y: 1 values stated for 6 elements",
    ),
    (group(axes={"a": [1, 1]}), "/groups/0: duplicate id demo.tiny.numeric.plain.1.h"),
    (group(axes={"unused": [1, 2]}), "/groups/0: demo.tiny.numeric.plain.2.h"),
    (x(shape=[ELEMENT_CAP + 1]), f"/arguments/x: group 'plain': x has {ELEMENT_CAP + 1} elements, the cap is"),
]


@pytest.mark.parametrize(("body", "message"), [*SCHEMA, *SPECIFICATION], ids=lambda value: str(value)[:60])
def test_a_bad_group_is_one_problem(body, message, tmp_path):
    problems = problems_of(tmp_path, body)
    assert len(problems) == 1, problems
    assert message in problems[0]
    place = problems[0].partition(" at /groups")[0]
    assert place.startswith(f"{tmp_path}/demo/tiny/numeric.json:")


def test_the_line_is_that_of_the_value(tmp_path):
    body = group("second", arguments={**group()["arguments"], "x": {**X, "dtype": "float33"}})
    (problem,) = problems_of(tmp_path, group(), body)
    lines = (tmp_path / "demo" / "tiny" / "numeric.json").read_text().splitlines()
    line = int(problem.split(":")[1].split()[0])
    assert '"x": {' in lines[line - 1]
    assert line > len(lines) // 2


def test_what_a_group_inherits_is_said_at_the_group_itself(tmp_path):
    heir = {"name": "heir", "about": "inherits an undeclared axis", "like": "plain", "expect": "success"}
    problems = problems_of(tmp_path, x(dtype="$d"), heir)
    assert [problem.partition(" at ")[2].partition(":")[0] for problem in problems] == [
        "/groups/0/arguments/x",
        "/groups/1",
    ]


@pytest.mark.parametrize(
    ("groups", "top", "message"),
    [
        ([group(), group()], {}, "/groups/1/name: group 'plain' stands twice"),
        ([], {}, "/groups: [] "),
        ([group()], {"api": "aclnnOther"}, "/api: unknown API 'aclnnOther' (contracts here are of aclnnTiny)"),
        ([group()], {"api": "tiny"}, '/api: "tiny" does not match ^aclnn'),
        ([group()], {"extra": 1}, "numeric.json:1: unknown key 'extra'; known keys are $schema, about, api"),
        ([group()], {"sets": {"s": [{"value": 1, "colour": 2}]}}, "/sets/s/0: unknown key 'colour'"),
    ],
)
def test_a_bad_document_is_one_problem(groups, top, message, tmp_path):
    problems = problems_of(tmp_path, *groups, **top)
    assert len(problems) == 1, problems
    assert message in problems[0]


BAD_FILES = {
    "empty.json": (b"", "empty.json:1: malformed JSON"),
    "array.json": (b"[1, 2]", "array.json:1: [1, 2] is not of type object"),
    "malformed.json": (b'{"api": "aclnnTiny",\n "groups": [}', "malformed.json:2: malformed JSON"),
    "twice.json": (b'{"api": "a",\n "api": "b"}', "twice.json:2 at /api: key 'api' stands twice"),
    "nan.json": (b'{"api": "aclnnTiny",\n\n "about": NaN}', "nan.json:3 at /about: NaN is not JSON"),
    "huge.json": (b'{"about": 1e999}', "huge.json:1 at /about: 1e999 does not fit a float64"),
    "latin.json": (b'{"about": "\xe9\xe9"}', "latin.json: not UTF-8"),
    "deep.json": (b'{"groups": ' + b"[" * 5000 + b"]" * 5000 + b"}", "deep.json: nested deeper than 64 levels"),
}


def test_bad_files_are_a_problem_each_and_the_good_one_still_runs(tmp_path, capsys):
    folder = prelu_folder(tmp_path)
    write(folder, prelu_group(), api="aclnnPreluBackward")
    for name, (text, _) in BAD_FILES.items():
        (folder / name).write_bytes(text)
    status = main(["run", "--paths", str(folder), "--record", str(tmp_path / "record.jsonl")])
    out, err = capsys.readouterr()
    assert status == 1
    assert sorted(line.partition(f"{folder}/")[2].split(".json")[0] + ".json" for line in err.splitlines()) == sorted(
        BAD_FILES
    )
    assert all(message in err for _, message in BAD_FILES.values())
    assert "aclnnPreluBackward       1" in out
    assert f"not conforming: {len(BAD_FILES)} problems in the data, named above" in out


def test_pytest_runs_the_valid_files_beside_broken_ones_too(tmp_path, pytester):
    folder = prelu_folder(tmp_path)
    write(folder, prelu_group(), api="aclnnPreluBackward")
    for name, (text, _) in BAD_FILES.items():
        (folder / name).write_bytes(text)
    result = pytester.runpytest_inprocess("-q", str(folder))
    result.assert_outcomes(passed=1, failed=len(BAD_FILES))
    result.stdout.fnmatch_lines([f"not conforming: {len(BAD_FILES)} problems in the data, named above"])


def test_a_broken_contract_is_one_problem_however_many_case_files_lie_beside_it(tmp_path):
    folder = tiny_folder(tmp_path, {**CONTRACT, "family": 7})
    write(folder, group(), file="a.json")
    write(folder, group(), file="b.json")
    problems = [str(problem) for problem in load_corpus([folder]).problems]
    assert len(problems) == 1, problems
    assert "contract.json:" in problems[0]
    assert "at /family: 7 is not of type string" in problems[0]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"outputs": {"z": "exact"}}, "outputs are z, the parameters written y"),
        ({"constraints": [{**CONTRACT["constraints"][0], "label": "c7"}]}, "constraint 1 is labelled c7, not c1"),
        ({"notes": [{"label": "n2", "text": "The document is silent."}]}, "note 1 is labelled n2, not n1"),
    ],
)
def test_a_contract_that_contradicts_itself(change, message, tmp_path):
    write(folder := tiny_folder(tmp_path, {**CONTRACT, **change}), group())
    (problem,) = load_corpus([folder]).problems
    assert message in str(problem)
    assert "contract.json:1: " in str(problem)


@pytest.mark.parametrize("command", [["run"], ["list"], ["show", "demo"], ["lint"]])
def test_no_command_ends_well_over_bad_data_alone(command, tmp_path, capsys):
    write(folder := tiny_folder(tmp_path), group(abuot="typo"))
    paths = [str(folder)] if command == ["lint"] else ["--paths", str(folder)]
    assert main([*command, *paths]) != 0
    err = capsys.readouterr().err
    assert err.count("unknown key 'abuot'") == 1
    assert "Traceback" not in err


def test_one_id_in_two_folders(tmp_path):
    paths = [write(tiny_folder(tmp_path / side), group()) for side in ("left", "right")]
    (problem,) = load_corpus(paths).problems
    assert f"{paths[1]}: duplicate id demo.tiny.numeric.plain.h" in str(problem)
    assert f"also in {paths[0]}" in problem.what


def test_lint_fix_leaves_malformed_files_and_mends_the_others(tmp_path, capsys):
    folder = tiny_folder(tmp_path)
    good = write(folder, group())
    (folder / "bad.json").write_text("{")
    assert main(["lint", "--fix", str(folder)]) == 1
    assert json.loads(good.read_text())["groups"][0] == group()
    out, err = capsys.readouterr()
    assert f"rewritten {good}" in out
    assert err.count("bad.json:1: malformed JSON") == 1
