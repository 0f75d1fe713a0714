"""KerasTensor, a tensor that has a shape and no value, and the graph of calls of layers and operations behind it.

    x = tf.keras.Input((4,))
    y = tf.keras.layers.Dense(2)(x)     # a KerasTensor of shape (None, 2)
    y._keras_history.operation          # the layer

Each call leaves a `Node` with its operation; functional.py makes models of what stands between two KerasTensors.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from .. import nest
from ..surroundings.scopes import init_scope
from .naming import auto_name
from .policy import standardize_dtype


class History(NamedTuple):
    """Which call of which operation made a KerasTensor, and which of its outputs it is."""

    operation: Any
    node_index: int
    tensor_index: int


_AS_ARGUMENT = (
    "A KerasTensor cannot be used as input to a TensorFlow function. A KerasTensor is a symbolic placeholder for a "
    "shape and dtype, used when constructing Keras Functional models or Keras Functions. You can only use it as input "
    "to a Keras layer or a Keras operation (from the namespaces `keras.layers` and `keras.ops`). You are likely doing "
    "something like:\n\n```\nx = Input(...)\n...\ntf_fn(x)  # Invalid.\n```\n\nWhat you should do instead is wrap "
    "`tf_fn` in a layer:\n\n```\nclass MyLayer(Layer):\n    def call(self, x):\n        return tf_fn(x)\n\nx = "
    "MyLayer()(x)\n```\n"
)


class KerasTensor:
    """``KerasTensor(shape, dtype="float32", name=None)``: layers and ``keras.ops`` take it, TensorFlow's ops do not."""

    _keras_history: History
    __array_priority__ = 200
    _keras_mask: Any = None  # a KerasTensor, when it has a mask

    def __init__(
        self, shape: Any, dtype: Any = "float32", sparse: bool = False, ragged: bool = False,
        record_history: bool = True, name: str | None = None,
    ):  # fmt: skip
        self.shape, self.dtype = tuple(shape), standardize_dtype(dtype)
        self.sparse, self.ragged, self.record_history = sparse, ragged, record_history
        self.name = name or auto_name("KerasTensor")

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    def __repr__(self) -> str:
        return (
            f"<KerasTensor shape={self.shape}, dtype={self.dtype}, sparse={self.sparse}, ragged={self.ragged}, "
            f"name={self.name}>"
        )

    def _dense_(self, want: Any = None) -> Any:
        raise ValueError(_AS_ARGUMENT)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        raise ValueError(
            "A KerasTensor is symbolic: it's a placeholder for a shape an a dtype. It doesn't have any actual "
            "numerical value. You cannot convert it to a NumPy array."
        )

    def __iter__(self) -> Any:
        raise NotImplementedError("Iterating over a symbolic KerasTensor is not supported.")

    def __bool__(self) -> bool:
        raise TypeError("A symbolic KerasTensor cannot be used as a boolean.")

    def __float__(self) -> float:
        raise ValueError(
            "A KerasTensor is symbolic: it's a placeholder for a shape an a dtype. It doesn't have any actual "
            "numerical value. You cannot convert it to a float."
        )

    def __int__(self) -> int:
        raise ValueError(
            "A KerasTensor is symbolic: it's a placeholder for a shape an a dtype. It doesn't have any actual "
            "numerical value. You cannot convert it to an int."
        )


def _operator(name: str, turned: bool) -> Any:
    def operate(self: KerasTensor, *others: Any) -> Any:
        from . import ops

        return getattr(ops, name)(*reversed(others), self) if turned else getattr(ops, name)(self, *others)

    return operate


_OPERATORS = {
    "add": "add", "sub": "subtract", "mul": "multiply", "truediv": "true_divide", "floordiv": "floor_divide",
    "mod": "mod", "pow": "power", "matmul": "matmul", "and": "logical_and", "or": "logical_or",
}  # fmt: skip
_ALONE = {
    "neg": "negative", "abs": "absolute", "invert": "logical_not", "getitem": "get_item", "lt": "less",
    "le": "less_equal", "gt": "greater", "ge": "greater_equal", "ne": "not_equal",
}  # fmt: skip
for _python, _name in _OPERATORS.items():
    setattr(KerasTensor, f"__{_python}__", _operator(_name, turned=False))
    setattr(KerasTensor, f"__r{_python}__", _operator(_name, turned=True))
