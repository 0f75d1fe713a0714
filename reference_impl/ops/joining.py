"""Tensors taken apart and passed on in groups: split, unstack, identity_n; strided_slice, ensure_shape, adjoint."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import invalid
from ..tensors.conversion import convert_to_tensor
from ..tensors.shapes import TensorShape
from ..tensors.tensor import EagerTensor
from .arguments import check, whole
from .declare import apply, kernel, public, unary
from .given_sizes import sizes
from .indexing import check_spans, checked, strided_slice_
from .shaping import ints, reshape, split_, transpose, unpack

_ALL = "float complex int bool string"

identity_n_ = kernel(
    "identity_n",
    "IdentityN",
    types=_ALL,
    sparse=True,
    forward=lambda *xs: xs,
    gradient=lambda F, dy, _y, *_xs: dy if type(dy) is tuple else (dy,),
)
ensure_shape_ = unary(
    "",
    f="ensure_shape",
    kernel="EnsureShape",
    types=_ALL,
    sparse=True,
    forward=lambda x: x,
    gradient=lambda F, dy, _y, _x: dy,
)


@public("split")
def split(
    value: Any, num_or_size_splits: Any, axis: Any = 0, num: int | None = None, name: str = "split"
) -> list[EagerTensor]:
    """``value`` cut along ``axis`` into equal parts, or parts of given sizes, one of them perhaps -1 (``tf.split``)."""
    x, (axis,) = convert_to_tensor(value), ints(whole("Split", "split_dim", axis, name))
    rank = x._a.ndim
    equal = isinstance(num_or_size_splits, (int, np.integer))
    kernel_name = "Split" if equal else "SplitV"
    if not -rank <= axis < rank:
        text = f"-input rank(-{rank}) <= split_dim < input rank ({rank}), but got {axis}"
        count = int(num_or_size_splits) if equal else len(ints(num_or_size_splits))
        raise invalid(kernel_name, text, name, sizes=f"num_split_{count}")
    axis %= rank
    length = x._a.shape[axis]
    parts = _equal(length, int(num_or_size_splits), axis, name) if equal else _given(length, num_or_size_splits, name)
    return list(split_(x, sizes=parts, axis=axis))


def _equal(length: int, count: int, axis: int, name: str) -> tuple[int, ...]:
    check("Split", name, num_split=count)
    if length % count:
        raise invalid(
            "Split",
            "Number of ways to split should evenly divide the split dimension, but got split_dim "
            f"{axis} (size = {length}) and num_split {count}",
            name,
            sizes=f"num_split_{count}",
        )
    return (length // count,) * count


def _given(length: int, asked: Any, name: str) -> tuple[int, ...]:
    if convert_to_tensor(asked)._a.ndim == 0:
        raise ValueError(
            f"Rank-0 tensors are not supported as the num_or_size_splits argument to split. Argument provided: {asked}"
        )
    given = sizes("SplitV", "size_splits", asked, name)
    number = f"num_split_{len(given)}"
    if given.count(-1) > 1:
        raise invalid("SplitV", "There can only be one -1 in the input.", name, sizes=number)
    if len(given) == 1 and given[0] not in (-1, length):
        text = "If there is only one output, it must have the same size as the input. Input size: "
        raise invalid("SplitV", f"{text}{length} output size: {given[0]}", name, sizes=number)
    known = sum(s for s in given if s != -1)
    if known > length or (-1 not in given and known != length):
        raise invalid(
            "SplitV",
            "Determined shape must either match input shape along split_dim exactly if fully specified, or be less "
            f"than the size of the input along split_dim if not fully specified.  Got: {known}",
            name,
            sizes=number,
        )
    return tuple(length - known if s == -1 else s for s in given)


@public("unstack")
def unstack(value: Any, num: int | None = None, axis: int = 0, name: str = "unstack") -> list[EagerTensor]:
    """The tensors of one rank less along ``axis`` (``tf.unstack``)."""
    x = convert_to_tensor(value)
    rank = x._a.ndim
    if not -rank <= axis < rank:
        raise ValueError(f"Argument `axis` = {axis} not in range [{-rank}, {rank})")
    if num is not None and num != x._a.shape[axis]:
        size = ",".join(map(str, x._a.shape))
        raise invalid("Unpack", f"Input shape axis {axis % rank} must equal {num}, got shape [{size}]", name)
    return list(unpack(x, axis=axis % rank))


@public("identity_n")
def identity_n(input: Any, name: str | None = None) -> list[EagerTensor]:
    """New tensors with the same values (``tf.identity_n``), differentiated as one op."""
    return list(apply(identity_n_.op, tuple(convert_to_tensor(x) for x in input), {}))


@public("ensure_shape")
def ensure_shape(x: Any, shape: Any, name: str | None = None) -> EagerTensor:
    """``x``, whose shape must agree with ``shape``, where None stands for any size (``tf.ensure_shape``)."""
    x, want = convert_to_tensor(x), TensorShape(shape)
    if not want.is_compatible_with(x.shape):
        have = ",".join(map(str, x._a.shape))
        sizes = ",".join("?" if d is None else str(d) for d in want.as_list())
        text = f"Shape of tensor input [{have}] is not compatible with expected shape [{sizes}]."
        raise invalid("EnsureShape", text, name)
    return ensure_shape_(x, name)


@public("linalg.matrix_transpose")
def matrix_transpose(a: Any, name: str = "matrix_transpose", conjugate: bool = False) -> EagerTensor:
    """The last two axes swapped (``tf.linalg.matrix_transpose``).  ValueError for fewer than two."""
    x = convert_to_tensor(a)
    rank = x._a.ndim
    if rank < 2:
        raise ValueError(
            f"Argument `a` should be a (batch) matrix with rank >= 2.  Received `a` = {x} with shape: {x.shape}"
        )
    return transpose(x, [*range(rank - 2), rank - 1, rank - 2], conjugate=conjugate)


@public("linalg.adjoint")
def adjoint(matrix: Any, name: str | None = None) -> EagerTensor:
    """The conjugate transpose (``tf.linalg.adjoint``)."""
    return matrix_transpose(convert_to_tensor(matrix), conjugate=True)


@public("strided_slice")
def strided_slice(
    input_: Any, begin: Any, end: Any, strides: Any = None, begin_mask: int = 0, end_mask: int = 0,
    ellipsis_mask: int = 0, new_axis_mask: int = 0, shrink_axis_mask: int = 0, var: Any = None,
    name: str | None = None,
) -> EagerTensor:  # fmt: skip
    """``input_[begin:end:strides]``, with bit masks for the special forms of an index (``tf.strided_slice``)."""
    if any(isinstance(v, (list, tuple)) and v and isinstance(v[0], (list, tuple)) for v in (begin, end, strides)):
        spans = [np.shape(v) for v in (begin, end, begin if strides is None else strides)]
        check_spans("StridedSlice", *spans, name)
    x, starts, ends = convert_to_tensor(input_), ints(begin), ints(end)
    steps = (1,) * len(starts) if strides is None else ints(strides)
    check_spans("StridedSlice", (len(starts),), (len(ends),), (len(steps),), name)
    masks = (begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask)
    return strided_slice_(x, index=checked(x._a.shape, spelled(starts, ends, steps, *masks)))


def spelled(
    starts: tuple[int, ...], ends: tuple[int, ...], steps: tuple[int, ...], begin_mask: int, end_mask: int,
    ellipsis_mask: int, new_axis_mask: int, shrink_axis_mask: int,
) -> tuple[Any, ...]:  # fmt: skip
    """The index that the ends, the steps and the masks of a slice mean."""
    index: list[Any] = []
    for k, (b, e, s) in enumerate(zip(starts, ends, steps)):
        bit = 1 << k
        if ellipsis_mask & bit:
            index.append(Ellipsis)
        elif new_axis_mask & bit:
            index.append(None)
        elif shrink_axis_mask & bit:
            index.append(b)
        else:
            index.append(slice(None if begin_mask & bit else b, None if end_mask & bit else e, s))
    return tuple(index)


@public("nn.embedding_lookup")
def embedding_lookup(params: Any, ids: Any, max_norm: Any = None, name: str | None = None) -> Any:
    """The rows of a table at ``ids``, scaled down to ``max_norm`` if one is given (``tf.nn.embedding_lookup``).

    A list of tables is one table in parts, the longer ones first.  Ragged ids give ragged rows.
    """
    if params is None or (isinstance(params, (list, tuple)) and not params):
        raise ValueError("params must be specified")
    tables = list(params) if isinstance(params, (list, tuple)) else [params]
    if hasattr(type(ids), "_each_"):
        _check_ragged_ids(ids)
        return ids._each_(lambda values: embedding_lookup(params, values, max_norm))
    ids = convert_to_tensor(ids)
    return _rows_of(tables[0], ids, max_norm) if len(tables) == 1 else _from_parts(tables, ids, max_norm)


def _check_ragged_ids(ids: Any) -> None:
    if ids.dtype.name not in ("int32", "int64"):
        raise ValueError(
            f"The values contained by the inputs have type {ids.dtype!s} and cannot be processed. All values should be "
            "indices, either of type `int32` or `int64`."
        )


def _rows_of(table: Any, ids: EagerTensor, max_norm: Any) -> EagerTensor:
    from .casting import identity
    from .gathering import gather
    from .norms import clip_by_norm

    rows = gather(table, ids)
    if max_norm is None:
        return identity(rows)
    return identity(clip_by_norm(rows, max_norm, axes=list(range(ids._a.ndim, rows._a.ndim)) or None))


def _from_parts(tables: list, ids: EagerTensor, max_norm: Any) -> EagerTensor:
    """Rows of a table in parts; the gradient of each part is sparse, and empty where no id falls into it."""
    from .scattering import dynamic_partition, dynamic_stitch

    flat = ids._a.reshape(-1)
    length, longer = divmod(sum(int(table.shape[0]) for table in tables), len(tables))
    part = np.maximum(flat // (length + 1), (flat - longer) // length)
    within = np.where(part < longer, flat % (length + 1), (flat - longer) % length)
    numbers, count = part.astype(np.int32), len(tables)
    places = dynamic_partition(np.arange(flat.size, dtype=np.int32), numbers, count)
    picked = dynamic_partition(within.astype(flat.dtype), numbers, count)
    rows = [_rows_of(table, at, max_norm) for table, at in zip(tables, picked)]
    return reshape(dynamic_stitch(places, rows), (*ids._a.shape, *tables[0].shape[1:]))
