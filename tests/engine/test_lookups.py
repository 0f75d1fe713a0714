"""Rows of tables at ids: ragged ids, tables in parts, and how ragged results print.  The values are TensorFlow's."""

from __future__ import annotations

import numpy as np
import pytest

import reference_impl as tf

IDS = [[1, 2], [0]]


@pytest.fixture
def table():
    return tf.Variable(np.arange(9, dtype="float32").reshape(3, 3))


@pytest.fixture
def parts():
    starts = ((3, 0), (2, 100), (2, 200))
    return [tf.Variable(np.arange(3 * n, dtype="float32").reshape(n, 3) + start) for n, start in starts]


def test_ragged_ids_give_ragged_rows_and_a_sparse_gradient(table):
    with tf.GradientTape() as tape:
        rows = tf.nn.embedding_lookup(table, tf.ragged.constant(IDS))
        y = tf.reduce_sum(tf.reduce_mean(rows, axis=1) ** 2)
    slices = tape.gradient(y, table)
    assert rows.shape.as_list() == [2, None, 3]
    assert slices.indices.numpy().tolist() == [1, 2, 0]
    assert slices.values.numpy().tolist() == [[4.5, 5.5, 6.5], [4.5, 5.5, 6.5], [0, 2, 4]]


def test_ragged_ids_must_be_integers(table):
    with pytest.raises(ValueError, match="have type <dtype: 'float32'> and cannot be processed"):
        tf.nn.embedding_lookup(table, tf.ragged.constant([[1.0]]))


def test_a_table_in_parts_is_one_table(parts):
    rows = tf.nn.embedding_lookup(parts, [[0, 6], [3, 4]])
    assert rows.numpy()[..., 0].tolist() == [[0, 203], [100, 103]]


def test_each_part_has_a_sparse_gradient_even_where_no_id_falls_into_it(parts):
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.nn.embedding_lookup(parts, [0]) ** 2)
    gradients = tape.gradient(y, parts)
    assert [g.indices.numpy().tolist() for g in gradients] == [[0], [], []]
    assert gradients[0].values.numpy().tolist() == [[0, 2, 4]]


def test_rows_are_scaled_down_to_the_largest_norm(table):
    rows = tf.nn.embedding_lookup(table, tf.ragged.constant(IDS), max_norm=3.0)
    assert np.linalg.norm(rows.flat_values.numpy(), axis=1) == pytest.approx([3, 3, 5**0.5])


@pytest.mark.parametrize(
    ("combiner", "first"), [("sum", [9, 11, 13]), ("mean", [4.5, 5.5, 6.5]), ("sqrtn", [6.363961, 7.7781744, 9.192388])]
)
def test_ragged_ids_are_combined_row_by_row(table, combiner, first):
    combined = tf.nn.embedding_lookup_sparse(table, tf.ragged.constant(IDS), None, combiner=combiner)
    assert combined.numpy()[0] == pytest.approx(first)
    assert combined.numpy()[1].tolist() == [0, 1, 2]


def test_weights_must_be_as_many_as_ids(table):
    with pytest.raises(ValueError, match="incompatible"):
        tf.nn.embedding_lookup_sparse(table, tf.ragged.constant(IDS), tf.ragged.constant([[1.0]]), combiner="sum")


def test_rows_of_a_ragged_tensor_are_gathered_in_any_shape():
    ragged = tf.ragged.constant(IDS)
    assert tf.gather(ragged, 1).numpy().tolist() == [0]
    assert tf.gather(ragged, [1, 0]).to_list() == [[0], [1, 2]]
    assert tf.gather(ragged, [[0, 1], [1, 0]]).to_list() == [[[1, 2], [0]], [[0], [1, 2]]]
    assert tf.gather(ragged, tf.ragged.constant([[0], [0]]), batch_dims=1).to_list() == [[1], [0]]
    assert tf.gather(tf.constant([7.0, 8.0, 9.0]), ragged).to_list() == [[8, 9], [7]]


@pytest.mark.parametrize("row", [2, -1])
def test_a_row_that_is_not_there_is_refused(row):
    with pytest.raises(tf.errors.InvalidArgumentError, match=rf"indices\[1\] = {row} is not in \[0, 2\)"):
        tf.gather(tf.ragged.constant(IDS), [0, row])


