"""Operators made of several others: one after the other, and by Kronecker's product."""

from __future__ import annotations

from functools import reduce
from operator import add, mul
from typing import Any

from ..checks.shape_assertions import assert_proper_iterable
from ..errors import InvalidArgumentError
from ..ops.arithmetic import conj
from ..ops.casting import cast
from ..ops.decompositions import cholesky
from ..ops.elementwise import sign
from ..ops.shaping import reshape, transpose
from ..ops.squeezing import expand_dims
from ..surroundings.inquiring import broadcast_static_shape
from ..tensors.shapes import TensorShape
from .base import LinearOperator
from .dense import LinearOperatorLowerTriangular
from .hints import as_hints, fitting, folded, hints, joint_batch, of_all


class Several(LinearOperator):
    """What all of them have: a list of operators of one dtype."""

    _operators: list

    @property
    def operators(self) -> list:
        """The operators that this one is made of."""
        return self._operators

    def _every(self, method: str) -> None:
        for operator in self._operators:
            getattr(operator, method)()

    def _determinant(self) -> Any:
        return reduce(mul, [o.determinant() for o in self.operators])

    def _log_abs_determinant(self) -> Any:
        return reduce(add, [o.log_abs_determinant() for o in self.operators])


def listed(operators: Any, nothing: str, unlike: str) -> list:
    """The operators as a list.  ValueError for none, TypeError for several dtypes."""
    assert_proper_iterable(operators)
    operators = list(operators)
    if not operators:
        raise ValueError(nothing)
    if any(o.dtype != operators[0].dtype for o in operators):
        named = [str((o.name, o.dtype)) for o in operators]
        raise TypeError(unlike.format(named="   ".join(named), listed=named))
    return operators


NONE_GIVEN = "Expected a non-empty list of operators. Found: []"
UNLIKE = "Expected all operators to have the same dtype.  Found {named}"


class LinearOperatorComposition(Several):
    """Operators one after the other, the last one first."""

    def __init__(
        self, operators: Any, is_non_singular: Any = None, is_self_adjoint: Any = None,
        is_positive_definite: Any = None, is_square: Any = None, name: str | None = None,
    ):  # fmt: skip
        own = as_hints(is_non_singular, is_self_adjoint, is_positive_definite, is_square)
        parameters = {"operators": operators, **own, "name": name}
        self._operators = operators = listed(operators, NONE_GIVEN, UNLIKE)
        name = name or "_o_".join(o.name for o in operators)
        super().__init__(operators[0].dtype, **_of_composition(operators, own), name=name, parameters=parameters)

    def _shape(self) -> TensorShape:
        columns = self.operators[0].domain_dimension
        for operator in self.operators[1:]:
            fitting(columns, operator.range_dimension)
            columns = operator.domain_dimension
        return joint_batch(self.operators).concatenate([int(self.operators[0].range_dimension), int(columns)])

    def _cholesky(self) -> LinearOperator:
        left = self.operators[0]
        if (
            len(self.operators) != 2
            or not folded(self.operators)
            or not isinstance(left, LinearOperatorLowerTriangular)
        ):
            lower = cholesky(self.to_dense())
            return LinearOperatorLowerTriangular(lower, is_non_singular=True, is_self_adjoint=False, is_square=True)
        if left.is_positive_definite:
            return left
        signs = expand_dims(sign(left.diag_part()), -2)
        return LinearOperatorLowerTriangular(
            left.tril / signs,
            is_non_singular=left.is_non_singular,
            is_self_adjoint=left.is_self_adjoint,
            is_square=True,
        )

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        order = self.operators if adjoint else self.operators[::-1]
        result = order[0].matmul(x, adjoint=adjoint, adjoint_arg=adjoint_arg)
        for operator in order[1:]:
            result = operator.matmul(result, adjoint=adjoint)
        return result

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        order = self.operators[::-1] if adjoint else self.operators
        solution = order[0].solve(rhs, adjoint=adjoint, adjoint_arg=adjoint_arg)
        for operator in order[1:]:
            solution = operator.solve(solution, adjoint=adjoint)
        return solution

    def _assert_non_singular(self) -> Any:
        if all(o.is_square for o in self.operators):
            return self._every("assert_non_singular")
        return super()._assert_non_singular()


def _of_composition(operators: list, own: dict[str, Any]) -> dict[str, Any]:
    """The hints of a composition.  ValueError where the user's contradict what is known of the operators."""
    found = dict(own)
    if all(o.is_non_singular for o in operators):
        if own["is_non_singular"] is False:
            raise ValueError("The composition of non-singular operators is always non-singular.")
        found["is_non_singular"] = True
    form = folded(operators)
    if form or (len(operators) == 1 and operators[0].is_self_adjoint):
        if own["is_self_adjoint"] is False:
            raise ValueError(
                "The composition was determined to be self-adjoint but user provided incorrect `False` hint."
            )
        found["is_self_adjoint"] = True
    if form:
        if own["is_square"] is False:
            raise ValueError(
                "The composition was determined have the form A @ A.H, hence it must be square. The user provided an "
                "incorrect `False` hint."
            )
        found["is_square"] = True
    if form and found["is_non_singular"]:
        if own["is_positive_definite"] is False:
            raise ValueError(
                "The composition was determined to be non-singular and have the form A @ A.H, hence it must be "
                "positive-definite. The user provided an incorrect `False` hint."
            )
        found["is_positive_definite"] = True
    return found


