"""Jumps made into plain structure: ``break``, ``continue`` and ``return`` inside ``if`` and loops become flags."""

from __future__ import annotations

import ast
from typing import Any

from .names import SCOPES

RETURNED = "ag_returned"
VALUE = "ag_return_value"


class Unsupported(Exception):
    """AutoGraph does not convert a statement of this kind, and so not the function it is in."""


class Names:
    """Fresh names for flags."""

    def __init__(self) -> None:
        self.count = 0

    def fresh(self, word: str) -> str:
        """A name that no user would choose."""
        self.count += 1
        return f"ag_{word}_{self.count}"


def has(block: list[ast.stmt], kinds: Any, into_loops: bool = True) -> bool:
    """True when a block holds a statement of some kinds, functions inside it apart."""
    for statement in block:
        if isinstance(statement, kinds):
            return True
        if isinstance(statement, SCOPES) or (isinstance(statement, (ast.For, ast.While)) and not into_loops):
            continue
        if any(has(part, kinds, into_loops) for part in _blocks(statement)):
            return True
    return False


def _blocks(statement: ast.stmt) -> list[list[ast.stmt]]:
    parts = [getattr(statement, name, []) for name in ("body", "orelse", "finalbody")]
    return [*(p for p in parts if isinstance(p, list)), *(h.body for h in getattr(statement, "handlers", []))]


def parsed(text: str, like: ast.AST) -> list[ast.stmt]:
    """Statements from text, at the place of another node."""
    made = ast.parse(text).body
    for statement in made:
        for node in ast.walk(statement):
            at_start(node, like)
    return made


def at_start(node: Any, like: Any) -> Any:
    """The node, where the other one begins: tracebacks of calls name the line where a node ends."""
    ast.copy_location(node, like)
    if hasattr(node, "lineno"):
        node.end_lineno, node.end_col_offset = node.lineno, node.col_offset
    return node


def lower_loops(block: list[ast.stmt], names: Names) -> list[ast.stmt]:
    """Break and continue become flags, from the innermost loops outward; ``stops`` is the flag that ends a loop."""
    result: list[ast.stmt] = []
    for statement in block:
        if not isinstance(statement, SCOPES):
            for field in ("body", "orelse", "finalbody"):
                if isinstance(getattr(statement, field, None), list):
                    setattr(statement, field, lower_loops(getattr(statement, field), names))
            for handler in getattr(statement, "handlers", []):
                handler.body = lower_loops(handler.body, names)
        result += _lowered_loop(statement, names) if isinstance(statement, (ast.For, ast.While)) else [statement]
    return result


def _lowered_loop(loop: Any, names: Names) -> list[ast.stmt]:
    before: list[ast.stmt] = []
    loop.stops = None
    if loop.orelse:
        raise Unsupported(f"{type(loop).__name__.lower()}/else statement not yet supported")
    if has(loop.body, ast.Continue, into_loops=False):
        flag = names.fresh("continue")
        loop.body = parsed(f"{flag} = False", loop) + _guarded(loop.body, ast.Continue, flag)
        before += parsed(f"{flag} = False", loop)
    if has(loop.body, ast.Break, into_loops=False):
        loop.stops = names.fresh("break")
        before += parsed(f"{loop.stops} = False", loop)
        loop.body = _guarded(loop.body, ast.Break, loop.stops)
        if isinstance(loop, ast.While):
            stop = ast.UnaryOp(ast.Not(), ast.Name(loop.stops, ast.Load()))
            loop.test = ast.fix_missing_locations(
                ast.copy_location(ast.BoolOp(ast.And(), [stop, loop.test]), loop.test)
            )
    return [*before, loop]


def _guarded(block: list[ast.stmt], kind: type, flag: str) -> list[ast.stmt]:
    """A block in which a jump sets its flag, and what comes after runs only while the flag is not set."""
    result: list[ast.stmt] = []
    for k, statement in enumerate(block):
        if isinstance(statement, kind):
            return [*result, *parsed(f"{flag} = True", statement)]
        result.append(statement)
        if isinstance(statement, (*SCOPES, ast.For, ast.While)) or not has([statement], kind, into_loops=False):
            continue
        for field in ("body", "orelse", "finalbody"):
            part = getattr(statement, field, None)
            if isinstance(part, list) and part:
                setattr(statement, field, _guarded(part, kind, flag))
        for handler in getattr(statement, "handlers", []):
            handler.body = _guarded(handler.body, kind, flag)
        rest = _guarded(block[k + 1 :], kind, flag)
        if rest:
            guard: Any = parsed(f"if not {flag}: pass", statement)[0]
            guard.body = rest
            result.append(guard)
        return result
    return result


