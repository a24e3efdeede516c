"""Fixtures of all self-tests; its place puts this folder on the import path."""

import pytest

from conformance.errors import InvalidData

pytest_plugins = ["pytester"]


@pytest.fixture
def invalid():
    """Text of the one problem that a call raises."""

    def text(function, *arguments):
        with pytest.raises(InvalidData) as caught:
            function(*arguments)
        assert len(caught.value.problems) == 1, str(caught.value)
        return str(caught.value)

    return text
