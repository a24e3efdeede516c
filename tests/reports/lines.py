"""Records made up for tests of reports: lines as the suite writes them, without a run."""

from __future__ import annotations

from itertools import count

from conformance.record import RecordWriter

_NUMBERS = count()
HEADER = {
    "kind": "header",
    "version": "record-1",
    "started": "2026-11-30T20:19:33+00:00",
    "data": "0" * 64,
    "runner": {"spec": "simulator", "name": "simulator", "version": "0.1.0", "facts": {"numpy": "2.4"}},
    "reference": {"name": "reference", "version": "0.1.0", "facts": {}},
    "product": "ascend910b",
    "standard": {"name": "strict", "version": "1"},
    "seed": 0,
    "environment": {"suite": "0.1.0", "python": "3.11", "numpy": "2.4", "torch": "2.13", "host": "vm"},
}
SPECIALS = {"nan": 0, "plus_inf": 0, "minus_inf": 0}
METRICS = {
    "dtype": "float32", "count": 153, "compared": 153, "golden": SPECIALS, "output": SPECIALS, "class_mismatches": 0,
    "zero_sign_mismatches": 0, "bit_different": 21, "flushed": 0, "zero_for_nonzero": 0, "max_abs_error": 5.7e-08,
    "mean_abs_error": 1.1e-08, "max_rel_error": 9.2e-08, "mean_rel_error": 1.7e-08, "rmse": 1.7e-08,
    "ulp_histogram": [132, 15, 3, 1, 0, 1, 0, 0, 1], "max_ulp": 70, "max_step_error": 1.05, "mixed_readings": 0,
    "term_count": 2, "scaled_errors": [], "tolerances": [], "caps": [], "domains": [],
    "worst": {
        "index": 52, "position": [1, 1], "got": -0.618, "expected": "nan", "class_mismatch": True, "ulp": 70,
        "abs_error": 5.7e-08, "rel_error": 9.2e-08, "inputs": {"self": -1.3},
    },
    "golden_all_zero": False, "golden_all_nan": False, "golden_constant": False, "draws": None,
}  # fmt: skip
OUTPUT = {"comparison": "elementwise", "metrics": METRICS, "met": False, "headroom": 1.5, "reason": "beyond"}
SEEN = {
    "outcome": {"kind": "Completed", "text": "completed", "workspace": 0, "facts": {}, "steps": []},
    "faults": [],
    "filled": ["out"],
    "vivid": True,
    "untouched": [],
    "in_place": [],
    "outputs": {"out": OUTPUT},
}


def line(verdict="passed", reason="", api="aclnnTiny", facets=("demo", "fp32", "rank2"), **more):
    """One case's line; its id is another each time."""
    return {
        "kind": "case",
        "id": f"demo.tiny.numeric.plain.fp32-2x3.h{next(_NUMBERS):08d}",
        "api": api,
        "verdict": verdict,
        "reason": reason,
        "exercises": [],
        "facets": list(facets),
        "seconds": 0.0012,
        **more,
    }


def failing(**more):
    """A line with everything that a failure may say."""
    whole = {
        "call": "aclnnTiny(x float32[2, 3])",
        "expected": "success",
        "headroom": 1.5,
        "signature": "out: last element",
        "diagnosis": {"out": {"pattern": "last_element", "text": "only the last element is wrong"}},
        **SEEN,
        **more,
    }
    return {**line("failed", "out: error 1.5 times the limit"), **whole}


def record_file(path, *lines, ended=True, complaints=(), **header):
    """A record of these lines; ``header`` replaces parts of the usual one."""
    writer = RecordWriter(path, {**HEADER, **header})
    for one in lines:
        writer.add(one)
    writer.close(ended=ended, complaints=complaints)
    return path
