"""What the pytest door is told: the options of ``conformance run`` on pytest's command line, and what workers get.

Nothing here needs pytest itself: its parser and configuration are taken as they come.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from conformance.card import DEFAULT
from conformance.options import (
    CANN_HELP,
    DEFAULT_PRODUCT,
    DEFAULT_REFERENCE,
    DEFAULT_RUNNER,
    DEVICES_HELP,
    GOLDEN_CACHE_HELP,
    RUNNER_OPTION_HELP,
    STANDARD_HELP,
    TRUST_HELP,
    Options,
    parse_count,
    parse_limit,
    parse_runner_options,
    parse_seconds,
    parse_shard,
    parse_share,
)
from conformance.product import PRODUCTS
from conformance.tier import TIERS


def add_options(parser: Any) -> None:
    """The options of ``conformance run``."""
    group = parser.getgroup("conformance", "aclnn conformance")
    group.addoption("--runner", default=DEFAULT_RUNNER, help="who is judged: a name, module:Class or exec:COMMAND")
    group.addoption("--runner-option", action="append", default=[], metavar="NAME=VALUE", help=RUNNER_OPTION_HELP)
    group.addoption("--devices", metavar="LIST", help=DEVICES_HELP)
    group.addoption("--cann", metavar="PATH", help=CANN_HELP)
    group.addoption("--reference", default=DEFAULT_REFERENCE, help="who supplies goldens")
    group.addoption("--product", default=DEFAULT_PRODUCT, help=", ".join(PRODUCTS))
    group.addoption("--standard", help=STANDARD_HELP)
    group.addoption("--seed", type=int, default=0, help="changes all random data")
    group.addoption(
        "--repeat", type=parse_count, default=1, help="make every call so often; all answers must be the same bits"
    )
    group.addoption("--shuffle", type=int, default=None, metavar="SEED", help="run in another order, told by the seed")
    group.addoption("--shard", type=parse_shard, metavar="I/N", help="run share I of N; merge joins their records")
    group.addoption("--max-elements", type=parse_limit, default=None, help="skip cases with a larger tensor")
    group.addoption("--max-bytes", type=parse_limit, default=None, help="skip cases whose tensors take more together")
    group.addoption("--atk-slice", type=parse_share, default=0.0, metavar="RATIO", help="ATK cases laid out with gaps")
    group.addoption("--trust-executors", action="store_true", help=TRUST_HELP)
    group.addoption("--tier", choices=TIERS, default=DEFAULT, help="cases to run, from a few to all (%(default)s)")
    group.addoption("--record", type=Path, default=None, help="record file to write")
    group.addoption("--resume", action="store_true", help="go on with that record, which an interrupted run left")
    group.addoption("--waivers", type=Path, action="append", default=[], help="file of known deviations")
    group.addoption("--deadline", type=parse_seconds, default=None, help="seconds a case may take")
    group.addoption("--golden-cache", default="", metavar="DIR", help=GOLDEN_CACHE_HELP)
    isolate = {"dest": "isolate", "default": None}
    group.addoption("--isolate", action="store_true", help="run in a child process (foreign runners always)", **isolate)
    group.addoption("--no-isolate", action="store_false", help="run in this process, foreign runners too", **isolate)


def input_of(config: Any) -> Mapping[str, Any]:
    """What the process that gathers told this xdist worker; nothing elsewhere."""
    told: Mapping[str, Any] = getattr(config, "workerinput", {})
    return told


def is_remote(config: Any) -> bool:
    """Whether cases run on other machines, so that nothing can be known of the runner here."""
    return any("popen" not in spec for spec in config.getoption("tx", None) or ())


def options_of(config: Any) -> Options:
    """The options of a pytest run."""
    return Options(
        runner=config.getoption("--runner"),
        reference=config.getoption("--reference"),
        product=config.getoption("--product"),
        standard=config.getoption("--standard"),
        seed=config.getoption("--seed"),
        max_elements=config.getoption("--max-elements"),
        max_bytes=config.getoption("--max-bytes"),
        atk_slice=config.getoption("--atk-slice"),
        trust_executors=config.getoption("--trust-executors"),
        waivers=tuple(config.getoption("--waivers")),
        isolate=config.getoption("--isolate"),
        runner_options=parse_runner_options(
            config.getoption("--runner-option"), config.getoption("--cann"), config.getoption("--devices")
        ),
        deadline=config.getoption("--deadline"),
        repeat=config.getoption("--repeat"),
        golden_cache=config.getoption("--golden-cache"),
    )
