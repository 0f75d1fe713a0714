"""The syntax tree of a function: found in the file that it was written in."""

from __future__ import annotations

import ast
import linecache
import sys
from types import CodeType
from typing import Any

_TREES: dict[str, tuple[int, ast.Module]] = {}


def tree_of(code: CodeType) -> ast.FunctionDef | ast.Lambda | None:
    """The definition that a code object was compiled from, None when there is no telling."""
    tree = _file_tree(code.co_filename)
    if tree is None:
        return None
    if code.co_name == "<lambda>":
        return _lambda(tree, code)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name == code.co_name and _first_line(node) == code.co_firstlineno:
            return node
    return None


def _file_tree(filename: str) -> ast.Module | None:
    lines = linecache.getlines(filename)
    if not lines:
        return None
    key = hash(tuple(lines))
    known = _TREES.get(filename)
    if known is None or known[0] != key:
        try:
            known = _TREES[filename] = (key, ast.parse("".join(lines)))
        except SyntaxError:
            return None
    return known[1]


def _first_line(node: ast.FunctionDef) -> int:
    return min([node.lineno, *(d.lineno for d in node.decorator_list)])


def _lambda(tree: ast.Module, code: CodeType) -> ast.Lambda | None:
    found = [n for n in ast.walk(tree) if isinstance(n, ast.Lambda) and n.lineno == code.co_firstlineno]
    count = code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & 4) + bool(code.co_flags & 8)
    found = [n for n in found if _parameters(n) == code.co_varnames[:count]]
    if len(found) > 1:
        found = [n for n in found if _holds(n, code)]
    if len({ast.dump(n) for n in found}) != 1:
        return None
    return found[0]


def _parameters(node: ast.Lambda) -> tuple[str, ...]:
    a = node.args
    names = [p.arg for p in (*a.posonlyargs, *a.args, *a.kwonlyargs)]
    return (*names, *(p.arg for p in (a.vararg, a.kwarg) if p is not None))


def _holds(node: ast.Lambda, code: CodeType) -> bool:
    """True when the code may be that of the lambda: by its place in the line, or before 3.11 by the names it uses."""
    if sys.version_info >= (3, 11):
        places = [p for p in code.co_positions() if None not in p and p[2] != p[3]]
        body: Any = node.body
        inside = [
            (body.lineno, body.col_offset) <= (p[0], p[2]) and (p[1], p[3]) <= (body.end_lineno, body.end_col_offset)
            for p in places
        ]
        exact = any((p[0], p[2], p[3]) == (body.lineno, body.col_offset, body.end_col_offset) for p in places)
        return exact and all(inside)
    names = {n.id for n in ast.walk(node.body) if isinstance(n, ast.Name)}
    names |= {n.attr for n in ast.walk(node.body) if isinstance(n, ast.Attribute)}
    return names | set(_parameters(node)) == {*code.co_names, *code.co_freevars, *code.co_varnames}
