"""Keys of certificates: ed25519 or ECDSA over P-256, in PEM files or environment variables, and their signatures."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ec import (
    ECDSA,
    SECP256R1,
    EllipticCurvePrivateKey,
    EllipticCurvePublicKey,
)
from cryptography.hazmat.primitives.asymmetric.ec import generate_private_key as generate_ecdsa
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
    load_pem_public_key,
)

from conformance.errors import InvalidKey

PRIVATE_VARIABLE, PUBLIC_VARIABLE = "CONFORMANCE_SIGNING_KEY", "CONFORMANCE_VERIFY_KEY"
"""Environment variables that hold a key's PEM text where no file is named."""
ED25519, ECDSA_P256 = "ed25519", "ecdsa-p256"
KINDS = (ED25519, ECDSA_P256)


@dataclass(frozen=True, slots=True)
class PublicKey:
    """A key that checks signatures."""

    key: Ed25519PublicKey | EllipticCurvePublicKey

    @property
    def id(self) -> str:
        """SHA-256 in hex of the key's DER form (SubjectPublicKeyInfo)."""
        return hashlib.sha256(self.key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)).hexdigest()

    def accepts(self, signature: bytes, message: bytes) -> bool:
        """Whether the private half of this key signed the message."""
        try:
            if isinstance(self.key, Ed25519PublicKey):
                self.key.verify(signature, message)
            else:
                self.key.verify(signature, message, ECDSA(SHA256()))
        except InvalidSignature:
            return False
        return True

    def pem(self) -> str:
        """Text of a PEM file."""
        return self.key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()


@dataclass(frozen=True, slots=True)
class PrivateKey:
    """A key that signs."""

    key: Ed25519PrivateKey | EllipticCurvePrivateKey

    @property
    def public(self) -> PublicKey:
        """The half that checks."""
        return PublicKey(self.key.public_key())

    def sign(self, message: bytes) -> bytes:
        """Signature over a message; of ECDSA in DER form, over SHA-256."""
        if isinstance(self.key, Ed25519PrivateKey):
            return self.key.sign(message)
        return self.key.sign(message, ECDSA(SHA256()))

    def pem(self) -> str:
        """Text of a PEM file, not encrypted."""
        return self.key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()


def generate(kind: str = ED25519) -> PrivateKey:
    """A new key of one of ``KINDS``."""
    return PrivateKey(Ed25519PrivateKey.generate() if kind == ED25519 else generate_ecdsa(SECP256R1()))


def load_private(path: Path | None) -> PrivateKey:
    """The signing key of a file, else of the environment; raises InvalidKey."""
    text, where = _text(path, PRIVATE_VARIABLE)
    try:
        key = load_pem_private_key(text, None)
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise InvalidKey(f"{where}: is no unencrypted private key in PEM form ({error})") from None
    if isinstance(key, Ed25519PrivateKey) or (isinstance(key, EllipticCurvePrivateKey) and _is_p256(key)):
        return PrivateKey(key)
    raise InvalidKey(f"{where}: is of another kind than {' or '.join(KINDS)}; keygen makes one")


def load_public(path: Path | None) -> PublicKey:
    """The checking key of a file, else of the environment; raises InvalidKey."""
    text, where = _text(path, PUBLIC_VARIABLE)
    try:
        key = load_pem_public_key(text)
    except (ValueError, UnsupportedAlgorithm) as error:
        raise InvalidKey(f"{where}: is no public key in PEM form ({error})") from None
    if isinstance(key, Ed25519PublicKey) or (isinstance(key, EllipticCurvePublicKey) and _is_p256(key)):
        return PublicKey(key)
    raise InvalidKey(f"{where}: is of another kind than {' or '.join(KINDS)}")


def write_pair(key: PrivateKey, path: Path) -> Path:
    """Write a new private key readable by its owner alone, and ``.pub`` beside it, whose path is returned.

    Raises InvalidKey where either file is there already.
    """
    public = path.parent / f"{path.name}.pub"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        for file, text, mode in ((path, key.pem(), 0o600), (public, key.public.pem(), 0o644)):
            with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "w") as handle:
                handle.write(text)
    except OSError as error:
        raise InvalidKey(f"{error.filename}: cannot be written: {error.strerror}; keys are never replaced") from None
    return public


def _is_p256(key: EllipticCurvePrivateKey | EllipticCurvePublicKey) -> bool:
    return isinstance(key.curve, SECP256R1)


def _text(path: Path | None, variable: str) -> tuple[bytes, str]:
    if path is None:
        if not os.environ.get(variable):
            raise InvalidKey(f"no key: name its file with --key, or put its PEM text into {variable}")
        return os.environ[variable].encode(), variable
    try:
        return path.read_bytes(), str(path)
    except OSError as error:
        raise InvalidKey(f"{path}: cannot be read: {error.strerror}") from None
