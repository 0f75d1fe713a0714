"""Assertions about linear operators that hold for every kind, by the dense matrix."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..checks.assertions import assert_equal, assert_less, assert_positive
from ..foundation import warnings_log
from ..ops.decompositions import cholesky, svd
from ..ops.diagonals import diag_part
from ..ops.extremes import reduce_max, reduce_min
from ..ops.joining import adjoint as adjoint_of
from .hints import warn_of_dense


class Asserting:
    """What an operator asserts of itself; kinds that know better override the methods with an underscore."""

    dtype: Any
    is_self_adjoint: Any
    range_dimension: Any
    domain_dimension: Any
    to_dense: Any
    _has_cholesky: Any

    def assert_non_singular(self, name: str = "assert_non_singular") -> Any:
        """InvalidArgumentError where the operator is singular up to rounding."""
        return self._assert_non_singular()

    def _assert_non_singular(self) -> Any:
        warn_of_dense("assert_non_singular")
        if self._has_cholesky():
            return self.assert_positive_definite()
        values = svd(self.to_dense(), compute_uv=False)
        condition = reduce_max(values, axis=-1) / reduce_min(values, axis=-1)
        kind = self.dtype.as_numpy_dtype
        size = max(100.0, float(self.range_dimension), float(self.domain_dimension))
        most = kind(1) / (kind(size) * np.finfo(kind).eps)
        return assert_less(condition, most, message="Singular matrix up to precision epsilon.")

    def assert_positive_definite(self, name: str = "assert_positive_definite") -> Any:
        """InvalidArgumentError where the operator is not positive definite."""
        return self._assert_positive_definite()

    def _assert_positive_definite(self) -> Any:
        warn_of_dense("assert_positive_definite")
        if not self.is_self_adjoint:
            raise NotImplementedError("assert_positive_definite is not implemented.")
        return assert_positive(diag_part(cholesky(self.to_dense())), message="Matrix was not positive definite.")

    def assert_self_adjoint(self, name: str = "assert_self_adjoint") -> Any:
        """InvalidArgumentError where the operator is not its own adjoint."""
        return self._assert_self_adjoint()

    def _assert_self_adjoint(self) -> Any:
        dense = self.to_dense()
        warnings_log.warn(
            "Using (possibly slow) default implementation of assert_self_adjoint.  Requires conversion to a dense "
            "matrix."
        )
        return assert_equal(dense, adjoint_of(dense), message="Matrix was not equal to its adjoint.")
