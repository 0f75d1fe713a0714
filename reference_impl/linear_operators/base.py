"""LinearOperator: a matrix, or a batch of them, known by what it does (``tf.linalg.LinearOperator``).

A kind of operator says its ``_shape`` and its ``_matmul``; everything else follows from the dense matrix, unless it
has a shorter way of its own, which overrides the method with an underscore.  All of it is made of recorded ops, so
that tapes find the way back to the parameters.
"""

from __future__ import annotations

from typing import Any

from ..dtypes import DType, as_dtype
from ..foundation.building import Undense
from ..ops.declare import NAMES as OP_NAMES
from ..ops.decompositions import cholesky, cholesky_solve, det, eigvalsh, slogdet, svd
from ..ops.diagonals import diag_part
from ..ops.elementwise import abs as absolute
from ..ops.extremes import reduce_max, reduce_min
from ..ops.joining import adjoint as adjoint_of
from ..ops.making import eye
from ..ops.reductions import reduce_sum
from ..ops.squeezing import expand_dims, squeeze
from ..surroundings.modules import Module
from ..tensors.conversion import constant, convert_to_tensor
from ..tensors.shapes import TensorShape
from .asserting import Asserting
from .broadcasting import solved
from .hints import Dimension, fitting, hints, of_any_product, warn_of_dense

exp, log = OP_NAMES["exp"], OP_NAMES["math.log"]


