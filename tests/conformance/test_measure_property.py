"""The blocked pass against a naive computation over whole arrays, on small arrays full of special values.

Figures must be the same to the last bit: records of one version are compared with those of another.
"""

from math import sqrt
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conformance import array_pass, differing, float_pass, fused_pass
from conformance.dtype import DTYPES
from conformance.golden import GoldenOutput
from conformance.measure import measure
from conformance.metrics import Cap, Domain, DTypeProbes, Probes, Tolerance
from conformance.rounding import float_format, rounded

TOLERANCE, CAP, DOMAIN = Tolerance(1e-2, 1e-3), Cap(0.1, 32), Domain(0.25, 1e-3)
PROBES = Probes(dict.fromkeys(DTYPES, DTypeProbes((TOLERANCE,), (CAP,), (DOMAIN,))))
INTERESTING = [0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, 1.0 + 2**-9, 65504.0, 65520.0, 1e-40, 6e-8, 3.4028235e38, 1e300]
NUMBER = st.sampled_from(INTERESTING) | st.floats(-4, 4) | st.floats(width=32)
BLOCK = 5
"""Elements a block, so that small arrays have several."""
PAIRS = st.lists(st.tuples(NUMBER, NUMBER | st.none()), min_size=1, max_size=12)


def ordinal(number, form):
    """Place of a finite number or infinity among all numbers of its type; both zeros are 0."""
    bits = int(np.asarray(number).astype(form.numpy).view(form.bits))
    return -(bits & form.magnitude) if bits > form.magnitude else bits


def naive(golden, output, form):
    """One row of facts an element: (class of comparison, ulp, absolute, relative error)."""
    top, rows = form.maximum, []
    step = top - float(np.asarray(form.largest - 1, form.bits).view(form.numpy))
    for g, target, o in zip(golden, rounded(golden, form_dtype(form)).astype(float), output.astype(float), strict=True):
        edge = {abs(target), abs(o)} == {np.inf, top} and target * o > 0 and abs(g) <= top + step
        if np.isfinite(target) and np.isfinite(o):
            flushed = o == 0 and target != 0 and abs(g) < form.smallest_normal
            ulp = 0 if flushed else abs(ordinal(target, form) - ordinal(o, form))
            rows.append(("compared", ulp, abs(o - g), abs(o - g) / (abs(g) + 1e-7), abs(g)))
        elif edge:
            rows.append(("edge", 1, 0.0, 0.0, abs(g)))
        else:
            same = (np.isnan(target) and np.isnan(o)) or target == o
            rows.append(("same" if same else "mismatch", 0, 0.0, 0.0, abs(g)))
    return rows


def form_dtype(form):
    return next(d for d in DTYPES.values() if d.numpy == form.numpy)


@pytest.mark.parametrize("name", ["float32", "float16", "bfloat16", "float8_e5m2"])
@given(pairs=PAIRS)
@settings(max_examples=60, deadline=None)
def test_the_blocked_pass_agrees_with_a_naive_one(name, pairs):
    golden = np.array([g for g, _ in pairs])
    with np.errstate(all="ignore"):
        output = rounded(np.array([g if o is None else o for g, o in pairs]), DTYPES[name])
        rows = naive(golden, output, float_format(DTYPES[name]))
        with patch.object(float_pass, "BLOCK", BLOCK):
            metrics = measure(GoldenOutput(golden), output, DTYPES[name], PROBES)
        compare(metrics, [r for r in rows if r[0] == "compared"], rows, float_format(DTYPES[name]))


def total(rows, value):
    """Sum of a value of the compared elements: block by block, in each those below the domain's threshold first."""
    whole = 0.0
    for start in range(0, len(rows), BLOCK):
        block = rows[start : start + BLOCK]
        small = [row for row in block if row[0] == "compared" and row[4] < DOMAIN.threshold]
        large = [value(row) if row[0] == "compared" and row not in small else 0.0 for row in block]
        whole += np.add.reduce([value(row) for row in small]) + np.add.reduce(large)
    return whole


WAYS = {
    "by_threads": (float_pass, "_threads", lambda: 3),
    "gathered": (differing, "_MANY", 0),
    "in_place": (differing, "_MANY", 1000),
    "never_exact": (array_pass.ArrayPass, "_sizes_if_exact", lambda *_: None),
    "compiled": (float_pass.LOOPS, "module", fused_pass),
}


@pytest.mark.parametrize("name", ["float32", "float16", "bfloat16", "float64"])
@pytest.mark.parametrize("way", WAYS)
@given(pairs=PAIRS | st.lists(st.tuples(st.floats(0.5, 4), st.floats(0.5, 4) | st.none()), min_size=1, max_size=60))
@settings(max_examples=30, deadline=None)
def test_every_way_through_a_block_gives_the_same_figures(name, way, pairs):
    golden = np.array([g for g, _ in pairs])
    with np.errstate(all="ignore"):
        output = rounded(np.array([g if o is None else o for g, o in pairs]), DTYPES[name])
    for exact in (golden, output.astype(np.float64)):
        by_arrays = patch.object(float_pass.LOOPS, "module", None)
        with by_arrays, patch.multiple(float_pass, BLOCK=BLOCK, SHARE=2 * BLOCK, _threads=lambda: 1):
            usual = measure(GoldenOutput(exact), output, DTYPES[name], PROBES)
            with patch.object(*WAYS[way]):
                assert repr(measure(GoldenOutput(exact), output, DTYPES[name], PROBES)) == repr(usual)


def compare(metrics, compared, rows, form):
    """Assert that the metrics say what the rows say."""
    absolute = np.array([r[2] for r in compared])
    relative = np.array([r[3] for r in compared])
    size = np.array([r[4] for r in compared])
    assert metrics.compared == len(compared)
    assert metrics.class_mismatches == sum(r[0] == "mismatch" for r in rows)
    assert metrics.max_ulp == max(r[1] for r in rows)
    assert sum(metrics.ulp_histogram) == sum(r[0] in ("compared", "edge") for r in rows)
    assert metrics.ulp_histogram[0] == sum(r[0] in ("compared", "edge") and r[1] == 0 for r in rows)
    assert metrics.max_abs_error == max(absolute, default=0.0)
    assert metrics.max_rel_error == max(relative, default=0.0)
    if len(compared):
        assert metrics.mean_abs_error == total(rows, lambda row: row[2]) / len(compared)
        assert metrics.mean_rel_error == total(rows, lambda row: row[3]) / len(compared)
        assert metrics.rmse == sqrt(total(rows, lambda row: row[2] * row[2]) / len(compared))
    assert metrics.within(TOLERANCE) == np.count_nonzero(absolute <= TOLERANCE.atol + TOLERANCE.rtol * size)
    assert metrics.within_cap(CAP) == np.count_nonzero(absolute <= np.maximum(CAP.limit, CAP.ulps * form.ulp(size)))
    small = size < DOMAIN.threshold
    found = metrics.domain(DOMAIN)
    assert (found.small, found.large) == (np.count_nonzero(small), np.count_nonzero(~small))
    assert found.small_errors == np.count_nonzero(absolute[small] > DOMAIN.error_limit)
    assert found.large_max_rel == max(relative[~small], default=0.0)
