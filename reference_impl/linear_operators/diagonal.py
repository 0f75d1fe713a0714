"""Operators with a diagonal alone: one number for each row, or the same for all rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..checks.assertions import assert_equal, assert_positive
from ..dtypes import as_dtype
from ..ops.arithmetic import conj
from ..ops.casting import cast
from ..ops.complex_numbers import imag, real
from ..ops.cumulative import reduce_prod
from ..ops.declare import NAMES as OP_NAMES
from ..ops.diagonals import diag, diag_part, set_diag
from ..ops.elementwise import abs as absolute
from ..ops.extremes import reduce_max, reduce_min
from ..ops.joining import adjoint as adjoint_of
from ..ops.making import ones, zeros, zeros_like
from ..ops.reductions import reduce_sum
from ..ops.selection import where
from ..ops.squeezing import expand_dims
from ..surroundings.inquiring import broadcast_static_shape
from ..tensors.conversion import convert_to_tensor
from ..tensors.shapes import TensorShape
from .base import LinearOperator, log
from .checking import no_zeros, real_numbers, sizes
from .dense import LinearOperatorLowerTriangular
from .hints import as_hints, given, hints, non_singular, of_product, self_adjoint

sqrt, equal = OP_NAMES["sqrt"], OP_NAMES["equal"]
_REAL = "A real diagonal operator is always self adjoint."


def _always_real(dtype: Any, is_self_adjoint: Any) -> Any:
    """The hint of an operator with a diagonal: real numbers make it self-adjoint."""
    if dtype.is_complex:
        return is_self_adjoint
    if is_self_adjoint is False:
        raise ValueError(_REAL)
    return True


class LinearOperatorDiag(LinearOperator):
    """A diagonal matrix."""

    def __init__(
        self, diag: Any, is_non_singular: Any = None, is_self_adjoint: Any = None, is_positive_definite: Any = None,
        is_square: Any = None, name: str = "LinearOperatorDiag",
    ):  # fmt: skip
        own = {**as_hints(is_non_singular, is_self_adjoint, is_positive_definite, is_square), "name": name}
        self._diag = given(diag)
        if self._diag.shape.rank < 1:
            raise ValueError(f"Argument diag must have at least 1 dimension.  Found: {self._diag!s}")
        known = _always_real(self._diag.dtype, is_self_adjoint)
        if is_square is False:
            raise ValueError("Only square diagonal operators currently supported.")
        found = {**own, "is_self_adjoint": known, "is_square": True}
        super().__init__(self._diag.dtype, **found, parameters={"diag": diag, **own})

    @property
    def diag(self) -> Any:
        """The diagonal, as it was given."""
        return self._diag

    def _shape(self) -> TensorShape:
        return self._diag.shape.concatenate(self._diag.shape[-1:])

    def _assert_non_singular(self) -> Any:
        return no_zeros(self._diag, "Singular operator:  Diagonal contained zero values.")

    def _assert_positive_definite(self) -> Any:
        message = "Real diagonal operator had non-positive diagonal entries, thus was not positive definite."
        if self.dtype.is_complex:
            message = (
                "Diagonal operator had diagonal entries with non-positive real part, thus was not positive definite."
            )
        return assert_positive(real(self._diag), message=message)

    def _assert_self_adjoint(self) -> Any:
        message = "This diagonal operator contained non-zero imaginary values.   Thus it was not self-adjoint."
        return real_numbers(self._diag, message)

    def _times(self, right: LinearOperator) -> LinearOperator:
        if isinstance(right, LinearOperatorDiag):
            return LinearOperatorDiag(self.diag * right.diag, **of_product(self, right))
        if isinstance(right, LinearOperatorScaledIdentity):
            return LinearOperatorDiag(self.diag * right.multiplier, **of_product(self, right))
        if isinstance(right, LinearOperatorLowerTriangular):
            return self._lower(right, self._column() * right.to_dense())
        return super()._times(right)

    def _solved(self, right: LinearOperator) -> LinearOperator:
        if isinstance(right, LinearOperatorDiag):
            return LinearOperatorDiag(right.diag / self.diag, **of_product(self, right))
        if isinstance(right, LinearOperatorScaledIdentity):
            return LinearOperatorDiag(right.multiplier / self.diag, **of_product(self, right))
        if isinstance(right, LinearOperatorLowerTriangular):
            return self._lower(right, right.to_dense() / self._column())
        return super()._solved(right)

    def _lower(self, right: LinearOperator, matrix: Any) -> LinearOperator:
        known = {"is_non_singular": non_singular(self, right), "is_self_adjoint": self_adjoint(self, right)}
        return LinearOperatorLowerTriangular(matrix, **known, is_square=True)

    def _column(self) -> Any:
        return expand_dims(self._diag, -1)

    def _inverse(self) -> LinearOperator:
        return LinearOperatorDiag(1.0 / self._diag, **{**hints(self), "is_square": True})

    def _adjoint(self) -> LinearOperator:
        numbers = conj(self._diag) if self.dtype.is_complex else self._diag
        return LinearOperatorDiag(numbers, **{**hints(self), "is_square": True})

    def _cholesky(self) -> LinearOperator:
        known = dict.fromkeys(hints(self), True)
        return LinearOperatorDiag(sqrt(self._diag), **known)

    def _numbers(self, adjoint: bool) -> Any:
        return conj(self._diag) if adjoint else self._diag

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        numbers = self._numbers(adjoint)
        x = adjoint_of(x) if adjoint_arg else x
        return expand_dims(numbers, -1) * x

    def _matvec(self, x: Any, adjoint: bool = False) -> Any:
        return self._numbers(adjoint) * x

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        numbers = self._numbers(adjoint)
        rhs = adjoint_of(rhs) if adjoint_arg else rhs
        return rhs * expand_dims(1.0 / numbers, -1)

    def _determinant(self) -> Any:
        return reduce_prod(self._diag, axis=[-1])

    def _log_abs_determinant(self) -> Any:
        found = reduce_sum(log(absolute(self._diag)), axis=[-1])
        return cast(found, self.dtype) if self.dtype.is_complex else found

    def _to_dense(self) -> Any:
        return diag(self._diag)

    def _diag_part(self) -> Any:
        return self._diag

    def _add_to_tensor(self, x: Any) -> Any:
        return set_diag(x, self._diag + diag_part(x))

    def _eigvals(self) -> Any:
        return convert_to_tensor(self._diag)

    def _cond(self) -> Any:
        values = absolute(self._diag)
        return reduce_max(values, axis=-1) / reduce_min(values, axis=-1)


class _Identity(LinearOperator):
    """What both identities have: ones on the diagonal, times something."""

    _rows: int

    def _ones_diag(self) -> Any:
        return ones([*self.batch_shape.as_list(), self._rows], dtype=self.dtype)

    def _ones_of_batch(self) -> Any:
        return ones(self.batch_shape.as_list(), dtype=self.dtype)


def broadcast(x: Any, batch: TensorShape | None, dtype: Any) -> Any:
    """``x`` repeated for the batch of an operator that has no numbers."""
    if batch is None:
        return x
    special = batch.concatenate([1, 1])
    if broadcast_static_shape(x.shape, special) == x.shape:
        return x
    return x + zeros(special.as_list(), dtype=dtype)


class LinearOperatorIdentity(_Identity):
    """The identity matrix."""

    def __init__(
        self, num_rows: Any, batch_shape: Any = None, dtype: Any = None, is_non_singular: Any = True,
        is_self_adjoint: Any = True, is_positive_definite: Any = True, is_square: Any = True,
        assert_proper_shapes: bool = False, name: str = "LinearOperatorIdentity",
    ):  # fmt: skip
        own = {**as_hints(is_non_singular, is_self_adjoint, is_positive_definite, is_square), "name": name}
        more = {"batch_shape": batch_shape, "dtype": dtype, "assert_proper_shapes": assert_proper_shapes}
        for said, text in (
            (is_self_adjoint, "self adjoint"), (is_non_singular, "non-singular"),
            (is_positive_definite, "positive-definite"), (is_square, "square"),
        ):  # fmt: skip
            if not said:
                raise ValueError(f"An identity operator is always {text}.")
        super().__init__(as_dtype(dtype or "float32"), **own, parameters={"num_rows": num_rows, **more, **own})
        self._rows = int(sizes(num_rows, "num_rows", 0))
        self._batch = None if batch_shape is None else batch_of(batch_shape)

    def _shape(self) -> TensorShape:
        return (self._batch or TensorShape([])).concatenate([self._rows, self._rows])

    def _adjoint(self) -> LinearOperator:
        return self

    def _inverse(self) -> LinearOperator:
        return self

    def _cholesky(self) -> LinearOperator:
        return LinearOperatorIdentity(self._rows, batch_shape=self.batch_shape.as_list(), dtype=self.dtype)

    def _times(self, right: LinearOperator) -> LinearOperator:
        return right

    def _solved(self, right: LinearOperator) -> LinearOperator:
        return right

    def _assert_non_singular(self) -> Any:
        return None

    _assert_positive_definite = _assert_self_adjoint = _assert_non_singular

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return broadcast(adjoint_of(x) if adjoint_arg else x, self._batch, self.dtype)

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return self._matmul(rhs, adjoint_arg=adjoint_arg)

    def _determinant(self) -> Any:
        return self._ones_of_batch()

    def _log_abs_determinant(self) -> Any:
        return zeros(self.batch_shape.as_list(), dtype=self.dtype)

    def _trace(self) -> Any:
        return self._rows * self._ones_of_batch()

    def _diag_part(self) -> Any:
        return self._ones_diag()

    def add_to_tensor(self, mat: Any, name: str = "add_to_tensor") -> Any:
        """The matrix and a tensor of any dtype added up."""
        mat = convert_to_tensor(mat)
        return set_diag(mat, 1 + diag_part(mat))

    def _eigvals(self) -> Any:
        return self._ones_diag()

    def _cond(self) -> Any:
        return self._ones_of_batch()


def batch_of(value: Any) -> TensorShape:
    """A batch shape that was given as an argument."""
    if isinstance(value, TensorShape):
        value = value.as_list()
    return TensorShape(np.asarray(sizes(value, "batch_shape", 1)).tolist())


class LinearOperatorScaledIdentity(_Identity):
    """The identity matrix times a number, or one number for each member of a batch."""

    def __init__(
        self, num_rows: Any, multiplier: Any, is_non_singular: Any = None, is_self_adjoint: Any = None,
        is_positive_definite: Any = None, is_square: Any = True, assert_proper_shapes: bool = False,
        name: str = "LinearOperatorScaledIdentity",
    ):  # fmt: skip
        own = {**as_hints(is_non_singular, is_self_adjoint, is_positive_definite, is_square), "name": name}
        more = {"multiplier": multiplier, "assert_proper_shapes": assert_proper_shapes}
        self._multiplier = given(multiplier)
        known = _always_real(self._multiplier.dtype, is_self_adjoint)
        if not is_square:
            raise ValueError("A ScaledIdentity operator is always square.")
        found = {**own, "is_self_adjoint": known}
        super().__init__(self._multiplier.dtype, **found, parameters={"num_rows": num_rows, **more, **own})
        self._rows = int(sizes(num_rows, "num_rows", 0))

    @property
    def multiplier(self) -> Any:
        """The number, as it was given."""
        return self._multiplier

    def _shape(self) -> TensorShape:
        return self._multiplier.shape.concatenate([self._rows, self._rows])

    def _assert_non_singular(self) -> Any:
        return assert_positive(absolute(self._multiplier), message="LinearOperator was singular")

    def _assert_positive_definite(self) -> Any:
        return assert_positive(real(self._multiplier), message="LinearOperator was not positive definite.")

    def _assert_self_adjoint(self) -> Any:
        part = imag(self._multiplier)
        return assert_equal(zeros_like(part), part, message="LinearOperator was not self-adjoint")

    def _of(self, multiplier: Any, **known: Any) -> LinearOperator:
        return LinearOperatorScaledIdentity(self._rows, multiplier, **known)

    def _adjoint(self) -> LinearOperator:
        number = conj(self._multiplier) if self.dtype.is_complex else self._multiplier
        return self._of(number, **{**hints(self), "is_square": True})

    def _cholesky(self) -> LinearOperator:
        return self._of(sqrt(self._multiplier), **dict.fromkeys(hints(self), True))

    def _inverse(self) -> LinearOperator:
        return self._of(1.0 / self._multiplier, **{**hints(self), "is_self_adjoint": True, "is_square": True})

    def _times(self, right: LinearOperator) -> LinearOperator:
        if isinstance(right, LinearOperatorScaledIdentity):
            return self._of(self._multiplier * right.multiplier, **of_product(self, right))
        if isinstance(right, LinearOperatorDiag):
            return LinearOperatorDiag(right.diag * self._multiplier, **of_product(self, right))
        return super()._times(right)

    def _solved(self, right: LinearOperator) -> LinearOperator:
        if isinstance(right, LinearOperatorScaledIdentity):
            return self._of(right.multiplier / self._multiplier, **of_product(self, right))
        if isinstance(right, LinearOperatorDiag):
            return LinearOperatorDiag(right.diag / self._multiplier, **of_product(self, right))
        return super()._solved(right)

    def _matrix(self, adjoint: bool) -> Any:
        found = expand_dims(expand_dims(self._multiplier, -1), -1)
        return conj(found) if adjoint else found

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return (adjoint_of(x) if adjoint_arg else x) * self._matrix(adjoint)

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return (adjoint_of(rhs) if adjoint_arg else rhs) / self._matrix(adjoint)

    def _determinant(self) -> Any:
        return self._multiplier ** cast(self._rows, self.dtype)

    def _log_abs_determinant(self) -> Any:
        return cast(self._rows, self.dtype.real_dtype) * log(absolute(self._multiplier))

    def _trace(self) -> Any:
        return self._multiplier * self._rows * self._ones_of_batch()

    def _diag_part(self) -> Any:
        return self._ones_diag() * expand_dims(self._multiplier, -1)

    def add_to_tensor(self, mat: Any, name: str = "add_to_tensor") -> Any:
        """The matrix and a tensor added up."""
        vector = expand_dims(self._multiplier, -1)
        mat = convert_to_tensor(mat)
        return set_diag(mat, vector + diag_part(mat))

    def _eigvals(self) -> Any:
        return self._diag_part()

    def _cond(self) -> Any:
        return where(equal(self._multiplier, 0.0), cast(np.nan, self.dtype), cast(1.0, self.dtype))
