"""The syntax tree of a function: found in the file that it was written in."""

from __future__ import annotations

import ast
import linecache
from types import CodeType


class Ambiguous(Exception):
    """Several lambdas of one signature stand in the line that a lambda comes from."""

    def __init__(self, nodes: list[ast.Lambda]):
        super().__init__(nodes)
        self.nodes = nodes


_TREES: dict[str, tuple[int, ast.Module]] = {}


def tree_of(code: CodeType) -> ast.FunctionDef | ast.Lambda | None:
    """The definition that a code object was compiled from, None when there is no source; Ambiguous for some lambdas."""
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
    line = code.co_firstlineno
    found = [n for n in ast.walk(tree) if isinstance(n, ast.Lambda) and n.lineno <= line <= (n.end_lineno or line)]
    if len(found) == 1:
        return found[0]
    count = code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & 4) + bool(code.co_flags & 8)
    found = [n for n in found if _parameters(n) == code.co_varnames[:count]]
    if len(found) == 1:
        return found[0]
    if found:
        raise Ambiguous(found)
    return None


def _parameters(node: ast.Lambda) -> tuple[str, ...]:
    a = node.args
    names = [p.arg for p in (*a.posonlyargs, *a.args, *a.kwonlyargs)]
    return (*names, *(p.arg for p in (a.vararg, a.kwarg) if p is not None))
