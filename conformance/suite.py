"""The suite as a certificate depends on it: its cases, its standards, and digests of data and sources."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from conformance import __version__
from conformance.case import Case
from conformance.corpus import load_corpus
from conformance.data import data_root
from conformance.environment import data_digest, source_digest
from conformance.errors import InvalidData
from conformance.load import load_standards
from conformance.standard import Standard


@dataclass(frozen=True, slots=True)
class Suite:
    """Cases by id, standards by name, and digests in hex of all data, of the standards' file and of the sources."""

    version: str
    cases: Mapping[str, Case]
    standards: Mapping[str, Standard]
    data: str
    standards_file: str
    sources: str


def load_suite(paths: Sequence[Path] | None = None) -> Suite:
    """The suite that runs, with the cases of ``paths`` (all by default); raises InvalidData."""
    corpus = load_corpus(paths)
    if corpus.problems:
        raise InvalidData(list(corpus.problems))
    return Suite(
        version=__version__,
        cases={case.id: case for case in corpus.cases},
        standards=load_standards(),
        data=data_digest(),
        standards_file=hashlib.sha256((data_root() / "standards.json").read_bytes()).hexdigest(),
        sources=source_digest(),
    )
