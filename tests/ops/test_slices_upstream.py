"""What ops make of an upstream that is IndexedSlices, as TensorFlow does: pass it on, add it up, or trip over it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import reference_impl as tf


def gradient(op: Callable[[Any], Any], x: Any) -> Any:
    """The gradient of rows gathered from what an op makes."""
    x = tf.constant(x)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.gather(op(x), [1, 0, 1])
    return tape.gradient(y, x)


SQUARE = np.array([[1.0, 2.0], [3.0, 5.0]], np.float32)
COLOURS = np.array([[0.25, 0.5, 1.0], [0.5, 0.25, 0.0]], np.float32)
IMAGES = np.ones((2, 1, 2, 1), np.float32)


def added(b: Any) -> Any:
    return tf.raw_ops.SparseTensorDenseAdd(
        a_indices=tf.constant([[0, 1]], tf.int64),
        a_values=tf.constant([2.0]),
        a_shape=tf.constant([2, 2], tf.int64),
        b=b,
    )


@pytest.mark.parametrize("op", [lambda x: tf.raw_ops.DebugIdentityV2(input=x), lambda x: tf.identity_n([x])[0], added])
def test_slices_stay_slices(op: Callable[[Any], Any]) -> None:
    found = gradient(op, SQUARE)
    assert isinstance(found, tf.IndexedSlices)
    assert found.indices.numpy().tolist() == [1, 0, 1]


def test_what_is_added_in_few_places_takes_the_slices_added_up() -> None:
    values = tf.constant([2.0])
    with tf.GradientTape() as tape:
        tape.watch(values)
        at, shape = tf.constant([[1, 1]], tf.int64), tf.constant([2, 2], tf.int64)
        y = tf.raw_ops.SparseTensorDenseAdd(a_indices=at, a_values=values, a_shape=shape, b=tf.constant(SQUARE))
        y = tf.gather(y, [1, 0, 1])
    assert tape.gradient(y, values).numpy().tolist() == [2.0]


@pytest.mark.parametrize(
    "op, x", [(tf.image.rgb_to_hsv, COLOURS), (tf.signal.rfft, SQUARE), (tf.signal.rfft2d, SQUARE[:, None])]
)
def test_columns_are_not_read_of_slices(op: Callable[[Any], Any], x: Any) -> None:
    with pytest.raises(TypeError, match="'IndexedSlices' object is not subscriptable"):
        gradient(op, x)


def test_a_product_of_what_is_mostly_zeros_asks_slices_for_their_reference() -> None:
    with pytest.raises(AttributeError, match="'IndexedSlices' object has no attribute 'ref'"):
        gradient(lambda x: tf.raw_ops.SparseMatMul(a=x, b=x), SQUARE)


def scaled(images: Any) -> Any:
    by = tf.constant([1.0, 1.0])
    return tf.raw_ops.ScaleAndTranslate(images=images, size=[1, 2], scale=by, translation=by, kernel_type="box")


def test_slices_of_another_dtype_than_the_images_are_refused_first() -> None:
    assert gradient(scaled, IMAGES).shape == IMAGES.shape
    with pytest.raises(ValueError, match="Incompatible tensor conversion requested to `dtype` float16 for"):
        gradient(scaled, IMAGES.astype(np.float16))


def test_rows_without_elements_are_added_up_wherever_they_are_said_to_lie() -> None:
    x = tf.zeros((2, 0))
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = tf.gather(x + x, [9]), tf.gather(tf.transpose(x), [9], axis=-1)
    assert tape.gradient(y[0], x).shape == (2, 0)
    assert tape.gradient(y[1], x).shape == (2, 0)


WIDE = np.array([[1.0, 2.0, 4.0]], np.float32)


def rows(made: Callable[[Any], Any], x: Any) -> Any:
    """The gradient of the first row of what an op makes."""
    x = tf.constant(x)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.gather(made(x), [0])
    return tape.gradient(y, x)


def test_the_triangle_of_a_wide_matrix_takes_no_slices() -> None:
    with pytest.raises(TypeError, match="'IndexedSlices' object is not subscriptable"):
        rows(lambda x: tf.linalg.qr(x)[1], WIDE)
    assert rows(lambda x: tf.linalg.qr(x)[1], SQUARE).shape == (2, 2)
    assert rows(lambda x: tf.linalg.qr(x)[0], WIDE).numpy().tolist() == [[0, 0, 0]]


def test_singular_vectors_take_no_slices_but_singular_values_do() -> None:
    for k in (1, 2):
        with pytest.raises(AttributeError, match="'IndexedSlices' object has no attribute 'get_shape'"):
            rows(lambda x, k=k: tf.linalg.svd(x)[k], SQUARE)
    u, _, v = np.linalg.svd(SQUARE)
    np.testing.assert_allclose(rows(lambda x: tf.linalg.svd(x)[0], SQUARE), np.outer(u[:, 0], v[0]), rtol=1e-5)


def test_a_convolution_that_receives_slices_has_second_derivatives_without_a_data_format() -> None:
    a, b = tf.ones([1, 1, 1, 1]), tf.ones([1, 1, 1, 1])

    def second(pick: Callable[[Any], Any]) -> Any:
        with tf.GradientTape() as outer:
            outer.watch(a)
            with tf.GradientTape() as inner:
                inner.watch(b)
                z = pick(tf.nn.convolution(a, b))
            g = inner.gradient(z, b)
        return outer.gradient(g, a)

    assert second(lambda y: tf.gather(y, [0])).numpy().tolist() == [[[[1]]]]
    with pytest.raises(AttributeError, match="'NoneType' object has no attribute 'decode'"):
        second(lambda y: y)


@pytest.mark.parametrize("op", [tf.cos, tf.acos])
def test_slices_are_negated_before_they_are_made_dense(op: Callable[[Any], Any]) -> None:
    """A row that nothing was gathered from has the gradient +0, where the negative of a dense zero would be -0."""
    found = gradient(op, np.full((3, 1), 0.5, np.float32))
    assert not np.signbit(found[2, 0])
    assert np.signbit(found[0, 0])
