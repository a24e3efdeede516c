"""Case templates: a file of another API binds roles, and the groups are its own from then on."""

import json

import pytest
from shipped import shipped_cases
from tiny import CONTRACT, group, session, tiny_folder, with_arguments, write

from conformance.canonical import canonical, data_files
from conformance.corpus import Corpus, load_corpus
from conformance.data import find_templates
from conformance.expand import expand
from conformance.lint import lint_corpus
from conformance.load import load_case_file, load_template
from conformance.schema import TEMPLATES, schema_document
from conformance.show import show_case

BIND = {"input": "x", "output": "y"}
OTHERS = {"factor": {"scalar": 0.5}, "axis": 0}
PLAIN = {
    "name": "plain",
    "about": "a matrix computed into another one",
    "exercises_rules": ["same_shape", {"kind": "not_null", "of": ["$input"]}],
    "axes": {"dtype": "@dtypes"},
    "arguments": {
        "$input": {"dtype": "$dtype", "shape": [2, 3], "values": "$values"},
        "$output": {"dtype": "$dtype", "shape": [2, 3]},
    },
    "expect": "success",
}
LONGER = {
    "name": "longer",
    "about": "the output has another shape than the input",
    "like": "plain",
    "violates_rule": "same_shape",
    "axes": {"dtype": ["float32"]},
    "expect": {"reject": "PARAM_INVALID", "phase": "workspace"},
}


def template(root, *groups, **changes):
    document = {
        "$schema": "../schemas/templates-1.schema.json",
        "about": "one tensor into another",
        "roles": {"input": "read", "output": "written"},
        "parameters": {"values": {"about": "numbers", "default": {"constant": 2}}},
        "sets": {"dtypes": {"about": "types of every group", "values": "@fp2"}},
        "groups": list(groups) or [PLAIN, LONGER],
        **changes,
    }
    folder = root / "templates"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "pair.json"
    path.write_text(canonical(document, schema_document(TEMPLATES)))
    return path


def second(root, name, *groups, **changes):
    """Another template beside ``pair``; it has no roles."""
    document = {
        "$schema": "../schemas/templates-1.schema.json",
        "about": "for every form",
        "groups": groups,
        **changes,
    }
    folder = root / "templates"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.json").write_text(json.dumps(document))


def user(root, *groups, **top):
    """A case file of the tiny API that uses the template."""
    keys = {"template": "pair", "bind": BIND, "arguments": OTHERS, "groups": list(groups) or None, **top}
    path = write(tiny_folder(root))
    document = {**json.loads(path.read_text()), **keys}
    path.write_text(json.dumps({key: value for key, value in document.items() if value is not None}, indent=1))
    return path


def cases(root, *groups, **top):
    return expand(load_case_file(user(root, *groups, **top)))


def problems(root, *groups, **top):
    return [str(problem) for problem in load_corpus([user(root, *groups, **top).parent]).problems]


def test_groups_of_a_template_become_the_file_s_own(tmp_path):
    template(tmp_path)
    found = cases(tmp_path)
    words = [case.id.rpartition(".")[0] for case in found]
    assert words[:2] == ["demo.tiny.numeric.plain.fp16", "demo.tiny.numeric.plain.fp32"]
    assert {case.group for case in found} == {"plain", "longer"}
    assert list(found[0].arguments) == ["x", "factor", "axis", "y"]
    assert found[0].arguments["x"].values.argument == 2


def test_kinds_of_rules_become_the_contract_s_labels(tmp_path):
    template(tmp_path)
    plain, *_, longer = cases(tmp_path)
    assert plain.exercises == ("c1", "c3")
    assert (longer.exercises, longer.control) == (("c3",), "plain")


def test_a_case_is_the_same_as_one_written_out(tmp_path):
    template(tmp_path, {**PLAIN, "axes": {"dtype": ["float32"]}, "exercises_rules": ["same_shape"]})
    (case,) = cases(tmp_path)
    tensor = {"dtype": "float32", "shape": [2, 3]}
    written = with_arguments(x={**tensor, "values": {"constant": 2}}, y=tensor)
    (other,) = expand(load_case_file(write(tmp_path / "demo" / "tiny", written)))
    assert case.id.rpartition(".")[2] == other.id.rpartition(".")[2]


