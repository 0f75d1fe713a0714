"""A function's syntax tree rewritten so that ``if``, loops and boolean operators may depend on tensors.

Each becomes a call of a function in operators.py (``ag__`` in the rewritten code) with its parts as functions:

    if x > 0:                 def body_1(): nonlocal y; y = x
        y = x           ->    def orelse_1(): nonlocal y; y = -x
    else:                     ag__.if_stmt(x > 0, body_1, orelse_1, get_1, set_1, ("y",), 1)
        y = -x

where ``get_1`` and ``set_1`` read and write the names that the parts assign.
"""

from __future__ import annotations

import ast
import copy
from typing import Any

from .lowering import Names, at_start, lower_loops, lower_returns, parsed
from .names import closed_over, mark_live, parts_written, written

_LEFT_ALONE = frozenset(["super", "locals", "globals", "vars", "eval", "exec", "dir"])


def rewritten(node: ast.FunctionDef | ast.Lambda) -> ast.FunctionDef:
    """The definition of a function, rewritten; a lambda becomes ``def ag_lambda``."""
    node = copy.deepcopy(node)
    if isinstance(node, ast.Lambda):
        back = ast.copy_location(ast.Return(node.body), node.body)
        made = ast.parse("def ag_lambda(): pass").body[0]
        assert isinstance(made, ast.FunctionDef)
        made.args, made.body = node.args, [back]
        node = ast.copy_location(made, node)
    node.decorator_list = []
    node.returns = None
    for argument in ast.walk(node.args):
        if isinstance(argument, ast.arg):
            argument.annotation = None
    node.args.defaults = [ast.Constant(None) for _ in node.args.defaults]
    node.args.kw_defaults = [d and ast.Constant(None) for d in node.args.kw_defaults]
    names = Names()
    node.body = _body(node, names)
    ast.fix_missing_locations(node)
    return node


def _body(node: Any, names: Names) -> list[ast.stmt]:
    """The rewritten body of a function."""
    body = lower_loops(lower_returns(node.body, node), names)
    declared = {n for s in ast.walk(ast.Module(body, [])) if isinstance(s, (ast.Global, ast.Nonlocal)) for n in s.names}
    always = closed_over(node)
    for loop in ast.walk(ast.Module(body, [])):
        if isinstance(loop, (ast.For, ast.While)) and getattr(loop, "stops", None):
            loop.extra_reads = {loop.stops}  # type: ignore[union-attr]
    mark_live(body, set(always))
    parameters = {a.arg for a in ast.walk(node.args) if isinstance(a, ast.arg)}
    rewriter = _Rewriter(names, always, declared, _globals_in(body))
    new = [s for statement in body for s in rewriter.statement(statement)]
    missing = [n for n in rewriter.state if n not in parameters and n not in declared]
    start = [s for n in missing for s in parsed(f"{n} = ag__.Undefined({n!r})", node)]
    at = 1 if new and isinstance(new[0], ast.Expr) and isinstance(new[0].value, ast.Constant) else 0
    scope = [s for s in new if isinstance(s, (ast.Global, ast.Nonlocal))]
    return [*new[:at], *scope, *start, *(s for s in new[at:] if s not in scope)]


def _globals_in(body: list[ast.stmt]) -> set[str]:
    return {n for s in ast.walk(ast.Module(body, [])) if isinstance(s, ast.Global) for n in s.names}


