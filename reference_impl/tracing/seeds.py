"""Upstream gradients as the gradient of a traced function takes them: one for each output that has gradients.

Outside a graph they go into a function of TensorFlow's own, which takes Tensors of the dtypes of the outputs alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import is_trainable, kernel_name
from ..errors import InvalidArgumentError
from ..foundation.building import makes_a_graph
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor, wrap
from ..tensors.variable import ResourceVariable

_FOREIGN = (bool, int, float, complex, np.ndarray, np.generic, ResourceVariable)  # what users' functions return


def trainable(t: EagerTensor) -> bool:
    """True when gradients by a tensor are possible."""
    return is_trainable(t._a.dtype)


def zeros_like(x: EagerTensor) -> EagerTensor:
    """Zeros of the shape and dtype of a tensor, or of the value of a variable's handle."""
    a = getattr(x._a, "value", x._a) if x._a.dtype.names else x._a
    return wrap(np.zeros(a.shape, a.dtype)[()])


def seeds_of(upstream: list, outputs: list, name: str, seen: bool = False) -> list:
    """Upstream gradients of the trainable outputs of a function; zeros for those that received none.

    ``seen``: a tape or an accumulator sees what the gradient does.  TypeError, AttributeError or InvalidArgumentError
    for what does not fit.
    """
    pairs = [(dy, y) for dy, y in zip(upstream, outputs) if trainable(y)]
    seeds = [zeros_like(y) if dy is None else dy for dy, y in pairs]
    inside = makes_a_graph()
    for k, dy in enumerate(seeds):
        if isinstance(dy, _FOREIGN):
            if not (inside or seen):
                kind = f"numpy.{type(dy).__name__}" if isinstance(dy, (np.ndarray, np.generic)) else type(dy).__name__
                text = "provided list of inputs contains objects other than 'EagerTensor'."
                raise TypeError(f"{text} Item {k} is type: {kind}")
            _check_attributes(dy, inside)
            seeds[k] = convert_to_tensor(dy)
    for k, (dy, (_, y)) in enumerate(zip(seeds, pairs)):
        if type(dy) is EagerTensor and dy._a.dtype != y._a.dtype:
            _refuse(k, kernel_name(y._a.dtype), kernel_name(dy._a.dtype), name, seen)
    return seeds


def _check_attributes(dy: Any, inside: bool) -> None:
    """AttributeError for what has no dtype of TensorFlow's, which a graph that is being made does not ask of arrays."""
    array = isinstance(dy, (np.ndarray, np.generic))
    if array and not inside:
        kind = type(dy.dtype)
        raise AttributeError(f"'{kind.__module__}.{kind.__name__}' object has no attribute '_type_enum'")
    if not array and not (inside and isinstance(dy, ResourceVariable)):
        raise AttributeError(f"'{type(dy).__name__}' object has no attribute 'dtype'")


def _refuse(k: int, want: str, got: str, name: str, seen: bool) -> None:
    """InvalidArgumentError for upstream ``k``, of another dtype than its output; graph_errors.py has it in a graph."""
    name = f"__forward___backward_{name}" if seen else f"__inference___backward_{name}"
    text = f"cannot compute {name} as input #{k}(zero-based) was expected to be a {want} tensor but is a {got} tensor"
    raise InvalidArgumentError(None, None, f"{text} [Op:{name}]")
