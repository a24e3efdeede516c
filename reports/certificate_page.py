"""A certificate as a page to read and print; it needs no other file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from jinja2 import Environment, StrictUndefined

from conformance.complaint import Complaint
from conformance.envelope import Envelope
from conformance.statement import OWN

_TEMPLATE = Path(__file__).with_name("certificate.html.jinja")


def page_of(envelope: Envelope, complaints: Sequence[Complaint] = ()) -> str:
    """The page; ``complaints`` of a verifier stand above everything."""
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    predicate = envelope.statement["predicate"]
    return environment.from_string(_TEMPLATE.read_text(encoding="utf-8")).render(
        own=predicate[OWN],
        subjects=envelope.statement["subject"],
        configuration=predicate["configuration"],
        keys=[signature.key_id for signature in envelope.signatures],
        complaints=[str(complaint) for complaint in complaints],
    )
