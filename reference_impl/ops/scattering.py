"""Values put at index tuples: scatter_nd, tensor_scatter_nd_*, dynamic_partition and dynamic_stitch."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import invalid, unnamed
from ..tapes.beside import noting_wholes
from ..tensors.conversion import convert_to_tensor
from ..tensors.slices import IndexedSlices
from ..tensors.tensor import EagerTensor, wrap
from .arguments import check
from .declare import kernel, public
from .given_sizes import sizes
from .kernels.refusals import brackets
from .kernels.scatter_checks import scatter_misfit, tensor_scatter_misfit
from .scatter import scatter_set

_ALL = "float complex int bool string"


def _index(indices: Any) -> tuple:
    return tuple(np.moveaxis(indices, -1, 0))


def _combined(x: Any, indices: Any, updates: Any, combine: Any) -> Any:
    """``x`` with ``combine(x[i], update)`` at each index, one after another where an index is there twice."""
    if not updates.size:
        return x
    flat = indices.reshape(-1, indices.shape[-1])
    if len(np.unique(flat, axis=0)) == len(flat):
        index = _index(indices)
        return scatter_set(x, index, combine(x[index], updates))
    rows = updates.reshape((len(flat), *x.shape[indices.shape[-1] :]))
    for place, row in zip(flat, rows):
        x = scatter_set(x, tuple(place), combine(x[tuple(place)], row))
    return x


def _taken(F: Any, dy: Any, indices: Any) -> Any:
    return F.gather_nd(dy, F.stopped(indices))


def _passed(F: Any, dy: Any) -> Any:
    """The upstream as it is; slices stay slices."""
    return dy if type(dy) is IndexedSlices else F.identity(dy)


def _update_gradient(F: Any, dy: Any, _y: Any, _x: Any, indices: Any, _u: Any) -> tuple:
    by_updates, none = _taken(F, dy, indices), np.zeros(F.shape(_u), F.dtype(dy))
    return F.scatter_update(F.identity(dy), F.stopped(indices), wrap(none) if F.recording else none), None, by_updates


def _check_old(at: tuple[int, ...], updates: tuple[int, ...], shape: tuple[int, ...]) -> None:
    misfit = tensor_scatter_misfit(at, updates, shape)
    if misfit:
        raise invalid("TensorScatterUpdate", misfit)


update_ = kernel(
    "scatter_update", "TensorScatterUpdate", types=_ALL,
    forward=lambda x, indices, updates: _combined(x, indices, updates, lambda _old, new: new),
    fits=lambda x, indices, updates: _check_old(indices.shape, updates.shape, x.shape),
    gradient=_update_gradient,
)  # fmt: skip
add_ = kernel(
    "scatter_plus", "TensorScatterAdd", sparse=True,
    forward=lambda x, indices, updates: _combined(x, indices, updates, lambda old, new: old + new),
    gradient=lambda F, dy, _y, _x, indices, _u: (_passed(F, dy), None, _taken(F, F.dense(dy), indices)),
)  # fmt: skip
sub_ = kernel(
    "scatter_minus", "TensorScatterSub", sparse=True,
    forward=lambda x, indices, updates: _combined(x, indices, updates, lambda old, new: old - new),
    gradient=lambda F, dy, _y, _x, indices, _u: (_passed(F, dy), None, -_taken(F, F.dense(dy), indices)),
)  # fmt: skip


def _shared(F: Any, dy: Any, y: Any, x: Any, indices: Any, updates: Any) -> tuple:
    """The upstream, divided evenly among the old value and the updates that equal the result."""
    at = F.stopped(indices)
    old = F.cast(F.equal(x, y), dtype=F.dtype(dy))
    new = F.cast(F.equal(updates, F.gather_nd(y, at)), dtype=F.dtype(dy))
    count = old + F.scatter_nd(at, new, shape=F.shape(x))
    return dy * old / count, None, F.gather_nd(dy / count, at) * new


max_ = kernel(
    "scatter_max", "TensorScatterMax", gradient=_shared,
    forward=lambda x, indices, updates: _combined(x, indices, updates, np.maximum),
)  # fmt: skip
min_ = kernel(
    "scatter_min", "TensorScatterMin", gradient=_shared,
    forward=lambda x, indices, updates: _combined(x, indices, updates, np.minimum),
)  # fmt: skip


def _check(kernel_name: str, indices: Any, shape: tuple[int, ...], name: str | None) -> None:
    if not indices.size:
        return
    depth = indices.shape[-1]
    flat = indices.reshape(-1, depth)
    bad = ((flat < 0) | (flat >= np.array(shape[:depth]))).any(axis=-1)
    if bad.any():
        at = int(np.argmax(bad))
        place = np.unravel_index(at, indices.shape[:-1]) if indices.ndim > 1 else ()
        where = f"indices[{','.join(str(int(p)) for p in place)}]"
        row, size = ", ".join(map(str, flat[at].tolist())), ",".join(map(str, shape))
        raise unnamed(kernel_name, f"{where} = [{row}] does not index into shape [{size}]", name)


def _joined(indices: Any, updates: Any, shape: tuple[int, ...]) -> Any:
    """Strings at index tuples, those of one place joined in their order; nothing elsewhere."""
    out = np.full(shape, b"", object)
    if indices.size:
        depth = indices.shape[-1]
        rows = updates.reshape((-1, *shape[depth:]))
        for place, row in zip(indices.reshape(-1, depth).tolist(), rows):
            out[tuple(place)] = out[tuple(place)] + row
    return out


joined_ = kernel("scatter_strings", "ScatterNd", types=_ALL, forward=_joined, gradient=None)


@public("scatter_nd")
def scatter_nd(
    indices: Any, updates: Any, shape: Any, name: str | None = None, bad_indices_policy: str = ""
) -> EagerTensor:
    """Zeros of ``shape`` with ``updates`` added at index tuples (``tf.scatter_nd``)."""
    from .gathering import scatter_nd_

    at, size, new = (
        convert_to_tensor(indices),
        sizes("ScatterNd", "shape", shape, name, True),
        convert_to_tensor(updates),
    )
    check("ScatterNd", name, indices=at, updates=new)
    if min(size, default=0) < 0:
        raise unnamed("ScatterNd", f"Dimension {min(size)} must be >= 0", name)
    misfit = scatter_misfit(at._a.shape, new._a.shape, size)
    if misfit:
        raise unnamed("ScatterNd", misfit, name)
    _check("ScatterNd", at._a, size, name)
    return (joined_ if new.dtype.name == "string" else scatter_nd_)(at, new, shape=size)


def _scatter(op: Any, tensor: Any, indices: Any, updates: Any, name: str | None) -> EagerTensor:
    x, at = convert_to_tensor(tensor), convert_to_tensor(indices)
    new = convert_to_tensor(updates, dtype_hint=x.dtype)
    check(op.op.kernel, name, tensor=x, indices=at, updates=new)
    misfit = tensor_scatter_misfit(at._a.shape, new._a.shape, x._a.shape)
    if misfit:
        raise invalid(op.op.kernel, misfit, name)
    _check(op.op.kernel, at._a, x._a.shape, name)
    return op(x, at, new)


@public("tensor_scatter_nd_update")
def tensor_scatter_nd_update(tensor: Any, indices: Any, updates: Any, name: str | None = None) -> EagerTensor:
    """A copy of ``tensor`` with ``updates`` written at index tuples (``tf.tensor_scatter_nd_update``)."""
    return _scatter(update_, tensor, indices, updates, name)


@public("tensor_scatter_nd_add")
def tensor_scatter_nd_add(tensor: Any, indices: Any, updates: Any, name: str | None = None) -> EagerTensor:
    """A copy of ``tensor`` with ``updates`` added at index tuples (``tf.tensor_scatter_nd_add``)."""
    return _scatter(add_, tensor, indices, updates, name)


@public("tensor_scatter_nd_sub")
def tensor_scatter_nd_sub(tensor: Any, indices: Any, updates: Any, name: str | None = None) -> EagerTensor:
    """A copy of ``tensor`` with ``updates`` taken away at index tuples (``tf.tensor_scatter_nd_sub``)."""
    return _scatter(sub_, tensor, indices, updates, name)


@public("tensor_scatter_nd_max")
def tensor_scatter_nd_max(tensor: Any, indices: Any, updates: Any, name: str | None = None) -> EagerTensor:
    """A copy of ``tensor``, at index tuples no less than ``updates`` (``tf.tensor_scatter_nd_max``)."""
    return _scatter(max_, tensor, indices, updates, name)


@public("tensor_scatter_nd_min")
def tensor_scatter_nd_min(tensor: Any, indices: Any, updates: Any, name: str | None = None) -> EagerTensor:
    """A copy of ``tensor``, at index tuples no more than ``updates`` (``tf.tensor_scatter_nd_min``)."""
    return _scatter(min_, tensor, indices, updates, name)


# ------------------------------------------------------------------------------------- partition and stitch


def _part_gradient(F: Any, dy: Any, _y: Any, _x: Any, partitions: np.ndarray, count: int) -> Any:
    shape = F.shape(_x)
    places = [np.nonzero(partitions.ravel() == k)[0] for k in range(count)]
    tail = shape[partitions.ndim :]
    parts = dy if count > 1 else (dy,)
    rows = F.concat(*[F.reshape(g, shape=(len(at), *tail)) for at, g in zip(places, parts)], axis=0)
    if _size(shape):
        rows = F.scatter_nd(np.concatenate(places)[:, None], rows, shape=(partitions.size, *tail))
    return F.reshape(rows, shape=shape)


def _size(shape: tuple[int, ...]) -> int:
    return int(np.prod(shape, dtype=int))


partition_ = kernel(
    "dynamic_partition", "DynamicPartition", types=_ALL, gradient=_part_gradient,
    forward=lambda x, partitions, count: tuple(x[partitions == k] for k in range(count)),
)  # fmt: skip


@public("dynamic_partition")
@noting_wholes
def dynamic_partition(data: Any, partitions: Any, num_partitions: int, name: str | None = None) -> list:
    """The entries of ``data`` sorted into lists by number (``tf.dynamic_partition``)."""
    x, numbers = convert_to_tensor(data), np.asarray(convert_to_tensor(partitions)._a)
    if num_partitions is None:
        raise TypeError("Expected int for argument 'num_partitions' not None.")
    count = int(num_partitions)
    check("DynamicPartition", name, data=x, partitions=numbers, num_partitions=count)
    if x._a.shape[: numbers.ndim] != numbers.shape:
        shapes = f"data.shape = {brackets(x._a.shape)}, partitions.shape = {brackets(numbers.shape)}"
        raise unnamed("DynamicPartition", f"data.shape must start with partitions.shape, got {shapes}", name)
    bad = np.argwhere((numbers < 0) | (numbers >= count))
    if len(bad) and count > 0:
        place = tuple(bad[0])
        where = f"partitions{brackets(place) if place else ''} = {numbers[place]}"
        raise unnamed("DynamicPartition", f"{where} is not in [0, {count})", name)
    return list(partition_(x, partitions=numbers, count=count))


def _stitched(*data: Any, indices: tuple, length: int) -> Any:
    tail = data[0].shape[indices[0].ndim :]
    whole = np.zeros((length, *tail), data[0].dtype)
    for at, part in zip(indices, data):
        whole = scatter_set(whole, at, part)
    return whole


stitch_ = kernel(
    "dynamic_stitch", "DynamicStitch", types=_ALL, forward=_stitched,
    gradient=lambda F, dy, _y, *_data, indices, length: tuple(
        F.gather(dy, wrap(at) if F.recording else at, literal=0, axis=0, batch_dims=0) for at in indices
    ),
)  # fmt: skip


@public("dynamic_stitch")
@noting_wholes
def dynamic_stitch(indices: Any, data: Any, name: str | None = None) -> EagerTensor:
    """One tensor made of the entries of several, each at its index (``tf.dynamic_stitch``)."""
    places = tuple(np.asarray(convert_to_tensor(i)._a) for i in indices)
    rows = [convert_to_tensor(d) for d in data]
    check("DynamicStitch", name, indices=places, data=rows)
    if len(places) != len(rows):
        text = f"List argument 'data' to 'dynamic_stitch' Op with length {len(rows)} must match length {len(places)}"
        raise ValueError(f"{text} of argument 'indices'.")
    misfit = _unstitched([p.shape for p in places], [d._a.shape for d in rows])
    for k, place in enumerate(places):
        if misfit is None and place.min(initial=0) < 0:
            misfit = f"indices[{k}] is out of range"
    if misfit:
        raise unnamed("DynamicStitch", misfit, name)
    length = max((int(p.max(initial=-1)) for p in places), default=-1) + 1
    return stitch_(*rows, indices=places, length=length)


def _unstitched(places: list[tuple[int, ...]], rows: list[tuple[int, ...]]) -> str | None:
    """What is wrong with the shapes of the indices and the data of dynamic_stitch."""
    for k, (at, row) in enumerate(zip(places, rows)):
        if row[: len(at)] != at:
            both = f"data[{k}].shape = {brackets(row)} does not start with indices[{k}].shape = {brackets(at)}"
            return both
        if k and row[len(at) :] != rows[0][len(places[0]) :]:
            first = f"data[0].shape = {brackets(rows[0])}, data[{k}].shape = {brackets(row)}"
            other = f"indices[0].shape = {brackets(places[0])}, indices[{k}].shape = {brackets(at)}"
            starts = f"data[0].shape[{len(places[0])}:] = data[{k}].shape[{len(at)}:]"
            return f"Need {starts}, got {first}, {other}"
    return None
