"""Results of Python functions, whose shapes nobody knows while a graph is being built.

They are invented: zeros of the shape of the first input, which is what most such functions return.  Where a program
says of a tensor in such a graph what shape it has, it is taken at its word, and the zeros are made to fit.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..tensors.shapes import TensorShape
from ..tensors.tensor import EagerTensor, wrap
from .steps import Step, filled, leaves_of, slots_in

_MAKERS = ("py_function", "numpy_function")
_SAYING = ("ensure_shape", "reshape", "unstack")


def makes_unknown(function: Any) -> bool:
    """Whether a function's results are invented while a graph is built."""
    return getattr(function, "__name__", "") in _MAKERS


def forget_shapes(symbols: Any) -> None:
    """Let nothing be known of the shapes of what was invented."""
    for symbol in leaves_of(symbols):
        if hasattr(symbol, "_static"):
            symbol._static = None


def resized(tensor: EagerTensor, shape: tuple[int | None, ...]) -> None:
    """Give a tensor of a world zeros of a shape; sizes left open stay what they are, or become 1."""
    old = tensor._a.shape
    own = old if len(old) == len(shape) else (1,) * len(shape)
    sizes = tuple(a if b is None else b for a, b in zip(own, shape))
    if sizes != old:
        tensor._a = np.zeros(sizes, tensor._a.dtype)[()]


def fit(step: Step, env: list) -> None:
    """Make the value of which a step says the shape fit to it, where the shape is known."""
    name = step.name
    if name not in _SAYING or len(step.args) < 2:
        return
    value, said = filled(step.args[0], env), filled(step.args[1], env)
    if type(value) is not EagerTensor:
        return
    if name == "unstack":
        axis = step.kwargs.get("axis", step.args[2] if len(step.args) > 2 else 0)
        shape: Any = list(value._a.shape)
        shape[axis] = said
    else:
        shape = _sizes(said)
    if shape is None:
        return
    if name == "reshape":
        if -1 in shape or math.prod(shape) == value._a.size:
            return
        shape = (math.prod(shape),)
    resized(value, tuple(shape))


def fitting(step: Step, env: list) -> list:
    """``env``, with a value in it that fits to what the step says of its shape."""
    fitted = env.copy()
    for slot in slots_in(step.args[:1]):
        if type(value := env[slot.i]) is EagerTensor:
            fitted[slot.i] = wrap(value._a)
    fit(step, fitted)
    return fitted


def _sizes(said: Any) -> tuple[Any, ...] | None:
    """A shape as a tuple, None where the rank is unknown."""
    if isinstance(said, TensorShape):
        return None if said.rank is None else tuple(said.as_list())
    if isinstance(said, EagerTensor):
        return tuple(said._a.ravel().tolist())
    found = tuple(said) if isinstance(said, (list, tuple)) else (said,)
    return tuple(None if d is None else int(d) for d in found)
