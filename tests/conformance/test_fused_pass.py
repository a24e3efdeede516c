"""The compiled pass says what the pass by arrays says to the last bit, is loaded where that pays, and never needed."""

import pickle
import sys
from contextlib import contextmanager
from types import SimpleNamespace
from unittest.mock import Mock, patch

import numpy as np
import pytest

from conformance import float_pass
from conformance.dtype import DTYPES
from conformance.golden import GoldenOutput
from conformance.load import load_standards
from conformance.measure import measure
from conformance.standard import probes_of

fused_pass = pytest.importorskip("conformance.fused_pass", reason="numba is not installed")
PROBES = probes_of(load_standards().values())
NAMES = ["float32", "float16", "bfloat16", "float64", "float8_e5m2", "float8_e4m3fn"]
RANDOM = np.random.default_rng(5)


def rounded_golden(golden, name):
    with np.errstate(all="ignore"):
        return golden.astype(DTYPES[name].numpy)


def some_off(golden, name, off):
    """Outputs of which every third is some numbers of the type off."""
    output = rounded_golden(golden, name)
    bits = output.view(f"uint{DTYPES[name].bits}")
    bits[::3] += np.asarray(off(len(bits[::3])), bits.dtype)
    return golden, output


def tenth_off(golden, name):
    return golden, rounded_golden(golden * 1.1, name)


RELATIONS = {
    "equal": lambda golden, name: (rounded_golden(golden, name).astype(np.float64), rounded_golden(golden, name)),
    "rounded": lambda golden, name: (golden, rounded_golden(golden, name)),
    "a_step_off": lambda golden, name: some_off(golden, name, lambda count: 1),
    "many_steps_off": lambda golden, name: some_off(golden, name, lambda count: RANDOM.integers(0, 100, count)),
    "a_tenth_off": tenth_off,
    "a_zero_each": lambda golden, name: (np.where(golden > 1, 0.0, golden), rounded_golden(golden, name)),
}


def some_terms(golden):
    """Σ|terms| of goldens, a few 0 and a few infinite."""
    terms = np.abs(golden) * RANDOM.uniform(0, 3, len(golden))
    terms[::11], terms[::17] = 0.0, np.inf
    return {"terms": terms, "term_count": 3}


@contextmanager
def passes(module):
    """Measuring with or without the compiled pass; lists the blocks that the pass by arrays had to count."""
    by_arrays = []
    count = float_pass.ArrayPass.count

    def listed(self, start, *sides):
        by_arrays.append(start)
        return count(self, start, *sides)

    with patch.object(float_pass.LOOPS, "module", module), patch.object(float_pass.ArrayPass, "count", listed):
        yield by_arrays


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("scale", [1.0, 1e-4, 1e-40, 1e4, 1e38, 1e307])
@pytest.mark.parametrize("has_terms", [False, True])
def test_figures_are_those_of_the_pass_by_arrays_to_the_last_bit(name, relation, scale, has_terms):
    for count in (1, 7, 8, 9, 127, 129, 511, 513, 1000, 1025, 5000, 40_000):
        numbers, output = RELATIONS[relation](RANDOM.standard_normal(count) * scale, name)
        golden = GoldenOutput(numbers, **(some_terms(numbers) if has_terms else {}))
        with passes(None):
            expected = measure(golden, output, DTYPES[name], PROBES)
        with passes(fused_pass):
            assert repr(measure(golden, output, DTYPES[name], PROBES)) == repr(expected)


@pytest.mark.parametrize("relation", RELATIONS)
def test_figures_do_not_depend_on_who_counts_which_share(relation):
    count = 3 * float_pass.SHARE + 1000
    numbers, output = RELATIONS[relation](RANDOM.standard_normal(count), "float32")
    golden = GoldenOutput(numbers, **some_terms(numbers))
    seen = set()
    for threads, module in ((1, None), (3, None), (1, fused_pass), (3, fused_pass)):
        with passes(module), patch.object(float_pass, "_threads", lambda threads=threads: threads):
            seen.add(repr(measure(golden, output, DTYPES["float32"], PROBES)))
    assert len(seen) == 1


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("relation", ["equal", "rounded", "a_step_off"])
def test_plain_numbers_are_left_to_the_compiled_pass(name, relation):
    golden, output = RELATIONS[relation](RANDOM.uniform(1, 2, 40_000), name)
    with passes(fused_pass) as by_arrays:
        measure(GoldenOutput(golden), output, DTYPES[name], PROBES)
        measure(GoldenOutput(golden, **some_terms(golden)), output, DTYPES[name], PROBES)
    assert by_arrays == []


