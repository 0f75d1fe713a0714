"""Kernels that make other sparse tensors: values sorted, cut out, filled up, or those of two merged (``tf.raw_ops``).

Indices and shapes are constants to every tape; values have gradients.  Results are named tuples, as TensorFlow's.
"""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np

from ..errors import unnamed
from ..ops.declare import MISSING, kernel, public
from ..ops.scatter import scatter_add
from ..ops.shaping import ints
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import wrap
from . import fitting
from .kernels import int64s, numbered, places_of, shape_of

SparseReorder_ = namedtuple("SparseReorder", ("output_indices", "output_values"))
SparseSlice_ = namedtuple("SparseSlice", ("output_indices", "output_values", "output_shape"))
SparseAdd_ = namedtuple("SparseAdd", ("sum_indices", "sum_values", "sum_shape"))
SparseSparseMaximum_ = namedtuple("SparseSparseMaximum", ("output_indices", "output_values"))
SparseSparseMinimum_ = namedtuple("SparseSparseMinimum", ("output_indices", "output_values"))
SparseFillEmptyRows_ = namedtuple(
    "SparseFillEmptyRows", ("output_indices", "output_values", "empty_row_indicator", "reverse_index_map")
)


# ------------------------------------------------------------------------------------- other places, fewer, more


def _inverse(order: Any) -> Any:
    new = np.empty(len(order), np.int64)
    new[order] = np.arange(len(order))
    return new


def _rows(F: Any, x: Any, at: Any) -> Any:
    return F.gather(x, wrap(at) if F.recording else at, literal=0, axis=0, batch_dims=0)


reorder_ = kernel(
    "sparse_reorder", "SparseReorder", forward=lambda values, at, order: (at[order], values[order]),
    gradient=lambda F, dy, _y, _values, at, order: _rows(F, dy[1], _inverse(order).astype(np.int32)),
)  # fmt: skip


@public("raw_ops.SparseReorder")
def SparseReorder(*, input_indices: Any, input_values: Any, input_shape: Any, name: str | None = None) -> Any:
    """The values in the order of their places, the first axis first."""
    parts = fitting.sizes(input_indices, input_values, input_shape)
    fitting.refuse("SparseReorder", fitting.parts(*parts), name)
    at = places_of(input_indices)
    return SparseReorder_(*reorder_(convert_to_tensor(input_values), at=at, order=np.lexsort(at.T[::-1])))


def _sliced(values: Any, at: Any, inside: Any, start: Any, size: Any) -> tuple:
    return at[inside] - start, values[inside], size


slice_grad_ = kernel(
    "sparse_slice_grad", "SparseSliceGrad", gradient=MISSING,
    forward=lambda dy, inside, count: scatter_add((count,), inside, dy),
)  # fmt: skip
slice_ = kernel(
    "sparse_slice", "SparseSlice", forward=_sliced,
    gradient=lambda F, dy, _y, _values, at, inside, start, size: F.sparse_slice_grad(
        dy[1], inside=inside, count=len(at)
    ),
)  # fmt: skip


@public("raw_ops.SparseSlice")
def SparseSlice(*, indices: Any, values: Any, shape: Any, start: Any, size: Any, name: str | None = None) -> Any:
    """What lies in a box."""
    box = (np.asarray(convert_to_tensor(v)._a) for v in (start, size))
    fitting.refuse("SparseSlice", fitting.sliced(*fitting.sizes(indices, values, shape), *box), name)
    at, whole, first = places_of(indices), int64s(shape_of(shape)), int64s(ints(start))
    most = np.maximum(np.minimum(int64s(ints(size)), whole - first), 0)
    inside = np.nonzero(((at >= first) & (at < first + most)).all(axis=1))[0]
    return SparseSlice_(*slice_(convert_to_tensor(values), at=at, inside=inside, start=first, size=most))


def filled(values: Any, default: Any, plan: tuple) -> tuple:
    """What SparseFillEmptyRows and its ragged like make, after the plan that ``filling`` made."""
    places, source, empty, new = plan
    every = np.concatenate([values, np.reshape(default, (1,))])
    return places, every[source], empty, new


def fill_gradients(dy: Any, places: Any) -> tuple:
    """The upstream of the old values, and the sum of the rest for the default."""
    rest = np.ones(dy.shape[0], bool)
    rest[places] = False
    return dy[places], np.add.reduce(dy[np.nonzero(rest)[0]])


fill_grad_ = kernel("sparse_fill_grad", "SparseFillEmptyRowsGrad", forward=fill_gradients, gradient=MISSING)
fill_ = kernel(
    "sparse_fill", "SparseFillEmptyRows", forward=filled,
    gradient=lambda F, dy, _y, _values, _default, plan: F.sparse_fill_grad(dy[1], places=plan[3]),
)  # fmt: skip


def filling(at: Any, rows: int) -> tuple:
    """New places, the old value in each (the default after the last), which rows were empty, where old values went."""
    empty = np.bincount(at[:, 0], minlength=rows) == 0
    added = np.zeros((int(empty.sum()), at.shape[1]), np.int64)
    added[:, 0] = np.nonzero(empty)[0]
    every = np.concatenate([at, added])
    order = np.argsort(every[:, 0], kind="stable")
    return every[order], np.minimum(order, len(at)), empty, _inverse(order)[: len(at)]


