"""What ``cases/atk.json`` says of inputs that no file describes: how they are filled, or that nobody knows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from conformance.case import ValueSpec
from conformance.contract import Contract
from conformance.load import load_input_rules


def fills_of(contract: Contract) -> tuple[dict[str, ValueSpec], str]:
    """Values of the inputs that rules fill, and why no case of the API can be run ("" where some can)."""
    rules = load_input_rules().get(contract.api, {})
    unknown = [f"{name}: {rule['unknown']}" for name, rule in rules.items() if "unknown" in rule]
    if unknown:
        return {}, f"the file does not say all of the inputs ({'; '.join(unknown)})"
    return {name: _value_spec(rule["values"]) for name, rule in rules.items() if "values" in rule}, ""


def undefined_by(contract: Contract, parameter: str, values: Iterable[Any]) -> str:
    """Why nobody knows what a call with one of these numbers gives; "" where that is known."""
    rule = load_input_rules().get(contract.api, {}).get(parameter, {})
    odd = [one for one in values if "above" in rule and not one > rule["above"]]
    return f"{parameter} is {odd[0]}: {rule['why']}" if odd else ""


def _value_spec(written: Mapping[str, Any]) -> ValueSpec:
    (kind,) = (key for key in written if key != "each")
    return ValueSpec(kind, written[kind], written.get("each", 1))
