"""What functions of ``tf.linalg`` make of a linear operator in the place of a matrix."""

from __future__ import annotations

from typing import Any

from ..ops.joining import adjoint as adjoint_of
from .base import LinearOperator

_METHODS = {
    "adjoint": "adjoint", "cholesky": "cholesky", "det": "determinant", "diag_part": "diag_part", "trace": "trace",
}  # fmt: skip


def called(error: Any, function: Any, args: tuple, kwargs: dict) -> Any:
    """``function(*args, **kwargs)`` of operators; ``error``, or one like it, where it does not know them."""
    name = function.__name__
    if name in _METHODS:
        return getattr(args[0], _METHODS[name])()
    own = {"inv": _inverse, "logdet": _log_determinant, "matmul": _product, "solve": _solution}.get(name)
    if own is not None:
        return own(*args, **kwargs)
    operator = next(a for a in (*args, *kwargs.values()) if isinstance(a, LinearOperator))
    if error is None:
        operator._dense_()
    raise ValueError(str(error)) from None


def _inverse(input: Any, adjoint: bool = False, name: Any = None) -> Any:
    found = input.inverse()
    return found.adjoint() if adjoint else found


def _log_determinant(matrix: Any, name: Any = None) -> Any:
    if matrix.is_positive_definite and matrix.is_self_adjoint:
        return matrix.log_abs_determinant()
    raise ValueError("Expected matrix to be self-adjoint positive definite.")


def _product(
    a: Any, b: Any, transpose_a: bool = False, transpose_b: bool = False, adjoint_a: bool = False,
    adjoint_b: bool = False, a_is_sparse: bool = False, b_is_sparse: bool = False, **_others: Any,
) -> Any:  # fmt: skip
    if transpose_a or transpose_b:
        raise ValueError("Transposing not supported at this time.")
    if a_is_sparse or b_is_sparse:
        raise ValueError("Sparse methods not supported at this time.")
    if isinstance(a, LinearOperator):
        return a.matmul(b, adjoint=adjoint_a, adjoint_arg=adjoint_b)
    return adjoint_of(b.matmul(a, adjoint=not adjoint_b, adjoint_arg=not adjoint_a))


def _solution(matrix: Any, rhs: Any, adjoint: bool = False, name: Any = None) -> Any:
    if not isinstance(matrix, LinearOperator):
        raise ValueError("Passing in `matrix` as a Tensor and `rhs` as a LinearOperator is not supported.")
    return matrix.solve(rhs, adjoint=adjoint)