@pytest.mark.parametrize(
    ("rows", "text"),
    [
        ([[1, 2], [3]], "[[1, 2], [3]]"),
        ([[1, 2], [3, 4]], "[[1, 2],\n [3, 4]]"),
        ([[], []], "[[], []]"),
        ([[[1], [2, 3]], [[3], [4, 5]]], "[[[1], [2, 3]],\n [[3], [4, 5]]]"),
        ([[100000.5, 1.0], [2.0, 3.0]], "[[100000.5, 1.0],\n [2.0, 3.0]]"),
        ([[k] * (1 + k % 2) for k in range(1100)], "[[0], [1, 1], [2], ..., [1097, 1097], [1098], [1099, 1099]]"),
    ],
)
def test_ragged_tensors_print_as_arrays_of_arrays_do(rows, text):
    assert str(tf.ragged.constant(rows)) == repr(tf.ragged.constant(rows)) == f"<tf.RaggedTensor {text}>"


def test_a_row_without_entries_keeps_its_inner_shape():
    assert tf.ragged.constant([[[1, 2]], []]).numpy()[1].shape == (0, 2)


FLOATS, INT16 = [[0.0]], np.array([[0]], np.int16)
VECTOR = "params must be at least a vector"


@pytest.mark.parametrize(
    ("read", "words"),
    [
        (lambda: tf.gather(tf.constant(2.0), [0], axis=-1), r"params must be at least 1 dimensional \[Op:GatherV2\]"),
        (lambda: tf.gather(tf.Variable(2.0), [0]), r"params must be at least 1 dimensional \[Op:ResourceGather\]"),
        (lambda: tf.gather(tf.Variable([2.0]), [3]), r"indices\[0\] = 3 is not in \[0, 1\) \[Op:ResourceGather\]"),
        (
            lambda: tf.gather(tf.Variable([2.0]), []),
            "'Tindices' of float is not in the list of allowed .* int32, int64\n",
        ),
        (lambda: tf.gather(tf.Variable([2.0]), INT16), "'Tindices' of int16 is not in the list of allowed values"),
        (
            lambda: tf.gather(tf.constant([2.0]), np.uint8([0])),
            "'Tindices' of uint8 is not in the list of allowed values",
        ),
        (lambda: tf.gather_nd(tf.Variable([[2.0]]), [[0, 5]]), "node name: ResourceGatherNd .Op:ResourceGatherNd"),
        (lambda: tf.gather_nd(tf.Variable([[2.0]]), FLOATS), "NodeDef: {{node ResourceGatherNd}}"),
        (lambda: tf.gather_nd(tf.Variable(2.0), [[0]]), VECTOR + r" \[Op:ResourceGatherNd\]"),
        (lambda: tf.gather_nd(tf.constant(2.0), [[0]]), VECTOR + r" \[Op:GatherNd\]"),
        (
            lambda: tf.gather(tf.ones([2]), [0, 1], axis=-1, batch_dims=1),
            r"batch_dims \(1\) must be less than rank\(params\)",
        ),
        (lambda: tf.gather(tf.ones([2]), 0, axis=-1, batch_dims=-1), r"batch_dims in the range \[0, 0\], but got -1"),
        (
            lambda: tf.gather(tf.ones([2, 3]), [0], batch_dims=1),
            r"params.shape\[0\]: 2 should be equal to indices.shape\[0\]: 1",
        ),
    ],
)
def test_what_cannot_be_looked_up_is_refused_in_the_words_of_the_kernel_that_is_asked(read, words):
    with pytest.raises(tf.errors.InvalidArgumentError, match=words):
        read()


def test_batch_axes_mean_nothing_along_the_first_axis():
    assert tf.gather(tf.constant([2.0, 3.0]), 0, axis=0, batch_dims=-1).numpy() == 2


@pytest.mark.parametrize(
    ("read", "kind", "words"),
    [
        (lambda: tf.gather(tf.constant(2.0), [0]), ValueError, "Shape must be at least rank 1 but is rank 0"),
        (
            lambda: tf.gather_nd(tf.constant(2.0), [[0]]),
            ValueError,
            "must be <= params.rank, but saw indices shape: .1,1.",
        ),
        (
            lambda: tf.gather(tf.constant([2.0]), [0.0]),
            TypeError,
            "'indices' has DataType float32 not in list of allowed",
        ),
    ],
)
def test_a_function_refuses_by_the_shapes_and_dtypes_while_it_is_traced(read, kind, words):
    with pytest.raises(kind, match=words):
        tf.function(read)()
