"""TensorFlow's ops in the words of a library whose functions are called as NumPy's: `numpy_ops(namespace)`.

Only spelling is done here (names of attributes, a list of axes as a tuple); each op is one of the library's functions,
or none: what the namespace does not have is left out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from adapters.third_party.numpy_linear import Ops, adjoint_of, linear_ops

# NumPy's name of what TensorFlow calls so; `math.` in front of each, and mostly the bare name too.
_BINARY = {
    "add": "add", "subtract": "subtract", "multiply": "multiply", "divide": "true_divide", "pow": "power",
    "maximum": "maximum", "minimum": "minimum", "atan2": "arctan2", "floormod": "mod", "floordiv": "floor_divide",
    "greater": "greater", "less": "less", "greater_equal": "greater_equal", "less_equal": "less_equal",
    "equal": "equal", "not_equal": "not_equal", "logical_and": "logical_and", "logical_or": "logical_or",
}  # fmt: skip
_UNARY = {
    "square": "square", "sqrt": "sqrt", "reciprocal": "reciprocal", "negative": "negative", "abs": "abs",
    "sign": "sign", "exp": "exp", "expm1": "expm1", "log": "log", "log1p": "log1p", "tanh": "tanh", "sin": "sin",
    "cos": "cos", "tan": "tan", "asin": "arcsin", "acos": "arccos", "atan": "arctan", "sinh": "sinh", "cosh": "cosh",
    "asinh": "arcsinh", "acosh": "arccosh", "atanh": "arctanh", "floor": "floor", "ceil": "ceil", "round": "round",
    "real": "real", "imag": "imag", "conj": "conj", "logical_not": "logical_not",
}  # fmt: skip
_OPERATORS = {
    "mul": "multiply", "add": "add", "sub": "subtract", "truediv": "true_divide", "pow": "power",
    "floordiv": "floor_divide", "mod": "mod", "gt": "greater", "lt": "less", "ge": "greater_equal", "le": "less_equal",
    "neg": "negative", "abs": "abs", "matmul": "matmul",
}  # fmt: skip
_REDUCTIONS = {
    "reduce_sum": "sum", "reduce_mean": "mean", "reduce_prod": "prod", "reduce_max": "max", "reduce_min": "min",
    "reduce_all": "all", "reduce_any": "any", "reduce_variance": "var", "reduce_std": "std",
}  # fmt: skip
# Ops of two tensors, where a Python number may stand for one.
BINARY = frozenset({*_BINARY, *_OPERATORS, "xlogy", "xlog1py", "squared_difference", "truncatediv"}) - {
    "neg", "abs", "matmul",
}  # fmt: skip
_ONLY_IN_MATH = frozenset(
    {"log", "log1p", "expm1", "reciprocal", "floormod", "floordiv", "atan2", "ceil", "real", "imag", "conj",
     "reduce_variance", "reduce_std"}
)  # fmt: skip


def named(ops: Ops, name: str, function: Callable[..., Any]) -> None:
    """Enter an op of `tf.math`, and under its bare name where TensorFlow has that too."""
    ops[f"math.{name}"] = function
    if name not in _ONLY_IN_MATH:
        ops[name] = function


def numpy_ops(np: Any) -> Ops:
    """The table of a namespace."""
    ops: Ops = {}
    for ours, theirs in (*_BINARY.items(), *_UNARY.items()):
        if hasattr(np, theirs):
            named(ops, ours, getattr(np, theirs))
    for ours, theirs in _OPERATORS.items():
        if hasattr(np, theirs):
            ops[f"operator.{ours}"] = getattr(np, theirs)
    for ours, theirs in _REDUCTIONS.items():
        if hasattr(np, theirs):
            named(ops, ours, reduction(getattr(np, theirs)))
    return ops | _shaping(np) | _products(np) | _choosing(np) | linear_ops(np)


def norm_of(function: Callable[..., Any]) -> Callable[..., Any]:
    """A norm with TensorFlow's attributes: of all elements where no axis is named, which NumPy takes of a matrix."""

    def norm(x: Any, ord: Any = "euclidean", axis: Any = None, keepdims: bool = False) -> Any:
        flat = x if axis is not None else x.reshape(-1)
        made = function(flat, ord=None if ord == "euclidean" else ord, axis=axes_of(axis))
        if not keepdims:
            return made
        shape = [1] * x.ndim if axis is None else [1 if at == axis % x.ndim else n for at, n in enumerate(x.shape)]
        return made.reshape(shape)

    return norm


