"""Operators and chips under other suites' names."""

import pytest

from conformance.foreign.apis import api_named, products_named
from conformance.product import PRODUCTS


@pytest.mark.parametrize(
    ("operator", "api"),
    [
        ("SiluBackward", "aclnnSiluBackward"),
        ("silu_backward", "aclnnSiluBackward"),
        (" aclnnSiluBackward ", "aclnnSiluBackward"),
        ("SILU", "aclnnSilu"),
        ("Unheard", "aclnnUnheard"),
        ("not_heard_of", "aclnnNotHeardOf"),
        ("aclnnNot_Heard", "aclnnNotHeard"),
        (" aclnn ", ""),
        ("_", ""),
    ],
)
def test_an_operator_has_one_api(operator, api):
    assert api_named(operator) == api


@pytest.mark.parametrize(
    ("words", "products"),
    [
        ([], set(PRODUCTS)),
        (["all"], set(PRODUCTS)),
        (["Ascend910B"], {"ascend910b"}),
        (["910b", "A3"], {"ascend910b", "ascend910_93"}),
        (["Ascend910_93", "Ascend950"], {"ascend910_93", "ascend950"}),
        (["Ascend910_95"], {"ascend950"}),
        (["910_95", "ascend910_9589"], {"ascend950"}),
        (["ascend910"], {"ascend910"}),
        (["Ascend910ProB"], {"ascend910"}),
        (["Ascend310P3"], {"ascend310p"}),
        (["Kirin"], set()),
    ],
)
def test_words_for_chips_are_products(words, products):
    assert products_named(words) == products