class LinearOperator(Asserting, Module):
    """Base of all linear operators; subclass it with ``_shape`` and ``_matmul``."""

    _TF_MODULE_IGNORED_PROPERTIES = frozenset(("_name_scope", "_parameters"))

    def __init__(
        self, dtype: Any, graph_parents: Any = None, is_non_singular: Any = None, is_self_adjoint: Any = None,
        is_positive_definite: Any = None, is_square: Any = None, name: str | None = None, parameters: Any = None,
    ):  # fmt: skip
        if is_positive_definite:
            if is_non_singular is False:
                raise ValueError("A positive definite matrix is always non-singular.")
            is_non_singular = True
        if is_non_singular:
            if is_square is False:
                raise ValueError("A non-singular matrix is always square.")
            is_square = True
        if is_self_adjoint:
            if is_square is False:
                raise ValueError("A self-adjoint matrix is always square.")
            is_square = True
        self._square, self._non_singular, self._self_adjoint = is_square, is_non_singular, is_self_adjoint
        self._positive_definite = is_positive_definite
        self._dtype = as_dtype(dtype) if dtype else dtype
        self._parameters = parameters
        self._name = name or type(self).__name__

    _unfolds_ = True

    def _dense_(self, *_asked: Any) -> Any:
        """Where a tensor is needed: functions that know operators are answered by ``_called_``, others refused."""
        text = f"Attempt to convert a value ({self!r}) with an unsupported type ({type(self)}) to a Tensor."
        raise Undense(text, self)

    @staticmethod
    def _called_(error: Any, function: Any, args: tuple, kwargs: dict) -> Any:
        """What a function of ``tf.linalg`` makes of an operator among its arguments."""
        from .functions import called

        return called(error, function, args, kwargs)

    # ------------------------------------------------------------------------------------ what is known

    @property
    def parameters(self) -> dict[str, Any]:
        """The arguments the operator was made of."""
        return dict(self._parameters)

    @property
    def dtype(self) -> DType:
        """The dtype of what the operator takes and gives."""
        return self._dtype

    @property
    def graph_parents(self) -> list:
        """An empty list, as there are no graphs of sessions."""
        return []

    @property
    def is_non_singular(self) -> bool | None:
        """Whether it is said to be non-singular."""
        return self._non_singular

    @property
    def is_self_adjoint(self) -> bool | None:
        """Whether it is said to be its own adjoint."""
        return self._self_adjoint

    @property
    def is_positive_definite(self) -> bool | None:
        """Whether it is said to be positive definite."""
        return self._positive_definite

    @property
    def is_square(self) -> bool:
        """Whether it is square, as said or by its shape."""
        square = bool(self.domain_dimension == self.range_dimension)
        if self._square is False and square:
            raise ValueError("User set is_square hint to False, but the operator was square.")
        return square if self._square is None else self._square

    # ------------------------------------------------------------------------------------ shapes

    def _shape(self) -> TensorShape:
        raise NotImplementedError("_shape is not implemented.")

    @property
    def shape(self) -> TensorShape:
        """The shape of the dense matrix."""
        return self._shape()

    @property
    def batch_shape(self) -> TensorShape:
        """The shape before the last two axes."""
        return self.shape[:-2]

    @property
    def tensor_rank(self) -> int | None:
        """The number of axes of the dense matrix."""
        return self.shape.rank

    @property
    def domain_dimension(self) -> Dimension:
        """The number of columns."""
        return Dimension(self.shape[-1])

    @property
    def range_dimension(self) -> Dimension:
        """The number of rows."""
        return Dimension(self.shape[-2])

    def shape_tensor(self, name: str = "shape_tensor") -> Any:
        """The shape as a tensor."""
        return constant(self.shape.as_list(), dtype="int32")

    def batch_shape_tensor(self, name: str = "batch_shape_tensor") -> Any:
        """The batch shape as a tensor."""
        return constant(self.batch_shape.as_list(), dtype="int32")

    def tensor_rank_tensor(self, name: str = "tensor_rank_tensor") -> Any:
        """The number of axes as a tensor."""
        return constant(self.tensor_rank)

    def domain_dimension_tensor(self, name: str = "domain_dimension_tensor") -> Any:
        """The number of columns as a tensor."""
        return constant(int(self.domain_dimension))

    def range_dimension_tensor(self, name: str = "range_dimension_tensor") -> Any:
        """The number of rows as a tensor."""
        return constant(int(self.range_dimension))

    # ------------------------------------------------------------------------------------ products

    def _taken(self, x: Any) -> Any:
        """An argument as a tensor of this operator's dtype."""
        x = convert_to_tensor(x)
        if x.dtype != self.dtype:
            raise TypeError(f"Expected argument to have dtype {self.dtype}.  Found: {x.dtype} in tensor {x!s}")
        return x

    def _agreeing(self, other: Any, adjoint: bool, adjoint_arg: bool, word: str) -> tuple[Any, Any]:
        """Both operators of a product.  ValueError where their sizes do not fit."""
        left = self.adjoint() if adjoint else self
        right = other.adjoint() if adjoint_arg else other
        if right.range_dimension != left.domain_dimension:
            raise ValueError(
                f"Operators are incompatible. Expected `{word}` to have dimension {left.domain_dimension} but got "
                f"{right.range_dimension}."
            )
        return left, right

    def matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False, name: str = "matmul") -> Any:
        """The product with a matrix, or with another operator, which is an operator again."""
        if isinstance(x, LinearOperator):
            left, right = self._agreeing(x, adjoint, adjoint_arg, "x")
            return left._times(right)
        x = self._taken(x)
        fitting(self.shape[-2 if adjoint else -1], x.shape[-1 if adjoint_arg else -2])
        return self._matmul(x, adjoint=adjoint, adjoint_arg=adjoint_arg)

    def __matmul__(self, other: Any) -> Any:
        return self.matmul(other)

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        raise NotImplementedError("_matmul is not implemented.")

    def _times(self, right: LinearOperator) -> LinearOperator:
        """The product with another operator as an operator."""
        from .products import LinearOperatorComposition

        if hasattr(right, "_ones_diag") and not hasattr(right, "multiplier"):
            return self
        if hasattr(right, "_zeros_diag"):
            if not right.is_square or not self.is_square:
                raise ValueError(NOT_SQUARE)
            return right
        return LinearOperatorComposition([self, right], **of_any_product(self, right))

    def matvec(self, x: Any, adjoint: bool = False, name: str = "matvec") -> Any:
        """The product with a vector."""
        x = self._taken(x)
        fitting(self.shape[-2 if adjoint else -1], x.shape[-1])
        return self._matvec(x, adjoint=adjoint)

    def _matvec(self, x: Any, adjoint: bool = False) -> Any:
        return squeeze(self.matmul(expand_dims(x, -1), adjoint=adjoint), -1)

    # ------------------------------------------------------------------------------------ solving

    def _solvable(self) -> None:
        for known, word in ((self.is_non_singular, "singular"), (self.is_square, "not be square")):
            if known is False:
                word = word if word.startswith("not") else f"be {word}"
                raise NotImplementedError(f"Exact solve not implemented for an operator that is expected to {word}.")

    def solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False, name: str = "solve") -> Any:
        """What this operator makes ``rhs`` of; of another operator, an operator."""
        self._solvable()
        if isinstance(rhs, LinearOperator):
            left, right = self._agreeing(rhs, adjoint, adjoint_arg, "rhs")
            return left._solved(right)
        rhs = self._taken(rhs)
        fitting(self.shape[-1 if adjoint else -2], rhs.shape[-1 if adjoint_arg else -2])
        return self._solve(rhs, adjoint=adjoint, adjoint_arg=adjoint_arg)

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        warn_of_dense("solve")
        return self._dense_solve(rhs, adjoint, adjoint_arg)

    def _dense_solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        if self.is_square is False:
            raise NotImplementedError("Solve is not yet implemented for non-square operators.")
        rhs = adjoint_of(rhs) if adjoint_arg else rhs
        if self._has_cholesky():
            return cholesky_solve(cholesky(self.to_dense()), rhs)
        return solved(self.to_dense(), rhs, adjoint)

    def _solved(self, right: LinearOperator) -> LinearOperator:
        from .products import LinearOperatorComposition
        from .wrapping import LinearOperatorInversion

        if hasattr(right, "_ones_diag") and not hasattr(right, "multiplier"):
            return self.inverse()
        return LinearOperatorComposition([LinearOperatorInversion(self), right], **of_any_product(self, right))

    def solvevec(self, rhs: Any, adjoint: bool = False, name: str = "solve") -> Any:
        """As ``solve``, for a vector."""
        rhs = self._taken(rhs)
        fitting(self.shape[-1 if adjoint else -2], rhs.shape[-1])
        return self._solvevec(rhs, adjoint=adjoint)

    def _solvevec(self, rhs: Any, adjoint: bool = False) -> Any:
        return squeeze(self.solve(expand_dims(rhs, -1), adjoint=adjoint), -1)

    # ------------------------------------------------------------------------------------ other operators

    def adjoint(self, name: str = "adjoint") -> LinearOperator:
        """The adjoint, which is this operator itself where it is known to be self-adjoint."""
        return self if self.is_self_adjoint is True else self._adjoint()

    H = property(adjoint, None)

    def _adjoint(self) -> LinearOperator:
        from .wrapping import LinearOperatorAdjoint

        return LinearOperatorAdjoint(self, **hints(self))

    def inverse(self, name: str = "inverse") -> LinearOperator:
        """The inverse.  ValueError where there is none."""
        for known, word in ((self.is_square, "non square"), (self.is_non_singular, "singular")):
            if known is False:
                raise ValueError(f"Cannot take the Inverse: This operator represents a {word} matrix.")
        return self._inverse()

    def _inverse(self) -> LinearOperator:
        from .wrapping import LinearOperatorInversion

        return LinearOperatorInversion(self, **hints(self))

    def cholesky(self, name: str = "cholesky") -> LinearOperator:
        """The Cholesky factor.  ValueError unless self-adjoint and positive definite."""
        if not self._has_cholesky():
            raise ValueError("Cannot take the Cholesky decomposition: Not a positive definite self adjoint matrix.")
        return self._cholesky()

    def _cholesky(self) -> LinearOperator:
        from .dense import LinearOperatorLowerTriangular

        lower = cholesky(self.to_dense())
        return LinearOperatorLowerTriangular(lower, is_non_singular=True, is_self_adjoint=False, is_square=True)

    def _has_cholesky(self) -> bool:
        return bool(self.is_self_adjoint and self.is_positive_definite)

    # ------------------------------------------------------------------------------------ numbers of the matrix

    def to_dense(self, name: str = "to_dense") -> Any:
        """The matrix."""
        return self._to_dense()

    def _to_dense(self) -> Any:
        columns = eye(int(self.domain_dimension), batch_shape=self.batch_shape.as_list(), dtype=self.dtype)
        return self.matmul(columns)

    def diag_part(self, name: str = "diag_part") -> Any:
        """The diagonal."""
        return self._diag_part()

    def _diag_part(self) -> Any:
        return diag_part(self.to_dense())

    def trace(self, name: str = "trace") -> Any:
        """The sum of the diagonal."""
        return self._trace()

    def _trace(self) -> Any:
        return reduce_sum(self.diag_part(), axis=-1)

    def add_to_tensor(self, x: Any, name: str = "add_to_tensor") -> Any:
        """The matrix and a tensor added up."""
        return self._add_to_tensor(self._taken(x))

    def _add_to_tensor(self, x: Any) -> Any:
        return self.to_dense() + x

    def _refuse_non_square(self) -> None:
        if self.is_square is False:
            raise NotImplementedError("Determinant not implemented for an operator that is expected to not be square.")

    def determinant(self, name: str = "det") -> Any:
        """The determinant."""
        self._refuse_non_square()
        return self._determinant()

    def _determinant(self) -> Any:
        warn_of_dense("determinant")
        return exp(self.log_abs_determinant()) if self._has_cholesky() else det(self.to_dense())

    def log_abs_determinant(self, name: str = "log_abs_det") -> Any:
        """The logarithm of the absolute value of the determinant."""
        self._refuse_non_square()
        return self._log_abs_determinant()

    def _log_abs_determinant(self) -> Any:
        warn_of_dense("determinant")
        if self._has_cholesky():
            return 2 * reduce_sum(log(diag_part(cholesky(self.to_dense()))), axis=[-1])
        return slogdet(self.to_dense())[1]

    def eigvals(self, name: str = "eigvals") -> Any:
        """The eigenvalues of a self-adjoint operator."""
        if not self.is_self_adjoint:
            raise NotImplementedError("Only self-adjoint matrices are supported.")
        return self._eigvals()

    def _eigvals(self) -> Any:
        return eigvalsh(self.to_dense())

    def cond(self, name: str = "cond") -> Any:
        """The condition number: the largest singular value over the smallest."""
        return self._cond()

    def _cond(self) -> Any:
        values = absolute(self._eigvals()) if self.is_self_adjoint else svd(self.to_dense(), compute_uv=False)
        return reduce_max(values, axis=-1) / reduce_min(values, axis=-1)


NOT_SQUARE = "Matmul with non-square `LinearOperator`s or non-square `LinearOperatorZeros` not supported at this time."
