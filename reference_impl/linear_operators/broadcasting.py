"""Matrices whose batches differ, brought together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..ops.decompositions import solve
from ..ops.joining import adjoint
from ..ops.shaping import broadcast_to, reshape, transpose
from ..surroundings.inquiring import broadcast_static_shape
from ..tensors.shapes import TensorShape


def alike(matrices: Sequence[Any]) -> list[Any]:
    """The matrices, each repeated as the batch shape of all of them demands."""
    batch = matrices[0].shape[:-2]
    for matrix in matrices[1:]:
        batch = broadcast_static_shape(batch, matrix.shape[:-2])
    return [
        m if m.shape[:-2] == batch else broadcast_to(m, [*batch.as_list(), *m.shape[-2:].as_list()]) for m in matrices
    ]


def solved(matrix: Any, rhs: Any, of_adjoint: bool = False) -> Any:
    """The solution of ``matrix @ x = rhs`` for batches of any shapes.

    Axes that only ``rhs`` has become columns where that is less work, as in TensorFlow: what is rounded depends on it.
    """
    more = rhs.shape.rank - matrix.shape.rank
    extra = TensorShape(rhs.shape[: max(more, 0)]).as_list()
    if more <= 0 or np.prod(extra) < 2 or matrix.shape[-1] <= rhs.shape[-1]:
        matrix, rhs = alike([matrix, rhs])
        return solve(matrix, rhs, adjoint=of_adjoint)
    if of_adjoint:
        matrix = adjoint(matrix)
    main = rhs.shape[more:].as_list()
    order = [*range(more, rhs.shape.rank), *range(more)]
    columns = reshape(transpose(rhs, order), [*main[:-1], -1])
    matrix, columns = alike([matrix, columns])
    y = solve(matrix, columns)
    y = reshape(y, [*y.shape[:-1].as_list(), main[-1], *extra])
    return transpose(y, np.argsort(order).tolist())
