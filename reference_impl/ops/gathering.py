"""Picking by index: gather, gather_nd, boolean_mask.

The gradient of a gather along axis 0 is IndexedSlices: the upstream rows as they came, with the indices they belong
to.  Other axes, and batches, give a dense gradient.
"""

from __future__ import annotations

import contextlib
import math as _math
from typing import Any

import numpy as np

from ..errors import InvalidArgumentError, OpError, invalid, unnamed
from ..tapes.recording import active
from ..tensors.conversion import convert_to_tensor
from ..tensors.slices import IndexedSlices
from ..tensors.tensor import EagerTensor, wrap
from .declare import kernel, public
from .kernels.no_rows import unstacked
from .kernels.refusals import brackets
from .kernels.scatter_checks import scatter_misfit
from .scatter import scatter_add
from .shaping import resolved

_ALL = "float complex int bool string"
_INDICES = (np.dtype(np.int16), np.dtype(np.int32), np.dtype(np.int64))


def _take(x: Any, indices: Any, axis: int, batch_dims: int) -> Any:
    if _nothing_to_take(x, axis):  # then no index is looked at
        return np.zeros((*x.shape[:axis], *indices.shape[batch_dims:], *x.shape[axis + 1 :]), x.dtype)
    if batch_dims:
        return x[_grid(x.shape, indices, axis, batch_dims)]
    return x[(*(slice(None),) * axis, indices)]


def _nothing_to_take(x: Any, axis: int) -> bool:
    """True when the slices along an axis have no elements."""
    return not x.size and 0 in (*x.shape[:axis], *x.shape[axis + 1 :])


def read_rows(x: Any, indices: Any) -> Any:
    """Rows of a variable's array, after TensorFlow's check of the indices."""
    _check_indices("ResourceGather", indices.dtype)
    if not x.ndim:
        raise _inferred(unnamed("ResourceGather", "params must be at least 1 dimensional"), _axis_text(0, 0))
    _check_bounds(indices, x.shape[0], "ResourceGather")
    return x[indices]


def _grid(shape: tuple[int, ...], indices: Any, axis: int, batch_dims: int) -> tuple:
    """The NumPy index that gathers per batch: its parts broadcast to batch + axes up to ``axis`` + indices[batch:]."""
    rank = axis + indices.ndim - batch_dims
    index: list[Any] = [np.arange(shape[k]).reshape((-1,) + (1,) * (rank - 1 - k)) for k in range(axis)]
    middle = (1,) * (axis - batch_dims)
    return (*index, indices.reshape(indices.shape[:batch_dims] + middle + indices.shape[batch_dims:]))


def _rows(F: Any, dy: Any, shape: tuple[int, ...], indices: Any) -> IndexedSlices:
    flat = indices.reshape(-1)
    return _slices(F, F.reshape(dy, shape=(flat.shape[0], *shape[1:])), flat, shape)


def _slices(F: Any, values: Any, indices: Any, shape: tuple[int, ...], dtype: Any = np.int32) -> IndexedSlices:
    dense_shape = np.array(shape, dtype)
    if F.recording:
        return IndexedSlices(values, wrap(indices), wrap(dense_shape))
    return IndexedSlices(values, indices, dense_shape)


def gather_gradient(
    F: Any, dy: Any, _y: Any, _x: Any, indices: Any, literal: int, axis: int, batch_dims: int, source: Any = None
) -> Any:
    """The gradient of a gather; ``source`` is the shape of what was gathered from when that is a variable."""
    picked = F.stopped(indices)
    shape = F.shape(_x) if source is None else source
    if literal == 0 and not batch_dims:
        return _rows(F, dy, shape, picked), None
    return F.gather_grad(dy, indices=picked, axis=axis, batch_dims=batch_dims, shape=shape), None


def _put(dy: Any, indices: Any, axis: int, batch_dims: int, shape: tuple[int, ...]) -> Any:
    lead = (slice(None),) * axis
    return scatter_add(shape, _grid(shape, indices, axis, batch_dims) if batch_dims else (*lead, indices), dy)


