"""Selectors over cases, and the reasons for what is not run."""

from datetime import date
from pathlib import Path

import pytest
from tiny import cases_of, group, with_arguments

from conformance.errors import Location, NothingSelected
from conformance.product import PRODUCTS
from conformance.select import Limits, reason_not_to_run, select
from conformance.verdict import Judged, Verdict
from conformance.waiver import Waiver, WaiverKind

SKIP = Waiver(("x",), WaiverKind.SKIP, "known hang", "url/1", "o", date(2026, 8, 1), None, Location(Path("w")))


@pytest.fixture
def cases(tmp_path):
    return cases_of(tmp_path, group(), with_arguments("wide", x={"dtype": "float32", "shape": [5000]}))


def test_cases_are_picked_in_their_own_order(cases):
    assert select(cases, []) == cases
    assert select(cases, ["demo.tiny.numeric.wide", "demo.tiny.numeric.plain"]) == cases
    assert select(cases, ["*.wide"]) == cases[1:]
    assert select(cases, [cases[0].id]) == cases[:1]


def test_every_selector_that_picks_nothing_is_named_with_names_near_it(cases):
    with pytest.raises(NothingSelected) as caught:
        select(cases, ["demo", "demo.tinny", "zzz"])
    assert str(caught.value).splitlines() == [
        "selector 'demo.tinny' matches no case (near names: demo.tiny, demo)",
        "selector 'zzz' matches no case (list shows what there is)",
    ]


@pytest.mark.parametrize(
    ("product", "limit", "unsupported", "waiver", "judged"),
    [
        ("ascend910b", None, None, None, None),
        ("ascend310p", 1, "no", SKIP, Judged(Verdict.SKIPPED, "not a case for ascend310p")),
        ("ascend910b", 4999, "no", SKIP, Judged(Verdict.SKIPPED, "5000 elements, --max-elements is 4999")),
        ("ascend910b", 5000, "no", SKIP, Judged(Verdict.SKIPPED, "known hang (url/1)")),
        ("ascend910b", None, "no kernel", None, Judged(Verdict.UNSUPPORTED, "no kernel")),
    ],
)
def test_why_a_case_is_not_run(product, limit, unsupported, waiver, judged, cases):
    assert reason_not_to_run(cases[1], PRODUCTS[product], Limits(limit), unsupported, waiver) == judged
