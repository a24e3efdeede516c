"""Large elementwise cases in memory: the most that a process holds beyond four times the largest tensor of the case."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from benchmarks.clocks import finished, python
from benchmarks.target import Contest, Figure, Setting, Target
from conformance.data import data_root

_TENSORS, _MIB = 4, 1 << 20
_PROGRAM = """
import sys
from math import prod
from pathlib import Path
from conformance.case import TensorSpec
from conformance.corpus import load_corpus
from conformance.options import Options
from conformance.opening import open_session
listed = load_corpus([Path(sys.argv[1])]).cases
case = next(c for c in listed if c.tier == "large" and f".{sys.argv[2]}." in c.id)
assert open_session(Options()).execute(case).judged.verdict.value == "passed"
tensors = [a for a in case.arguments.values() if isinstance(a, TensorSpec)]
peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(int(peak.split()[1]) * 1024, max(prod(a.shape) * a.dtype.itemsize for a in tensors))
"""


def _beyond(api: str, word: str, setting: Setting) -> Contest:
    def measured() -> float:
        folder: Path = data_root() / "activation" / api
        peak, largest = map(int, finished(python("-c", _PROGRAM, folder, word)).split())
        return float(peak - _TENSORS * largest)

    return Contest(measured)


TARGETS = tuple(
    Target(
        f"streaming.{api}.{word}",
        f"peak memory of a case of 2^24 {word} elements, {api}, beyond {_TENSORS} times its largest tensor",
        Figure.ALONE,
        floor=300 * _MIB,
        aim=275 * _MIB,
        prepare=partial(_beyond, api, word),
        unit="B",
    )
    for api, word in (("gelu", "fp32"), ("gelu", "fp16"), ("hardswish_backward", "fp16"), ("inplace_selu", "fp32"))
)
