"""What a script's ``init_by_input_data`` may do to its inputs, under whatever names it holds them.

Nothing is run. What cannot be told to be harmless counts as written: other functions that get an input, methods that
end in an underscore, results that are thrown away, and whatever is made by ``eval``.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping

HOOK = "init_by_input_data"
"""The method that ATK calls before both sides of a comparison; what ``__call__`` does is the golden's alone."""
ANYTHING = "its inputs"
_Labels = frozenset[str]
_NONE: _Labels = frozenset()
_LIBRARIES = frozenset(
    {"torch", "torch_npu", "numpy", "math", "tensorflow", "ml_dtypes", "copy", "functools", "random"}
)
_BUILTINS = frozenset(
    {
        *("abs", "all", "any", "bool", "dict", "enumerate", "float", "getattr", "hasattr", "int", "isinstance"),
        *("len", "list", "max", "min", "print", "range", "repr", "reversed", "round", "set", "sorted", "str"),
        *("sum", "tuple", "type", "zip"),
    }
)
_OURS = frozenset({HOOK, "convert_input_data", "get_format", "get_storage_shape", "get_storage_format"})
"""Methods of ATK's own classes, and those that scripts override, which read inputs alone."""
_FACTS = frozenset({"shape", "dtype", "device", "ndim", "is_cuda", "is_npu", "requires_grad", "layout", "itemsize"})
_FRESH = frozenset(
    {
        *("all", "any", "bool", "clone", "deepcopy", "dim", "element_size", "float", "get_device", "hasattr"),
        *("int", "is_contiguous", "is_floating_point", "isinstance", "item", "keys", "len", "ndimension"),
        *("numel", "print", "range", "repr", "size", "str", "stride", "tolist", "type", "empty_like"),
        *("full_like", "ones_like", "rand_like", "randint_like", "randn_like", "zeros_like"),
    }
)
"""Functions and methods whose result has no memory in common with what they get."""
_WRITERS = frozenset(
    {
        *("append", "clear", "copyto", "extend", "fill", "fill_diagonal", "insert", "itemset", "partition"),
        *("place", "pop", "popitem", "put", "put_along_axis", "putmask", "remove", "reverse", "setdefault"),
        *("setfield", "setflags", "shuffle", "update"),
    }
)
_KEEPERS = frozenset({"append", "extend", "insert", "add", "update", "setdefault"})
"""Methods by which a list or dictionary comes to hold what it gets."""
_MOVES = frozenset({"npu", "cpu", "cuda", "contiguous", "clone", "detach"})
"""Methods of a tensor that leave its numbers alone."""
_RUN_TEXT = frozenset({"eval", "exec", "globals", "locals", "compile", "__import__"})


def written_through_names(tree: ast.Module) -> Iterator[str]:
    """Inputs that the hooks of a script may write; ``ANYTHING`` where it cannot be told which."""
    imported = dict(_imported(tree))
    if _hook_is_hidden(tree, imported):
        yield ANYTHING
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == HOOK:
            yield from _Hook(node, imported).written()


def only_moves(value: ast.expr, target: ast.expr) -> bool:
    """Whether an input becomes itself on another device."""
    while isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr in _MOVES:
        value = value.func.value
    return ast.unparse(value) == ast.unparse(target)


def _imported(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Names that imports bind, with the package they come from; "" where it lies beside the script."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((one.asname or one.name.split(".")[0], one.name.split(".")[0]) for one in node.names)
        elif isinstance(node, ast.ImportFrom):
            package = "" if node.level else (node.module or "").split(".")[0]
            yield from ((one.asname or one.name, package) for one in node.names)


def _hook_is_hidden(tree: ast.Module, imported: Mapping[str, str]) -> bool:
    """Whether a hook may come from elsewhere: from a class of another file, or by assignment."""
    known = {*_LIBRARIES, *sys.stdlib_module_names, "atk"}
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            roots = [_root(base) for base in node.bases]
            if any(root in imported and imported[root] not in known for root in roots):
                return True
        named = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
        if named == HOOK and isinstance(node, (ast.Attribute, ast.Name)) and not isinstance(node.ctx, ast.Load):
            return True
        if isinstance(node, ast.Constant) and node.value == HOOK:
            return True
    return False


def _root(node: ast.expr) -> str:
    """The name that an expression starts with."""
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Call)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


