"""What functions of tensors do when they meet a ragged tensor."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..foundation.building import Undense
from ..ops.declare import NAMES
from ..tensors.conversion import convert_to_tensor
from .functions import concatenated, pairwise
from .reducing import reduced
from .shaping import expanded, reversed_rows, softmax_of_rows, stacked, tiled
from .tensor import RaggedTensor

_ELEMENTWISE = frozenset(
    ("abs", "cast", "identity", "stop_gradient", "zeros_like", "ones_like", "softplus", "divide", "round", "relu",
     "sigmoid", "clip_by_value", "leaky_relu", "elu", "gelu", "silu", "dropout", "sign", "sqrt", "logical_not")
)  # fmt: skip
_REDUCTIONS = (
    "reduce_sum", "reduce_mean", "reduce_max", "reduce_min", "reduce_prod", "reduce_any", "reduce_all",
    "reduce_variance", "reduce_std",
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


def _gather(
    params: Any, indices: Any, validate_indices: Any = None, axis: Any = None, batch_dims: int = 0, name: Any = None
) -> RaggedTensor:
    """Rows at indices, one of the two ragged or both; along the first axis, or the second one batch by batch."""
    if (axis not in (None, 0) and axis != batch_dims) or batch_dims > 1:
        raise NotImplementedError(f"gather of ragged tensors along axis {axis} with batch_dims={batch_dims}")
    if batch_dims:
        return _gather_in_rows(
            RaggedTensor.from_tensor(params) if type(params) is not RaggedTensor else params, indices
        )
    if type(indices) is not RaggedTensor:
        return params._gathered_(convert_to_tensor(indices)._a)
    return indices.with_values(NAMES["gather"](params, indices.values))


def _gather_in_rows(params: RaggedTensor, indices: Any) -> RaggedTensor:
    """Of each row of ``params`` the entries at the indices in the row of ``indices``."""
    rows = indices if type(indices) is RaggedTensor else RaggedTensor.from_tensor(indices)
    starts = NAMES["gather"](NAMES["cast"](params.row_starts(), rows.values.dtype), rows.value_rowids())
    return rows.with_values(NAMES["gather"](params.values, rows.values + starts))


def _size(input: Any, *_: Any, **__: Any) -> Any:
    return NAMES["size"](input.flat_values)


def _rank(input: Any, *_: Any, **__: Any) -> Any:
    return convert_to_tensor(len(input.shape))


def _one_hot(indices: Any, depth: Any, *more: Any, **named: Any) -> RaggedTensor:
    return indices._each_(lambda values: NAMES["one_hot"](values, depth, *more, **named))


def _add_n(inputs: Any, name: Any = None) -> Any:
    return inputs[0].with_flat_values(NAMES["add_n"]([x.flat_values for x in inputs]))


def _where(condition: Any, x: Any = None, y: Any = None, name: Any = None) -> RaggedTensor:
    first = next(v for v in (condition, x, y) if type(v) is RaggedTensor)
    flat = [v.flat_values if type(v) is RaggedTensor else v for v in (condition, x, y)]
    return first.with_flat_values(NAMES["where"](*flat))


_OWN: dict[str, Callable[..., Any]] = {
    **{name: _reduction(name) for name in _REDUCTIONS},
    "add_n": _add_n,
    "concat": lambda values, axis, name=None: concatenated(values, int(axis)),
    "expand_dims": lambda input, axis=0, name=None: expanded(input, axis),
    "gather": _gather,
    "size": _size,
    "one_hot": _one_hot,
    "rank": _rank,
    "reverse": lambda tensor, axis, name=None: reversed_rows(tensor, axis),
    "softmax": lambda logits, axis=None, name=None: softmax_of_rows(logits),
    "stack": lambda values, axis=0, name="stack": stacked(values, axis),
    "tile": lambda input, multiples, name=None: tiled(input, multiples),
    "where": _where,
}
