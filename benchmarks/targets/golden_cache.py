"""A run over cases whose goldens are kept, against one that asks the reference, as a user starts them."""

from __future__ import annotations

from benchmarks.clocks import command_seconds, python
from benchmarks.target import Contest, Figure, Setting, Target
from conformance.data import data_root

_EVERY = 3
"""One API in so many is run: start and end of a run weigh little."""


def _beside_the_reference(setting: Setting) -> Contest:
    folders = sorted(path.parent for path in (data_root() / "activation").glob("*/contract.json"))
    paths = [word for folder in folders[::_EVERY] for word in ("--paths", folder)]
    command = python("-m", "conformance", "run", *paths, "--record", setting.folder / "record.jsonl", "--golden-cache")
    # The first round, which does not count, fills the cache.
    return Contest(command_seconds([*command, setting.folder]), command_seconds([*command, "off"]))


TARGETS = (
    Target(
        "golden_cache.second_run",
        f"default tier of every {_EVERY}rd API on the simulator, goldens kept, against `--golden-cache off`",
        Figure.SPEEDUP,
        floor=2.0,
        aim=2.5,
        prepare=_beside_the_reference,
        slow=True,
    ),
)
