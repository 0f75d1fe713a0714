"""Ops on images and on sequences that stand alone, as TensorFlow 2.21 answered them."""

from __future__ import annotations

import numpy as np
import pytest

import reference_impl as tf

IMAGE = np.arange(12, dtype=np.float32).reshape(1, 3, 4, 1)


def gradient(function, *arrays):
    xs = [tf.constant(np.asarray(a, np.float32)) for a in arrays]
    with tf.GradientTape() as tape:
        tape.watch(xs)
        y = function(*xs)
    return [None if g is None else g.numpy() for g in tape.gradient(y, xs)]


def test_bicubic_weights_outside_the_image_count_nothing() -> None:
    found = np.ravel(tf.image.resize(IMAGE, [2, 3], method="bicubic"))
    assert np.allclose(found, [0.7746146, 2.171533, 3.568451, 7.4315486, 8.828468, 10.225385], rtol=1e-6)


def test_smoothing_widens_the_kernel_of_a_shrunk_image() -> None:
    (plain,) = gradient(lambda x: tf.image.resize(x, [2, 3], method="lanczos3"), IMAGE)
    (smooth,) = gradient(lambda x: tf.image.resize(x, [2, 3], method="lanczos3", antialias=True), IMAGE)
    assert np.allclose(plain[0, :, 0, 0], [0.5578072, 0.36657736, 0.5578072], rtol=1e-6)
    assert np.allclose(smooth[0, :, 0, 0], [0.4135907, 0.5949931, 0.4135907], rtol=1e-6)


@pytest.mark.parametrize("method", ["bicubic", "gaussian"])
def test_the_gradient_of_a_resized_image_has_no_gradient(method: str) -> None:
    with pytest.raises(LookupError, match="gradient registry has no entry for: "), tf.GradientTape() as outer:
        x = tf.constant(IMAGE)
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.image.resize(x, [2, 3], method=method)
        outer.gradient(inner.gradient(y, x), x)


def test_a_box_that_leaves_the_image_moves_with_its_pixels_inside() -> None:
    boxes = [[0.0, 0.0, 1.0, 1.0], [0.2, 0.3, 0.8, 1.2]]
    by_image, by_boxes = gradient(lambda x, b: tf.image.crop_and_resize(x, b, [0, 0], [2, 2]), IMAGE, boxes)
    assert np.allclose(by_image[0, 0, :, 0], [1.06, 0.54, 0, 1], rtol=1e-6)
    assert np.allclose(by_boxes, [[0, 0, 0, 0], [8, 6, 8, 0]], rtol=1e-6)


def test_beyond_its_edges_a_projected_image_is_filled_as_asked() -> None:
    moved = {"images": IMAGE, "transforms": [[1.0, 0, 2, 0, 1, 0, 0, 0]], "output_shape": [1, 4]}
    found = {
        mode: np.ravel(tf.raw_ops.ImageProjectiveTransformV2(**moved, interpolation="NEAREST", fill_mode=mode)).tolist()
        for mode in ("CONSTANT", "REFLECT", "WRAP", "NEAREST")
    }
    assert found == {
        "CONSTANT": [2, 3, 0, 0], "REFLECT": [2, 3, 3, 2], "WRAP": [2, 3, 0, 1], "NEAREST": [2, 3, 3, 3],
    }  # fmt: skip


def test_the_gradient_of_colours_at_a_tie_is_that_of_the_first() -> None:
    (g,) = gradient(tf.image.rgb_to_hsv, [[0.0, 0.0, 0.0], [0.5, 0.5, 0.5]])
    assert g.tolist() == [[1, 0, 0], [3, 0, -2]]


def test_colours_need_three_channels() -> None:
    with pytest.raises(tf.errors.FailedPreconditionError, match="input must have 3 channels but input only has 2"):
        tf.image.rgb_to_hsv([[1.0, 2.0]])


def test_neighbours_that_are_in_the_wrong_order_share_their_mean_and_its_gradient() -> None:
    x = [[5.0, 1, 2, 4, 1, 8, 3, 3.5]]
    output, segments = tf.nn.isotonic_regression(np.asarray(x, np.float32))
    assert segments.numpy().tolist() == [[0, 1, 1, 1, 1, 1, 1, 1]]
    assert np.allclose(output[0, 1:], 22.5 / 7)
    (g,) = gradient(lambda v: tf.nn.isotonic_regression(v)[0] * [[1.0, 7, 0, 0, 0, 0, 0, 0]], x)
    assert np.allclose(g, 1)


def test_on_a_cpu_the_approximate_largest_are_exact_and_the_smallest_are_not_there() -> None:
    values, indices = tf.math.approx_max_k(tf.constant([[1.0, 2, 3, 3, 1, 5, 5]]), 4)
    assert (values.numpy().tolist(), indices.numpy().tolist()) == ([[5, 5, 3, 3]], [[5, 6, 2, 3]])
    with pytest.raises(tf.errors.NotFoundError, match="Could not find device for node"):
        tf.math.approx_min_k([1.0, 2.0], 1)


def test_the_gradient_of_a_transform_of_two_axes_counts_the_columns_without_a_mirror_image() -> None:
    x = np.arange(12.0).reshape(3, 4)
    (g,) = gradient(tf.signal.rfft2d, x)
    assert np.allclose(g, [[9, 0, 3, 0], [0, 0, 0, 0], [0, 0, 0, 0]], atol=1e-5)
    with pytest.raises(tf.errors.InvalidArgumentError, match="Matrix size-incompatible"):
        gradient(lambda v: tf.signal.rfft2d(v, fft_length=[2, 4]), x)


def test_the_gradient_of_a_resized_picture_of_doubles_is_weighed_in_single_precision_and_added_up_in_double() -> None:
    x = tf.ones([1, 1, 1], tf.float64)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.image.resize(x, [4, 3])
    assert tape.gradient(y, x).numpy().tolist() == [[[12.000000014901161]]]
    x = tf.reshape(tf.range(4.0), [1, 2, 2, 1]) / 3
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.image.resize(x, [3, 3]) ** 2
    assert tape.gradient(y, x).numpy().ravel().tolist() == [0.75, 1.75, 2.75, 3.75]
