"""Ragged and sparse tensors and extension types meet tapes, functions and nests as TensorFlow's do."""

from __future__ import annotations

import numpy as np
import pytest

import reference_impl as tf

ROWS = [[1.0, 2.0], [], [3.0]]


def test_a_ragged_source_has_a_ragged_gradient():
    x = tf.ragged.constant(ROWS)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(x * x, axis=1)
    gradient = tape.gradient(y, x)
    assert y.numpy().tolist() == [5.0, 0.0, 9.0]
    assert gradient.to_list() == [[2.0, 4.0], [], [6.0]]


def test_zeros_for_a_ragged_source_must_have_as_many_rows_as_values():
    with tf.GradientTape(persistent=True) as tape:
        pass
    x = tf.RaggedTensor.from_row_splits([1.0, 2.0, 3.0], [0, 2, 3])
    with pytest.raises(ValueError, match=r"Shapes \(3,\) and \(2,\) are incompatible"):
        tape.gradient(tf.constant(1.0), x, unconnected_gradients="zero")


@pytest.mark.parametrize(
    ("function", "want"),
    [
        (tf.sin, np.cos([1.0, 2.0, 3.0])),
        (lambda r: r / 2.0, [0.5, 0.5, 0.5]),
        (lambda r: tf.concat([r, r], 0), [2.0, 2.0, 2.0]),
        (lambda r: tf.where(r > 1.5, r, -r), [-1.0, 1.0, 1.0]),
        (lambda r: tf.reduce_max(r, 1), [0.0, 1.0, 1.0]),
        (lambda r: r.to_tensor(-1.0) * 3.0, [3.0, 3.0, 3.0]),
        (lambda r: tf.map_fn(tf.reduce_sum, r, fn_output_signature=tf.float32), [1.0, 1.0, 1.0]),
    ],
)
def test_functions_of_ragged_tensors_differentiate_by_their_values(function, want):
    x = tf.ragged.constant(ROWS)
    with tf.GradientTape() as tape:
        tape.watch(x.flat_values)
        y = function(x)
    y = y.flat_values if isinstance(y, tf.RaggedTensor) else y
    np.testing.assert_allclose(tf.convert_to_tensor(tape.gradient(y, x.flat_values)), want, rtol=1e-6)


def test_a_gather_of_ragged_rows_has_slices():
    x = tf.ragged.constant(ROWS)
    with tf.GradientTape() as tape:
        tape.watch(x.flat_values)
        y = tf.gather(x, [0, 0])
    assert y.to_list() == [[1.0, 2.0], [1.0, 2.0]]
    assert tape.gradient(y.flat_values, x.flat_values).indices.numpy().tolist() == [0, 1, 0, 1]


def test_a_ragged_tensor_goes_through_a_function():
    total = tf.function(lambda r: tf.reduce_sum(r * r))
    assert float(total(tf.ragged.constant(ROWS))) == 14.0


def test_row_splits_must_fit_the_values():
    with pytest.raises(tf.errors.InvalidArgumentError, match="do not form a valid RaggedTensor"):
        tf.RaggedTensor.from_row_splits([1.0, 2.0, 3.0], [0, 2])


def sparse(values):
    return tf.SparseTensor([[0, 0], [1, 1]], values, [2, 2])


MATRIX = [[1.0, 2.0], [3.0, 4.0]]


@pytest.mark.parametrize(
    ("function", "want"),
    [
        (tf.sparse.to_dense, [1.0, 1.0]),
        (lambda s: tf.sparse.sparse_dense_matmul(s, MATRIX), [3.0, 7.0]),
        (lambda s: tf.sparse.reduce_sum(s, 0) * [1.0, 5.0], [1.0, 5.0]),
        (lambda s: tf.sparse.add(s, s).values, [2.0, 2.0]),
        (lambda s: tf.sparse.add(s, tf.constant(MATRIX)), [1.0, 1.0]),
        (lambda s: (s * MATRIX).values, [1.0, 4.0]),
        (lambda s: (s / MATRIX).values, [1.0, 0.25]),
        (lambda s: tf.sparse.transpose(s).values, [1.0, 1.0]),
        (lambda s: tf.sparse.slice(s, [0, 0], [1, 2]).values, [1.0, 0.0]),
        (lambda s: tf.sparse.map_values(tf.square, s).values, [2.0, 4.0]),
        (lambda s: tf.sparse.softmax(s).values, [0.0, 0.0]),
    ],
)
def test_functions_of_sparse_tensors_differentiate_by_their_values(function, want):
    values = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(values)
        y = function(sparse(values))
    np.testing.assert_allclose(tape.gradient(y, values), want)


