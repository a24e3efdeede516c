"""The first line of a record: who was judged, built with what, as what, against what data, where and when."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import Any

from conformance.environment import data_digest, environment
from conformance.execute import Session
from conformance.options import Options
from conformance.waiver import digest_of_waivers

VERSION = "record-1"


def header_of(session: Session, options: Options) -> dict[str, Any]:
    """First line: who was judged, built with what, as what, against what data, where and when."""
    runner, reference = session.runner.describe(), session.reference.describe()
    return {
        "kind": "header",
        "version": VERSION,
        "started": datetime.now(timezone.utc).isoformat(timespec="seconds"),
        "data": data_digest(),
        "runner": {
            "spec": options.runner,
            "name": runner.name,
            "version": runner.version,
            **({"options": dict(options.runner_options)} if options.runner_options else {}),
            "facts": dict(runner.facts),
        },
        "reference": {"name": reference.name, "version": reference.version, "facts": dict(reference.facts)},
        "product": session.product.name,
        "standard": {"name": session.standard.name, "version": session.standard.version},
        "seed": session.seed,
        "terms": _terms(session, options),
        "environment": environment(),
    }


def _terms(session: Session, options: Options) -> dict[str, int | float | str]:
    """Options that a verdict may depend on; those that are not set are left out."""
    terms = {
        "repeat": session.repeat if session.repeat > 1 else None,
        "max_elements": session.limits.max_elements,
        "max_bytes": session.limits.max_bytes,
        "deadline": session.deadline,
        "standard": options.standard,
        "atk_slice": options.atk_slice or None,
        "trust_executors": int(options.trust_executors) or None,
        "waivers": digest_of_waivers(session.waivers) if session.waivers else None,
    }
    return {name: value for name, value in terms.items() if value is not None}
