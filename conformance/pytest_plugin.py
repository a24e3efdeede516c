"""The pytest door: JSON case files are collected from their cards, each case is read and expanded when it is run.

Verdicts, ids and the record are those of the native door; pytest's own words follow from the verdict.
"""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from conformance.caches import cache_folder
from conformance.data import is_case_file
from conformance.errors import ConformanceError
from conformance.foreign.heads import SUFFIXES, lies_in_folder
from conformance.index import Index
from conformance.markers import MARKERS
from conformance.product import PRODUCTS
from conformance.pytest_items import EXECUTE, FOREIGN, INDEX, PROBLEMS, SHARE, CaseItem, CasesFile, ProblemItem
from conformance.pytest_options import add_options, options_of
from conformance.shard import Shard, share_of, shuffled
from conformance.tier import is_in

if TYPE_CHECKING:
    from conformance.pytest_door import Door

_DOOR: pytest.StashKey[Door] = pytest.StashKey()


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of ``conformance run``."""
    add_options(parser)


def pytest_configure(config: pytest.Config) -> None:
    """Register facets as markers, and the hooks that gather results."""
    for name, meaning in MARKERS.items():
        config.addinivalue_line("markers", f"{name}: {meaning}")
    config.stash[INDEX] = Index()
    try:
        cache_folder()
        options_of(config)
        if not config.getoption("collectonly") or config.getoption("--resume"):
            _open(config)
    except ConformanceError as error:
        raise pytest.UsageError(str(error)) from None


def _open(config: pytest.Config) -> None:
    """Find out whether cases can be executed as the options say, and be ready to; raises ConformanceError."""
    # Deferred for the sake of runs that only collect: what executes takes numpy, and half a second to import.
    from conformance.pytest_door import open_door

    config.stash[_DOOR] = open_door(config)
    config.stash[EXECUTE] = config.stash[_DOOR].execute
    config.pluginmanager.register(config.stash[_DOOR], "conformance-door")
    if not hasattr(config, "workerinput"):
        config.stash[_DOOR].check()


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect files that hold cases or should, and any JSON file or table that the command line names."""
    named = file_path.suffix in SUFFIXES and parent.session.isinitpath(file_path)
    if named or is_case_file(file_path) or lies_in_folder(file_path):
        return CasesFile.from_parent(parent, path=file_path)
    return None


def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Only call a case for which there is nothing to set up or to take down."""
    if nextitem is None or not isinstance(item, CaseItem) or not item.is_amid(nextitem):
        return None
    item.ihook.call(item, nextitem)
    return True


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep the cases of the tier and those that the command line names one by one, of them a share; and their order."""
    _once(config, items)
    tier = config.getoption("--tier")
    named = {argument.rpartition("::")[2] for argument in config.args if "::" in argument}
    cases = [i for i in items if isinstance(i, CaseItem) and (is_in(i.card, tier) or i.card.id in named)]
    seed = config.getoption("--shuffle")
    if seed is not None:
        by_id = {item.card.id: item for item in cases}
        cases = [by_id[card.id] for card in shuffled([item.card for item in cases], seed)]
    cases = _share(config, cases)
    if _DOOR in config.stash:
        try:
            cases = config.stash[_DOOR].not_done(cases)
        except ConformanceError as error:
            raise pytest.UsageError(str(error)) from None
    kept = set(cases)
    outside = [item for item in items if isinstance(item, CaseItem) and item not in kept]
    if outside:
        config.hook.pytest_deselected(items=outside)
    # A broken contract is the problem of every case file beside it, and still one problem.
    problems = list({item.problem: item for item in config.stash.get(PROBLEMS, [])}.values())
    if outside or seed is not None or problems:
        others = (item for item in items if not isinstance(item, (CaseItem, ProblemItem)))
        items[:] = [*others, *cases, *problems]


def _once(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Drop the cases of files that are copies of others, and note as problems ids that two other files share."""
    files = {file.path: file for file in config.stash.get(FOREIGN, [])}
    if len(files) < 2:
        return
    # Deferred for the sake of runs that have none: numpy and all take half a second to import.
    from conformance.copies import notes_of, sharing_a_name, without_copies
    from conformance.corpus import shared_ids

    kept, copies = without_copies(sorted(files), options_of(config).file_options)
    for note in notes_of(copies):
        warnings.warn(pytest.PytestWarning(note), stacklevel=1)
    problems = config.stash.setdefault(PROBLEMS, [])
    problems[:] = [item for item in problems if item.path not in copies]
    items[:] = [item for item in items if item.path not in copies]
    apart = set(sharing_a_name(kept))
    cards = (item.card for item in items if isinstance(item, CaseItem) and item.path in apart)
    for number, problem in enumerate(shared_ids(cards), 1):
        file = files[problem.where.path]
        problems.append(ProblemItem.from_parent(file, name=f"duplicate-{number}", problem=problem))


def _share(config: pytest.Config, items: list[CaseItem]) -> list[CaseItem]:
    """The items of this machine's share, all where none is asked for; what the others need to know is put by."""
    shard: Shard | None = config.getoption("--shard")
    product = PRODUCTS.get(config.getoption("--product"))
    if shard is None or product is None or not items:
        return items
    share = share_of([item.card for item in items], shard, product)
    config.stash[SHARE] = share.to_json()
    mine = {card.id for card in share.cases}
    return [item for item in items if item.card.id in mine]
