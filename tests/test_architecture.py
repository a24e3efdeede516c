"""The rules the code is built by: who may import whom, how long things may be, what is a value."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("conformance", "runners", "reports")
FILES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
LONGEST_MODULE, LONGEST_FUNCTION = 320, 60
LONG_MODULES: dict[str, str] = {}
LONG_FUNCTIONS: dict[str, str] = {}
"""Dotted name → why it may be longer."""
BANNED_NAMES = {"utils", "util", "helpers", "helper", "common", "manager", "base", "misc"}
RUNNERS_MAY_NOT_KNOW = {
    "case", "cells", "commands", "cli", "corpus", "coverage", "covered",
    "execute", "expand", "explain", "facets", "generate", "guard", "lint",
    "listing", "measure", "metrics", "opening", "options", "pytest_plugin", "record", "rules", "run", "select",
    "specify", "standard", "tally", "verdict", "waiver",
}  # fmt: skip
READERS_OF_CASES = {
    "runners.faults": "runs the case set over many faulty implementations",
    "runners.fuzz": "makes cases from contracts and has the engine judge them",
    "runners.repro": "writes a case as a program; judges nothing",
    "runners.variants": "runs the case set over many implementations",
}
"""Packages beside the runners that may know cases, and why."""
BUILT_ON = {
    "runners.faults": ("runners.simulator",),
    "runners.executors": ("runners.reference.convert",),
    "runners.fuzz": ("runners.faults.weigh",),
    "runners.torch_native": ("runners.reference.arguments", "runners.reference.convert", "runners.reference.formulas"),
    "runners.variants": ("runners.simulator",),
}
"""Packages under runners → what they may use of other such packages."""
REPORTS_MAY_KNOW = {
    "canonical", "case_id", "cells", "certificate", "changes", "claim", "complaint", "corpus", "coverage",
    "data", "dtype", "ending", "envelope", "environment", "errors", "garbage", "json_text", "judgeable", "keys",
    "load", "merge", "merkle", "metrics", "opening", "options", "outcome", "product", "recheck", "record", "required",
    "required_changes", "rerun", "rules", "schema", "signature", "standard", "statement", "status", "suite",
    "tier", "verdict", "waiver", "writing",
}  # fmt: skip
ONLY_IN = {
    "hypothesis": ("runners.fuzz",),
    "covertable": ("runners.fuzz",),
    "cryptography": ("conformance.keys",),
    "msgspec.json": ("conformance.record_lines", "conformance.measured_text", "conformance.foreign.lists"),
    "ctypes": ("runners.aclnn",),
    "torch": ("runners.executors", "runners.reference", "runners.torch_native"),
    "pytest": (
        "conformance.pytest_door",
        "conformance.pytest_items",
        "conformance.pytest_phases",
        "conformance.pytest_plugin",
    ),
}
CHANGING = {
    "conformance.execute.Begun": "what is known so far of one case on its way",
    "conformance.tally": "running totals of one pass",
    "runners.fuzz.campaign._Left": "what is left of one search",
    "runners.variants.sweep.Findings": "running totals of one sweep",
    "runners.simulator.lifecycle.Executor": "the state of one executor",
    "runners.aclnn.launch.Executor": "the state of one executor",
}
"""Modules and classes whose dataclasses are not frozen, and what changes in them."""


PARSED = {"conformance.measured_text._Output", "conformance.record_lines._Parts"}
"""Structs that hold what was parsed just now."""


def name_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


MODULES = {name_of(path): path for path in FILES}


@cache
def imports(path: Path) -> frozenset[str]:
    """Every module that a file imports, deferred and typing-only imports included."""
    found: set[str] = set()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            found.update({name for name in inner if name in MODULES} or {str(node.module)})
    return frozenset(found)


def within(name: str, *packages: str) -> bool:
    return any(name == package or name.startswith(f"{package}.") for package in packages)


def everything(kind):
    """Module name and node of every definition of a kind."""
    return [(name, node) for name, path in MODULES.items() for node in ast.walk(tree(path)) if isinstance(node, kind)]


@pytest.mark.parametrize("name", MODULES)
def test_imports_point_one_way(name):
    used = imports(MODULES[name])
    if within(name, "conformance"):
        assert not [other for other in used if within(other, "runners", "reports", "tests")]
    if within(name, "reports"):
        assert not [other for other in used if within(other, "runners", "tests")]
        core = {other.partition(".")[2].partition(".")[0] for other in used if within(other, "conformance")} - {""}
        assert core <= REPORTS_MAY_KNOW
    if within(name, "runners"):
        family = ".".join(name.split(".")[:2])
        assert not [other for other in used if within(other, "reports", "tests")]
        home = (family, *BUILT_ON.get(family, ()))
        assert not [other for other in used if within(other, "runners") and not within(other, *home, "runners")]
        assert not [other for other in used if other.startswith("runners.") and not within(other, *home)]
        core = {other.partition(".")[2] for other in used if within(other, "conformance")}
        assert not core & RUNNERS_MAY_NOT_KNOW or family in READERS_OF_CASES
        assert not core & {"record", "verdict", "waiver"}


@pytest.mark.parametrize("library", ONLY_IN)
def test_a_library_has_one_home(library):
    users = {name for name, path in MODULES.items() if any(within(used, library) for used in imports(path))}
    assert [name for name in users if not within(name, *ONLY_IN[library])] == []


def test_no_module_imports_itself_by_way_of_others():
    left = {name: {used for used in imports(path) if used in MODULES} for name, path in MODULES.items()}
    while free := [name for name, used in left.items() if not used & left.keys()]:
        for name in free:
            del left[name]
    assert left == {}


@pytest.mark.parametrize("name", MODULES)
def test_modules_are_short_and_named_for_what_they_hold(name):
    lines = len(MODULES[name].read_text(encoding="utf-8").splitlines())
    assert lines <= LONGEST_MODULE or name in LONG_MODULES
    assert not BANNED_NAMES & set(name.split("."))


def test_functions_are_short():
    long = [
        f"{name}.{node.name}"
        for name, node in everything((ast.FunctionDef, ast.AsyncFunctionDef))
        if node.end_lineno - node.lineno + 1 > LONGEST_FUNCTION
    ]
    assert [name for name in long if name not in LONG_FUNCTIONS] == []


def dataclass_options(node: ast.ClassDef) -> dict[str, object] | None:
    """Keywords of a class's dataclass decorator; None when it has none."""
    for decorator in node.decorator_list:
        call = decorator if isinstance(decorator, ast.Call) else None
        target = call.func if call else decorator
        if isinstance(target, ast.Name) and target.id == "dataclass":
            return {k.arg: getattr(k.value, "value", None) for k in call.keywords} if call else {}
    return None