class _Hook:
    """One hook. Not a value: it learns which names hold inputs, whatever the order of the statements."""

    def __init__(self, hook: ast.FunctionDef | ast.AsyncFunctionDef, imported: Mapping[str, str]) -> None:
        self._nodes = [node for statement in hook.body for node in ast.walk(statement)]
        self._imported = imported
        self._values: dict[str, list[ast.expr]] = {}
        given = [*hook.args.posonlyargs, *hook.args.args, *hook.args.kwonlyargs, hook.args.vararg, hook.args.kwarg]
        names = [one.arg for one in given if one is not None]
        self._held: dict[str, _Labels] = {name: frozenset({ANYTHING}) for name in names if name != "self"}
        while self._learn():
            pass

    def written(self) -> Iterator[str]:
        """Labels of what may be written."""
        assigned = [(one, node.value) for node in self._nodes if isinstance(node, ast.Assign) for one in node.targets]
        moved = [target for target, value in assigned if only_moves(value, target)]
        for node in self._nodes:
            if node in moved:
                continue
            if isinstance(node, ast.Call):
                yield from self._by_call(node)
            elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
                yield from self._thrown_away(node.value)
            elif isinstance(node, ast.AugAssign):
                yield from self._labels(node.target)
            elif isinstance(node, (ast.Subscript, ast.Attribute)) and not isinstance(node.ctx, ast.Load):
                yield from self._by_target(node)
            elif isinstance(node, ast.Match) and self._labels(node.subject):
                yield ANYTHING

    def _learn(self) -> bool:
        before = dict(self._held)
        self._values = {}
        for node in self._nodes:
            if isinstance(node, (ast.Assign, ast.AnnAssign, ast.NamedExpr)) and node.value is not None:
                for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                    self._bind(target, node.value)
            elif isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension)):
                self._bind(node.target, node.iter)
            elif isinstance(node, ast.withitem) and node.optional_vars is not None:
                self._bind(node.optional_vars, node.context_expr)
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _KEEPERS:
                self._hold(node.func.value, self._given(node))
        return self._held != before

    def _bind(self, target: ast.expr, value: ast.expr) -> None:
        sides = (target, value)
        if all(isinstance(one, (ast.Tuple, ast.List)) for one in sides):
            ours, theirs = target.elts, value.elts  # type: ignore[attr-defined]
            if len(ours) == len(theirs) and not any(isinstance(one, ast.Starred) for one in [*ours, *theirs]):
                for one, other in zip(ours, theirs, strict=True):
                    self._bind(one, other)
                return
        for part in ast.walk(target) if isinstance(target, (ast.Tuple, ast.List)) else [target]:
            if isinstance(part, ast.Name):
                self._values.setdefault(part.id, []).append(value)
            if isinstance(part, ast.expr):
                self._hold(part, self._labels(value))

    def _hold(self, target: ast.expr, labels: _Labels) -> None:
        """A name, an attribute of self, or the list that an element is put into, holds inputs from now on."""
        while isinstance(target, (ast.Subscript, ast.Starred)):
            target = target.value
        name = ast.unparse(target)
        if labels and isinstance(target, (ast.Name, ast.Attribute)) and labels - self._held.get(name, _NONE):
            self._held[name] = self._held.get(name, _NONE) | labels

    def _labels(self, node: ast.AST) -> _Labels:
        """Inputs that an expression may have memory in common with."""
        if isinstance(node, (ast.Constant, ast.Compare, ast.UnaryOp, ast.JoinedStr, ast.Lambda)):
            return _NONE
        if isinstance(node, ast.Name):
            return self._held.get(node.id, _NONE)
        if isinstance(node, ast.Attribute):
            return _NONE if node.attr in _FACTS else self._labels(node.value) | self._held.get(ast.unparse(node), _NONE)
        if isinstance(node, ast.Subscript):
            return _entry(self._labels(node.value), node.slice)
        if isinstance(node, ast.Call):
            return self._result(node)
        if isinstance(node, ast.BinOp):
            both = self._labels(node.left) | self._labels(node.right)
            return both if ANYTHING in both else _NONE
        if isinstance(node, ast.IfExp):
            return self._labels(node.body) | self._labels(node.orelse)
        if isinstance(node, (ast.ListComp, ast.SetComp, ast.GeneratorExp)):
            return self._labels(node.elt)
        return _NONE.union(*(self._labels(one) for one in ast.iter_child_nodes(node)))

    def _result(self, call: ast.Call) -> _Labels:
        name = _called(call)
        if name in _FRESH or name in _OURS:
            return _NONE
        owner = self._labels(call.func.value) if isinstance(call.func, ast.Attribute) else _NONE
        if name in ("get", "pop") and owner and call.args:
            return _entry(owner, call.args[0]).union(*(self._labels(one) for one in call.args[1:]))
        return owner | self._given(call)

    def _given(self, call: ast.Call) -> _Labels:
        return _NONE.union(*(self._labels(one) for one in [*call.args, *(word.value for word in call.keywords)]))

    def _by_call(self, call: ast.Call) -> _Labels:
        name, given = _called(call), self._given(call)
        owner = self._labels(call.func.value) if isinstance(call.func, ast.Attribute) else _NONE
        if name in _RUN_TEXT and isinstance(call.func, ast.Name):
            return frozenset({ANYTHING})
        written = _NONE.union(*(self._labels(word.value) for word in call.keywords if word.arg == "out"))
        if owner and (name in _WRITERS or _is_in_place(name)):
            written |= _entry(owner, call.args[0]) if name == "pop" and call.args else owner
        if given and not owner and not self._reads_alone(call, name):
            written |= given
        return written

    def _reads_alone(self, call: ast.Call, name: str) -> bool:
        """Whether a function is known to leave what it gets as it is."""
        if isinstance(call.func, ast.Name) and name in _BUILTINS and name not in self._values:
            return name not in self._imported
        if name in _OURS or (name in _KEEPERS and isinstance(call.func, ast.Attribute)):
            return True
        if not self._is_of_a_library(call.func, frozenset()):
            return False
        on_value = isinstance(call.func, ast.Attribute) and _root(call.func) in self._values
        return name not in _WRITERS and (on_value or not _is_in_place(name))

    def _is_of_a_library(self, node: ast.expr, asked: frozenset[str]) -> bool:
        if isinstance(node, (ast.Constant, ast.JoinedStr, ast.BinOp)):
            return not isinstance(node, ast.BinOp) or self._is_of_a_library(node.left, asked)
        name = _root(node)
        if name in self._values and name not in asked:
            return all(self._is_of_a_library(one, asked | {name}) for one in self._values[name])
        return self._imported.get(name) in _LIBRARIES

    def _thrown_away(self, call: ast.Call) -> _Labels:
        """A call whose result nobody takes was made for what it does."""
        name = _called(call)
        if name in _OURS or name in _KEEPERS or name in _FRESH or name == "requires_grad_":
            return _NONE
        owner = self._labels(call.func.value) if isinstance(call.func, ast.Attribute) else _NONE
        if _is_in_place(name) and isinstance(call.func, ast.Attribute) and not owner:
            return _NONE if _root(call.func) in self._values else self._given(call)
        return owner or self._given(call)

    def _by_target(self, node: ast.Subscript | ast.Attribute) -> _Labels:
        held = self._labels(node.value)
        return _entry(held, node.slice) if isinstance(node, ast.Subscript) else held


def _entry(labels: _Labels, key: ast.expr) -> _Labels:
    """What stands under a key of all inputs: one of them where the key is a text."""
    if ANYTHING in labels and isinstance(key, ast.Constant) and isinstance(key.value, str):
        return labels - {ANYTHING} | {key.value}
    return labels


def _called(call: ast.Call) -> str:
    """The last word of what is called."""
    if isinstance(call.func, ast.Attribute):
        return call.func.attr
    return call.func.id if isinstance(call.func, ast.Name) else ""


def _is_in_place(name: str) -> bool:
    return name.endswith("_") and not name.startswith("_") and name != "requires_grad_"
