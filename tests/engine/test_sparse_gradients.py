"""IndexedSlices: where gradients stay sparse, how they add up, where they become dense."""

import numpy as np
import pytest

import reference_impl as tf

X = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]


def _gradient(f):
    x = tf.constant(X)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return tape.gradient(y, x)


def test_gather_gives_rows_with_the_indices_as_they_came():
    g = _gradient(lambda x: tf.gather(x, [2, 0, 2]))
    assert isinstance(g, tf.IndexedSlices)
    assert g.values.numpy().tolist() == [[1.0, 1.0]] * 3
    assert g.indices.numpy().tolist() == [2, 0, 2] and g.indices.dtype == tf.int32
    assert g.dense_shape.numpy().tolist() == [3, 2]
    assert tf.convert_to_tensor(g).numpy().tolist() == [[1.0, 1.0], [0.0, 0.0], [2.0, 2.0]]


@pytest.mark.parametrize(
    "f",
    [
        lambda x: tf.gather(x + 1.0, [0]), lambda x: tf.gather(x - 1.0, [0]), lambda x: tf.gather(-x, [0]),
        lambda x: tf.gather(tf.identity(x), [0]), lambda x: tf.gather(tf.cast(x, tf.float64), [0]),
        lambda x: tf.gather(tf.concat([x, x], 0), [0]), lambda x: tf.gather(tf.add_n([x, x]), [0]),
    ],
)  # fmt: skip
def test_some_ops_pass_sparse_gradients_on(f):
    assert isinstance(_gradient(f), tf.IndexedSlices)


@pytest.mark.parametrize(
    "f",
    [
        lambda x: tf.gather(x, [1], axis=1), lambda x: tf.gather(x, [1], axis=-2), lambda x: tf.gather(x * 2.0, [0]),
        lambda x: tf.gather(1.0 + x, [0]), lambda x: tf.gather(x + x, [0]), lambda x: tf.gather(tf.exp(x), [0]),
        lambda x: tf.gather(tf.reshape(x, [2, 3]), [1]), lambda x: x[1], lambda x: x[x > 2.0],
    ],
)  # fmt: skip
def test_other_ops_make_them_dense(f):
    assert isinstance(_gradient(f), tf.Tensor)


def test_all_sparse_contributions_are_put_one_after_another_the_later_target_first():
    g = _gradient(lambda x: [tf.gather(x, [0]), tf.gather(x, tf.constant([2, 1], tf.int64))])
    assert g.indices.numpy().tolist() == [2, 1, 0] and g.indices.dtype == tf.int64


def test_one_dense_contribution_makes_the_sum_dense():
    g = _gradient(lambda x: [tf.gather(x, [0, 0]), tf.reduce_sum(x * 2)])
    assert g.numpy().tolist() == [[4.0, 4.0], [2.0, 2.0], [2.0, 2.0]]


def test_a_gather_of_a_gather_adds_the_rows_of_the_outer_one():
    g = _gradient(lambda x: tf.gather(tf.gather(x, [2, 1]), [0, 0]))
    assert g.indices.numpy().tolist() == [2, 1] and g.values.numpy().tolist() == [[2.0, 2.0], [0.0, 0.0]]


def test_slices_are_refused_as_target_and_source():
    x = tf.constant([1.0])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = tf.IndexedSlices(x * x, tf.constant([0]))
    for target, source in [(y, x), (x, y)]:
        with pytest.raises(AttributeError, match="'IndexedSlices' object has no attribute '_id'"):
            tape.gradient(target, source)


def test_second_order_goes_through_the_values_of_slices():
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape(persistent=True) as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.gather(x, [0, 0]) ** 3.0
        g = inner.gradient(y, x)
        dense = tf.convert_to_tensor(g)
    for target in (g.values, dense):
        second = outer.gradient(target, x)
        assert second.indices.numpy().tolist() == [0, 0]
        assert second.values.numpy().tolist() == [6.0, 6.0]


