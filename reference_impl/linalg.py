"""``tf.linalg``: matrix products, decompositions, solvers, diagonals."""

# ruff: noqa: F401  # this file lists names

from .ops.diagonals import band_part, diag, diag_part, set_diag, tensor_diag, tensor_diag_part, trace
from .ops.joining import adjoint, matrix_transpose
from .ops.making import eye
from .ops.matrix import matmul
from .ops.norms import global_norm, l2_normalize, norm
