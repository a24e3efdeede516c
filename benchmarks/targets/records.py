"""Records of 100 000 cases: judged again, compared with another, written as a page.

Their seconds are of the processor, so that what else a machine does counts little; each command has one thread.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from io import StringIO
from itertools import cycle, islice
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

from rich.console import Console

from benchmarks.clocks import finished, python
from benchmarks.target import Contest, Figure, Measure, Setting, Target
from conformance.listing import load_listing
from conformance.opening import open_session
from conformance.options import Options
from conformance.record import RecordWriter, read_record
from conformance.run import Plan, run
from conformance.tier import of_tier

_LINES, _EVERY = 100_000, 20
_KIB = 1 << 10
_PEAK = """
import resource, sys
from conformance.cli import main
assert main(sys.argv[1:]) == 0
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def _record_of(lines: int, folder: Path, *, under_own_ids: bool) -> Path:
    """A record of so many lines: cases of the suite's own, one in ``_EVERY``, again and again."""
    cards = of_tier(load_listing().cards, "default")[::_EVERY]
    options, small, large = Options(runner="simulator"), folder / "small.jsonl", folder / "large.jsonl"
    run(open_session(options), options, Plan(cards, small), Console(file=StringIO()))
    found = read_record(small)
    with RecordWriter(large, found.header) as writer:
        for number, line in enumerate(islice(cycle(found.lines), lines)):
            own = f"{line['id'].rpartition('.h')[0]}.h{number:08d}"
            writer.add({**line, "id": own} if under_own_ids else line)
    return large


def _command_seconds(words: Sequence[str | Path]) -> Measure:
    """Seconds of the processor that a command takes, from its start to its end."""

    def measure() -> float:
        before = getrusage(RUSAGE_CHILDREN)
        finished(python("-m", "conformance", *words))
        after = getrusage(RUSAGE_CHILDREN)
        return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime

    return measure


def _rechecked(setting: Setting) -> Contest:
    record = _record_of(setting.size(_LINES), setting.folder, under_own_ids=False)
    return Contest(_command_seconds(["recheck", record]))


def _compared(setting: Setting) -> Contest:
    record = _record_of(setting.size(_LINES), setting.folder, under_own_ids=True)
    return Contest(_command_seconds(["diff", record, record]))


def _page(setting: Setting) -> list[str | Path]:
    record = _record_of(setting.size(_LINES), setting.folder, under_own_ids=True)
    return ["report", "html", record, "-o", setting.folder / "page.html"]


def _written(setting: Setting) -> Contest:
    return Contest(_command_seconds(_page(setting)))


def _peak(setting: Setting) -> Contest:
    words = _page(setting)
    return Contest(lambda: float(finished(python("-c", _PEAK, *words)).split()[-1]) * _KIB)


def _targets() -> Iterator[Target]:
    alone = partial(Target, figure=Figure.ALONE, slow=True)
    yield alone("records.recheck", "recheck of a record of 100 000 cases", floor=5.0, aim=4.0, prepare=_rechecked)
    yield alone("records.diff", "diff of two records of 100 000 cases", floor=5.0, aim=4.0, prepare=_compared)
    yield alone("records.page", "HTML page of a record of 100 000 cases", floor=15.0, aim=8.0, prepare=_written)
    says = "peak memory of writing that page"
    yield alone("records.page_memory", says, floor=2.0**30, aim=2.0**29, prepare=_peak, unit="B")


TARGETS = tuple(_targets())
