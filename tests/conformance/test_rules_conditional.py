"""A rule that holds only where another one does."""

import pytest

from conformance.attribute_rules import AttributeIn, AttributeRange
from conformance.call import Attribute, Scalar
from conformance.conditional_rules import Given
from conformance.dtype import DTYPES
from conformance.product import PRODUCTS
from conformance.signature import ParameterKind

A2 = PRODUCTS["ascend910b"]
RULE = Given(AttributeIn("isResult", (True,)), AttributeRange("alpha", min=0))


def facts(flag, alpha):
    return {"isResult": Attribute(ParameterKind.BOOL, flag), "alpha": Scalar(DTYPES["float32"], alpha)}


@pytest.mark.parametrize(
    ("flag", "alpha", "message"),
    [(True, -1.0, "alpha is -1.0, not >= 0"), (True, 0.0, None), (False, -1.0, None), (False, 1.0, None)],
)
def test_it_is_silent_where_the_condition_does_not_hold(flag, alpha, message):
    assert RULE.check(facts(flag, alpha), A2) == message


@pytest.mark.parametrize(("flag", "names"), [(True, {"alpha_below"}), (False, set())])
def test_it_is_broken_only_where_the_condition_holds(flag, names):
    assert {violation.name for violation in RULE.violations(facts(flag, 1.0), A2)} == names
