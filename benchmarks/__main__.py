"""Command line of the benchmarks."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.measuring import QUICK_ROUNDS, ROUNDS, measured
from benchmarks.tables import line, machine, markdown
from benchmarks.target import Found, Target
from benchmarks.targets import all_targets

RESULTS = Path(__file__).resolve().parent / "results.md"


def main(arguments: Sequence[str] | None = None, targets: Sequence[Target] | None = None) -> int:
    """Run the targets asked for; 0 where all floors are met, 1 where one is not, 2 where there are none."""
    given = _parser().parse_args(arguments)
    known = all_targets() if targets is None else targets
    chosen = [target for target in known if _is_chosen(target, given.only, given.quick)]
    if not chosen:
        print(f"no target begins with {' or '.join(given.only)}; --list shows all", file=sys.stderr)
        return 2
    if given.list:
        print("\n".join(f"{target.name:<44} {target.says}" for target in chosen))
        return 0
    print(machine())
    results = []
    for found in measured(chosen, given.quick):
        print(line(found), flush=True)
        results.append(found)
    _write(results, given.output or (None if given.only or given.quick else RESULTS), given.quick)
    missed = [found.target.name for found in results if found.is_missed]
    print(f"{len(results) - len(missed)} of {len(results)} met" + (f"; missed: {', '.join(missed)}" if missed else ""))
    return 1 if missed else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description="Measure what docs/performance.md promises."
    )
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="targets whose names begin so")
    parser.add_argument("--quick", action="store_true", help="a tenth of the size, three rounds, no slow target")
    parser.add_argument("--list", action="store_true", help="name the targets and stop")
    parser.add_argument(
        "--output", type=Path, metavar="FILE", help="where to write (whole runs: benchmarks/results.md)"
    )
    return parser


def _is_chosen(target: Target, only: Sequence[str], quick: bool) -> bool:
    if only:
        return any(target.name.startswith(name) for name in only)
    return not (quick and target.slow)


def _write(results: Sequence[Found], path: Path | None, quick: bool) -> None:
    if path is not None:
        path.write_text(markdown(results, QUICK_ROUNDS if quick else ROUNDS), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
