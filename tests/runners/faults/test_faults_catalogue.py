"""The catalogue is what it claims to be: many distinct faults of every class, each somewhere, each with a source."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from conformance.load import load_contracts
from conformance.product import PRODUCTS
from conformance.signature import snake_name
from runners.faults.catalogue import BY_ID, CATALOGUE, UnknownFault, choose
from runners.faults.fault import Difficulty, FaultClass
from runners.faults.harmless import FOLDER

PAGE = Path(__file__).resolve().parents[3] / "docs" / "detection.md"
CONTRACTS = load_contracts()


def test_there_are_many_faults_of_every_class_and_difficulty():
    assert len(CATALOGUE) >= 120
    assert {fault.kind for fault in CATALOGUE} == set(FaultClass)
    assert {fault.difficulty for fault in CATALOGUE} == set(Difficulty)


def test_ids_are_distinct_words_and_so_are_descriptions():
    assert len({fault.id for fault in CATALOGUE}) == len({fault.about for fault in CATALOGUE}) == len(CATALOGUE)
    assert [fault.id for fault in CATALOGUE if not re.fullmatch(r"[a-z][a-z0-9_]+", fault.id)] == []


@pytest.mark.parametrize("fault", CATALOGUE, ids=lambda fault: fault.id)
def test_a_fault_applies_somewhere_and_says_where_from(fault):
    assert fault.places(CONTRACTS)
    assert set(fault.products) <= PRODUCTS.keys()
    assert re.fullmatch(r"ours|[A-Za-z-]+(#\d+|@\w+| known issues)(, [A-Za-z-]+(#\d+|@\w+))*", fault.source)
    assert not fault.about.endswith(".")


@pytest.mark.parametrize("fault", [f for f in CATALOGUE if f.no_fault], ids=lambda fault: fault.id)
def test_what_is_no_fault_on_an_api_is_left_out_there_with_a_reason(fault):
    assert fault.no_fault.keys() <= CONTRACTS.keys()
    assert all(len(reason) > 10 for reason in fault.no_fault.values())
    assert not {api for api, _ in fault.places(CONTRACTS)} & fault.no_fault.keys()


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.json")), ids=lambda path: path.stem)
def test_reasons_stand_in_the_file_of_their_api_and_are_needed(path):
    document = json.loads(path.read_text("utf-8"))
    contract = CONTRACTS[document["api"]]
    assert path.stem == snake_name(document["api"])
    for fault in document["harmless"]:
        built = replace(BY_ID[fault], no_fault={})
        assert any(built.is_in(contract, product) for product in PRODUCTS.values()), fault


def test_the_page_lists_every_fault_once_under_its_class():
    sections = re.split(r"^### ", PAGE.read_text("utf-8"), flags=re.MULTILINE)[1:]
    listed = {
        name: re.findall(r"^\| `(\w+)`", text, re.MULTILINE) for name, _, text in (s.partition("\n") for s in sections)
    }
    kinds = dict.fromkeys(fault.kind for fault in CATALOGUE)
    assert listed == {kind.value: [f.id for f in CATALOGUE if f.kind is kind] for kind in kinds}


def test_the_page_reports_no_missed_fault():
    row = re.search(r"^\| \*\*all\*\* \| (\d+) \| (\d+) \| (\d+) \|", PAGE.read_text("utf-8"), re.MULTILINE)
    assert row is not None
    assert row.groups() == (str(len(CATALOGUE)), str(len(CATALOGUE)), "0")


def test_faults_are_chosen_by_id_and_class():
    assert [fault.id for fault in choose(["offset_ignored"])] == ["offset_ignored"]
    assert {fault.kind for fault in choose(classes=["tail", "alias"])} == {FaultClass.TAIL, FaultClass.ALIAS}
    assert choose() == list(CATALOGUE)
    with pytest.raises(UnknownFault, match="no fault or class nonsense; classes are predicate, "):
        choose(["nonsense"])


def test_a_fault_of_the_usual_product_is_built_on_the_first_of_an_api_that_lacks_it():
    fault = BY_ID["strides_ignored"]
    places = fault.places({"aclnnGeluQuant": CONTRACTS["aclnnGeluQuant"], "aclnnSilu": CONTRACTS["aclnnSilu"]})
    assert places == [("aclnnSilu", "ascend910b"), ("aclnnGeluQuant", "ascend950")]
