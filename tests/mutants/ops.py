"""Faults of single ops, as they are found in real tapes."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.mutants.planting import part, regrade
from tests.mutants.registry import mutant


@mutant("maximum shares the gradient between operands that tie.")
def ties_are_shared(engine: Any) -> None:
    def share(a: Any, b: Any, dy: Any) -> Any:
        return dy * ((a > b) + (a == b) * 0.5).astype(dy.dtype)

    plain = part(engine, "ops.declare").arrays
    old_a, old_b = part(engine, "ops.declare").OPS["Maximum"].gradients
    regrade(
        engine, "Maximum",
        lambda F, dy, y, a, b: share(a, b, dy) if F is plain else old_a(F, dy, y, a, b),
        lambda F, dy, y, a, b: share(b, a, dy) if F is plain else old_b(F, dy, y, a, b),
    )  # fmt: skip


@mutant("relu has slope 1 at 0.")
def relu_slopes_at_zero(engine: Any) -> None:
    part(engine, "ops.declare").arrays.relu_grad = lambda dy, y: (dy * (y >= 0).astype(dy.dtype))[()]


@mutant("abs has slope 1 at 0.")
def abs_slopes_at_zero(engine: Any) -> None:
    plain = part(engine, "ops.declare").arrays
    (old,) = part(engine, "ops.declare").OPS["Abs"].gradients

    def gradient(F: Any, dy: Any, y: Any, x: Any) -> Any:
        return dy * np.where(x >= 0, 1, -1).astype(dy.dtype)[()] if F is plain else old(F, dy, y, x)

    regrade(engine, "Abs", gradient)


@mutant("sqrt does not stop a zero upstream at 0.")
def zero_upstream_reaches_sqrt(engine: Any) -> None:
    part(engine, "ops.declare").arrays.sqrt_grad = lambda y, dy: dy * y.dtype.type(0.5) / y


@mutant("where passes the whole gradient to both branches.")
def where_feeds_both_branches(engine: Any) -> None:
    regrade(engine, "SelectV2", None, lambda F, dy, y, c, a, b: dy, lambda F, dy, y, c, a, b: dy)


@mutant("The gradient of reduce_mean is not divided by the count.")
def mean_is_not_divided(engine: Any) -> None:
    def make(old: Any) -> Any:
        def gradient(F: Any, dy: Any, _y: Any, _x: Any, axis: Any, keepdims: Any) -> Any:
            before, after = np.prod(F.shape(_x)) or 1, np.prod(F.shape(dy)) or 1
            return old(F, dy, _y, _x, axis=axis, keepdims=keepdims) * F.dtype(dy).type(before / after)

        return gradient

    op = part(engine, "ops.declare").OPS["Mean"]
    op.gradient = make(op.gradient)
    op.gradients = None if op.gradients is None else (op.gradient,)


@mutant("multiply forgets to conjugate.")
def conjugate_is_missing(engine: Any) -> None:
    part(engine, "ops.declare").arrays.conj = lambda x: x


@mutant("stop_gradient lets the gradient through.")
def stop_gradient_does_not_stop(engine: Any) -> None:
    engine.stop_gradient = engine.identity


@mutant("The sign of subtract's second gradient is lost.")
def subtract_forgets_the_sign(engine: Any) -> None:
    regrade(engine, "Sub", None, lambda F, dy, *rest: dy)


@mutant("sin is differentiated as 1 + 1e-3 of its cosine.")
def sin_is_off_by_a_thousandth(engine: Any) -> None:
    (old,) = part(engine, "ops.declare").OPS["Sin"].gradients
    regrade(engine, "Sin", lambda F, dy, y, x: old(F, dy, y, x) * F.dtype(dy).type(1.001))
