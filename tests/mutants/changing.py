"""Small changes of Python source: `changes_in(text)` lists every way to change one operator, constant, call or branch.

Each `Change` names the function it stands in and carries the text before and after, so that it can be applied, printed
and stored without a syntax tree. Annotations, docstrings, decorators and defaults are left alone.

Some kinds of change are never made because they change nothing that a program can see:

- what only words an error, unless refusals are asked for: `raise` itself, what stands before it in its block, and
  functions that make text or an error (`-> str`, `-> OpError`); and functions that compute nothing but only refuse
  (`-> None`), which belong to no gradient, and what such are called with. Rules have faults of these kinds;
- exchanged operands of calls that do not tell them apart (`_SYMMETRIC`), and of Python's own `min` and `max`, which are
  asked about sizes and counts;
- a conditional between a value and the same value taken out of an array of rank 0 (`a if shape else a[()]`), or
  wrapped as a tensor: both are the same to whatever is made of them;
- `dtype=int` of a count of elements that becomes an `int` anyway.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tests.mutants.planting import Edit

_OPERATORS: dict[type, tuple[type, ...]] = {
    ast.Add: (ast.Sub,), ast.Sub: (ast.Add,), ast.Mult: (ast.Div,), ast.Div: (ast.Mult,), ast.FloorDiv: (ast.Mult,),
    ast.Mod: (ast.Mult,), ast.Pow: (ast.Mult,), ast.BitAnd: (ast.BitOr,), ast.BitOr: (ast.BitAnd,),
    ast.LShift: (ast.RShift,), ast.RShift: (ast.LShift,), ast.BitXor: (ast.BitAnd,),
}  # fmt: skip
_COMPARISONS: dict[type, tuple[type, ...]] = {
    ast.Lt: (ast.LtE, ast.Gt), ast.LtE: (ast.Lt, ast.Gt), ast.Gt: (ast.GtE, ast.Lt), ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,), ast.Is: (ast.IsNot,), ast.IsNot: (ast.Is,), ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}  # fmt: skip
_SIBLINGS = {
    "sin": "cos", "cos": "sin", "sinh": "cosh", "cosh": "sinh", "exp": "expm1", "greater_equal": "greater",
    "greater": "greater_equal", "less_equal": "less", "less": "less_equal", "equal": "not_equal", "not_equal": "equal",
    "zeros_like": "ones_like", "ones_like": "zeros_like", "maximum": "minimum", "minimum": "maximum", "log": "log1p",
    "log1p": "log", "real": "imag", "imag": "real", "logical_and": "logical_or", "logical_or": "logical_and",
    "argmax": "argmin", "max": "min", "min": "max", "ones": "zeros", "zeros": "ones",
}  # fmt: skip
_REFUSING = re.compile(r"None|(str|\w*Error|Exception)( \| None)?")  # what functions return that compute nothing
# Exchanged operands change nothing here: such a fault would be none.
_SYMMETRIC = frozenset((
    "add", "multiply", "equal", "not_equal", "logical_and", "logical_or", "squared_difference", "hypot", "array_equal",
    "broadcast_shapes", "complex_product", "swapaxes", "both",
))  # fmt: skip
_TRANSPARENT = (
    "conj", "sign", "abs", "square", "sqrt", "reciprocal", "transpose", "stopped", "matrix_transpose", "log", "exp",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Change:
    """One change: in which function (`name` or `name.inner`, `<lambda>` included), on which line, and the two texts."""

    function: str
    line: int
    before: str
    after: str
    start: int  # where `before` begins in the source

    def edit(self, module: str, text: str) -> Edit:
        """The change as an edit of a module whose source is `text`."""
        return Edit(module, self.before, self.after).at_place(text, self.start)


def changes_in(text: str, refusals: bool = False) -> list[Change]:
    """Every change of one place in the functions of a module's source.

    refusals: also of what only refuses, and of the words that are shown.
    """
    return list(_Finder(text, refusals).module())


class _Finder:
    """Walks a module's tree and words its changes."""

    def __init__(self, text: str, refusals: bool) -> None:
        self.text, self.refusals = text, refusals
        self.starts = [0]
        for line in text.encode().split(b"\n"):
            self.starts.append(self.starts[-1] + len(line) + 1)
        self.plain = text.isascii()

    def module(self) -> Iterator[Change]:
        yield from self.inside(ast.parse(self.text), "")

    def inside(self, node: ast.AST, function: str) -> Iterator[Change]:
        """Changes of the nodes below; those outside any function are passed over."""
        for child in _children(node):
            match child:
                case ast.FunctionDef(name=name):
                    yield from self.function(child, f"{function}.{name}" if function else name)
                case ast.ClassDef(name=name):
                    yield from self.inside(child, f"{function}.{name}" if function else name)
                case ast.Lambda():
                    yield from self.inside_expression(child.body, f"{function}.<lambda>" if function else "<lambda>")
                case _:
                    yield from self.inside(child, function)

    def function(self, node: ast.FunctionDef, name: str) -> Iterator[Change]:
        if not self.refusals and node.returns is not None and _REFUSING.fullmatch(ast.unparse(node.returns)):
            return
        body = node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body
        for statement in body:
            yield from self.statement(statement, name)

    def statement(self, node: ast.AST, function: str) -> Iterator[Change]:
        match node:
            case ast.FunctionDef(name=name):
                yield from self.function(node, f"{function}.{name}")
                return
            case ast.Lambda():
                yield from self.inside_expression(node.body, f"{function}.<lambda>")
                return
            case ast.If(test=test):
                yield from self.replaced(test, function, "True", "False")
            case ast.Return(value=value) if value is not None and not _is_none(value):
                yield from self.replaced(value, function, "None")
            case ast.Expr(value=ast.Call() as call) if self.refusals or not _is_check(call):
                yield from self.replaced(call, function, "None")
            case ast.AugAssign(op=ast.Add() | ast.Sub()):
                yield from self.swapped(node, function)
            case ast.AnnAssign(value=value):
                if value is not None:
                    yield from self.statement(value, function)
                return
            case ast.Raise():
                yield from self.shown_words(node, function)
                return
        if isinstance(node, ast.expr):
            yield from self.expression(node, function)
        left_out = () if self.refusals else _wording(node)
        if not self.refusals and _refuses(node):
            return
        for child in _children(node):
            if child not in left_out:
                yield from self.statement(child, function)

    def inside_expression(self, node: ast.expr, function: str) -> Iterator[Change]:
        if not _is_none(node):
            yield from self.replaced(node, function, "None")
        yield from self.statement(node, function)

    def expression(self, node: ast.expr, function: str) -> Iterator[Change]:
        for made in _alternatives(node):
            yield from self.replaced(node, function, made if isinstance(made, str) else f"({ast.unparse(made)})")
        if self.refusals and isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from self.reworded(node, function)

    def shown_words(self, node: ast.AST, function: str) -> Iterator[Change]:
        """An error that is raised: its words, and nothing else, when words are to be changed at all."""
        if self.refusals:
            for child in ast.walk(node):
                if isinstance(child, ast.Constant) and isinstance(child.value, str):
                    yield from self.reworded(child, function)

    def reworded(self, node: ast.Constant, function: str) -> Iterator[Change]:
        segment = self.segment(node)
        if segment[:1] in "\"'" and segment[:3] not in ('"""', "'''") and len(node.value) > 3:
            yield from self.replaced(node, function, repr(node.value.upper()))

    def swapped(self, node: ast.AugAssign, function: str) -> Iterator[Change]:
        other = ast.AugAssign(node.target, ast.Sub() if isinstance(node.op, ast.Add) else ast.Add(), node.value)
        yield from self.replaced(node, function, ast.unparse(ast.fix_missing_locations(other)))

    def replaced(self, node: Any, function: str, *after: str) -> Iterator[Change]:
        start, end = self.offset(node.lineno, node.col_offset), self.offset(node.end_lineno, node.end_col_offset)
        before = self.text[start:end]
        for text in after:
            if text.strip("()") != before.strip("()"):
                yield Change(function, node.lineno, before, text, start)

    def segment(self, node: Any) -> str:
        return self.text[self.offset(node.lineno, node.col_offset) : self.offset(node.end_lineno, node.end_col_offset)]

    def offset(self, line: int, column: int) -> int:
        """Where a place of the tree, which counts bytes, is in the text."""
        place = self.starts[line - 1] + column
        return place if self.plain else len(self.text.encode()[:place].decode())


