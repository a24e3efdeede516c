"""``standard.acc`` of ATK → the standard of this suite that stands nearest to it."""

from __future__ import annotations

from typing import Any

_STANDARDS = {
    "default": "cann_single_benchmark",
    "single_bm": "cann_single_benchmark",
    "mixed_tolerance_bm": "cann_mixed",
    "double_benchmark": "cann_dual_benchmark_L0",
    "cv_fused_double_benchmark": "cann_cv_fused",
    "stand_quantize": "cann_single_benchmark",
    "md5": "exact",
    "equal": "exact",
    "binary_standard_v2": "exact",
}
"""Comparator of ATK → standard. Whatever else stands there is judged by the default alone."""


def standard_for(acc: Any) -> str:
    """Name of the standard; "" where ATK's comparator has no like here.

    Thresholds that a file sets for itself are not taken: ATK ignores nearly all of them.
    """
    name = next(iter(acc), "") if isinstance(acc, dict) else acc
    return _STANDARDS.get(name, "") if isinstance(name, str) else ""