def _put_rows(dy: Any, indices: Any, axis: int, batch_dims: int, shape: tuple[int, ...]) -> Any:
    """``_put``, for an upstream of any shape that TensorFlow can reshape to the one it should have."""
    if active.rowless and axis and not batch_dims and not indices.size:  # one row is inferred
        data = brackets((0, 1, *shape[:axis], *shape[axis + 1 :]))
        raise unnamed("UnsortedSegmentSum", f"data.shape = {data} does not start with segment_ids.shape = [0,0]")
    want = (*shape[:axis], *indices.shape[batch_dims:], *shape[axis + 1 :])
    if dy.shape != want or (not dy.size and not batch_dims):
        outer = (*shape[:axis], *shape[axis + 1 :])
        rows = resolved((*shape[:axis], -1, *shape[axis + 1 :]), dy.shape)[axis]
        if not batch_dims and rows != indices.size:
            text = f"data.shape = {brackets((rows, *outer))} does not start with segment_ids.shape = [{indices.size}]"
            raise unnamed("UnsortedSegmentSum", text)
        dy = dy.reshape(want)
    if dy.dtype.kind in "bO":
        gather_grad.op.check(dy.dtype)
    if not dy.size:
        return np.zeros(shape, dy.dtype)
    return _put(dy, indices, axis, batch_dims, shape)


def _in_shape(F: Any, g: Any, shape: tuple[int, ...]) -> Any:
    """What arrives at an upstream, in the shape that it had before it was put in order."""
    return g if F.shape(g) == shape else F.reshape(g, shape=shape)


gather_grad = kernel(
    "gather_grad", "UnsortedSegmentSum", forward=_put_rows,
    gradient=lambda F, dy, _y, _dy, indices, axis, batch_dims, shape: _in_shape(
        F, F.gather(dy, indices, literal=axis or 1, axis=axis, batch_dims=batch_dims), F.shape(_dy)
    ),
)  # fmt: skip


def _check_gathered(x: Any, indices: Any, literal: int, axis: int, batch_dims: int) -> None:
    if x.ndim <= axis:
        raise unnamed("GatherV2", f"params must be at least {axis + 1} dimensional")
    if not _nothing_to_take(x, axis):
        _check_bounds(indices, x.shape[axis])


gather_ = kernel(
    "gather", "GatherV2", types=_ALL, ordered=True, gradient=gather_gradient, fits=_check_gathered,
    forward=lambda x, indices, literal, axis, batch_dims: _take(x, indices, axis, batch_dims),
)  # fmt: skip


first_gather_ = kernel(
    "first_gather", "Gather", types=_ALL, ordered=True, gradient=gather_gradient,
    fits=lambda x, indices, **_axes: _check_bounds(indices, x.shape[0], "Gather"),
    forward=lambda x, indices, literal, axis, batch_dims: _take(x, indices, axis, batch_dims),
)  # fmt: skip


def gather_rows(x: EagerTensor, indices: EagerTensor) -> EagerTensor:
    """Rows of a tensor, by the first version of the kernel, which knows no other axis.

    A traced function sees that its gradient is sparse, so that it has no forward mode.
    """
    if not x._a.ndim:
        raise unnamed("Gather", "params must be at least 1 dimensional")
    return first_gather_(x, indices, literal=0, axis=0, batch_dims=0)


@public("gather")
def gather(
    params: Any, indices: Any, validate_indices: Any = None, axis: Any = None, batch_dims: int = 0,
    name: str | None = None,
) -> EagerTensor:  # fmt: skip
    """Slices of ``params`` along ``axis`` at ``indices`` (``tf.gather``).

    InvalidArgumentError for an index outside the axis; negative indices do not wrap around.
    """
    indices = convert_to_tensor(indices)
    literal = int(batch_dims if axis is None else axis)
    if hasattr(type(params), "sparse_read") and not literal:
        with contextlib.suppress(AttributeError):  # in forward mode sparse_read fails, and TensorFlow goes on below
            return params.sparse_read(indices)
    x = convert_to_tensor(params)
    _check_indices("GatherV2", indices._a.dtype)
    rank = x._a.ndim
    if not rank:
        error = unnamed("GatherV2", "params must be at least 1 dimensional", name)
        raise _inferred(error, _axis_text(literal, rank))
    if not -rank <= literal < rank:
        raise unnamed("GatherV2", _axis_text(literal, rank), name)
    batch = _batch_axes(x._a.shape, indices._a.shape, literal % rank, int(batch_dims), name) if literal else 0
    return gather_(x, indices, literal=literal, axis=literal % rank, batch_dims=batch)


