"""product_in: the products an API is for, and the refusal on all others."""

import pytest

from conformance.platform_rules import ProductIn
from conformance.product import PRODUCTS

RULE = ProductIn(frozenset({"ascend950"}))


@pytest.mark.parametrize(("product", "message"), [("ascend950", None), ("ascend910b", "ascend910b is not supported")])
def test_products_that_are_not_listed_are_refused(product, message):
    assert RULE.check({}, PRODUCTS[product]) == message
    assert list(RULE.violations({}, PRODUCTS[product])) == []
