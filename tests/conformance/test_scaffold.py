"""Placeholders: valid, canonical, never over something that exists, and lint asks for what a person has to say."""

import shutil
from datetime import date

import pytest
from tiny import group, tiny_folder, write

from conformance.cli import main
from conformance.corpus import load_corpus
from conformance.data import data_root
from conformance.lint import lint_corpus
from conformance.load import load_case_file, load_contract
from conformance.scaffold import CannotScaffold, draft_api, draft_group
from conformance.signature import Role

PROTOTYPE = """aclnnStatus aclnnFooBarGetWorkspaceSize(
    const aclTensor *self, const aclScalar* eps, int64_t dim, const aclTensor* maskOptional,
    aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor);"""


@pytest.fixture
def checkout(tmp_path):
    """Just enough of a checkout to add an API to."""
    for folder in ("runners/reference/norm", "runners/simulator/kernels/norm", "cases"):
        (tmp_path / folder).mkdir(parents=True)
    shutil.copytree(data_root() / "schemas", tmp_path / "cases" / "schemas")
    return tmp_path


def test_a_group_in_a_new_file_is_complete_but_for_what_it_says(tmp_path, capsys):
    path = tiny_folder(tmp_path) / "numeric.json"
    assert main(["new", "case", str(path), "rows"]) == 0
    assert capsys.readouterr().out.startswith(str(path))
    (group,) = load_case_file(path).groups
    assert group.body["axes"] == {"dtype": ["float16", "float32"]}
    assert list(group.body["arguments"]) == ["x", "factor", "axis", "y"]
    (problem,) = [problem for problem in lint_corpus(load_corpus([path]), whole=False) if problem.where.path == path]
    assert "'TODO say what the input of rows is and what is so' is not a statement of fact" in problem.what


def test_a_group_is_added_at_the_end_of_a_file(tmp_path):
    path = write(tiny_folder(tmp_path), group())
    main(["new", "case", str(path), "another"])
    assert [group.name for group in load_case_file(path).groups] == ["plain", "another"]


@pytest.mark.parametrize(
    ("name", "complaint"), [("plain", "has a group 'plain' already"), ("Rows", '"Rows" does not match')]
)
def test_a_group_that_cannot_be_added_is_refused(name, complaint, tmp_path, capsys):
    path = write(tiny_folder(tmp_path), group())
    before = path.read_text()
    assert main(["new", "case", str(path), name]) == 2
    assert complaint in capsys.readouterr().err
    assert path.read_text() == before


def test_a_case_needs_a_contract_beside_it(tmp_path):
    with pytest.raises(CannotScaffold, match="begin with: new api"):
        draft_group(tmp_path / "numeric.json", "rows")


def test_an_api_gets_contract_reference_and_kernel(checkout, capsys):
    assert main(["new", "api", "norm", "--prototype", PROTOTYPE, "--root", str(checkout)]) == 0
    contract = load_contract(checkout / "cases" / "norm" / "foo_bar" / "contract.json")
    assert contract.name == "norm.foo_bar"
    assert [(p.name, p.role, p.optional) for p in contract.parameters][-2:] == [
        ("maskOptional", Role.INPUT, True),
        ("out", Role.OUTPUT, False),
    ]
    assert contract.constraints[0].rule.parameters == ("workspaceSize", "executor", "self", "eps", "out")
    for package, name in (("reference", "golden"), ("simulator/kernels", "compute")):
        text = (checkout / "runners" / package / "norm" / "foo_bar.py").read_text()
        made: dict = {}
        exec(compile(text, name, "exec"), made)
        with pytest.raises(NotImplementedError, match=r"docs/add-an-api\.md"):
            made[name](None)
        assert (checkout / "runners" / package / "norm" / "__init__.py").is_file()


def test_an_api_that_exists_is_not_overwritten(checkout):
    drafts = draft_api("norm", PROTOTYPE, checkout, date(2026, 8, 1))
    assert '"read": "2026-08"' in drafts[0].text
    main(["new", "api", "norm", "--prototype", PROTOTYPE, "--root", str(checkout)])
    with pytest.raises(CannotScaffold, match="exists already"):
        draft_api("norm", PROTOTYPE, checkout)


def test_an_api_is_added_to_a_checkout_only(tmp_path):
    with pytest.raises(CannotScaffold, match="is no checkout"):
        draft_api("norm", PROTOTYPE, tmp_path)