def _batch_axes(shape: tuple[int, ...], indices: tuple[int, ...], axis: int, count: int, name: str | None) -> int:
    """How many leading axes both share; TensorFlow's error when they cannot."""
    most, rank = len(indices), len(shape)
    batch = count + most if count < 0 else count
    text = ""
    if count and not -most <= count <= most:
        text = f"Expected batch_dims in the range [{-most}, {most}], but got {count}"
    elif batch and batch >= rank:
        text = f"batch_dims ({batch}) must be less than rank(params) ({rank})."
    elif batch > axis:
        text = f"batch_dims ({batch}) must be less than or equal to axis ({axis})."
    else:
        for k in range(batch):
            if shape[k] != indices[k]:
                text = f"params.shape[{k}]: {shape[k]} should be equal to indices.shape[{k}]: {indices[k]}"
                break
    if text:
        raise unnamed("GatherV2", text, name)
    return batch


def _inferred(error: OpError, text: str) -> OpError:
    """The error of a kernel, with what is said of its shapes while a function is traced."""
    error.inferred = text
    return error


def _check_indices(kernel_name: str, dtype: Any) -> None:
    """TensorFlow's error for indices of a dtype that a kernel does not take; those of variables take one less."""
    allowed = _INDICES[1:] if kernel_name.startswith("Resource") else _INDICES
    if dtype in allowed:
        return
    from ..dtypes import kernel_name as word
    from .signatures import described

    names = ", ".join(map(word, allowed))
    text = f"Value for attr 'Tindices' of {word(dtype)} is not in the list of allowed values: {names}"
    signature = described(kernel_name)
    op = f"Op<name={kernel_name}; signature={signature.text if signature else ''}>"
    message = invalid(kernel_name, f"{text}\n\t; NodeDef: {{{{node {kernel_name}}}}}; {op}", node=False).message
    raise InvalidArgumentError(None, None, message.removesuffix(" name: "))


def _axis_text(axis: int, rank: int) -> str:
    least = axis + 1 if axis >= 0 else -axis
    return f"Shape must be at least rank {max(least, 1)} but is rank {rank}"


def _check_bounds(indices: Any, size: int, kernel_name: str = "GatherV2") -> None:
    bad = (indices < 0) | (indices >= size)
    if bad.any():
        place = tuple(int(v[0]) for v in np.nonzero(np.atleast_1d(bad)))
        value = int(np.atleast_1d(indices)[place])
        where = f"indices[{','.join(map(str, place))}]" if indices.ndim else "indices"
        raise unnamed(kernel_name, f"{where} = {value} is not in [0, {size})")


def _nd(x: Any, indices: Any) -> Any:
    if not x.ndim:
        raise invalid("GatherNd", "params must be at least a vector")
    if 0 in x.shape:
        _check_tuples(indices, x.shape, "GatherNd", None)
    if not indices.shape[-1]:  # each of the tuples, which are empty, names all there is
        return x[None][np.zeros(indices.shape[:-1], int)]
    try:
        return x[tuple(np.moveaxis(indices, -1, 0))]
    except IndexError:
        _check_tuples(indices, x.shape, "GatherNd", None)
        raise


def _gather_nd_gradient(F: Any, dy: Any, _y: Any, _x: Any, indices: Any) -> Any:
    picked = F.stopped(indices)
    if picked.ndim == 2 and picked.shape[-1] == 1:  # rows of what may be rows itself
        return _slices(F, dy, picked.reshape(-1), F.shape(_x), picked.dtype), None
    dy = F.dense(dy)
    if active.rowless:
        raise unstacked(len(F.shape(_x)))
    return F.scatter_nd(picked, dy, shape=F.shape(_x)), None


def _check_updates(indices: Any, values: Any, shape: tuple[int, ...]) -> None:
    misfit = scatter_misfit(indices.shape, values.shape, shape)
    if misfit:
        raise invalid("ScatterNd", misfit)


def _scattered(indices: Any, values: Any, shape: tuple[int, ...]) -> Any:
    if indices.ndim == 1 or not indices.shape[-1]:
        _check_updates(indices, values, shape)  # it fits only without updates
        return np.zeros(shape, values.dtype)
    return scatter_add(shape, tuple(np.moveaxis(indices, -1, 0)), values)


scatter_nd_ = kernel(
    "scatter_nd", "ScatterNd", fits=_check_updates, forward=_scattered,
    gradient=lambda F, dy, _y, indices, _values, shape: (None, F.gather_nd(dy, indices)),
)  # fmt: skip
gather_nd_ = kernel(
    "gather_nd", "GatherNd", types=_ALL, ordered=True, sparse=True, forward=_nd, gradient=_gather_nd_gradient
)