def test_dataclasses_are_frozen_and_have_slots():
    loose = []
    for name, node in everything(ast.ClassDef):
        options = dataclass_options(node)
        if options is None:
            continue
        changing = name in CHANGING or f"{name}.{node.name}" in CHANGING
        if not options.get("slots") or not (options.get("frozen") or changing):
            loose.append(f"{name}.{node.name}")
    assert loose == []


def test_structs_are_frozen_unless_a_parser_alone_makes_them():
    loose = {
        f"{name}.{node.name}"
        for name, node in everything(ast.ClassDef)
        if any(ast.unparse(base) in ("Struct", "msgspec.Struct") for base in node.bases)
        and not any(word.arg == "frozen" and ast.literal_eval(word.value) for word in node.keywords)
    }
    assert loose == PARSED


@pytest.mark.parametrize("name", [name for name in MODULES if within(name, "conformance", "reports")])
def test_no_api_is_named_in_the_code_of_the_core(name):
    """Docstrings may give examples; data and names of the code may not."""
    module = tree(MODULES[name])
    for node in ast.walk(module):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            node.value.value = None
    texts = [n.value for n in ast.walk(module) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
    names = [n.id for n in ast.walk(module) if isinstance(n, ast.Name)]
    assert [text for text in (*texts, *names) if re.search(r"aclnn[A-Z]", text)] == []


def test_the_rules_are_looked_at_over_real_code():
    assert len(MODULES) > 60
    assert "conformance.errors" in imports(MODULES["conformance.load"])
    assert "torch" in {used for path in MODULES.values() for used in imports(path)}
    assert len(everything(ast.ClassDef)) > 100
