"""Operators made of one other operator: its adjoint and its inverse."""

from __future__ import annotations

from typing import Any

from ..ops.arithmetic import conj
from ..ops.joining import adjoint as adjoint_of
from ..tensors.shapes import TensorShape
from .base import LinearOperator
from .hints import as_hints, of_wrapped


class _Wrapped(LinearOperator):
    """What both have: an operator, and most of its properties."""

    def __init__(self, operator: Any, own: dict[str, Any], name: str | None, word: str, ending: str):
        self._operator = operator
        found = of_wrapped(operator, own, word)
        parameters = {"operator": operator, **own, "name": name}
        super().__init__(operator.dtype, **found, name=name or operator.name + ending, parameters=parameters)

    @property
    def operator(self) -> LinearOperator:
        """The operator that this one is made of."""
        return self._operator

    def _assert_non_singular(self) -> Any:
        return self.operator.assert_non_singular()

    def _assert_positive_definite(self) -> Any:
        return self.operator.assert_positive_definite()

    def _assert_self_adjoint(self) -> Any:
        return self.operator.assert_self_adjoint()

    def _cond(self) -> Any:
        return self.operator.cond()


class LinearOperatorAdjoint(_Wrapped):
    """The adjoint of an operator."""

    def __init__(
        self, operator: Any, is_non_singular: Any = None, is_self_adjoint: Any = None, is_positive_definite: Any = None,
        is_square: Any = None, name: str | None = None,
    ):  # fmt: skip
        own = as_hints(is_non_singular, is_self_adjoint, is_positive_definite, is_square)
        super().__init__(operator, own, name, "adjoint", "_adjoint")

    def _adjoint(self) -> LinearOperator:
        return self.operator

    def _shape(self) -> TensorShape:
        shape = self.operator.shape
        return shape[:-2].concatenate([shape[-1], shape[-2]])

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return self.operator.matmul(x, adjoint=not adjoint, adjoint_arg=adjoint_arg)

    def _matvec(self, x: Any, adjoint: bool = False) -> Any:
        return self.operator.matvec(x, adjoint=not adjoint)

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return self.operator.solve(rhs, adjoint=not adjoint, adjoint_arg=adjoint_arg)

    def _solvevec(self, rhs: Any, adjoint: bool = False) -> Any:
        return self.operator.solvevec(rhs, adjoint=not adjoint)

    def _determinant(self) -> Any:
        found = self.operator.determinant()
        return found if self.is_self_adjoint else conj(found)

    def _log_abs_determinant(self) -> Any:
        return self.operator.log_abs_determinant()

    def _trace(self) -> Any:
        found = self.operator.trace()
        return found if self.is_self_adjoint else conj(found)

    def _to_dense(self) -> Any:
        found = self.operator.to_dense()
        return found if self.is_self_adjoint else adjoint_of(found)

    def _eigvals(self) -> Any:
        found = self.operator.eigvals()
        return found if self.operator.is_self_adjoint else conj(found)


class LinearOperatorInversion(_Wrapped):
    """The inverse of an operator."""

    def __init__(
        self, operator: Any, is_non_singular: Any = None, is_self_adjoint: Any = None, is_positive_definite: Any = None,
        is_square: Any = None, name: str | None = None,
    ):  # fmt: skip
        own = as_hints(is_non_singular, is_self_adjoint, is_positive_definite, is_square)
        for hint in ("is_non_singular", "is_square"):
            known, said = getattr(operator, hint), own[hint]
            if known is False or said is False:
                raise ValueError(
                    f"Argument `{hint}` or argument `operator` must have supplied hint `{hint}` equal to `True` or "
                    f"`None`. Found `operator.{hint}`: {known}, `{hint}`: {said}."
                )
        super().__init__(operator, own, name, "inverse", "_inv")

    def _inverse(self) -> LinearOperator:
        return self.operator

    def _solved(self, right: LinearOperator) -> LinearOperator:
        return self.operator.matmul(right)

    def _shape(self) -> TensorShape:
        return self.operator.shape

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return self.operator.solve(x, adjoint=adjoint, adjoint_arg=adjoint_arg)

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return self.operator.matmul(rhs, adjoint=adjoint, adjoint_arg=adjoint_arg)

    def _determinant(self) -> Any:
        return 1.0 / self.operator.determinant()

    def _log_abs_determinant(self) -> Any:
        return -1.0 * self.operator.log_abs_determinant()

    def _eigvals(self) -> Any:
        return 1.0 / self.operator.eigvals()
