"""Sparse tensors where they meet gradients (``tf.sparse``, ``tf.SparseTensor``)."""

from .functions import (
    add,
    concat,
    expand_dims,
    eye,
    fill_empty_rows,
    from_dense,
    map_values,
    maximum,
    minimum,
    reduce_max,
    reduce_sum,
    reorder,
    reshape,
    retain,
    slice,
    softmax,
    sparse_dense_matmul,
    to_dense,
    transpose,
)
from .segments import segment_mean, segment_sqrt_n, segment_sum
from .tensor import SparseTensor

__all__ = [
    "SparseTensor", "add", "concat", "expand_dims", "eye", "fill_empty_rows", "from_dense", "map_values", "maximum",
    "minimum", "reduce_max", "reduce_sum", "reorder", "reshape", "retain", "segment_mean", "segment_sqrt_n",
    "segment_sum", "slice", "softmax", "sparse_dense_matmul", "to_dense", "transpose",
]  # fmt: skip
