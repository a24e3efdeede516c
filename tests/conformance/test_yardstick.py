"""What outputs measure beside goldens and benchmarks."""

import pytest
from tiny import session

from conformance import yardstick
from conformance.corpus import load_corpus
from conformance.data import data_root
from conformance.record import line_of

APIS = ("gelu", "prelu_backward", "heaviside", "r_relu_with_noise")
EVERY = 29


@pytest.fixture
def lines(monkeypatch):
    """Function that runs cases: what the record says of them, and how many outputs and benchmarks were measured."""
    folders = [data_root() / "activation" / api for api in APIS]
    cases = [case for case in load_corpus(folders).cases if case.tier == "default"][::EVERY]
    measure = yardstick.measure

    def lines(small):
        measured = []

        def counted(golden, *more):
            measured.append(golden)
            return measure(golden, *more)

        monkeypatch.setattr(yardstick, "measure", counted)
        monkeypatch.setattr(yardstick, "_SMALL", small)
        found = [line_of(session().execute(case)) for case in cases]
        return [{key: line[key] for key in line if key != "seconds"} for line in found], len(measured)

    return lines


def test_a_benchmark_that_is_the_output_need_not_be_measured(lines):
    first, fewer = lines(yardstick._SMALL)
    second, all_of_them = lines(-1)
    assert first == second
    assert len(first) / 4 < fewer < all_of_them