@public("gather_nd")
def gather_nd(
    params: Any, indices: Any, batch_dims: int = 0, name: str | None = None, bad_indices_policy: str = ""
) -> Any:
    """Elements or slices of ``params`` at index tuples (``tf.gather_nd``), row by row for ``batch_dims`` > 0."""
    at, x = convert_to_tensor(indices), convert_to_tensor(params)
    if batch_dims is None:
        raise TypeError("Argument `batch_dims` must be an int; got None")
    if batch_dims:
        at = wrap(_with_batch(x._a.shape, at._a, int(batch_dims)))
    resource = not batch_dims and hasattr(type(params), "sparse_read")
    _check_tuples(at._a, x._a.shape, "ResourceGatherNd" if resource else "GatherNd", name)
    return gather_nd_(x, at)


def _with_batch(shape: tuple[int, ...], indices: Any, batch_dims: int) -> Any:
    """The index tuples with the place in the batch in front."""
    if batch_dims < 0:
        raise ValueError("tf.gather_nd does not allow negative batch_dims.")
    for word, rank in (("indices", indices.ndim), ("params", len(shape))):
        if batch_dims >= rank:
            raise ValueError(f"Argument `batch_dims` = {batch_dims} must be less than rank(`{word}`) = {rank}")
    inside = indices.shape[batch_dims:-1]
    grid = np.indices(shape[:batch_dims] + inside, dtype=indices.dtype)[:batch_dims]
    return np.concatenate([np.moveaxis(grid, 0, -1), indices], axis=-1)


def _check_tuples(indices: Any, shape: tuple[int, ...], kernel_name: str, name: str | None) -> None:
    """TensorFlow's errors for index tuples that do not fit; a variable's are those of a kernel of its own."""
    _check_indices(kernel_name, indices.dtype)
    depth = indices.shape[-1] if indices.ndim else 0
    unfit = f"indices.shape[-1] must be <= params.rank, but saw indices shape: {brackets(indices.shape)} and params"
    unfit = f"{unfit} shape: {brackets(shape)}" if indices.ndim else _axis_text(0, 0)
    if not shape:
        error = unnamed(kernel_name, "params must be at least a vector")
        raise _inferred(error, unfit) if depth or not indices.ndim else error
    if not indices.ndim:
        raise _inferred(invalid(kernel_name, "indices must be at least a vector", name), unfit)
    if depth > len(shape):
        text = f"index innermost dimension length must be <= params rank; saw: {depth} vs. {len(shape)}"
        raise _inferred(invalid(kernel_name, text, name), unfit)
    tuples = _math.prod(indices.shape[:-1])
    if tuples and 0 in shape:
        text = f"Requested more than 0 entries, but params is empty.  Params shape: {brackets(shape)}"
        raise invalid(kernel_name, text, name)
    flat = indices.reshape(tuples, depth)
    bad = ((flat < 0) | (flat >= np.array(shape[:depth]))).any(axis=-1)
    if bad.any():
        last = int(np.flatnonzero(bad)[-1])  # the kernel goes on, and remembers it
        place = np.unravel_index(last, indices.shape[:-1]) if indices.ndim > 1 else ()
        where = f"indices[{','.join(str(int(p)) for p in place)}]" if place else "indices"
        text = f"{where} = {flat[last].tolist()} does not index into param shape {brackets(shape)}"
        text = f"{text}, node name: {kernel_name}"
        raise unnamed(kernel_name, text, name)


@public("boolean_mask")
def boolean_mask(tensor: Any, mask: Any, axis: int | None = None, name: str = "boolean_mask") -> EagerTensor:
    """The entries of ``tensor`` where ``mask`` is True, along its first axes (``tf.boolean_mask``)."""
    from .shaping import reshape_

    x, mask = convert_to_tensor(tensor), convert_to_tensor(mask)
    rank = mask._a.ndim
    if not rank:
        raise ValueError("mask cannot be scalar.")
    if isinstance(axis, float):
        raise TypeError("slice indices must be integers or None or have an __index__ method")
    axis = 0 if axis is None else int(axis)
    shape = x._a.shape
    if shape[axis : axis + rank] != mask._a.shape:
        raise ValueError(f"Shapes {shape[axis : axis + rank]} and {mask._a.shape} are incompatible")
    flat = reshape_(x, shape=(*shape[:axis], mask._a.size, *shape[axis + rank :]))
    picked = wrap(np.nonzero(mask._a.reshape(-1))[0].astype(np.int64))
    return gather_(flat, picked, literal=axis, axis=axis, batch_dims=0)
