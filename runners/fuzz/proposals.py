"""What ``generate`` does: a pairwise proposal as a case file, and on stderr what it left out."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

from conformance import schema
from conformance.canonical import canonical
from conformance.case import CaseFile, Group
from conformance.contract import Contract
from conformance.errors import NothingSelected
from conformance.execute import Session
from conformance.expand import expand
from conformance.load import load_contracts
from conformance.options import DEFAULT_REFERENCE, Options, open_session
from runners.fuzz.bodies import Body
from runners.fuzz.pairwise import propose


def write_proposal(api: str, product: str, cap: int, output: Path | None) -> int:
    """Print the case file, or write it to ``output``; 1 when no group could be made."""
    contract = load_contracts().get(api)
    if contract is None or product not in contract.products:
        raise NothingSelected(f"no contract for {api!r} on {product}")
    session = open_session(Options(runner=DEFAULT_REFERENCE, product=product))
    proposal = propose(
        contract, session.product, cap, partial(_tells, session, contract, output or Path("proposal.json"))
    )
    for words in proposal.left_out:
        print(f"left out, no legal call that tells anything was found: {words}", file=sys.stderr)
    count = len(proposal.groups)
    print(f"{count} groups of {proposal.combinations} combinations; read them before you commit them", file=sys.stderr)
    if not proposal.groups:
        return 1
    document = {"$schema": "../../schemas/cases-1.schema.json", "api": api, "groups": list(proposal.groups)}
    text = canonical(document, schema.schema_document(schema.CASES))
    if output is None:
        print(text, end="")
    else:
        output.write_text(text, encoding="utf-8")
    return 0


def _tells(session: Session, contract: Contract, path: Path, body: Body) -> bool:
    """Whether the reference, judged by itself, passes: no golden that is all zero or all NaN, none missing.

    Random numbers depend on the name of the file.
    """
    file = CaseFile(path, "", contract, {}, (Group(body["name"], body, "/groups/0"),))
    return all(session.execute(case).judged.verdict.value == "passed" for case in expand(file))
