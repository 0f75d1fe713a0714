"""Operators that differ little from a simple one: by a matrix of low rank, or by a reflection."""

from __future__ import annotations

from typing import Any

from ..foundation import warnings_log
from ..ops.arithmetic import conj
from ..ops.casting import cast
from ..ops.decompositions import cholesky, cholesky_solve, det
from ..ops.diagonals import diag_part, set_diag
from ..ops.elementwise import abs as absolute
from ..ops.joining import adjoint as adjoint_of
from ..ops.making import ones, zeros
from ..ops.matrix import matmul
from ..ops.norms import l2_normalize
from ..ops.reductions import reduce_sum
from ..ops.shaping import concat
from ..ops.squeezing import expand_dims
from ..surroundings.inquiring import broadcast_static_shape
from ..tensors.conversion import convert_to_tensor
from ..tensors.shapes import TensorShape
from .base import LinearOperator, exp, log
from .broadcasting import solved
from .checking import never
from .diagonal import LinearOperatorDiag, LinearOperatorIdentity
from .hints import as_hints, fitting, given


class LinearOperatorLowRankUpdate(LinearOperator):
    """``base_operator + u @ diag(diag_update) @ v.H``; ``v`` is ``u`` where it is not given."""

    def __init__(
        self, base_operator: Any, u: Any, diag_update: Any = None, v: Any = None, is_diag_update_positive: Any = None,
        is_non_singular: Any = None, is_self_adjoint: Any = None, is_positive_definite: Any = None,
        is_square: Any = None, name: str = "LinearOperatorLowRankUpdate",
    ):  # fmt: skip
        own = as_hints(is_non_singular, is_self_adjoint, is_positive_definite, is_square)
        parameters = {
            "base_operator": base_operator, "u": u, "diag_update": diag_update, "v": v,
            "is_diag_update_positive": is_diag_update_positive, **own, "name": name,
        }  # fmt: skip
        positive = _positive(base_operator.dtype, diag_update, is_diag_update_positive)
        known = base_operator.is_self_adjoint and v is None
        self._by_cholesky = bool(known and base_operator.is_positive_definite and positive)
        found = self._known(own, known and not base_operator.dtype.is_complex)
        self._u = given(u)
        self._v = self._u if v is None else given(v)
        self._diag_update = given(diag_update)
        self._base_operator = base_operator
        super().__init__(base_operator.dtype, **found, name=name, parameters=parameters)
        self._diag_operator: LinearOperator = (
            LinearOperatorIdentity(self._u.shape[-1], dtype=self.dtype)
            if diag_update is None
            else LinearOperatorDiag(self._diag_update, is_positive_definite=positive)
        )
        self._positive_update = positive
        self._check()

    def _known(self, own: dict[str, Any], self_adjoint: bool) -> dict[str, Any]:
        found = dict(own)
        if self_adjoint:
            if own["is_self_adjoint"] is False:
                raise ValueError(
                    "A = L + UDU^H, with L self-adjoint and D real diagonal.  Since UDU^H is self-adjoint, this must "
                    "be a self-adjoint operator."
                )
            found["is_self_adjoint"] = True
        if self._by_cholesky:
            if False in (own["is_positive_definite"], own["is_self_adjoint"], own["is_non_singular"]):
                raise ValueError("Arguments imply this is self-adjoint positive-definite operator.")
            found["is_positive_definite"] = found["is_self_adjoint"] = True
        return found

    def _check(self) -> None:
        """ValueError where shapes do not fit."""
        shape = broadcast_static_shape(self.u.shape, self.v.shape)
        batch = broadcast_static_shape(self.base_operator.batch_shape, shape[:-2])
        fitting(self.base_operator.domain_dimension, shape[-2])
        if self._diag_update is not None:
            fitting(shape[-1], self._diag_update.shape[-1])
            broadcast_static_shape(batch, self._diag_update.shape[:-1])

    @property
    def u(self) -> Any:
        """The left factor of the update."""
        return self._u

    @property
    def v(self) -> Any:
        """The right factor of the update."""
        return self._v

    @property
    def is_diag_update_positive(self) -> Any:
        """Whether the diagonal between them is said to be positive."""
        return self._positive_update

    @property
    def diag_update(self) -> Any:
        """The diagonal between them, None where it is all ones."""
        return self._diag_update

    @property
    def diag_operator(self) -> LinearOperator:
        """The diagonal between them as an operator."""
        return self._diag_operator

    @property
    def base_operator(self) -> LinearOperator:
        """What is updated."""
        return self._base_operator

    def _assert_self_adjoint(self) -> Any:
        if self.u is self.v and self.diag_update is None:
            return self.base_operator.assert_self_adjoint()
        return super()._assert_self_adjoint()

    def _shape(self) -> TensorShape:
        batch = broadcast_static_shape(self.base_operator.batch_shape, self.diag_operator.batch_shape)
        for factor in (self.u, self.v):
            batch = broadcast_static_shape(batch, factor.shape[:-2])
        return batch.concatenate(self.base_operator.shape[-2:])

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        first, last = (self.u, self.v) if adjoint else (self.v, self.u)
        leading = self.base_operator.matmul(x, adjoint=adjoint, adjoint_arg=adjoint_arg)
        inner = matmul(first, x, adjoint_a=True, adjoint_b=adjoint_arg)
        return leading + matmul(last, self.diag_operator.matmul(inner, adjoint=adjoint))

    def _capacitance(self, u: Any, v: Any) -> Any:
        inner = matmul(v, self.base_operator.solve(u), adjoint_a=True)
        return self._diag_operator.inverse().add_to_tensor(inner)

    def _determinant(self) -> Any:
        if self.is_positive_definite:
            return exp(self.log_abs_determinant())
        inner = det(self._capacitance(self.u, self.v))
        return inner * self.diag_operator.determinant() * self.base_operator.determinant()

    def _log_abs_determinant(self) -> Any:
        of_diag, of_base = self.diag_operator.log_abs_determinant(), self.base_operator.log_abs_determinant()
        inner = self._capacitance(self.u, self.v)
        if self._by_cholesky:
            found = 2 * reduce_sum(log(diag_part(cholesky(inner))), axis=[-1])
        else:
            found = log(absolute(det(inner)))
            found = cast(found, self.dtype) if self.dtype.is_complex else found
        return found + of_diag + of_base

    def _diag_part(self) -> Any:
        product = self.u * conj(self.v)
        if self.diag_update is not None:
            product *= expand_dims(self.diag_update, -2)
        return reduce_sum(product, axis=-1) + self.base_operator.diag_part()

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        """By Woodbury's formula: a small system instead of a large one."""
        if self.base_operator.is_non_singular is False:
            raise ValueError("Solve not implemented unless this is a perturbation of a non-singular LinearOperator.")
        u, v = (self.v, self.u) if adjoint else (self.u, self.v)
        inner = self._capacitance(self.u, self.v)
        first = self.base_operator.solve(rhs, adjoint=adjoint, adjoint_arg=adjoint_arg)
        small = matmul(v, first, adjoint_a=True)
        small = cholesky_solve(cholesky(inner), small) if self._by_cholesky else solved(inner, small, adjoint)
        return first - self.base_operator.solve(matmul(u, small), adjoint=adjoint)


