"""What functions of tensors do when they meet a ragged tensor."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..foundation.building import Undense
from .functions import concatenated, pairwise, reduced
from .tensor import RaggedTensor

_ELEMENTWISE = frozenset(
    ("abs", "cast", "identity", "stop_gradient", "zeros_like", "ones_like", "softplus", "divide", "round", "relu",
     "sigmoid", "clip_by_value", "leaky_relu", "elu", "gelu", "silu", "dropout", "sign", "sqrt", "logical_not")
)  # fmt: skip
_PAIRWISE = frozenset(("pow", "divide", "floordiv", "floormod", "add", "subtract", "multiply"))


def called(error: Undense, function: Any, args: tuple, kwargs: dict) -> Any:
    """``function(*args, **kwargs)``, where one of the arguments is ragged; ``error`` when it knows no such."""
    name = function.__name__
    if name in _PAIRWISE and len(args) >= 2:
        return pairwise(function, *args[:2])
    if name in _ELEMENTWISE and args:
        return args[0]._each_(lambda values: function(values, *args[1:], **kwargs))
    own = _OWN.get(name)
    if own is None:
        raise ValueError(str(error)) from None
    return own(*args, **kwargs)


def _reduction(name: str) -> Callable[..., Any]:
    def reduce(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: Any = None) -> Any:
        return reduced(kind, input_tensor, axis, keepdims)

    kind = name
    return reduce


def _gather(params: Any, indices: Any, validate_indices: Any = None, axis: Any = None, **_: Any) -> RaggedTensor:
    from ..tensors.conversion import convert_to_tensor

    return params._gathered_(convert_to_tensor(indices)._a)


def _size(input: Any, *_: Any, **__: Any) -> Any:
    from ..ops.declare import NAMES

    return NAMES["size"](input.flat_values)


def _rank(input: Any, *_: Any, **__: Any) -> Any:
    from ..tensors.conversion import convert_to_tensor

    return convert_to_tensor(len(input.shape))


def _where(condition: Any, x: Any = None, y: Any = None, name: Any = None) -> RaggedTensor:
    from ..ops.declare import NAMES

    first = next(v for v in (condition, x, y) if type(v) is RaggedTensor)
    flat = [v.flat_values if type(v) is RaggedTensor else v for v in (condition, x, y)]
    return first.with_flat_values(NAMES["where"](*flat))


_OWN: dict[str, Callable[..., Any]] = {
    **{name: _reduction(name) for name in ("reduce_sum", "reduce_mean", "reduce_max", "reduce_min", "reduce_prod")},
    "concat": lambda values, axis, name=None: concatenated(values, int(axis)),
    "gather": _gather,
    "size": _size,
    "rank": _rank,
    "where": _where,
}
