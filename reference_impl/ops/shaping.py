"""Rearranging without arithmetic: reshape, broadcast_to, transpose, stack."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from ..dtypes import F32
from ..errors import invalid, unnamed
from ..tapes.recording import active
from ..tensors.conversion import convert_to_tensor, unsupported
from ..tensors.slices import IndexedSlices
from ..tensors.tensor import EagerTensor, is_tensor, wrap
from .arguments import whole
from .declare import Op, apply, kernel, public
from .given_sizes import sizes
from .run import make_unary, mismatch

_SMALL = 1 << 12
_ALL = "float complex int bool string"


def ints(value: Any) -> tuple[int, ...]:
    """A shape or list of axes given as a tensor, array, TensorShape or sequence, as a tuple of ints."""
    if type(value) is EagerTensor:
        value = value._a
    if isinstance(value, np.ndarray):
        return tuple(value.ravel().tolist())
    if hasattr(value, "__iter__"):
        return tuple(int(v) for v in value)
    if value is None or type(value) is float:
        raise _no_integer(value)
    return (int(value),)


def _no_integer(value: Any) -> Exception:
    """TensorFlow's error for what does not become an int32 tensor."""
    if value is None:
        text = "Attempt to convert a value (None) with an unsupported type (<class 'NoneType'>) to a Tensor."
        return ValueError(text)
    return TypeError(f"Cannot convert {value} to EagerTensor of dtype int32")