def test_parameters_sets_and_groups_are_the_file_s_to_change(tmp_path):
    template(tmp_path)
    own = group("own", like="plain", about="as plain, with a larger factor", arguments={"factor": {"scalar": 3}})
    found = cases(tmp_path, own, sets={"dtypes": ["float32"]}, without={"longer": "broken elsewhere"})
    assert [(case.group, case.arguments["factor"].value) for case in found] == [("plain", 0.5), ("own", 3.0)]
    template(tmp_path / "again")
    changed, *_ = cases(tmp_path / "again", **{"with": {"values": {"constant": 7}}})
    assert changed.arguments["x"].values.argument == 7


@pytest.mark.parametrize(
    ("top", "complaint"),
    [
        ({"template": "none"}, "at /template: there is no template 'none' (templates are pair)"),
        ({"bind": {"input": "x"}}, "at /bind: bind gives input (the roles of 'pair' are input, output)"),
        ({"bind": {**BIND, "input": "z"}}, "at /bind/input: aclnnTiny has no parameter 'z'"),
        ({"with": {"shape": []}}, "at /with/shape: template 'pair' has no parameter 'shape'"),
        ({"without": {"none": "not needed"}}, "at /without/none: template 'pair' has no group 'none'"),
        ({"sets": {"dtypes": "@none"}}, "at /sets/dtypes: set 'dtypes' refers to unknown set '@none'"),
        ({"template": None}, "'template' is a dependency of"),
        ({"bind": None}, "'bind' is missing"),
    ],
)
def test_what_a_file_can_get_wrong(tmp_path, top, complaint):
    template(tmp_path)
    assert any(complaint in problem for problem in problems(tmp_path, **{"groups": [group("own")], **top}))


def test_a_group_that_stands_in_both_is_named(tmp_path):
    template(tmp_path)
    (problem,) = problems(tmp_path, group("plain"))
    assert "at /groups/0/name: group 'plain' stands twice" in problem


@pytest.mark.parametrize(
    ("groups", "changes", "complaint"),
    [
        ([PLAIN], {"parameters": {"values": {"about": "numbers"}}}, "template 'pair' needs 'values' (give it under"),
        ([PLAIN], {"sets": {"dtypes": {"about": "types"}}}, "template 'pair' needs the set 'dtypes'"),
        ([PLAIN, {**LONGER, "violates_rule": "rank"}], {}, "breaks one rank constraint that document and"),
        ([PLAIN, {**LONGER, "violates_rule": "length"}], {}, "unknown rule kind 'length'"),
        ([{**PLAIN, "axes": {"input": [1]}}], {}, "axis 'input' is a role or parameter too"),
        ([PLAIN], {"parameters": {"input": {"about": "twice"}}}, "'input' is a role too (rename one of them)"),
        ([PLAIN], {"roles": {"input": "read", "tensors": "all"}}, "'tensors' is a word that every template has"),
        ([{**PLAIN, "expect": "sucess"}], {}, "group 'plain' for aclnnTiny: "),
    ],
)
def test_what_a_template_can_get_wrong(tmp_path, groups, changes, complaint):
    template(tmp_path, *groups, **changes)
    assert any(complaint in problem for problem in problems(tmp_path))


def like_plain(name, **keys):
    return {"name": name, "about": f"{name}: as plain", "like": "plain", "expect": "success", **keys}


def test_a_template_takes_in_others_beneath_its_own(tmp_path):
    taken = [like_plain("again", axes={"dtype": "@few"}), {**PLAIN, "about": "replaced by its namesake"}]
    second(tmp_path, "deeper", like_plain("more"), sets={"few": {"about": "types", "values": ["float32"]}})
    second(tmp_path, "shared", *taken, takes=["deeper"], parameters={"values": {"about": "x", "default": 9}})
    template(tmp_path, PLAIN, takes=["shared"])
    found = cases(tmp_path)
    assert [(case.group, case.template.stem) for case in found] == [
        ("plain", "pair"), ("plain", "pair"), ("again", "shared"), ("more", "deeper"), ("more", "deeper")
    ]  # fmt: skip
    assert found[2].arguments["x"].values.argument == 2


