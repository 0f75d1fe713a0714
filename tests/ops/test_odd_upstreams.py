"""output_gradients of another dtype, rank or kind than their targets: what TensorFlow 2.21 answers, pinned."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import reference_impl as tf

ROWS = tf.constant([[1.0, 2.0], [3.0, 4.0]])
VECTOR = tf.constant([1.0, 2.0])
IMAGE = tf.constant(np.arange(18, dtype=np.float32).reshape((1, 3, 3, 2)))
FILTER = tf.constant(np.ones((2, 2, 2, 3), np.float32))
NO_SUM = "of bool is not in the list of allowed values: float, double, int32, uint8"


def gradient(f: Callable[[Any], Any], x: Any, upstream: Any) -> Any:
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return tape.gradient(y, x, output_gradients=upstream)


def rows(indices: Any, shape: Any = (2, 2)) -> tf.IndexedSlices:
    at = tf.constant(indices)
    values = tf.constant(np.ones((*at.shape, 2), np.float32))
    return tf.IndexedSlices(values, at, tf.constant(shape, tf.int32))


def convolved(x: Any) -> Any:
    return tf.nn.conv2d(x, FILTER, 1, "VALID")


def by_filter(w: Any) -> Any:
    return tf.nn.conv2d(IMAGE, w, 1, "VALID")


def depthwise(x: Any) -> Any:
    return tf.nn.depthwise_conv2d(x, FILTER, [1, 1, 1, 1], "SAME")


def pooled(x: Any) -> Any:
    return tf.nn.max_pool2d(x, 2, 1, "VALID")


def mean_pooled(x: Any) -> Any:
    return tf.nn.avg_pool2d(x, 2, 1, "VALID")


def transposed(x: Any) -> Any:
    return tf.nn.conv2d_transpose(x, tf.ones([2, 2, 3, 2]), [1, 3, 3, 3], 1)


REFUSED: list[tuple[str, Callable[[Any], Any], Any, Any, str]] = [
    ("rows out of range", tf.exp, ROWS, rows([0, 2]), "segment_ids[1] = 2 is out of range [0, 2)"),
    ("rows of rows out of range", tf.exp, ROWS, rows([[0], [5]]), "segment_ids[1,0] = 5 is out of range [0, 2)"),
    ("rows of no shape", tf.exp, ROWS, rows([0], ()), "slice index 0 of dimension 0 out of bounds. [Op:StridedSlice]"),
    ("bools are not added up", lambda x: x + VECTOR, ROWS, tf.constant([[True, False]] * 2), NO_SUM),
    ("not even one", lambda x: x + VECTOR, ROWS, True, NO_SUM),
    ("strings are not added up", lambda x: x + ROWS, VECTOR, "a", "of string is not in the list of allowed values: "),
    ("lists are named by their length", lambda x: tf.concat([x, ROWS], 0), ROWS, 1.0, "SplitV_num_split_2_device"),
    ("stacks too", lambda x: tf.stack([x, ROWS]), ROWS, 1.0, "__wrapped__Unpack_num_2_device"),
    ("operands of einsum too", lambda x: tf.einsum("ij,jk->ik", x, ROWS), ROWS, 1.0, "__wrapped__Einsum_N_2_device"),
    (
        "a scalar is no image",
        convolved,
        IMAGE,
        1.5,
        "input_sizes must be 4-dimensional, got: 0 [Op:Conv2DBackpropInput]",
    ),
    (
        "an image of whole numbers",
        convolved,
        IMAGE,
        2,
        "as input #2(zero-based) was expected to be a float tensor but is",
    ),
    (
        "an image of another size",
        convolved,
        IMAGE,
        tf.ones([1, 3, 2, 3]),
        "actual = 3, computed = 2 spatial_dim: 1 input: 3 filter: 2 output: 3 stride: 1 dilation: 1",
    ),
    ("a filter fails by its input", by_filter, FILTER, 1.5, "got: 0 [Op:Conv2DBackpropInput]"),
    ("depthwise", depthwise, IMAGE, 1.5, "DepthwiseConv2DBackpropInput: out_backprop must be 4-dimensional"),
    ("a pool", pooled, IMAGE, tf.ones([2]), "out_backprop must be 4-dimensional [Op:MaxPoolGrad]"),
    (
        "a pool of doubles",
        pooled,
        IMAGE,
        tf.ones([1, 2, 2, 2], tf.float64),
        "compute MaxPoolGrad as input #2(zero-based)",
    ),
    ("a mean", mean_pooled, IMAGE, tf.ones([2]), "out_backprop must be 4-dimensional [Op:AvgPoolGrad]"),
    (
        "bools have no product",
        tf.square,
        VECTOR,
        True,
        "Value for attr 'T' of bool is not in the list of allowed values: bfloat16, half",
    ),
    ("nor an opposite", lambda x: x - VECTOR, VECTOR, tf.constant([True, False]), "[Op:Neg]"),
    ("bools of gathered columns", lambda x: tf.gather(x, [0], axis=1), ROWS, tf.constant([[True], [False]]), NO_SUM),
    ("a scale is added up in any case", tf.nn.silu, VECTOR, tf.constant([True, False]), NO_SUM),
    ("a bias is added up in any case", lambda x: tf.nn.bias_add(x, VECTOR), ROWS, 1.5, "must be at least 2D: []"),
    (
        "the other factor",
        lambda x: tf.einsum("ij,jk->ik", x, ROWS),
        ROWS,
        tf.ones([3, 2]),
        "Expected dimension 3 at axis 0",
    ),
    ("a batch beside a matrix", lambda x: x @ ROWS, ROWS, tf.ones([1, 2, 2]), "has different ndims: [1,2,2] vs. [2,2]"),
    (
        "batches are told by the operands",
        lambda x: tf.matmul(x, tf.stack([ROWS, ROWS])),
        ROWS,
        tf.ones([1, 2, 2, 2]),
        "Input to reshape is a tensor with 8 values, but the requested shape has 4",
    ),
    ("a solution", lambda x: tf.linalg.solve(ROWS, x), ROWS, tf.ones([2]), "must have the same rank. [Op:MatrixSolve]"),
    (
        "a triangular solution",
        lambda x: tf.linalg.triangular_solve(ROWS, x),
        ROWS,
        tf.ones([1, 2]),
        "In[0] mismatch In[1] shape: 2 vs. 1: [2,2] [1,2] 1 1",
    ),
    ("singular values", lambda x: tf.linalg.svd(x, compute_uv=False), ROWS, 1.5, "diagonal must be at least 1-dim"),
    ("a diagonal", tf.linalg.diag_part, ROWS, tf.ones([1]), "is not consistent with the specified d_lower, d_upper"),
    (
        "a sequence",
        lambda x: tf.reverse_sequence(x, [1, 2], 1),
        ROWS,
        tf.ones([2]),
        "seq_dim must be < input rank ( 1 vs. 1)",
    ),
    ("blocks", lambda x: tf.nn.space_to_depth(x[:, :2, :2], 2), IMAGE, 1.5, "Input rank should be: 4 instead of: 0"),
    (
        "a batch of blocks",
        lambda x: tf.space_to_batch(x, [2], [[0, 1]]),
        IMAGE,
        tf.ones([3, 2, 3, 2]),
        "(3) is not divisible",
    ),
    (
        "pictures made smaller",
        lambda x: tf.image.resize(x, [2, 2]),
        IMAGE,
        tf.ones([2]),
        "input_grad must be 4-dimensional[2]",
    ),
    (
        "pictures made larger",
        lambda x: tf.image.resize(x, [6, 6], "nearest"),
        IMAGE,
        1.5,
        "input must be 4-dimensional[]",
    ),
    (
        "patches",
        lambda x: tf.nn.dilation2d(x, FILTER[..., 0], [1] * 4, "SAME", "NHWC", [1] * 4),
        IMAGE,
        1.5,
        "out_backprop must",
    ),
    (
        "a transform of reals",
        tf.signal.fft,
        tf.complex(ROWS, ROWS),
        1.5,
        "Value for attr 'Tcomplex' of float is not in",
    ),
    (
        "products across",
        lambda x: tf.linalg.cross(x, x),
        tf.ones([2, 3]),
        tf.ones([3]),
        "Both inputs must be of same shape",
    ),
    (
        "picked elements",
        lambda x: tf.gather_nd(x, [[0, 1]]),
        ROWS,
        1.5,
        "Updates shape must have rank at least one. Found:[]",
    ),
    (
        "the last place of several",
        lambda x: tf.scatter_nd([[1], [0], [2]], x, [3]),
        tf.ones([3]),
        tf.ones([1]),
        "indices[2] = [2] does not index into param shape [1]",
    ),
    (
        "a numerical check",
        lambda x: tf.debugging.check_numerics(x, "a"),
        VECTOR,
        1,
        "of int32 is not in the list of allowed",
    ),
    (
        "wider than it should be",
        lambda x: tf.reduce_sum(tf.reduce_sum(x, 0, keepdims=True), -1, keepdims=True),
        ROWS,
        tf.ones([2, 1]),
        "Unable to broadcast tensor of shape [2,1] to tensor of shape [1,2]",
    ),
    ("a transposed image", transposed, IMAGE, tf.ones([2]), "Conv2DCustomBackpropFilter: input must be 4-dimensional"),
]


@pytest.mark.parametrize(("f", "x", "upstream", "says"), [pytest.param(*row[1:], id=row[0]) for row in REFUSED])
def test_an_odd_upstream_is_refused_in_tensorflows_words(
    f: Callable[[Any], Any], x: Any, upstream: Any, says: str
) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError) as error:
        gradient(f, x, upstream)
    assert says in str(error.value)


def test_rows_below_zero_are_left_out() -> None:
    found = gradient(tf.identity, ROWS, rows([0, -1]))
    assert tf.convert_to_tensor(found).numpy().tolist() == [[1, 1], [0, 0]]
    assert gradient(tf.negative, ROWS, rows([-2, -1])).numpy().tolist() == [[0, 0], [0, 0]]


def test_of_the_shape_of_slices_only_the_first_size_counts() -> None:
    assert gradient(tf.negative, ROWS, rows([0, 1], (2, 7, 3))).numpy().tolist() == [[-1, -1], [-1, -1]]


def test_a_new_diagonal_leaves_nothing_in_the_dtype_of_the_upstream() -> None:
    found = gradient(lambda x: tf.linalg.set_diag(x, VECTOR), ROWS, tf.constant([[1, 2], [3, 4]]))
    assert found.dtype == tf.int32
    assert found.numpy().tolist() == [[0, 2], [3, 0]]


def test_a_filled_tensor_adds_up_whatever_arrives() -> None:
    for shape in ([], [3], [1, 2, 2]):
        found = gradient(lambda x: tf.fill([2, 2], x), tf.constant(1.5), tf.ones(shape))
        assert float(found) == float(np.prod(shape))


def test_a_determinant_keeps_the_shape_of_its_matrix() -> None:
    assert gradient(tf.linalg.det, ROWS, tf.ones([1])).numpy().round(4).tolist() == [[4, -3], [-2, 1]]


def test_a_triangular_system_without_batches_keeps_those_of_the_upstream() -> None:
    found = gradient(lambda x: tf.linalg.triangular_solve(ROWS, x), ROWS, tf.ones([1, 2, 2]))
    assert found.shape == (1, 2, 2)


def test_a_mean_of_rows_is_divided_along_axes_of_the_rows() -> None:
    found = gradient(lambda x: tf.math.segment_mean(x, [0, 0]), ROWS, 3.0)
    assert found.numpy().tolist() == [[1.5], [1.5]]


def test_second_order_keeps_the_shape_of_a_flat_upstream() -> None:
    upstream = tf.constant([1.0, 2.0])
    with tf.GradientTape() as outer:
        outer.watch(upstream)
        found = gradient(lambda x: tf.gather(x, [1], axis=1), ROWS, upstream)
    assert found.numpy().tolist() == [[0, 1], [0, 2]]
    assert outer.gradient(found, upstream).numpy().tolist() == [1, 1]


BATCH = tf.constant([[[1.5, -2.0], [0.25, 3.0]]], tf.bfloat16)
NARROW = tf.constant([[1.5, -2.0], [0.25, 3.0]], tf.bfloat16)


@pytest.mark.parametrize(
    ("factor", "upstream", "words"),
    [
        (NARROW, tf.ones([1, 2, 2]), "input #1(zero-based) was expected to be a float tensor but is a bfloat16 tensor"),
        (NARROW, tf.ones([1, 2, 2], tf.bfloat16), "In[0] and In[1] has different ndims: [1,2,2] vs. [2,2]"),
        (BATCH, tf.constant(2.0), "a is not a matrix [Op:SparseMatMul]"),
        (BATCH, tf.ones([2, 2]), "compute BatchMatMulV2 as input #1(zero-based) was expected to be a bfloat16 tensor"),
        (BATCH, tf.constant(2.0, tf.float64), "Value for attr 'Ta' of double is not in the list of allowed values"),
        (BATCH, tf.constant([True]), "Value for attr 'Ta' of bool is not in the list of allowed values"),
    ],
)
def test_a_product_of_bfloat16_has_two_kernels_that_refuse_an_upstream(factor: Any, upstream: Any, words: str) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        gradient(lambda x: tf.matmul(x, NARROW), factor, upstream)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("op", "kind", "words"),
    [
        (tf.acos, AttributeError, "'NoneType' object has no attribute 'dtype'"),
        (tf.cos, TypeError, "bad operand type for unary -: 'NoneType'"),
    ],
)
def test_an_upstream_of_none_fails_at_the_first_step_of_a_gradient(op: Any, kind: type, words: str) -> None:
    with pytest.raises(kind) as caught:
        gradient(op, tf.constant(0.5), [None])
    assert str(caught.value) == words


@pytest.mark.parametrize("op", [tf.sqrt, tf.math.rsqrt, tf.math.reciprocal, tf.sigmoid, tf.tanh])
def test_an_upstream_with_an_axis_more_is_of_the_shape_of_the_result_at_every_order(op: Any) -> None:
    with tf.GradientTape() as outer:
        outer.watch(ROWS)
        found = gradient(op, ROWS, tf.ones([1, 2, 2]))
    assert found.shape == (2, 2)
    assert outer.gradient(found, ROWS).shape == (2, 2)


@pytest.mark.parametrize("op", [tf.math.rsqrt, tf.math.reciprocal, tf.sigmoid, tf.tanh])
def test_a_flat_upstream_fits_a_gradient_of_rows_but_not_that_ones_gradient(op: Any) -> None:
    rows = tf.constant([[0.25, 0.5, 0.75], [0.125, 0.375, 0.625]])
    with tf.GradientTape() as outer:
        outer.watch(rows)
        found = gradient(op, rows, tf.range(6.0))
    assert found.shape == (2, 3)
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        outer.gradient(found, rows)
    assert "Incompatible shapes: [2,3] vs. [6]" in str(caught.value)


def test_a_product_of_batches_fails_in_the_gradient_that_nobody_asked_for() -> None:
    batch = tf.constant([[[1.0, 2.0]], [[3.0, 4.0]]])
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        gradient(lambda x: tf.matmul(x, tf.ones([2, 3])), batch, tf.ones([1, 2, 1, 3]))
    assert "Input to reshape is a tensor with 12 values, but the requested shape has 6" in str(caught.value)