def test_variables_give_slices_too_and_sparse_read_with_them():
    v = tf.Variable(X)
    with tf.GradientTape(persistent=True) as tape:
        y, z = tf.gather(v, [1, 1]), v.sparse_read([2])
    assert tape.gradient(y, v).indices.numpy().tolist() == [1, 1]
    assert tape.gradient(z, v).indices.numpy().tolist() == [2]


def test_rows_times_a_number_are_refused_where_tensorflow_multiplies_by_one_first() -> None:
    v = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = tf.tanh(v)
        rows = tf.gather(inner.gradient(y, v), [0, 0])
    with pytest.raises(TypeError, match=r"unsupported operand type\(s\) for \*: 'IndexedSlices' and 'float'"):
        outer.gradient(rows, v)


def test_a_source_beside_rows_counts_as_asked_for_even_when_no_gradient_can_reach_it():
    x, a = tf.constant([1.0, 2.0]), tf.constant(1.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        z = tf.gather(x - a, [0])
    assert isinstance(tape.gradient(z, x), tf.IndexedSlices)
    dense, none = tape.gradient(z, [x, a])
    assert dense.numpy().tolist() == [1.0, 0.0] and none is None


@pytest.mark.parametrize("sizes", [1, [1]])
def test_a_split_into_one_part_passes_rows_on(sizes):
    v = tf.Variable([1.0])
    with tf.GradientTape() as outer:
        outer.watch(v)
        with tf.GradientTape() as inner:
            (part,) = tf.split(v, sizes)
            y = tf.gather(part, [0])
        gradient = inner.gradient(y, v)
    assert type(gradient).__name__ == "IndexedSlices"


def test_no_upstream_for_the_one_part_of_an_unstack_is_refused():
    v = tf.Variable([1.0])
    with tf.GradientTape() as tape:
        (part,) = tf.unstack(v)
    with pytest.raises(ValueError, match=r"Attempt to convert a value \(None\) with an unsupported type"):
        tape.gradient(part, v, output_gradients=[None])


def test_rows_of_gathered_rows_stay_rows_until_something_needs_them_whole():
    x, once, both = tf.constant([[1.5, -1.0], [1.5, -1.5]]), [[1], [1]], [[0], [1]]
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = tf.gather_nd(tf.gather_nd(x, once), both)
    gradient = tape.gradient(y, x)
    assert type(gradient).__name__ == type(gradient.values).__name__ == "IndexedSlices"
    assert tf.convert_to_tensor(gradient).numpy().tolist() == [[0.0, 0.0], [2.0, 2.0]]
    assert tape.jacobian(y, x).numpy().sum() == 4.0


def test_rows_from_a_sparse_segment_gradient_are_made_dense_for_the_op_before():
    x = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * 3.0
        z = tf.raw_ops.SparseSegmentSumWithNumSegments(
            data=y, indices=[0, 2], segment_ids=[0, 0], num_segments=1, sparse_gradient=True
        )
    assert tape.gradient(z, x).numpy().tolist() == [[3.0, 3.0], [0.0, 0.0], [3.0, 3.0]]


@pytest.mark.parametrize(
    "function",
    [
        lambda x: tf.tensor_scatter_nd_add(x, [[1]], [[1.0, 1.0]]),
        lambda x: tf.tensor_scatter_nd_sub(x, [[1]], [[1.0, 1.0]]),
        lambda x: tf.raw_ops.ScatterNdNonAliasingAdd(input=x, indices=[[1]], updates=[[1.0, 1.0]]),
        lambda x: tf.nn.bias_add(x, tf.ones([2])),
        lambda x: tf.raw_ops.QuantizeAndDequantizeV3(input=x, input_min=-9.0, input_max=9.0, num_bits=8),
    ],
)
def test_slices_pass_through_ops_whose_gradient_is_the_upstream(function):
    x = tf.ones([3, 2])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.gather(function(x), [1])
    found = tape.gradient(y, x)
    assert isinstance(found, tf.IndexedSlices)
    np.testing.assert_array_equal(tf.convert_to_tensor(found), [[0.0, 0.0], [1.0, 1.0], [0.0, 0.0]])


def test_what_was_added_before_a_gather_has_a_dense_gradient():
    x, new, bias = tf.ones([3, 2]), tf.ones([1, 2]), tf.ones([2])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch([new, bias])
        y = tf.gather(tf.tensor_scatter_nd_sub(x, [[1]], new), [1])
        z = tf.gather(tf.nn.bias_add(x, bias), [1, 1])
    np.testing.assert_array_equal(tape.gradient(y, new), [[-1.0, -1.0]])
    np.testing.assert_array_equal(tape.gradient(z, bias), [2.0, 2.0])


ROWS = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])


