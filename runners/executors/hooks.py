"""Calls the hooks of executor classes in ATK's order: the operator makes its inputs, then the call its arguments."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from runners.executors.dataset import Refused
from runners.executors.shim import AclnnBaseApi, Backend, BaseApi, InputDataset, Passed, TaskResult

_HOOK = "init_by_input_data"


def run_hooks(classes: Iterable[type], task: TaskResult, data: InputDataset, *, ordered: bool) -> Mapping[str, Any]:
    """Let executors make the inputs; what is passed to the call, by input, where one of them says so. Raises Refused.

    With ``ordered`` inputs are bound by their places, so that they may not be passed in another order.
    """
    passed: Mapping[str, Any] = {}
    for cls in sorted(classes, key=lambda one: issubclass(one, AclnnBaseApi)):
        if issubclass(cls, AclnnBaseApi):
            passed = _arguments(cls, task, data, ordered)
        elif issubclass(cls, BaseApi):
            _called(cls, (task,), data)
        else:
            raise Refused(f"registers {cls.__name__}, which is no executor")
    return passed


def _called(cls: type, built_with: tuple[Any, ...], data: InputDataset) -> Any:
    """What the hook of a class returns; whatever it raises is Refused."""
    try:
        return getattr(cls(*built_with), _HOOK)(data)
    except Exception as error:
        raise Refused(f"{cls.__name__}.{_HOOK} raised {type(error).__name__}: {error}"[:300]) from None


def _arguments(cls: type, task: TaskResult, data: InputDataset, ordered: bool) -> Mapping[str, Any]:
    """Inputs as the class passes them; raises Refused where it is not those of the file that it passes."""
    usual = AclnnBaseApi(task).init_by_input_data(data)[0]
    names = [one.name for one in usual if one.name]
    made = _called(cls, (task, Backend()), data)
    if not (isinstance(made, tuple) and len(made) == 2 and all(isinstance(one, list) for one in made)):
        raise Refused(f"{cls.__name__}.{_HOOK} returns {made!r:.60}, not the arguments and the outputs among them")
    passed, outputs = ([one for one in part if isinstance(one, Passed) and one.name in names] for part in made)
    found = {one.name: one.tensor for one in (*passed, *outputs)}
    missing = [name for name in names if name not in found]
    if missing:
        raise Refused(f"passes something else for {', '.join(missing)} than the input")
    order = [one.name for one in passed]
    if ordered and order != [name for name in names if name in order]:
        raise Refused("passes its inputs in another order than the file")
    return found
