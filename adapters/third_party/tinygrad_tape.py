"""tinygrad: `adapters.third_party.tinygrad_tape:TinygradTape`. Ops and derivative are methods of `tinygrad.Tensor`.

It runs on tinygrad's own interpreter (`DEV=PYTHON`), which needs no compiler.
"""

from __future__ import annotations

import os
from importlib.metadata import version
from typing import Any

import numpy as np

from adapters.backend import UnsupportedStep
from adapters.third_party.engine import Function
from adapters.third_party.numpy_named import Ops, axes_of, named
from adapters.third_party.replay import Replaying
from adapters.third_party.tinygrad_more import tinygrad_more_ops

_SAME_NAME = (
    "maximum", "minimum", "square", "sqrt", "rsqrt", "reciprocal", "abs", "sign", "exp", "log", "sigmoid", "tanh",
    "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "asinh", "acosh", "atanh", "erf", "floor", "ceil",
    "round", "logical_not", "softplus", "pow",
)  # fmt: skip
_OTHER_NAME = {
    "add": "add", "subtract": "sub", "multiply": "mul", "divide": "div", "negative": "neg", "not_equal": "ne",
    "equal": "eq", "log_sigmoid": "logsigmoid",
}  # fmt: skip
_OPERATORS = {"mul": "mul", "add": "add", "sub": "sub", "truediv": "div", "pow": "pow", "neg": "neg", "abs": "abs",
              "matmul": "matmul", "mod": "mod"}  # fmt: skip
_ACTIVATIONS = ("relu", "relu6", "elu", "selu", "silu", "softsign", "tanh", "sigmoid")


def TinygradTape() -> Replaying:
    """tinygrad, interpreted. ImportError when it is not installed."""
    os.environ.setdefault("DEV", "PYTHON")
    import tinygrad

    return Replaying(TinygradEngine(tinygrad))


class TinygradEngine:
    """See `engine.Engine`."""

    name = "tinygrad"
    dtypes = ("float32", "float64", "float16", "int8", "int32", "int64", "uint8", "bool")
    higher_order = True

    def __init__(self, tinygrad: Any) -> None:
        self._tensor, self._dtypes = tinygrad.Tensor, tinygrad.dtypes
        self._device = str(tinygrad.Device.DEFAULT)
        self.version = version("tinygrad")
        self.details = {"device": self._device}
        self.ops = _ops(self._tensor, tinygrad.dtypes)

    def array(self, array: np.ndarray) -> Any:
        # flat first: of an array without axes tinygrad makes a constant that has no device
        return self._tensor(np.array(array).reshape(-1)).reshape(array.shape)

    def open(self, value: Any) -> np.ndarray:
        return np.asarray(self._placed(value).numpy())

    def _placed(self, value: Any) -> Any:
        """The value in memory: constants have no device, and tinygrad would want a compiler to read them."""
        return value.clone(self._device) if value.device is None else value

    def floating(self, value: Any) -> bool:
        return bool(self._dtypes.is_float(value.dtype))

    def zeros_like(self, value: Any) -> Any:
        return value.zeros_like()

    def ones_like(self, value: Any) -> Any:
        return value.ones_like()

    def vjp(self, function: Function, inputs: list[Any], seeds: list[Any | None]) -> list[Any]:
        # a node of its own for each input, so that no other way to it is counted
        leaves = [one.clone(self._device) for one in inputs]
        outputs = function(leaves)
        if len(outputs) == 1:
            y, seed = outputs[0], seeds[0]
            return list(y.gradient(*leaves, gradient=y.ones_like() if seed is None else seed))
        weighed = [y.sum() if seed is None else (y * seed).sum() for y, seed in zip(outputs, seeds)]
        total = weighed[0]
        for one in weighed[1:]:
            total = total + one
        return list(total.gradient(*leaves))


def _ops(tensor: Any, dtypes: Any) -> Ops:
    ops: Ops = {}
    for name in _SAME_NAME:
        named(ops, name, getattr(tensor, name))
    for ours, theirs in _OTHER_NAME.items():
        named(ops, ours, getattr(tensor, theirs))
    for ours, theirs in _OPERATORS.items():
        ops[f"operator.{ours}"] = getattr(tensor, theirs)
    for name in _ACTIVATIONS:
        ops[f"nn.{name}"] = getattr(tensor, name)
    for ours, spelled in {"greater": "gt", "less": "lt", "greater_equal": "ge", "less_equal": "le"}.items():
        function = getattr(tensor, f"__{spelled}__")
        named(ops, ours, function)
        ops[f"operator.{spelled}"] = function
    ops["nn.leaky_relu"] = lambda x, alpha=0.2: x.leaky_relu(alpha)
    ops["nn.softmax"] = lambda x, axis=-1: x.softmax(axis)
    ops["nn.log_softmax"] = lambda x, axis=-1: x.log_softmax(axis)
    for ours, theirs in {"is_nan": "isnan", "is_inf": "isinf", "is_finite": "isfinite", "rint": "round"}.items():
        ops[f"math.{ours}"] = getattr(tensor, theirs)
    return ops | _reductions() | _shaping(tensor, dtypes) | tinygrad_more_ops(tensor)


