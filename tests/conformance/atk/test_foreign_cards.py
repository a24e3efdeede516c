"""Cases of other suites' files are listed without being made; each is made when its call is needed."""

import json

import pytest
from atk_samples import case, tensor, write_atk

import runners.reference.runner  # noqa: F401 - pytester forgets modules, and torch cannot be imported twice
from conformance import foreign_cards
from conformance.caches import CACHE_VARIABLE
from conformance.errors import InvalidData
from conformance.foreign import build
from conformance.foreign.file_options import FileOptions
from conformance.foreign_cards import cards_and_problems, cards_or_problem
from conformance.foreign_files import cases_or_problem
from conformance.listing import Bodies, load_listing
from conformance.survey import survey, surveyed_files

SHARED = ("id", "api", "path", "group", "about", "tier", "products", "facets", "exercises", "is_steady")
FILES, CASES = 300, 200
TABLE = "testcase_name,op_name,input_shapes,input_dtypes\n" + 'a,Silu,"((3, 5),)",float32\n' * 2


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    """The folder that cards are kept in."""
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    return tmp_path / "cache" / "foreign-1"


@pytest.fixture
def made(monkeypatch):
    """APIs of the cases that are made."""
    apis, honest = [], build._build
    monkeypatch.setattr(build, "_build", lambda stated, fit: apis.append(stated.api) or honest(stated, fit))
    return apis


@pytest.fixture
def opened(monkeypatch):
    """Names of the files that are read for their cases."""
    names, honest = [], foreign_cards.unbuilt_and_problems
    spy = lambda path, how: names.append(path.name) or honest(path, how)  # noqa: E731
    monkeypatch.setattr(foreign_cards, "unbuilt_and_problems", spy)
    return names


def write_table(folder):
    path = folder / "ttk.csv"
    path.write_text(TABLE)
    return path


@pytest.mark.parametrize(
    "write",
    [
        lambda folder: write_atk(
            folder, case(1, tensor()), case(2, tensor(), tensor("y")), case(3, tensor(), api="No")
        ),
        write_table,
    ],
)
@pytest.mark.parametrize("how", [FileOptions(), FileOptions(slice_ratio=1.0)])
def test_a_card_says_of_its_case_what_the_case_says(write, how, tmp_path, opened):
    path = write(tmp_path)
    cases = cases_or_problem(path, how)
    for _ in range(2):
        cards = cards_or_problem(path, how)
        told, said = ([[getattr(one, name) for name in SHARED] for one in found] for found in (cards, cases))
        assert (told, [Bodies().case(card).digest for card in cards]) == (said, [one.digest for one in cases])
    # Once to be listed, and once for the bodies of each listing.
    assert opened == [path.name] * 3


@pytest.mark.parametrize(
    "change",
    [
        lambda path, entry: write_atk(path.parent, case(1, tensor(), name="renamed")),
        lambda path, entry: entry.write_bytes(entry.read_bytes()[:-2]),
        lambda path, entry: entry.write_bytes(entry.read_bytes().replace(b"silu", b"gelu")),
        lambda path, entry: entry.unlink(),
    ],
)
def test_cards_of_what_changed_are_made_anew(change, tmp_path, cache, opened):
    path = write_atk(tmp_path, case(1, tensor()))
    cards_or_problem(path)
    (entry,) = cache.iterdir()
    change(path, entry)
    assert [card.id for card in cards_or_problem(path)] == [one.id for one in cases_or_problem(path)]
    assert opened == [path.name] * 2
    cards_or_problem(path)
    assert opened == [path.name] * 2


def test_a_file_with_a_problem_is_read_each_time_and_its_other_cases_run(tmp_path, opened, cache):
    path = write_atk(tmp_path, case(1, tensor()), case(2, tensor(dtype="fp33")))
    for _ in range(2):
        (card,), (problem,) = cards_and_problems(path)
        assert (Bodies().case(card).unsupported, "unknown dtype" in str(problem)) == ("", True)
    assert not cache.exists()


def test_a_bad_file_is_one_problem_and_the_others_are_listed(tmp_path):
    write_atk(tmp_path, case(1, tensor()))
    (tmp_path / "atk_aclnnGelu.json").write_text('[{"aclnn_name": "Gelu",}]')
    listing = load_listing([tmp_path])
    assert ([card.group for card in listing.cards], len(listing.problems)) == (["id1"], 1)


def test_a_case_that_is_gone_when_it_is_needed_says_so(tmp_path):
    path = write_atk(tmp_path, case(1, tensor()))
    (card,) = load_listing([path]).cards
    write_atk(tmp_path, case(1, tensor(shape=(2,))))
    with pytest.raises(InvalidData, match="is no longer among its cases: the file was changed meanwhile"):
        Bodies().case(card)


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """Very many files, each with an API's cases under a name of its own."""
    root = tmp_path_factory.mktemp("tree")
    text = json.dumps([case(number, tensor(shape=(number + 1, 3))) for number in range(CASES)])
    for number in range(FILES):
        folder = root / f"op{number}"
        folder.mkdir()
        (folder / f"atk_aclnnSilu_{number}.json").write_text(text)
    return root


def test_a_large_tree_is_surveyed_and_listed_without_making_a_case(tree, made, opened):
    assert survey(surveyed_files([tree])).cases == FILES * CASES
    for _ in range(2):
        listing = load_listing([tree])
        assert (len(listing.cards), listing.problems) == (FILES * CASES, ())
    assert (made, len(opened)) == ([], FILES)
    made_of = Bodies().case(listing.cards[-1])
    assert (made_of.id, made) == (listing.cards[-1].id, ["aclnnSilu"])


def test_pytest_collects_without_making_a_case_and_makes_those_that_it_runs(tree, pytester, made):
    one, two = (tree / f"op{number}" / f"atk_aclnnSilu_{number}.json" for number in (7, 8))
    node = f"{two}::{cards_or_problem(two)[-1].id}"
    listed = pytester.runpytest_inprocess("--collect-only", "-q", str(one), node)
    assert (listed.parseoutcomes(), made) == ({"tests": CASES + 1}, [])
    pytester.runpytest_inprocess(node, "--runner", "simulator").assert_outcomes(passed=1)
    assert made == ["aclnnSilu"]
