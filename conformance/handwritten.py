"""Write a program by hand, in the words one would use with TensorFlow.

    tf = Script()
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * x
    t.gradient(y, x)
    program = tf.program()

Nothing is computed: every call adds a step and returns a node that stands for what the step will make. Operators on
nodes become steps too, `tf.math.sin(x)` is a call of `math.sin`, and a Python function given as an operand is traced
once into a `Function`. What Python cannot spell (entering twice, leaving by an exception, another thread) has a method
here: `enter`, `leave`, `in_thread`, `same`, `alive_after_delete`, `read_again`, `attribute`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from adapters import language as lang

DTYPES = frozenset(
    (
        "float16", "bfloat16", "float32", "float64", "complex64", "complex128", "int8", "int16", "int32", "int64",
        "uint8", "uint16", "uint32", "uint64", "bool", "string",
    )
)  # fmt: skip
_INFERRED = {"f": "float32", "i": "int32", "b": "bool", "c": "complex128", "U": "string"}
_OPERATORS = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor")
_COMPARISONS = ("lt", "le", "gt", "ge")


def array_of(value: Any, dtype: str | None = None) -> lang.Array:
    """The exact `Array` of nested Python numbers: float32, int32, bool, complex128 or string unless `dtype` says."""
    raw = np.asarray(value)
    if raw.size == 0 and dtype is None:
        raw = raw.astype(np.float32)
    name = dtype or _INFERRED[raw.dtype.kind]
    values = raw.reshape(-1).tolist()
    if name in ("float16", "float32", "complex64"):
        values = np.asarray(values, name).tolist()
    elif name in ("bfloat16", "float64"):
        values = [float(v) for v in values]
    return lang.Array(name, raw.shape, tuple(values))


@dataclass(eq=False)
class Scope:
    """A list of steps under construction: the program's own, a function's body, or a thread's."""

    parent: Scope | None = None
    steps: list[Any] = field(default_factory=list)
    is_function: bool = True
    as_step: int | None = None  # where a finished thread's steps stand in the parent


