"""Operators that are convolutions: circulant matrices and those of Toeplitz, by Fourier transforms."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..checks.assertions import assert_equal, assert_less, assert_positive
from ..dtypes import as_dtype
from ..ops.arithmetic import conj
from ..ops.casting import cast
from ..ops.complex_numbers import complex as complex_of
from ..ops.complex_numbers import imag, real
from ..ops.cumulative import reduce_prod
from ..ops.elementwise import abs as absolute
from ..ops.extremes import reduce_max, reduce_min
from ..ops.fourier import fft, ifft
from ..ops.gathering import gather
from ..ops.joining import adjoint as adjoint_of
from ..ops.making import ones, zeros_like
from ..ops.reductions import reduce_sum
from ..ops.shaping import broadcast_to, concat, reshape, transpose
from ..ops.squeezing import expand_dims
from ..ops.tiling import reverse
from ..surroundings.inquiring import broadcast_static_shape
from ..tensors.conversion import convert_to_tensor
from ..tensors.shapes import TensorShape
from .base import LinearOperator, log
from .broadcasting import alike
from .checking import no_zeros, real_numbers
from .hints import as_hints, given, hints, of_product


def _as_complex(x: Any) -> Any:
    return cast(x, "complex128" if x.dtype.name in ("float64", "complex128") else "complex64")


class LinearOperatorCirculant(LinearOperator):
    """A matrix whose columns are one another turned by one row; ``spectrum``: the Fourier transform of the first."""

    def __init__(
        self, spectrum: Any, input_output_dtype: Any = "complex64", is_non_singular: Any = None,
        is_self_adjoint: Any = None, is_positive_definite: Any = None, is_square: Any = True,
        name: str = "LinearOperatorCirculant",
    ):  # fmt: skip
        own = {**as_hints(is_non_singular, is_self_adjoint, is_positive_definite, is_square), "name": name}
        self._spectrum = given(spectrum)
        if self._spectrum.shape.rank < 1:
            raise ValueError(f"Argument `spectrum` must have at least 1 dimensions. Received: {self._spectrum}.")
        found = {**own, "is_square": True}
        if not self._spectrum.dtype.is_complex:
            if is_self_adjoint is False:
                raise ValueError(
                    "A real spectrum always corresponds to a self-adjoint operator. Expected argument "
                    "`is_self_adjoint` to be True when `spectrum.dtype.is_complex` = True. Received: False."
                )
            found["is_self_adjoint"] = True
        if is_square is False:
            raise ValueError(
                "A [[nested] block] circulant operator is always square. Expected argument `is_square` to be True. "
                "Received: False."
            )
        parameters = {"spectrum": spectrum, "input_output_dtype": input_output_dtype, **own}
        super().__init__(as_dtype(input_output_dtype), **found, parameters=parameters)

    @property
    def spectrum(self) -> Any:
        """The spectrum, as it was given."""
        return self._spectrum

    @property
    def block_depth(self) -> int:
        """How many blocks are nested in one another: one."""
        return 1

    @property
    def block_shape(self) -> TensorShape:
        """The shape of what is transformed."""
        return self._spectrum.shape[-1:]

    def convolution_kernel(self, name: str = "convolution_kernel") -> Any:
        """The first column."""
        return cast(ifft(_as_complex(self._spectrum)), self.dtype)

    def _shape(self) -> TensorShape:
        return self._spectrum.shape.concatenate(self._spectrum.shape[-1:])

    def assert_hermitian_spectrum(self, name: str = "assert_hermitian_spectrum") -> Any:
        """InvalidArgumentError where the matrix is not real."""
        most = np.finfo(self.dtype.real_dtype.as_numpy_dtype).eps * int(self.domain_dimension)
        part = absolute(imag(self.convolution_kernel()))
        return assert_less(part, convert_to_tensor(most, dtype=part.dtype), message="Spectrum was not Hermitian")

    def _assert_non_singular(self) -> Any:
        return no_zeros(self._spectrum, "Singular operator:  Spectrum contained zero values.")

    def _assert_positive_definite(self) -> Any:
        message = "Not positive definite:  Real part of spectrum was not all positive."
        return assert_positive(real(self._spectrum), message=message)

    def _assert_self_adjoint(self) -> Any:
        return real_numbers(self._spectrum, "Not self-adjoint:  The spectrum contained non-zero imaginary part.")

    def _adjoint(self) -> LinearOperator:
        spectrum = conj(self._spectrum) if self._spectrum.dtype.is_complex else self._spectrum
        return LinearOperatorCirculant(spectrum, **{**hints(self), "is_square": True})

    def _inverse(self) -> LinearOperator:
        known = {**hints(self), "is_square": True}
        return LinearOperatorCirculant(1.0 / self._spectrum, input_output_dtype=self.dtype, **known)

    def _times(self, right: LinearOperator) -> LinearOperator:
        if not isinstance(right, LinearOperatorCirculant):
            return super()._times(right)
        return LinearOperatorCirculant(self._spectrum * right.spectrum, **of_product(self, right))

    def _solved(self, right: LinearOperator) -> LinearOperator:
        if not isinstance(right, LinearOperatorCirculant):
            return super()._solved(right)
        return LinearOperatorCirculant(right.spectrum / self._spectrum, **of_product(self, right))

    def _by_spectrum(self, x: Any, adjoint: bool, adjoint_arg: bool, solving: bool) -> Any:
        """``x`` transformed along its rows, times the spectrum or by it, and transformed back."""
        x = adjoint_of(x) if adjoint_arg else x
        spectrum = _as_complex(self._spectrum)
        spectrum = conj(spectrum) if adjoint else spectrum
        x = cast(x, spectrum.dtype)
        x, column = alike([x, expand_dims(spectrum, -1)])
        spectrum = reshape(column, column.shape[:-1].as_list())
        around = x.shape.rank
        waves = fft(transpose(x, [around - 1, *range(around - 1)]))
        y = ifft(waves / spectrum if solving else spectrum * waves)
        return cast(transpose(y, [*range(1, around), 0]), self.dtype)

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return self._by_spectrum(x, adjoint, adjoint_arg, False)

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return self._by_spectrum(rhs, adjoint, adjoint_arg, True)

    def _determinant(self) -> Any:
        return cast(reduce_prod(self._spectrum, axis=[-1]), self.dtype)

    def _log_abs_determinant(self) -> Any:
        return cast(reduce_sum(log(absolute(self._spectrum)), axis=[-1]), self.dtype)

    def _trace(self) -> Any:
        of_real = reduce_sum(real(self._spectrum), axis=[-1])
        if not self.dtype.is_complex:
            return cast(of_real, self.dtype)
        of_imag = zeros_like(of_real) if self.is_self_adjoint else reduce_sum(imag(self._spectrum), axis=[-1])
        return cast(complex_of(of_real, of_imag), self.dtype)

    def _diag_part(self) -> Any:
        value = self.trace() / cast(int(self.domain_dimension), self.dtype)
        return expand_dims(value, -1) * ones(self.shape[:-1].as_list(), dtype=self.dtype)

    def _eigvals(self) -> Any:
        return convert_to_tensor(self._spectrum)

    def _cond(self) -> Any:
        values = absolute(self._spectrum)
        return reduce_max(values, axis=-1) / reduce_min(values, axis=-1)


class LinearOperatorToeplitz(LinearOperator):
    """A matrix with the same number all along each diagonal, given by its first column and row."""

    def __init__(
        self, col: Any, row: Any, is_non_singular: Any = None, is_self_adjoint: Any = None,
        is_positive_definite: Any = None, is_square: Any = None, name: str = "LinearOperatorToeplitz",
    ):  # fmt: skip
        own = {**as_hints(is_non_singular, is_self_adjoint, is_positive_definite, is_square), "name": name}
        self._row, self._col = given(row), given(col)
        for word, tensor in (("row", self._row), ("col", self._col)):
            if tensor.shape.rank < 1:
                raise ValueError(f"Argument {word} must have at least 1 dimension.  Found: {tensor}")
        if self._row.shape[-1] != self._col.shape[-1]:
            raise ValueError("Expected square matrix, got row and col with mismatched dimensions.")
        if is_square is False:
            raise ValueError("Only square Toeplitz operators currently supported.")
        found = {**own, "is_square": True}
        super().__init__(self._row.dtype, **found, parameters={"col": col, "row": row, **own})

    @property
    def col(self) -> Any:
        """The first column, as it was given."""
        return self._col

    @property
    def row(self) -> Any:
        """The first row, as it was given."""
        return self._row

    def _shape(self) -> TensorShape:
        shape = broadcast_static_shape(self._row.shape, self._col.shape)
        return shape.concatenate(shape[-1:])

    def _assert_self_adjoint(self) -> Any:
        message = "row and col are not the same, and so this operator is not self-adjoint."
        return assert_equal(self._row, self._col, message=message)

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        """By a circulant matrix of twice the size, of which this one is the upper left quarter."""
        x = adjoint_of(x) if adjoint_arg else x
        col, row = convert_to_tensor(self._col), convert_to_tensor(self._row)
        column = concat([col, zeros_like(col[..., 0:1]), reverse(row[..., 1:], axis=[-1])], axis=-1)
        circulant = LinearOperatorCirculant(fft(_as_complex(column)), input_output_dtype=row.dtype)
        found = circulant.matmul(concat([x, zeros_like(x)], axis=-2), adjoint=adjoint)
        return cast(found[..., : int(self.domain_dimension), :], self.dtype)

    def _trace(self) -> Any:
        return cast(int(self.domain_dimension), self.dtype) * self._col[..., 0]

    def _diag_part(self) -> Any:
        return self._col[..., 0:1] * ones([int(self.domain_dimension)], dtype=self.dtype)

    def _to_dense(self) -> Any:
        shape, n = broadcast_static_shape(self._row.shape, self._col.shape).as_list(), int(self.domain_dimension)
        row, col = broadcast_to(self._row, shape), broadcast_to(self._col, shape)
        elements = concat([reverse(col, axis=[-1]), row[..., 1:]], axis=-1)
        places = (np.arange(n) + np.arange(n - 1, -1, -1)[:, None]) % (2 * n - 1)
        return gather(elements, places.astype(np.int32), axis=-1)
