"""Operands and calls as Python expressions.

A `Speller` knows the names of the steps of each scope and of the parameters of each function around; functions among
the operands are spelled as definitions that stand before the statement using them (`take_definitions`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from adapters import language as lang
from conformance.scripting.arrays import number_text, numpy_text
from conformance.scripting.names import Names

_INFIX = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**", "matmul": "@",
    "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!=", "and_": "&", "or_": "|", "xor": "^",
}  # fmt: skip
_PREFIX = {"neg": "-", "pos": "+", "invert": "~"}


@dataclass(slots=True)
class Scope:
    """Names of the steps of one scope (and of what steps in a thread made), and of its function's parameters."""

    names: list[str]
    steps: tuple[lang.Step, ...]
    parameters: list[str] | None = None
    inner: dict[int, list[str]] = field(default_factory=dict)  # of the steps inside a thread, by the thread's step


@dataclass(slots=True)
class Speller:
    """Spells operands where it stands: `scopes` from the outermost in."""

    names: Names
    scopes: list[Scope]
    body: Callable[[Speller, lang.Function, str], list[str]]
    definitions: list[str] = field(default_factory=list)
    modules: set[str] = field(default_factory=set)

    def take_definitions(self) -> list[str]:
        """The lines of functions that the expressions spelled since the last call need."""
        found, self.definitions = self.definitions, []
        return found

    def operand(self, operand: lang.Operand) -> str:
        """An operand as an expression."""
        match operand:
            case lang.Ref():
                return self._ref(operand)
            case lang.Param(index, up):
                around = [scope.parameters for scope in reversed(self.scopes) if scope.parameters is not None]
                return around[up][index]
            case lang.Py(value):
                return self._python(value)
            case lang.NumPy(array):
                self.modules |= {"numpy", *_special(array)}
                return numpy_text(array)
            case lang.DTypeName(name):
                return f"tf.{name}"
            case lang.Items():
                return self._items(operand)
            case lang.Slice():
                return f"slice({', '.join(self.operand(part) for part in (operand.start, operand.stop, operand.step))})"
            case lang.Marker(name):
                return {"ellipsis": "...", "newaxis": "tf.newaxis", "object": "object()"}.get(name, f"tf.{name}")
            case lang.Function():
                name = self.names.fresh(("function",))
                self.definitions += self.body(self, operand, name)
                return name
        raise TypeError(f"{operand!r} is no operand")

    def _ref(self, ref: lang.Ref) -> str:
        scope = self.scopes[-1 - ref.up]
        name = scope.names[ref.step]
        if ref.part is None:
            return name
        if ref.step in scope.inner:
            return scope.inner[ref.step][ref.part]
        made = scope.steps[ref.step]
        sources = getattr(made, "sources", None)
        if isinstance(sources, lang.Items) and sources.kind == "dict":
            return f"{name}[{sources.keys[ref.part]!r}]"
        return f"{name}[{ref.part}]"

    def _python(self, value: Any) -> str:
        if isinstance(value, (float, complex)):
            text = number_text(value)
            self.modules |= {word for word in ("nan", "inf") if word in text}
            return f"({text})" if isinstance(value, complex) and not text.startswith("(") else text
        return repr(value)

    def _items(self, nest: lang.Items) -> str:
        texts = [self.operand(item) for item in nest.items]
        joined = ", ".join(texts)
        match nest.kind:
            case "tuple":
                return f"({joined}{',' if len(texts) == 1 else ''})"
            case "dict":
                return "{" + ", ".join(f"{key!r}: {text}" for key, text in zip(nest.keys, texts)) + "}"
            case "set":
                return "{" + joined + "}" if texts else "set()"
            case "generator":
                return f"(item for item in [{joined}])"
        return f"[{joined}]"

    # ---------------------------------------------------------------- calls

    def call(self, step: lang.Call) -> str:
        """A call of a public function, an operator, a method, an attribute, or a function of Python or NumPy."""
        prefix, _, name = step.op.partition(".")
        args = [self.operand(one) for one in step.args]
        named = [f"{key}={self.operand(value)}" for key, value in step.kwargs]
        match prefix:
            case "operator":
                return self._operator(name, step.args, args)
            case "method":
                return f"{_atom(args[0])}.{name}({', '.join(args[1:] + named)})"
            case "attribute":
                return f"{_atom(args[0])}.{name}"
            case "numpy":
                self.modules.add("numpy")
                return f"np.{name}({', '.join(args + named)})"
            case "python":
                return self._builtin(name, args, named)
        return f"tf.{step.op}({', '.join(args + named)})"

    def _builtin(self, name: str, args: list[str], named: list[str]) -> str:
        if name in ("copy", "deepcopy"):
            self.modules.add("copy")
            return f"copy.{name}({', '.join(args + named)})"
        if name == "type_name":
            return f"type({args[0]}).__name__"
        if name == "raise":
            return f"raise {args[0].strip(chr(39))}({', '.join(args[1:])})"
        return f"{name}({', '.join(args + named)})"

    def _operator(self, name: str, operands: tuple[lang.Operand, ...], args: list[str]) -> str:
        if name in _INFIX and len(args) == 2:
            return f"{_atom(args[0])} {_INFIX[name]} {_atom(args[1])}"
        if name in _PREFIX and len(args) == 1:
            return f"{_PREFIX[name]}{_atom(args[0])}"
        if name == "abs":
            return f"abs({args[0]})"
        if name == "getitem":
            return f"{_atom(args[0])}[{self._index(operands[1])}]"
        self.modules.add("operator")
        return f"operator.{name}({', '.join(args)})"

    def _index(self, operand: lang.Operand) -> str:
        match operand:
            case lang.Items("tuple", items) if items:
                return ", ".join(self._index(item) for item in items) + ("," if len(items) == 1 else "")
            case lang.Slice():
                start, stop, step = ("" if part == lang.Py(None) else self.operand(part) for part in _parts(operand))
                return f"{start}:{stop}" + (f":{step}" if step else "")
        return self.operand(operand)


def _parts(piece: lang.Slice) -> tuple[lang.Operand, lang.Operand, lang.Operand]:
    return piece.start, piece.stop, piece.step


def _atom(text: str) -> str:
    """An expression as an operand of another: in brackets where it starts with a sign."""
    return f"({text})" if text.startswith("-") else text


def _special(array: lang.Array) -> set[str]:
    """The names from `math` that an array's text uses."""
    texts = [number_text(value, array.dtype) for value in array.values if isinstance(value, (float, complex))]
    return {word for word in ("nan", "inf") if any(word in text for text in texts)}


special_names = _special