def lower_returns(body: list[ast.stmt], like: ast.AST) -> list[ast.stmt]:
    """Returns inside other statements become assignments; one return is left, at the end."""
    if not any(has(part, ast.Return) for s in body if not isinstance(s, SCOPES) for part in _blocks(s)):
        return body
    start = parsed(f"{VALUE} = ag__.Undefined({VALUE!r})", like)
    if _flagged(body):
        start = parsed(f"{RETURNED} = False", like) + start
    return [*start, *_placed(body), *parsed(f"return ag__.returned({VALUE})", like)]


def _flagged(block: list[ast.stmt]) -> bool:
    """True when a return stands in something other than an ``if``."""
    for statement in block:
        if isinstance(statement, ast.If):
            if _flagged(statement.body) or _flagged(statement.orelse):
                return True
        elif not isinstance(statement, SCOPES) and any(has(part, ast.Return) for part in _blocks(statement)):
            return True
    return False


def _placed(block: list[ast.stmt]) -> list[ast.stmt]:
    """A block at the end of a function: what follows an ``if`` with a return in it moves into its branches."""
    result: list[ast.stmt] = []
    for k, statement in enumerate(block):
        rest = block[k + 1 :]
        if isinstance(statement, ast.Return):
            return [*result, *_assigned(statement, False)]
        if isinstance(statement, ast.If) and has([statement], ast.Return):
            return [*result, _branches(statement, rest)]
        if not isinstance(statement, SCOPES) and any(has(part, ast.Return) for part in _blocks(statement)):
            result.append(_flagging(statement))
            guard: Any = parsed(f"if not {RETURNED}: pass", statement)[0]
            guard.body = _placed(rest) or guard.body
            return [*result, guard] if rest else result
        result.append(statement)
    return result


def _branches(statement: ast.If, rest: list[ast.stmt]) -> ast.If:
    import copy

    first = statement.body if _always(statement.body) else [*statement.body, *rest]
    second = statement.orelse if _always(statement.orelse) else [*statement.orelse, *copy.deepcopy(rest)]
    statement.body, statement.orelse = _placed(first) or statement.body, _placed(second)
    return statement


def _always(block: list[ast.stmt]) -> bool:
    """True when a block cannot be left other than by a return or an error."""
    if not block:
        return False
    last = block[-1]
    if isinstance(last, (ast.Return, ast.Raise)):
        return True
    return isinstance(last, ast.If) and _always(last.body) and _always(last.orelse)


def _assigned(statement: ast.Return, flag: bool) -> list[ast.stmt]:
    value = statement.value or ast.Constant(None)
    made = ast.Assign([ast.Name(VALUE, ast.Store())], value)
    ast.copy_location(made, statement)
    ast.fix_missing_locations(made)
    return [*(parsed(f"{RETURNED} = True", statement) if flag else []), made]


def _flagging(statement: Any) -> ast.stmt:
    """A statement that is no ``if``, with returns in it: they set a flag, and loops are left."""
    for field in ("body", "orelse", "finalbody"):
        part = getattr(statement, field, None)
        if isinstance(part, list) and has(part, ast.Return):
            setattr(statement, field, _flags(part, isinstance(statement, (ast.For, ast.While))))
    for handler in getattr(statement, "handlers", []):
        handler.body = _flags(handler.body, False)
    if isinstance(statement, (ast.For, ast.While)):
        statement.returns = True  # type: ignore[union-attr]
    return statement


def _flags(block: list[ast.stmt], in_loop: bool) -> list[ast.stmt]:
    result: list[ast.stmt] = []
    for k, statement in enumerate(block):
        if isinstance(statement, ast.Return):
            made = [*result, *_assigned(statement, True)]
            return [*made, ast.copy_location(ast.Break(), statement)] if in_loop else made
        if isinstance(statement, SCOPES) or not any(has(part, ast.Return) for part in _blocks(statement)):
            result.append(statement)
            continue
        if isinstance(statement, ast.If):
            statement.body = _flags(statement.body, in_loop)
            statement.orelse = _flags(statement.orelse, in_loop)
            result.append(statement)
            if in_loop:
                continue
        else:
            result.append(_flagging(statement))
        rest = _flags(block[k + 1 :], in_loop)
        jump: list[ast.stmt] = [ast.copy_location(ast.Break(), statement)] if in_loop else []
        if rest or jump:
            guard: Any = parsed(f"if {RETURNED}: pass\nelse: pass", statement)[0]
            guard.body, guard.orelse = jump or guard.body, rest
            result.append(guard)
        return result
    return result
