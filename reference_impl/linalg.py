"""``tf.linalg``: matrix products, decompositions, solvers, diagonals."""

# ruff: noqa: F401  # this file lists names

from .ops.matrix import matmul
from .ops.norms import global_norm, l2_normalize, norm