def _positive(dtype: Any, diag_update: Any, said: Any) -> Any:
    """Whether the diagonal is positive: ones are."""
    if diag_update is not None:
        if said and dtype.is_complex:
            warnings_log.warn(
                "Note: setting is_diag_update_positive with a complex dtype means that diagonal is real and positive."
            )
        return said
    if said is False:
        raise ValueError(
            "Default diagonal is the identity, which is positive.  However, user set 'is_diag_update_positive' to "
            "False."
        )
    return True


class LinearOperatorHouseholder(LinearOperator):
    """The reflection at the plane orthogonal to an axis."""

    def __init__(
        self, reflection_axis: Any, is_non_singular: Any = None, is_self_adjoint: Any = None,
        is_positive_definite: Any = None, is_square: Any = None, name: str = "LinearOperatorHouseholder",
    ):  # fmt: skip
        own = {**as_hints(is_non_singular, is_self_adjoint, is_positive_definite, is_square), "name": name}
        self._axis = given(reflection_axis)
        if self._axis.shape.rank < 1:
            raise ValueError(f"Argument reflection_axis must have at least 1 dimension.  Found: {self._axis!s}")
        if is_self_adjoint is False:
            raise ValueError("A Householder operator is always self adjoint.")
        if is_positive_definite is True:
            raise ValueError("A Householder operator is always non-positive definite.")
        if is_square is False:
            raise ValueError("A Householder operator is always square.")
        found = {**own, "is_self_adjoint": True, "is_positive_definite": False, "is_square": True}
        super().__init__(self._axis.dtype, **found, parameters={"reflection_axis": reflection_axis, **own})

    @property
    def reflection_axis(self) -> Any:
        """The axis, as it was given."""
        return self._axis

    def _shape(self) -> TensorShape:
        return self._axis.shape.concatenate(self._axis.shape[-1:])

    def _assert_non_singular(self) -> Any:
        return None

    _assert_self_adjoint = _assert_non_singular

    def _assert_positive_definite(self) -> Any:
        raise never("Householder operators are always non-positive definite.")

    def _adjoint(self) -> LinearOperator:
        return self

    def _inverse(self) -> LinearOperator:
        return self

    def _unit(self) -> Any:
        return l2_normalize(convert_to_tensor(self._axis), axis=-1)

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        x = adjoint_of(x) if adjoint_arg else x
        column = expand_dims(self._unit(), -1)
        return x - 2 * column * matmul(column, x, adjoint_a=True)

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return self._matmul(rhs, adjoint, adjoint_arg)

    def _ones_of_batch(self) -> Any:
        return ones(self.batch_shape.as_list(), dtype=self.dtype)

    def _trace(self) -> Any:
        return cast(int(self.domain_dimension) - 2, self.dtype) * self._ones_of_batch()

    def _determinant(self) -> Any:
        return -self._ones_of_batch()

    def _log_abs_determinant(self) -> Any:
        return zeros(self.batch_shape.as_list(), dtype=self.dtype)

    def _to_dense(self) -> Any:
        column = expand_dims(self._unit(), -1)
        matrix = -2 * matmul(column, column, adjoint_b=True)
        return set_diag(matrix, 1.0 + diag_part(matrix))

    def _diag_part(self) -> Any:
        unit = self._unit()
        return 1.0 - 2 * unit * conj(unit)

    def _eigvals(self) -> Any:
        *batch, size = self._axis.shape.as_list()
        rest = ones([*batch, size - 1], dtype=self.dtype)
        return concat([-ones([*batch, 1], dtype=self.dtype), rest], axis=-1)

    def _cond(self) -> Any:
        return self._ones_of_batch()
