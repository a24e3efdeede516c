"""Text of a cell → its value: a Python literal, with nan and inf, as plain lists, dictionaries, numbers and texts."""

from __future__ import annotations

import ast
import warnings
from typing import Any

_WORDS = {
    "nan": float("nan"),
    "inf": float("inf"),
    "infinity": float("inf"),
    "true": True,
    "false": False,
    "null": None,
    "none": None,
}


class _NoLiteral(Exception):
    """A part of the text that is no literal."""


def literal(text: str) -> Any:
    """Value of a cell; a text that is no literal stands for itself, an empty one is None."""
    bare = text.strip()
    if not bare:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(bare, mode="eval")
        return _value(tree.body)
    except (_NoLiteral, SyntaxError, ValueError, RecursionError, MemoryError):
        return bare


def _value(node: ast.expr) -> Any:
    if isinstance(node, ast.Constant):
        if node.value is None or isinstance(node.value, (bool, int, float, str)):
            return node.value
    elif isinstance(node, (ast.Tuple, ast.List)):
        return [_value(item) for item in node.elts]
    elif isinstance(node, ast.Dict):
        return _items(node)
    elif isinstance(node, ast.Name):
        return _WORDS.get(node.id.lower(), node.id)
    elif isinstance(node, ast.Attribute):
        return _word(node.attr)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
        return _signed(node.op, _value(node.operand))
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "float" and node.args:
        return _word(_value(node.args[0]))
    raise _NoLiteral


def _items(node: ast.Dict) -> dict[str, Any]:
    keys = [key.value for key in node.keys if isinstance(key, ast.Constant) and isinstance(key.value, str)]
    if len(set(keys)) != len(node.keys):
        raise _NoLiteral
    return dict(zip(keys, map(_value, node.values), strict=True))


def _signed(sign: ast.unaryop, value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise _NoLiteral
    return -value if isinstance(sign, ast.USub) else value


def _word(value: Any) -> Any:
    """The number that a word such as inf of ``np.inf`` or ``float("-inf")`` means."""
    text = str(value).lower()
    if text.lstrip("+-") not in _WORDS or not isinstance(_WORDS[text.lstrip("+-")], float):
        raise _NoLiteral
    return float(text)
