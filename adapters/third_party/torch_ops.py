"""TensorFlow's ops in PyTorch's words: `torch_ops(torch)`. Only spelling; each op is one of PyTorch's functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from adapters.backend import UnsupportedStep
from adapters.third_party.numpy_named import Ops, named
from adapters.third_party.torch_more import more_ops

_SAME_NAME = (
    "add", "subtract", "multiply", "divide", "pow", "maximum", "minimum", "atan2", "square", "sqrt", "rsqrt",
    "reciprocal", "negative", "abs", "sign", "exp", "expm1", "log", "log1p", "sigmoid", "tanh", "sin", "cos", "tan",
    "asin", "acos", "atan", "sinh", "cosh", "asinh", "acosh", "atanh", "erf", "floor", "ceil", "round", "real", "imag",
    "conj", "xlogy", "greater", "less", "greater_equal", "less_equal", "not_equal", "logical_and", "logical_or",
    "logical_not",
)  # fmt: skip
_OPERATORS = {
    "mul": "multiply", "add": "add", "sub": "subtract", "truediv": "divide", "pow": "pow", "floordiv": "floor_divide",
    "mod": "remainder", "gt": "greater", "lt": "less", "ge": "greater_equal", "le": "less_equal", "neg": "negative",
    "abs": "abs", "matmul": "matmul",
}  # fmt: skip
_PLAIN_FUNCTIONS = ("relu", "relu6", "elu", "selu", "silu", "softsign")


def torch_ops(torch: Any) -> Ops:
    """The table."""
    ops: Ops = {}
    for name in _SAME_NAME:
        named(ops, name, getattr(torch, name))
    for ours, theirs in _OPERATORS.items():
        ops[f"operator.{ours}"] = getattr(torch, theirs)
    named(ops, "equal", torch.eq)
    named(ops, "floormod", torch.remainder)
    named(ops, "floordiv", torch.floor_divide)
    return ops | _activations(torch) | _reductions(torch) | _shaping(torch) | _others(torch) | more_ops(torch)


def _activations(torch: Any) -> Ops:
    functional = torch.nn.functional
    ops: Ops = {f"nn.{name}": getattr(functional, name) for name in _PLAIN_FUNCTIONS}
    ops["nn.leaky_relu"] = lambda x, alpha=0.2: functional.leaky_relu(x, alpha)
    ops["nn.gelu"] = lambda x, approximate=False: functional.gelu(x, approximate="tanh" if approximate else "none")
    ops["math.softplus"] = ops["nn.softplus"] = functional.softplus
    ops["math.log_sigmoid"] = functional.logsigmoid
    ops["nn.softmax"] = lambda x, axis=-1: torch.softmax(x, axis)
    ops["nn.log_softmax"] = lambda x, axis=-1: torch.log_softmax(x, axis)
    ops["nn.tanh"], ops["nn.sigmoid"] = torch.tanh, torch.sigmoid
    return ops


def _over_axes(function: Callable[..., Any], **more: Any) -> Callable[..., Any]:
    """A reduction over several axes; PyTorch takes an empty list for all of them."""

    def reduce(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
        if axis == [] or not x.ndim:
            if more:
                raise UnsupportedStep("a reduction over no axis")
            return x.clone()
        axes = list(range(x.ndim)) if axis is None else axis
        return function(x, dim=axes, keepdim=keepdims, **more)

    return reduce


def _reductions(torch: Any) -> Ops:
    ops: Ops = {}
    functions = {
        "reduce_sum": torch.sum, "reduce_mean": torch.mean, "reduce_max": torch.amax, "reduce_min": torch.amin,
        "reduce_all": torch.all, "reduce_any": torch.any, "reduce_logsumexp": torch.logsumexp,
    }  # fmt: skip
    for name, function in functions.items():
        named(ops, name, _over_axes(function))
    named(ops, "reduce_variance", _over_axes(torch.var, unbiased=False))
    named(ops, "reduce_std", _over_axes(torch.std, unbiased=False))
    named(ops, "reduce_prod", lambda x, axis=None, keepdims=False: _product(torch, x, axis, keepdims))
    ops["norm"] = lambda x, **named: _norm(torch, x, **named)
    ops["cumsum"] = ops["math.cumsum"] = _cumulative(torch.cumsum)
    ops["math.cumprod"] = _cumulative(torch.cumprod)
    return ops


def _product(torch: Any, x: Any, axis: Any, keepdims: bool) -> Any:
    if isinstance(axis, list):
        raise UnsupportedStep("torch.prod takes one dimension")
    if axis is None and keepdims:
        raise UnsupportedStep("torch.prod over all dimensions keeps none")
    return torch.prod(x) if axis is None else torch.prod(x, axis, keepdims)


def _norm(torch: Any, x: Any, ord: Any = "euclidean", axis: Any = None, keepdims: bool = False) -> Any:
    if isinstance(ord, str) and ord not in ("euclidean", "fro"):
        raise UnsupportedStep(f"torch has no norm of order {ord}")
    return torch.linalg.vector_norm(x, 2 if isinstance(ord, str) else ord, axis, keepdims)


def _cumulative(function: Callable[..., Any]) -> Callable[..., Any]:
    def cumulative(x: Any, axis: int = 0, exclusive: bool = False, reverse: bool = False) -> Any:
        if exclusive or reverse:
            raise UnsupportedStep("cumulative ops are neither exclusive nor reverse in torch")
        return function(x, axis)

    return cumulative


def _shaping(torch: Any) -> Ops:
    return {
        "reshape": lambda x, shape: torch.reshape(x, tuple(shape)),
        "transpose": lambda x, perm=None: x.permute(tuple(perm or range(x.ndim)[::-1])),
        "squeeze": lambda x, axis=None: torch.squeeze(x) if axis is None else torch.squeeze(x, tuple(axis)),
        "expand_dims": torch.unsqueeze,
        "broadcast_to": lambda x, shape: torch.broadcast_to(x, tuple(shape)),
        "tile": lambda x, multiples: torch.tile(x, tuple(multiples)),
        "pad": lambda *args, **named: _pad(torch, *args, **named),
        "reverse": lambda x, axis: torch.flip(x, axis),
        "roll": lambda x, shift, axis: torch.roll(x, shift, axis),
        "concat": lambda values, axis: torch.cat(values, axis),
        "stack": lambda values, axis=0: torch.stack(values, axis),
        "split": lambda x, num_or_size_splits, axis=0: _split(torch, x, num_or_size_splits, axis),
        "unstack": lambda x, axis=0: torch.unbind(x, axis),
        "operator.getitem": _item,
        "slice": lambda x, begin, size: x[
            tuple(slice(at, None if n == -1 else at + n) for at, n in zip(begin, size, strict=True))
        ],
        "gather": lambda x, indices, axis=0: _gather(torch, x, indices, axis),
    }


def _pad(torch: Any, x: Any, paddings: Any, mode: str = "CONSTANT", constant_values: Any = 0) -> Any:
    if mode != "CONSTANT":
        raise UnsupportedStep("torch reflects only along the last dimensions")
    flat = [amount for pair in reversed(list(paddings)) for amount in pair]
    return torch.nn.functional.pad(x, flat, value=constant_values)


def _split(torch: Any, x: Any, sizes: Any, axis: int) -> Any:
    return torch.split(x, sizes if isinstance(sizes, list) else x.shape[axis] // sizes, axis)


def _item(x: Any, index: Any) -> Any:
    parts = index if isinstance(index, tuple) else (index,)
    if any(isinstance(part, slice) and isinstance(part.step, int) and part.step < 0 for part in parts):
        raise UnsupportedStep("torch has no steps backwards")
    return x[index]


def _gather(torch: Any, x: Any, indices: Any, axis: int) -> Any:
    at = torch.as_tensor(indices, dtype=torch.int64)
    made = torch.index_select(x, axis, at.reshape(-1))
    place = axis % x.ndim
    return made.reshape(x.shape[:place] + at.shape + x.shape[place + 1 :])


def _others(torch: Any) -> Ops:
    def turned(x: Any, transpose: bool, adjoint: bool) -> Any:
        return x.mH if adjoint else x.mT if transpose else x

    def matmul(
        a: Any,
        b: Any,
        transpose_a: bool = False,
        transpose_b: bool = False,
        adjoint_a: bool = False,
        adjoint_b: bool = False,
    ) -> Any:
        return torch.matmul(turned(a, transpose_a, adjoint_a), turned(b, transpose_b, adjoint_b))

    return {
        "linalg.matmul": matmul,
        "matmul": matmul,
        "linalg.matvec": lambda a, b: torch.einsum("...ij,...j->...i", a, b),
        "where": lambda condition, x, y: torch.where(condition, x, y),
        "clip_by_value": lambda x, clip_value_min, clip_value_max: torch.clamp(x, clip_value_min, clip_value_max),
        "zeros_like": torch.zeros_like,
        "ones_like": torch.ones_like,
        "complex": torch.complex,
        "cast": lambda x, dtype: x.to(getattr(torch, dtype.name)),
    }
