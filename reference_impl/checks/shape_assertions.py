"""Assertions about ranks, shapes and types: ``assert_rank``, ``assert_shapes``, ``assert_type`` (``tf.debugging``).

They raise ValueError or TypeError; most return None.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..dtypes import as_dtype, float32
from ..ops.checks import check_numerics
from ..ops.declare import public
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor
from .assertions import described, prefix


def _rank_of(rank: Any) -> int:
    """A rank that a user gave.  TypeError unless it is int32, ValueError unless it is a scalar."""
    rank = convert_to_tensor(rank)
    assert_type(rank, "int32")
    if rank._a.ndim:
        raise ValueError("Rank must be a scalar.")
    return int(rank._a)


def _refuse(message: str | None, must: str, x: EagerTensor) -> None:
    raise ValueError(
        f"{prefix(message)}Tensor  must have rank {must}.  Received rank {x._a.ndim}, shape {x.shape}"
    )  # fmt: skip


@public("debugging.assert_rank assert_rank")
def assert_rank(x: Any, rank: Any, message: str | None = None, name: str | None = None) -> None:
    """``x`` has this number of axes."""
    x, want = convert_to_tensor(x), _rank_of(rank)
    if x._a.ndim != want:
        _refuse(message, str(want), x)


@public("debugging.assert_rank_at_least")
def assert_rank_at_least(x: Any, rank: Any, message: str | None = None, name: str | None = None) -> None:
    """``x`` has at least this number of axes."""
    x, want = convert_to_tensor(x), _rank_of(rank)
    if x._a.ndim < want:
        _refuse(message, f"at least {want}", x)


@public("debugging.assert_rank_in")
def assert_rank_in(x: Any, ranks: Any, message: str | None = None, name: str | None = None) -> None:
    """The number of axes of ``x`` is one of ``ranks``."""
    x, wants = convert_to_tensor(x), tuple(_rank_of(r) for r in ranks)
    if x._a.ndim not in wants:
        _refuse(message, f"in {wants}", x)


@public("debugging.assert_integer")
def assert_integer(x: Any, message: str | None = None, name: str | None = None) -> None:
    """TypeError unless ``x`` is of an integer dtype."""
    x = convert_to_tensor(x)
    if not x.dtype.is_integer:
        raise TypeError(f'{prefix(message)}Expected "x" to be integer type.  Found: tensor of dtype {x.dtype!s}')


@public("debugging.assert_type")
def assert_type(tensor: Any, tf_type: Any, message: str | None = None, name: str | None = None) -> None:
    """TypeError unless the tensor has this dtype."""
    want, tensor = as_dtype(tf_type), convert_to_tensor(tensor)
    if tensor.dtype != want:
        raise TypeError(f"{prefix(message)}tensor must be of type {want!r}; got {tensor.dtype!r}")


@public("debugging.assert_scalar")
def assert_scalar(tensor: Any, message: str | None = None, name: str | None = None) -> None:
    """ValueError unless the tensor has no axes."""
    tensor = convert_to_tensor(tensor)
    if tensor._a.ndim:
        raise ValueError(f"{prefix(message)}Expected scalar shape, saw shape: {tensor.shape}.")


@public("debugging.assert_proper_iterable")
def assert_proper_iterable(values: Any) -> None:
    """TypeError for tensors, arrays and strings, and for what cannot be iterated over."""
    if isinstance(values, (EagerTensor, np.ndarray, str, bytes)):
        raise TypeError(f'Expected argument "values" to be a "proper" iterable.  Found: {type(values)}')
    if not hasattr(values, "__iter__"):
        raise TypeError(f'Expected argument "values" to be iterable.  Found: {type(values)}')


@public("debugging.assert_same_float_dtype")
def assert_same_float_dtype(tensors: Any = None, dtype: Any = None) -> Any:
    """The one floating dtype of all tensors; float32 when there are none.  ValueError when there is no such dtype."""
    want, example = dtype, None
    for t in tensors or ():
        if t is None:
            continue
        if not want:
            want, example = t.dtype, t
        elif want != t.dtype:
            origin = "" if example is None else f" as {example!s}"
            raise ValueError(f"{t!s}, type={t.dtype!s}, must be of the same type ({want!s}){origin}.")
    if not want:
        return float32
    if not want.is_floating:
        raise ValueError(f"Expected floating point type, got {want!s}.")
    return want


@public("debugging.is_numeric_tensor")
def is_numeric_tensor(tensor: Any) -> bool:
    """True for a tensor (not a variable) of numbers."""
    return isinstance(tensor, EagerTensor) and tensor._a.dtype.kind not in "bO" and not tensor._a.dtype.names


@public("debugging.assert_all_finite")
def assert_all_finite(x: Any, message: str, name: str | None = None) -> EagerTensor:
    """``x`` itself; InvalidArgumentError when it, or later its gradient, holds a nan or an infinity."""
    if not isinstance(message, str):
        raise TypeError(f"Expected string for argument 'message' not {message!r}.")
    return check_numerics(x, message)


class _Wanted(NamedTuple):
    """A tensor, the symbols of its axes, and True when they are those of its last axes only."""

    x: EagerTensor
    symbols: tuple
    innermost: bool


@public("debugging.assert_shapes")
def assert_shapes(
    shapes: Any, data: Any = None, summarize: int | None = None, message: str | None = None, name: str | None = None
) -> None:
    """Tensors have the shapes that go with them; equal symbols are equal sizes.

    ``shapes``: a dict, or pairs of a tensor and a tuple of sizes, symbols, and None or "." for any size; a leading
    "..." or "*" stands for any number of axes.  ValueError otherwise.
    """
    pairs = shapes.items() if isinstance(shapes, dict) else shapes
    wanted = [_wanted(convert_to_tensor(x), shape, message) for x, shape in pairs if shape is not None]
    for want in wanted:
        _check_rank(want, message)
    known: dict[Any, tuple[int, EagerTensor, int]] = {}
    for want in wanted:
        sizes = want.x._a.shape or (1,)
        for k, symbol in enumerate(want.symbols):
            axis = k - len(want.symbols) if want.innermost else k
            if symbol not in (None, "."):
                _check_size(want.x, sizes, axis, symbol, known, message)


def _wanted(x: EagerTensor, shape: Any, message: str | None) -> _Wanted:
    if not hasattr(shape, "__iter__") and not hasattr(shape, "__getitem__"):
        raise ValueError(
            f"{prefix(message)}Tensor {described(x)}.  Specified shape must be an iterable.  An iterable has the "
            f"attribute `__iter__` or `__getitem__`.  Received specified shape: {shape}"
        )
    symbols = tuple(shape)
    for k, symbol in enumerate(symbols):
        if k and (symbol is ... or symbol == "*"):
            raise ValueError(
                f"{prefix(message)}Tensor {described(x)} specified shape index {k}.  Symbol `...` or `*` for a "
                "variable number of unspecified dimensions is only allowed as the first entry"
            )
    innermost = bool(symbols) and (symbols[0] is ... or symbols[0] == "*")
    return _Wanted(x, (symbols[1:] if innermost else symbols) or (1,), innermost)


def _check_rank(want: _Wanted, message: str | None) -> None:
    rank = len(want.symbols)
    if want.innermost:
        if rank > 1:
            assert_rank_at_least(want.x, rank, message)
    elif rank < 2:
        assert_rank_in(want.x, [0, 1], message)
    else:
        assert_rank(want.x, rank, message)


def _number(symbol: Any) -> int | None:
    try:
        return int(symbol)
    except (TypeError, ValueError):
        return None


def _check_size(
    x: EagerTensor, sizes: tuple, axis: int, symbol: Any, known: dict[Any, tuple[int, EagerTensor, int]],
    message: str | None,
) -> None:  # fmt: skip
    """ValueError unless an axis has the size its symbol stands for; a new symbol gets its size."""
    size, says = _number(symbol), "Specified explicitly"
    if size is None:
        if symbol not in known:
            known[symbol] = (sizes[axis], x, axis)
            return
        size, other, place = known[symbol]
        says = f"Specified by tensor {described(other)} dimension {place}"
    if sizes[axis] != size:
        raise ValueError(
            f"{prefix(message)}{says}.  Tensor {described(x)} dimension {axis} must have size {size}.  Received size "
            f"{sizes[axis]}, shape {x.shape}"
        )
