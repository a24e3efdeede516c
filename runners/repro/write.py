"""Composes a case, a session and a form into files: the one place where a standalone program comes about."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from conformance.corpus import load_corpus
from conformance.opening import open_session
from conformance.options import Options
from conformance.select import select_one
from conformance.writing import write_bytes, write_text
from runners.repro.recipe import make_recipe
from runners.repro.render import FORMS, render
from runners.repro.tolerance import CannotReproduce

FOLDER = Path("build/repro")


def write_repro(
    paths: Sequence[Path] | None, selector: str, options: Options, form: str, output: Path | None
) -> list[Path]:
    """Write the program of one case, and the file it reads when there is much data; the paths written.

    ``output`` is the source file, by default the case's id with the form's ending in ``build/repro``. Raises
    NothingSelected, CannotReproduce, BrokenCase or an error of the options.
    """
    corpus = load_corpus(paths, [selector])
    for problem in corpus.problems:
        print(f"error: {problem}", file=sys.stderr)
    case = select_one(corpus.cases, selector)
    if options.product not in case.products:
        raise CannotReproduce(f"{case.id} is no case for {options.product}, but for {', '.join(sorted(case.products))}")
    source = output or FOLDER / f"{case.id}{FORMS[form].suffix}"
    program = render(make_recipe(case, open_session(options)), FORMS[form], source.stem)
    write_text(source, program.text)
    if not program.attached:
        return [source]
    beside = source.with_name(f"{source.stem}.bin")
    write_bytes(beside, program.attached)
    return [source, beside]