def _children(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes below that run when the node does: no annotations, decorators or types."""
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "args" if isinstance(node, ast.FunctionDef) else ""):
            continue
        if isinstance(node, ast.JoinedStr | ast.FormattedValue):
            continue
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, ast.AST):
                yield one


def _wording(node: ast.AST) -> list[ast.stmt]:
    """What only assigns in a block that ends in `raise`: it words the error."""
    if isinstance(node, ast.If | ast.ExceptHandler) and isinstance(node.body[-1], ast.Raise):
        return [one for one in node.body if _assigns(one)]
    return []


def _assigns(node: ast.stmt) -> bool:
    return isinstance(node, ast.Assign) or (isinstance(node, ast.If) and all(map(_assigns, node.body + node.orelse)))


def _refuses(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and _is_check(node.value)


def _is_check(call: ast.Call) -> bool:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    return name.lstrip("_").startswith(("check", "refuse", "mismatch"))


def _is_none(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _alternatives(node: ast.expr) -> Iterator[ast.expr | str]:
    """What an expression may become."""
    match node:
        case ast.BinOp(left=left, op=op, right=right):
            for other in _OPERATORS.get(type(op), ()):
                yield ast.BinOp(left, other(), right)
            if isinstance(op, ast.MatMult):
                yield ast.BinOp(right, op, left)
            yield left
            if not isinstance(op, ast.Mod):
                yield right
        case ast.UnaryOp(op=ast.USub() | ast.Not() | ast.Invert(), operand=operand):
            yield operand
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            for other in _COMPARISONS[type(op)]:
                yield ast.Compare(left, [other()], [right])
        case ast.BoolOp(op=op, values=values):
            yield ast.BoolOp(ast.Or() if isinstance(op, ast.And) else ast.And(), values)
            yield values[0]
            yield values[-1]
        case ast.IfExp(body=body, orelse=orelse) if _bare(body) != _bare(orelse):
            yield body
            yield orelse
        case ast.Constant(value=bool() as value):
            yield str(not value)
        case ast.Constant(value=int() | float() as value):
            yield repr(value + 1)
            if value not in (0, 1):
                yield repr(value * 2)
        case ast.Call():
            yield from _calls(node)


def _bare(node: ast.expr) -> str:
    """An expression as text, without `[()]` or `wrap`, and with an empty shape written as `shape`."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "wrap":
        node = node.args[0]
    return ast.unparse(node).removesuffix("[()]").replace("reshape(())", "reshape(shape)")


def _calls(node: ast.Call) -> Iterator[ast.expr]:
    """A call with another function of the same kind, with operands exchanged, without itself, without one option."""
    args = node.args
    if isinstance(node.func, ast.Attribute):
        name = node.func.attr
        if name in _SIBLINGS:
            yield ast.Call(ast.Attribute(node.func.value, _SIBLINGS[name], ast.Load()), args, node.keywords)
        if name in _TRANSPARENT and len(args) == 1:
            yield args[0]
    called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    sizes = isinstance(node.func, ast.Name) and called in ("min", "max")
    if (
        len(args) == 2
        and called not in _SYMMETRIC
        and not sizes
        and not any(isinstance(arg, ast.Starred) for arg in args)
    ):
        yield ast.Call(node.func, [args[1], args[0]], node.keywords)
    for at, keyword in enumerate(node.keywords):
        if called == "prod" and keyword.arg == "dtype":
            continue
        yield ast.Call(node.func, args, node.keywords[:at] + node.keywords[at + 1 :])
