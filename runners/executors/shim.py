"""What executor scripts of ATK are built on, as far as the making of inputs needs it. No code of ATK's is in here.

Base classes, records and the registry behave as scripts expect. Everything that belongs to a device is a placeholder
which takes any use and does nothing.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

DEVICE = "pyaclnn"
"""Side whose inputs are made: that of the implementation under test."""
_FIXED_SEED = 0
REGISTERED: dict[str, type] = {}
"""Classes by the names that scripts register them under."""


class _Pliant(type):
    """Classes of which any attribute is a placeholder."""

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Placeholder(name)


class Placeholder(metaclass=_Pliant):
    """Stands for whatever ATK has for a device: formats, pointers, structures, libraries."""

    def __init__(self, *values: Any, **named: Any) -> None:
        """Takes anything."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Placeholder(name)

    def __call__(self, *values: Any, **named: Any) -> Any:
        """Nothing happens."""
        return Placeholder()


class Record:
    """A JSON object whose keys are attributes; one that is not there is None."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self.__dict__.update({key: record_of(value) for key, value in values.items()})

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return None


def record_of(value: Any) -> Any:
    """A JSON value with objects as records."""
    if isinstance(value, Mapping):
        return Record(value)
    return [record_of(item) for item in value] if isinstance(value, list) else value


class InputDataset:
    """Inputs of one call: those without names in order, the others by name."""

    def __init__(self, args: Sequence[Any] = (), kwargs: Mapping[str, Any] | None = None) -> None:
        self.args = list(args)
        self.kwargs = dict(kwargs or {})


class TaskResult:
    """What an executor is told of its case: the entry of the file, and tensors like the outputs.

    ``unseen`` are inputs that are no arguments of the call.
    """

    is_benchmark_task = False

    def __init__(self, entry: Any = None, outputs: Sequence[Any] = (), unseen: frozenset[str] = frozenset()) -> None:
        self.case_config = record_of(entry or {})
        self.output_info_list = list(outputs)
        self.unseen = unseen


class OpsDataset:
    """Seeds the generators. Without a number it takes a fixed one."""

    def __init__(self, *values: Any, seed: int = _FIXED_SEED, **named: Any) -> None:
        self.seed = seed

    @staticmethod
    def seed_everything(seed: int = _FIXED_SEED) -> None:
        """Begin the streams of Python, numpy and torch anew."""
        random.seed(seed)
        np.random.seed(seed % (1 << 32))
        torch.manual_seed(seed)


class BaseApi:
    """An operator as ATK calls it; ``init_by_input_data`` makes its inputs legal."""

    device = DEVICE
    device_id = 0

    def __init__(self, task_result: Any = None) -> None:
        self.task_result = task_result
        config = getattr(task_result, "case_config", None)
        self.name = self.api_name = getattr(config, "name", "") or ""

    def init_by_input_data(self, input_data: InputDataset) -> Any:
        """Nothing to be made legal."""

    def __call__(self, input_data: InputDataset, with_output: bool = False) -> Any:
        """Goldens are not taken from scripts."""
        raise NotImplementedError("goldens are not taken from executors")

    def get_format(self, input_data: InputDataset, index: int | None = None, name: str | None = None) -> Any:
        """Format of an input."""
        return Placeholder("ACL_FORMAT_ND")


class FunctionApi(BaseApi):
    """An operator that torch has under the name of the case."""


class KernelBaseApi(BaseApi):
    """A single kernel."""


@dataclass(frozen=True, slots=True, eq=False)
class Passed:
    """An argument of the call: a tensor or a value, and the input that it was made of ("" for an output)."""

    tensor: Any
    name: str = ""


class Backend(Placeholder):
    """What passes arguments to the device: it only notes which input each of them is made of."""

    def convert_input_data(self, value: Any, index: int | None = None, name: str | None = None) -> list[Passed]:
        """Arguments of one input."""
        return [Passed(value, name or place_name(index or 0))]

    def convert_output_data(self, value: Any, index: int | None = None) -> list[Passed]:
        """Arguments of one output."""
        return [Passed(value)]


class AclnnBaseApi(BaseApi):
    """The call itself; ``init_by_input_data`` gives its arguments, and those of them that are outputs."""

    def __init__(self, task_result: Any = None, backend: Any = None) -> None:
        super().__init__(task_result)
        self.backend = backend

    def init_by_input_data(self, input_data: InputDataset) -> tuple[list[Any], list[Any]]:
        """Every input in order, then an argument for each output."""
        named = {**{place_name(place): value for place, value in enumerate(input_data.args)}, **input_data.kwargs}
        given = [Passed(value, name) for name, value in named.items() if name not in self.task_result.unseen]
        outputs = [Passed(info) for info in self.task_result.output_info_list]
        return [*given, *outputs], [*outputs]

    def after_call(self, output_packages: list[Any]) -> Any:
        """Outputs as they come."""
        return [self.acl_tensor_to_torch(one) for one in output_packages]

    def acl_tensor_to_torch(self, passed: Any) -> Any:
        """The tensor behind an argument."""
        return getattr(passed, "tensor", passed)

    def acl_tensorlist_to_torch(self, passed: Any) -> Any:
        """The tensors behind an argument."""
        return getattr(passed, "tensor", passed)


def place_name(place: int) -> str:
    """What an input without a name is called."""
    return f"#{place}"


def register(name: str) -> Callable[[type], type]:
    """Decorator that registers an executor class."""

    def registered(cls: type) -> type:
        REGISTERED[name] = cls
        return cls

    return registered


class Registry:
    """A registry of other things than executors: what is registered there is not used."""

    def register(self, name: str = "") -> Callable[[type], type]:
        """Decorator that leaves the class as it is."""
        return lambda cls: cls


NAMES: Mapping[str, Any] = {
    "BaseApi": BaseApi,
    "FunctionApi": FunctionApi,
    "KernelBaseApi": KernelBaseApi,
    "AclnnBaseApi": AclnnBaseApi,
    "InputDataset": InputDataset,
    "TaskResult": TaskResult,
    "OpsDataset": OpsDataset,
    "register": register,
    "ACCURACY_REGISTRY": Registry(),
    "GENERATOR_REGISTRY": Registry(),
    "nnopbase": Placeholder("nnopbase"),
}
"""What scripts import, wherever ATK keeps it."""
