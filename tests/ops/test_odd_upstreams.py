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
