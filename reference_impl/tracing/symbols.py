"""SymbolicTensor, what a tensor is while a function is being traced, and the like for tapes and other objects."""

from __future__ import annotations

import traceback
from typing import Any

from ..errors import InaccessibleTensorError, OperatorNotAllowedInGraphError
from ..forward.forward_mode import ForwardAccumulator
from ..foundation.building import graph_being_built
from ..tapes.recording import only
from ..tapes.tape import GradientTape
from ..tensors.conversion import convert_to_tensor
from ..tensors.shapes import TensorShape
from ..tensors.tensor import EagerTensor

_NOT_ALLOWED = (
    "You can attempt the following resolutions to the problem: If you are running in Graph mode, use Eager execution "
    "mode or decorate this function with @tf.function. If you are using AutoGraph, you can try decorating this "
    "function with @tf.function. If that does not work, then you may be using an unsupported feature or your source "
    "code may not be visible to AutoGraph. See "
    "https://github.com/tensorflow/tensorflow/blob/master/tensorflow/python/autograph/g3doc/reference/"
    "limitations.md#access-to-source-code for more information."
)
_OUT_OF_SCOPE = (
    "{0!r} is out of scope and cannot be used here. Use return values, explicit Python locals or TensorFlow "
    "collections to access it.\nPlease see "
    "https://www.tensorflow.org/guide/function#all_outputs_of_a_tffunction_must_be_return_values for more "
    "information.\n\n{0!r} was defined here:\n{1}"
)


class SymbolicTensor(EagerTensor):
    """A tensor of a function that is being traced: it has a dtype and a (partly known) shape, and no value."""

    __slots__ = ("_dtype", "_graph", "_label", "_slot", "_static", "_where")

    @property
    def shape(self) -> TensorShape:
        """What is known of the shape."""
        return TensorShape(self._static)

    @property
    def dtype(self) -> Any:
        """The element type."""
        return self._dtype

    @property
    def ndim(self) -> int | None:
        """The number of axes, None when unknown."""
        return None if self._static is None else len(self._static)

    @property
    def name(self) -> str:
        """The name of the op that makes it, and which of its outputs it is."""
        return self._label

    @property
    def graph(self) -> Any:
        """The graph that it is in."""
        return self._graph

    @property
    def numpy(self) -> Any:
        """There is no value: AttributeError."""
        raise AttributeError("'SymbolicTensor' object has no attribute 'numpy'")

    @property
    def device(self) -> str:
        """Not decided yet."""
        return ""

    def set_shape(self, shape: Any) -> None:
        """Add to what is known of the shape.  ValueError when it is not compatible."""
        try:
            self._static = tuple_of(self.shape.merge_with(TensorShape(shape)))
        except ValueError:
            if self._graph.root.invented:  # what is known may follow from an invented shape
                self._static = tuple_of(TensorShape(shape))
                self._graph.take_at_its_word(self)
                return
            raise ValueError(_unequal(self._static or (), tuple_of(TensorShape(shape)) or ())) from None
        if self._graph.root.invented:
            self._graph.take_at_its_word(self)

    def _dense_(self, want: Any = None) -> Any:
        if graph_being_built() is None or self._graph.finished:
            raise out_of_scope(self)
        if want is not None and want is not self._dtype:
            raise ValueError(
                f"Tensor conversion requested dtype {want.name} for Tensor with dtype {self._dtype.name}: {self!r}"
            )
        return self

    def __getattr__(self, name: str) -> Any:
        if name in ("_a", "_n"):
            raise out_of_scope(self)
        raise AttributeError(f"'SymbolicTensor' object has no attribute '{name}'")

    def __repr__(self) -> str:
        return f"<tf.Tensor '{self._label}' shape={self.shape} dtype={self._dtype.name}>"

    def __str__(self) -> str:
        shape = "" if self._static is None else f", shape={self.shape}"
        return f'Tensor("{self._label}"{shape}, dtype={self._dtype.name})'

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def __bool__(self) -> bool:
        raise OperatorNotAllowedInGraphError(
            f"Using a symbolic `tf.Tensor` as a Python `bool` is not allowed. {_NOT_ALLOWED}"
        )

    def __iter__(self) -> Any:
        raise OperatorNotAllowedInGraphError(f"Iterating over a symbolic `tf.Tensor` is not allowed. {_NOT_ALLOWED}")

    def __len__(self) -> int:
        raise TypeError(
            f"len is not well defined for a symbolic Tensor ({self._label}). Please call `x.shape` rather than "
            "`len(x)` for shape information."
        )

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        raise NotImplementedError(
            f"Cannot convert a symbolic tf.Tensor ({self._label}) to a numpy array. This error may indicate that "
            "you're trying to pass a Tensor to a NumPy call, which is not supported."
        )

    def __float__(self) -> float:
        raise TypeError("float() argument must be a string or a real number, not 'SymbolicTensor'")

    def __int__(self) -> int:
        raise TypeError("int() argument must be a string, a bytes-like object or a real number, not 'SymbolicTensor'")

    def __complex__(self) -> complex:
        raise TypeError("complex() first argument must be a string or a number, not 'SymbolicTensor'")

    def __index__(self) -> int:
        raise TypeError("'SymbolicTensor' object cannot be interpreted as an integer")

    __hash__ = EagerTensor.__hash__


def _operator(function: Any, label: str) -> Any:
    def call(self: Any, *args: Any) -> Any:
        graph = graph_being_built()
        return function(self, *args) if graph is None else graph.call(function, (self, *args), {}, label)

    return call


