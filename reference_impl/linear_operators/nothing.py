"""The operator of zeros."""

from __future__ import annotations

from typing import Any

from ..dtypes import as_dtype
from ..ops.joining import adjoint as adjoint_of
from ..ops.making import zeros, zeros_like
from ..tensors.shapes import TensorShape
from .base import NOT_SQUARE, LinearOperator
from .checking import never, sizes
from .diagonal import batch_of, broadcast
from .hints import as_hints


class LinearOperatorZeros(LinearOperator):
    """A matrix of zeros."""

    def __init__(
        self, num_rows: Any, num_columns: Any = None, batch_shape: Any = None, dtype: Any = None,
        is_non_singular: Any = False, is_self_adjoint: Any = True, is_positive_definite: Any = False,
        is_square: Any = True, assert_proper_shapes: bool = False, name: str = "LinearOperatorZeros",
    ):  # fmt: skip
        own = {**as_hints(is_non_singular, is_self_adjoint, is_positive_definite, is_square), "name": name}
        more = {"num_rows": num_rows, "num_columns": num_columns, "batch_shape": batch_shape, "dtype": dtype}
        if not is_self_adjoint and is_square:
            raise ValueError("A zero operator is always self adjoint.")
        if is_non_singular:
            raise ValueError("A zero operator is always singular.")
        if is_positive_definite:
            raise ValueError("A zero operator is always not positive-definite.")
        parameters = {**more, "assert_proper_shapes": assert_proper_shapes, **own}
        super().__init__(as_dtype(dtype or "float32"), **own, parameters=parameters)
        self._rows = int(sizes(num_rows, "num_rows", 0))
        self._columns = self._rows if num_columns is None else int(sizes(num_columns, "num_columns", 0))
        if is_square and self._rows != self._columns:
            raise ValueError(
                f"LinearOperatorZeros initialized as is_square=True, but got num_rows({self._rows}) != "
                f"num_columns({self._columns})"
            )
        self._batch = None if batch_shape is None else batch_of(batch_shape)

    def _shape(self) -> TensorShape:
        return (self._batch or TensorShape([])).concatenate([self._rows, self._columns])

    def _zeros_diag(self) -> Any:
        return zeros([*self.batch_shape.as_list(), min(self._rows, self._columns)], dtype=self.dtype)

    def _assert_non_singular(self) -> Any:
        raise never("Zero operators are always non-invertible.")

    def _assert_positive_definite(self) -> Any:
        raise never("Zero operators are always non-positive definite.")

    def _assert_self_adjoint(self) -> Any:
        return None

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        if self._square and x.shape.is_fully_defined() and self._rows == self._columns:
            return (
                zeros_like(adjoint_of(x) if adjoint_arg else x) if self._batch is None else self._many(x, adjoint_arg)
            )
        rows = self._columns if adjoint else self._rows
        columns = x.shape[-2 if adjoint_arg else -1]
        found = zeros([*x.shape[:-2].as_list(), rows, columns], dtype=x.dtype)
        return broadcast(found, self._batch, self.dtype)

    def _many(self, x: Any, adjoint_arg: bool) -> Any:
        return broadcast(zeros_like(adjoint_of(x) if adjoint_arg else x), self._batch, self.dtype)

    def _times(self, right: LinearOperator) -> LinearOperator:
        if not self.is_square or not right.is_square:
            raise ValueError(NOT_SQUARE)
        return self

    def _determinant(self) -> Any:
        return zeros(self.batch_shape.as_list(), dtype=self.dtype)

    def _trace(self) -> Any:
        return zeros(self.batch_shape.as_list(), dtype=self.dtype)

    def _diag_part(self) -> Any:
        return self._zeros_diag()

    def add_to_tensor(self, mat: Any, name: str = "add_to_tensor") -> Any:
        """The tensor itself, repeated for the batch."""
        return broadcast(mat, self._batch, self.dtype)

    def _eigvals(self) -> Any:
        return self._zeros_diag()
