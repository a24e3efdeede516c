"""What a group is worth: the faults it finds and no earlier one does."""

import pytest
from tiny import prelu_cases, prelu_group

from conformance.load import load_contracts
from conformance.product import PRODUCTS
from runners.faults.weigh import weigh


@pytest.fixture
def case(tmp_path):
    (case,) = prelu_cases(tmp_path, prelu_group("rows"))
    return case


def test_a_group_is_worth_what_earlier_ones_do_not_find(case):
    contract = load_contracts()["aclnnPreluBackward"]
    first, second = weigh(contract, PRODUCTS["ascend910b"], {"rows": [case], "again": [case]})
    assert len(first.faults) > 5
    assert "predicate" in first.classes
    assert (second.group, second.faults) == ("again", ())
