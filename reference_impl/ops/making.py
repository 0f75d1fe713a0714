"""Tensors made from sizes and single values: zeros, ones, fill, eye, range, linspace, one_hot, shape and size."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np

from ..dtypes import as_dtype, float32, int32
from ..errors import invalid, unnamed
from ..foundation.building import graph_being_built
from ..tapes.beside import noting_wholes
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor, wrap
from .arguments import check
from .casting import cast
from .declare import kernel, public
from .given_sizes import sizes
from .kernels.refusals import brackets
from .shaping import broadcast_to, concat, ints, reshape, stack
from .squeezing import expand_dims
from .tiling import slice_of

_ALL = "float complex int bool string"


fill_ = kernel(
    "fill", "Fill", types=_ALL,  # a vector of one number fills any shape, too
    forward=lambda value, shape: np.broadcast_to(value.reshape(()), shape)[()],
    gradient=lambda F, dy, _y, _value, shape: F.sum(dy, axis=tuple(range(F.rank(dy))), keepdims=False),
)  # fmt: skip
zeros_like_ = kernel(
    "zeros_like_op", "ZerosLike", types=_ALL, forward=lambda x: np.zeros(x.shape, x.dtype), gradient=None
)
ones_like_ = kernel("ones_like_op", "OnesLike", types=_ALL, forward=lambda x: np.ones(x.shape, x.dtype), gradient=None)
range_ = kernel(
    "range", "Range", gradient=None,
    forward=lambda start, limit, delta, dtype: _steps(start, limit, delta).astype(dtype),
)  # fmt: skip


def _steps(start: Any, limit: Any, delta: Any) -> Any:
    count = int(np.ceil((float(limit) - float(start)) / float(delta))) if start.dtype.kind == "f" else None
    if count is None:
        return np.arange(int(start), int(limit), int(delta))
    return start + np.arange(max(count, 0)).astype(start.dtype) * delta


def _hot(on: Any, off: Any, indices: np.ndarray, depth: int, axis: int) -> Any:
    hit = np.expand_dims(indices, axis) == np.arange(depth).reshape(
        [-1 if k == axis else 1 for k in range(indices.ndim + 1)]
    )
    return np.where(hit, on, off)


one_hot_ = kernel("one_hot", "OneHot", types=_ALL, forward=_hot, gradient=None)


@public("fill")
def fill(dims: Any, value: Any, name: str | None = None, layout: Any = None) -> EagerTensor:
    """A tensor of shape ``dims`` full of one value (``tf.fill``), through which the gradient is summed."""
    value, shape = convert_to_tensor(value), sizes("Fill", "dims", dims, name)
    if value._a.ndim and (value._a.shape != (1,) or graph_being_built() is not None):  # one number will do, here
        size = ",".join(map(str, value._a.shape))
        raise unnamed("Fill", f"value must represent a scalar, got shape [{size}]", name)
    for d in shape:
        if d < 0:
            raise unnamed("Fill", f"Dimension {d} must be >= 0", name)
    return fill_(value, shape=shape)


def _full(shape: Any, dtype: Any, value: int) -> EagerTensor:
    want, shape = as_dtype(dtype), sizes("Fill", "dims", shape, None, True)
    if want.name == "string":
        filled = np.empty(shape, object)
        filled.fill(b"")
        return wrap(filled)
    return wrap(np.full(shape, value, want.numpy))


@public("zeros")
def zeros(shape: Any, dtype: Any = float32, name: str | None = None, layout: Any = None) -> EagerTensor:
    """Zeros, False or empty strings (``tf.zeros``)."""
    return _full(shape, dtype, 0)


@public("ones")
def ones(shape: Any, dtype: Any = float32, name: str | None = None, layout: Any = None) -> EagerTensor:
    """Ones or True (``tf.ones``)."""
    return _full(shape, dtype, 1)


@public("zeros_like")
def zeros_like(input: Any, dtype: Any = None, name: str | None = None, layout: Any = None) -> EagerTensor:
    """Zeros of the shape of ``input`` (``tf.zeros_like``)."""
    x = convert_to_tensor(input)
    if x.dtype.name == "string" or (dtype is not None and as_dtype(dtype) is not x.dtype):
        return zeros(x._a.shape, x.dtype if dtype is None else dtype)
    return zeros_like_(x)


@public("ones_like")
def ones_like(input: Any, dtype: Any = None, name: str | None = None, layout: Any = None) -> EagerTensor:
    """Ones of the shape of ``input`` (``tf.ones_like``)."""
    x = convert_to_tensor(input)
    if dtype is not None and as_dtype(dtype) is not x.dtype:
        return ones(x._a.shape, dtype)
    return ones_like_(x)


@public("eye linalg.eye")
def eye(
    num_rows: Any, num_columns: Any = None, batch_shape: Any = None, dtype: Any = float32, name: str | None = None
) -> EagerTensor:
    """Identity matrices (``tf.eye``)."""
    (rows,) = ints(num_rows)
    (columns,) = ints(num_rows if num_columns is None else num_columns)
    batch = () if batch_shape is None else ints(batch_shape)
    if min(rows, columns) < 0:
        raise invalid("Fill", f"Dimension {min(rows, columns)} must be >= 0")
    return wrap(np.array(np.broadcast_to(np.eye(rows, columns, dtype=as_dtype(dtype).numpy), (*batch, rows, columns))))


_WIDTHS = ("int32", "int64", "float16", "bfloat16", "float32", "float64")


@public("range")
def range(start: Any, limit: Any = None, delta: Any = 1, dtype: Any = None, name: str = "range") -> EagerTensor:
    """Numbers from ``start`` up to, without, ``limit`` in steps of ``delta`` (``tf.range``)."""
    if limit is None:
        start, limit = 0, start
    parts = [p if type(p) is EagerTensor else convert_to_tensor(p, dtype) for p in (start, limit, delta)]
    want = as_dtype(max((p.dtype.name for p in parts), key=_WIDTHS.index) if dtype is None else dtype)
    for word, part in zip(("start", "limit", "delta"), parts):
        if part._a.shape not in ((), (1,)):
            raise invalid("Range", f"{word} must be a scalar, not shape {brackets(part._a.shape)}")
    first, last, step = (cast(reshape(p, []), want) for p in parts)
    if not step._a:
        raise invalid("Range", "Requires delta != 0: 0")
    if (step._a > 0 and first._a > last._a) or (step._a < 0 and first._a < last._a):
        order = ("<=", ">") if step._a > 0 else (">=", "<")
        ends = "/".join(f"{end._a:g}" if end.dtype.is_floating else str(end._a) for end in (first, last))
        text = f"Requires start {order[0]} limit when delta {order[1]} 0: {ends}"
        raise invalid("Range", text)
    return range_(first, last, step, dtype=want.numpy)


@public("linspace")
def linspace(start: Any, stop: Any, num: Any, name: str | None = None, axis: int = 0) -> EagerTensor:
    """``num`` evenly spaced numbers from ``start`` to ``stop``, both included (``tf.linspace``).

    Made of differentiable ops, so that both ends get a gradient.
    """
    start = convert_to_tensor(start)
    stop = convert_to_tensor(stop, start.dtype)
    if start.dtype.is_integer:
        start, stop = cast(start, "float64"), cast(stop, "float64")
    (count,) = ints(num)
    shape = np.broadcast_shapes(start._a.shape, stop._a.shape)
    first, last = (expand_dims(broadcast_to(end, shape), axis) for end in (start, stop))
    rank = first._a.ndim
    axis %= rank
    delta = (last - first) / cast(convert_to_tensor(max(count - 1, 1)), last.dtype)
    between = np.arange(1, max(count - 1, 1)).astype(first._a.dtype)[: max(count - 2, 0)]
    steps = wrap(between.reshape([-1 if k == axis else 1 for k in builtins.range(rank)]))
    whole = concat([first, first + delta * steps, last], axis)
    sizes = first._a.shape
    return slice_of(whole, [0] * rank, [*sizes[:axis], count, *sizes[axis + 1 :]])


@public("one_hot")
@noting_wholes
def one_hot(
    indices: Any, depth: Any, on_value: Any = None, off_value: Any = None, axis: int | None = None,
    dtype: Any = None, name: str | None = None,
) -> EagerTensor:  # fmt: skip
    """``on_value`` (1) at the place each index names along a new axis, else ``off_value`` (0) (``tf.one_hot``)."""
    on = None if on_value is None else convert_to_tensor(on_value, dtype_hint=dtype)
    off = None if off_value is None else convert_to_tensor(off_value, dtype_hint=dtype)
    want = None if dtype is None else as_dtype(dtype)
    for value, word in ((on, "on"), (off, "off")):
        if want is not None and value is not None and value.dtype is not want:
            raise TypeError(f"dtype {value.dtype} of {word}_value does not match dtype parameter {want}")
    given = want or next((v.dtype for v in (on, off) if v is not None), float32)
    on = convert_to_tensor(1, given) if on is None else on
    off = convert_to_tensor(0, given) if off is None else off
    if on.dtype is not off.dtype:
        raise TypeError(f"dtype {on.dtype} of on_value does not match dtype {off.dtype} of off_value")
    at = np.asarray(convert_to_tensor(indices)._a)
    if not isinstance(indices, np.ndarray):  # which TensorFlow converts to a dtype that the kernel takes
        check("OneHot", name, indices=at)
    place = -1 if axis is None else int(axis)
    _check_hot(at.ndim, place, depth, on, off, name)
    (size,) = ints(depth)
    if size < 0:
        raise unnamed("OneHot", f"depth must be non-negative, got: {size}", name)
    return one_hot_(on, off, indices=at, depth=size, axis=at.ndim if place == -1 else place)


def _check_hot(rank: int, axis: int, depth: Any, on: EagerTensor, off: EagerTensor, name: str | None) -> None:
    """InvalidArgumentError for an axis that is not there, and for what should be one number and is not."""
    if axis != -1 and not 0 <= axis <= rank:
        text = f"Expected axis to be -1 or between [0, {rank + 1}).  But received: {axis}"
        raise unnamed("OneHot", text, name)
    for word, value in (("depth", convert_to_tensor(depth)), ("on_value", on), ("off_value", off)):
        if value._a.shape:
            raise unnamed("OneHot", f"{word} must be a scalar, but got: {brackets(value._a.shape)}", name)


@public("shape")
def shape(input: Any, out_type: Any = None, name: str | None = None) -> EagerTensor:
    """The shape as an integer tensor (``tf.shape``)."""
    return wrap(np.array(convert_to_tensor(input)._a.shape, as_dtype(out_type or int32).numpy))


@public("shape_n")
def shape_n(input: Any, out_type: Any = int32, name: str | None = None) -> list:
    """The shapes of several tensors (``tf.shape_n``)."""
    return [shape(x, out_type) for x in input]


@public("size")
def size(input: Any, out_type: Any = None, name: str | None = None) -> EagerTensor:
    """The number of elements as an integer tensor (``tf.size``)."""
    return wrap(as_dtype(out_type or int32).numpy.type(convert_to_tensor(input)._a.size))


@public("rank")
def rank(input: Any, name: str | None = None) -> EagerTensor:
    """The number of axes as an integer tensor (``tf.rank``)."""
    return wrap(np.int32(convert_to_tensor(input)._a.ndim))


@public("sequence_mask")
def sequence_mask(lengths: Any, maxlen: Any = None, dtype: Any = "bool", name: str | None = None) -> EagerTensor:
    """For each length, that many True and then False (``tf.sequence_mask``)."""
    sizes = np.asarray(convert_to_tensor(lengths)._a)
    end = None if maxlen is None else convert_to_tensor(maxlen)._a
    if end is not None and end.ndim:
        text = "Argument `maxlen` must be scalar for sequence_mask, received"
        raise ValueError(f"{text} `maxlen` = {maxlen} with shape '{end.shape}' instead")
    if end is not None and end < 0:
        raise invalid("Range", f"Requires start <= limit when delta > 0: 0/{end}", name)
    most = max(int(sizes.max(initial=0)), 0) if end is None else int(end)
    mask = wrap(np.arange(most) < sizes[..., None])
    return cast(mask, dtype)


@public("meshgrid")
def meshgrid(*args: Any, indexing: str = "xy", name: str = "meshgrid") -> list:
    """Each vector repeated over a grid that all of them span (``tf.meshgrid``)."""
    if indexing not in ("xy", "ij"):
        raise ValueError(f"Argument `indexing` parameter must be either 'xy' or 'ij', got '{indexing}'")
    count = len(args)
    if not count:
        return []
    places = list(builtins.range(count))
    if indexing == "xy" and count > 1:
        places[:2] = [1, 0]
    vectors = [reshape(stack(x) if isinstance(x, (list, tuple)) else x, [-1]) for x in args]
    sizes = [0] * count
    for x, place in zip(vectors, places):
        sizes[place] = x._a.size
    grid = wrap(np.ones(sizes, vectors[0]._a.dtype))
    return [reshape(x, [-1 if k == p else 1 for k in builtins.range(count)]) * grid for x, p in zip(vectors, places)]


@public("broadcast_dynamic_shape")
def broadcast_dynamic_shape(shape_x: Any, shape_y: Any) -> EagerTensor:
    """The shape that two shapes broadcast to, as a tensor (``tf.broadcast_dynamic_shape``)."""
    return wrap(np.array(np.broadcast_shapes(ints(shape_x), ints(shape_y)), np.int32))


@public("math.invert_permutation")
def invert_permutation(x: Any, name: str | None = None) -> EagerTensor:
    """The permutation that undoes one (``tf.math.invert_permutation``)."""
    a = convert_to_tensor(x)._a
    if a.ndim != 1:
        raise invalid("InvertPermutation", "invert_permutation expects a 1D vector.")
    return wrap(np.argsort(a).astype(a.dtype))
