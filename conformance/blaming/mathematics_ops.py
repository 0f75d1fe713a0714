"""The forward of TensorFlow's ops on object arrays of mpmath numbers, from their definitions.

`OPS` maps dotted public names to functions of arrays and attributes. Nothing here is shared with the engine.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

import mpmath
import numpy as np
from mpmath import mpf

Numbers = Any  # an object array of mpmath numbers, or a Python number

OPS: dict[str, Callable[..., Any]] = {}


def number_array(x: Any) -> np.ndarray:
    """Any operand as an object array; lists of arrays are stacked."""
    if isinstance(x, np.ndarray):
        return x
    if isinstance(x, list):
        return np.stack([number_array(item) for item in x])
    made = np.empty((), dtype=object)
    made[()] = mpf(x) if isinstance(x, float | int) and not isinstance(x, bool) else x
    return made


def _each(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of numbers, element by element, broadcasting."""

    def apply(*arrays: Any, name: Any = None) -> np.ndarray:
        given = np.broadcast_arrays(*(number_array(a) for a in arrays))
        made = np.empty(given[0].shape, dtype=object)
        for place in np.ndindex(made.shape):
            made[place] = function(*(a[place] for a in given))
        return made

    return apply


def each_real(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that must stay real: outside its domain it has no value."""

    def checked(*numbers: Any) -> Any:
        made = function(*numbers)
        if isinstance(made, mpmath.mpc):
            raise ValueError("outside the domain of real numbers")
        return made

    return _each(checked)


def _sigmoid(x: Any) -> Any:
    return 1 / (1 + mpmath.exp(-x))


def _softplus(x: Any) -> Any:
    return mpmath.log(1 + mpmath.exp(x))


_SELU = mpf("1.6732632423543772848170429916717"), mpf("1.0507009873554804934193349852946")

_UNARY: dict[str, Callable[..., Any]] = {
    "math.sin": mpmath.sin, "math.cos": mpmath.cos, "math.tan": mpmath.tan, "math.exp": mpmath.exp,
    "math.log": mpmath.log, "math.sqrt": mpmath.sqrt, "math.tanh": mpmath.tanh, "math.sinh": mpmath.sinh,
    "math.cosh": mpmath.cosh, "math.asin": mpmath.asin, "math.acos": mpmath.acos, "math.atan": mpmath.atan,
    "math.asinh": mpmath.asinh, "math.acosh": mpmath.acosh, "math.atanh": mpmath.atanh, "math.expm1": mpmath.expm1,
    "math.log1p": lambda x: mpmath.log(1 + x), "math.square": lambda x: x * x, "math.negative": operator.neg,
    "math.abs": abs, "math.reciprocal": lambda x: 1 / x, "math.rsqrt": lambda x: 1 / mpmath.sqrt(x),
    "math.sigmoid": _sigmoid, "math.softplus": _softplus, "math.log_sigmoid": lambda x: -_softplus(-x),
    "math.erf": mpmath.erf, "math.erfc": mpmath.erfc, "math.lgamma": mpmath.loggamma, "math.digamma": mpmath.digamma,
    "math.erfinv": mpmath.erfinv, "math.sign": mpmath.sign, "math.floor": mpmath.floor, "math.ceil": mpmath.ceil,
    "nn.relu": lambda x: x if x > 0 else mpf(0), "nn.relu6": lambda x: min(max(x, mpf(0)), mpf(6)),
    "nn.elu": lambda x: x if x > 0 else mpmath.expm1(x), "nn.softsign": lambda x: x / (1 + abs(x)),
    "nn.selu": lambda x: _SELU[1] * (x if x > 0 else _SELU[0] * mpmath.expm1(x)),
    "nn.silu": lambda x: x * _sigmoid(x), "math.bessel_i0": lambda x: mpmath.besseli(0, x),
    "math.bessel_i1": lambda x: mpmath.besseli(1, x), "identity": lambda x: x, "math.real": lambda x: x,
    "math.bessel_i0e": lambda x: mpmath.exp(-abs(x)) * mpmath.besseli(0, x),
    "math.bessel_i1e": lambda x: mpmath.exp(-abs(x)) * mpmath.besseli(1, x),
    "math.ndtri": lambda p: mpmath.sqrt(2) * mpmath.erfinv(2 * p - 1), "convert_to_tensor": lambda x: x,
    "math.conj": lambda x: x, "ensure_shape": lambda x: x, "method.read_value": lambda x: x,
}  # fmt: skip
OPS.update({name: each_real(function) for name, function in _UNARY.items()})


def _quotient(x: Any, y: Any) -> Any:
    """A quotient of real numbers; by 0 it is nan, which is no answer unless nobody chooses it."""
    return mpf("nan") if y == 0 else x / y


def _no_nan(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda x, y: mpf(0) if y == 0 else function(x, y)


_BINARY: dict[str, Callable[..., Any]] = {
    "math.add": operator.add, "math.subtract": operator.sub, "math.multiply": operator.mul,
    "math.divide": _quotient, "math.truediv": _quotient, "math.pow": mpmath.power,
    "math.maximum": max, "math.minimum": min, "math.squared_difference": lambda x, y: (x - y) ** 2,
    "math.atan2": mpmath.atan2, "math.divide_no_nan": _no_nan(operator.truediv),
    "math.multiply_no_nan": _no_nan(operator.mul), "math.floormod": lambda x, y: x - y * mpmath.floor(x / y),
    "math.xlogy": lambda x, y: mpf(0) if x == 0 else x * mpmath.log(y),
    "math.xlog1py": lambda x, y: mpf(0) if x == 0 else x * mpmath.log(1 + y),
    "math.xdivy": lambda x, y: mpf(0) if x == 0 else x / y, "math.igamma": lambda a, x: mpmath.gammainc(a, 0, x, True),
    "math.igammac": lambda a, x: mpmath.gammainc(a, x, mpmath.inf, True), "math.zeta": mpmath.zeta,
    "math.polygamma": lambda n, x: mpmath.polygamma(int(n), x),
    "math.greater": operator.gt, "math.greater_equal": operator.ge, "math.less": operator.lt,
    "math.less_equal": operator.le, "math.equal": operator.eq, "math.not_equal": operator.ne,
}  # fmt: skip
OPS.update({name: each_real(function) for name, function in _BINARY.items()})
for _name in ("sin", "cos", "tan", "exp", "sqrt", "tanh", "abs", "square", "pow", "equal", "not_equal", "less",
              "greater", "maximum", "minimum", "add", "subtract", "multiply", "divide"):  # fmt: skip
    OPS[_name] = OPS[f"math.{_name}"]
for _short, _long in (("add", "add"), ("sub", "subtract"), ("mul", "multiply"), ("truediv", "divide"), ("pow", "pow"),
                      ("neg", "negative"), ("abs", "abs"), ("mod", "floormod"), ("lt", "less"),
                      ("gt", "greater")):  # fmt: skip
    OPS[f"operator.{_short}"] = OPS[f"math.{_long}"]


def _op(*names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        for name in names:
            OPS[name] = function
        return function

    return register


# ---------------------------------------------------------------- reductions


def _axes(axis: Any, rank: int) -> tuple[int, ...]:
    if axis is None:
        return tuple(range(rank))
    if isinstance(axis, np.ndarray):
        axis = axis.tolist()
    listed = axis if isinstance(axis, list | tuple) else [axis]
    return tuple(int(a) % rank for a in listed)


def _reduce(function: Callable[[Sequence[Any]], Any]) -> Callable[..., Any]:
    """A function of a list of numbers, along axes."""

    def apply(x: Any, axis: Any = None, keepdims: bool = False, name: Any = None) -> np.ndarray:
        x = number_array(x)
        axes = _axes(axis, x.ndim)
        kept = [i for i in range(x.ndim) if i not in axes]
        rows = np.transpose(x, (*kept, *axes)).reshape(*(x.shape[i] for i in kept), -1)
        made = np.empty(rows.shape[:-1], dtype=object)
        for place in np.ndindex(made.shape):
            made[place] = function(list(rows[place]))
        return made.reshape(tuple(1 if i in axes else n for i, n in enumerate(x.shape))) if keepdims else made

    return apply


def _variance(values: Sequence[Any]) -> Any:
    mean = mpmath.fsum(values) / len(values)
    return mpmath.fsum((v - mean) ** 2 for v in values) / len(values)


_REDUCTIONS: dict[str, Callable[[Sequence[Any]], Any]] = {
    "sum": mpmath.fsum, "mean": lambda v: mpmath.fsum(v) / len(v), "prod": mpmath.fprod, "max": max, "min": min,
    "variance": _variance, "std": lambda v: mpmath.sqrt(_variance(v)),
    "euclidean_norm": lambda v: mpmath.sqrt(mpmath.fsum(x * x for x in v)),
    "logsumexp": lambda v: mpmath.log(mpmath.fsum(map(mpmath.exp, v))),
}  # fmt: skip
for _name, _function in _REDUCTIONS.items():
    OPS[f"math.reduce_{_name}"] = OPS[f"reduce_{_name}"] = _reduce(_function)
OPS["nn.l2_loss"] = lambda t, name=None: _reduce(lambda v: mpmath.fsum(x * x for x in v) / 2)(t)


@_op("norm", "linalg.norm")
def _norm(tensor: Any, ord: Any = "euclidean", axis: Any = None, keepdims: bool = False, name: Any = None) -> Any:
    if ord in ("euclidean", 2, 2.0) and not isinstance(axis, list | tuple):
        return OPS["math.reduce_euclidean_norm"](tensor, axis, keepdims)
    if isinstance(ord, int | float) and not isinstance(axis, list | tuple):
        return _reduce(lambda v: mpmath.fsum(abs(x) ** mpf(ord) for x in v) ** (1 / mpf(ord)))(tensor, axis, keepdims)
    raise ValueError("norms of matrices are not in the table")


@_op("math.cumsum", "cumsum")
def _cumsum(x: Any, axis: int = 0, exclusive: bool = False, reverse: bool = False, name: Any = None) -> Any:
    return _accumulated(operator.add, mpf(0), x, axis, exclusive, reverse)


@_op("math.cumprod")
def _cumprod(x: Any, axis: int = 0, exclusive: bool = False, reverse: bool = False, name: Any = None) -> Any:
    return _accumulated(operator.mul, mpf(1), x, axis, exclusive, reverse)


def _accumulated(combine: Any, start: Any, x: Any, axis: int, exclusive: bool, reverse: bool) -> np.ndarray:
    rows = np.moveaxis(number_array(x), axis, -1)
    made = np.empty(rows.shape, dtype=object)
    order = range(rows.shape[-1] - 1, -1, -1) if reverse else range(rows.shape[-1])
    for place in np.ndindex(rows.shape[:-1]):
        total = start
        for i in order:
            before, total = total, combine(total, rows[place][i])
            made[(*place, i)] = before if exclusive else total
    return np.moveaxis(made, -1, axis)


@_op("nn.softmax")
def _softmax(logits: Any, axis: int = -1, name: Any = None) -> Any:
    powers = OPS["math.exp"](logits)
    return OPS["math.divide"](powers, OPS["math.reduce_sum"](powers, axis, True))


@_op("nn.log_softmax")
def _log_softmax(logits: Any, axis: int = -1, name: Any = None) -> Any:
    return OPS["math.subtract"](logits, OPS["math.reduce_logsumexp"](logits, axis, True))


@_op("nn.leaky_relu")
def _leaky_relu(features: Any, alpha: Any = 0.2, name: Any = None) -> Any:
    return _each(lambda x, a: x if x > 0 else a * x)(features, alpha)


@_op("nn.gelu")
def _gelu(features: Any, approximate: bool = False, name: Any = None) -> Any:
    if approximate:
        root = mpmath.sqrt(2 / mpmath.pi)
        return _each(lambda x: x / 2 * (1 + mpmath.tanh(root * (x + mpf("0.044715") * x**3))))(features)
    return _each(lambda x: x / 2 * (1 + mpmath.erf(x / mpmath.sqrt(2))))(features)


@_op("clip_by_value")
def _clip(t: Any, clip_value_min: Any, clip_value_max: Any, name: Any = None) -> Any:
    return _each(lambda x, low, high: max(min(x, high), low))(t, clip_value_min, clip_value_max)


@_op("where")
def _where(condition: Any, x: Any, y: Any, name: Any = None) -> Any:
    return _each(lambda c, a, b: a if c else b)(condition, x, y)


# ---------------------------------------------------------------- matrices and shapes


@_op("linalg.matmul", "matmul", "operator.matmul")
def _matmul(a: Any, b: Any, transpose_a: bool = False, transpose_b: bool = False, name: Any = None) -> Any:
    a = np.swapaxes(number_array(a), -1, -2) if transpose_a else number_array(a)
    b = np.swapaxes(number_array(b), -1, -2) if transpose_b else number_array(b)
    return np.matmul(a, b)


@_op("linalg.matvec")
def _matvec(a: Any, b: Any, transpose_a: bool = False, name: Any = None) -> Any:
    return _matmul(a, number_array(b)[..., None], transpose_a)[..., 0]


@_op("tensordot")
def _tensordot(a: Any, b: Any, axes: Any, name: Any = None) -> Any:
    return np.tensordot(number_array(a), number_array(b), axes)


@_op("linalg.trace")
def _trace(x: Any, name: Any = None) -> Any:
    return np.trace(number_array(x), axis1=-2, axis2=-1)


@_op("transpose")
def _transpose(a: Any, perm: Any = None, name: Any = None) -> Any:
    return np.transpose(number_array(a), None if perm is None else [int(p) for p in perm])


@_op("reshape")
def _reshape(tensor: Any, shape: Any, name: Any = None) -> Any:
    return number_array(tensor).reshape([int(n) for n in np.ravel(shape)])


@_op("squeeze")
def _squeeze(input: Any, axis: Any = None, name: Any = None) -> Any:
    return np.squeeze(number_array(input), None if axis in (None, []) else _axes(axis, input.ndim))


@_op("expand_dims")
def _expand_dims(input: Any, axis: int, name: Any = None) -> Any:
    return np.expand_dims(number_array(input), int(axis))


@_op("broadcast_to")
def _broadcast_to(input: Any, shape: Any, name: Any = None) -> Any:
    return np.broadcast_to(number_array(input), [int(n) for n in np.ravel(shape)])


@_op("concat")
def _concat(values: Any, axis: int = 0, name: Any = None) -> Any:
    return np.concatenate([number_array(v) for v in values], int(axis))


@_op("stack")
def _stack(values: Any, axis: int = 0, name: Any = None) -> Any:
    return np.stack([number_array(v) for v in values], int(axis))


@_op("tile")
def _tile(input: Any, multiples: Any, name: Any = None) -> Any:
    return np.tile(number_array(input), [int(n) for n in np.ravel(multiples)])


@_op("reverse")
def _reverse(tensor: Any, axis: Any, name: Any = None) -> Any:
    return np.flip(number_array(tensor), _axes(axis, tensor.ndim))


@_op("gather")
def _gather(params: Any, indices: Any, axis: Any = 0, name: Any = None) -> Any:
    return np.take(number_array(params), np.asarray(indices, dtype=int), axis=int(axis or 0))


@_op("linalg.diag_part")
def _diag_part(input: Any, name: Any = None) -> Any:
    return np.diagonal(number_array(input), axis1=-2, axis2=-1)


@_op("math.add_n")
def _add_n(inputs: Any, name: Any = None) -> Any:
    total = number_array(inputs[0])
    for each in inputs[1:]:
        total = total + number_array(each)
    return total