def _over(name: str, **more: Any) -> Any:
    return lambda x, axis=None, keepdims=False: getattr(x, name)(axis=axes_of(axis), keepdim=keepdims, **more)


def _reductions() -> Ops:
    ops: Ops = {}
    theirs = {
        "reduce_sum": "sum", "reduce_mean": "mean", "reduce_prod": "prod", "reduce_max": "max", "reduce_min": "min",
        "reduce_all": "all", "reduce_any": "any",
    }  # fmt: skip
    for ours, name in theirs.items():
        named(ops, ours, _over(name))
    named(ops, "reduce_variance", _over("var", correction=0))
    named(ops, "reduce_std", _over("std", correction=0))
    named(ops, "reduce_logsumexp", _logsumexp)
    return ops


def _logsumexp(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    if isinstance(axis, list) and len(axis) != 1:
        raise UnsupportedStep("tinygrad's logsumexp takes one axis, or all")
    return x.logsumexp(axis=axis[0] if isinstance(axis, list) else axis, keepdim=keepdims)


def _shaping(tensor: Any, dtypes: Any) -> Ops:
    def matmul(
        a: Any,
        b: Any,
        transpose_a: bool = False,
        transpose_b: bool = False,
        adjoint_a: bool = False,
        adjoint_b: bool = False,
    ) -> Any:
        left = a.transpose(-1, -2) if transpose_a or adjoint_a else a
        return left.matmul(b.transpose(-1, -2) if transpose_b or adjoint_b else b)

    return {
        "linalg.matmul": matmul,
        "matmul": matmul,
        "reshape": lambda x, shape: x.reshape(tuple(shape)),
        "transpose": lambda x, perm=None: x.permute(tuple(perm) if perm else tuple(range(x.ndim)[::-1])),
        "squeeze": lambda x, axis=None: x.squeeze() if axis is None else x.squeeze(axis[0]),
        "expand_dims": lambda x, axis: x.unsqueeze(axis),
        "broadcast_to": lambda x, shape: x.expand(tuple(shape)),
        "tile": lambda x, multiples: x.repeat(tuple(multiples)),
        "pad": _pad,
        "reverse": lambda x, axis: x.flip(tuple(axis)),
        "roll": lambda x, shift, axis: x.roll(shift, axis),
        "concat": lambda values, axis: tensor.cat(*values, dim=axis),
        "stack": lambda values, axis=0: tensor.stack(*values, dim=axis),
        "split": lambda x, num_or_size_splits, axis=0: x.split(
            num_or_size_splits if isinstance(num_or_size_splits, list) else x.shape[axis] // num_or_size_splits, axis
        ),
        "operator.getitem": lambda x, index: x[index],
        "slice": lambda x, begin, size: x[
            tuple(slice(at, None if n == -1 else at + n) for at, n in zip(begin, size, strict=True))
        ],
        "where": lambda condition, x, y: condition.where(x, y),
        "clip_by_value": lambda x, clip_value_min, clip_value_max: x.clip(clip_value_min, clip_value_max),
        "zeros_like": lambda x: x.zeros_like(),
        "ones_like": lambda x: x.ones_like(),
        "cast": lambda x, dtype: x.cast(_named_dtype(dtypes, dtype)),
    }


def _named_dtype(dtypes: Any, dtype: Any) -> Any:
    found = getattr(dtypes, np.dtype(dtype).name, None)
    if found is None:
        raise UnsupportedStep(f"tinygrad has no {dtype}")
    return found


def _pad(x: Any, paddings: Any, mode: str = "CONSTANT", constant_values: Any = 0) -> Any:
    pairs = tuple(tuple(pair) for pair in paddings)
    if mode == "CONSTANT":
        return x.pad(pairs, value=constant_values)
    raise UnsupportedStep("tinygrad reflects in its own order of dimensions only")
