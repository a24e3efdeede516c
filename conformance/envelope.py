"""DSSE envelopes: a payload with its type and signatures over both, as JSON."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from conformance import schema
from conformance.errors import InvalidData, Location, Problem
from conformance.json_text import parse_json, read_json
from conformance.keys import PrivateKey, PublicKey

PAYLOAD_TYPE = "application/vnd.in-toto+json"


@dataclass(frozen=True, slots=True)
class Signature:
    """A signature and the id of the key that is said to have made it."""

    key_id: str
    value: bytes


@dataclass(frozen=True, slots=True)
class Envelope:
    """A signed payload; its JSON is ``statement``."""

    payload: bytes
    statement: Mapping[str, Any]
    signatures: tuple[Signature, ...]

    def is_signed_by(self, key: PublicKey) -> bool:
        """Whether one of the signatures is that key's, whatever ids are written beside them."""
        message = _message(self.payload)
        return any(key.accepts(signature.value, message) for signature in self.signatures)


def seal(statement: Mapping[str, Any], key: PrivateKey) -> str:
    """Text of an envelope around a statement, signed."""
    payload = json.dumps(statement, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
    signature = {"keyid": key.public.id, "sig": _encoded(key.sign(_message(payload)))}
    envelope = {"payloadType": PAYLOAD_TYPE, "payload": _encoded(payload), "signatures": [signature]}
    return json.dumps(envelope, indent=1) + "\n"


def open_envelope(path: Path) -> Envelope:
    """The envelope of a file, its statement valid by the schema of certificates; raises InvalidData."""
    text, document = read_json(path)
    problems = schema.schema_problems(f"{schema.CERTIFICATE}#/$defs/envelope", document, text, path)
    if problems:
        raise InvalidData(problems)
    try:
        payload = base64.b64decode(document["payload"], validate=True)
        signatures = [Signature(s["keyid"], base64.b64decode(s["sig"], validate=True)) for s in document["signatures"]]
        content = payload.decode("utf-8")
    except (binascii.Error, UnicodeDecodeError) as error:
        raise InvalidData([Problem(Location(path), f"is damaged: {error}", "get the certificate again")]) from None
    inner = path.with_name(f"{path.name} (payload)")
    statement = parse_json(content, inner)
    problems = schema.schema_problems(schema.CERTIFICATE, statement, content, inner)
    if problems:
        raise InvalidData(problems)
    return Envelope(payload, statement, tuple(signatures))


def _message(payload: bytes) -> bytes:
    """What is signed: type and payload, each with its length before it (DSSE's pre-authentication encoding)."""
    kind = PAYLOAD_TYPE.encode()
    return b" ".join((b"DSSEv1", str(len(kind)).encode(), kind, str(len(payload)).encode(), payload))


def _encoded(data: bytes) -> str:
    return base64.b64encode(data).decode()
