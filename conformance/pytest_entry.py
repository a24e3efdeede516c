"""What pytest loads in every project where the suite is installed: it brings the plugin in where cases are to be run.

The plugin's options have everyday names (``--seed``, ``--record``, ``--runner``) which other projects use for their own
ends, and its imports take time. So it is loaded only when an argument of the run is a case file or a folder of
contracts; ``-p conformance.pytest_plugin`` and ``pytest_plugins`` in a conftest load it always.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from conformance.foreign.heads import begins_as_cases, broken_of, suite_of

_PLUGIN = "conformance.pytest_plugin"
_CONTRACTS = ("contract.json", "*/contract.json", "*/*/contract.json")
_MARK = b'"aclnn'


def pytest_addoption(pluginmanager: Any) -> None:
    """Load the plugin where some argument names cases; it then adds its options itself."""
    config = pluginmanager.get_plugin("pytestconfig")
    if config is not None and any(names_cases(str(argument)) for argument in config.invocation_params.args):
        pluginmanager.import_plugin(_PLUGIN)


def names_cases(argument: str) -> bool:
    """Whether it is a JSON file of cases, ours or another suite's, or a folder with contracts at most two below."""
    path = Path(argument.partition("::")[0])
    try:
        if path.suffix in (".json", ".csv"):
            beside = _is_contract(path.parent / _CONTRACTS[0])
            known = beside or bool(suite_of(path) or broken_of(path)) or begins_as_cases(path)
            return path.is_file() and known
        return any(_is_contract(found) for pattern in _CONTRACTS for found in path.glob(pattern))
    except OSError:  # too long for a path, or not ours to read
        return False


def _is_contract(path: Path) -> bool:
    """Whether it mentions an aclnn function: other projects have files of that name too."""
    return path.is_file() and _MARK in path.read_bytes()
