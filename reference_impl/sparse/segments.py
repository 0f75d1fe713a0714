"""Reductions over rows picked by index, segment by segment (``tf.sparse.segment_sum``, ``_mean`` and ``_sqrt_n``).

``indices`` name rows of the data, ``segment_ids`` (which must not decrease) the segment that each of them joins.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import unnamed
from ..foundation.building import intercepted
from ..ops.arguments import check
from ..ops.declare import MISSING, kernel, publish
from ..ops.kernels.refusals import brackets
from ..ops.scatter import scatter_add
from ..ops.shaping import ints
from ..tapes.beside import noting_wholes
from ..tensors.conversion import convert_to_tensor
from ..tensors.slices import IndexedSlices
from ..tensors.tensor import EagerTensor, wrap
from . import fitting

_SCALES: dict[str, Callable[[Any], Any]] = {
    "Sum": lambda sizes: None,
    "Mean": lambda sizes: sizes,
    "SqrtN": np.sqrt,
}


def _scale(kind: str, ids: Any, count: int) -> Any:
    """What each segment is divided by, float64; None for a sum."""
    return _SCALES[kind](np.maximum(np.bincount(ids, minlength=count), 1).astype(np.float64))


def _reduced(x: Any, at: Any, ids: Any, count: int, kind: str) -> Any:
    total = scatter_add((count, *x.shape[1:]), ids, x[at])
    scale = _scale(kind, ids, count)
    return total if scale is None else total / scale.astype(x.dtype).reshape((count,) + (1,) * (x.ndim - 1))


def _upstream_rows(dy: Any, ids: Any, kind: str) -> Any:
    """The upstream of each row that was picked: TensorFlow multiplies by the reciprocal, rounded to the dtype."""
    scale = _scale(kind, ids, dy.shape[0])
    rows = dy[ids]
    if scale is None:
        return rows
    return rows * (1.0 / scale[ids]).astype(dy.dtype).reshape((len(ids),) + (1,) * (dy.ndim - 1))


def _spread(dy: Any, at: Any, ids: Any, count: int, kind: str) -> Any:
    return scatter_add((count, *dy.shape[1:]), at, _upstream_rows(dy, ids, kind))


def _spread_rows(dy: Any, at: Any, ids: Any, count: int, kind: str) -> Any:
    """As ``_spread``, only the rows that were picked, each once."""
    unique, places = np.unique(at, return_inverse=True)
    return scatter_add((len(unique), *dy.shape[1:]), places.reshape(-1), _upstream_rows(dy, ids, kind))


def _gradient(F: Any, dy: Any, _y: Any, _x: Any, **given: Any) -> Any:
    """Dense, or the rows that were picked; TensorFlow registers no gradient for either kernel."""
    at, ids, kind, sparse = given["at"], given["ids"], given["kind"], given["sparse"]
    name = {"Sum": "sum", "Mean": "mean", "SqrtN": "sqrt_n"}[kind]
    if not sparse:
        return getattr(F, f"sparse_segment_{name}_grad")(dy, at=at, ids=ids, count=F.shape(_x)[0], kind=kind)
    rows = getattr(F, f"sparse_segment_{name}_rows")(dy, at=at, ids=ids, count=F.shape(_x)[0], kind=kind)
    unique, shape = np.unique(at), np.array(F.shape(_x), np.int32)
    return IndexedSlices(rows, wrap(unique), wrap(shape)) if F.recording else IndexedSlices(rows, unique, shape)


def _declared(kind: str, name: str, counted: bool) -> Any:
    def gradient(F: Any, dy: Any, y: Any, _x: Any, **given: Any) -> Any:
        return _gradient(F, dy, y, _x, kind=kind, **given)

    suffix = "WithNumSegments" if counted else ""
    return kernel(
        f"sparse_segment_{name}{'_counted' * counted}", f"SparseSegment{kind}{suffix}", gradient=gradient, ordered=True,
        forward=lambda x, at, ids, count, sparse: _reduced(x, at, ids, count, kind),
    )  # fmt: skip


def _integers(values: Any) -> Any:
    array = np.asarray(convert_to_tensor(values)._a)
    return array if array.size else array.astype(np.int32)


def _check(x: Any, at: Any, ids: Any, count: int | None, kernel_name: str, name: str | None) -> None:
    """TensorFlow's errors for indices and segments that do not fit, in its order."""
    why = _misfit(x, at, ids, count)
    if why is not None:
        raise unnamed(kernel_name, why, name)


