"""A golden that comes in pieces measures what it measures at once, bit for bit."""

from dataclasses import replace

import numpy as np
import pytest

from conformance import float_pass
from conformance.dtype import DTYPES
from conformance.float_pass import BLOCK
from conformance.golden import GoldenOutput
from conformance.load import load_standards
from conformance.measure import Measurement, measure
from conformance.standard import probes_of

PROBES = probes_of(load_standards().values())
COUNT = 5 * BLOCK + 77
RANDOM = np.random.default_rng(3)
NUMBERS = RANDOM.standard_normal(COUNT)
SPECIAL = np.where(np.arange(COUNT) % 1000 == 7, np.nan, np.where(np.arange(COUNT) % 999 == 5, np.inf, NUMBERS))
PLAIN = GoldenOutput(NUMBERS)


def off_in(array, dtype, every):
    """The array in a type, every so many elements a step off, and one in the last piece far off."""
    output = array.astype(DTYPES[dtype].numpy)
    with np.errstate(over="ignore"):
        output[::every] = (output[::every].astype(np.float64) * 1.01).astype(output.dtype)
    output[-5] = 9
    return output


CASES = {
    "equal": (PLAIN, NUMBERS.astype(np.float32), "float32"),
    "off": (PLAIN, off_in(NUMBERS, "float16", 7), "float16"),
    "bfloat16": (PLAIN, off_in(NUMBERS, "bfloat16", 5000), "bfloat16"),
    "terms": (replace(PLAIN, terms=np.abs(NUMBERS) * 8, term_count=3), off_in(NUMBERS, "float32", 9), "float32"),
    "specials": (GoldenOutput(SPECIAL), off_in(SPECIAL, "float32", 31), "float32"),
    "readings": (
        GoldenOutput(SPECIAL, (np.nan_to_num(SPECIAL, nan=2.0),)),
        off_in(np.where(np.arange(COUNT) % 3000 < 1500, SPECIAL, 2.0), "float32", 31),
        "float32",
    ),
    "flushing": (GoldenOutput(NUMBERS, flushing=(NUMBERS * 1.01,)), off_in(NUMBERS, "float32", 11), "float32"),
    "zeros": (GoldenOutput(np.zeros(COUNT)), np.zeros(COUNT, np.float32), "float32"),
    "constant": (GoldenOutput(np.full(COUNT, 2.5)), np.full(COUNT, 2.5, np.float32), "float32"),
    "nan": (GoldenOutput(np.full(COUNT, np.nan)), np.full(COUNT, np.nan, np.float32), "float32"),
    "nan at first": (
        GoldenOutput(np.where(np.arange(COUNT) < 2 * BLOCK, np.nan, 1.0)),
        np.full(COUNT, np.nan, np.float32),
        "float32",
    ),
    "integers": (
        GoldenOutput(np.arange(COUNT) % 100, (np.arange(COUNT) % 100 + 1,)),
        (np.arange(COUNT) % 101).astype(np.int8),
        "int8",
    ),
    "complex": (GoldenOutput(NUMBERS * (1 + 2j)), (NUMBERS * (1 + 2.001j)).astype(np.complex64), "complex64"),
}


def piece(golden, part):
    """Some elements of a golden."""
    return replace(
        golden,
        value=golden.value[part],
        alternatives=tuple(answer[part] for answer in golden.alternatives),
        flushing=tuple(answer[part] for answer in golden.flushing),
        terms=None if golden.terms is None else golden.terms[part],
    )


@pytest.mark.parametrize(("share", "blocks"), [(1, 1), (1, 2), (1, 4), (2, 2), (2, 4)])
@pytest.mark.parametrize(("golden", "output", "dtype"), CASES.values(), ids=CASES)
def test_pieces_of_whole_shares_measure_as_much_as_the_whole(golden, output, dtype, share, blocks, monkeypatch):
    monkeypatch.setattr(float_pass, "SHARE", share * BLOCK)
    inputs = {"x": SPECIAL}
    whole = measure(golden, output, DTYPES[dtype], PROBES, inputs)
    measurement = Measurement(DTYPES[dtype], PROBES)
    for start in range(0, COUNT, blocks * BLOCK):
        part = slice(start, start + blocks * BLOCK)
        measurement.add(piece(golden, part), output[part])
    assert measurement.metrics(output, inputs).to_json() == whole.to_json()


def test_the_cases_meet_what_only_some_pieces_have():
    found = {
        name: measure(golden, output, DTYPES[dtype], PROBES, {"x": SPECIAL})
        for name, (golden, output, dtype) in CASES.items()
    }
    assert found["readings"].mixed_readings > 0
    assert found["flushing"].flushed > 0
    assert found["terms"].worst.index > COUNT - BLOCK
    assert found["zeros"].golden_all_zero
    assert found["constant"].golden_constant
    assert (found["nan"].golden_all_nan, found["nan at first"].golden_all_nan) == (True, False)


def test_a_golden_that_has_terms_in_some_pieces_only_is_refused():
    measurement = Measurement(DTYPES["float32"], PROBES)
    measurement.add(GoldenOutput(NUMBERS[:BLOCK]), NUMBERS[:BLOCK].astype(np.float32))
    with pytest.raises(ValueError, match="some pieces of a golden have terms, others none"):
        measurement.add(GoldenOutput(NUMBERS[:9], terms=NUMBERS[:9]), NUMBERS[:9].astype(np.float32))
