"""Lists of required cases: written once, compared, and checked against the cases there are."""

import json
from datetime import date

import pytest
from msgspec import structs
from tiny import CONTRACT, cases_of, group, tiny_folder, with_arguments, write

from conformance.environment import data_digest
from conformance.expand import expand
from conformance.load import load_case_file
from conformance.required import RequiredList, list_of, load_required, text_of
from conformance.required_changes import Recast, difference, problems_of_lists

GROUPS = tuple(
    with_arguments(name, x={"dtype": "float32", "shape": [2, 3], "values": {"constant": number}})
    for number, name in enumerate(("one", "two", "three"))
)


@pytest.fixture
def cases(tmp_path):
    return cases_of(tmp_path / "data", *GROUPS)


def required(cases, release="2026.1", **rest) -> RequiredList:
    return list_of(cases, release, "default", date(2026, 11, 30), **rest)


def saved(root, *lists):
    folder = root / "required"
    folder.mkdir(exist_ok=True)
    for one in lists:
        (folder / f"{one.release}.json").write_text(text_of(one), encoding="utf-8")
    return folder


def test_a_list_is_read_as_it_was_written(tmp_path, cases):
    one = required(cases, supersedes="2025.4", reasons={"demo.tiny": "the document was corrected"})
    folder = saved(tmp_path, one)
    assert load_required(folder / "2026.1.json") == one
    assert list(one.cases) == sorted(case.id for case in cases)
    assert one.on("ascend950").keys() == one.cases.keys()
    assert one.on("ascend310p") == {}


@pytest.mark.parametrize("part", ["release", "date", "tier", "cases"])
def test_a_list_that_was_changed_is_refused(part, tmp_path, cases, invalid):
    path = saved(tmp_path, required(cases)) / "2026.1.json"
    document = json.loads(path.read_text("utf-8"))
    if part == "cases":
        del document["cases"][0]["groups"]["demo.tiny.numeric.two"]
    else:
        document[part] = {"release": "2026.2", "date": "2026-12-01", "tier": "smoke"}[part]
    path.write_text(json.dumps(document))
    assert "lists are never changed" in invalid(load_required, path)


@pytest.mark.parametrize(
    ("where", "value"),
    [("outputs", {"y": "elementwise"}), ("deterministic", False)],
)
def test_the_digest_of_a_case_covers_how_it_is_judged(where, value, tmp_path):
    plain = cases_of(tmp_path / "a", group())[0]
    other = expand(load_case_file(write(tiny_folder(tmp_path / "b", {**CONTRACT, where: value}), group())))[0]
    assert plain.id == other.id
    assert plain.digest != other.digest


@pytest.mark.parametrize("change", [{"deadline": 5}, {"expect": {"success": {"workspace": 0}}}, {"repeat": 2}])
def test_the_digest_of_a_case_covers_the_group(change, tmp_path):
    digests = {cases_of(tmp_path / str(n), group(**more))[0].digest for n, more in enumerate(({}, change))}
    assert len(digests) == 2


@pytest.mark.parametrize("change", [{"about": "the same group in other words"}, {"exercises": ["c3"]}])
def test_the_digest_of_a_case_leaves_out_what_no_verdict_depends_on(change, tmp_path):
    digests = {cases_of(tmp_path / str(n), group(**more))[0].digest for n, more in enumerate(({}, change))}
    assert len(digests) == 1


def test_what_a_later_list_changes(cases):
    one, two, three = cases
    changed = structs.replace(two, id=f"{two.id[:-8]}00000000", digest="00" * 32)
    narrowed = structs.replace(three, products=frozenset({"ascend950"}))
    added = structs.replace(one, id="demo.tiny.numeric.new.h12345678")
    found = difference(
        required(cases),
        required([changed, narrowed, added], "2026.2", reasons={"demo.tiny.numeric.two": "another value"}),
    )
    assert found.added == (added.id,)
    assert found.removed == {one.id: ""}
    assert set(found.recast) == {Recast(two.id, changed.id, "another value"), Recast(three.id, three.id, "")}
    assert set(found.unexplained) == {one.id, three.id}


def test_a_list_of_the_cases_there_are_has_no_problems(tmp_path, cases):
    saved(tmp_path, required(cases))
    assert list(problems_of_lists(cases, tmp_path)) == []
    assert list(problems_of_lists(cases, tmp_path / "without")) == []


def test_lint_names_cases_that_went_or_changed(tmp_path, cases):
    saved(tmp_path, required(cases))
    one, two, three = cases
    gone, changed = problems_of_lists([structs.replace(two, digest="00" * 32), three], tmp_path)
    assert f"{one.id} are no cases any more" in str(gone)
    assert f"{two.id} are other cases now" in str(changed)


def test_a_superseded_list_may_name_cases_that_went_for_a_reason(tmp_path, cases):
    reasons = {"demo.tiny.numeric.one": "the document was corrected"}
    later = required(cases[1:], "2026.2", supersedes="2026.1", reasons=reasons)
    saved(tmp_path, required(cases), later)
    assert list(problems_of_lists(cases[1:], tmp_path)) == []


@pytest.mark.parametrize(
    ("later", "complaint"),
    [
        ({"supersedes": "2026.1"}, "went or changed since 2026.1 without a reason"),
        ({"supersedes": "2025.1"}, "supersedes 2025.1, of which there is no list"),
    ],
)
def test_a_list_that_supersedes_another_explains_itself(later, complaint, tmp_path, cases):
    saved(tmp_path, required(cases), required(cases[1:], "2026.2", **later))
    assert any(complaint in str(problem) for problem in problems_of_lists(cases[1:], tmp_path))


def test_a_list_is_named_after_its_release(tmp_path, cases):
    saved(tmp_path, required(cases)).joinpath("2026.1.json").rename(tmp_path / "required" / "other.json")
    (problem,) = problems_of_lists(cases, tmp_path)
    assert "name the file after its release" in str(problem)


def test_a_list_changes_no_digest_of_the_data(tmp_path, cases):
    before = data_digest(tmp_path)
    saved(tmp_path, required(cases))
    assert data_digest(tmp_path) == before
