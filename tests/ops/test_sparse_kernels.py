"""Kernels of sparse tensors under `tf.raw_ops`, as TensorFlow 2.21 answered them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import reference_impl as tf

raw = tf.raw_ops
AT, SHAPE = [[0, 1], [1, 0], [1, 2]], [2, 3]
VALUES = (1.0, 2.0, 3.0)


def answers(function: Callable[..., Any], *inputs: Any) -> tuple[list, list]:
    """The gradients of the sum of a function's squares, and the gradients of their sums."""
    xs = [tf.constant(x) for x in inputs]
    with tf.GradientTape(persistent=True) as outer:
        outer.watch(xs)
        with tf.GradientTape() as inner:
            inner.watch(xs)
            square = function(*xs) ** 2.0
        first = inner.gradient(square, xs)
    return [plain(g) for g in first], [[plain(h) for h in outer.gradient(g, xs)] for g in first]


def plain(gradient: Any) -> Any:
    return gradient if gradient is None else np.round(tf.convert_to_tensor(gradient).numpy(), 5).tolist()


def placed(v: Any) -> Any:
    return {"sp_indices": AT, "sp_values": v, "sp_shape": SHAPE}


def test_a_dense_tensor_is_made_of_values_and_a_default() -> None:
    def dense(v: Any, default: Any) -> Any:
        return raw.SparseToDense(sparse_indices=AT, output_shape=SHAPE, sparse_values=v, default_value=default)

    first, second = answers(dense, VALUES, 7.0)
    assert first == [[2.0, 4.0, 6.0], 42.0]
    assert second == [[[2.0, 2.0, 2.0], 0.0], [[0.0, 0.0, 0.0], 6.0]]


def test_indices_of_a_dense_tensor_get_nought() -> None:
    at, values = tf.constant(AT), tf.constant(VALUES)
    with tf.GradientTape() as tape:
        tape.watch([at, values])
        dense = raw.SparseToDense(sparse_indices=at, output_shape=SHAPE, sparse_values=values, default_value=0.0)
    assert tape.gradient(dense, at).numpy().tolist() == [[0, 0], [0, 0], [0, 0]]


def test_products_and_quotients_add_up_where_the_dense_operand_was_broadcast() -> None:
    first, second = answers(lambda v, d: raw.SparseDenseCwiseMul(**placed(v), dense=d), VALUES, [[1.0, 2.0, 3.0]])
    assert first == [[8.0, 4.0, 54.0], [[8.0, 4.0, 54.0]]]
    assert second[0] == [[8.0, 2.0, 18.0], [[8.0, 8.0, 36.0]]]
    first, _ = answers(lambda v, d: raw.SparseDenseCwiseDiv(**placed(v), dense=d), VALUES, [[2.0], [1.0]])
    assert first == [[0.5, 4.0, 6.0], [[-0.25], [-26.0]]]


@pytest.mark.parametrize(
    ("function", "error", "text"),
    [
        (
            lambda v: raw.SparseDenseCwiseAdd(**placed(v), dense=[[1.0, 2.0, 3.0]]),
            NotImplementedError,
            "Gradient for SparseDenseCwiseAdd is not implemented.",
        ),
        (
            lambda v: raw.SparseDenseCwiseMul(**placed(v), dense=2.0),
            tf.errors.InvalidArgumentError,
            "params must be at least a vector",
        ),
        (
            lambda v: (
                raw.SparseSparseMaximum(
                    a_indices=AT, a_values=v, a_shape=SHAPE, b_indices=AT, b_values=v, b_shape=SHAPE
                ).output_values
            ),
            TypeError,
            "_SparseSparseMaximumGrad() takes 2 positional arguments but 3 were given",
        ),
    ],
)
def test_gradients_that_fail_in_tensorflow_fail_alike(function: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error) as caught:
        answers(function, VALUES)
    assert text in str(caught.value)