def _misfit(x: Any, at: Any, ids: Any, count: int | None) -> str | None:
    if count is not None and count < 0:
        return "segment ids must be >= 0"
    if not x.ndim:
        return "Shape must be at least rank 1"
    for word, array in (("indices", at), ("segment_ids", ids)):
        if array.ndim != 1:
            return f"{word} should be a vector."
    if at.shape != ids.shape:
        return "segment_ids and indices should have same size."
    if count is not None and ids.size and count <= ids[-1]:
        return "segment ids must be < num_segments"
    if (np.diff(ids) < 0).any():
        return "segment ids are not increasing"
    if ids.size and ids[0] < 0:
        size = int(ids[-1]) + 1 if count is None else count
        return f"Segment id {ids[0]} out of range [0, {size}), possibly because 'segment_ids' input is not sorted."
    wrong = np.nonzero((at < 0) | (at >= x.shape[0]))[0]
    if wrong.size:
        return f"Bad: indices[{wrong[0]}] == {at[wrong[0]]} out of range [0, {x.shape[0]})"
    return None


def _public(kind: str, name: str) -> tuple[Any, Any, Any]:
    """The public function ``sparse.segment_<name>`` and both kernels under ``raw_ops``."""
    plain, counted = _declared(kind, name, False), _declared(kind, name, True)

    def call(op: Any, data: Any, indices: Any, segment_ids: Any, num_segments: Any, sparse: Any, label: Any) -> Any:
        x = convert_to_tensor(data)
        at, ids = (_integers(v) for v in (indices, segment_ids))
        check(op.op.kernel, label, data=x, indices=at, segment_ids=ids)
        count = None
        if num_segments is not None:
            (size,) = fitting.sizes(num_segments)
            misfit = f"num_segments should be a scalar, not shape {brackets(size)}" if size else None
            fitting.refuse(op.op.kernel, misfit, label)
            check(op.op.kernel, label, num_segments=convert_to_tensor(num_segments))
            count = ints(num_segments)[0]
        _check(x._a, at, ids, count, op.op.kernel, label)
        size = (int(ids[-1]) + 1 if ids.size else 0) if count is None else count
        return op(x, at=at, ids=ids, count=size, sparse=bool(sparse))

    def function(
        data: Any, indices: Any, segment_ids: Any, num_segments: Any = None, name: str | None = None,
        sparse_gradient: bool = False,
    ) -> EagerTensor:  # fmt: skip
        op = plain if num_segments is None else counted
        return call(op, data, indices, segment_ids, num_segments, sparse_gradient, name)

    def raw(
        *, data: Any, indices: Any, segment_ids: Any, sparse_gradient: bool = False, name: str | None = None
    ) -> EagerTensor:
        return call(plain, data, indices, segment_ids, None, sparse_gradient, name)

    def raw_counted(
        *, data: Any, indices: Any, segment_ids: Any, num_segments: Any, sparse_gradient: bool = False,
        name: str | None = None,
    ) -> EagerTensor:  # fmt: skip
        return call(counted, data, indices, segment_ids, num_segments, sparse_gradient, name)

    paths = f"sparse.segment_{name}", f"raw_ops.SparseSegment{kind}", f"raw_ops.SparseSegment{kind}WithNumSegments"
    return tuple(_published(path, name, made) for path, made in zip(paths, (function, raw, raw_counted)))


def _published(path: str, name: str, function: Any) -> Any:
    function.__name__ = function.__qualname__ = path.split(".")[-1]
    function.__doc__ = f"The {name} over segments of rows that ``indices`` pick (TensorFlow's ``tf.{path}``)."
    return publish(path, intercepted(noting_wholes(function)))


for _kind, _name in (("Sum", "sum"), ("Mean", "mean"), ("SqrtN", "sqrt_n")):
    kernel(f"sparse_segment_{_name}_grad", f"SparseSegment{_kind}Grad", forward=_spread, gradient=MISSING)
    kernel(f"sparse_segment_{_name}_rows", f"SparseSegment{_kind}GradV2", forward=_spread_rows, gradient=MISSING)
segment_sum, SparseSegmentSum, SparseSegmentSumWithNumSegments = _public("Sum", "sum")
segment_mean, SparseSegmentMean, SparseSegmentMeanWithNumSegments = _public("Mean", "mean")
segment_sqrt_n, SparseSegmentSqrtN, SparseSegmentSqrtNWithNumSegments = _public("SqrtN", "sqrt_n")
