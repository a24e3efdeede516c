"""Cases that are begun together: in their order, large ones alone, and none lost where a later one cannot be had."""

import pytest
from tiny import prelu_cases, prelu_group

from conformance.batches import batches
from conformance.errors import ConformanceError


@pytest.fixture(scope="module")
def cases(tmp_path_factory):
    """One small case and one large one."""
    folder = tmp_path_factory.mktemp("data")
    return prelu_cases(folder, prelu_group("small"), prelu_group("large", shape=(128, 256)))


@pytest.mark.parametrize(
    ("sizes", "wanted"),
    [
        ("", []),
        ("s", ["s"]),
        ("sss", ["sss"]),
        ("l", ["l"]),
        ("ll", ["l", "l"]),
        ("slss", ["s", "l", "ss"]),
        ("s" * 33, ["s" * 32, "s"]),
        ("s" * 32 + "l", ["s" * 32, "l"]),
    ],
)
def test_small_cases_come_together(sizes, wanted, cases):
    small, large = cases
    came = batches({"s": small, "l": large}[size] for size in sizes)
    assert ["".join("s" if case is small else "l" for case in batch) for batch in came] == wanted


def test_what_comes_before_an_error_is_not_lost(cases):
    def some():
        yield cases[0]
        yield cases[0]
        raise ConformanceError("the file was changed")

    came = batches(some())
    assert len(next(came)) == 2
    with pytest.raises(ConformanceError, match="was changed"):
        next(came)
