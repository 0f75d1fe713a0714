"""Arguments of a wrong dtype or kind that TensorFlow answers all the same, or refuses in a kernel's words."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import reference_impl as tf

_SPECTRA = tf.zeros([2, 3], tf.complex64)
_IMAGE = tf.zeros([1, 4, 4, 1])
_LIST = tf.raw_ops.TensorListFromTensor(tensor=tf.zeros([3, 2]), element_shape=[2])


def _times(dense: tf.Tensor) -> tf.Tensor:
    """One compressed matrix of a batch of one, times a dense tensor."""
    places = tf.constant([[0, 0, 0]], tf.int64)
    matrix = tf.raw_ops.DenseToCSRSparseMatrix(dense_input=tf.ones([1, 2, 2]), indices=places)
    return tf.raw_ops.SparseMatrixMatMul(a=matrix, b=dense)


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (
            lambda: tf.raw_ops.Add(x=tf.constant([1], tf.int32), y=tf.Variable([1.0])),
            tf.errors.InvalidArgumentError,
            "cannot compute Add as input #1(zero-based) was expected to be a int32 tensor but is a float tensor",
        ),
        (
            lambda: tf.nn.conv2d(tf.zeros([1, 1, 1, 1], tf.float64), tf.Variable(tf.zeros([1, 1, 1, 1])), 1, "SAME"),
            tf.errors.InvalidArgumentError,
            "cannot compute Conv2D as input #1(zero-based) was expected to be a double tensor but is a float tensor",
        ),
        (
            lambda: tf.raw_ops.SparseReorder(
                input_indices=[[0.0]], input_values=tf.Variable([1.0]), input_shape=tf.constant([2], tf.int64)
            ),
            TypeError,
            "Cannot convert",
        ),
        (
            lambda: tf.raw_ops.SparseReorder(
                input_indices=tf.constant([[0.0]]),
                input_values=tf.Variable([1.0]),
                input_shape=tf.constant([2], tf.int64),
            ),
            tf.errors.InvalidArgumentError,
            "input #0(zero-based) was expected to be a int64 tensor but is a float tensor",
        ),
        (
            lambda: tf.nn.silu(tf.constant("a"), 0.5),
            tf.errors.UnimplementedError,
            "Cast float to string is not supported",
        ),
        (lambda: tf.nn.log_softmax(tf.zeros([2, 2]), axis=1.5), tf.errors.InvalidArgumentError, "delta > 0: 2.5/1"),
        (lambda: tf.nn.softmax(tf.zeros([1, 2, 2]), axis=0.0), tf.errors.InvalidArgumentError, "attr 'Tperm' of float"),
        (lambda: tf.nn.isotonic_regression(tf.zeros([2, 2]), axis=1.5), tf.errors.InvalidArgumentError, "2.5/1"),
        (lambda: tf.gather_nd([1.0], [[0]], batch_dims=None), TypeError, "`batch_dims` must be an int; got None"),
        (
            lambda: tf.image.crop_to_bounding_box(_IMAGE, 0, 1.5, 1, 1),
            tf.errors.InvalidArgumentError,
            "Value for attr 'Index' of float",
        ),
        (
            lambda: tf.image.pad_to_bounding_box(_IMAGE, 0, 1.5, 8, 8),
            tf.errors.InvalidArgumentError,
            "Value for attr 'Tpaddings' of float",
        ),
        (
            lambda: tf.image.resize_with_pad(_IMAGE, 1.5, 3),
            TypeError,
            "Cannot convert 1.5 to EagerTensor of dtype int32",
        ),
        (lambda: tf.image.resize(_IMAGE, [4, -5]), ValueError, "Dimension -5 must be >= 0"),
        (
            lambda: tf.image.ssim(_IMAGE, tf.cast(_IMAGE, tf.float64), 1.0, filter_size=2),
            tf.errors.InvalidArgumentError,
            "cannot compute ShapeN as input #1(zero-based) was expected to be a float tensor but is a double tensor",
        ),
        (lambda: tf.image.ssim(_IMAGE, _IMAGE, 1.0, filter_size=-7), tf.errors.InvalidArgumentError, "delta > 0: 0/-7"),
        (lambda: tf.signal.irfft(_SPECTRA, [-5]), ValueError, "Dimension -5 must be >= 0"),
        (
            lambda: tf.signal.irfft(_SPECTRA, [-1]),
            tf.errors.InvalidArgumentError,
            "fft_length[0] must >= 0, but got: -1",
        ),
        (lambda: tf.signal.irfft2d(_SPECTRA, [-1, 6]), tf.errors.InvalidArgumentError, "fft_length[0] must >= 0"),
        (lambda: tf.signal.irfft3d(_SPECTRA[None], [2, -3, 6]), ValueError, "Dimension -3 must be >= 0"),
        (lambda: tf.signal.inverse_stft(_SPECTRA, -1, 1, 2, None), ValueError, "Dimension -1 must be >= 0"),
        (
            lambda: tf.constant(["a"]) + tf.constant([1.0]),
            tf.errors.InvalidArgumentError,
            "cannot compute Add as input #1",
        ),
        (
            lambda: tf.split(tf.zeros([2, 4]), -7, axis=1),
            tf.errors.InvalidArgumentError,
            "Value for attr 'num_split' of -7 must be at least minimum 1",
        ),
        (lambda: tf.broadcast_to([1.0], [2, -5]), tf.errors.InvalidArgumentError, "Dimension -5 must be >= 0"),
        (
            lambda: tf.raw_ops.TensorListResize(input_handle=_LIST, size=[2]),
            tf.errors.InvalidArgumentError,
            "size must be a scalar",
        ),
        (
            lambda: tf.raw_ops.TensorListResize(input_handle=_LIST, size=-1),
            tf.errors.InvalidArgumentError,
            "TensorListSlice expects size to be non-negative. Got: -1",
        ),
        (
            lambda: tf.raw_ops.TensorListStack(input_handle=_LIST, element_shape=[1, 2], element_dtype=tf.float32),
            tf.errors.InvalidArgumentError,
            "PartialTensorShape: Incompatible ranks during merge: 2 vs. 1",
        ),
        (lambda: tf.linalg.diag([1.0], num_cols=[1]), tf.errors.InvalidArgumentError, "num_cols must be a scalar"),
        (
            lambda: tf.raw_ops.MatrixDiagPartV2(input=tf.zeros([2, 2]), k=50, padding_value=0.0),
            tf.errors.InvalidArgumentError,
            "lower_diag_index is out of bound: 50. It must be between -2 and 2",
        ),
        (
            lambda: tf.nn.depthwise_conv2d_backprop_input(
                [1, 2, 2, 1], tf.zeros([1, 1, 1, 1]), tf.zeros([1, 2, 2, 1]), [1, 1, 1, 11], "VALID"
            ),
            tf.errors.InvalidArgumentError,
            "Current implementation does not yet support strides in the batch and depth dimensions.",
        ),
        (
            lambda: tf.nn.depthwise_conv2d_backprop_filter(
                tf.zeros([1, 2, 2, 1]), [-5, 1, 1, 1], tf.zeros([1, 2, 2, 1]), [1, 1, 1, 1], "SAME"
            ),
            tf.errors.InvalidArgumentError,
            "Dimension 0 of filter_sizes must be >= 0",
        ),
        (
            lambda: _times(tf.zeros([2, 2, 2])),
            tf.errors.InvalidArgumentError,
            "Batch sizes of a and b must match, saw: 1 vs. 2.",
        ),
        (lambda: _times(tf.zeros([2])), tf.errors.InvalidArgumentError, "Ranks of a and b must match, saw: 3 vs. 1."),
    ],
)
def test_what_is_of_a_wrong_kind_is_refused_in_tensorflows_words(
    call: Callable[[], object], error: type[Exception], words: str
) -> None:
    with pytest.raises(error) as caught:
        call()
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("call", "value", "dtype"),
    [
        (lambda: tf.nn.swish(tf.constant([0.0, 2.0]), tf.constant(0, tf.int64)), [0.0, 1.0], "float32"),
        (lambda: tf.nn.compute_average_loss(tf.constant([1, 2])), 1.5, "float64"),
        (lambda: tf.nn.compute_average_loss(tf.constant([1, 2], tf.uint8)), 1.5, "float32"),
        (lambda: tf.nn.softmax_cross_entropy_with_logits([[0.0]], [[1.0]], axis=None), [0.0], "float32"),
        (lambda: tf.fill([], tf.constant([2.5])), 2.5, "float32"),
        (lambda: tf.scatter_nd([[2], [2], [0]], [["a"], ["b"], ["c"]], [3, 1]), [[b"c"], [b""], [b"ab"]], "string"),
    ],
)
def test_what_is_answered_all_the_same(call: Callable[[], tf.Tensor], value: object, dtype: str) -> None:
    made = call()
    assert made.dtype.name == dtype
    assert made.numpy().tolist() == value
