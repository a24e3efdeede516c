"""One ATK file → its cases as ATK means them: inputs with kind, type, shape and span; keys that nobody knows are kept.

A file is parsed once as plain JSON. What is wrong with one case is that case's problem, the others can still run.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from conformance.dtype import DTYPES, DType
from conformance.errors import InvalidSpec
from conformance.foreign.inputs import ATTRIBUTES, SCALARS, TENSORS, UNSEEN, Input, Inputs, dtype_named
from conformance.foreign.spans import parse_span

_TYPES = TENSORS | SCALARS | ATTRIBUTES
_NOT_NUMBERS = frozenset({UNSEEN, "string", "str", "torch_dtype"})
_INPUT_KEYS = frozenset({"name", "type", "required", "dtype", "shape", "range_values", "format", "formate"})
_CASE_KEYS = frozenset({"id", "name", "api_type", "aclnn_name", "standard", "inputs", "default_seed"})
_CALLER = "aclnn_function"
"""What ATK takes where a case names no class for the call itself."""
_LONGEST_AXIS, _MOST_AXES = 1 << 40, 64


@dataclass(frozen=True, slots=True)
class AtkCase:
    """One case.

    ``seed`` is what ATK seeds its generators with. ``acc`` is what stands under ``standard.acc``.
    """

    id: int
    api: str
    name: str
    api_type: str
    acc: Any
    seed: int
    inputs: Inputs
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def caller(self) -> str:
        """Name of the class that makes the call, as scripts register it."""
        return _text(self.extra.get("aclnn_api_type")) or _CALLER

    @property
    def executors(self) -> frozenset[str]:
        """Names of the classes that may see the inputs before the call."""
        return frozenset({self.api_type, self.caller} - {""})

    @property
    def error(self) -> str:
        """The error that the case expects, as a reason why it cannot be run; "" where it expects none."""
        message = self.extra.get("expected_error_msg")
        return (
            "" if message in (None, "", []) else f"the file expects an error ({message!r}) and not which status"[:160]
        )

    @property
    def beyond(self) -> str:
        """What the case asks for that is not done here, so that it cannot be run; "" where there is nothing."""
        if self.error:
            return self.error
        items = [one for item in self.inputs for one in (item if isinstance(item, tuple) else (item,))]
        for one in items:
            outliers = one.extra.get("outlier_values")
            if outliers not in (None, []):
                name = one.name or "an input"
                return f"{name} has outlier_values {outliers!r}, and which elements they make is not published"[:160]
        return ""


def api_of(written: Mapping[str, Any], path: Path) -> str:
    """API of a case, with the prefix that ATK leaves away; of the file's name where the case names none."""
    name = written.get("aclnn_name")
    if isinstance(name, str) and (api := _api_named(name)):
        return api
    _, found, rest = path.stem.partition("aclnn")
    return f"aclnn{rest}" if found else ""


@lru_cache(1024)
def _api_named(name: str) -> str:
    bare = name.strip()
    return f"aclnn{bare.removeprefix('aclnn')}" if bare else ""


def apis_named(path: Path) -> list[str] | None:
    """APIs that cases of a file may have, found without parsing it; None where that cannot be told."""
    try:
        text = path.read_bytes().decode()
    except (OSError, UnicodeDecodeError):
        return None
    if "\\u" in text:
        return None  # a name may be written in another way
    named = dict.fromkeys(re.findall(r'"aclnn_name"\s*:\s*"((?:[^"\\]|\\.)*)"', text))
    return [api for api in (api_of({"aclnn_name": name}, path) for name in ("", *named)) if api]


def parse_case(written: Any, path: Path) -> AtkCase:
    """One case of a file; raises InvalidSpec with the place in the case."""
    if not isinstance(written, dict):
        raise InvalidSpec(f"a case is {type(written).__name__}, not an object", "write {…}")
    number = written.get("id")
    if type(number) is not int or not 0 <= number < 1 << 32:
        raise InvalidSpec(f"the id is {number!r}"[:80], "write an integer from 0, the seed of the data", "/id")
    api = api_of(written, path)
    if not api:
        raise InvalidSpec("neither aclnn_name nor the name of the file says which API", "write aclnn_name", "")
    inputs = written.get("inputs")
    if not isinstance(inputs, list) or not inputs:
        raise InvalidSpec("the case has no list of inputs", "write inputs in the order of the call", "/inputs")
    seed = written.get("default_seed")
    standard = written.get("standard")
    return AtkCase(
        id=number,
        api=api,
        name=_text(written.get("name")),
        api_type=_text(written.get("api_type")),
        acc=standard.get("acc") if isinstance(standard, dict) else standard,
        seed=seed if type(seed) is int and 0 <= seed < 1 << 32 else number,
        inputs=tuple(_argument(item, f"/inputs/{place}") for place, item in enumerate(inputs)),
        extra={key: value for key, value in written.items() if key not in _CASE_KEYS},
    )


def _argument(written: Any, pointer: str) -> Input | tuple[Input, ...]:
    if isinstance(written, list):
        if not written:
            raise InvalidSpec("a group of inputs is empty", "write its members, or leave it away", pointer)
        return tuple(_input(item, f"{pointer}/{place}") for place, item in enumerate(written))
    return _input(written, pointer)


def _input(written: Any, pointer: str) -> Input:
    if not isinstance(written, dict):
        raise InvalidSpec(f"an input is {type(written).__name__}, not an object", "groups are one deep", pointer)
    kind = written.get("type")
    if not isinstance(kind, str) or kind not in _TYPES:
        raise InvalidSpec(f"unknown type {kind!r}"[:80], f"types are {', '.join(sorted(_TYPES))}", f"{pointer}/type")
    word = _text(written.get("dtype"))
    try:
        span = parse_span(written.get("range_values"))
    except InvalidSpec as error:
        raise InvalidSpec(str(error), error.advice, f"{pointer}/range_values") from None
    return Input(
        name=_text(written.get("name")),
        type=kind,
        word=word,
        dtype=_dtype(written.get("dtype"), kind, pointer),
        shape=_shape(written.get("shape"), kind, pointer),
        span=span,
        required=written.get("required") is not False,
        format=_format(written.get("format", written.get("formate"))),
        extra={key: value for key, value in written.items() if key not in _INPUT_KEYS},
    )


def _text(written: Any) -> str:
    return written if isinstance(written, str) else ""


def _dtype(written: Any, kind: str, pointer: str) -> DType | None:
    word = _text(written)
    with suppress(KeyError):
        return dtype_named(word)
    if kind in ATTRIBUTES and word in _NOT_NUMBERS:
        return None
    what = "the input has no dtype" if written is None else f"unknown dtype {written!r}"[:80]
    raise InvalidSpec(what, f"dtypes are {', '.join(DTYPES)}", f"{pointer}/dtype")


def _shape(written: Any, kind: str, pointer: str) -> tuple[int, ...] | None:
    if written is None and kind not in TENSORS:
        return None
    whole = isinstance(written, list) and all(type(n) is int and 0 <= n < _LONGEST_AXIS for n in written)
    if not whole or len(written) > _MOST_AXES:
        raise InvalidSpec(f"{written!r} is no shape"[:80], "a shape is a list of integers from 0", f"{pointer}/shape")
    return tuple(written)


def _format(written: Any) -> str:
    if isinstance(written, list) and len(written) == 1:
        written = written[0]
    return _text(written)
