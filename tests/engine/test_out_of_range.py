"""Numbers and shapes that no kernel takes raise TensorFlow's errors: calls by hand, each with what TensorFlow said."""

import pytest

import reference_impl as tf
from conformance.judging.messages import core_phrase

Invalid = tf.errors.InvalidArgumentError
SPARSE = tf.sparse.SparseTensor([[1, 0]], [1.0], [2, 2])
WIDE = tf.sparse.SparseTensor([[1, 0]], [1.0], [2, 3])

CASES = [
    (lambda: tf.dynamic_stitch([[0, -1]], [[1.0, 2.0]]), Invalid, "indices is out of range"),
    (
        lambda: tf.dynamic_stitch([[0, 1], [2]], [[1.0, 2.0], [[3.0]]]),
        Invalid,
        "need data shape data shape got data shape data shape indices shape indices shape",
    ),
    (lambda: tf.dynamic_stitch([[0, 1], [2]], [[1.0], [3.0]]), Invalid, "data shape does not start with indices shape"),
    (
        lambda: tf.dynamic_stitch([[0, 1], [2]], [[1.0, 2.0]]),
        ValueError,
        "list argument to op with length must match length of argument",
    ),
    (lambda: tf.dynamic_stitch([1, -1], [[1.0], [2.0]]), Invalid, "indices is out of range"),
    (lambda: tf.dynamic_partition([1.0, 2.0], [0, 3], 3), Invalid, "partitions is not in"),
    (lambda: tf.dynamic_partition([[1.0], [2.0]], [[0], [3]], 3), Invalid, "partitions is not in"),
    (lambda: tf.dynamic_partition(1.0, 5, 3), Invalid, "partitions is not in"),
    (lambda: tf.math.segment_sum([1.0, 2.0], [-1, 0]), Invalid, "segment id out of range"),
    (lambda: tf.math.segment_sum([1.0, 2.0], [-2, -1]), Invalid, "segment ids must be"),
    (lambda: tf.math.segment_max([1.0, 2.0], [-2, -1]), Invalid, "segment ids must be"),
    (lambda: tf.math.segment_mean([1.0, 2.0], [-2, -1]), Invalid, "segment ids must be"),
    (lambda: tf.math.segment_sum(1.0, [0]), Invalid, "input must be at least rank"),
    (lambda: tf.math.unsorted_segment_sum([1.0, 2.0], [0, 1], -1), Invalid, "input num segments must not be negative"),
    (
        lambda: tf.math.unsorted_segment_sum([1.0, 2.0], [0, 1], [3]),
        Invalid,
        "num segments should be a scalar not shape",
    ),
    (lambda: tf.math.bincount([1, -1]), Invalid, "input arr must be non negative"),
    (lambda: tf.math.bincount([1, 2], maxlength=-1), Invalid, "size must be non negative"),
    (
        lambda: tf.math.bincount([1, 2], weights=[1.0]),
        Invalid,
        "must be the same shape as or a length in which case it acts as all weights equal to received",
    ),
    (lambda: tf.math.bincount([[[1]]], axis=-1), Invalid, "shape must be at most rank but is rank"),
    (lambda: tf.roll([1.0, 2.0], 1, 5), Invalid, "axis is out of range"),
    (lambda: tf.roll([1.0, 2.0], 1, -5), Invalid, "axis is out of range"),
    (lambda: tf.roll([1.0, 2.0], [1, 2], [0]), Invalid, "shift and axis must have the same size"),
    (lambda: tf.roll([1.0, 2.0], [[1]], [[0]]), Invalid, "shift must be a scalar or a d vector"),
    (lambda: tf.roll([1.0, 2.0], 1.5, 0), Invalid, "value for attr of float is not in the list of allowed values"),
    (
        lambda: tf.nn.in_top_k([0, 1], [[1.0, 2.0]], 1),
        Invalid,
        "first dimension of predictions must match length of targets",
    ),
    (lambda: tf.nn.in_top_k([[0]], [[1.0, 2.0]], 1), Invalid, "targets must be dimensional"),
    (lambda: tf.nn.in_top_k([0], [1.0, 2.0], 1), Invalid, "predictions must be dimensional"),
    (lambda: tf.reverse_sequence([[1.0, 2.0]], [1], -1, 0), Invalid, "invalid seq dim"),
    (lambda: tf.reverse_sequence([[1.0, 2.0]], [1], 1, -1), Invalid, "invalid batch dim"),
    (lambda: tf.reverse_sequence([[1.0, 2.0]], [1], 5, 0), Invalid, "seq dim must be input rank"),
    (lambda: tf.reverse_sequence([[1.0, 2.0]], [1], 1, 5), Invalid, "batch dim must be input rank"),
    (
        lambda: tf.reverse_sequence([[1.0, 2.0]], [1.5], 1, 0),
        Invalid,
        "value for attr of float is not in the list of allowed values",
    ),
    (
        lambda: tf.einsum("ij,jk->il", tf.ones([2, 3]), tf.ones([3, 2])),
        ValueError,
        "output subscripts contain the label l not present in the input subscripts",
    ),
    (
        lambda: tf.einsum("ij,jk->ik", tf.ones([2, 3]), tf.ones([2, 2])),
        Invalid,
        "expected dimension at axis of the input shaped but got dimension",
    ),
    (
        lambda: tf.einsum("ii->i", tf.ones([2, 3])),
        Invalid,
        "expected dimension at axis of the input shaped but got dimension",
    ),
    (lambda: tf.einsum("...i,...i->...", tf.ones([2, 3]), tf.ones([3, 3])), Invalid, "invalid broadcasting dimensions"),
    (lambda: tf.einsum("i1->i", tf.ones([2, 3])), ValueError, "subscripts have incorrect format"),
    (lambda: tf.linalg.svd([1.0]), Invalid, "input tensor must have rank got"),
    (
        lambda: tf.linalg.solve(tf.ones([2, 2, 2]), tf.ones([3, 2, 2])),
        Invalid,
        "all input tensors must have the same outer dimensions",
    ),
    (lambda: tf.linalg.solve(tf.ones([2, 2]), tf.ones([2])), Invalid, "all input tensors must have the same rank"),
    (
        lambda: tf.linalg.triangular_solve(tf.ones([2, 2, 2]), tf.ones([3, 2, 2])),
        Invalid,
        "in and in must have compatible batch dimensions",
    ),
    (lambda: tf.linalg.triangular_solve(tf.ones([2, 2]), tf.ones([3, 2])), Invalid, "in mismatch in shape"),
    (
        lambda: tf.linalg.lstsq(tf.ones([2, 3, 2]), tf.ones([3, 3, 2]), fast=False),
        Invalid,
        "all input tensors must have the same outer dimensions",
    ),
    (
        lambda: tf.linalg.lstsq(tf.ones([3, 2]), tf.ones([4, 2]), fast=False),
        Invalid,
        "input matrix and rhs are incompatible",
    ),
    (
        lambda: tf.linalg.diag(tf.ones([3]), k=[1, 0]),
        Invalid,
        "lower diag index must not be larger than upper diag index",
    ),
    (lambda: tf.linalg.diag(tf.ones([3]), num_rows=2), Invalid, "the number of rows is too small"),
    (
        lambda: tf.linalg.diag(tf.ones([3]), num_rows=5, num_cols=5),
        Invalid,
        "the number of rows or columns is not consistent with the specified d lower d upper and diagonal",
    ),
    (
        lambda: tf.linalg.diag_part(tf.ones([3, 3]), k=[1, 0]),
        Invalid,
        "lower diag index must not be larger than upper diag index",
    ),
    (lambda: tf.linalg.diag_part(tf.ones([3, 3]), k=7), Invalid, "lower diag index is out of bound"),
    (
        lambda: tf.linalg.set_diag(tf.ones([3, 3]), tf.ones([2, 3]), k=[0, 2]),
        Invalid,
        "the number of diagonals provided in is not consistent with and",
    ),
    (
        lambda: tf.linalg.set_diag(tf.ones([3, 3]), tf.ones([3]), k=[1, 0]),
        Invalid,
        "lower diag index must not be larger than upper diag index",
    ),
    (lambda: tf.linalg.band_part(tf.ones([3, 3]), [1], 0), Invalid, "num lower must be scalar got shape"),
    (
        lambda: tf.linalg.cross(tf.ones([2]), tf.ones([2])),
        tf.errors.FailedPreconditionError,
        "cross products are only defined for lement vectors",
    ),
    (lambda: tf.linalg.cross(tf.constant(1.0), tf.constant(1.0)), Invalid, "input must be at least d"),
    (
        lambda: tf.linalg.tridiagonal_solve(tf.ones([3, 3]), tf.ones([4])),
        ValueError,
        "expected number of left hand sided and right hand sides to be equal got and",
    ),
    (lambda: tf.linalg.tridiagonal_matmul(tf.ones([3, 3]), tf.ones([4, 1])), Invalid, "invalid superdiagonal shape"),
    (lambda: tf.linalg.expm(tf.ones([2, 3])), Invalid, "matrix size incompatible"),
    (lambda: tf.linalg.pinv(tf.ones([2])), ValueError, "input must have at least dimensions"),
    (lambda: tf.linalg.qr(tf.ones([2])), Invalid, "input tensor must have rank got"),
    (lambda: tf.scatter_nd([[0], [1]], [1.0, 2.0], [-4]), Invalid, "dimension must be"),
    (lambda: tf.scatter_nd(0, 1.0, [4]), Invalid, "indices shape must have rank at least one"),
    (
        lambda: tf.tensor_scatter_nd_update(tf.ones([3]), [[0]], [1.0, 2.0]),
        Invalid,
        "outer dimensions of indices and update must match",
    ),
    (
        lambda: tf.tensor_scatter_nd_update(1.0, [[0]], [1.0]),
        Invalid,
        "inner dimensions of output shape must match inner dimensions of updates shape",
    ),
    (
        lambda: tf.tensor_scatter_nd_add(tf.ones([3]), [[0, 0, 0]], [1.0]),
        Invalid,
        "inner dimensions of output shape must match inner dimensions of updates shape",
    ),
    (lambda: tf.tensor_scatter_nd_min(tf.ones([3]), [0], 1.0), Invalid, "updates shape must have rank at least one"),
    (lambda: tf.repeat(tf.ones([3]), [1, 2]), ValueError, "dimensions and are not compatible"),
    (lambda: tf.repeat(tf.ones([3]), -1), Invalid, "expected multiples but got"),
    (lambda: tf.repeat(tf.ones([3]), [[1, 2, 3]]), ValueError, "shape must have rank at most"),
    (
        lambda: tf.strided_slice(tf.ones([3]), [[0]], [[1]]),
        Invalid,
        "expected begin end and strides to be d equal size tensors but got shapes and instead",
    ),
    (lambda: tf.sort(tf.ones([3]), axis=2), Invalid, "slice index of dimension out of bounds"),
    (lambda: tf.math.top_k(tf.ones([3]), -1), Invalid, "need k got"),
    (lambda: tf.math.top_k(tf.ones([3]), [1]), Invalid, "k must be scalar got shape"),
    (lambda: tf.raw_ops.NthElement(input=tf.ones([3]), n=7), Invalid, "input must have last dimension n"),
    (lambda: tf.raw_ops.NthElement(input=tf.ones([3]), n=-1), Invalid, "n must be non negative but is"),
    (lambda: tf.raw_ops.NthElement(input=1.0, n=0), Invalid, "input must be at least rank but is rank"),
    (lambda: tf.raw_ops.NthElement(input=tf.ones([3]), n=[0]), Invalid, "n must be scalar but has rank"),
    (lambda: tf.signal.fft(tf.constant(1j)), Invalid, "input must have rank of at least but got"),
    (lambda: tf.signal.rfft(tf.constant(1.0)), ValueError, "shape must have rank at least"),
    (lambda: tf.signal.rfft(tf.ones([3]), [-1]), Invalid, "fft length must but got"),
    (lambda: tf.signal.frame(tf.ones([3]), -1, 1), Invalid, "requires start"),
    (lambda: tf.signal.frame(tf.ones([3]), 1, 0), Invalid, "integer division by zero"),
    (
        lambda: tf.sparse.sparse_dense_matmul(SPARSE, tf.ones([3, 2])),
        Invalid,
        "cannot multiply a and b because inner dimension does not match",
    ),
    (lambda: tf.sparse.slice(SPARSE, [0], [1]), Invalid, "expected start to be a vector of length but got length"),
    (
        lambda: tf.sparse.reshape(SPARSE, [3]),
        Invalid,
        "input to reshape is a tensor with dense values but the requested shape has input shape output shape",
    ),
    (lambda: tf.sparse.concat(0, [SPARSE, WIDE]), Invalid, "input shapes must match"),
    (lambda: tf.sparse.transpose(SPARSE, [0]), ValueError, "dimensions and are not compatible"),
    (
        lambda: tf.sparse.softmax(tf.sparse.SparseTensor([[1]], [1.0], [2])),
        Invalid,
        "input should have rank but received shape",
    ),
    (lambda: tf.sparse.maximum(SPARSE, WIDE), Invalid, "operands shapes do not match"),
    (lambda: tf.ragged.constant([[1.0, 2.0], [3.0]])[5], IndexError, "row key out of bounds"),
    (
        lambda: tf.RaggedTensor.from_row_splits([1.0, 2.0], [1, 2]),
        Invalid,
        "arguments to from row splits do not form a valid raggedtensor",
    ),
    (
        lambda: tf.RaggedTensor.from_row_splits([1.0, 2.0], [0, 2, 1]),
        Invalid,
        "arguments to from row splits do not form a valid raggedtensor",
    ),
    (
        lambda: tf.RaggedTensor.from_row_lengths([1.0, 2.0], [-1, 3]),
        Invalid,
        "arguments to from row lengths do not form a valid rowpartition",
    ),
    (
        lambda: tf.RaggedTensor.from_value_rowids([1.0, 2.0], [1, 0]),
        Invalid,
        "arguments to from value rowids do not form a valid rowpartition",
    ),
    (lambda: tf.RaggedTensor.from_value_rowids([1.0, 2.0], [0]), ValueError, "shapes and are incompatible"),
    (
        lambda: tf.RaggedTensor.from_uniform_row_length([1.0, 2.0, 3.0], 2),
        ValueError,
        "uniform row length times nrows must equal nvals",
    ),
    (lambda: tf.sequence_mask([1, 2], maxlen=-1), Invalid, "requires start"),
    (
        lambda: tf.sequence_mask([1, 2], maxlen=[3]),
        ValueError,
        "argument must be scalar for sequence mask received with shape instead",
    ),
]


@pytest.mark.parametrize(("call", "error", "phrase"), CASES)
def test_what_no_kernel_takes_is_refused_in_tensorflows_words(call, error, phrase):
    with pytest.raises(error) as raised:
        call()
    assert core_phrase(str(raised.value)) == phrase


def test_what_is_no_class_is_not_among_the_largest():
    assert tf.nn.in_top_k([5, -1, 1], [[1.0, 2.0]] * 3, 1).numpy().tolist() == [False, False, True]