def resolved(shape: tuple[int, ...], have: tuple[int, ...], name: str | None = None) -> tuple[int, ...]:
    """``shape`` with its -1 filled in for a tensor of shape ``have``.  TensorFlow's error when the sizes do not agree.

    Beside a 0 the -1 stands for what the axes that have elements hold.
    """
    if shape.count(-1) > 1:
        first, second = (k for k, d in enumerate(shape) if d == -1)
        raise unnamed("Reshape", f"Only one input size may be -1, not both {first} and {second}", name)
    size = math.prod(have)
    text = f"Input to reshape is a tensor with {size} values, but the requested shape "
    if -1 in shape:
        held = [d for d in have if d] if 0 in shape else have
        known, whole = math.prod(d for d in shape if d > 0), math.prod(held)
        if whole % known and len(held) == len(have):
            raise unnamed("Reshape", f"{text}requires a multiple of {known}", name)
        shape = tuple(whole // known if d == -1 else d for d in shape)
    if math.prod(shape) != size:
        raise unnamed("Reshape", f"{text}has {math.prod(shape)}", name)
    return shape


def reshaped(x: Any, shape: tuple[int, ...]) -> Any:
    """An array in another shape; TensorFlow's error when it has not as many elements."""
    try:
        return x.reshape(shape) if shape else x.reshape(())[()]
    except ValueError:
        if active.rowless and -1 not in shape:  # no rows can be reshaped to no rows of any shape
            return np.zeros(shape, x.dtype)[()]
        size, want = x.size, math.prod(shape)
        text = f"Input to reshape is a tensor with {size} values, but the requested shape has {want}"
        raise invalid("Reshape", text) from None


reshape_ = kernel(
    "reshape", "Reshape", types=_ALL, forward=reshaped,
    gradient=lambda F, dy, _y, x, shape: F.reshape(dy, shape=F.shape(x)),
)  # fmt: skip


def _back_to_its_own(F: Any, dy: Any, _y: Any, x: Any) -> Any:
    if dy is None:
        raise unsupported(None)
    if F.shape(dy) != F.shape(x):
        return F.reshape(dy, shape=F.shape(x))
    return _to_its_own(dy) if F.recording else dy


# A reshape to the shape that a tensor has, in the form that costs least: recorded gradients are full of them.
_to_its_own = make_unary(Op("to_its_own", "Reshape", lambda x: x, _back_to_its_own, 1, {}))


@public("reshape")
def reshape(tensor: Any, shape: Any, name: str | None = None) -> EagerTensor:
    """The same values in another shape, one size of which may be -1 (``tf.reshape``)."""
    tensor = convert_to_tensor(tensor)
    return reshape_(tensor, shape=resolved(sizes("Reshape", "shape", shape, name), tensor._a.shape, name))


def _reduce_to(F: Any, dy: Any, shape: tuple[int, ...]) -> Any:
    """``dy`` summed over the axes along which ``shape`` was broadcast, in that shape."""
    have = F.shape(dy)
    if have == shape:
        return dy
    lead = len(have) - len(shape)
    axes = tuple(range(lead)) + tuple(lead + k for k, d in enumerate(shape) if d == 1 and have[lead + k] != 1)
    return F.reshape(F.sum(dy, axis=axes, keepdims=False), shape=shape)


def unbroadcast(F: Any, g: Any, shape: tuple[int, ...], other: tuple[int, ...], reshaped: bool = False) -> Any:
    """``g`` summed over the axes along which an input of ``shape`` was broadcast, judged by the forward shapes.

    An axis of size 1 counts as broadcast as soon as the shapes differ: only a wrong upstream shows it.  ``reshaped``:
    a recorded gradient is reshaped even to its own shape, which only a wrong upstream of second order shows, and summed
    over no axes, which only a dtype without a sum shows.
    """
    if reshaped and F.recording:
        if type(g) is EagerTensor and g._a.dtype is F32 and g._a.shape == shape and _keeps_axes(shape, other):
            return _to_its_own(g)
        g = convert_to_tensor(g)
        if F.dtype(g) is not F32:
            F.sum.op.check(F.dtype(g))
    rank = max(len(shape), len(other))
    padded = (1,) * (rank - len(shape)) + shape
    axes = tuple(k for k, d in enumerate(padded) if d == 1)
    if axes and other != shape:
        have = F.shape(g)
        if len(have) != rank or any(have[k] != 1 for k in axes):  # a sum of one is no sum: it keeps the sign of a zero
            g = F.sum(g, axis=axes, keepdims=False)
    if F.shape(g) != shape:
        return F.reshape(g, shape=shape)
    return _to_its_own(g) if reshaped and F.recording else g


def _keeps_axes(shape: tuple[int, ...], other: tuple[int, ...]) -> bool:
    """True for a shape none of whose axes can be broadcast next to another one."""
    return len(other) <= len(shape) and 1 not in shape


def _unspread(F: Any, dy: Any, _y: Any, _x: Any, shape: tuple[int, ...]) -> Any:
    source = F.shape(_x)
    padded = (1,) * (len(shape) - len(source)) + source
    fits = F.shape(dy) == shape or shape == source
    axes = tuple(k for k, d in enumerate(padded) if d == 1 and not (fits and shape[k] == 1))  # as in unbroadcast
    if axes:
        dy = F.sum(dy, axis=axes, keepdims=True)
    elif F.recording:  # TensorFlow sums over no axes, which only what is no tensor of numbers shows
        dy = convert_to_tensor(dy)
        F.sum.op.check(F.dtype(dy))
    return F.reshape(dy, shape=source)  # another tensor, even of the same shape


def repeated(x: Any, shape: tuple[int, ...]) -> Any:
    """An array repeated to a larger shape; TensorFlow's error when it does not fit.

    NumPy's view takes longer to make than a small array takes to fill.
    """
    try:
        if math.prod(shape) <= _SMALL and isinstance(x, (np.ndarray, np.number)) and x.ndim <= len(shape):
            filled = np.empty(shape, x.dtype)
            filled[...] = x
            return filled
        return np.broadcast_to(x, shape)
    except ValueError:
        have, want = (str(list(s)).replace(" ", "") for s in (x.shape, shape))
        text = f"Incompatible shapes: {have} vs. {want}"
        if x.ndim > len(shape):
            text = f"Rank of input ({x.ndim}) must be no greater than rank of output shape ({len(shape)})."
        elif all(1 in (d, e) or d == e for d, e in zip(x.shape[::-1], shape[::-1])):
            text = f"Unable to broadcast tensor of shape {have} to tensor of shape {want}"
        raise unnamed("BroadcastTo", text) from None


broadcast_to_ = kernel(
    "broadcast_to", "BroadcastTo", types=_ALL, forward=repeated,
    gradient=_unspread,
)  # fmt: skip


@public("broadcast_to")
def broadcast_to(input: Any, shape: Any, name: str | None = None) -> EagerTensor:
    """``input`` repeated to a larger shape (``tf.broadcast_to``)."""
    size = sizes("BroadcastTo", "shape", shape, name)
    if min(size, default=0) < 0:
        raise unnamed("BroadcastTo", f"Dimension {next(n for n in size if n < 0)} must be >= 0", name)
    return broadcast_to_(convert_to_tensor(input), shape=size)


def _transposed(x: Any, perm: tuple[int, ...]) -> Any:
    if len(perm) != x.ndim:
        text = f"transpose expects a vector of size {x.ndim}. But input(1) is a vector of size {len(perm)}"
        raise unnamed("Transpose", text)
    return x.transpose(perm)


transpose_ = kernel(
    "transpose", "Transpose", types=_ALL, forward=_transposed,
    gradient=lambda F, dy, _y, _x, perm: F.transpose(dy, perm=tuple(sorted(range(len(perm)), key=perm.__getitem__))),
)  # fmt: skip


@public("transpose")
def transpose(a: Any, perm: Any = None, conjugate: bool = False, name: str = "transpose") -> EagerTensor:
    """Axes in another order, reversed by default (``tf.transpose``)."""
    a = convert_to_tensor(a)
    order = tuple(reversed(range(a._a.ndim))) if perm is None else sizes("Transpose", "perm", perm, name)
    y = transpose_(a, perm=_permutation(order, a._a.ndim, None if name == "transpose" else name))
    from .arithmetic import conj

    return conj(y) if conjugate else y


def _permutation(order: tuple[int, ...], rank: int, name: str | None) -> tuple[int, ...]:
    if len(order) != rank:
        text = f"transpose expects a vector of size {rank}. But input(1) is a vector of size {len(order)}"
        raise unnamed("Transpose", text, name)
    for p in order:
        if not -rank <= p < rank:
            raise unnamed("Transpose", f"{p} is out of range [0 .. {rank})", name)
    perm = tuple(p % rank for p in order)
    for k in range(rank):
        if k not in perm:
            raise unnamed("Transpose", f"{k} is missing from {{{','.join(map(str, order))}}}.", name)
    return perm


def _pack_gradient(F: Any, dy: Any, _y: Any, *_xs: Any, axis: int) -> Any:
    return tuple(F.unstack(dy, axis=axis, num=len(_xs)))


def _each(dy: Any) -> Any:
    """The upstreams of an op with any number of outputs, also one."""
    return dy if type(dy) in (tuple, list) else (dy,)


def _unpack_gradient(F: Any, dy: Any, _y: Any, _x: Any, axis: int, num: int | None = None) -> Any:
    parts = _each(dy)
    if any(part is None for part in parts):
        raise unsupported(None)
    _check_axis(len(F.shape(parts[0])) + 1 if parts else axis + 1, axis)
    return F.stack(*parts, axis=axis)


def _check_axis(rank: int, axis: int) -> None:
    if not -rank <= axis < rank:
        raise ValueError(f"Argument `axis` = {axis} not in range [{-rank}, {rank})")


def _check_packed(*xs: Any, axis: int) -> None:
    for k, x in enumerate(xs):
        if x.dtype is not xs[0].dtype:
            mismatch(pack.op, xs[0].dtype, x.dtype, None, k)
    _check_pack([x.shape for x in xs], None)


def _check_pack(shapes: list[tuple[int, ...]], name: str | None) -> None:
    for k, shape in enumerate(shapes):
        if shape != shapes[0]:
            text = f"values[0].shape = {_brackets(shapes[0])} != values[{k}].shape = {_brackets(shape)}"
            raise invalid("Pack", f"Shapes of all inputs must match: {text}", name, count=len(shapes))


def _check_unpack(shape: tuple[int, ...], axis: int, num: int | None) -> None:
    rank, sizes = len(shape), "" if num is None else f"num_{num}"
    if not -rank <= axis < rank:
        raise invalid("Unpack", f"axis = {axis} not in [{-rank}, {rank})", sizes=sizes)
    if num is not None and shape[axis] != num:
        text = f"Input shape axis {axis} must equal {num}, got shape {_brackets(shape)}"
        raise invalid("Unpack", text, sizes=sizes)


def _brackets(shape: tuple[int, ...]) -> str:
    return "[" + ",".join(map(str, shape)) + "]"


pack = kernel(
    "stack", "Pack", types=_ALL, forward=lambda *xs, axis: np.stack(xs, axis=axis), gradient=_pack_gradient,
    fits=_check_packed,
)  # fmt: skip
unpack = kernel(
    "unstack", "Unpack", types=_ALL,
    forward=lambda x, axis, num=None: tuple(np.moveaxis(x, axis, 0)[k] for k in range(x.shape[axis])),
    gradient=_unpack_gradient,
    fits=lambda x, axis, num=None: _check_unpack(x.shape, axis, num),
)  # fmt: skip


@public("stack")
def stack(values: Any, axis: int = 0, name: str = "stack") -> EagerTensor:
    """Tensors of one shape, put side by side along a new axis (``tf.stack``)."""
    if axis == 0 and not any(is_tensor(v) for v in values):
        try:
            return convert_to_tensor(list(values))
        except (TypeError, ValueError):  # no array of numbers: each is converted alone, and the error is about it
            pass
    tensors = _of_one_dtype(values)
    rank = tensors[0]._a.ndim + 1
    if not -rank <= axis < rank:
        raise ValueError(f"Argument `axis` = {axis} not in range [{-rank}, {rank})")
    _check_pack([t._a.shape for t in tensors], name)
    return apply(pack.op, tuple(tensors), {"axis": axis})


def _concat_gradient(F: Any, dy: Any, _y: Any, *_xs: Any, axis: int) -> Any:
    if dy is None or (F.recording and type(dy) not in (EagerTensor, IndexedSlices)):
        raise TypeError(f"Expected Tensor or IndexedSlices, got {type(dy)}")
    sizes = tuple(F.shape(x)[axis] for x in _xs)
    if type(dy) is IndexedSlices:
        along = axis % len(F.shape(_xs[0]))
        return _columns_of_each(F, dy, _xs, sizes, along) if along else _rows_of_each(F, dy, _xs, sizes)
    return F.split(dy, sizes=sizes, axis=axis)


def _rows_of_each(F: Any, dy: Any, xs: tuple, sizes: tuple[int, ...]) -> tuple:
    """The rows of sparse ``dy`` that belong to each of the concatenated inputs."""
    indices = F.stopped(dy.indices)
    parts, start = [], 0
    for x, size in zip(xs, sizes):
        mine = np.nonzero((indices >= start) & (indices < start + size))[0]
        shape = np.array(F.shape(x), np.int32)
        rows, new = F.take_rows(dy.values, mine), (indices[mine] - start).astype(indices.dtype)
        parts.append(IndexedSlices(rows, wrap(new), wrap(shape)) if F.recording else IndexedSlices(rows, new, shape))
        start += size
    return tuple(parts)


def _columns_of_each(F: Any, dy: Any, xs: tuple, sizes: tuple[int, ...], axis: int) -> tuple:
    """All rows of sparse ``dy`` for each of the inputs that were put side by side, cut to its width."""
    parts, start, rows = [], 0, F.shape(dy.values)[0]
    for x, size in zip(xs, sizes):
        begin = tuple(start if k == axis else 0 for k in range(len(F.shape(x))))
        values = F.slice(dy.values, begin=begin, size=(rows, *F.shape(x)[1:]))
        shape = np.array(F.shape(x), np.int32)
        parts.append(IndexedSlices(values, dy.indices, wrap(shape) if F.recording else shape))
        start += size
    return tuple(parts)


def _check_joined(*xs: Any, axis: int) -> None:
    for k, x in enumerate(xs):
        if x.dtype is not xs[0].dtype:
            mismatch(concat_.op, xs[0].dtype, x.dtype, None, k)
    _check_concat([x.shape for x in xs], axis, None)


concat_ = kernel(
    "concat", "ConcatV2", types=_ALL, sparse=True, forward=lambda *xs, axis: np.concatenate(xs, axis=axis),
    fits=_check_joined,
    gradient=_concat_gradient,
)  # fmt: skip


def _split(x: Any, sizes: tuple[int, ...], axis: int) -> tuple:
    ends = np.cumsum((0, *sizes)).tolist()
    lead = (slice(None),) * axis
    return tuple(x[(*lead, slice(a, b))] for a, b in itertools.pairwise(ends))


def _check_split(x: Any, sizes: tuple[int, ...], axis: int) -> None:
    rank, total, number = x.ndim, sum(sizes), f"num_split_{len(sizes)}"
    if not -rank <= axis < rank:
        text = f"-input rank(-{rank}) <= split_dim < input rank ({rank}), but got {axis}"
        raise invalid("SplitV", text, sizes=number)
    if x.shape[axis] != total:
        text = "Determined shape must either match input shape along split_dim exactly if fully specified, or be less "
        text = f"{text}than the size of the input along split_dim if not fully specified.  Got: {total}"
        raise invalid("SplitV", text, sizes=number)


def _unsplit(F: Any, dy: Any, _y: Any, _x: Any, sizes: tuple[int, ...], axis: int) -> Any:
    parts = _each(dy)
    if len(parts) == 1:
        return parts[0] if type(parts[0]) is IndexedSlices else F.identity(parts[0])
    return F.concat(*[F.dense(part) for part in parts], axis=axis)


split_ = kernel(
    "split", "SplitV", types=_ALL, forward=_split, fits=_check_split,
    gradient=_unsplit, sparse=True,
)  # fmt: skip


def _of_one_dtype(values: Any) -> list[EagerTensor]:
    """Values as tensors; what is none takes the dtype of the first tensor, or of the first value.

    TypeError for Python numbers that do not fit it; arrays are cast.
    """
    first = next((v for v in values if is_tensor(v)), None)
    dtype = None if first is None else convert_to_tensor(first).dtype
    found = []
    for v in values:
        found.append(convert_to_tensor(v) if is_tensor(v) or dtype is None else convert_to_tensor(v, dtype))
        dtype = found[0].dtype if dtype is None else dtype
    return found


@public("concat")
def concat(values: Any, axis: Any, name: str = "concat") -> EagerTensor:
    """Tensors joined along an axis they have (``tf.concat``)."""
    if not isinstance(values, (list, tuple)):
        values = [values]
    tensors = tuple(_of_one_dtype(values))
    (axis,), rank = ints(whole("ConcatV2", "axis", axis, name)), tensors[0]._a.ndim
    if len(tensors) == 1:
        from .casting import identity

        return identity(tensors[0])
    for k, t in enumerate(tensors):
        mismatch(concat_.op, tensors[0]._a.dtype, t._a.dtype, name, k)
    _check_concat([t._a.shape for t in tensors], axis, name)
    return apply(concat_.op, tensors, {"axis": axis % rank})


def _check_concat(shapes: list[tuple[int, ...]], axis: int, name: str | None) -> None:
    fault = _concat_fault(shapes, axis)
    if fault:
        raise invalid("ConcatV2", f"ConcatOp : {fault}", name, count=len(shapes))


def _concat_fault(shapes: list[tuple[int, ...]], axis: int) -> str | None:
    """Why tensors of these shapes cannot be concatenated, in TensorFlow's words."""
    first = shapes[0]
    rank = len(first)
    if not -rank <= axis < rank and (rank or axis):
        return f"Expected concatenating dimensions in the range [{-rank}, {rank}), but got {axis}"
    for k, shape in enumerate(shapes):
        if not shape:
            return "Can't concatenate scalars (use tf.stack instead)"
        compared = f"shape[0] = {_brackets(first)} vs. shape[{k}] = {_brackets(shape)}"
        if len(shape) != rank:
            return f"Ranks of all input tensors should match: {compared}"
        for j, (d, e) in enumerate(zip(first, shape)):
            if d != e and j != axis % rank:
                return f"Dimension {j} in both shapes must be equal: {compared}"
    return None


__all__ = ["broadcast_to", "concat", "ints", "reshape", "stack", "transpose"]
