"""Sparse tensors where they meet gradients (``tf.sparse``, ``tf.SparseTensor``)."""

from .functions import (
    add,
    concat,
    expand_dims,
    eye,
    from_dense,
    map_values,
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
from .tensor import SparseTensor

__all__ = [
    "SparseTensor", "add", "concat", "expand_dims", "eye", "from_dense", "map_values", "reduce_max", "reduce_sum",
    "reorder", "reshape", "retain", "slice", "softmax", "sparse_dense_matmul", "to_dense", "transpose",
]  # fmt: skip
