"""``tf.linalg.experimental``: solving with nothing but products."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..ops.extremes import reduce_any
from ..ops.logic import logical_and
from ..ops.making import zeros
from ..ops.norms import norm
from ..ops.products import matvec
from ..ops.shaping import broadcast_to
from ..ops.squeezing import expand_dims, squeeze
from ..surroundings.inquiring import broadcast_static_shape
from ..tensors.conversion import constant, convert_to_tensor

__all__ = ["conjugate_gradient"]


class CGState(NamedTuple):
    """Where the iteration is: step, solution, residual, direction, and the residual's weight."""

    i: Any
    x: Any
    r: Any
    p: Any
    gamma: Any


def _dot(x: Any, y: Any) -> Any:
    return squeeze(matvec(expand_dims(x, -1), y, adjoint_a=True), -1)


def conjugate_gradient(
    operator: Any, rhs: Any, preconditioner: Any = None, x: Any = None, tol: float = 1e-5, max_iter: int = 20,
    name: str = "conjugate_gradient",
) -> CGState:  # fmt: skip
    """The solution of ``operator @ x = rhs`` by conjugate gradients.  ValueError unless it is positive definite."""
    from ..tracing import while_loop

    if not (operator.is_self_adjoint and operator.is_positive_definite):
        raise ValueError("Expected a self-adjoint, positive definite operator.")
    rhs = convert_to_tensor(rhs)
    batch = broadcast_static_shape(rhs.shape[:-1], operator.batch_shape)
    if preconditioner is not None:
        batch = broadcast_static_shape(batch, preconditioner.batch_shape)
    shape = [*batch.as_list(), rhs.shape[-1]]
    r = broadcast_to(rhs, shape)
    least = tol * norm(r, axis=-1)
    if x is None:
        x = zeros(shape, dtype=rhs.dtype)
    else:
        r = rhs - operator.matvec(x)
    p = r if preconditioner is None else preconditioner.matvec(r)

    def unfinished(i: Any, state: CGState) -> Any:
        return logical_and(i < max_iter, reduce_any(norm(state.r, axis=-1) > least))

    def step(i: Any, state: CGState) -> tuple[Any, CGState]:
        z = operator.matvec(state.p)
        alpha = expand_dims(state.gamma / _dot(state.p, z), -1)
        x, r = state.x + alpha * state.p, state.r - alpha * z
        q = r if preconditioner is None else preconditioner.matvec(r)
        gamma = _dot(r, q)
        p = q + expand_dims(gamma / state.gamma, -1) * state.p
        return i + 1, CGState(i + 1, x, r, p, gamma)

    i = constant(0)
    return while_loop(unfinished, step, [i, CGState(i, x, r, p, _dot(r, p))])[1]