@pytest.mark.parametrize("special", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("side", ["golden", "output", "both"])
def test_a_share_with_specials_is_counted_by_arrays_and_no_other(special, side):
    golden = RANDOM.uniform(1, 2, 3 * float_pass.SHARE)
    output = rounded_golden(golden, "float32")
    at = float_pass.SHARE + 5
    for array in {"golden": [golden], "output": [output], "both": [golden, output]}[side]:
        array[at] = special
    with passes(fused_pass) as by_arrays:
        metrics = measure(GoldenOutput(golden), output, DTYPES["float32"], PROBES)
    assert by_arrays == list(range(float_pass.SHARE, 2 * float_pass.SHARE, float_pass.BLOCK))
    assert metrics.compared == len(golden) - 1
    assert metrics.class_mismatches == (side != "both")


def test_answers_among_several_are_found_by_arrays():
    golden = RANDOM.uniform(1, 2, 100)
    with passes(fused_pass) as by_arrays:
        alternatives = GoldenOutput(golden, alternatives=(golden + 1,))
        metrics = measure(alternatives, rounded_golden(golden + 1, "float32"), DTYPES["float32"], PROBES)
    assert (by_arrays, metrics.bit_different) == ([0], 0)


def test_memory_that_may_not_be_written_is_measured_too():
    golden = RANDOM.uniform(1, 2, 100)
    output = rounded_golden(golden, "float16")
    golden.flags.writeable = output.flags.writeable = False
    with passes(fused_pass) as by_arrays:
        assert measure(GoldenOutput(golden), output, DTYPES["float16"], PROBES).bit_different == 0
    assert by_arrays == []


@pytest.mark.parametrize(
    ("is_kept", "measured", "is_loaded"),
    [
        (True, [2**25], False),
        (True, [2**25, 2**24], True),
        (True, [2**26], True),
        (False, [2**26, 2**27], False),
        (False, [2**26, 2**28], True),
        (False, [2**28], True),
    ],
)
def test_it_is_loaded_once_enough_was_measured_and_compiled_once_much_was(is_kept, measured, is_loaded, monkeypatch):
    monkeypatch.setattr(fused_pass, "is_kept", lambda: is_kept)
    loops = float_pass._Loops()
    for elements in measured:
        loops.measuring(elements)
    assert (loops.module is fused_pass) == is_loaded


def test_a_disk_that_is_full_leaves_measuring_to_arrays(monkeypatch):
    def full():
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(fused_pass, "compile_loops", full)
    loops = float_pass._Loops()
    assert not loops.load(compiling=True)
    assert loops.new_pass(DTYPES["float32"], PROBES.of("float32")) is None


@pytest.mark.parametrize("error", [EOFError, OSError(28, "no space left"), pickle.UnpicklingError, SystemError])
def test_a_compiler_that_fails_is_done_without(error, monkeypatch):
    monkeypatch.setattr(fused_pass, "count", Mock(side_effect=error))
    loops = float_pass._Loops()
    assert not loops.load(compiling=True)
    assert loops.module is None


def test_without_the_compiler_everything_is_measured_by_arrays(monkeypatch):
    for name in (
        "numba",
        "conformance.fused_pass",
        "conformance.fused_loops",
        "conformance.fused_numbers",
        "conformance.pairwise",
    ):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setitem(sys.modules, "numba", None)
    loops = float_pass._Loops()
    assert not loops.load(compiling=True)
    assert loops.new_pass(DTYPES["float32"], PROBES.of("float32")) is None


@pytest.mark.parametrize("compiling", [True, False])
def test_loops_that_are_damaged_are_compiled_anew_where_compiling_is_worth_it(compiling, monkeypatch):
    done = []

    def compile_loops():
        done.append("compile")
        if "begin anew" not in done:
            raise EOFError("of a file that is damaged")

    module = SimpleNamespace(
        compile_loops=compile_loops, is_kept=lambda: True, begin_anew=lambda: done.append("begin anew")
    )
    monkeypatch.setattr(float_pass, "import_module", lambda name: module)
    assert float_pass._Loops().load(compiling=compiling) is compiling
    assert done == (["compile", "begin anew", "compile"] if compiling else ["compile"])
