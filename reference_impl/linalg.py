"""``tf.linalg``: matrix products, decompositions, solvers, diagonals."""

# ruff: noqa: F401  # this file lists names

from .composed import loader as _loader
from .ops.bands import banded_triangular_solve, tridiagonal_matmul, tridiagonal_solve
from .ops.decompositions import (
    cholesky,
    cholesky_solve,
    det,
    eigh,
    eigvalsh,
    inv,
    logdet,
    lstsq,
    lu,
    matrix_rank,
    pinv,
    qr,
    slogdet,
    solve,
    sqrtm,
    svd,
    triangular_solve,
)
from .ops.diagonals import band_part, diag, diag_part, set_diag, tensor_diag, tensor_diag_part, trace
from .ops.eigen import eig, eigvals
from .ops.joining import adjoint, matrix_transpose
from .ops.making import eye
from .ops.matrix import matmul
from .ops.matrix_exponential import expm
from .ops.norms import global_norm, l2_normalize, norm
from .ops.products import cross, einsum, matvec, tensordot
from .ops.reinterpreting import normalize

__getattr__, __dir__ = _loader("linalg", globals())
