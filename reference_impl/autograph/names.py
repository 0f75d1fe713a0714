"""Which names code reads and writes, and which are still needed afterwards."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Any

SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def _inside(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a statement or expression that belong to the same scope."""
    yield node
    if isinstance(node, SCOPES):
        return
    for child in ast.iter_child_nodes(node):
        yield from _inside(child)


def written(block: Iterable[ast.AST]) -> list[str]:
    """The local names that a block assigns, in order of appearance."""
    names: dict[str, None] = {}
    for statement in block:
        for node in _inside(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, (ast.Store, ast.Del)):
                names[node.id] = None
            elif isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.ExceptHandler)) and node.name:
                names[node.name] = None
            elif isinstance(node, ast.alias):
                names[(node.asname or node.name).split(".")[0]] = None
            elif isinstance(node, _COMPREHENSIONS):
                for inner in (n for g in node.generators for n in ast.walk(g.target)):
                    names.pop(getattr(inner, "id", ""), None)
    return list(names)


def parts_written(block: Iterable[ast.AST]) -> list[str]:
    """Attributes and items (``self.x``, ``d["a"]``) that a block assigns and that can be written down as text."""
    block = list(block)
    names: dict[str, None] = {}
    for statement in block:
        for node in _inside(statement):
            if isinstance(node, (ast.Attribute, ast.Subscript)) and isinstance(node.ctx, ast.Store) and _plain(node):
                names[ast.unparse(node)] = None
    changed = set(written(block))
    return [n for n in names if not {x.id for x in ast.walk(ast.parse(n)) if isinstance(x, ast.Name)} & changed]


def _plain(node: Any) -> bool:
    if isinstance(node, ast.Name):
        return True
    if isinstance(node, ast.Attribute):
        return _plain(node.value)
    if isinstance(node, ast.Subscript):
        return _plain(node.value) and isinstance(node.slice, (ast.Constant, ast.Name))
    return False


def read(node: ast.AST | None) -> set[str]:
    """The names that an expression or statement reads, functions defined in it included."""
    if node is None:
        return set()
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}


def closed_over(function: ast.AST) -> set[str]:
    """Names that functions inside a function read: they may be needed whenever those are called."""
    found: set[str] = set()
    for node in ast.walk(function):
        if node is not function and isinstance(node, SCOPES):
            found |= read(node)
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            found |= set(node.names)
    return found


def mark_live(block: list[ast.stmt], after: set[str]) -> set[str]:
    """The names needed before a block, given those needed after it.

    Every ``if`` gets an attribute ``needed``, the names needed after it; loops get those needed after or in the next
    round.
    """
    live = set(after)
    for statement in reversed(block):
        live = _before(statement, live)
    return live


def _before(node: ast.stmt, after: set[str]) -> set[str]:
    if isinstance(node, ast.If):
        node.needed = set(after)  # type: ignore[attr-defined]
        return read(node.test) | mark_live(node.body, after) | mark_live(node.orelse, after)
    if isinstance(node, (ast.While, ast.For)):
        return _before_loop(node, after)
    if isinstance(node, ast.With):
        uses = set().union(*(read(i.context_expr) for i in node.items))
        targets = {
            n.id for i in node.items if i.optional_vars for n in ast.walk(i.optional_vars) if isinstance(n, ast.Name)
        }
        return uses | (mark_live(node.body, after) - targets)
    if isinstance(node, ast.Try):
        everything = after | read(node)
        for part in (node.body, node.orelse, node.finalbody, *(h.body for h in node.handlers)):
            mark_live(part, everything)
        return everything
    if isinstance(node, ast.Return):
        return read(node.value)
    if isinstance(node, ast.AugAssign):
        return after | read(node) | {n.id for n in ast.walk(node.target) if isinstance(n, ast.Name)}
    return (after - set(written([node]))) | read(node)


def _before_loop(node: Any, after: set[str]) -> set[str]:
    head = set(after)
    test = node.test if isinstance(node, ast.While) else node.iter
    targets = set() if isinstance(node, ast.While) else {n.id for n in ast.walk(node.target) if isinstance(n, ast.Name)}
    for _ in range(3):
        once = read(test) if isinstance(node, ast.While) else set()
        head = after | once | getattr(node, "extra_reads", set()) | (mark_live(node.body, head) - targets)
    node.needed = set(head)
    return head | read(test)