_ALL_SQUARE = (
    "All Kronecker factors must be square for the product to be invertible. Expected hint `is_square` to be True for "
    "every operator in argument `operators`."
)


def _kronecker_refusal(hint: str, said: Any) -> str:
    word = {"is_non_singular": "non-singular", "is_self_adjoint": "self-adjoint"}.get(hint, "positive-definite")
    return (
        f"The Kronecker product of {word} operators is always {word}. Expected argument `{hint}` to be True. "
        f"Received: {said}."
    )


class LinearOperatorKronecker(Several):
    """Kronecker's product of operators."""

    def __init__(
        self, operators: Any, is_non_singular: Any = None, is_self_adjoint: Any = None,
        is_positive_definite: Any = None, is_square: Any = None, name: str | None = None,
    ):  # fmt: skip
        own = as_hints(is_non_singular, is_self_adjoint, is_positive_definite, is_square)
        parameters = {"operators": operators, **own, "name": name}
        unlike = "Expected every operation in argument `operators` to have the same dtype. Received {listed}."
        nothing = "Argument `operators` must be a list of >=1 operators. Received: []."
        self._operators = operators = listed(operators, nothing, unlike)
        found = of_all(operators, own, _kronecker_refusal)
        name = name or "_x_".join(o.name for o in operators)
        super().__init__(operators[0].dtype, **found, name=name, parameters=parameters)

    def _shape(self) -> TensorShape:
        rows = columns = 1
        for operator in self.operators:
            rows, columns = rows * int(operator.range_dimension), columns * int(operator.domain_dimension)
        return joint_batch(self.operators).concatenate([rows, columns])

    def _of_each(self, method: str, **known: Any) -> LinearOperator:
        return LinearOperatorKronecker([getattr(o, method)() for o in self.operators], **known)

    def _adjoint(self) -> LinearOperator:
        return self._of_each("adjoint", **{**hints(self), "is_square": True})

    def _inverse(self) -> LinearOperator:
        return self._of_each("inverse", **{**hints(self), "is_square": True})

    def _cholesky(self) -> LinearOperator:
        return self._of_each("cholesky", is_non_singular=True, is_square=True)

    def _by_factors(self, x: Any, method: str, adjoint: bool, adjoint_arg: bool) -> Any:
        """Each factor applied to its own axis: the axis is brought to the end, and the rest made rows."""
        if not adjoint_arg:
            output = transpose(x, [*range(x.shape.rank - 2), x.shape.rank - 1, x.shape.rank - 2])
        else:
            output = conj(x) if self.dtype.is_complex else x
        for operator in self.operators[::-1]:
            size = int(operator.range_dimension if adjoint else operator.domain_dimension)
            shape = output.shape.as_list()
            output = reshape(output, [*shape[:-2], shape[-2] * shape[-1] // size, size])
            output = conj(output) if self.dtype.is_complex else output
            output = getattr(operator, method)(output, adjoint=adjoint, adjoint_arg=True)
        columns = x.shape[-2 if adjoint_arg else -1]
        rows = int(self.domain_dimension if adjoint else self.range_dimension)
        batch = broadcast_static_shape(x.shape[:-2], self.batch_shape)
        return reshape(output, [*batch.as_list(), rows, columns])

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return self._by_factors(x, "matmul", adjoint, adjoint_arg)

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return self._by_factors(rhs, "solve", adjoint, adjoint_arg)

    def _times_of(self, operator: LinearOperator) -> Any:
        """How often a factor's determinant is one of the product's."""
        return cast(self.domain_dimension_tensor() / operator.domain_dimension_tensor(), operator.dtype)

    def _determinant(self) -> Any:
        found: Any = 1.0
        for operator in self.operators:
            found = found * operator.determinant() ** self._times_of(operator)
        return found

    def _log_abs_determinant(self) -> Any:
        found: Any = 0.0
        for operator in self.operators:
            found += operator.log_abs_determinant() * self._times_of(operator)
        return found

    def _trace(self) -> Any:
        found: Any = 1.0
        for operator in self.operators:
            found = found * operator.trace()
        return found

    def _outer(self, vectors: list) -> Any:
        product = vectors[0]
        for vector in vectors[1:]:
            product = expand_dims(product, -1) * expand_dims(vector, -2)
            product = reshape(product, [*product.shape[:-2].as_list(), -1])
        return product

    def _diag_part(self) -> Any:
        return self._outer([o.diag_part() for o in self.operators])

    def _eigvals(self) -> Any:
        return self._outer([o.eigvals() for o in self.operators])

    def _to_dense(self) -> Any:
        product = self.operators[0].to_dense()
        for operator in self.operators[1:]:
            matrix = expand_dims(expand_dims(operator.to_dense(), -2), -4)
            product = expand_dims(expand_dims(product, -2), -1) * matrix
            *batch, a, b, c, d = product.shape.as_list()
            product = reshape(product, [*batch, a * b, c * d])
        return product

    def _each_square(self, method: str) -> Any:
        if not all(o.is_square for o in self.operators):
            raise InvalidArgumentError(None, None, _ALL_SQUARE)
        return self._every(method)

    def _assert_non_singular(self) -> Any:
        return self._each_square("assert_non_singular")

    def _assert_self_adjoint(self) -> Any:
        return self._each_square("assert_self_adjoint")
