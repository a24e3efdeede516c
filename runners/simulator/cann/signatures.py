"""Phase 1 signatures of every API that the simulated CANN exports, and the header that declares each.

The table beside this module restates the prototypes of the neural-network operator library (507 APIs, read
in 2026-08 from its headers and documents). Contracts win over it, and add APIs it lacks.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from conformance.contract import Contract
from conformance.signature import snake_name

TABLE = Path(__file__).with_name("signatures.tsv")
OPTIONAL_SUFFIX = "Optional"


@dataclass(frozen=True, slots=True)
class CParameter:
    """One parameter as C spells it; ``required`` pointers may not be null."""

    c_type: str
    name: str
    required: bool


@dataclass(frozen=True, slots=True)
class Signature:
    """Phase 1 of an API up to its workspaceSize; ``simulated`` when there is a contract to run it by."""

    api: str
    header: str
    parameters: tuple[CParameter, ...]
    simulated: bool = False


def read_signatures(contracts: Mapping[str, Contract], table: Path = TABLE) -> tuple[Signature, ...]:
    """Signatures in order of their names: those of the contracts, and the rest of the table."""
    with table.open(encoding="utf-8", newline="") as file:
        listed = {row["function"]: _listed(row) for row in csv.DictReader(file, delimiter="\t")}
    for api, contract in contracts.items():
        header = listed[api].header if api in listed else f"aclnn_{snake_name(api)}.h"
        listed[api] = Signature(api, header, _promised(contract), simulated=True)
    return tuple(listed[api] for api in sorted(listed))


def by_header(signatures: Iterable[Signature]) -> dict[str, list[Signature]]:
    """Signatures grouped by the header that declares them, both in order of names."""
    grouped: dict[str, list[Signature]] = {}
    for signature in signatures:
        grouped.setdefault(signature.header, []).append(signature)
    return dict(sorted(grouped.items()))


def _listed(row: Mapping[str, str]) -> Signature:
    words = [written.strip().rpartition(" ") for written in row["parameters"].split(";")]
    parameters = tuple(CParameter(c_type, name, not name.endswith(OPTIONAL_SUFFIX)) for c_type, _, name in words)
    return Signature(row["function"], row["header"], parameters)


def _promised(contract: Contract) -> tuple[CParameter, ...]:
    return tuple(CParameter(p.c_type, p.name, p.is_pointer and not p.optional) for p in contract.parameters)
