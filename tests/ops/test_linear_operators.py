"""``tf.linalg.LinearOperator``: answers, gradients, classes of results and refusals as TensorFlow 2.21 gave them."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import reference_impl as tf

from .linear_operators import FILE, answers

RECORDED = json.loads(FILE.read_text(encoding="utf-8"))
L = tf.linalg


def _same(got: Any, want: Any) -> bool:
    """Equal, numbers up to rounding."""
    if isinstance(want, list) and want and all(isinstance(n, float) for n in want):
        most = max([abs(n) for n in want if np.isfinite(n)], default=1.0)
        return np.allclose(got, want, rtol=2e-3, atol=1e-3 * most + 1e-5, equal_nan=True)
    if isinstance(want, list) and isinstance(got, list):
        return len(got) == len(want) and all(map(_same, got, want))
    return bool(got == want)


@pytest.mark.parametrize("kind", RECORDED)
def test_answers_as_tensorflow(kind: str) -> None:
    want = RECORDED[kind]
    got = dict(answers(tf, kind))
    assert got.keys() == want.keys()
    assert not {name: (got[name], want[name]) for name in want if not _same(got[name], want[name])}


REFUSALS = {
    "vector": (lambda: L.LinearOperatorFullMatrix([1.0, 2.0]), ValueError,
               "Argument `matrix` must have at least 2 dimensions. Received: [1. 2.]."),
    "not square": (lambda: L.LinearOperatorFullMatrix([[1.0, 2], [3, 4]], is_square=False).is_square, ValueError,
                   "User set is_square hint to False, but the operator was square."),
    "hints": (lambda: L.LinearOperatorFullMatrix([[1.0]], is_positive_definite=True, is_non_singular=False),
              ValueError, "A positive definite matrix is always non-singular."),
    "number": (lambda: L.LinearOperatorDiag(1.0), ValueError,
               "Argument diag must have at least 1 dimension.  Found: tf.Tensor(1.0, shape=(), dtype=float32)"),
    "real": (lambda: L.LinearOperatorDiag([1.0], is_self_adjoint=False), ValueError,
             "A real diagonal operator is always self adjoint."),
    "negative": (lambda: L.LinearOperatorIdentity(-1), ValueError,
                 "Argument num_rows must be non-negative.  Found: -1"),
    "fraction": (lambda: L.LinearOperatorIdentity(2.0), TypeError,
                 "Argument num_rows must be integer type.  Found: tf.Tensor(2.0, shape=(), dtype=float32)"),
    "none": (lambda: L.LinearOperatorComposition([]), ValueError,
             "Expected a non-empty list of operators. Found: []"),
    "twice": (lambda: L.LinearOperatorPermutation([0, 0]), ValueError,
              "Argument `perm` must be a vector of unique integers from 0 to 1."),
    "sizes": (lambda: L.LinearOperatorIdentity(2) @ L.LinearOperatorIdentity(3), ValueError,
              "Operators are incompatible. Expected `x` to have dimension 2 but got 3."),
    "singular": (lambda: L.LinearOperatorZeros(2).solve([[1.0], [2.0]]), NotImplementedError,
                 "Exact solve not implemented for an operator that is expected to be singular."),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSALS)
def test_refusals(case: str) -> None:
    function, error, text = REFUSALS[case]
    with pytest.raises(error) as caught:
        function()
    assert str(caught.value) == text


def test_functions_of_linalg_take_operators() -> None:
    o = L.LinearOperatorDiag(tf.Variable([1.0, 2.0, 3.0]))
    assert tf.matmul(o, [[1.0], [2.0], [3.0]]).numpy().ravel().tolist() == [1.0, 4.0, 9.0]
    assert L.solve(o, [[1.0], [2.0], [3.0]]).numpy().ravel().tolist() == [1.0, 1.0, 1.0]
    assert (L.det(o).numpy(), L.trace(o).numpy()) == (6.0, 6.0)
    assert type(L.inv(o)) is L.LinearOperatorDiag
    assert L.adjoint(o) is o
    with pytest.raises(ValueError, match="Expected matrix to be self-adjoint positive definite"):
        L.logdet(o)
    assert len(o.trainable_variables) == 1


def test_in_a_function() -> None:
    @tf.function
    def gradient(m: Any) -> Any:
        operator = L.LinearOperatorFullMatrix(m)
        with tf.GradientTape() as tape:
            tape.watch(m)
            y = tf.reduce_sum(tf.matmul(operator, tf.eye(3))) + L.trace(operator @ operator) + L.det(operator)
        return tape.gradient(y, m)

    m = tf.constant([[4.0, 1, 0], [1, 5, 2], [0, 2, 6]])
    np.testing.assert_allclose(gradient(m), [[35, -3, 3], [-3, 35, -3], [3, -3, 32]], rtol=1e-5)


def test_conjugate_gradients() -> None:
    m = tf.constant([[4.0, 1, 0], [1, 5, 2], [0, 2, 6]])
    solve = L.experimental.conjugate_gradient
    operator = L.LinearOperatorFullMatrix(m, is_self_adjoint=True, is_positive_definite=True)
    state = solve(operator, tf.constant([1.0, 2.0, 3.0]))
    assert state._fields == ("i", "x", "r", "p", "gamma")
    assert state.i.numpy() == 3
    np.testing.assert_allclose(state.x, np.linalg.solve(m.numpy(), [1.0, 2.0, 3.0]), rtol=1e-4)
    with pytest.raises(ValueError, match="Expected a self-adjoint, positive definite operator"):
        solve(L.LinearOperatorFullMatrix(m), tf.constant([1.0, 2.0, 3.0]))


def test_a_transposed_right_hand_side_of_three_diagonals_is_not_transposed_back() -> None:
    bands = tf.constant([[1.0, 2, 0], [4, 5, 6], [0, 1, -1]])
    rhs = tf.constant([[1.0, 2, 3], [4, 5, 7]])
    assert tuple(L.tridiagonal_solve(bands, rhs, transpose_rhs=True).shape) == (3, 2)
