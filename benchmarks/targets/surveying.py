"""Surveys of a tree of ATK files, new to the suite and met before, against parsing the same bytes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.clocks import seconds
from benchmarks.target import Contest, Figure, Setting, Target
from conformance.cache_use import clear
from conformance.caches import SURVEYED
from conformance.survey import survey, surveyed_files

_FILES, _CASES = 500, 190
_APIS = {"SiluBackward": ("gradOutput", "self"), "Silu": ("self",), "Gelu": ("self",), "Unheard": ("x", "y")}
"""APIs and the names of their tensors; one is none of the suite's."""


def _tree(folder: Path, files: int) -> list[Path]:
    """Files as a checkout has them: a folder an operator, one file in it."""
    random = Random(0)
    for number, (api, names) in zip(range(files), list(_APIS.items()) * files, strict=False):
        home = folder / f"op{number}"
        home.mkdir()
        cases = [_case(case, api, names, random) for case in range(_CASES)]
        (home / f"atk_aclnn{api}_{number}.json").write_text(json.dumps(cases, indent=4))
    return surveyed_files([folder])


def _case(number: int, api: str, names: Sequence[str], random: Random) -> dict[str, Any]:
    shape = [random.randint(1, 64) for _ in range(random.randint(1, 5))]
    word = random.choice(["fp16", "fp32", "bf16"])
    keys = {"type": "tensor", "required": True, "dtype": word, "shape": shape, "format": "ND"}
    return {
        "id": number,
        "name": f"{api}_{number}",
        "aclnn_name": api,
        "api_type": "function",
        "standard": {"acc": "default", "perf": "not_key"},
        "inputs": [{"name": name, **keys, "range_values": [-2, 2]} for name in names],
    }


def _parse(paths: Sequence[Path]) -> None:
    for path in paths:
        json.loads(path.read_bytes())


def _anew(paths: Sequence[Path]) -> None:
    clear(SURVEYED, SURVEYED.path)
    survey(paths)


def _new(setting: Setting) -> Contest:
    paths = _tree(setting.folder, setting.size(_FILES))
    return Contest(seconds(partial(_anew, paths)), seconds(partial(_parse, paths)))


def _met(setting: Setting) -> Contest:
    paths = _tree(setting.folder, setting.size(_FILES))
    return Contest(seconds(partial(survey, paths)))


TARGETS = (
    Target(
        "survey.new",
        "survey of 95 000 cases in 500 ATK files against json.loads of them",
        Figure.RATIO,
        floor=2.0,
        aim=1.2,
        prepare=_new,
    ),
    Target(
        "survey.met",
        "survey of the same files when nothing has changed",
        Figure.ALONE,
        floor=0.3,
        aim=0.1,
        prepare=_met,
    ),
)