for _python, _name in _ALONE.items():
    setattr(KerasTensor, f"__{_python}__", _operator(_name, turned=False))


class Node:
    """One call of an operation: its arguments, some of them KerasTensors, and its outputs."""

    def __init__(self, operation: Any, args: tuple, kwargs: dict[str, Any], outputs: Any):
        self.operation, self.args, self.kwargs = operation, args, kwargs
        self.outputs = self.output_tensors = nest.flatten(outputs)
        for x in self.outputs:
            if not isinstance(x, KerasTensor):
                raise ValueError(
                    f"All operation outputs must be tensors. Operation {operation} returned a non-tensor. Non-tensor "
                    f"received: {x}"
                )
        self.input_tensors = symbols_in(args, kwargs)
        self.is_input = not self.input_tensors
        nodes_of(operation).append(self)
        for k, tensor in enumerate(self.outputs):
            tensor._keras_history = History(operation, len(nodes_of(operation)) - 1, k)

    @property
    def parent_nodes(self) -> list[Node]:
        """The calls that made what goes in."""
        histories = [x._keras_history for x in self.input_tensors if hasattr(x, "_keras_history")]
        return [nodes_of(h.operation)[h.node_index] for h in histories]

    def filled_in(self, values: dict[int, Any]) -> tuple[tuple, dict[str, Any]]:
        """The arguments, with values in the places of KerasTensors."""
        return replaced((self.args, self.kwargs), lambda x: values.get(id(x), x))

    def __repr__(self) -> str:
        return f"<Node operation={self.operation.name}, id={id(self)}>"


def nodes_of(operation: Any) -> list[Node]:
    """The calls of a layer or operation with KerasTensors."""
    found = operation.__dict__.get("_inbound_nodes")
    if found is None:
        found = []
        object.__setattr__(operation, "_inbound_nodes", found)
    return found


def symbols_in(*values: Any) -> list[KerasTensor]:
    """The KerasTensors in nests."""
    return [x for x in nest.flatten(values) if isinstance(x, KerasTensor)]


def replaced(value: Any, function: Any) -> Any:
    """A nest with ``function`` applied to its KerasTensors."""
    from .calling import mapped

    return mapped(value, lambda x: function(x) if isinstance(x, KerasTensor) else x)


def outputs_of(function: Any, args: tuple, kwargs: dict[str, Any]) -> Any:
    """KerasTensors like what a function of KerasTensors returns; found by tracing it, so nothing is changed."""
    from ..tracing import TensorSpec
    from ..tracing import function as traced
    from ..tracing.symbols import SymbolicTensor
    from .calling import mapped

    given = list({id(x): x for x in symbols_in(args, kwargs)}.values())

    def of_tensors(*tensors: Any) -> Any:
        values = {id(x): tensor for x, tensor in zip(given, tensors)}
        new_args, new_kwargs = replaced((args, kwargs), lambda x: values[id(x)])
        return function(*new_args, **new_kwargs)

    specs = [TensorSpec(x.shape, x.dtype) for x in given]
    with init_scope():
        returned = traced(of_tensors, autograph=False).get_concrete_function(*specs).structured_outputs
    return mapped(returned, lambda y: KerasTensor(tuple(y.shape), y.dtype.name) if isinstance(y, SymbolicTensor) else y)


def attribute_of(operation: Any, attribute: str, name: str) -> Any:
    """What went into, or came out of, the first call of an operation.  AttributeError before there was one."""
    nodes = nodes_of(operation)
    if not nodes:
        raise AttributeError(f"The layer {operation.name} has never been called and thus has no defined {name}.")
    values = getattr(nodes[0], attribute)
    return values[0] if len(values) == 1 else values


class Operation:
    """A function of ``keras.ops`` in a graph: ``call`` is the function."""

    def __init__(self, call: Any, name: str | None = None):
        self.name, self.call = name or auto_name(type(self).__name__), call

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if not symbols_in(args, kwargs):
            return self.call(*args, **kwargs)
        outputs = outputs_of(self.call, args, kwargs)
        Node(self, args, kwargs, outputs)
        return outputs

    @property
    def input(self) -> Any:
        """The KerasTensors of its first call."""
        return attribute_of(self, "input_tensors", "input")

    @property
    def output(self) -> Any:
        """What came out of its first call."""
        return attribute_of(self, "output_tensors", "output")

    def __repr__(self) -> str:
        return f"<Operation name={self.name}>"
