"""How runner options are written on a command line."""

import pytest

from conformance.errors import InvalidOption
from conformance.options import Options, parse_runner_options


@pytest.mark.parametrize(
    ("written", "cann", "options"),
    [
        ([], None, {}),
        (["device=1", "mode=a=b"], None, {"device": "1", "mode": "a=b"}),
        (["device=1"], "build/cann", {"device": "1", "cann": "build/cann"}),
        (["cann=old"], "new", {"cann": "new"}),
    ],
)
def test_options_are_names_with_values_and_cann_has_a_word_of_its_own(written, cann, options):
    assert parse_runner_options(written, cann) == options


@pytest.mark.parametrize("word", ["device", "=1", "two words=1"])
def test_what_is_no_name_with_a_value_is_refused(word):
    with pytest.raises(InvalidOption, match="is not NAME=VALUE"):
        parse_runner_options([word])


def test_a_repro_line_carries_them():
    options = Options(runner="aclnn", runner_options={"cann": "a b"})
    assert "--runner aclnn" in options.repro("x")
    assert "--runner-option 'cann=a b'" in options.repro("x")
