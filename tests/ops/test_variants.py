"""Kernels of ragged tensors, and those that make or take variants, as TensorFlow 2.21 answered them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import reference_impl as tf
from tests.ops.test_sparse_kernels import answers, plain

raw = tf.raw_ops
VALUES, SPLITS = (1.0, 2.0, 3.0, 4.0), [0, 1, 1, 4]
MATRIX = [[0.0, 1.0, 2.0], [3.0, 0.0, 4.0]]
ROWS = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]


# ---------------------------------------------------------------- ragged tensors


@pytest.mark.parametrize(
    ("shape", "dense", "by_default"),
    [
        (-1, [[1.0, 9.0, 9.0], [9.0, 9.0, 9.0], [2.0, 3.0, 4.0]], 90.0),
        ([2, 2], [[1.0, 9.0], [9.0, 9.0]], 54.0),
        ([4, -1], [[1.0, 9.0, 9.0], [9.0, 9.0, 9.0], [2.0, 3.0, 4.0], [9.0, 9.0, 9.0]], 144.0),
    ],
)
def test_rows_are_filled_up_or_cut_off(shape: Any, dense: list, by_default: float) -> None:
    def filled(v: Any, default: Any) -> Any:
        return raw.RaggedTensorToTensor(
            shape=shape, values=v, default_value=default, row_partition_tensors=[SPLITS],
            row_partition_types=["ROW_SPLITS"],
        )  # fmt: skip

    assert filled(tf.constant(VALUES), tf.constant(9.0)).numpy().tolist() == dense
    x, default = tf.constant(VALUES), tf.constant(9.0)
    with tf.GradientTape() as tape:
        tape.watch([x, default])
        square = filled(x, default) ** 2.0
    first = [plain(g) for g in tape.gradient(square, [x, default])]
    assert first == [[2.0 * v if v in np.array(dense) else 0.0 for v in VALUES], by_default]


def test_the_gradient_of_a_filled_up_ragged_tensor_is_slices() -> None:
    x = tf.constant(VALUES)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.RaggedTensor.from_row_splits(x, SPLITS).to_tensor()
    gradient = tape.gradient(y, x)
    assert isinstance(gradient, tf.IndexedSlices)
    assert gradient.indices.dtype == tf.int32


def test_rows_are_gathered_with_their_splits() -> None:
    made = raw.RaggedGather(
        params_nested_splits=[SPLITS], params_dense_values=VALUES, indices=[[1, 2], [0, 0]], OUTPUT_RAGGED_RANK=2
    )
    assert [part.numpy().tolist() for part in made.output_nested_splits] == [[0, 2, 4], [0, 0, 3, 4, 5]]
    assert made.output_dense_values.numpy().tolist() == [2.0, 3.0, 4.0, 1.0, 1.0]


def test_places_of_a_ragged_tensor_count_every_level() -> None:
    made = raw.RaggedTensorToSparse(rt_nested_splits=[[0, 2, 3], SPLITS], rt_dense_values=VALUES)
    assert made.sparse_indices.numpy().tolist() == [[0, 0, 0], [1, 0, 0], [1, 0, 1], [1, 0, 2]]
    assert made.sparse_dense_shape.numpy().tolist() == [2, 2, 3]
    with pytest.raises(tf.errors.InvalidArgumentError, match="non decreasing, but we got 2 followed by 1"):
        raw.RaggedTensorToSparse(rt_nested_splits=[[0, 2, 1, 4]], rt_dense_values=VALUES)


@pytest.mark.parametrize("batched", [False, True])
def test_a_ragged_tensor_passes_through_variants_at_first_order_alone(batched: bool) -> None:
    def through(v: Any) -> Any:
        encoded = raw.RaggedTensorToVariant(rt_nested_splits=[SPLITS], rt_dense_values=v, batched_input=batched)
        assert encoded.dtype == tf.variant and encoded.shape == ([3] if batched else [])
        return raw.RaggedTensorFromVariant(
            encoded_ragged=encoded, input_ragged_rank=0 if batched else 1, output_ragged_rank=1, Tvalues=tf.float32
        ).output_dense_values

    with pytest.raises(LookupError, match="gradient registry has no entry for: RaggedTensorToVariantGradient"):
        answers(through, VALUES)
    x = tf.constant(VALUES)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = through(x) ** 2.0
    assert plain(tape.gradient(y, x)) == [2.0, 4.0, 6.0, 8.0]


def test_several_tensors_pass_through_one_variant() -> None:
    def product(a: Any, b: Any) -> Any:
        encoded = raw.CompositeTensorVariantFromComponents(components=[a, b], metadata="")
        x, y = raw.CompositeTensorVariantToComponents(encoded=encoded, metadata="", Tcomponents=[tf.float32] * 2)
        return x * y

    first, second = answers(product, VALUES, 9.0)
    assert first == [[162.0, 324.0, 486.0, 648.0], 540.0]
    assert second == [[[162.0] * 4, 360.0], [[36.0, 72.0, 108.0, 144.0], 60.0]]


# ---------------------------------------------------------------- compressed sparse matrices


def compressed(values: Any) -> Any:
    return raw.SparseTensorToCSRSparseMatrix(indices=[[0, 1], [1, 0], [1, 2]], values=values, dense_shape=[2, 3])


def test_only_the_places_that_were_taken_of_a_matrix_get_a_gradient() -> None:
    def opened(x: Any) -> Any:
        matrix = raw.DenseToCSRSparseMatrix(dense_input=x, indices=[[0, 1], [1, 1]])
        return raw.CSRSparseMatrixToDense(sparse_input=matrix, type=tf.float32)

    first, second = answers(opened, MATRIX)
    assert first == [[[0.0, 2.0, 0.0], [0.0, 0.0, 0.0]]]
    assert second == [[[[0.0, 2.0, 0.0], [0.0, 2.0, 0.0]]]]


def test_gradients_by_a_compressed_matrix_cannot_be_added_up() -> None:
    values, dense = tf.constant([1.0, 2.0, 3.0]), tf.constant(ROWS)
    with tf.GradientTape() as outer:
        outer.watch(values)
        with tf.GradientTape() as inner:
            inner.watch([values, dense])
            y = raw.SparseMatrixMatMul(a=compressed(values), b=dense) ** 2.0
        by_values, by_dense = inner.gradient(y, [values, dense])
    assert plain(by_values) == [50.0, 122.0, 434.0]
    assert plain(by_dense) == [[68.0, 88.0], [6.0, 8.0], [102.0, 132.0]]
    with pytest.raises(tf.errors.InternalError, match="No unary variant binary_op function found for op ADD Variant"):
        outer.gradient(by_dense, values)


def test_the_gradient_of_two_compressed_matrices_fails_as_it_does_in_tensorflow() -> None:
    values = tf.constant([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        tape.watch(values)
        other = raw.DenseToCSRSparseMatrix(dense_input=ROWS, indices=[[0, 0], [2, 1]])
        made = raw.SparseMatrixSparseMatMul(a=compressed(values), b=other, type=tf.float32)
        y = raw.CSRSparseMatrixToDense(sparse_input=made, type=tf.float32)
    assert plain(y) == [[0.0, 0.0], [2.0, 18.0]]
    with pytest.raises(ValueError, match=r"matrix has missing handle data: tf\.Tensor") as caught:
        tape.gradient(y, values)
    assert "<Tensor<type: int64 shape: [2] values: 2 3>>, shape=(), dtype=variant" in str(caught.value)


# ---------------------------------------------------------------- lists of tensors


def rows_of(x: Any) -> Any:
    return raw.TensorListFromTensor(tensor=x, element_shape=[2])


def stacked(handle: Any) -> Any:
    return raw.TensorListStack(input_handle=handle, element_shape=[2], element_dtype=tf.float32)


@pytest.mark.parametrize(
    ("function", "want"),
    [
        (
            lambda x: stacked(raw.TensorListResize(input_handle=rows_of(x), size=2)),
            [[2.0, 4.0], [6.0, 8.0], [0.0, 0.0]],
        ),
        (
            lambda x: stacked(raw.TensorListScatter(tensor=x, indices=[1, 0, 1], element_shape=[2])),
            [[10.0, 12.0], [6.0, 8.0], [10.0, 12.0]],
        ),
        (
            lambda x: stacked(raw.TensorListScatterV2(tensor=x, indices=[4, 0, 1], element_shape=[2], num_elements=6)),
            [[2.0, 4.0], [6.0, 8.0], [10.0, 12.0]],
        ),
        (
            lambda x: raw.TensorListConcat(input_handle=rows_of(x), element_dtype=tf.float32, element_shape=[2]).tensor,
            [[2.0, 4.0], [6.0, 8.0], [10.0, 12.0]],
        ),
    ],
)
def test_lists_are_differentiated_row_by_row(function: Any, want: list) -> None:
    assert answers(function, ROWS)[0] == [want]


def test_upstream_lists_of_several_consumers_are_added_up() -> None:
    def twice(x: Any) -> Any:
        handle = rows_of(x)
        return stacked(handle) + 2.0 * stacked(handle)

    first, second = answers(twice, ROWS)
    assert first == [[[18.0, 36.0], [54.0, 72.0], [90.0, 108.0]]]
    assert second == [[[[18.0, 18.0]] * 3]]


def test_an_empty_list_of_unknown_shape_cannot_be_stacked() -> None:
    handle = raw.TensorListResize(input_handle=raw.TensorListFromTensor(tensor=ROWS, element_shape=-1), size=0)
    with pytest.raises(tf.errors.InvalidArgumentError, match="an empty list with non-fully-defined element_shape"):
        raw.TensorListStack(input_handle=handle, element_shape=-1, element_dtype=tf.float32)


def test_a_tuple_of_tensors_takes_the_dtype_of_the_tensor_it_meets() -> None:
    total = (tf.constant([1.0, 2.0]),) + tf.constant([1, 2], tf.int64)
    assert total.dtype == tf.int64
    with pytest.raises(tf.errors.InvalidArgumentError, match="expected to be a float tensor but is a int64 tensor"):
        tf.add((tf.constant([1.0, 2.0]),), tf.constant([1, 2], tf.int64))
