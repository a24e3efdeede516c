"""The commands ``certify``, ``verify`` and ``keygen``: what they take. What they do is in ``certifying``."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from conformance.options import add_runner_options

if TYPE_CHECKING:
    _Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]

_LEVELS = ("strict", "cann_mixed")
_KINDS = ("ed25519", "ecdsa-p256")


def add_certify(subparsers: _Subparsers) -> None:
    """Add ``certify`` to the command line."""
    parser = subparsers.add_parser("certify", help="turn a record into a signed certificate, if it proves enough")
    parser.add_argument("record", type=Path, help="record of a whole run")
    parser.add_argument("--required", type=Path, required=True, metavar="LIST", help="cases/required/RELEASE.json")
    parser.add_argument("--statement", type=Path, required=True, metavar="FILE", help="the implementer's own part")
    parser.add_argument("--waivers", type=Path, action="append", default=[], metavar="FILE", help="those of the run")
    parser.add_argument("--level", choices=_LEVELS, help="standard to reach (the strictest that is reached)")
    parser.add_argument("--key", type=Path, metavar="FILE", help="private key (else CONFORMANCE_SIGNING_KEY)")
    parser.add_argument("--paths", type=Path, action="append", metavar="PATH", help="where the cases are")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="CERT", help="certificate to write")
    parser.add_argument("--html", type=Path, metavar="FILE", help="also write a page to print")
    parser.set_defaults(handler=_certify)


def add_verify(subparsers: _Subparsers) -> None:
    """Add ``verify`` to the command line."""
    parser = subparsers.add_parser("verify", help="check a certificate: signature, digests, and every verdict")
    parser.add_argument("certificate", type=Path)
    parser.add_argument("--record", type=Path, metavar="FILE", help="the record it was made from")
    parser.add_argument("--required", type=Path, metavar="LIST", help="the release's list (that of the suite)")
    parser.add_argument("--key", type=Path, metavar="FILE", help="public key (else CONFORMANCE_VERIFY_KEY)")
    parser.add_argument("--paths", type=Path, action="append", metavar="PATH", help="where the cases are")
    parser.add_argument("--html", type=Path, metavar="FILE", help="also write a page to print")
    parser.add_argument("--rerun-sample", type=int, metavar="K", help="run K cases of the record again and compare")
    parser.add_argument("--nonce", metavar="N", help="any text of your own; it picks the cases of the sample")
    parser.add_argument("--runner", help="who runs the sample (the runner of the record)")
    add_runner_options(parser)
    parser.set_defaults(handler=_verify)


def add_keygen(subparsers: _Subparsers) -> None:
    """Add ``keygen`` to the command line."""
    parser = subparsers.add_parser("keygen", help="make a pair of keys to sign certificates with")
    parser.add_argument("--kind", choices=_KINDS, default=_KINDS[0], help="kind of key (%(default)s)")
    parser.add_argument(
        "-o", "--output", type=Path, required=True, metavar="FILE", help="private key; FILE.pub is the public one"
    )
    parser.set_defaults(handler=_keygen)


def _certify(given: argparse.Namespace) -> int:
    from reports.certifying import certify

    return certify(given)


def _verify(given: argparse.Namespace) -> int:
    from reports.verifying import verify

    return verify(given)


def _keygen(given: argparse.Namespace) -> int:
    from reports.certifying import keygen

    return keygen(given)