_BINARY = ["add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor"]
_OTHERS = {
    "lt": "Less", "le": "LessEqual", "gt": "Greater", "ge": "GreaterEqual", "eq": "Equal", "ne": "NotEqual",
    "neg": "Neg", "abs": "Abs", "invert": "LogicalNot", "getitem": "strided_slice",
}  # fmt: skip
for _name, _label in (*((n, n) for n in _BINARY), *((f"r{n}", n) for n in _BINARY), *_OTHERS.items()):
    setattr(SymbolicTensor, f"__{_name}__", _operator(getattr(EagerTensor, f"__{_name}__"), _label))


def _unequal(mine: tuple, other: tuple) -> str:
    if len(mine) != len(other):
        return f"Shapes must be equal rank, but are {len(mine)} and {len(other)}"
    k = next(k for k, (a, b) in enumerate(zip(mine, other)) if None not in (a, b) and a != b)
    shapes = " and ".join("[" + ",".join("?" if d is None else str(d) for d in s) + "]" for s in (mine, other))
    return f"Dimension {k} in both shapes must be equal, but are {mine[k]} and {other[k]}. Shapes are {shapes}."


def tuple_of(shape: TensorShape) -> tuple | None:
    """A shape as a tuple, None for an unknown rank."""
    return None if shape.rank is None else tuple(shape.as_list())


def out_of_scope(symbol: Any) -> TypeError:
    """TensorFlow's error for a tensor of a function that is used outside of it."""
    where = "".join(traceback.format_list([(*symbol._where, None)])) if isinstance(symbol, SymbolicTensor) else ""
    return TypeError(_OUT_OF_SCOPE.format(symbol, where))


def out_of_branch(symbol: Any, graph: Any) -> InaccessibleTensorError:
    """TensorFlow's error for a tensor of a branch or of a loop's body that another graph uses."""
    here, there = (f"FuncGraph(name={g.name}, id={id(g)})" for g in (graph, symbol._graph))
    text = f"cannot be accessed from {here}, because it was defined in {there}, which is out of scope."
    return InaccessibleTensorError(f"The tensor {symbol!r} {text}")


class GraphObject:
    """An object of a function that is being traced, other than a tensor; its methods go into the graph."""

    _graph: Any
    _slot: int

    def __init__(self, *_args: Any, **_kwargs: Any):
        pass  # a class that is called in a trace initialises what the graph returned once more


def _method(function: Any) -> Any:
    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        graph = graph_being_built()
        if graph is None:
            raise TypeError(f"a {type(self).__name__} cannot be used outside the function in which it was made")
        return graph.call(function, (self, *args), kwargs)

    return call


def _entered(kind: type) -> tuple[Any, Any]:
    """``__enter__`` and ``__exit__`` of a context manager in a graph."""
    enter, leave = _method(kind.__enter__), _method(kind.__exit__)  # type: ignore[attr-defined]

    def on_enter(self: Any) -> Any:
        entered = enter(self)
        return self if isinstance(entered, GraphObject) else entered

    return on_enter, lambda self, *_error: leave(self, None, None, None)


class GraphTape(GraphObject, GradientTape):
    """A GradientTape of a function that is being traced."""

    __enter__, __exit__ = _entered(GradientTape)
    watch = _method(GradientTape.watch)
    reset = _method(GradientTape.reset)
    stop_recording = _method(GradientTape.stop_recording)
    watched_variables = _method(GradientTape.watched_variables)
    gradient = _method(GradientTape.gradient)
    _batch_jacobian = _method(GradientTape.batch_jacobian)
    _jacobian = _method(GradientTape.jacobian)

    def __del__(self) -> None:
        pass

    def jacobian(self, target: Any, sources: Any, *args: Any, **options: Any) -> Any:
        """See GradientTape.jacobian; in a graph also a tape that is not persistent can go row by row."""
        options["experimental_use_pfor"] = True
        return self._jacobian(target, sources, *args[:2], **options)

    def batch_jacobian(self, target: Any, source: Any, *args: Any, **options: Any) -> Any:
        """See GradientTape.batch_jacobian; both ranks must be known."""
        if target.shape.rank is None or source.shape.rank is None:
            raise ValueError(
                f"Need first dimension of target shape ({target.shape}) and source shape ({source.shape}) to match."
            )
        options["experimental_use_pfor"] = True
        return self._batch_jacobian(target, source, *args[:2], **options)


class GraphAccumulator(GraphObject, ForwardAccumulator):
    """A ForwardAccumulator of a function that is being traced."""

    __enter__, __exit__ = _entered(ForwardAccumulator)
    jvp = _method(ForwardAccumulator.jvp)

    def __del__(self) -> None:
        pass


class GraphContext(GraphObject):
    """A context manager of a function that is being traced."""


def object_kind(value: Any) -> type | None:
    """The class that stands for an object in a graph, None for what is passed on as it is."""
    import contextlib

    if isinstance(value, GradientTape):
        return GraphTape
    if isinstance(value, ForwardAccumulator):
        return GraphAccumulator
    if isinstance(value, (only, contextlib._GeneratorContextManager)):
        return _context_kind(type(value))
    special = getattr(type(value), "_in_graph_", None)
    return None if special is None else special()


_CONTEXTS: dict[type, type] = {}


def _context_kind(kind: type) -> type:
    if kind not in _CONTEXTS:
        enter, leave = _entered(kind)
        _CONTEXTS[kind] = type("GraphContext", (GraphContext,), {"__enter__": enter, "__exit__": leave})
    return _CONTEXTS[kind]


__all__ = ["GraphObject", "GraphTape", "SymbolicTensor", "convert_to_tensor", "object_kind", "out_of_scope"]