def axes_of(axis: Any) -> Any:
    """A list of axes as the tuple that NumPy wants."""
    return tuple(axis) if isinstance(axis, list) else axis


def reduction(function: Callable[..., Any]) -> Callable[..., Any]:
    """A reduction with TensorFlow's attributes."""
    return lambda x, axis=None, keepdims=False: function(x, axis=axes_of(axis), keepdims=keepdims)


def _having(np: Any, needed: dict[str, tuple[str, Callable[..., Any]]]) -> Ops:
    """The ops whose function the namespace has."""
    return {name: op for name, (function, op) in needed.items() if hasattr(np, function)}


def _shaping(np: Any) -> Ops:
    return _having(
        np,
        {
            "reshape": ("reshape", lambda x, shape: np.reshape(x, tuple(shape))),
            "transpose": ("transpose", lambda x, perm=None: np.transpose(x, perm)),
            "squeeze": ("squeeze", lambda x, axis=None: np.squeeze(x, axes_of(axis))),
            "expand_dims": ("expand_dims", lambda x, axis: np.expand_dims(x, axis)),
            "broadcast_to": ("broadcast_to", lambda x, shape: np.broadcast_to(x, tuple(shape))),
            "tile": ("tile", lambda x, multiples: np.tile(x, tuple(multiples))),
            "pad": ("pad", lambda *args, **named: _pad(np, *args, **named)),
            "reverse": ("flip", lambda x, axis: np.flip(x, axes_of(axis))),
            "roll": ("roll", lambda x, shift, axis: np.roll(x, shift, axis)),
            "concat": ("concatenate", lambda values, axis: np.concatenate(values, axis)),
            "stack": ("stack", lambda values, axis=0: np.stack(values, axis)),
            "split": ("split", lambda x, num_or_size_splits, axis=0: _split(np, x, num_or_size_splits, axis)),
            "unstack": ("moveaxis", lambda x, axis=0: [np.moveaxis(x, axis, 0)[at] for at in range(x.shape[axis])]),
            "operator.getitem": ("reshape", lambda x, index: x[index]),
            "slice": ("reshape", lambda x, begin, size: x[_ranges(begin, size)]),
            "gather": ("take", lambda x, indices, axis=0: np.take(x, np.array(indices), axis=axis)),
        },
    )


def _pad(np: Any, x: Any, paddings: Any, mode: str = "CONSTANT", constant_values: Any = 0) -> Any:
    pairs = tuple(tuple(pair) for pair in paddings)
    if mode == "CONSTANT":
        return np.pad(x, pairs, mode="constant", constant_values=constant_values)
    return np.pad(x, pairs, mode=mode.lower())


def _split(np: Any, x: Any, sizes: Any, axis: int) -> list[Any]:
    if isinstance(sizes, list):
        ends = [sum(sizes[: at + 1]) for at in range(len(sizes) - 1)]
        return list(np.split(x, ends, axis))
    return list(np.split(x, sizes, axis))


def _ranges(begin: list[int], size: list[int]) -> tuple[slice, ...]:
    return tuple(slice(at, None if count == -1 else at + count) for at, count in zip(begin, size, strict=True))


def _products(np: Any) -> Ops:
    def turned(x: Any, transpose: bool, adjoint: bool) -> Any:
        return adjoint_of(np, x) if adjoint else np.swapaxes(x, -1, -2) if transpose else x

    def matmul(
        a: Any,
        b: Any,
        transpose_a: bool = False,
        transpose_b: bool = False,
        adjoint_a: bool = False,
        adjoint_b: bool = False,
    ) -> Any:
        return np.matmul(turned(a, transpose_a, adjoint_a), turned(b, transpose_b, adjoint_b))

    ops = {"linalg.matmul": ("matmul", matmul), "matmul": ("matmul", matmul)}
    ops["linalg.matvec"] = ("einsum", lambda a, b: np.einsum("...ij,...j->...i", a, b))
    return _having(np, ops)


def _choosing(np: Any) -> Ops:
    return _having(
        np,
        {
            "where": ("where", lambda condition, x, y: np.where(condition, x, y)),
            "clip_by_value": (
                "clip",
                lambda x, clip_value_min, clip_value_max: np.clip(x, clip_value_min, clip_value_max),
            ),
            "zeros_like": ("zeros_like", lambda x: np.zeros_like(x)),
            "ones_like": ("ones_like", lambda x: np.ones_like(x)),
        },
    )
