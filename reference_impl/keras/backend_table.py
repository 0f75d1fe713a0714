"""What the functions of ``tf.keras.backend`` are: TensorFlow's, with the names and defaults they had in older Keras."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import reference_impl as tf

from .policy import floatx


def _reduced(function: Any) -> Any:
    return lambda x, axis=None, keepdims=False: function(_counted(x), axis, keepdims)


def _counted(x: Any) -> Any:
    """Truth values as numbers."""
    x = tf.convert_to_tensor(x)
    return tf.cast(x, floatx()) if x.dtype.is_bool else x


def _truth(function: Any) -> Any:
    return lambda x, axis=None, keepdims=False: function(tf.cast(x, "bool"), axis, keepdims)


def clip(x: Any, min_value: Any, max_value: Any) -> Any:
    """Between two bounds."""
    return tf.clip_by_value(x, min_value, max_value)


def gather(reference: Any, indices: Any) -> Any:
    """Rows at indices."""
    return tf.gather(reference, indices)


def one_hot(indices: Any, num_classes: int) -> Any:
    """Class numbers as rows with a single 1."""
    return tf.one_hot(indices, num_classes)


def permute_dimensions(x: Any, pattern: Any) -> Any:
    """The axes in another order."""
    return tf.transpose(x, pattern)


def repeat_elements(x: Any, rep: int, axis: int) -> Any:
    """Each element so many times along an axis."""
    return tf.repeat(x, rep, axis)


def elu(x: Any, alpha: float = 1.0) -> Any:
    """``x`` where positive, else ``alpha * (exp(x) - 1)``."""
    found = tf.nn.elu(x)
    return found if alpha == 1 else tf.where(x > 0, found, alpha * found)


def batch_flatten(x: Any) -> Any:
    """All axes but the first as one."""
    return tf.reshape(x, [tf.shape(x)[0], -1])


def cast_to_floatx(x: Any) -> Any:
    """A tensor, or an array, in the default float dtype."""
    return tf.cast(x, floatx()) if tf.is_tensor(x) else np.asarray(x, dtype=floatx())


def set_value(x: Any, value: Any) -> None:
    """Assign an array to a variable."""
    x.assign(np.asarray(value, dtype=x.dtype if isinstance(x.dtype, str) else x.dtype.name))


def batch_set_value(tuples: Any) -> None:
    """Assign arrays to variables, given as pairs."""
    for x, value in tuples:
        set_value(x, value)


def get_value(x: Any) -> Any:
    """The value of a tensor or variable as an ndarray."""
    return x.numpy() if hasattr(x, "numpy") else x


def concatenate(tensors: Any, axis: int = -1) -> Any:
    """Tensors one after another."""
    return tf.concat([tf.convert_to_tensor(x) for x in tensors], axis)


def in_top_k(predictions: Any, targets: Any, k: int) -> Any:
    """Whether a class is among the ``k`` largest predictions."""
    return tf.math.in_top_k(targets, predictions, k)


def switch(condition: Any, then_expression: Any, else_expression: Any) -> Any:
    """One of two tensors, or of what two functions give, by a condition."""
    if callable(then_expression):
        return tf.cond(tf.cast(condition, "bool"), then_expression, else_expression)
    return tf.where(tf.cast(condition, "bool"), then_expression, else_expression)


def variable(value: Any, dtype: Any = None, name: str | None = None, constraint: Any = None) -> Any:
    """A variable."""
    return tf.Variable(tf.convert_to_tensor(value, tf.as_dtype(dtype or floatx())), name=name)


TABLE: dict[str, Any] = {
    "abs": tf.abs, "all": _truth(tf.reduce_all), "any": _truth(tf.reduce_any), "arange": tf.range,
    "argmax": lambda x, axis=-1: tf.argmax(x, axis), "argmin": lambda x, axis=-1: tf.argmin(x, axis),
    "batch_flatten": batch_flatten, "batch_get_value": lambda tensors: [get_value(x) for x in tensors],
    "batch_set_value": batch_set_value, "cast": tf.cast, "cast_to_floatx": cast_to_floatx,
    "clip": clip, "concatenate": concatenate,
    "constant": lambda value, dtype=None, shape=None, name=None: tf.constant(value, dtype or floatx(), shape),
    "cos": tf.cos, "count_params": lambda x: math.prod(x.shape), "cumprod": lambda x, axis=0: tf.math.cumprod(x, axis),
    "cumsum": lambda x, axis=0: tf.cumsum(x, axis), "elu": elu, "equal": tf.equal, "eval": get_value, "exp": tf.exp,
    "expand_dims": lambda x, axis=-1: tf.expand_dims(x, axis), "flatten": lambda x: tf.reshape(x, [-1]),
    "gather": gather, "get_value": get_value,
    "greater": tf.greater, "greater_equal": tf.greater_equal, "in_top_k": in_top_k,
    "int_shape": lambda x: tuple(x.shape), "l2_normalize": lambda x, axis=None: tf.nn.l2_normalize(x, axis),
    "less": tf.less, "less_equal": tf.less_equal, "log": tf.math.log, "max": _reduced(tf.reduce_max),
    "maximum": tf.maximum, "mean": _reduced(tf.reduce_mean), "min": _reduced(tf.reduce_min), "minimum": tf.minimum,
    "name_scope": tf.name_scope, "ndim": lambda x: len(x.shape), "not_equal": tf.not_equal,
    "one_hot": one_hot,
    "ones": lambda shape, dtype=None, name=None: tf.ones(shape, dtype or floatx()), "ones_like": tf.ones_like,
    "permute_dimensions": permute_dimensions, "pow": tf.pow, "prod": _reduced(tf.reduce_prod),
    "repeat_elements": repeat_elements, "reshape": tf.reshape,
    "reverse": lambda x, axes: tf.reverse(x, [axes] if isinstance(axes, int) else axes), "round": tf.round,
    "set_value": set_value, "shape": tf.shape, "sigmoid": tf.sigmoid, "sign": tf.sign, "sin": tf.sin,
    "softmax": lambda x, axis=-1: tf.nn.softmax(x, axis), "softplus": tf.math.softplus, "softsign": tf.nn.softsign,
    "sqrt": lambda x: tf.sqrt(tf.maximum(x, 0.0)), "square": tf.square,
    "squeeze": lambda x, axis: tf.squeeze(x, [axis]), "stack": lambda x, axis=0: tf.stack(x, axis),
    "std": _reduced(tf.math.reduce_std), "stop_gradient": tf.stop_gradient, "sum": _reduced(tf.reduce_sum),
    "switch": switch, "tanh": tf.tanh, "tile": lambda x, n: tf.tile(x, [n] if isinstance(n, int) else n),
    "transpose": tf.transpose, "update": lambda x, new_x: x.assign(new_x),
    "update_add": lambda x, increment: x.assign_add(increment),
    "update_sub": lambda x, decrement: x.assign_sub(decrement), "var": _reduced(tf.math.reduce_variance),
    "variable": variable, "zeros": lambda shape, dtype=None, name=None: tf.zeros(shape, dtype or floatx()),
    "zeros_like": tf.zeros_like,
}  # fmt: skip