class _Rewriter(ast.NodeTransformer):
    """Rewrites statements and expressions of one function."""

    def __init__(self, names: Names, always: set[str], declared: set[str], global_names: set[str]):
        self.names, self.always, self.declared, self.globals = names, always, declared, global_names
        self.state: dict[str, None] = {}

    def statement(self, node: ast.stmt) -> list[ast.stmt]:
        """A statement, rewritten."""
        made = self.visit(node)
        return made if isinstance(made, list) else [made]

    def block(self, body: list[ast.stmt]) -> list[ast.stmt]:
        """A block, rewritten."""
        return [s for statement in body for s in self.statement(statement)]

    # ------------------------------------------------------------------------------------ statements

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        """A function inside the function: in the same way, by itself."""
        node.args.defaults = [self.visit(d) for d in node.args.defaults]
        node.args.kw_defaults = [d and self.visit(d) for d in node.args.kw_defaults]
        if not any(isinstance(n, (ast.Yield, ast.YieldFrom, ast.Await)) for n in ast.walk(node)):
            node.body = _body(node, self.names)
        return node

    def visit_AsyncFunctionDef(self, node: Any) -> Any:
        """Left alone."""
        return node

    visit_ClassDef = visit_AsyncFunctionDef

    def visit_If(self, node: ast.If) -> Any:
        """``if`` becomes ``ag__.if_stmt``."""
        parts = parts_written([*node.body, *node.orelse])
        mine = written([*node.body, *node.orelse])
        needed = [n for n in mine if n in node.needed or n in self.always or n in self.declared]  # type: ignore[attr-defined]
        symbols = [*needed, *parts, *(n for n in mine if n not in needed)]
        count = len(needed) + len(parts)
        k, accessors = self._accessors(symbols, node)
        test = self.visit(node.test)
        body = self._function(f"ag_body_{k}", "", mine, self.block(node.body), node)
        orelse = self._function(f"ag_orelse_{k}", "", mine, self.block(node.orelse), node)
        call = parsed(
            f"ag__.if_stmt(None, ag_body_{k}, ag_orelse_{k}, ag_get_{k}, ag_set_{k}, {tuple(symbols)!r}, {count})", node
        )[0]
        call.value.args[0] = test  # type: ignore[attr-defined]
        return [*accessors, body, orelse, call]

    def visit_While(self, node: ast.While) -> Any:
        """``while`` becomes ``ag__.while_stmt``."""
        symbols, mine = self._loop_state(node)
        options = _options(node)
        k, accessors = self._accessors(symbols, node)
        test = ast.copy_location(ast.Return(self.visit(node.test)), node.test)
        test_function = self._function(f"ag_test_{k}", "", mine, [test], node)
        body = self._function(f"ag_body_{k}", "", mine, self.block(node.body), node)
        call = parsed(
            f"ag__.while_stmt(ag_test_{k}, ag_body_{k}, ag_get_{k}, ag_set_{k}, {tuple(symbols)!r}, "
            f"{getattr(node, 'returns', False)}, None)", node
        )[0]  # fmt: skip
        call.value.args[-1] = options  # type: ignore[attr-defined]
        return [*accessors, test_function, body, call]

    def visit_For(self, node: ast.For) -> Any:
        """``for`` becomes ``ag__.for_stmt``."""
        symbols, mine = self._loop_state(node)
        options = _options(node)
        k, accessors = self._accessors(symbols, node)
        take = ast.copy_location(ast.Assign([node.target], ast.Name(f"ag_item_{k}", ast.Load())), node.target)
        body = self._function(f"ag_body_{k}", f"ag_item_{k}", mine, [take, *self.block(node.body)], node)
        stops = getattr(node, "stops", None)
        going = f"lambda: ag__.not_({stops})" if stops else "None"
        call = parsed(
            f"ag__.for_stmt(None, {going}, ag_body_{k}, ag_get_{k}, ag_set_{k}, {tuple(symbols)!r}, "
            f"{getattr(node, 'returns', False)}, None)", node
        )[0]  # fmt: skip
        call.value.args[0] = self.visit(node.iter)  # type: ignore[attr-defined]
        call.value.args[-1] = options  # type: ignore[attr-defined]
        return [*accessors, body, call]

    def _loop_state(self, node: Any) -> tuple[list[str], list[str]]:
        """The names that a loop carries along, and all that it assigns."""
        block = [*node.body, *([node.target] if isinstance(node, ast.For) else [])]
        mine = written(block)
        needed = [n for n in mine if n in node.needed or n in self.always or n in self.declared]
        return [*needed, *parts_written(node.body)], mine

    def _accessors(self, symbols: list[str], node: ast.AST) -> tuple[int, list[ast.stmt]]:
        """The functions that read and write names, numbered."""
        self.names.count += 1
        k = self.names.count
        names = [s for s in symbols if s.isidentifier()]
        self.state.update(dict.fromkeys(names))
        values = "".join(f"ag__.value_of(lambda: {s}, {s!r}), " for s in symbols)
        text = f"def ag_get_{k}():\n    return ({values})\n"
        text += f"def ag_set_{k}(ag_values):\n    {self._declaration(names)}\n"
        for position, s in enumerate(symbols):
            guard = "" if s.isidentifier() else f"if not ag__.is_undefined(ag_values[{position}]): "
            text += f"    {guard}{s} = ag_values[{position}]\n"
        return k, parsed(text, node)

    def _declaration(self, names: list[str]) -> str:
        ours = [n for n in names if n not in self.globals]
        theirs = [n for n in names if n in self.globals]
        parts = [f"nonlocal {', '.join(ours)}"] if ours else []
        return "; ".join([*parts, *([f"global {', '.join(theirs)}"] if theirs else [])]) or "pass"

    def _function(
        self, name: str, parameter: str, assigned: list[str], body: list[ast.stmt], node: ast.AST
    ) -> ast.stmt:
        """A function of a part of a statement."""
        self.state.update(dict.fromkeys(assigned))
        made: Any = parsed(f"def {name}({parameter}):\n    {self._declaration(assigned)}", node)[0]
        made.body += [s for s in body if not isinstance(s, (ast.Global, ast.Nonlocal))]
        return made

    # ------------------------------------------------------------------------------------ expressions

    def visit_BoolOp(self, node: ast.BoolOp) -> Any:
        """``and`` and ``or``."""
        word = "and_" if isinstance(node.op, ast.And) else "or_"
        values = [self.visit(v) for v in node.values]
        result = values[-1]
        for value in reversed(values[:-1]):
            result = self._call(word, [_lambda(value), _lambda(result)], node)
        return result

    def visit_Compare(self, node: ast.Compare) -> Any:
        """A chain of comparisons, ``a < b < c``, as ``a < b and b < c``."""
        self.generic_visit(node)
        if len(node.ops) == 1 or not all(isinstance(c, (ast.Name, ast.Constant)) for c in node.comparators[:-1]):
            return node
        terms = [node.left, *node.comparators]
        pairs = [ast.Compare(a, [op], [copy.deepcopy(b)]) for a, op, b in zip(terms, node.ops, terms[1:])]
        pairs = [ast.copy_location(p, node) for p in pairs]
        result: Any = pairs[-1]
        for pair in reversed(pairs[:-1]):
            result = self._call("and_", [_lambda(pair), _lambda(result)], node)
        return result

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:
        """``not``."""
        node.operand = self.visit(node.operand)
        return self._call("not_", [node.operand], node) if isinstance(node.op, ast.Not) else node

    def visit_IfExp(self, node: ast.IfExp) -> Any:
        """``a if c else b``."""
        parts = [self.visit(node.test), _lambda(self.visit(node.body)), _lambda(self.visit(node.orelse))]
        return self._call("if_exp", parts, node)

    def visit_Call(self, node: ast.Call) -> Any:
        """A call: the function called is converted too."""
        alone = isinstance(node.func, ast.Name) and (node.func.id in _LEFT_ALONE or node.func.id == "ag__")
        ours = (
            isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
            and node.func.value.id == "ag__"
        )
        self.generic_visit(node)
        if not (alone or ours):
            node.func = self._call("call", [node.func], node)
        return node

    def visit_Lambda(self, node: ast.Lambda) -> Any:
        """A lambda: its body."""
        node.body = self.visit(node.body)
        node.args.defaults = [self.visit(d) for d in node.args.defaults]
        return node

    def _call(self, name: str, args: list[Any], node: ast.AST) -> ast.Call:
        function = ast.Attribute(ast.Name("ag__", ast.Load()), name, ast.Load())
        return ast.fix_missing_locations(at_start(ast.Call(at_start(function, node), args, []), node))


def _lambda(body: Any) -> ast.Lambda:
    nothing = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
    return ast.copy_location(ast.Lambda(nothing, body), body)


def _options(node: Any) -> ast.expr:
    """``set_loop_options(...)`` at the start of a loop, taken out, as a function that gives its options."""
    for statement in node.body:
        call = statement.value if isinstance(statement, ast.Expr) else None
        if isinstance(call, ast.Call) and ast.unparse(call.func).endswith("set_loop_options"):
            node.body = [s for s in node.body if s is not statement] or [ast.copy_location(ast.Pass(), statement)]
            made = ast.Call(ast.Name("dict", ast.Load()), call.args, call.keywords)
            return ast.fix_missing_locations(ast.copy_location(_lambda(ast.copy_location(made, call)), call))
    return ast.copy_location(ast.Constant(None), node)
