"""Ops on tensors without elements: values, gradients and errors.  The answers are TensorFlow's."""

import re

import numpy as np
import pytest

import reference_impl as tf


def made(op, *shapes):
    """The shape of what ``op`` makes of ones of these shapes, and the shapes of its gradients."""
    xs = [tf.ones(shape) for shape in shapes]
    with tf.GradientTape() as tape:
        tape.watch(xs)
        y = op(*xs)
    return [tuple(y.shape), *[tuple(g.shape) for g in tape.gradient(y, xs)]]


def none(*shape):
    return tf.zeros(shape, tf.int32)


def test_tuples_of_no_indices_name_all_there_is():
    x = tf.constant([1.0, 2.0])
    assert tf.gather_nd(x, none(2, 0)).numpy().tolist() == [[1.0, 2.0], [1.0, 2.0]]
    assert tf.gather_nd(x, none(1, 2, 0)).shape == (1, 2, 2)
    assert tf.gather_nd(x, none(0)).numpy().tolist() == [1.0, 2.0]
    assert made(lambda x: tf.gather_nd(x, none(0, 0)), (0, 2)) == [(0, 0, 2), (0, 2)]
    assert made(lambda x: tf.scatter_nd(none(0, 0), x, [0]), (0, 0)) == [(0,), (0, 0)]
    add = tf.tensor_scatter_nd_add
    assert made(lambda x, y: add(x, none(0, 0), y), (0,), (0, 0)) == [(0,), (0,), (0, 0)]
    assert tf.scatter_nd(none(1, 0), tf.ones([1, 0]), [0]).shape == (0,)


UNPLACED = "Only indices.shape[-1] values between 1 and 5 are currently supported.  Requested rank: 0"
FOR_NOTHING = "Indices and updates specified for empty output shape"
FROM_NOTHING = "Requested more than 0 entries, but params is empty.  Params shape: [0]"


