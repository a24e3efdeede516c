"""Calls as JSON requests, and JSON answers as outcomes; the shapes of both are in ``exec-1.schema.json``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from conformance.call import Action, Argument, Attribute, Call, Scalar, Step
from conformance.errors import InvalidData
from conformance.json_text import parse_json
from conformance.number import write_number
from conformance.outcome import Outcome, StepResult, Unsupported, outcome_of
from conformance.product import Product
from conformance.schema import schema_problems
from conformance.signature import Parameter
from conformance.tensor import GUARD_BYTES, SECOND_FILL_BYTE, Tensor
from runners.external.memories import BadAnswer, Exchange

PROTOCOL = 1
SCHEMA = "exec-1"
Json = dict[str, Any]


def start_request() -> Json:
    """The first message: which protocol is spoken."""
    return {"do": "start", "protocol": PROTOCOL}


def supports_request(api: str, product: Product) -> Json:
    """Asks whether calls of an API can run as a product."""
    return {"do": "supports", "api": api, "product": product.name}


def run_request(call: Call, exchange: Exchange) -> Json:
    """One call with its data."""
    return {
        "do": "run",
        "api": call.api,
        "product": call.product.name,
        "deadline": call.deadline,
        "parameters": [_parameter(parameter) for parameter in call.parameters],
        "arguments": {name: _argument(argument, exchange) for name, argument in call.arguments.items()},
        "steps": [_step(step) for step in call.steps],
        "memories": exchange.written(),
    }


def encode(message: Json) -> bytes:
    """A message as one line, without the line's end."""
    return json.dumps(message, ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode("ascii")


def decode(line: bytes, asked: Json) -> Json:
    """The answer to ``asked``; raises BadAnswer when it is malformed, belongs to another message or is an error."""
    answer = _parsed(line)
    _check("error_answer" if "error" in answer else _answer_to(asked["do"], answer), answer, line)
    if answer["id"] != asked["id"]:
        raise BadAnswer(f"message {asked['id']} was answered with id {answer['id']}")
    if "error" in answer:
        raise BadAnswer(f"the program reports: {answer['error']}")
    return answer


def outcome_from(answer: Json, call: Call) -> Outcome:
    """Outcome of an answered ``run``; raises BadAnswer when its results are not one a step."""
    if "unsupported" in answer:
        return Unsupported(answer["unsupported"])
    results = answer["results"]
    if len(results) != len(call.steps):
        raise BadAnswer(f"{len(results)} results for {len(call.steps)} steps")
    steps = [
        StepResult(step, result["status"], result.get("message", ""))
        for step, result in zip(call.steps, results, strict=True)
    ]
    return outcome_of(steps, answer.get("workspace_bytes"), answer.get("facts"))


def _parsed(line: bytes) -> Json:
    try:
        document = parse_json(line.decode("utf-8"), Path("answer"))
    except (InvalidData, UnicodeDecodeError) as error:
        raise BadAnswer(f"{_shown(line)} is no JSON: {error}") from None
    if not isinstance(document, dict):
        raise BadAnswer(f"{_shown(line)} is no JSON object")
    return document


def _answer_to(question: str, answer: Json) -> str:
    return "unsupported_answer" if question == "run" and "unsupported" in answer else f"{question}_answer"


def _check(definition: str, answer: Json, line: bytes) -> None:
    problems = schema_problems(f"{SCHEMA}#/$defs/{definition}", answer, line.decode("utf-8"), Path("answer"))
    if problems:
        where = problems[0].where.pointer
        raise BadAnswer(f"{_shown(line)} is no {definition}: {f'{where}: ' if where else ''}{problems[0].what}")


def _shown(line: bytes) -> str:
    text = line.decode("utf-8", "replace")
    return repr(text if len(text) <= 80 else f"{text[:77]}...")


def _parameter(parameter: Parameter) -> Json:
    return {
        "name": parameter.name,
        "kind": parameter.kind.value,
        "role": parameter.role.value,
        "c_type": parameter.c_type,
        "optional": parameter.optional,
    }


def _argument(argument: Argument, exchange: Exchange) -> Json | None:
    if argument is None:
        return None
    if isinstance(argument, Tensor):
        return _tensor(argument, exchange)
    if isinstance(argument, Scalar):
        return {"dtype": argument.dtype.name, "acl_dtype": argument.dtype.acl, "value": _number(argument.value)}
    if isinstance(argument, Attribute):
        return {"value": _value(argument)}
    return {"tensors": [None if tensor is None else _tensor(tensor, exchange) for tensor in argument]}


def _tensor(tensor: Tensor, exchange: Exchange) -> Json:
    return {
        "dtype": tensor.dtype.name,
        "acl_dtype": tensor.dtype.acl,
        "shape": list(tensor.shape),
        "strides": list(tensor.strides),
        "offset": tensor.offset,
        "storage_shape": list(tensor.storage_shape),
        "format": tensor.format.name,
        "acl_format": tensor.format.value,
        "memory": exchange.index_of(tensor.memory),
        "byte_offset": GUARD_BYTES,
    }


def _value(attribute: Attribute) -> Any:
    value = attribute.value
    if isinstance(value, tuple):
        return [_number(item) for item in value]
    return value if isinstance(value, str) else _number(value)


def _number(value: Any) -> Any:
    if isinstance(value, complex):
        return {"real": _number(value.real), "imag": _number(value.imag)}
    return write_number(value) if isinstance(value, float) else value


def _step(step: Step) -> Json:
    if step.action is Action.REFILL:
        return {"do": step.action.value, "byte": SECOND_FILL_BYTE}
    spelled: Json = {"do": step.action.value, "null": sorted(step.nulls)}
    if step.stream:
        spelled["stream"] = step.stream
    if step.short:
        spelled["workspace"] = "short"
    return spelled
