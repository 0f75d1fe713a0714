"""What the functions of ``keras.ops`` are on tensors: TensorFlow's, with the names, defaults and dtypes of Keras.

Integers become floats where a function gives floats; of two operands the wider dtype counts; Python numbers take the
dtype of the tensor beside them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import reference_impl as tf

from ..tensors.tensor import is_tensor
from . import activations, loss_functions, ops_functions
from .ops_functions import arg, axes_of, flat, floating, pair, segments, summed, tensor, triangle, truth
from .policy import floatx, standardize_dtype


def _one(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda x: function(tensor(x))


def _one_float(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda x: function(floating(x))


def _two(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda x1, x2: function(*pair(x1, x2))


def _two_floats(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda x1, x2: function(*(floating(x) for x in pair(x1, x2)))


def _two_truths(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda x1, x2: function(tf.cast(tensor(x1), "bool"), tf.cast(tensor(x2), "bool"))


def _reduced(function: Callable[..., Any], prepare: Callable[..., Any] = tensor) -> Callable[..., Any]:
    return lambda x, axis=None, keepdims=False: function(prepare(x), axes_of(axis), keepdims)


def _crossentropy(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda target, output, from_logits=False, axis=-1: function(target, output, from_logits, axis=axis)


_FLOAT = {
    "arccos": tf.acos, "arccosh": tf.acosh, "arcsin": tf.asin, "arcsinh": tf.asinh, "arctan": tf.atan,
    "arctanh": tf.atanh, "cos": tf.cos, "cosh": tf.cosh, "erf": tf.math.erf, "erfinv": tf.math.erfinv, "exp": tf.exp,
    "expm1": tf.math.expm1, "log": tf.math.log, "log1p": tf.math.log1p, "reciprocal": tf.math.reciprocal,
    "rsqrt": tf.math.rsqrt, "sigmoid": tf.sigmoid, "sin": tf.sin, "sinh": tf.sinh, "softplus": tf.math.softplus,
    "softsign": tf.nn.softsign, "sqrt": tf.sqrt, "tan": tf.tan, "tanh": tf.tanh, "relu": tf.nn.relu,
    "relu6": tf.nn.relu6, "log_sigmoid": tf.math.log_sigmoid, "selu": tf.nn.selu, "ceil": tf.math.ceil,
    "floor": tf.floor, "isfinite": tf.math.is_finite, "isinf": tf.math.is_inf, "isnan": tf.math.is_nan,
}  # fmt: skip
_ALONE = {
    "abs": tf.abs, "absolute": tf.abs, "negative": tf.negative, "sign": tf.sign, "square": tf.square,
    "ravel": lambda x: tf.reshape(x, [-1]), "stop_gradient": tf.stop_gradient, "conj": tf.math.conj,
    "real": tf.math.real, "imag": tf.math.imag, "zeros_like": tf.zeros_like, "ones_like": tf.ones_like,
    "copy": tf.identity, "inv": tf.linalg.inv, "det": tf.linalg.det, "cholesky": tf.linalg.cholesky,
    "logdet": tf.linalg.logdet,
}  # fmt: skip
_PAIRS = {
    "add": tf.add, "subtract": tf.subtract, "multiply": tf.multiply, "maximum": tf.maximum, "minimum": tf.minimum,
    "mod": tf.math.floormod, "floor_divide": tf.math.floordiv, "power": tf.pow, "equal": tf.equal,
    "not_equal": tf.not_equal, "less": tf.less, "less_equal": tf.less_equal, "greater": tf.greater,
    "greater_equal": tf.greater_equal, "outer": lambda a, b: tf.tensordot(tf.reshape(a, [-1]), tf.reshape(b, [-1]), 0),
    "solve": tf.linalg.solve,
}  # fmt: skip
_FLOAT_PAIRS = {
    "divide": tf.divide, "true_divide": tf.divide, "divide_no_nan": tf.math.divide_no_nan, "arctan2": tf.atan2,
    "logaddexp": lambda a, b: tf.maximum(a, b) + tf.math.softplus(-tf.abs(a - b)),
}  # fmt: skip
_TRUTHS = {"logical_and": tf.logical_and, "logical_or": tf.logical_or, "logical_xor": tf.math.logical_xor}
_REDUCTIONS = {
    "sum": (tf.reduce_sum, summed), "prod": (tf.reduce_prod, summed), "mean": (tf.reduce_mean, floating),
    "max": (tf.reduce_max, tensor), "min": (tf.reduce_min, tensor), "amax": (tf.reduce_max, tensor),
    "amin": (tf.reduce_min, tensor), "any": (tf.reduce_any, truth), "all": (tf.reduce_all, truth),
    "var": (tf.math.reduce_variance, floating), "logsumexp": (tf.reduce_logsumexp, floating),
}  # fmt: skip
_ACTIVATIONS = (
    "celu", "elu", "glu", "hard_sigmoid", "hard_silu", "hard_tanh", "leaky_relu", "silu", "swish",
    "tanh_shrink",
)  # fmt: skip
_LOSSES = ("categorical_crossentropy", "sparse_categorical_crossentropy")

TABLE: dict[str, Callable[..., Any]] = {
    **{name: _one_float(f) for name, f in _FLOAT.items()},
    **{name: _one(f) for name, f in _ALONE.items()},
    **{name: _two(f) for name, f in _PAIRS.items()},
    **{name: _two_floats(f) for name, f in _FLOAT_PAIRS.items()},
    **{name: _two_truths(f) for name, f in _TRUTHS.items()},
    **{name: _reduced(f, prepare) for name, (f, prepare) in _REDUCTIONS.items()},
    **{name: getattr(activations, name) for name in _ACTIVATIONS},
    **{name: _crossentropy(getattr(loss_functions, name)) for name in _LOSSES},
    "binary_crossentropy": ops_functions.binary_crossentropy,
    "gelu": lambda x, approximate=True: activations.gelu(x, approximate),
    "logical_not": lambda x: tf.logical_not(truth(x)),
    "get_item": lambda x, key: tensor(x)[key],
    "cast": lambda x, dtype: tf.cast(tensor(x), standardize_dtype(dtype)),
    "convert_to_tensor": lambda x, dtype=None, sparse=None, ragged=None: tensor(x, dtype),
    "convert_to_numpy": np.array,
    "is_tensor": is_tensor,
    "ndim": lambda x: len(ops_functions.shape(x)),
    "size": lambda x: tf.size(tensor(x)),
    "shape": ops_functions.shape,
    "zeros": lambda shape, dtype=None: tf.zeros(shape, dtype or floatx()),
    "ones": lambda shape, dtype=None: tf.ones(shape, dtype or floatx()),
    "full": lambda shape, fill_value, dtype=None: tf.cast(tf.fill(shape, fill_value), dtype or floatx()),
    "eye": lambda N, M=None, k=0, dtype=None: tensor(np.eye(N, M, k), dtype or floatx()),
    "arange": ops_functions.arange,
    "linspace": lambda start, stop, num=50: tf.linspace(floating(start), floating(stop), num),
    "reshape": lambda x, newshape: tf.reshape(tensor(x), newshape),
    "transpose": ops_functions.transpose,
    "expand_dims": lambda x, axis: tf.expand_dims(tensor(x), axis),
    "squeeze": ops_functions.squeeze,
    "broadcast_to": lambda x, shape: tf.broadcast_to(tensor(x), shape),
    "concatenate": ops_functions.stacked(tf.concat),
    "stack": ops_functions.stacked(tf.stack),
    "unstack": lambda x, num=None, axis=0: tf.unstack(tensor(x), num, axis),
    "split": ops_functions.split,
    "tile": lambda x, repeats: tf.tile(tensor(x), repeats),
    "repeat": ops_functions.repeat,
    "flip": lambda x, axis=None: tf.reverse(
        tensor(x), list(range(len(tensor(x).shape))) if axis is None else [axis] if isinstance(axis, int) else axis
    ),
    "roll": lambda x, shift, axis=None: (
        tf.roll(tensor(x), shift, axis)
        if axis is not None
        else tf.reshape(tf.roll(tf.reshape(tensor(x), [-1]), shift, 0), tf.shape(tensor(x)))
    ),
    "swapaxes": ops_functions.swapaxes,
    "moveaxis": ops_functions.moveaxis,
    "pad": ops_functions.pad,
    "slice": ops_functions.slice_of,
    "slice_update": ops_functions.slice_update,
    "take": ops_functions.take,
    "take_along_axis": ops_functions.take_along_axis,
    "where": ops_functions.where,
    "clip": ops_functions.clip,
    "matmul": ops_functions.matmul,
    "dot": ops_functions.dot,
    "tensordot": lambda x1, x2, axes=2: tf.tensordot(*pair(x1, x2), axes),
    "einsum": lambda subscripts, *operands: tf.einsum(subscripts, *[tensor(x) for x in operands]),
    "std": ops_functions.std,
    "moments": ops_functions.moments,
    "norm": lambda x, ord=None, axis=None, keepdims=False: tf.norm(
        floating(x), "euclidean" if ord is None else ord, axes_of(axis), keepdims
    ),
    "normalize": ops_functions.normalize,
    "argmax": lambda x, axis=None, keepdims=False: arg(tf.argmax, x, axis, keepdims),
    "argmin": lambda x, axis=None, keepdims=False: arg(tf.argmin, x, axis, keepdims),
    "argsort": lambda x, axis=-1: tf.argsort(tensor(x), axis, stable=True),
    "sort": lambda x, axis=-1: tf.sort(tensor(x), axis),
    "top_k": lambda x, k, sorted=True: tf.math.top_k(tensor(x), k, sorted),
    "in_top_k": lambda targets, predictions, k: tf.math.in_top_k(tensor(targets), tensor(predictions), k),
    "cumsum": lambda x, axis=None, dtype=None: tf.cumsum(*flat(x, axis)),
    "cumprod": lambda x, axis=None, dtype=None: tf.math.cumprod(*flat(x, axis)),
    "one_hot": ops_functions.one_hot,
    "softmax": ops_functions.softmax,
    "log_softmax": ops_functions.log_softmax,
    "round": lambda x, decimals=0: tf.round(tensor(x)) if not decimals else tf.round(x * 10**decimals) / 10**decimals,
    "segment_sum": lambda data, segment_ids, num_segments=None, sorted=False: segments(
        tf.math.unsorted_segment_sum, data, segment_ids, num_segments
    ),
    "segment_max": lambda data, segment_ids, num_segments=None, sorted=False: segments(
        tf.math.unsorted_segment_max, data, segment_ids, num_segments
    ),
    "diag": lambda x, k=0: tf.linalg.diag(tensor(x), k=k) if len(tensor(x).shape) == 1 else tf.linalg.diag_part(x, k=k),
    "diagonal": lambda x, offset=0, axis1=0, axis2=1: tf.linalg.diag_part(tensor(x), k=offset),
    "trace": lambda x, offset=0, axis1=0, axis2=1: tf.linalg.trace(tensor(x)),
    "tril": lambda x, k=0: triangle(x, k, lower=True),
    "triu": lambda x, k=0: triangle(x, k, lower=False),
    "cond": ops_functions.cond,
    "while_loop": lambda cond, body, loop_vars, maximum_iterations=None: tf.while_loop(
        cond, body, loop_vars, maximum_iterations=maximum_iterations
    ),
    "map": lambda f, xs: tf.map_fn(f, xs, fn_output_signature=floatx()),
    "vectorized_map": tf.vectorized_map,
}