class Script:
    """A program being written; see the module docstring. Unknown attributes are TensorFlow's dotted paths."""

    def __init__(self) -> None:
        self._scope = Scope()

    def program(self) -> lang.Program:
        """What has been written so far."""
        return lang.Program(tuple(self._scope.steps))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return lang.DTypeName(name) if name in DTYPES else Path(self, name)

    # -------------------------------------------------------- values

    def constant(self, value: Any, dtype: str | None = None) -> Node:
        """`tf.constant` of Python numbers; of nodes, a call of the function."""
        if _mentions_node(value):
            return self.call("constant", value)
        return self._add(lang.Constant(array_of(value, dtype)))

    def numpy(self, value: Any, dtype: str | None = None) -> lang.NumPy:
        """An operand: a NumPy array, or a NumPy scalar for shape ()."""
        return lang.NumPy(array_of(value, dtype))

    def Variable(self, value: Any, trainable: bool = True, dtype: str | None = None) -> Node:
        initial = lang.NumPy(array_of(value, dtype)) if dtype else self._operand(value)
        return self._add(lang.MakeVariable(initial, trainable))

    def IndexedSlices(self, values: Any, indices: Any, dense_shape: Any = None) -> Node:
        return self._add(lang.Slices(self._operand(values), self._operand(indices), self._operand(dense_shape)))

    def ragged(self, values: Any, row_splits: Any) -> Node:
        return self._add(lang.Ragged(self._operand(values), self._operand(row_splits)))

    def call(self, op: str, *args: Any, **kwargs: Any) -> Node:
        """A call by name: `tf.call("operator.eq", v, v)`."""
        operands = tuple(self._operand(a) for a in args)
        return self._add(lang.Call(op, operands, tuple((k, self._operand(v)) for k, v in kwargs.items())))

    def generator(self, *items: Any) -> lang.Items:
        """An operand: a generator of these items."""
        return lang.Items("generator", tuple(self._operand(item) for item in items))

    def attribute(self, value: Any, name: str) -> Node:
        """`value.name`, read and not called."""
        return self.call(f"attribute.{name}", value)

    # -------------------------------------------------------- tapes

    def GradientTape(self, persistent: Any = False, watch_accessed_variables: Any = True) -> TapeNode:
        step = lang.MakeTape(self._operand(persistent), self._operand(watch_accessed_variables))
        return self._add(step, TapeNode)

    def accumulator(self, primals: Any, tangents: Any) -> AccumulatorNode:
        step = lang.MakeAccumulator(self._operand(primals), self._operand(tangents))
        return self._add(step, AccumulatorNode)

    def enter(self, context: Node) -> Node:
        """`context.__enter__()`, which a `with` cannot say when it fails."""
        return self._add(lang.Enter(self._operand(context)))

    def leave(self, context: Node, raising: bool = False) -> Node:
        """`context.__exit__(...)`: normally, or because an exception passes through the block."""
        if isinstance(context, PauseNode):
            return self._add(lang.ResumeRecording(self._operand(context), raising))
        return self._add(lang.Exit(self._operand(context), raising))

    # -------------------------------------------------------- looking, threads

    def same(self, left: Any, right: Any) -> Node:
        return self._add(lang.Same(self._operand(left), self._operand(right)))

    def alive_after_delete(self, value: Node) -> Node:
        return self._add(lang.AliveAfterDelete(value.operand()))

    def read_again(self, value: Any) -> Node:
        return self._add(lang.ReadAgain(self._operand(value)))

    @contextmanager
    def in_thread(self) -> Iterator[None]:
        """Steps written in this block run in another thread; what they make can be used afterwards."""
        outer, inner = self._scope, Scope(self._scope, is_function=False)
        self._scope = inner
        try:
            yield
        finally:
            self._scope = outer
        inner.as_step = self._add(lang.InThread(tuple(inner.steps))).index

    # -------------------------------------------------------- how it is done

    def _add(self, step: Any, kind: type[Node] | None = None) -> Any:
        self._scope.steps.append(step)
        return (kind or Node)(self, self._scope, len(self._scope.steps) - 1)

    def _operand(self, value: Any) -> Any:
        match value:
            case Node():
                return value.operand()
            case Path():
                return lang.Marker(value.name)
            case list() | tuple() | set():
                return lang.Items(type(value).__name__, tuple(self._operand(v) for v in value))
            case dict():
                return lang.Items("dict", tuple(self._operand(v) for v in value.values()), tuple(value))
            case slice():
                return lang.Slice(*(self._operand(v) for v in (value.start, value.stop, value.step)))
            case _ if value is Ellipsis:
                return lang.Marker("ellipsis")
            case lang.NumPy() | lang.DTypeName() | lang.Marker() | lang.Items() | lang.Function():
                return value
            case None | bool() | int() | float() | complex() | str():
                return lang.Py(value)
            case _ if callable(value):
                return self._traced(value)
        raise TypeError(f"a program cannot hold {value!r}")

    def _traced(self, function: Callable[..., Any]) -> lang.Function:
        parameters = inspect.signature(function).parameters.values()
        keyword = next((p.name for p in parameters if p.kind is p.KEYWORD_ONLY), None)
        outer, inner = self._scope, Scope(self._scope)
        self._scope = inner
        try:
            nodes = [ParamNode(self, inner, k) for k in range(len(parameters))]
            positional = nodes[:-1] if keyword else nodes
            returns = self._operand(function(*positional, **({keyword: nodes[-1]} if keyword else {})))
        finally:
            self._scope = outer
        return lang.Function(len(nodes), tuple(inner.steps), returns, keyword)


@dataclass(eq=False, frozen=True)
class Path:
    """A dotted public name: called, a step; as an operand, a marker."""

    script: Script
    name: str

    def __getattr__(self, name: str) -> Path:
        if name.startswith("__"):
            raise AttributeError(name)
        return Path(self.script, f"{self.name}.{name}")

    def __call__(self, *args: Any, **kwargs: Any) -> Node:
        return self.script.call(self.name, *args, **kwargs)


