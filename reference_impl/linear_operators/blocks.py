"""Operators side by side on the diagonal of a larger one."""

from __future__ import annotations

from functools import reduce
from operator import add
from typing import Any

from .. import nest
from ..ops.joining import split
from ..ops.making import zeros
from ..ops.shaping import concat
from ..ops.squeezing import expand_dims, squeeze
from ..tensors.conversion import convert_to_tensor
from ..tensors.shapes import TensorShape
from .base import LinearOperator
from .broadcasting import alike
from .hints import as_hints, fitting, hints, joint_batch, non_singular, of_all, self_adjoint
from .products import NONE_GIVEN, UNLIKE, Several, listed


def _refusal(hint: str, _said: Any) -> str:
    word = {"is_non_singular": "non-singular", "is_self_adjoint": "self-adjoint"}.get(hint, "positive definite")
    return f"The direct sum of {word} operators is always {word}."


def in_blocks(sizes: list, x: Any, axis: int) -> bool:
    """Whether an argument is a list with one part for each block.  ValueError where it cannot be told."""
    if not isinstance(x, (list, tuple)) or len(x) != len(sizes):
        return False
    if not any(nest.is_nested(part) for part in x):
        return True
    lengths = [convert_to_tensor(part).shape[axis] for part in x]
    if lengths == sizes:
        return True
    if all(n == lengths[0] for n in lengths) and lengths[0] >= sum(sizes):
        return False
    raise ValueError("Input dimension does not match operator dimension.")


