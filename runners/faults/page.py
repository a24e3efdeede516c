"""The page of the documents that says what the suite detects; regenerated, never typed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from runners.faults.score import Row, Score, by_class, by_difficulty, total

_HEAD = """# What the suite detects

Written by `python -m conformance faults --markdown docs/detection.md`; do not edit.

A fault is the simulator with one thing wrong, built into every API where that makes sense: one *implementation* an API
and product. A fault counts as caught only if some case of the default tier is red in every implementation that has it.
*easy* faults show with one obvious value or shape, *medium* ones need a crossed condition (type × value, view ×
argument, rank × attribute), *hard* ones a certain size, order of calls or repetition, or a rule stricter than published
tolerances. `fault:ID` is a runner: `python -m conformance run --runner fault:strides_ignored` shows what the suite says
of it.

What no document forbids is no fault: the sign of a zero, the order of a sum, a flushed subnormal result, an output that
is also an input.
"""


def page(scores: Sequence[Score]) -> str:
    """The whole page."""
    return "\n".join([_HEAD, *_table(scores), "", *_faults(scores)]) + "\n"


def _table(scores: Sequence[Score]) -> Iterator[str]:
    yield "| class | faults | caught | missed | implementations | found |"
    yield "|---|---:|---:|---:|---:|---:|"
    for row in by_class(scores):
        yield _row(row)
    for row in (*by_difficulty(scores), total(scores)):
        yield _row(row, bold=True)


def _row(row: Row, bold: bool = False) -> str:
    name = f"**{row.name}**" if bold else f"`{row.name}`"
    return f"| {name} | {row.faults} | {row.caught} | {row.missed} | {row.implementations} | {row.found} |"


def _faults(scores: Sequence[Score]) -> Iterator[str]:
    yield "## The catalogue"
    yield ""
    yield "Sources name public reports and fixes of such faults; *ours* are faults that we found no report of."
    for kind in dict.fromkeys(score.fault.kind for score in scores):
        yield f"\n### {kind.value}\n"
        yield "| id | difficulty | what is wrong | source | in | found in |"
        yield "|---|---|---|---|---:|---:|"
        for score in scores:
            if score.fault.kind is kind:
                yield _line(score)


def _line(score: Score) -> str:
    fault, count = score.fault, len(score.places)
    about = fault.about.replace("|", "\\|")
    found = count - len(score.missed)
    return f"| `{fault.id}` | {fault.difficulty.value} | {about} | {fault.source} | {count} | {found} |"
