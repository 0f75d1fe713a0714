"""Matrices without an inverse, and such with nan and infinity: what is filled up, what is refused, what goes on."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import reference_impl as tf

NAN, INF = float("nan"), float("inf")
NOT_INVERTIBLE = "not invertible"


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
@pytest.mark.parametrize("pivoting", [True, False])
def test_a_tridiagonal_system_with_a_pivot_of_zero_is_filled_with_nan_or_with_complex_zeros(
    dtype: str, pivoting: bool
) -> None:
    diagonals = tf.constant([[[2.0, 0.0], [0.0, 1.0], [0.0, 0.0]], [[0.0, 0.0], [2.0, 4.0], [0.0, 0.0]]], dtype)
    found = tf.linalg.tridiagonal_solve(diagonals, tf.ones([2, 2, 1], dtype), partial_pivoting=pivoting).numpy()
    np.testing.assert_array_equal(found[0], np.full((2, 1), 0 if "complex" in dtype else NAN))
    np.testing.assert_array_equal(found[1], [[0.5], [0.25]])


def test_rows_are_exchanged_only_where_pivoting_is_asked_for() -> None:
    diagonals = tf.constant([[2.0, 3.0, 0.0], [0.0, 1.0, 4.0], [0.0, 5.0, 1.0]])
    rhs = tf.constant([[1.0], [2.0], [3.0]])
    solved = tf.linalg.tridiagonal_solve(diagonals, rhs)
    np.testing.assert_allclose(solved, [[-0.075], [0.5], [0.625]], rtol=1e-6)
    assert np.isnan(tf.linalg.tridiagonal_solve(diagonals, rhs, partial_pivoting=False)).all()
    with pytest.raises(ValueError, match="partial_pivoting must be True if perturb_singular is"):
        tf.linalg.tridiagonal_solve(diagonals, rhs, partial_pivoting=False, perturb_singular=True)


@pytest.mark.parametrize(
    ("function", "matrix", "words"),
    [
        (tf.linalg.lu, [[1.0, 2.0], [2.0, 4.0]], NOT_INVERTIBLE),
        (tf.linalg.lu, [[NAN, 1.0], [1.0, 3.0]], NOT_INVERTIBLE),
        (tf.linalg.inv, [[NAN, 1.0], [1.0, 3.0]], NOT_INVERTIBLE),
        (lambda a: tf.linalg.solve(a, [[1.0], [1.0]]), [[NAN, 1.0], [1.0, 3.0]], NOT_INVERTIBLE),
        (lambda a: tf.linalg.banded_triangular_solve(a, [[1.0], [1.0]]), [[1.0, 0.0], [1.0, 1.0]], NOT_INVERTIBLE),
        (
            lambda a: tf.linalg.banded_triangular_solve(a, [[1.0]]),
            [[]],
            "In[0] must not be an empty tensor",
        ),
        (tf.linalg.eigh, [[1.0, 2.0], [NAN, 1.0]], "Self-adjoint eigen decomposition was not successful."),
        (tf.linalg.eigvalsh, [[1.0, 2.0], [INF, 1.0]], "Self-adjoint eigen decomposition was not successful."),
        (tf.linalg.eigvals, [[NAN, 1.0], [1.0, 3.0]], "Eigen decomposition was not successful."),
    ],
)
def test_what_cannot_be_decomposed_is_refused(function: Callable, matrix: list, words: str) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        function(tf.constant(matrix))
    assert words in str(caught.value)


def test_a_nan_that_is_no_pivot_goes_on() -> None:
    factors, order = tf.linalg.lu(tf.constant([[1.0, 2.0], [NAN, 1.0]]))
    np.testing.assert_array_equal(factors, [[1.0, 2.0], [NAN, NAN]])
    assert order.numpy().tolist() == [0, 1]
    np.testing.assert_array_equal(tf.linalg.inv(tf.constant([[1.0, 2.0], [NAN, 1.0]])), np.full((2, 2), NAN))
    _, r = tf.linalg.qr(tf.constant([[1.0, NAN], [0.0, 1.0]]))
    np.testing.assert_array_equal(r, [[1.0, NAN], [0.0, 1.0]])


def test_values_of_a_matrix_with_a_nan_are_nan_and_those_of_the_others_stay() -> None:
    batch = tf.constant([[[NAN, 1.0], [1.0, 3.0]], [[2.0, 0.0], [0.0, 1.0]]])
    s, u, v = tf.linalg.svd(batch)
    assert np.isnan(s[0]).all() and np.isnan(u[0]).all() and np.isnan(v[0]).all()
    assert s[1].numpy().tolist() == [2, 1]
    assert np.isnan(tf.linalg.svd(batch, compute_uv=False)[0]).all()
    assert np.isnan(tf.linalg.pinv(batch)[0]).all()
    sign, log = tf.linalg.slogdet(batch)
    np.testing.assert_array_equal(sign, [NAN, 1.0])
    assert np.isnan(log[0])
    assert np.isnan(tf.linalg.slogdet(batch[0])[0])


def test_infinity_on_the_diagonal_alone_has_nan_for_eigenvalues() -> None:
    e, v = tf.linalg.eigh(tf.constant([[[1.0, 2.0], [2.0, INF]], [[1.0, 0.0], [0.0, 2.0]]]))
    np.testing.assert_array_equal(e, [[NAN, NAN], [1.0, 2.0]])
    np.testing.assert_array_equal(v[0], np.eye(2))


def test_a_complex_root_that_is_none_is_filled_with_zeros() -> None:
    assert not tf.linalg.cholesky(tf.constant([[-1.0, 0.0], [0.0, 1.0]], tf.complex64)).numpy().any()
    assert np.isnan(tf.linalg.cholesky(tf.constant([[-1.0, 0.0], [0.0, 1.0]]))[1, 1])


def test_complex_matrices_have_no_pseudoinverse_and_no_rank() -> None:
    for function in (tf.linalg.pinv, tf.linalg.matrix_rank):
        with pytest.raises(TypeError, match=r"Input `a` must have `float`-like `dtype` \(saw complex64\)\."):
            function(tf.ones([2, 2], tf.complex64))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_the_vector_of_a_simple_eigenvalue_beside_a_double_one_has_tensorflows_sign(dtype: str) -> None:
    """What rounding leaves of cancelled elements decides: the signs are found in the precision of the matrix."""
    vectors = tf.linalg.eigh(tf.ones([3, 3], dtype))[1].numpy()
    np.testing.assert_allclose(vectors[:, 2], 3**-0.5, rtol=1e-6)
    vectors = tf.linalg.eigh(tf.constant([[-1.0, 0.0, 1.0], [0.0, 0.0, 0.0], [1.0, 0.0, 1.0]], dtype))[1].numpy()
    assert [float(np.sign(vectors[0, k])) for k in (0, 2)] == [-1.0, 1.0]


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64"])
def test_the_slow_least_squares_square_nothing_and_take_the_smallest_of_many(dtype: str) -> None:
    def solved(matrix: list, rhs: list) -> list:
        return tf.linalg.lstsq(tf.constant(matrix, dtype), tf.constant(rhs, dtype), fast=False).numpy().ravel().tolist()

    nearly = solved([[1.0, 2.0], [2.0, 4.0001], [3.0, 6.0]], [[1.0], [-2.0], [4.0]])
    np.testing.assert_allclose(nearly[0], 92001 if dtype == "float64" else 91900, rtol=3e-3)
    np.testing.assert_allclose(solved([[1.0, 2.0], [2.0, 4.0]], [[5.0], [10.0]]), [1.0, 2.0], rtol=1e-5)
    assert solved([[0.0, 0.0], [0.0, 0.0]], [[5.0], [10.0]]) == [0.0, 0.0]
    assert solved([[1.0, NAN], [2.0, 2.0]], [[5.0], [10.0]]) == [0.0, 0.0]