@pytest.mark.parametrize(
    ("function", "kernel"),
    [
        (lambda v: tf.sparse.segment_mean(v, [2, 0, 2], [0, 0, 2]), "SparseSegmentMeanGrad"),
        (
            lambda v: raw.SparseSlice(indices=AT, values=v, shape=SHAPE, start=[1, 0], size=[1, 2]).output_values,
            "SparseSliceGrad",
        ),
        (
            lambda v: (
                raw.SparseFillEmptyRows(indices=AT, values=v, dense_shape=[4, 3], default_value=7.0).output_values
            ),
            "SparseFillEmptyRowsGrad",
        ),
    ],
)
def test_kernels_of_gradients_without_a_gradient_are_looked_up_in_vain(function: Any, kernel: str) -> None:
    with pytest.raises(LookupError, match=f"gradient registry has no entry for: {kernel}"):
        answers(function, VALUES)


def test_the_gradient_of_a_softmax_goes_no_further() -> None:
    x = tf.constant(VALUES)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = raw.SparseSoftmax(**placed(x)) ** 2.0
        gradient = inner.gradient(y, x)
    np.testing.assert_allclose(gradient, [0.0, -0.18171549, 0.18171555], atol=1e-6)
    with pytest.raises(NotImplementedError, match="SparseDenseCwiseAdd"):
        outer.gradient(gradient, x)


def test_a_threshold_holds_for_sums_alone_and_the_gradient_is_no_function_of_anything() -> None:
    def added(v: Any, w: Any) -> Any:
        return raw.SparseAdd(
            a_indices=AT, a_values=v, a_shape=SHAPE, b_indices=[[0, 0], [1, 0]], b_values=w, b_shape=SHAPE, thresh=3.0
        ).sum_values

    first, second = answers(added, VALUES, (4.0, 1.0))
    assert first == [[2.0, 6.0, 6.0], [8.0, 6.0]]
    assert second == [[None, None], [None, None]]
    assert added(tf.constant(VALUES), tf.constant([4.0, 0.5])).numpy().tolist() == [4.0, 1.0, 3.0]


def test_rows_that_were_picked_may_have_a_sparse_gradient() -> None:
    x = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.sparse.segment_sum(x, [2, 0, 2], [0, 0, 2], sparse_gradient=True)
    gradient = tape.gradient(y, x)
    assert gradient.indices.numpy().tolist() == [0, 2]
    assert gradient.values.numpy().tolist() == [[1.0, 1.0], [2.0, 2.0]]


@pytest.mark.parametrize(
    ("rows", "ids", "text"),
    [
        ([0, 5], [0, 0], "Bad: indices[1] == 5 out of range [0, 3)"),
        ([0, 1], [1, 0], "segment ids are not increasing"),
        ([0], [1, 0], "segment_ids and indices should have same size."),
        ([0, 1], [-1, 0], "Segment id -1 out of range [0, 1), possibly because 'segment_ids' input is not sorted."),
    ],
)
def test_rows_and_segments_must_fit(rows: list, ids: list, text: str) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        raw.SparseSegmentSum(data=VALUES, indices=rows, segment_ids=ids)
    assert text in str(caught.value)


def test_a_sparse_product_of_complex_numbers_is_differentiated_as_the_dense_one() -> None:
    values, dense = tf.constant([1 + 2j, 3 - 1j]), tf.constant([[2 - 1j], [1 + 1j]])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch([values, dense])
        matrix = tf.scatter_nd([[0, 1], [1, 0]], values, [2, 2])
        for adjoint in (False, True):
            want = tf.matmul(matrix, dense, adjoint_a=adjoint)
            got = raw.SparseTensorDenseMatMul(
                a_indices=[[0, 1], [1, 0]], a_values=values, a_shape=[2, 2], b=dense, adjoint_a=adjoint
            )
            for source in (values, dense):
                np.testing.assert_allclose(tape.gradient(got, source), tape.gradient(want, source), rtol=1e-6)


def test_an_axis_that_a_sparse_tensor_does_not_have_is_refused() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="Invalid reduction dimension -3, for input with 2 dim"):
        raw.SparseReduceSum(input_indices=AT, input_values=VALUES, input_shape=SHAPE, reduction_axes=[-3])
