"""Ragged tensors as variants: ``raw_ops.RaggedTensorToVariant`` and ``raw_ops.RaggedTensorFromVariant``.

A variant of rank 0 holds a whole ragged tensor, one of rank 1 a row in each element.
"""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np

from .. import dtypes
from ..errors import invalid
from ..ops.declare import MISSING, kernel, public
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor
from ..tensors.variants import Variant

RaggedTensorFromVariant_ = namedtuple("RaggedTensorFromVariant", ("output_nested_splits", "output_dense_values"))


class EncodedRagged:
    """Row splits, the outermost first, and flat values."""

    __slots__ = ("splits", "values")
    type_name = "RaggedTensorVariant"

    def __init__(self, splits: tuple[Any, ...], values: Any):
        self.splits, self.values = splits, values

    def __str__(self) -> str:
        word = dtypes.kernel_name(self.values.dtype)
        kind = dtypes.kernel_name(self.splits[0].dtype) if self.splits else "INVALID"
        return f"<RaggedTensorVariant(dtype={word}, ragged_rank={len(self.splits)}, splits_dtype={kind}>"


def _encoded(values: Any, splits: tuple[Any, ...], batched: bool) -> Variant:
    if not batched:
        return Variant(EncodedRagged(splits, values))
    if not splits:
        return Variant(tuple(EncodedRagged((), values[k]) for k in range(values.shape[0])), (values.shape[0],))
    rows = tuple(_row(values, splits, k) for k in range(len(splits[0]) - 1))
    return Variant(rows, (len(rows),))


def _row(values: Any, splits: tuple[Any, ...], k: int) -> EncodedRagged:
    start, stop = splits[0][k], splits[0][k + 1]
    inner = []
    for part in splits[1:]:
        mine = part[start : stop + 1]
        start, stop = mine[0], mine[-1]
        inner.append(mine - start)
    return EncodedRagged(tuple(inner), values[start:stop])


def _decoded(variant: Variant, output_rank: int, splits_dtype: Any, sample: Any) -> tuple:
    if not variant.shape:
        return (*variant.held.splits, variant.held.values)
    pieces = variant.held
    if not output_rank:
        return (np.stack([one.values for one in pieces]) if pieces else sample,)
    counts = [len(one.splits[0]) - 1 if one.splits else one.values.shape[0] for one in pieces]
    made = [np.concatenate([[0], np.cumsum(counts)]).astype(splits_dtype)]
    for level in range(output_rank - 1):
        total, parts = 0, [np.zeros(1, splits_dtype)]
        for one in pieces:
            parts.append(one.splits[level][1:] + total)
            total += one.splits[level][-1]
        made.append(np.concatenate(parts).astype(splits_dtype))
    return (*made, np.concatenate([one.values for one in pieces]) if pieces else sample)


def _gradient_values(dy: Variant, shape: tuple[int, ...]) -> Any:
    """The values of all pieces; those of a single one as they are, whatever their shape."""
    pieces = dy.held if dy.shape else (dy.held,)
    if len(pieces) == 1:
        return pieces[0].values
    flat = [one.values.reshape((-1,)) for one in pieces]
    return np.concatenate(flat).reshape(shape)


to_variant_gradient_ = kernel(
    "ragged_variant_gradient", "RaggedTensorToVariantGradient", forward=_gradient_values, gradient=MISSING
)
to_variant_ = kernel(
    "ragged_to_variant", "RaggedTensorToVariant", forward=_encoded,
    gradient=lambda F, dy, _y, _values, splits, batched: F.ragged_variant_gradient(dy, shape=F.shape(_values)),
)  # fmt: skip


def _from_gradient(F: Any, dy: Any, y: Any, variant: Any, **_: Any) -> Any:
    several = type(dy) is tuple
    splits = tuple(F.stopped(part) for part in y[:-1]) if several else ()
    return F.ragged_to_variant(dy[-1] if several else dy, splits=splits, batched=bool(F.shape(variant)))


from_variant_ = kernel("ragged_from_variant", "RaggedTensorFromVariant", forward=_decoded, gradient=_from_gradient)


@public("raw_ops.RaggedTensorToVariant")
def RaggedTensorToVariant(
    *, rt_nested_splits: Any, rt_dense_values: Any, batched_input: bool, name: str | None = None
) -> EagerTensor:
    """A ragged tensor as a variant, or each of its rows as one."""
    splits = tuple(np.asarray(convert_to_tensor(part)._a) for part in rt_nested_splits)
    return to_variant_(convert_to_tensor(rt_dense_values), splits=splits, batched=bool(batched_input))


@public("raw_ops.RaggedTensorFromVariant")
def RaggedTensorFromVariant(
    *, encoded_ragged: Any, input_ragged_rank: int, output_ragged_rank: int, Tvalues: Any, Tsplits: Any = dtypes.int64,
    name: str | None = None,
) -> Any:  # fmt: skip
    """The ragged tensor that a variant holds, or that has the rows which variants hold."""
    variant, want = encoded_ragged._a, dtypes.as_dtype(Tvalues)
    pieces = variant.held if variant.shape else (variant.held,)
    rank = variant.ndim
    text = ""
    inner = output_ragged_rank - rank if input_ragged_rank == -1 else input_ragged_rank
    if input_ragged_rank != -1 and output_ragged_rank != input_ragged_rank + rank:
        text = "output_ragged_rank must be equal to input_ragged_rank + encoded_ragged.dims(); "
        text += f"output_ragged_rank: {output_ragged_rank}, input_ragged_rank: {input_ragged_rank}, "
        text += f"encoded_variant.dims(): {rank}."
    for one in pieces:
        if not text and one.values.dtype != want.numpy:
            found = dtypes.kernel_name(one.values.dtype)
            text = f"Expected values Tensor dtype: {want._word}, found: {found}"
        if not text and len(one.splits) != max(inner, 0):
            text = (
                f"Encoded input RaggedTensorVariant has ragged_rank={len(one.splits)}.  Expected ragged_rank={inner}."
            )
    if text:
        raise invalid("RaggedTensorFromVariant", text, name, sizes=f"output_ragged_rank_{output_ragged_rank}")
    kind, sample = dtypes.as_dtype(Tsplits).numpy, np.zeros(0, want.numpy)
    made = from_variant_(encoded_ragged, output_rank=output_ragged_rank, splits_dtype=kind, sample=sample)
    made = made if type(made) is tuple else (made,)
    return RaggedTensorFromVariant_(list(made[:-1]), made[-1])
