"""Operators that hold their matrix: all of it, or its lower triangle."""

from __future__ import annotations

from typing import Any

from .. import dtypes
from ..ops.cumulative import reduce_prod
from ..ops.decompositions import triangular_solve
from ..ops.diagonals import band_part, diag_part
from ..ops.elementwise import abs as absolute
from ..ops.joining import adjoint as adjoint_of
from ..ops.matrix import matmul
from ..ops.reductions import reduce_sum
from ..tensors.conversion import convert_to_tensor
from ..tensors.shapes import TensorShape
from .base import LinearOperator, log
from .checking import no_zeros
from .hints import as_hints, given, non_singular, self_adjoint


class LinearOperatorFullMatrix(LinearOperator):
    """A matrix as it is."""

    def __init__(
        self, matrix: Any, is_non_singular: Any = None, is_self_adjoint: Any = None, is_positive_definite: Any = None,
        is_square: Any = None, name: str = "LinearOperatorFullMatrix",
    ):  # fmt: skip
        own = {**as_hints(is_non_singular, is_self_adjoint, is_positive_definite, is_square), "name": name}
        self._matrix = given(matrix)
        allowed = [dtypes.float16, dtypes.float32, dtypes.float64, dtypes.complex64, dtypes.complex128]
        if self._matrix.dtype not in allowed:
            raise TypeError(f"Argument `matrix` must have dtype in {allowed}. Received: {self._matrix.dtype}.")
        if self._matrix.shape.rank < 2:
            value = convert_to_tensor(self._matrix)
            raise ValueError(f"Argument `matrix` must have at least 2 dimensions. Received: {value}.")
        super().__init__(self._matrix.dtype, **own, parameters={"matrix": matrix, **own})

    @property
    def matrix(self) -> Any:
        """The matrix, as it was given."""
        return self._matrix

    def _shape(self) -> TensorShape:
        return self._matrix.shape

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return matmul(self._matrix, x, adjoint_a=adjoint, adjoint_b=adjoint_arg)

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return self._dense_solve(rhs, adjoint, adjoint_arg)

    def _to_dense(self) -> Any:
        return self._matrix


class LinearOperatorLowerTriangular(LinearOperator):
    """The lower triangle of a matrix; what lies above it is not looked at."""

    def __init__(
        self, tril: Any, is_non_singular: Any = None, is_self_adjoint: Any = None, is_positive_definite: Any = None,
        is_square: Any = None, name: str = "LinearOperatorLowerTriangular",
    ):  # fmt: skip
        own = {**as_hints(is_non_singular, is_self_adjoint, is_positive_definite, is_square), "name": name}
        if is_square is False:
            raise ValueError("Only square lower triangular operators supported at this time.")
        self._tril = given(tril)
        if self._tril.shape.rank < 2:
            raise ValueError(f"Argument tril must have at least 2 dimensions.  Found: {self._tril!s}")
        super().__init__(self._tril.dtype, **{**own, "is_square": True}, parameters={"tril": tril, **own})

    @property
    def tril(self) -> Any:
        """The matrix, as it was given."""
        return self._tril

    def _shape(self) -> TensorShape:
        return self._tril.shape

    def _lower(self) -> Any:
        return band_part(self._tril, -1, 0)

    def _diagonal(self) -> Any:
        return diag_part(self._tril)

    def _assert_non_singular(self) -> Any:
        return no_zeros(self._diagonal(), "Singular operator:  Diagonal contained zero values.")

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return matmul(self._lower(), x, adjoint_a=adjoint, adjoint_b=adjoint_arg)

    def _times(self, right: LinearOperator) -> LinearOperator:
        from .diagonal import LinearOperatorDiag

        if not isinstance(right, LinearOperatorDiag):
            return super()._times(right)
        return LinearOperatorLowerTriangular(
            self.to_dense() * right.diag, is_non_singular=non_singular(right, self),
            is_self_adjoint=self_adjoint(right, self), is_square=True,
        )  # fmt: skip

    def _determinant(self) -> Any:
        return reduce_prod(self._diagonal(), axis=[-1])

    def _log_abs_determinant(self) -> Any:
        return reduce_sum(log(absolute(self._diagonal())), axis=[-1])

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        rhs = adjoint_of(rhs) if adjoint_arg else rhs
        return triangular_solve(self._lower(), rhs, lower=True, adjoint=adjoint)

    def _to_dense(self) -> Any:
        return self._lower()

    def _eigvals(self) -> Any:
        return self._diagonal()