def test_no_gradient_flows_through_a_concatenation_of_sparse_tensors():
    values = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(values)
        y = tf.sparse.concat(0, [sparse(values), sparse(values)])
    assert y.shape.as_list() == [4, 2]
    assert tape.gradient(y.values, values) is None


def test_the_dense_operand_of_a_sparse_product_has_a_dense_gradient():
    b = tf.constant(MATRIX)
    with tf.GradientTape() as tape:
        tape.watch(b)
        y = tf.sparse.sparse_dense_matmul(sparse([1.0, 2.0]), b)
    assert tape.gradient(y, b).numpy().tolist() == [[1.0, 1.0], [2.0, 2.0]]


def test_places_out_of_order_or_outside_are_refused():
    with pytest.raises(tf.errors.InvalidArgumentError, match="is out of order"):
        tf.sparse.to_dense(tf.SparseTensor([[1, 0], [0, 0]], [1.0, 2.0], [2, 2]))
    with pytest.raises(tf.errors.InvalidArgumentError, match="is out of bounds"):
        tf.sparse.to_dense(tf.SparseTensor([[0, 5]], [1.0], [2, 2]))


@pytest.mark.parametrize("combiner", ["sum", "mean", "sqrtn"])
def test_sparse_embedding_lookups_weigh_the_rows_of_the_table(combiner):
    table = tf.Variable([[1.0], [2.0], [3.0]])
    ids = tf.SparseTensor([[0, 0], [0, 1], [1, 0]], tf.constant([1, 2, 1], tf.int64), [2, 2])
    with tf.GradientTape() as tape:
        y = tf.nn.embedding_lookup_sparse(table, ids, None, combiner=combiner)
    scale = {"sum": 1.0, "mean": 0.5, "sqrtn": 0.5**0.5}[combiner]
    gradient = tape.gradient(y, table)
    np.testing.assert_allclose(y, [[5.0 * scale], [2.0]], rtol=1e-6)
    np.testing.assert_allclose(gradient.values, [[1.0 + scale], [scale]], rtol=1e-6)


class Masked(tf.experimental.ExtensionType):
    values: tf.Tensor
    mask: tf.Tensor


class Counted(tf.experimental.ExtensionType):
    count: int
    rate: tf.Tensor = 1.0

    def __validate__(self):
        assert self.count > 0


def test_watching_an_extension_type_watches_its_tensors():
    x = Masked([1.0, 2.0], [True, False])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(x.values**2)
    assert tape.gradient(y, x.values).numpy().tolist() == [2.0, 4.0]


def test_an_extension_type_is_no_source():
    x = Masked([1.0, 2.0], [True, False])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(x.values)
    with pytest.raises(ValueError, match="Type Masked is not supported as a gradient source or gradient target"):
        tape.gradient(y, x)


def test_functions_take_extension_types_and_tapes_see_through_them():
    double = tf.function(lambda m: m.values * 2.0)
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = double(Masked(x, [True, True]))
    assert tape.gradient(y, x).numpy().tolist() == [2.0, 2.0]


def test_the_fields_of_an_extension_type_are_checked_and_cannot_change():
    with pytest.raises(TypeError, match="missing a required argument: 'mask'"):
        Masked([1.0])
    with pytest.raises(TypeError, match="count: expected 'int', got 'str'"):
        Counted("a")
    with pytest.raises(AssertionError):
        Counted(-1)
    with pytest.raises(AttributeError, match="Cannot mutate attribute `count`"):
        Counted(1).count = 2
    assert float(Counted(1).rate) == 1.0


def test_nests_expand_extension_types_only_when_asked():
    x = Masked([1.0], [True])
    assert tf.nest.flatten(x) == [x]
    assert len(tf.nest.flatten(x, expand_composites=True)) == 2


DEEP = [[[1.0, 2.0], [3.0]], [], [[5.0, 6.0]]]


