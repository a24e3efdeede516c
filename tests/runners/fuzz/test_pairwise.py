"""Proposals of generate: every pair of factors once, legal, telling, and passed by the simulator."""

from itertools import combinations

import pytest
from tiny import session

from conformance.cli import main
from conformance.corpus import load_corpus
from conformance.lint import lint_corpus
from conformance.load import load_contracts
from conformance.product import PRODUCTS
from conformance.verdict import Verdict
from runners.fuzz.pairwise import propose

PRODUCT = PRODUCTS["ascend910b"]


@pytest.mark.parametrize("api", ["aclnnPreluBackward", "aclnnSoftmaxBackward"])
def test_a_proposal_is_valid_data_that_the_simulator_passes(api, tmp_path):
    path = tmp_path / "proposed.json"
    assert main(["generate", "--api", api, "--max-elements", "130", "-o", str(path)]) == 0
    corpus = load_corpus([path])
    assert [*corpus.problems, *lint_corpus(corpus, whole=False)] == []
    assert {session().execute(case).judged.verdict for case in corpus.cases} == {Verdict.PASSED}


def test_every_pair_of_values_stands_in_some_group():
    proposal = propose(load_contracts()["aclnnSilu"], PRODUCT, 300, lambda body: True)
    assert proposal.left_out == ()
    rows = [group["name"].split("_") for group in proposal.groups]
    types, ranks, layouts = ({row[place] for row in rows} for place in (0, 1, 2))
    pairs = {(row[a], row[b]) for row in rows for a, b in combinations(range(len(row)), 2)}
    assert types == {"fp16", "fp32", "bf16"}
    assert {(one, other) for one in types for other in ranks | layouts} <= pairs
    impossible = {(rank, layout) for rank in ("rank0", "rank1") for layout in ("transposed", "permuted")}
    impossible |= {("rank0", layout) for layout in ("step", "chunk", "expanded")}
    assert {(rank, layout) for rank in ranks for layout in layouts} - pairs == impossible


def test_what_tells_nothing_is_left_out_and_said(capsys, tmp_path):
    assert propose(load_contracts()["aclnnSilu"], PRODUCT, 16, lambda body: False).groups == ()
    main(["generate", "--api", "aclnnSilu", "--max-elements", "16"])
    printed = capsys.readouterr()
    assert printed.out.startswith('{\n  "$schema"')
    assert "read them before you commit them" in printed.err


def test_a_wider_product_list_is_left_to_the_contract():
    groups = propose(load_contracts()["aclnnSilu"], PRODUCT, 16, lambda body: True).groups
    assert {("products" in group) for group in groups if group["name"].startswith("fp16")} == {False}
    (narrow,) = {tuple(group["products"]) for group in groups if group["name"].startswith("bf16")}
    assert "ascend910" not in narrow
