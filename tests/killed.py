"""Runs that are killed with SIGKILL at random moments, resumed until they end, and compared with an undisturbed one.

``PYTHONPATH=.:tests python tests/killed.py 20`` does so twenty times for each way and says how it went.
"""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import fakes
from tiny import prelu_folder, prelu_group, write

from conformance.merge import merge
from conformance.record import read_record

ROOT = Path(__file__).resolve().parent.parent
GROUPS = [prelu_group(f"group{number}") for number in range(24)]
SLOW = f"{fakes.__file__}:Slow"
MOST = 30
"""Times that one run is resumed before this gives up."""


@dataclass
class Way:
    """How a run is started, and which of its processes is killed."""

    words: list[str]
    victims: Callable[[int], list[int]]
    environment: dict[str, str] = field(default_factory=lambda: {**os.environ, "PYTHONPATH": str(ROOT)})

    def start(self, folder: Path, record: Path, *more: str) -> subprocess.Popen[bytes]:
        paths = ["--paths", str(folder)] if "conformance" in self.words else [str(folder)]
        words = [sys.executable, "-m", *self.words, *paths, "--runner", SLOW, "--record", str(record), *more]
        log = record.with_suffix(".log").open("ab")
        return subprocess.Popen(words, cwd=folder, env=self.environment, stdout=log, stderr=log)


def children(pid: int) -> list[int]:
    """Processes that one started, the workers of pytest among them."""
    try:
        return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


XDIST = ["pytest", "-q", "-p", "no:cacheprovider", "-n", "2"]
WAYS = {
    "native": Way(["conformance", "run"], lambda pid: [pid]),
    "controller": Way(XDIST, lambda pid: [pid]),
    "workers": Way(XDIST, children),
}


def make_folder(root: Path) -> Path:
    """A folder of cases that take a little while."""
    folder = prelu_folder(root)
    write(folder, *GROUPS, api="aclnnPreluBackward")
    return folder


def lines_in(record: Path) -> int:
    return record.read_bytes().count(b"\n") if record.exists() else 0


def disturb(way: Way, process: subprocess.Popen[bytes], record: Path, chance: random.Random) -> bool:
    """Kill one of the processes once some more lines are there, or never if the run is quicker; whether it was."""
    wanted = lines_in(record) + chance.randrange(8)
    while process.poll() is None and lines_in(record) <= wanted:
        time.sleep(0.002)
    time.sleep(chance.random() * 0.04)
    victims = way.victims(process.pid)
    if process.poll() is not None or not victims:
        return False
    with contextlib.suppress(ProcessLookupError):
        os.kill(chance.choice(victims), signal.SIGKILL)
    return True


def run_to_the_end(way: Way, folder: Path, record: Path, chance: random.Random, *more: str) -> int:
    """Run, kill and resume, until a run ends in peace; how often it was killed."""
    kills = 0
    for attempt in range(MOST):
        process = way.start(folder, record, *more, *(["--resume"] if attempt else []))
        killed = attempt < 2 and disturb(way, process, record, chance)
        status = process.wait(300)
        kills += killed
        if status == 0 or (not killed and status != -signal.SIGKILL):
            return kills
    raise AssertionError(f"{record} never ends")


def answers(record: Path) -> list[dict[str, object]]:
    """What a record says of its cases, without how long they took."""
    return sorted(({**line, "seconds": 0} for line in read_record(record).lines), key=lambda line: str(line["id"]))


def joined(first: Path, second: Path) -> list[dict[str, object]]:
    """Answers of two shards put together."""
    path = second.with_suffix(".all.jsonl")
    merge([read_record(first), read_record(second)], path)
    return answers(path)


def trials(names: Sequence[str], times: int, root: Path) -> Iterator[tuple[str, int, int, bool]]:
    """Way, number of the trial, kills, and whether the merged result is that of undisturbed runs."""
    folder = make_folder(root / "data")
    whole = [root / f"{shard}.jsonl" for shard in (1, 2)]
    for shard, record in enumerate(whole, 1):
        WAYS["native"].start(folder, record, "--shard", f"{shard}/2").wait(300)
    undisturbed = joined(*whole)
    assert len(undisturbed) == len(GROUPS)
    for trial in range(times):
        for name in names:
            record, chance = root / f"{name}{trial}.jsonl", random.Random(f"{name} {trial}")
            kills = run_to_the_end(WAYS[name], folder, record, chance, "--shard", "2/2")
            yield name, trial, kills, joined(whole[0], record) == undisturbed


def main() -> int:
    """As often as the command line says, each way."""
    total = wrong = 0
    with tempfile.TemporaryDirectory() as root:
        for name, trial, kills, same in trials(list(WAYS), int(sys.argv[1]), Path(root)):
            print(f"{name} {trial}: killed {kills} times, {'the same' if same else 'NOT the same'}", flush=True)
            total, wrong = total + kills, wrong + (not same)
    print(f"{total} kills, {wrong} results differ")
    return 1 if wrong or not total else 0


if __name__ == "__main__":
    sys.exit(main())
