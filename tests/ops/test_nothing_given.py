"""Ops of empty tensors, lists and positions, and bounds that are turned over: what TensorFlow answers."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import reference_impl as tf

EMPTY = np.zeros((0, 2), np.float32)


def list_of(x: Any, shape: Any) -> Any:
    return tf.raw_ops.TensorListFromTensor(tensor=tf.constant(x), element_shape=shape)


def test_an_empty_list_is_concatenated_to_nothing() -> None:
    joined = tf.raw_ops.TensorListConcat(
        input_handle=list_of(EMPTY, [2]), element_dtype=tf.float32, element_shape=[None]
    )
    assert joined.tensor.shape == (0,)
    assert joined.lengths.shape == (0,)
    second = tf.raw_ops.TensorListConcatV2(
        input_handle=list_of(EMPTY[..., None], [-1, 1]), element_dtype=tf.float32, element_shape=[2, 1],
        leading_dims=tf.constant([], tf.int64),
    )  # fmt: skip
    assert second.tensor.shape == (0, 1)


def test_no_elements_of_a_list_have_the_shape_of_its_elements() -> None:
    picked = tf.raw_ops.TensorListGather(
        input_handle=list_of(np.ones((1, 2), np.float32), [2]), indices=tf.constant([], tf.int32),
        element_shape=tf.constant(-1), element_dtype=tf.float32,
    )  # fmt: skip
    assert picked.shape == (0, 2)


def test_no_numbers_are_quantized_to_none() -> None:
    assert tf.quantization.fake_quant_with_min_max_args(tf.constant(EMPTY)).shape == (0, 2)


def test_of_bounds_that_are_turned_over_the_lower_one_counts() -> None:
    x, low, high = tf.constant([0.5, -1.0]), tf.constant(2.0), tf.constant(0.0)
    assert tf.quantization.fake_quant_with_min_max_vars(x, low, high).numpy().tolist() == [2.0, 2.0]


@pytest.mark.parametrize("axis, numbers", [(-2, "0/-2"), (2, "3/2")])
def test_an_axis_of_logits_is_not_counted_from_the_end(axis: int, numbers: str) -> None:
    x = tf.ones((2, 3))
    with pytest.raises(tf.errors.InvalidArgumentError, match=f"Requires start <= limit when delta > 0: {numbers}"):
        tf.nn.softmax_cross_entropy_with_logits(labels=x, logits=x, axis=axis)


@pytest.mark.parametrize(
    "shape, text",
    [((0,), "Value for attr 'num_split' of 0"), ((2, 0), "Input num_segments == -2147483647 must not be negative")],
)
def test_an_isotonic_regression_of_nothing_has_no_gradient(shape: tuple[int, ...], text: str) -> None:
    x = tf.zeros(shape)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.nn.isotonic_regression(x)[0]
    with pytest.raises(tf.errors.InvalidArgumentError, match=text):
        tape.gradient(y, x)


def test_nothing_has_no_einsum() -> None:
    with pytest.raises(AttributeError, match="'NoneType' object has no attribute 'shape'"):
        tf.einsum("ij,jk", None, tf.ones((2, 2)))


@pytest.mark.parametrize(
    "place, text",
    [
        ([1, 1], "Dimensions [1,3) of input[shape=[2,2,2]] must match dimensions [1,1) of updates[shape=[2]]"),
        ([1], "Dimensions [0,1) of indices[shape=[1]] = 1 must match dimensions [0,1) of updates[shape=[2,2]] = 2"),
        ([1, 1, 0], "Updates shape must have rank at least one"),
    ],
)
def test_what_is_read_at_one_place_is_not_put_back(place: list[int], text: str) -> None:
    x = tf.ones((2, 2, 2))
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.gather_nd(x, place)
    with pytest.raises(tf.errors.InvalidArgumentError, match=re.escape(text)):
        tape.gradient(y, x)


def test_a_batch_jacobian_of_no_columns_asks_no_gradient_and_warns_of_none(capfd: pytest.CaptureFixture[str]) -> None:
    x = tf.zeros((2, 0))
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        assert tape.batch_jacobian(x * x, x, experimental_use_pfor=False).shape == (2, 0, 0)
    assert "less efficient" not in capfd.readouterr().err


def test_a_condition_without_axes_has_no_places() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="WhereOp : Unhandled input dimensions: 0"):
        tf.where(tf.constant(True))


def test_places_out_of_range_are_gathered_along_another_axis_of_what_has_no_elements() -> None:
    x = tf.zeros([0, 2])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y, z = tf.gather(x, [9, 9], axis=1), tf.gather(x, tf.zeros([0], tf.int32), axis=1)
    assert tape.gradient(y, x).shape == (0, 2)
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        tape.gradient(z, x)
    assert "data.shape = [1,0] does not start with segment_ids.shape = [0]" in str(caught.value)


def test_a_jacobian_of_a_mirrored_pad_needs_rows() -> None:
    x = tf.zeros([0, 2])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.pad(x, [[0, 0], [1, 1]], mode="SYMMETRIC")
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        tape.jacobian(y, x)
    assert "Tried to stack elements of an empty list with non-fully-defined element_shape: [?,?]" in str(caught.value)


def test_nothing_is_reflected_of_an_axis_without_elements() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        tf.pad(tf.zeros([0, 2]), [[0, 0], [0, 0]], mode="REFLECT")
    assert "paddings must be less than the dimension size: 0, 0 not less than 0" in str(caught.value)


def test_second_derivatives_of_rows_without_elements_look_at_no_index() -> None:
    x = tf.zeros([2, 0])
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.nn.softmax(tf.gather(x * 2.0, [9]))
        g = inner.gradient(y, x)
    assert g.shape == outer.gradient(g, x).shape == (2, 0)


def test_silu_is_a_product_with_the_rounded_logistic_function() -> None:
    found = tf.nn.silu(tf.constant([-7.5, -8.0], tf.float16), beta=2.0).numpy()
    np.testing.assert_array_equal(found, np.array([-2.265e-06, -9.54e-07], np.float16))
