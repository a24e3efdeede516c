"""Goldens and benchmarks as bytes: a JSON head that names arrays, and the arrays behind it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from math import prod
from typing import Any

import numpy as np

from conformance.golden import Golden, GoldenOutput
from conformance.law import Law, Uniform
from conformance.tensor import Array

Benchmark = Mapping[str, Array] | None
_SPARSE = 8
"""An answer that differs from the golden in fewer than one element of so many is kept as those elements."""
_ALIGNED = 16


def encode(golden: Golden, benchmark: Benchmark) -> bytes | None:
    """Bytes of the answers to one call; None where an output's golden follows from other outputs."""
    writer = _Writer()
    outputs = {}
    for name, one in golden.items():
        if not isinstance(one, GoldenOutput):
            return None
        outputs[name] = _encode_output(one, writer)
    second = None if benchmark is None else {name: writer.add(array) for name, array in benchmark.items()}
    return writer.bytes_of({"outputs": outputs, "benchmark": second})


def decode(data: bytes) -> tuple[dict[str, GoldenOutput], Benchmark]:
    """What ``encode`` made bytes of; the arrays cannot be written."""
    length = int.from_bytes(data[:_ALIGNED], "little")
    head, body = json.loads(data[_ALIGNED : _ALIGNED + length]), memoryview(data)[_ALIGNED + length :]
    golden = {name: _decode_output(one, body) for name, one in head["outputs"].items()}
    second = head["benchmark"]
    return golden, None if second is None else {name: _array(one, body) for name, one in second.items()}


class _Writer:
    """Collects arrays and says where each lies."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._size = 0

    def add(self, array: Array) -> list[Any]:
        """Dtype, shape and place of an array that is now part of the bytes."""
        place, data = self._size, np.ascontiguousarray(array).tobytes()
        padding = -len(data) % _ALIGNED
        self._parts += [data, bytes(padding)]
        self._size += len(data) + padding
        return [array.dtype.name, list(array.shape), place]

    def bytes_of(self, head: Mapping[str, Any]) -> bytes:
        """Head and arrays."""
        text = json.dumps(head, separators=(",", ":")).encode()
        text += b" " * (-len(text) % _ALIGNED)
        return b"".join([len(text).to_bytes(_ALIGNED, "little"), text, *self._parts])


def _encode_output(one: GoldenOutput, writer: _Writer) -> dict[str, Any]:
    law = one.law
    return {
        "value": writer.add(one.value),
        "alternatives": [_encode_beside(answer, one.value, writer) for answer in one.alternatives],
        "flushing": [_encode_beside(answer, one.value, writer) for answer in one.flushing],
        "terms": None if one.terms is None else writer.add(one.terms),
        "term_count": one.term_count,
        "free": None if one.free is None else writer.add(one.free),
        "law": law and [law.distribution.low, law.distribution.high, writer.add(law.drawn), writer.add(law.either)],
    }


def _decode_output(head: Mapping[str, Any], body: memoryview) -> GoldenOutput:
    value = _array(head["value"], body)
    low, high, *places = head["law"] or (0.0, 0.0)
    return GoldenOutput(
        value,
        tuple(_decode_beside(answer, value, body) for answer in head["alternatives"]),
        None if head["terms"] is None else _array(head["terms"], body),
        head["term_count"],
        tuple(_decode_beside(answer, value, body) for answer in head["flushing"]),
        Law(Uniform(low, high), *(_array(place, body) for place in places)) if places else None,
        None if head["free"] is None else _array(head["free"], body),
    )


def _encode_beside(answer: Array, value: Array, writer: _Writer) -> dict[str, Any]:
    """The whole of an answer, or where its bits are not the golden's and what it holds there."""
    if answer.dtype == value.dtype and answer.itemsize == 8:
        given, golden = (np.ascontiguousarray(array).reshape(-1).view(np.int64) for array in (answer, value))
        at = np.flatnonzero(given != golden)
        if len(at) * _SPARSE < answer.size:
            return {"at": writer.add(at), "holds": writer.add(given[at])}
    return {"whole": writer.add(answer)}


def _decode_beside(head: Mapping[str, Any], value: Array, body: memoryview) -> Array:
    if "whole" in head:
        return _array(head["whole"], body)
    answer: Array = value.copy()
    answer.reshape(-1).view(np.int64)[_array(head["at"], body)] = _array(head["holds"], body)
    return answer


def _array(head: list[Any], body: memoryview) -> Array:
    name, shape, place = head
    found: Array = np.frombuffer(body, np.dtype(name), prod(shape), place).reshape(shape)
    return found
