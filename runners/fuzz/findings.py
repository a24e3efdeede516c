"""A finding as a case file that can be committed as it is."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import Any

from conformance import schema
from conformance.canonical import canonical
from conformance.execute import Session
from conformance.golden import samples
from conformance.options import DEFAULT_PRODUCT, Options
from conformance.outcome import Unsupported
from conformance.signature import snake_name
from conformance.writing import write_text
from runners.fuzz.attempts import GOLDEN, REFUSAL, Attempt
from runners.fuzz.bodies import Body, alike_on, facts_of


def document_of(attempt: Attempt, session: Session, path: Path) -> dict[str, Any]:
    """The case file's document: products where the same is expected, outputs whose golden is all zero or NaN named."""
    legal, *faulty = attempt.groups
    groups = [_everywhere(attempt, legal), *faulty]
    groups[0] = _with_degenerate(groups[0], _degenerate(attempt, session, path))
    return {"$schema": "../../schemas/cases-1.schema.json", "api": attempt.contract.api, "groups": groups}


def write_finding(attempt: Attempt, session: Session, folder: Path) -> Path:
    """Write ``<folder>/<api>/<property>.json`` in canonical form; its path."""
    path = folder / snake_name(attempt.contract.api) / f"{attempt.property}.json"
    document = document_of(attempt, session, path)
    write_text(path, canonical(document, schema.schema_document(schema.CASES)))
    return path


def rerun_command(attempt: Attempt, path: Path, options: Options) -> str:
    """One line that shows the finding again; a relation is no case, so it is replayed and not run."""
    shows = "run --paths" if attempt.property in (GOLDEN, REFUSAL) else "fuzz --replay"
    words = [f"python -m conformance {shows} {quote(str(path))}", f"--runner {quote(options.runner)}"]
    words += [f"--product {options.product}"] if options.product != DEFAULT_PRODUCT else []
    words += [f"--runner-option {quote(f'{name}={value}')}" for name, value in options.runner_options.items()]
    return " ".join(words)


def _everywhere(attempt: Attempt, legal: Body) -> Body:
    """A legal group without products where every product of the contract expects the same, or with those that do.

    A refusal keeps the product it was found on: what breaks a rule may differ by product.
    """
    contract = attempt.contract
    if attempt.property == REFUSAL:
        return legal
    same = alike_on(contract, facts_of(contract, legal["arguments"]), legal["expect"])
    kept = {key: value for key, value in legal.items() if key != "products"}
    return kept if len(same) == len(contract.products) else {**kept, "products": same}


def _degenerate(attempt: Attempt, session: Session, path: Path) -> list[str]:
    """Outputs of the legal call whose golden is all zero or all NaN."""
    try:
        golden = session.reference.golden(session.make_call(attempt.cases(path)[0]))
    except Exception:  # a fault of the suite is a finding itself, and is written down all the same
        return []
    goldens = {} if isinstance(golden, Unsupported) else golden
    arrays = {name: values for name, values in samples(goldens).items() if values.size}
    return [name for name, array in arrays.items() if (array == 0).all() or (array != array).all()]


def _with_degenerate(legal: Body, names: list[str]) -> Body:
    if not names:
        return legal
    stated = legal["expect"]["success"] if isinstance(legal["expect"], dict) else {}
    return {**legal, "expect": {"success": {**stated, "degenerate": names}}}