def test_words_for_several_parameters(tmp_path):
    views = {"$tensors": {"layout": "transposed"}, "$output": {"layout": {"step": 2}}}
    nulls = {"do": "workspace", "null_each": "$pointers", "status": "PARAM_NULLPTR"}
    groups = [
        like_plain("views", arguments=views),
        like_plain("nothing_written", steps=["workspace"], expect={"success": {"untouched": "$outputs"}}),
        like_plain("each_null", steps=[nulls, {**nulls, "null_each": ["$output"]}, "workspace", "run"]),
        like_plain("a_null", violates_rule={"kind": "not_null", "of": "$tensors"}, expect=LONGER["expect"]),
    ]
    second(tmp_path, "shared", *groups)
    template(tmp_path, {**PLAIN, "axes": {"dtype": ["float32"]}}, takes=["shared"])
    _, strided, unwritten, null, *_ = cases(tmp_path)
    assert (strided.arguments["x"].strides, strided.arguments["y"].strides) == ((1, 2), (6, 2))
    assert unwritten.expectation.untouched == {"y"}
    pointers = [step.nulls for step in null.steps]
    assert pointers[-3:] == [frozenset("y"), frozenset(), frozenset()]
    assert {frozenset("x"), frozenset("y"), frozenset({"factor"})} <= set(pointers[:-3])


@pytest.mark.parametrize(
    ("takes", "complaint"),
    [
        (["none"], " at /takes/0: there is no template 'none'"),
        (["circle"], " at /takes/0: takes itself in by way of 'pair'"),
        (["one", "other"], " at /groups/0/name: group 'again' stands twice"),
    ],
)
def test_what_taking_in_can_get_wrong(tmp_path, takes, complaint):
    second(tmp_path, "circle", like_plain("round"), takes=["pair"])
    for name in ("one", "other"):
        second(tmp_path, name, like_plain("again"))
    template(tmp_path, PLAIN, takes=takes)
    (problem,) = problems(tmp_path)
    assert complaint in problem


def test_a_constraint_of_the_document_alone_is_no_plain_refusal(tmp_path):
    template(tmp_path)
    constraints = [{**c, "basis": "document"} if c["label"] == "c3" else c for c in CONTRACT["constraints"]]
    path = user(tmp_path)
    (path.parent / "contract.json").write_text(json.dumps({**CONTRACT, "constraints": constraints}))
    (problem,) = load_corpus([path.parent]).problems
    assert "aclnnTiny has c3 (document)" in problem.what


def test_a_fault_in_a_template_is_said_with_its_place_and_its_user(tmp_path):
    path = template(tmp_path, {**PLAIN, "arguments": {**PLAIN["arguments"], "$output": {"dtype": "$dtype"}}})
    (problem,) = problems(tmp_path)
    assert problem.startswith(f"{path}:")
    assert " at /groups/0/arguments" in problem
    assert f"group 'plain' for {tmp_path / 'demo' / 'tiny' / 'numeric.json'}: y lacks shape" in problem


def test_show_names_the_template(tmp_path):
    path = template(tmp_path)
    assert f"  template  {path}, group plain" in show_case(cases(tmp_path)[0], session())


def test_the_suite_s_templates_are_valid_canonical_and_used():
    used = {found.template for found in shipped_cases()} - {None}
    assert set(find_templates()) == used
    assert all((path, TEMPLATES) in data_files(None) for path in used)
    assert all(path.read_text() == canonical(json.loads(path.read_text()), schema_document(TEMPLATES)) for path in used)
    assert {load_template(path).name for path in used} >= {"elementwise_unary", "inplace_unary"}


def test_a_template_that_no_file_uses_is_a_problem():
    found = [str(problem) for problem in lint_corpus(Corpus((), (), ()), whole=True)]
    assert sum("no case file uses this template" in problem for problem in found) == len(find_templates())