@pytest.mark.parametrize(
    ("axis", "want"),
    [
        (0, [[6.0, 8.0], [3.0]]),
        (1, [[4.0, 2.0], [], [5.0, 6.0]]),
        (2, [[3.0, 3.0], [], [11.0]]),
        ([0, 1], [9.0, 8.0]),
        (None, 17.0),
    ],
)
def test_sums_along_each_axis_of_rows_within_rows(axis, want):
    total = tf.reduce_sum(tf.ragged.constant(DEEP), axis=axis)
    assert (total.to_list() if isinstance(total, tf.RaggedTensor) else total.numpy().tolist()) == want


def test_means_across_rows_divide_by_how_many_entries_meet():
    values = tf.ragged.constant([[[1.0, 2.0], [3.0, 4.0]], [], [[5.0, 6.0]]], ragged_rank=1)
    assert tf.reduce_mean(values, axis=0).numpy().tolist() == [[3.0, 4.0], [3.0, 4.0]]
    assert tf.reduce_mean(values, axis=2).to_list() == [[1.5, 3.5], [], [5.5]]


def test_an_axis_that_is_not_there_is_refused():
    with pytest.raises(ValueError, match="axis=2 out of bounds: expected -2<=axis<2"):
        tf.reduce_sum(tf.ragged.constant(ROWS), axis=2)


def test_softmax_of_ragged_rows_is_one_in_each_row_and_has_gradients():
    x = tf.ragged.constant([[1.0, 3.0], [2.0]])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.nn.softmax(x)
        first = tf.reduce_sum(y[:, :1])
    assert tf.reduce_sum(y, axis=1).numpy() == pytest.approx([1.0, 1.0])
    assert tape.gradient(first, x).flat_values.numpy() == pytest.approx([0.10499359, -0.10499359, 0.0], abs=1e-7)


def test_parts_of_rows():
    x = tf.ragged.constant([[1, 2], [], [3]])
    assert x[:, :1].to_list() == [[1], [], [3]]
    assert x[:, -1:].to_list() == [[2], [], [3]]
    assert x[..., None].to_list() == [[[1], [2]], [], [[3]]]
    assert x[0, 1].numpy() == 2
    with pytest.raises(ValueError, match="Cannot index into an inner ragged dimension"):
        x[:, 0]


def test_new_axes_copies_and_reversed_rows():
    x = tf.ragged.constant([[1, 2], [], [3]])
    assert tf.expand_dims(x, 1).to_list() == [[[1, 2]], [[]], [[3]]]
    assert tf.reverse(x, [1]).to_list() == [[2, 1], [], [3]]
    assert tf.tile(x, [2, 2]).to_list() == [[1, 2, 1, 2], [], [3, 3]] * 2
    assert tf.stack([x, x]).to_list() == [[[1, 2], [], [3]]] * 2
    assert tf.one_hot(x, 4).to_list()[2] == [[0.0, 0.0, 0.0, 1.0]]
    assert tf.map_fn(lambda row: row * 2, x).to_list() == [[2, 4], [], [6]]


def test_products_and_means_of_integer_segments_stay_integers():
    for function in (tf.math.segment_prod, tf.math.segment_mean, tf.math.segment_sum):
        assert function(tf.constant([1, 2, 4]), [0, 0, 2]).dtype is tf.int32
    assert tf.math.segment_mean(tf.constant([1, 2, 4]), [0, 0, 2]).numpy().tolist() == [1, 0, 4]


def test_ragged_tensors_in_functions_have_other_rows_in_every_call():
    f = tf.function(lambda r: ((2.0 * r).to_tensor(), r.to_tensor(), tf.reduce_sum(1.0 - r, 1)), autograph=False)
    for rows, filled, sums in (
        ([[1.0, 2.0], [3.0]], [[1.0, 2.0], [3.0, 0.0]], [-1.0, -2.0]),
        ([[1.0], [3.0, 4.0, 5.0]], [[1.0, 0.0, 0.0], [3.0, 4.0, 5.0]], [0.0, -9.0]),
        ([[], [3.0]], [[0.0], [3.0]], [0.0, -2.0]),
    ):
        twice, once, less = f(tf.ragged.constant(rows, tf.float32))
        assert once.numpy().tolist() == filled and less.numpy().tolist() == sums
        assert twice.numpy().tolist() == [[2.0 * v for v in row] for row in filled]
