"""Keys: two kinds, from files or the environment, made on demand only and never replaced."""

import base64
import json
import stat

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
)

from conformance import keys
from conformance.envelope import seal
from conformance.errors import InvalidKey


@pytest.fixture(params=keys.KINDS)
def key(request):
    return keys.generate(request.param)


def test_a_signature_holds_for_its_message_and_key_alone(key):
    signature = key.sign(b"message")
    assert key.public.accepts(signature, b"message")
    assert not key.public.accepts(signature, b"another")
    assert not key.public.accepts(signature[:-1], b"message")
    assert not any(keys.generate(kind).public.accepts(signature, b"message") for kind in keys.KINDS)


def test_keys_are_read_from_files_or_the_environment(key, tmp_path, monkeypatch):
    public = keys.write_pair(key, tmp_path / "key.pem")
    assert stat.S_IMODE((tmp_path / "key.pem").stat().st_mode) == 0o600
    assert keys.load_private(tmp_path / "key.pem").public.id == keys.load_public(public).id == key.public.id
    monkeypatch.setenv(keys.PRIVATE_VARIABLE, key.pem())
    monkeypatch.setenv(keys.PUBLIC_VARIABLE, key.public.pem())
    assert keys.load_private(None).public.id == keys.load_public(None).id == key.public.id


@pytest.mark.parametrize("there", ["key.pem", "key.pem.pub"])
def test_no_key_is_replaced(there, tmp_path):
    (tmp_path / there).write_text("precious")
    with pytest.raises(InvalidKey, match="keys are never replaced"):
        keys.write_pair(keys.generate(), tmp_path / "key.pem")
    assert (tmp_path / there).read_text() == "precious"


def test_no_key_is_made_silently(monkeypatch, tmp_path):
    monkeypatch.delenv(keys.PRIVATE_VARIABLE, raising=False)
    monkeypatch.delenv(keys.PUBLIC_VARIABLE, raising=False)
    for load, variable in ((keys.load_private, keys.PRIVATE_VARIABLE), (keys.load_public, keys.PUBLIC_VARIABLE)):
        with pytest.raises(InvalidKey, match=variable):
            load(None)
        with pytest.raises(InvalidKey, match="cannot be read"):
            load(tmp_path / "absent.pem")


def pem(key, encryption=None):
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, encryption or NoEncryption()).decode()


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("no key", "is no unencrypted private key in PEM form"),
        (pem(keys.generate().key, BestAvailableEncryption(b"secret")), "is no unencrypted private key"),
        (pem(ec.generate_private_key(ec.SECP384R1())), "is of another kind than"),
        (pem(rsa.generate_private_key(65537, 2048)), "is of another kind than"),
        (keys.generate().public.pem(), "is no unencrypted private key"),
    ],
    ids=["text", "encrypted", "p384", "rsa", "public"],
)
def test_what_is_no_signing_key(text, complaint, tmp_path):
    (tmp_path / "key.pem").write_text(text)
    with pytest.raises(InvalidKey, match=complaint):
        keys.load_private(tmp_path / "key.pem")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (keys.generate().pem(), "is no public key in PEM form"),
        (keys.PublicKey(ec.generate_private_key(ec.SECP384R1()).public_key()).pem(), "is of another kind than"),
    ],
    ids=["private", "p384"],
)
def test_what_is_no_checking_key(text, complaint, tmp_path):
    (tmp_path / "key.pub").write_text(text)
    with pytest.raises(InvalidKey, match=complaint):
        keys.load_public(tmp_path / "key.pub")


def test_an_envelope_signs_type_and_payload_with_their_lengths(key):
    document = json.loads(seal({"b": 1, "a": "é"}, key))
    payload = base64.b64decode(document["payload"])
    assert payload.decode() == '{"a":"é","b":1}'
    (signature,) = document["signatures"]
    assert signature["keyid"] == key.public.id
    message = b"DSSEv1 28 application/vnd.in-toto+json 16 " + payload
    assert key.public.accepts(base64.b64decode(signature["sig"]), message)