@public("raw_ops.SparseFillEmptyRows")
def SparseFillEmptyRows(
    *, indices: Any, values: Any, dense_shape: Any, default_value: Any, name: str | None = None
) -> Any:
    """One value put into the first column of every row that has none."""
    at, x = places_of(indices), convert_to_tensor(values)
    default, shape = convert_to_tensor(default_value, x.dtype), np.asarray(convert_to_tensor(dense_shape)._a)
    given = (*fitting.sizes(indices, x), shape, default._a.shape, at)
    fitting.refuse("SparseFillEmptyRows", fitting.filled(*given), name)
    return SparseFillEmptyRows_(*fill_(x, default, plan=filling(at, int(shape[0]))))


# ------------------------------------------------------------------------------------------------ two sparse ones


def _joined(a: Any, b: Any, shape: tuple[int, ...]) -> tuple[Any, Any, Any]:
    """The places of both, sorted, and where those of each of them are."""
    every = np.concatenate([a, b])
    _numbers, first, new = np.unique(numbered(every, shape), return_index=True, return_inverse=True)
    return every[first], new[: len(a)], new[len(a) :]


def _together(a: Any, b: Any, plan: tuple, threshold: Any) -> tuple:
    places, left, right, shape = plan
    total = scatter_add((len(places),), left, a) + scatter_add((len(places),), right, b)
    alone = np.ones(len(places), bool)
    alone[np.intersect1d(left, right)] = False
    kept = alone | (np.abs(total) >= threshold)
    if kept.all():
        return places, total, shape
    chosen = np.nonzero(kept)[0]
    return places[chosen], total[chosen], shape


def _add_grad(dy: Any, plan: tuple, places: Any) -> tuple:
    """The upstream of each value; nought for those whose sum was below the threshold."""
    every, left, right, _shape = plan
    kept = np.nonzero((every[:, None] == places[None]).all(axis=-1).any(axis=1))[0]
    whole = scatter_add((len(every),), kept, dy)
    return whole[left], whole[right]


add_grad_ = kernel("sparse_add_grad", "SparseAddGrad", forward=_add_grad, gradient=None)
add_ = kernel(
    "sparse_add", "SparseAdd", forward=_together,
    gradient=lambda F, dy, y, _a, _b, plan, threshold: F.sparse_add_grad(dy[1], plan=plan, places=F.stopped(y[0])),
)  # fmt: skip


def _same_shape(a: tuple[int, ...], b: tuple[int, ...], kernel_name: str, name: str | None) -> None:
    for k, (d, e) in enumerate(zip(a, b)):
        if d != e:
            text = f"Operands' shapes do not match: got {d} and {e} for dimension {k}"
            raise unnamed(kernel_name, text, name)


@public("raw_ops.SparseAdd")
def SparseAdd(
    *, a_indices: Any, a_values: Any, a_shape: Any, b_indices: Any, b_values: Any, b_shape: Any, thresh: Any,
    name: str | None = None,
) -> Any:  # fmt: skip
    """The sum of two sparse tensors, without the values below a threshold; no gradient flows beyond first order."""
    a, b, shape = convert_to_tensor(a_values), convert_to_tensor(b_values), shape_of(a_shape)
    left, right = fitting.sizes(a_indices, a, a_shape), fitting.sizes(b_indices, b, b_shape)
    (small,) = fitting.sizes(thresh)
    fitting.refuse("SparseAdd", fitting.added(left, right, shape, shape_of(b_shape), small), name)
    _same_shape(shape, shape_of(b_shape), "SparseAdd", name)
    threshold = np.asarray(convert_to_tensor(thresh)._a)[()]
    plan = (*_joined(places_of(a_indices), places_of(b_indices), shape), int64s(shape))
    return SparseAdd_(*add_(a, b, plan=plan, threshold=threshold))


def _miscounted(name: str) -> Any:
    def gradient(F: Any, dy: Any, _y: Any, _a: Any, _b: Any, plan: tuple) -> Any:
        raise TypeError(f"_{name}Grad() takes 2 positional arguments but 3 were given")

    return gradient


def _extreme(name_of: str, ufunc: np.ufunc, made: Any) -> Any:
    def forward(a: Any, b: Any, plan: tuple) -> tuple:
        places, left, right = plan
        return places, ufunc(scatter_add((len(places),), left, a), scatter_add((len(places),), right, b))

    op = kernel(f"sparse_{ufunc.__name__}", name_of, forward=forward, gradient=_miscounted(name_of), ordered=True)

    def call(
        *, a_indices: Any, a_values: Any, a_shape: Any, b_indices: Any, b_values: Any, b_shape: Any,
        name: str | None = None,
    ) -> Any:  # fmt: skip
        a, b = convert_to_tensor(a_values), convert_to_tensor(b_values)
        op.op.check(a._a.dtype, name)
        for at, values, sizes in ((a_indices, a, a_shape), (b_indices, b, b_shape)):
            fitting.refuse(name_of, fitting.parts(*fitting.sizes(at, values, sizes)), name)
            fitting.refuse(name_of, fitting.inside(places_of(at), shape_of(sizes)), name)
        _same_shape(shape_of(a_shape), shape_of(b_shape), name_of, name)
        return made(*op(a, b, plan=_joined(places_of(a_indices), places_of(b_indices), shape_of(a_shape))))

    call.__name__ = call.__qualname__ = name_of
    call.__doc__ = f"The {ufunc.__name__} of two sparse tensors; TensorFlow's gradient of it fails when it is called."
    return public(f"raw_ops.{name_of}")(call)


SparseSparseMaximum = _extreme("SparseSparseMaximum", np.maximum, SparseSparseMaximum_)
SparseSparseMinimum = _extreme("SparseSparseMinimum", np.minimum, SparseSparseMinimum_)
