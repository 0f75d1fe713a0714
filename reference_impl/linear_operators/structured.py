"""Operators of few numbers: permutations and three diagonals."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..checks.assertions import assert_equal
from ..dtypes import as_dtype
from ..ops.arithmetic import conj
from ..ops.casting import cast
from ..ops.declare import NAMES as OP_NAMES
from ..ops.diagonals import diag, diag_part
from ..ops.gathering import gather
from ..ops.joining import adjoint as adjoint_of
from ..ops.joining import unstack
from ..ops.making import ones, zeros
from ..ops.ordering import argsort
from ..ops.shaping import broadcast_to, reshape, stack
from ..ops.squeezing import expand_dims
from ..ops.tiling import roll
from ..surroundings.inquiring import broadcast_static_shape
from ..tensors.conversion import convert_to_tensor
from ..tensors.shapes import TensorShape
from .base import LinearOperator
from .checking import real_numbers
from .hints import as_hints, given

equal = OP_NAMES["equal"]
tridiagonal_matmul = OP_NAMES["linalg.tridiagonal_matmul"]
tridiagonal_solve = OP_NAMES["linalg.tridiagonal_solve"]


class LinearOperatorPermutation(LinearOperator):
    """Rows in another order: row ``i`` of the product is row ``perm[i]``."""

    def __init__(
        self, perm: Any, dtype: Any = "float32", is_non_singular: Any = None, is_self_adjoint: Any = None,
        is_positive_definite: Any = None, is_square: Any = None, name: str = "LinearOperatorPermutation",
    ):  # fmt: skip
        own = {**as_hints(is_non_singular, is_self_adjoint, is_positive_definite, is_square), "name": name}
        self._perm = given(perm)
        self._check()
        for hint, word in (("is_non_singular", "non-singular"), ("is_square", "square")):
            if own[hint] is False:
                raise ValueError(
                    f"A Permutation operator is always {word}. Expected argument `{hint}` to be True. Received: False."
                )
        parameters = {"perm": perm, "dtype": dtype, **own}
        super().__init__(as_dtype(dtype), **{**own, "is_square": True}, parameters=parameters)

    def _check(self) -> None:
        perm = self._perm
        if perm.shape.rank < 1:
            raise ValueError(f"Argument `perm` must have at least 1 dimension. Received: {perm}.")
        if not perm.dtype.is_integer:
            raise TypeError(f"Argument `perm` must be integer dtype. Received: {perm}.")
        count = perm.shape[-1]
        if np.any(np.sort(np.asarray(perm), axis=-1) != np.arange(count)):
            raise ValueError(f"Argument `perm` must be a vector of unique integers from 0 to {count - 1}.")

    @property
    def perm(self) -> Any:
        """The order, as it was given."""
        return self._perm

    def _shape(self) -> TensorShape:
        return self._perm.shape.concatenate(self._perm.shape[-1:])

    def _assert_non_singular(self) -> Any:
        return None

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        perm = convert_to_tensor(self._perm)
        if adjoint and not self.is_self_adjoint:
            perm = argsort(perm, axis=-1)
        x = adjoint_of(x) if adjoint_arg else x
        shape = broadcast_static_shape(x.shape[:-1], perm.shape).as_list()
        columns, rows = x.shape[-1], shape[-1]
        x = reshape(broadcast_to(x, [*shape, columns]), [-1, rows, columns])
        perm = reshape(broadcast_to(perm, shape), [-1, rows])
        return reshape(gather(x, perm, axis=-2, batch_dims=1), [*shape, columns])

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return self._matmul(rhs, adjoint=not adjoint, adjoint_arg=adjoint_arg)

    def _log_abs_determinant(self) -> Any:
        return zeros(self.batch_shape.as_list(), dtype=self.dtype)

    def _places(self) -> Any:
        return convert_to_tensor(np.arange(int(self.domain_dimension)), dtype=self._perm.dtype)

    def _to_dense(self) -> Any:
        return cast(equal(self._places(), expand_dims(self._perm, -1)), self.dtype)

    def _diag_part(self) -> Any:
        return cast(equal(self._places(), self._perm), self.dtype)

    def _cond(self) -> Any:
        return ones(self.batch_shape.as_list(), dtype=self.dtype)


class LinearOperatorTridiag(LinearOperator):
    """Three diagonals: compact (superdiagonal, diagonal, subdiagonal as rows), as a sequence, or in a matrix."""

    def __init__(
        self, diagonals: Any, diagonals_format: str = "compact", is_non_singular: Any = None,
        is_self_adjoint: Any = None, is_positive_definite: Any = None, is_square: Any = None,
        name: str = "LinearOperatorTridiag",
    ):  # fmt: skip
        own = {**as_hints(is_non_singular, is_self_adjoint, is_positive_definite, is_square), "name": name}
        if diagonals_format not in ("compact", "matrix", "sequence"):
            raise ValueError(
                f"Argument `diagonals_format` must be one of compact, matrix, or sequence. Received : "
                f"{diagonals_format}."
            )
        self._format = diagonals_format
        self._diagonals = [given(d) for d in diagonals] if diagonals_format == "sequence" else given(diagonals)
        dtype = self._diagonals[0].dtype if diagonals_format == "sequence" else self._diagonals.dtype
        parameters = {"diagonals": diagonals, "diagonals_format": diagonals_format, **own}
        super().__init__(dtype, **own, parameters=parameters)

    @property
    def diagonals(self) -> Any:
        """The diagonals, as they were given."""
        return self._diagonals

    @property
    def diagonals_format(self) -> str:
        """How they were given."""
        return self._format

    def _shape(self) -> TensorShape:
        if self._format == "matrix":
            return self._diagonals.shape
        if self._format == "compact":
            batch, size = self._diagonals.shape[:-2], self._diagonals.shape[-1]
        else:
            batch, size = TensorShape([]), self._diagonals[1].shape[-1]
            for diagonal in self._diagonals:
                batch = broadcast_static_shape(batch, diagonal.shape[:-1])
        return batch.concatenate([size, size])

    def _above_and_below(self) -> tuple[Any, Any, Any]:
        if self._format == "sequence":
            above, middle, below = self._diagonals
        else:
            above, middle, below = unstack(self._diagonals, num=3, axis=-2)
        return above, middle, below

    def _assert_self_adjoint(self) -> Any:
        if self._format == "matrix":
            message = "Matrix was not equal to its adjoint."
            return assert_equal(self._diagonals, adjoint_of(self._diagonals), message=message)
        above, middle, below = self._above_and_below()
        message = "This tridiagonal operator contained non-zero imaginary values on the diagonal."
        real_numbers(middle, message)
        message = "This tridiagonal operator has non-conjugate subdiagonal and superdiagonal."
        below = roll(below, shift=-1, axis=-1)
        return assert_equal(conj(below[..., :-1]), above[..., :-1], message=message)

    def _of(self, adjoint: bool) -> Any:
        """The diagonals, or those of the adjoint."""
        if not adjoint:
            return self._diagonals
        if self._format == "matrix":
            return adjoint_of(self._diagonals)
        above, middle, below = (conj(d) for d in self._above_and_below())
        found = [roll(below, shift=-1, axis=-1), middle, roll(above, shift=1, axis=-1)]
        return found if self._format == "sequence" else stack(found, axis=-2)

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        x = adjoint_of(x) if adjoint_arg else x
        return tridiagonal_matmul(self._of(adjoint), x, diagonals_format=self._format)

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        diagonals, size = self._of(adjoint), int(self.domain_dimension)
        batch = broadcast_static_shape(self.batch_shape, rhs.shape[:-2]).as_list()
        rhs = broadcast_to(rhs, [*batch, *rhs.shape[-2:].as_list()])
        if self._format == "sequence":
            diagonals = [broadcast_to(d, [*batch, size]) for d in diagonals]
        else:
            diagonals = broadcast_to(diagonals, [*batch, size if self._format == "matrix" else 3, size])
        return tridiagonal_solve(
            diagonals, rhs, diagonals_format=self._format, transpose_rhs=adjoint_arg, conjugate_rhs=adjoint_arg
        )

    def _diag_part(self) -> Any:
        if self._format == "matrix":
            return diag_part(self._diagonals)
        if self._format == "sequence":
            return broadcast_to(self._diagonals[1], self.shape[:-1].as_list())
        return self._diagonals[..., 1, :]

    def _to_dense(self) -> Any:
        if self._format == "matrix":
            return self._diagonals
        rows = self._diagonals
        if self._format == "sequence":
            rows = stack([convert_to_tensor(d) for d in rows], axis=-2)
        return diag(rows, k=(-1, 1), align="LEFT_RIGHT")
