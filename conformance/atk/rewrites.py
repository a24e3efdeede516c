"""Inputs that ATK's scripts rewrite before the call, found in the text of a script; nothing here runs one.

``cases/atk.json`` says of inputs that a file alone cannot describe how they are filled, or that nobody knows.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path

from conformance.atk.aliases import ANYTHING, only_moves, written_through_names
from conformance.case import ValueSpec
from conformance.contract import Contract
from conformance.foreign.input_rules import fills_of
from conformance.foreign.matching import plain


def rules_for(contract: Contract, path: Path, executors: Collection[str]) -> tuple[dict[str, ValueSpec], str]:
    """Values of the inputs that rules fill, and why the case cannot be run ("" where it can)."""
    ruled, unknown = fills_of(contract)
    if unknown:
        return {}, unknown
    names = {plain(p.name): p.name for p in contract.parameters}
    for script, rewritten in rewritten_beside(path, executors):
        left = [word for word in rewritten if word == ANYTHING or names.get(plain(word), word) not in ruled]
        if left:
            return {}, f"{script} rewrites {', '.join(left)} before the call, and no rule says how"
    return ruled, ""


def rewritten_beside(path: Path, executors: Collection[str]) -> list[tuple[str, tuple[str, ...]]]:
    """Scripts beside a file that register one of its executors, with the inputs that each rewrites."""
    if not executors:
        return []
    scripts = _scripts(path.parent)
    return [
        (name, rewritten) for name, registers, rewritten in scripts if rewritten and not registers.isdisjoint(executors)
    ]


@cache
def _scripts(folder: Path) -> tuple[tuple[str, frozenset[str], tuple[str, ...]], ...]:
    return tuple(
        (script.name, frozenset(re.findall(r"register\(\s*['\"]([^'\"]+)['\"]", text)), rewritten_in(text))
        for script in sorted(folder.glob("*.py"))
        for text in [script.read_text(encoding="utf-8", errors="replace")]
        if "register(" in text
    )


def rewritten_in(text: str) -> tuple[str, ...]:
    """Inputs that a script assigns to; ``ANYTHING`` where it does not say which, or cannot be read."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return (ANYTHING,)
    return tuple(dict.fromkeys([*_assigned(tree), *sorted(written_through_names(tree))]))


def _assigned(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield from _written_in_place(node)
        targets = node.targets if isinstance(node, ast.Assign) else []
        targets = [node.target] if isinstance(node, (ast.AugAssign, ast.AnnAssign)) else targets
        for target in (part for one in targets for part in _parts(one)):
            if not (isinstance(node, ast.Assign) and only_moves(node.value, target)):
                yield from _input(target)


def _written_in_place(call: ast.Call) -> Iterator[str]:
    """The input that a method changes: one of those of tensors that end in an underscore, or of all inputs."""
    method = call.func
    if not isinstance(method, ast.Attribute):
        return
    if method.attr == "update" and isinstance(method.value, ast.Attribute):
        yield from _input(method.value)
    if method.attr.endswith("_") and not method.attr.startswith("_") and isinstance(method.value, ast.Subscript):
        yield from _input(method.value)


def _input(target: ast.expr) -> Iterator[str]:
    """The input that an expression stands for, or is an element of; nothing where it is none."""
    key: ast.expr | None = None
    while isinstance(target, ast.Subscript):
        key, target = target.slice, target.value
    if isinstance(target, ast.Attribute) and target.attr in ("kwargs", "args"):
        named = isinstance(key, ast.Constant) and isinstance(key.value, str)
        yield str(key.value) if named and isinstance(key, ast.Constant) else ANYTHING


def _parts(target: ast.expr) -> list[ast.expr]:
    return list(target.elts) if isinstance(target, (ast.Tuple, ast.List)) else [target]