class LinearOperatorBlockDiag(Several):
    """A matrix of blocks, with zeros beside the diagonal; an argument may come as a list of one part for each block."""

    def __init__(
        self, operators: Any, is_non_singular: Any = None, is_self_adjoint: Any = None,
        is_positive_definite: Any = None, is_square: Any = True, name: str | None = None,
    ):  # fmt: skip
        own = as_hints(is_non_singular, is_self_adjoint, is_positive_definite, is_square)
        parameters = {"operators": operators, **own, "name": name}
        self._operators = operators = listed(operators, NONE_GIVEN, UNLIKE)
        found = of_all(operators, own, _refusal)
        name = name or "_ds_".join(o.name for o in operators)
        super().__init__(operators[0].dtype, **found, name=name, parameters=parameters)

    def _shape(self) -> TensorShape:
        rows = sum(int(o.range_dimension) for o in self.operators)
        columns = sum(int(o.domain_dimension) for o in self.operators)
        return joint_batch(self.operators).concatenate([rows, columns])

    def _sizes(self, of_rows: bool) -> list[int]:
        return [int(o.range_dimension if of_rows else o.domain_dimension) for o in self.operators]

    def _of_each(self, method: str, **known: Any) -> LinearOperator:
        return LinearOperatorBlockDiag([getattr(o, method)() for o in self.operators], **known)

    def _adjoint(self) -> LinearOperator:
        return self._of_each("adjoint", **{**hints(self), "is_square": True})

    def _inverse(self) -> LinearOperator:
        return self._of_each("inverse", **{**hints(self), "is_square": True})

    def _cholesky(self) -> LinearOperator:
        return self._of_each("cholesky", is_non_singular=True, is_square=True)

    def _agreeing(self, other: Any, adjoint: bool, adjoint_arg: bool, word: str) -> tuple[Any, Any]:
        left, right = super()._agreeing(other, adjoint, adjoint_arg, "x")
        if isinstance(right, LinearOperatorBlockDiag):
            if len(left.operators) != len(right.operators):
                doing, those = ("multiply two", "s together") if word == "x" else ("solve", "")
                raise ValueError(
                    f"Can not efficiently {doing} `LinearOperatorBlockDiag`{those} when number of blocks differ."
                )
            for a, b in zip(left.operators, right.operators):
                if a.domain_dimension != b.range_dimension:
                    raise ValueError(
                        f"Blocks are incompatible. Expected `x` to have dimension {a.domain_dimension} but got "
                        f"{b.range_dimension}."
                    )
        return left, right

    def _paired(self, right: LinearOperator, method: str) -> LinearOperator:
        pairs = zip(self.operators, right.operators)  # type: ignore[attr-defined]
        known = {"is_non_singular": non_singular(self, right), "is_self_adjoint": self_adjoint(self, right)}
        return LinearOperatorBlockDiag([getattr(a, method)(b) for a, b in pairs], **known, is_square=True)

    def _times(self, right: LinearOperator) -> LinearOperator:
        return self._paired(right, "matmul") if isinstance(right, LinearOperatorBlockDiag) else super()._times(right)

    def _solved(self, right: LinearOperator) -> LinearOperator:
        return self._paired(right, "solve") if isinstance(right, LinearOperatorBlockDiag) else super()._solved(right)

    def _each_part(self, method: str, x: Any, adjoint: bool, adjoint_arg: bool, of_rows: bool) -> Any:
        """What every block makes of its part of ``x``: a list for a list, else one below the other."""
        axis, sizes = -1 if adjoint_arg else -2, self._sizes(of_rows)
        several = in_blocks(sizes, x, axis)
        if several:
            parts = [self._taken(part) for part in x]
            for size, part in zip(sizes, parts):
                fitting(size, part.shape[axis])
        else:
            x = self._taken(x)
            fitting(sum(sizes), x.shape[axis])
            parts = split(x, sizes, axis=axis)
        found = [
            getattr(o, method)(part, adjoint=adjoint, adjoint_arg=adjoint_arg) for o, part in zip(self.operators, parts)
        ]
        return found if several else concat(alike(found), axis=-2)

    def matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False, name: str = "matmul") -> Any:
        """The product with a matrix, a list of one for each block, or another operator."""
        if isinstance(x, LinearOperator):
            return super().matmul(x, adjoint, adjoint_arg)
        return self._each_part("matmul", x, adjoint, adjoint_arg, adjoint)

    def matvec(self, x: Any, adjoint: bool = False, name: str = "matvec") -> Any:
        """The product with a vector, or a list of one for each block."""
        return self._of_vectors(self.matmul, self._sizes(adjoint), x, adjoint)

    def solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False, name: str = "solve") -> Any:
        """What this operator makes ``rhs`` of: a matrix, a list of one for each block, or another operator."""
        if isinstance(rhs, LinearOperator):
            return super().solve(rhs, adjoint, adjoint_arg)
        self._solvable()
        return self._each_part("solve", rhs, adjoint, adjoint_arg, not adjoint)

    def solvevec(self, rhs: Any, adjoint: bool = False, name: str = "solve") -> Any:
        """As ``solve``, for a vector, or a list of one for each block."""
        return self._of_vectors(self.solve, self._sizes(not adjoint), rhs, adjoint)

    def _of_vectors(self, method: Any, sizes: list, x: Any, adjoint: bool) -> Any:
        if in_blocks(sizes, x, -1):
            parts = [self._taken(part) for part in x]
            for size, part in zip(sizes, parts):
                fitting(size, part.shape[-1])
            return [squeeze(y, -1) for y in method([expand_dims(part, -1) for part in parts], adjoint=adjoint)]
        x = self._taken(x)
        fitting(sum(sizes), x.shape[-1])
        return squeeze(method(expand_dims(x, -1), adjoint=adjoint), -1)

    def _square_blocks(self, method: str) -> None:
        if not all(o.is_square for o in self.operators):
            raise NotImplementedError(f"`{method}` not implemented for an operator whose blocks are not square.")

    def _trace(self) -> Any:
        self._square_blocks("trace")
        return reduce(add, [o.trace() for o in self.operators])

    def _joined(self, vectors: list) -> Any:
        return squeeze(concat(alike([expand_dims(v, -1) for v in vectors]), axis=-2), -1)

    def _diag_part(self) -> Any:
        self._square_blocks("diag_part")
        return self._joined([o.diag_part() for o in self.operators])

    def _eigvals(self) -> Any:
        self._square_blocks("eigvals")
        return self._joined([o.eigvals() for o in self.operators])

    def _to_dense(self) -> Any:
        rows, before, columns = [], 0, int(self.domain_dimension)
        for block in alike([convert_to_tensor(o.to_dense()) for o in self.operators]):
            *shape, wide = block.shape.as_list()
            left = zeros([*shape, before], dtype=block.dtype)
            right = zeros([*shape, columns - before - wide], dtype=block.dtype)
            rows.append(concat([left, block, right], axis=-1))
            before += wide
        return concat(rows, axis=-2)

    def _assert_non_singular(self) -> Any:
        return self._every("assert_non_singular")

    def _assert_self_adjoint(self) -> Any:
        return self._every("assert_self_adjoint")

    def _assert_positive_definite(self) -> Any:
        return self._every("assert_positive_definite")
