"""A gradient tape in about a hundred lines, shaped like `tensorflow`, to try the suite on.

    tapecheck run examples.tiny_tape

It makes three mistakes that are natural in a first tape. The report finds each, names the rule and shows the smallest
program: docs/validate-your-tape.md walks through it. What it does not claim in `CAPABILITIES` is unsupported, which is
not wrong.
"""

from __future__ import annotations

import itertools
from types import SimpleNamespace
from typing import Any

import numpy as np

__version__ = "0.1"
_ids = itertools.count()
_tapes: list[GradientTape] = []


class Tensor:
    """A dense float tensor."""

    __array_priority__ = 100

    def __init__(self, value: Any) -> None:
        self._value = np.asarray(value)
        self._id = next(_ids)

    def numpy(self) -> Any:
        return self._value.copy()

    @property
    def dtype(self) -> np.dtype[Any]:
        return self._value.dtype

    @property
    def shape(self) -> tuple[int, ...]:
        return self._value.shape

    def __add__(self, other: Any) -> Tensor:
        return add(self, other)

    def __sub__(self, other: Any) -> Tensor:
        return subtract(self, other)

    def __mul__(self, other: Any) -> Tensor:
        return multiply(self, other)

    __radd__, __rmul__ = __add__, __mul__

    def __rsub__(self, other: Any) -> Tensor:
        return subtract(other, self)

    def __neg__(self) -> Tensor:
        return negative(self)


def constant(value: Any, dtype: Any = None) -> Tensor:
    return value if isinstance(value, Tensor) else Tensor(np.asarray(value, dtype))


def _op(forward: Any, *gradients: Any) -> Any:
    """An op: its forward on arrays, and for each operand the gradient as a function of (dy, y, operands ...)."""

    def op(*operands: Any) -> Tensor:
        tensors = [constant(x, np.float32) for x in operands]
        values = [t._value for t in tensors]
        y = Tensor(forward(*values))
        for tape in _tapes:
            tape._record(y, tensors, values, gradients)
        return y

    return op


def _fit(gradient: Any, like: Any) -> Any:
    """Sum a gradient over the axes that broadcasting added or stretched."""
    extra = gradient.ndim - like.ndim  # mistake 1: an axis of size 1 that was stretched is not summed
    return gradient.sum(axis=tuple(range(extra))) if extra else gradient


add = _op(np.add, lambda dy, y, a, b: dy, lambda dy, y, a, b: dy)
subtract = _op(np.subtract, lambda dy, y, a, b: dy, lambda dy, y, a, b: -dy)
multiply = _op(np.multiply, lambda dy, y, a, b: dy * b, lambda dy, y, a, b: dy * a)
negative = _op(np.negative, lambda dy, y, a: -dy)
sin = _op(np.sin, lambda dy, y, a: dy * np.cos(a))
exp = _op(np.exp, lambda dy, y, a: dy * y)
math = SimpleNamespace(add=add, subtract=subtract, multiply=multiply, negative=negative, sin=sin, exp=exp)
CAPABILITIES = {
    "ops": [f"math.{name}" for name in vars(math)] + ["operator.add", "operator.sub", "operator.mul", "operator.neg"],
    "features": ["nests", "open_tapes"],
    "dtypes": ["float32"],
    "errors": "raised",  # that something is refused, whatever the class and the message
    "warnings": False,
}


def _map(function: Any, nest: Any) -> Any:
    """The same nest of lists, tuples and dicts with the function applied to its leaves."""
    if isinstance(nest, dict):
        return {key: _map(function, part) for key, part in nest.items()}
    if isinstance(nest, (list, tuple)):
        return type(nest)(_map(function, part) for part in nest)
    return function(nest)


class GradientTape:
    def __init__(self, persistent: bool = False, watch_accessed_variables: bool = True) -> None:
        self._records: list[Any] = []
        self._watched: set[int] = set()

    def __enter__(self) -> GradientTape:
        _tapes.append(self)
        return self

    def __exit__(self, *error: Any) -> None:
        if self in _tapes:
            _tapes.remove(self)

    def watch(self, tensor: Any) -> None:
        _map(lambda t: self._watched.add(t._id), tensor)

    def _record(self, y: Tensor, tensors: list[Tensor], values: list[Any], gradients: Any) -> None:
        if any(t._id in self._watched for t in tensors):
            self._watched.add(y._id)
            self._records.append((y, tensors, values, gradients))

    def gradient(self, target: Any, sources: Any) -> Any:  # mistake 2: a second call is answered
        grads: dict[int, Any] = {}
        _map(lambda t: self._add(grads, t, np.ones_like(t._value)), target)
        for y, tensors, values, gradients in reversed(self._records):
            if y._id in grads:
                for t, value, gradient in zip(tensors, values, gradients):
                    if t._id in self._watched:
                        self._add(grads, t, _fit(gradient(grads[y._id], y._value, *values), value))
        return _map(lambda source: self._found(grads, source), sources)

    def _add(self, grads: dict[int, Any], t: Tensor, part: Any) -> None:
        grads[t._id] = grads[t._id] + part if t._id in grads else part

    def _found(self, grads: dict[int, Any], source: Tensor) -> Tensor:
        return Tensor(grads.get(source._id, np.zeros_like(source._value)))  # mistake 3: zeros where None is due
