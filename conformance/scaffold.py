"""Placeholders to begin from: a group in a case file; contract, reference and kernel of a new API.

Whatever a person has to say begins with TODO, which ``lint`` refuses in cases; functions to be written raise.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from conformance import schema
from conformance.canonical import canonical
from conformance.contract import Contract
from conformance.data import CONTRACT_FILE, data_root
from conformance.dtype_rules import DTypeIn
from conformance.errors import ConformanceError, InvalidData
from conformance.json_text import parse_json, read_json
from conformance.load import load_contract
from conformance.prototype import parse_prototype
from conformance.signature import OUT_POINTERS, Parameter, ParameterKind, Role, snake_name
from conformance.writing import write_text

_PRODUCTS = ("ascend950", "ascend910_93", "ascend910b")
_DTYPES = ["float16", "float32", "bfloat16"]
_PLAIN: Mapping[ParameterKind, Any] = {
    ParameterKind.SCALAR: {"scalar": 0.5, "dtype": "float32"},
    ParameterKind.INT64: 1,
    ParameterKind.INT32: 1,
    ParameterKind.DOUBLE: 0.5,
    ParameterKind.FLOAT: 0.5,
    ParameterKind.BOOL: False,
    ParameterKind.STRING: "none",
    ParameterKind.INT_ARRAY: [1],
    ParameterKind.FLOAT_ARRAY: [0.5],
    ParameterKind.BOOL_ARRAY: [False],
}


class CannotScaffold(ConformanceError):
    """A scaffold that would overwrite something, or that has nothing to begin from."""


@dataclass(frozen=True, slots=True)
class Draft:
    """One file to be written."""

    path: Path
    text: str


def draft_group(path: Path, group: str) -> Draft:
    """The case file at ``path``, new or not, with one placeholder group more; raises CannotScaffold, InvalidData."""
    beside = path.parent / CONTRACT_FILE
    if not beside.is_file():
        raise CannotScaffold(f"{path}: no {CONTRACT_FILE} lies beside it; begin with: new api FAMILY --prototype …")
    contract = load_contract(beside)
    document = read_json(path)[1] if path.exists() else _empty_file(contract)
    if any(other["name"] == group for other in document["groups"]):
        raise CannotScaffold(f"{path} has a group {group!r} already")
    document["groups"].append(_group(contract, group))
    return Draft(path, _valid(document, schema.CASES, path))


def draft_api(family: str, prototype: str, root: Path | None = None, today: date | None = None) -> list[Draft]:
    """Contract, reference function and kernel of the API that a C prototype declares; raises CannotScaffold.

    ``root`` is the checkout, by default the one that the suite runs from.
    """
    home = root or data_root().parent
    if not (home / "runners").is_dir() or not (home / "cases").is_dir():
        raise CannotScaffold(f"{home} is no checkout of the suite: an API is added to its sources")
    api, parameters = parse_prototype(prototype)
    word = snake_name(api)
    contract = _contract(api, family, parameters, today or date.today())
    at = home / "cases" / family / word / CONTRACT_FILE
    sources = {"runners/reference": _REFERENCE, "runners/simulator/kernels": _KERNEL}
    drafts = [Draft(at, _valid(contract, schema.CONTRACT, at)), *_packages(home, family, sources)]
    written = ", ".join(f"``{p.name}``" for p in parameters if p.is_written)
    read = ", ".join(f"``{p.name}``" for p in parameters if p.role is not Role.OUTPUT)
    for folder, template in sources.items():
        text = template.format(title=api.removeprefix("aclnn"), written=written, read=read)
        drafts.append(Draft(home / folder / family / f"{word}.py", text))
    for draft in drafts:
        if draft.path.exists():
            raise CannotScaffold(f"{draft.path} exists already")
    return drafts


def write(drafts: list[Draft]) -> None:
    """Write the files, with the folders they stand in."""
    for draft in drafts:
        write_text(draft.path, draft.text)


def _empty_file(contract: Contract) -> dict[str, Any]:
    return {"$schema": "../../schemas/cases-1.schema.json", "api": contract.api, "groups": []}


def _group(contract: Contract, name: str) -> dict[str, Any]:
    return {
        "name": name,
        "about": f"TODO say what the input of {name} is and what is so",
        "axes": {"dtype": _listed_types(contract)},
        "arguments": {parameter.name: _placeholder(parameter) for parameter in contract.parameters},
        "expect": "success",
    }


def _listed_types(contract: Contract) -> list[str]:
    """Types that every product takes, by the first rule about them."""
    rules = (c.rule for c in contract.constraints if isinstance(c.rule, DTypeIn))
    rule = next(rules, None)
    if rule is None:
        return ["float32"]
    lists = [rule.dtypes.everywhere, *rule.dtypes.by_product.values()]
    return [dtype.name for dtype in lists[0] if all(dtype in other for other in lists)]


def _placeholder(parameter: Parameter) -> Any:
    if parameter.kind is not ParameterKind.TENSOR:
        return _PLAIN.get(parameter.kind)
    tensor: dict[str, Any] = {"dtype": "$dtype", "shape": [2, 3]}
    return tensor if parameter.role is Role.OUTPUT else {**tensor, "values": {"uniform": [-2, 2]}}


def _contract(api: str, family: str, parameters: tuple[Parameter, ...], today: date) -> dict[str, Any]:
    tensors = [parameter.name for parameter in parameters if parameter.kind is ParameterKind.TENSOR]
    return {
        "$schema": "../../schemas/contract-1.schema.json",
        "api": api,
        "family": family,
        "document": {"name": api, "source": "TODO path of the document", "read": f"{today:%Y-%m}"},
        "products": list(_PRODUCTS),
        "parameters": [_parameter(parameter) for parameter in parameters],
        "constraints": [
            {"label": f"c{number}", **constraint}
            for number, constraint in enumerate(_constraints(parameters, tensors), 1)
        ],
        "outputs": {parameter.name: "elementwise" for parameter in parameters if parameter.is_written},
        "deterministic": True,
    }


def _parameter(parameter: Parameter) -> dict[str, Any]:
    entry: dict[str, Any] = {"name": parameter.name, "kind": parameter.kind.value, "role": parameter.role.value}
    entry["c_type"] = parameter.c_type
    return {**entry, "optional": True} if parameter.optional else entry


def _constraints(parameters: tuple[Parameter, ...], tensors: list[str]) -> Iterator[dict[str, Any]]:
    pointers = [parameter.name for parameter in parameters if parameter.is_pointer and not parameter.optional]
    yield {
        "about": "TODO order: no pointer is null",
        "rule": {"kind": "not_null", "parameters": [*OUT_POINTERS, *pointers]},
        "status": "PARAM_NULLPTR",
    }
    if tensors:
        yield {
            "about": "TODO types a product: every tensor has a listed type",
            "rule": {"kind": "dtype_in", "parameters": tensors, "dtypes": _DTYPES},
            "status": "PARAM_INVALID",
        }
        yield {
            "about": "TODO limits: no tensor has more than 8 dimensions",
            "rule": {"kind": "rank", "parameters": tensors, "max": 8},
            "status": "PARAM_INVALID",
        }


def _valid(document: dict[str, Any], name: str, path: Path) -> str:
    """Canonical text of a document that keeps its schema; raises InvalidData."""
    text = canonical(document, schema.schema_document(name))
    problems = schema.schema_problems(name, parse_json(text, path), text, path)
    if problems:
        raise InvalidData(problems)
    return text


def _packages(home: Path, family: str, folders: Mapping[str, str]) -> Iterator[Draft]:
    """What makes a new family's folders packages."""
    for folder, word in zip(folders, ("Reference functions", "Kernels"), strict=True):
        path = home / folder / family / "__init__.py"
        if not path.exists():
            yield Draft(path, f'"""{word} of the {family} family."""\n')


_REFERENCE = '''"""{title}: TODO the formula."""

from __future__ import annotations

from runners.reference.arguments import Answers, Arguments


def golden(arguments: Arguments) -> Answers:
    """{written} of {read}."""
    raise NotImplementedError("write the formula of the document in float64: docs/add-an-api.md, step 2")
'''
_KERNEL = '''"""{title}: TODO how the device computes it, step by step."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.tensor import Array
from runners.simulator.kernel import KernelCall


def compute(call: KernelCall) -> Mapping[str, Array]:
    """{written} of {read}."""
    raise NotImplementedError("compute in the device's own steps and precision: docs/add-an-api.md, step 3")
'''