@pytest.mark.parametrize(
    "function",
    [lambda x: x + ROWS, lambda x: ROWS + x, lambda x: tf.ones(2) + x, lambda x: x - ROWS, lambda x: x + x,
     lambda x: tf.raw_ops.Add(x=x, y=ROWS)],
)  # fmt: skip
def test_slices_pass_through_sums_where_the_shapes_of_a_graph_say_that_nothing_was_broadcast(function):
    def gradient(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.gather(function(x), [0, 2])
        return tape.gradient(y, x)

    def from_outside(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.function(lambda x: tf.gather(function(x), [0, 2]))(x)
        return tape.gradient(y, x)

    x = tf.ones([3, 2])
    want = gradient(x)
    assert not isinstance(want, tf.IndexedSlices)
    for found in (tf.function(gradient)(x), from_outside(x)):
        assert isinstance(found, tf.IndexedSlices)
        np.testing.assert_array_equal(tf.convert_to_tensor(found), want)


def test_slices_become_dense_where_a_graph_sums_them_or_does_not_know_shapes():
    def gradient(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.gather(x + tf.ones((3, 3, 2)), [0, 2])
        return tape.gradient(y, x)

    def of_rows(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.gather(x + ROWS, [0, 2])
        return tape.gradient(y, x)

    assert tf.function(gradient)(ROWS).numpy().tolist() == [[2, 2]] * 3
    assert isinstance(tf.function(of_rows)(ROWS), tf.IndexedSlices)
    unknown = tf.function(of_rows, input_signature=[tf.TensorSpec([None, 2])])
    assert unknown(ROWS).numpy().tolist() == [[1, 1], [0, 0], [1, 1]]


def test_rows_of_a_ragged_gather_add_up_with_what_else_arrives():
    b = tf.constant([2.0, 1.0])
    with tf.GradientTape() as tape:
        tape.watch(b)
        y = tf.raw_ops.RaggedGather(
            params_nested_splits=[tf.constant([0, 2], tf.int64)], params_dense_values=b,
            indices=tf.constant([0, 0], tf.int64), OUTPUT_RAGGED_RANK=1,
        )  # fmt: skip
    assert tape.gradient([y[1], b, y[1]], b).numpy().tolist() == [5, 5]


def _sparse(dtype):
    return tf.IndexedSlices(tf.ones([2, 2], dtype), tf.constant([0, 1]), tf.constant([2, 2]))


@pytest.mark.parametrize(
    ("summands", "text"),
    [
        ([tf.ones([2, 2], tf.float64), _sparse("float32")], r"requested to `dtype` float64 for .* with dtype float32$"),
        ([_sparse("float32"), tf.Variable(tf.ones([2, 2], tf.float64))], "requested to `dtype` float64 for Indexed"),
        (
            [_sparse("float32"), tf.ones([2, 2]), tf.ones([2, 2], tf.float64)],
            "Tensor conversion requested dtype float32 for Tensor with dtype float64",
        ),
    ],
)
def test_a_sum_of_sparse_and_dense_has_the_dtype_of_the_first_dense_one(summands, text):
    with pytest.raises(ValueError, match=f"(?s){text}"):
        tf.add_n(summands)


def test_sparse_gradients_of_another_dtype_are_refused_beside_dense_ones_and_in_a_jacobian():
    def passed(dtype, sparse):
        def backward(dy):
            dy = tf.cast(dy, dtype)
            return tf.IndexedSlices(dy, tf.constant([0, 1]), tf.constant([2, 2])) if sparse else dy

        return tf.custom_gradient(lambda x: (tf.identity(x), backward))

    x = tf.ones([2, 2])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        mixed = passed(tf.float64, False)(x) + passed(tf.float32, True)(x)
        sparse = passed(tf.float64, True)(x) + passed(tf.float32, True)(x)
    with pytest.raises(ValueError, match="Incompatible tensor conversion requested to `dtype` float64"):
        tape.gradient(mixed, x)
    with pytest.raises(TypeError, match=r"passed to 'values' of 'ConcatV2' Op have types .* that don't all match"):
        tape.jacobian(sparse, x)


def test_a_sum_takes_whatever_can_be_gone_through_and_refuses_none_bools_and_strings():
    x = tf.constant([1.0, 2.0])
    assert tf.add_n(x).numpy() == 3.0 == tf.add_n(tf.Variable(x)).numpy()
    assert tf.add_n(iter([x, x])).numpy().tolist() == [2.0, 4.0]
    assert tf.add_n(np.ones((2, 2), np.float32)).numpy().tolist() == [2.0, 2.0]
    for nothing in ([], [x, None], [None]):
        with pytest.raises(ValueError, match="Inputs must be an iterable of at least one Tensor/IndexedSlices with"):
            tf.add_n(nothing)
    with pytest.raises(ValueError, match="inputs must be a list of at least one Tensor with the same dtype and shape"):
        tf.math.accumulate_n([x, None])
    for wrong in (None, 5, _sparse("float32")):
        with pytest.raises(TypeError, match="is not iterable"):
            tf.add_n(wrong)
    for word, wrong in (("bool", [True, False]), ("string", "ab")):
        with pytest.raises(tf.errors.InvalidArgumentError, match=f"Value for attr 'T' of {word} is not in the list"):
            tf.add_n(wrong)


def test_rows_of_an_angle_have_gradients_of_the_dtype_of_the_numbers():
    v = tf.Variable([[-1.0j, 0.5 + 0.5j], [0.5 + 0.5j, 1.0 + 1.0j]])
    with tf.GradientTape() as tape:
        picked = tf.gather(tf.math.angle(v), [0])
    assert tape.gradient(picked, v).numpy().tolist() == [[1.0, -1.0 + 1.0j], [0.0, 0.0]]


def test_gradients_that_are_bools_are_not_added_up():
    v = tf.Variable([[True, False], [True, True]])
    x = tf.constant([True])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        rows = tf.gather(v, [0, 0])
    assert tape.gradient(v, v).numpy().tolist() == [[True, True], [True, True]]
    assert tape.gradient(rows, v).indices.numpy().tolist() == [0, 0]
    for targets, kernel in (
        ([rows, v], "UnsortedSegmentSum"), ([v, rows], "UnsortedSegmentSum"), ([v, v], "AddN"), ([rows, rows], "AddN"),
    ):  # fmt: skip
        with pytest.raises(tf.errors.InvalidArgumentError, match=rf"Value for attr 'T' of bool .*\n.*node {kernel}"):
            tape.gradient(targets, v)
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"Value for attr 'T' of bool .*\n.*node AddN"):
        tape.gradient([x, x], x, output_gradients=[x, x])


def test_a_variable_of_strings_is_no_target():
    v = tf.Variable(["a", "b"])
    with tf.GradientTape(persistent=True) as tape:
        same = tf.identity(v)
    assert tape.gradient(same, v) is None
    for targets in (v, [same, v]):
        with pytest.raises(TypeError, match="Cannot convert 1 to EagerTensor of dtype string"):
            tape.gradient(targets, v)
