"""What ``generate`` does: the groups of a pairwise proposal that find faults, as a case file; on stderr, why."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from conformance import schema
from conformance.canonical import canonical
from conformance.case import Case, CaseFile, Group
from conformance.contract import Contract
from conformance.errors import NothingSelected
from conformance.execute import Session
from conformance.expand import expand
from conformance.load import contracts_named
from conformance.opening import open_session
from conformance.options import DEFAULT_REFERENCE, Options
from conformance.writing import require_place, write_text
from runners.faults.weigh import weigh
from runners.fuzz.bodies import Body
from runners.fuzz.pairwise import propose


def write_proposal(api: str, product: str, cap: int, output: Path | None) -> int:
    """Print the case file, or write it to ``output``; 1 when no group is worth it."""
    contract = contracts_named([api])[api]
    if product not in contract.products:
        raise NothingSelected(f"{api} is not for {product}, but for {', '.join(contract.products)}")
    if output is not None:
        require_place(output)
    session = open_session(Options(runner=DEFAULT_REFERENCE, product=product))
    proposal = propose(
        contract, session.product, cap, partial(_tells, session, contract, output or Path("proposal.json"))
    )
    for words in proposal.left_out:
        print(f"left out, no legal call that tells anything was found: {words}", file=sys.stderr)
    groups = _worth_keeping(contract, session, output or Path("proposal.json"), proposal.groups)
    count = len(groups)
    print(f"{count} groups of {proposal.combinations} combinations; read them before you commit them", file=sys.stderr)
    if not groups:
        return 1
    document = {"$schema": "../../schemas/cases-1.schema.json", "api": api, "groups": groups}
    text = canonical(document, schema.schema_document(schema.CASES))
    if output is None:
        print(text, end="")
    else:
        write_text(output, text)
    return 0


def _worth_keeping(contract: Contract, session: Session, path: Path, groups: Sequence[Body]) -> list[Body]:
    """Groups that find a catalogued fault which no group before them finds; says on stderr what each adds."""
    file = CaseFile(path, "", contract, {}, tuple(Group(b["name"], b, f"/groups/{i}") for i, b in enumerate(groups)))
    by_group: dict[str, list[Case]] = {body["name"]: [] for body in groups}
    for case in expand(file):
        by_group[case.group].append(case)
    kept = []
    for worth, body in zip(weigh(contract, session.product, by_group), groups, strict=True):
        if worth.faults:
            kept.append(body)
            print(
                f"{worth.group} adds {len(worth.faults)} of the catalogue's faults: {', '.join(worth.classes)}",
                file=sys.stderr,
            )
    print(f"refused {len(groups) - len(kept)} groups that find no further fault of the catalogue", file=sys.stderr)
    return kept


def _tells(session: Session, contract: Contract, path: Path, body: Body) -> bool:
    """Whether the reference, judged by itself, passes: no golden that is all zero or all NaN, none missing.

    Random numbers depend on the name of the file.
    """
    file = CaseFile(path, "", contract, {}, (Group(body["name"], body, "/groups/0"),))
    return all(session.execute(case).judged.verdict.value == "passed" for case in expand(file))