@dataclass(eq=False, frozen=True)
class Node:
    """What a step will make. `node[...]`, arithmetic, `node.method(...)` and `node(...)` are steps themselves."""

    script: Script
    scope: Scope
    index: int
    chosen: int | None = None

    __iter__ = None  # a step says nothing of how many values it makes: use `parts`

    def parts(self, count: int) -> tuple[Node, ...]:
        """The first `count` of the values that the step makes."""
        return tuple(type(self)(self.script, self.scope, self.index, k) for k in range(count))

    def operand(self) -> Any:
        """The reference to this value from where the script is now being written."""
        here: Scope | None = self.script._scope
        scopes = 0
        while here is not None:
            if here is self.scope:
                return lang.Ref(self.index, self.chosen, scopes)
            if here is self.scope.parent and self.scope.as_step is not None:
                return lang.Ref(self.scope.as_step, self.index, scopes)
            here, scopes = here.parent, scopes + 1
        raise ValueError("a value made inside a function is not visible outside it")

    def __call__(self, *args: Any, **kwargs: Any) -> Node:
        operand = self.script._operand
        keywords = tuple((k, operand(v)) for k, v in kwargs.items())
        return self.script._add(lang.Invoke(self.operand(), tuple(operand(a) for a in args), keywords))

    def __getitem__(self, key: Any) -> Node:
        return self.script.call("operator.getitem", self, key)

    def __neg__(self) -> Node:
        return self.script.call("operator.neg", self)

    def __abs__(self) -> Node:
        return self.script.call("operator.abs", self)

    def __invert__(self) -> Node:
        return self.script.call("operator.invert", self)

    def assign(self, value: Any) -> Node:
        return self._assign(value, "assign")

    def assign_add(self, value: Any) -> Node:
        return self._assign(value, "assign_add")

    def assign_sub(self, value: Any) -> Node:
        return self._assign(value, "assign_sub")

    def _assign(self, value: Any, how: str) -> Node:
        return self.script._add(lang.Assign(self.operand(), self.script._operand(value), how))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *args, **kwargs: self.script.call(f"method.{name}", self, *args, **kwargs)


def _binary(name: str, reflected: bool) -> Callable[[Node, Any], Node]:
    def operator(self: Node, other: Any) -> Node:
        left, right = (other, self) if reflected else (self, other)
        return self.script.call(f"operator.{name}", left, right)

    return operator


for _name in _OPERATORS:
    _function = f"{_name}_" if _name in ("and", "or") else _name  # operator.and_: `and` is a keyword
    setattr(Node, f"__{_name}__", _binary(_function, reflected=False))
    setattr(Node, f"__r{_name}__", _binary(_function, reflected=True))
for _name in _COMPARISONS:
    setattr(Node, f"__{_name}__", _binary(_name, reflected=False))


class ParamNode(Node):
    """A parameter of the function being traced."""

    def operand(self) -> Any:
        here: Scope | None = self.script._scope
        functions = 0
        while here is not None and here is not self.scope:
            functions += here.is_function
            here = here.parent
        if here is None:
            raise ValueError("a parameter is not visible outside its function")
        return lang.Param(self.index, functions)


class ContextNode(Node):
    """A node that a `with` statement enters and leaves."""

    def __enter__(self) -> Any:
        self.script.enter(self)
        return self

    def __exit__(self, *error: Any) -> None:
        if error[0] is None:
            self.script.leave(self)


class TapeNode(ContextNode):
    """A tape: its methods are steps."""

    def watch(self, tensor: Any) -> Node:
        return self.script._add(lang.Watch(self.operand(), self.script._operand(tensor)))

    def stop_recording(self) -> PauseNode:
        return self.script._add(lang.StopRecording(self.operand()), PauseNode)

    def reset(self) -> Node:
        return self.script._add(lang.Reset(self.operand()))

    def watched_variables(self) -> Node:
        return self.script._add(lang.WatchedVariables(self.operand()))

    def gradient(self, target: Any, sources: Any, **options: Any) -> Node:
        return self._ask(lang.Gradient, target, sources, options)

    def jacobian(self, target: Any, sources: Any, **options: Any) -> Node:
        return self._ask(lang.Jacobian, target, sources, options)

    def batch_jacobian(self, target: Any, source: Any, **options: Any) -> Node:
        return self._ask(lang.Jacobian, target, source, options, batch=True)

    def _ask(self, step: Any, target: Any, sources: Any, options: dict[str, Any], **more: Any) -> Node:
        operand = self.script._operand
        given = {k: operand(v) for k, v in options.items()}
        return self.script._add(step(self.operand(), operand(target), operand(sources), **given, **more))


class PauseNode(ContextNode):
    """An open `stop_recording` block; the step that made it has entered it already."""

    def __enter__(self) -> Any:
        return self


class AccumulatorNode(ContextNode):
    """A forward accumulator."""

    def jvp(self, primals: Any, **options: Any) -> Node:
        operand = self.script._operand
        return self.script._add(
            lang.Jvp(self.operand(), operand(primals), **{k: operand(v) for k, v in options.items()})
        )


def _mentions_node(value: Any) -> bool:
    match value:
        case list() | tuple():
            return any(_mentions_node(v) for v in value)
        case dict():
            return any(_mentions_node(v) for v in value.values())
    return isinstance(value, Node)


def written(writer: Callable[[Any], None]) -> lang.Program:
    """The program that `writer(tf)` writes."""
    script = Script()
    writer(script)
    return script.program()