@pytest.mark.parametrize(
    ("op", "shape", "text"),
    [
        (lambda x: tf.gather_nd(x, none(1, 0)), (2,), FOR_NOTHING),
        (lambda x: tf.gather_nd(x, none(0)), (2,), FOR_NOTHING),
        (lambda x: tf.gather_nd(x, none(0, 0)), (2,), UNPLACED),
        (lambda x: tf.gather_nd(x, none(1, 0)), (0,), FROM_NOTHING),
        (lambda x: tf.scatter_nd(none(1, 0), x, [0]), (1, 0), FROM_NOTHING),
        (lambda x: tf.scatter_nd(none(0, 0), x, [2]), (0, 2), UNPLACED),
        (lambda x: tf.scatter_nd(none(0, 0), x, []), (0,), "Output must be at least 1-D, got shape: []"),
        (lambda x: tf.scatter_nd(none(0, 0), x, [2]), (), "Updates shape must have rank at least one. Found:[]"),
        (
            lambda x: tf.scatter_nd(none(1, 1), x, [0]),
            (1,),
            "Indices and updates specified for empty output.  indices shape: [1,1]",
        ),
        (
            lambda x: tf.scatter_nd(none(1, 1), x, [2, 0]),
            (1,),
            "Dimensions [1,2) of input[shape=[2,0]] must match dimensions [1,1) of updates[shape=[1]]",
        ),
        (
            lambda x: tf.scatter_nd(none(0), x, [2, 0]),
            (2, 0),
            "Dimensions [0,1) of indices[shape=[0]] = 0 must match dimensions [0,1) of updates[shape=[2,0]] = 2",
        ),
        (
            lambda x: tf.tensor_scatter_nd_add(tf.ones([]), none(0, 0), x),
            (2, 0),
            "Outer dimensions of indices and update must match. Indices shape: [0,0], updates shape:[2,0]",
        ),
        (lambda x: tf.tensor_scatter_nd_max(tf.ones([2]), none(0, 0), x), (0, 2), UNPLACED),
        (lambda x: tf.unique(x)[0], (2, 0), "unique expects a 1D vector."),
        (lambda x: tf.one_hot(none(0), 2, x, 0.0), (0,), "on_value must be a scalar, but got: [0]"),
        (lambda x: tf.one_hot([0], 2, 1.0, x), (1,), "off_value must be a scalar, but got: [1]"),
        (lambda x: tf.one_hot(none(0), none(0)) * x, (), "depth must be a scalar, but got: [0]"),
        (lambda x: tf.one_hot([0], -1) * x, (), "depth must be non-negative, got: -1"),
        (lambda x: tf.one_hot([0], 1, axis=4) * x, (), "Expected axis to be -1 or between [0, 2).  But received: 4"),
        (lambda x: tf.range(x, 0.0), (1,), "Requires start <= limit when delta > 0: 1/0"),
        (lambda x: tf.range(x, 2.0), (0,), "start must be a scalar, not shape [0]"),
        (lambda x: tf.range(0.0, x), (2, 0), "limit must be a scalar, not shape [2,0]"),
        (
            lambda x: tf.slice(x, [0, 1], [1, -1]),
            (2, 0),
            "Expected begin[1] == 0 (got 1) and size[1] == 0 (got -1) when input.dim_size(1) == 0",
        ),
        (
            lambda x: tf.math.unsorted_segment_mean(x, [0, 0], 0),
            (2, 0),
            "segment_ids[0] = 0 is out of range [0, 0)",
        ),
        (
            lambda x: tf.math.unsorted_segment_sqrt_n(x, [5, 0], 1),
            (2, 0),
            "segment_ids[0] = 5 is out of range [0, 1)",
        ),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused_without_elements_too(op, shape, text):
    with pytest.raises(tf.errors.InvalidArgumentError, match=re.escape(text)):
        made(op, shape)


@pytest.mark.parametrize(
    ("partitions", "count", "shape"),
    [(none(0), 1, (0,)), (none(0, 2), 1, (0, 2)), ([0, 1], 2, (2, 0)), ([1, 1], 3, (2, 0, 3)), ([0, 0], 1, (2, 3))],
)
def test_partitions_have_the_gradient_of_their_rows(partitions, count, shape):
    x = tf.ones(shape)
    with tf.GradientTape() as tape:
        tape.watch(x)
        parts = [part * part for part in tf.dynamic_partition(x, partitions, count)]
    assert tape.gradient(parts, x).numpy().tolist() == np.full(shape, 2.0).tolist()


def test_nothing_is_among_the_largest_of_nothing():
    for shape in [(0,), (2, 0), (0, 0)]:
        assert made(lambda x: tf.math.approx_max_k(x, 0)[0], shape) == [shape, shape]


@pytest.mark.parametrize(
    ("function", "rows", "shape"),
    [
        (lambda row: row * row, (0, 2), (0, 2)),
        (tf.reduce_sum, (0, 2), (0,)),
        (lambda row: tf.matmul(row[None], tf.ones([2, 3])), (0, 2), (0, 1, 3)),
        (lambda row: tf.reshape(row, [3, 2]), (0, 2, 3), (0, 3, 2)),
    ],
)
def test_vectorized_maps_over_no_rows_have_the_shape_of_a_row(function, rows, shape):
    assert made(lambda x: tf.vectorized_map(function, x), rows) == [shape, rows]
    assert tf.vectorized_map(lambda row: tf.constant(1.0), tf.zeros(rows)).shape == (0,)


def test_loops_over_no_rows():
    for loop in (tf.foldr, lambda fn, x: tf.scan(fn, x, reverse=True)):
        with pytest.raises(tf.errors.OutOfRangeError, match=r"Reading from negative indices \(index -1\)"):
            loop(lambda a, row: a + row, tf.zeros([0, 2]))
    with pytest.raises(tf.errors.OutOfRangeError, match="Tried to read from index 0 but array size is: 0"):
        tf.foldl(lambda a, row: a + row, tf.zeros([0, 2]))


def test_nothing_is_counted():
    confusion = tf.math.confusion_matrix
    assert confusion(none(0), none(0), 2).numpy().tolist() == [[0, 0], [0, 0]]
    with pytest.raises(tf.errors.InvalidArgumentError, match="Dimension -9223372036854775807 must be >= 0"):
        confusion(none(0), none(0))
    with pytest.raises(ValueError, match=re.escape("Shapes (0,) and (0, 2) are incompatible")):
        confusion(none(0), none(0), 2, tf.zeros([0, 2]))
    with pytest.raises(tf.errors.InvalidArgumentError, match="`labels` contains negative values"):
        confusion([-1], [0], 2)
    with pytest.raises(tf.errors.InvalidArgumentError, match=re.escape("`predictions` out of bound")):
        confusion([0], [2], 2)
    weights = tf.constant([2.0, 3.0])
    with tf.GradientTape() as tape:
        tape.watch(weights)
        y = confusion([[0], [1]], [0, 0], 2, weights, tf.float32)
        square = y * y
    assert y.numpy().tolist() == [[2.0, 0.0], [3.0, 0.0]]
    assert tape.gradient(square, weights).numpy().tolist() == [4.0, 6.0]
    assert tf.math.bincount([1], tf.zeros([0])).numpy().tolist() == [0.0, 1.0]
    assert tf.math.bincount(none(0), tf.zeros([0, 2]), minlength=2).numpy().tolist() == [0.0, 0.0]


def test_ragged_tensors_of_no_columns():
    with pytest.raises(ValueError, match="The rank of a RaggedTensor must be greater than 1"):
        tf.RaggedTensor.from_tensor(tf.zeros([0]))
    assert tf.RaggedTensor.from_tensor(tf.zeros([2, 0]), padding=0.0).to_tensor().shape == (2, 0)


def complex_of(x):
    return tf.complex(x, x)


@pytest.mark.parametrize(
    ("op", "shape", "result"),
    [
        (lambda x: tf.signal.fft(complex_of(x)), (0,), (0,)),
        (lambda x: tf.signal.ifft(complex_of(x)), (4, 0), (4, 0)),
        (lambda x: tf.signal.fft2d(complex_of(x)), (0, 4), (0, 4)),
        (lambda x: tf.signal.ifft2d(complex_of(x)), (4, 0), (4, 0)),
        (tf.signal.rfft, (4, 0), (4, 0)),
        (tf.signal.rfft2d, (0, 4), (0, 3)),
        (tf.signal.rfft2d, (4, 0), (4, 0)),
        (lambda x: tf.signal.irfft2d(complex_of(x)), (0, 4), (0, 6)),
        (tf.signal.dct, (4, 0), (4, 0)),
        (lambda x: tf.nn.conv2d(x, tf.ones([2, 2, 2, 0]), 1, "VALID"), (1, 4, 4, 2), (1, 3, 3, 0)),
        (lambda x: tf.nn.conv1d(x, tf.ones([2, 2, 0]), 1, "SAME"), (1, 4, 2), (1, 4, 0)),
        (lambda x: tf.keras.losses.MeanSquaredError()(x, x), (0, 2), (0,)),
    ],
)
def test_transforms_convolutions_and_losses_of_nothing(op, shape, result):
    assert made(op, shape) == [result, shape]


def test_nothing_has_no_inverse_gradient():
    for shape in [(0,), (4, 0)]:
        assert tf.signal.irfft(complex_of(tf.ones(shape))).shape == shape
        with pytest.raises(tf.errors.InvalidArgumentError, match="Dimension -2 must be >= 0"):
            made(lambda x: tf.signal.irfft(complex_of(x)), shape)


@pytest.mark.parametrize(
    ("op", "shape", "text"),
    [
        (lambda x: tf.signal.rfft(x, [0]), (0, 4), "Incompatible shapes: [0,0] vs. [4]"),
        (lambda x: tf.nn.conv3d(x, tf.ones([1, 1, 1, 2, 0]), [1] * 5, "SAME"), (1, 2, 2, 2, 2), "zero elements"),
        (lambda x: tf.image.resize(x, [0, 2]), (1, 4, 4, 0), "image must have at least one channel"),
        (lambda x: tf.image.resize(x, [0, 2]), (1, 0, 4, 3), "input image must be of non-zero size"),
        (lambda x: tf.image.crop_and_resize(x, [[0.0] * 4], [0], [2, 2]), (4, 4, 0), "input image must be 4-D[4,4,0]"),
        (
            lambda x: tf.image.crop_and_resize(x, tf.zeros([0, 4]), none(0), [2, 2]),
            (1, 0, 4, 3),
            "image dimensions must be positive",
        ),
        (
            lambda x: tf.raw_ops.FractionalAvgPool(value=x, pooling_ratio=[1.0, 1.5, 1.5, 1.0], deterministic=True)[0],
            (1, 0, 4, 2),
            "Pooling ratio is higher than input dimension size for dimension 1. Input dim size: 0 pooling ratio: 1.5",
        ),
        (
            lambda x: tf.nn.softmax_cross_entropy_with_logits(x, x),
            (0, 0),
            "Input to reshape is a tensor with 1 values, but the requested shape has 0",
        ),
        (
            lambda x: tf.nn.sparse_softmax_cross_entropy_with_logits(none(2), x),
            (2, 0),
            "Must have at least one class, but got logits shape [2,0]",
        ),
        (lambda x: tf.linalg.triangular_solve(x, tf.ones([2, 1])), (2, 0), "must be square (0 =/= 2)"),
    ],
)
def test_pictures_losses_and_solutions_of_nothing_are_refused(op, shape, text):
    with pytest.raises(tf.errors.InvalidArgumentError, match=re.escape(text)):
        made(op, shape)


@pytest.mark.parametrize(
    ("op", "shape", "text"),
    [
        (tf.argmax, (0, 2), "Reduction axis 0 is empty in shape [0,2]"),
        (lambda x: tf.argmin(x, -1), (2, 0), "Reduction axis -1 is empty in shape [2,0]"),
        (lambda x: tf.gather_nd(x, [[0]]), (0,), FROM_NOTHING),
        (lambda x: tf.one_hot([0], 3, x, 0.0), (0,), "on_value must be a scalar, but got: [0]"),
    ],
)
def test_errors_of_kernels_in_functions_are_those_of_kernels(op, shape, text):
    with pytest.raises(tf.errors.InvalidArgumentError, match=re.escape(text)):
        tf.function(op)(tf.ones(shape))
