"""Images changed by chance or by seeds, and boxes in them; answers of TensorFlow 2.21."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import reference_impl as tf

_SEED = [3, 7]


def _image() -> Any:
    return tf.constant((np.arange(24) * 37 % 101 / 101).reshape(2, 4, 3).astype(np.float32))


_DRAWN = {
    "brightness": (
        lambda x: tf.image.stateless_random_brightness(x, 0.3, _SEED),
        [0.22932, 0.59566, 0.96199, 0.32833, 0.69467, 1.061],
    ),
    "contrast": (
        lambda x: tf.image.stateless_random_contrast(x, 0.3, 1.5, _SEED),
        [-0.12428, 0.28689, 0.83254, 0.01024, 0.4214, 0.96706],
    ),
    "hue": (
        lambda x: tf.image.stateless_random_hue(x, 0.2, _SEED),
        [0.30573, 0.0, 0.73267, 0.40474, 0.09901, 0.83168],
    ),
    "saturation": (
        lambda x: tf.image.stateless_random_saturation(x, 0.5, 2.0, _SEED),
        [0.0, 0.36634, 0.73267, 0.0, 0.41584, 0.83168],
    ),
    "crop": (
        lambda x: tf.image.stateless_random_crop(x, [1, 2, 3], _SEED),
        [0.0, 0.36634, 0.73267, 0.09901, 0.46535, 0.83168],
    ),
    "left_right": (
        lambda x: tf.image.stateless_random_flip_left_right(tf.stack([x] * 5), _SEED)[:, 0, 0, 0],
        [0.29703, 0.0, 0.29703, 0.0, 0.0],
    ),
    "up_down": (
        lambda x: tf.image.stateless_random_flip_up_down(tf.stack([x] * 5), [1, 2])[:, 0, 0, 0],
        [0.39604, 0.0, 0.39604, 0.0, 0.0],
    ),
}


@pytest.mark.parametrize("name", _DRAWN)
def test_by_seeds_images_change_as_in_tensorflow(name: str) -> None:
    function, want = _DRAWN[name]
    np.testing.assert_allclose(np.ravel(function(_image()).numpy())[:6], want, atol=2e-5)
    np.testing.assert_allclose(np.ravel(tf.function(function)(_image()).numpy())[:6], want, atol=2e-5)


def test_gradients_pass_to_what_was_kept() -> None:
    x = _image()
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(tf.image.stateless_random_crop(x, [1, 2, 3], _SEED) ** 2)
    want = np.zeros((2, 4, 3), np.float32)
    want[0, :2] = 2 * x.numpy()[0, :2]
    np.testing.assert_allclose(tape.gradient(y, x).numpy(), want)


_WRONG = [
    (lambda x: tf.image.random_brightness(x, -1.0), ValueError, "max_delta must be non-negative"),
    (lambda x: tf.image.random_hue(x, 0.7), ValueError, "max_delta must be <= 0.5"),
    (lambda x: tf.image.random_contrast(x, 2.0, 1.0), ValueError, "upper must be > lower"),
    (lambda x: tf.image.random_saturation(x, -2.0, 1.0), ValueError, "lower must be non-negative"),
    (lambda x: tf.image.random_crop(x, [9, 3, 3]), tf.errors.InvalidArgumentError, "Need value.shape >= size"),
    (
        lambda x: tf.image.stateless_random_hue(x, 0.1, [1]),
        tf.errors.InvalidArgumentError,
        r"seed must have shape \[2\], not \[1\]",
    ),
]


@pytest.mark.parametrize(("call", "kind", "text"), _WRONG)
def test_wrong_bounds_sizes_and_seeds(call: Any, kind: Any, text: str) -> None:
    with pytest.raises(kind, match=text):
        call(_image())


def test_by_chance_shapes_stay() -> None:
    x = _image()
    for changed in (
        tf.image.random_brightness(x, 0.3), tf.image.random_contrast(x, 0.3, 1.5), tf.image.random_hue(x, 0.2),
        tf.image.random_saturation(x, 0.5, 2.0), tf.image.random_flip_left_right(x), tf.image.random_flip_up_down(x),
    ):  # fmt: skip
        assert changed.shape == x.shape and changed.dtype is x.dtype
    assert tf.image.random_crop(x, [1, 2, 3]).shape == (1, 2, 3)


def _boxes() -> tuple[Any, Any]:
    left = [0.0, 0.1, -0.1, 10.0, 10.1, 100.0]
    return tf.constant([[0.0, x, 1.0, x + 1.0] for x in left]), tf.constant([0.9, 0.75, 0.6, 0.95, 0.5, 0.3])


def test_boxes_that_overlap_better_ones_are_left_out() -> None:
    boxes, scores = _boxes()
    assert tf.image.non_max_suppression(boxes, scores, 3).numpy().tolist() == [3, 0, 5]
    assert tf.image.non_max_suppression(boxes, scores, 10, 0.95).numpy().tolist() == [3, 0, 1, 2, 4, 5]
    assert tf.image.non_max_suppression(boxes, scores, 10, 0.5, 0.4).numpy().tolist() == [3, 0]
    found, kept = tf.image.non_max_suppression_with_scores(boxes, scores, 6, 0.5, 0.0, 0.5)
    assert found.numpy().tolist() == [3, 0, 1, 5, 4, 2]
    np.testing.assert_allclose(kept.numpy(), [0.95, 0.9, 0.38400355, 0.3, 0.2560026, 0.19697244], rtol=1e-5)
    overlaps = tf.image.non_max_suppression_overlaps(tf.eye(3), tf.constant([0.3, 0.2, 0.1]), 2)
    assert overlaps.numpy().tolist() == [0, 1]
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"iou_threshold must be in \[0, 1\]"):
        tf.image.non_max_suppression(boxes, scores, 3, 1.5)
    with pytest.raises(tf.errors.InvalidArgumentError, match="Dimensions must be equal, but are 6 and 1"):
        tf.image.non_max_suppression(boxes, tf.constant([1.0]), 3)


def test_boxes_are_drawn() -> None:
    x = _image()
    found = tf.image.draw_bounding_boxes(x[None], [[[0.0, 0.1, 1.0, 0.9]]], None).numpy()[0]
    yellow = np.zeros((2, 4), bool)
    yellow[:, :3] = True
    assert (found[yellow] == [1.0, 1.0, 0.0]).all()
    np.testing.assert_array_equal(found[~yellow], x.numpy()[~yellow])
    with pytest.raises(tf.errors.InvalidArgumentError, match="The rank of the images should be 4"):
        tf.image.draw_bounding_boxes(x, [[[0.0, 0.1, 1.0, 0.9]]], None)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.image.draw_bounding_boxes(x[None], [[[0.0, 0.1, 1.0, 0.9]]], None)
    assert tape.gradient(y, x) is None


def _two_images() -> Any:
    return tf.constant((np.arange(2 * 6 * 7) * 37 % 101 / 101).reshape(2, 6, 7, 1).astype(np.float32))


def test_windows_around_places() -> None:
    x = _two_images()
    want = np.zeros((2, 3, 3, 1), np.float32)
    want[0, :2] = x.numpy()[0, 4:6, 2:5]
    want[1, :, 1:] = x.numpy()[1, 1:4, :2]
    found = tf.image.extract_glimpse(x, [3, 3], [[0.95, 0.0], [0.0, -0.9]], noise="zero").numpy()
    np.testing.assert_array_equal(found, want)
    corner = tf.image.extract_glimpse(x, [2, 2], [[1.0, 1.0]] * 2, centered=False, normalized=False, noise="zero")
    np.testing.assert_array_equal(corner.numpy(), x.numpy()[:, 1:3, 1:3])
    middle = tf.image.extract_glimpse(x, [2, 2], [[1.0, 0.0]] * 2, centered=True, normalized=False, noise="zero")
    np.testing.assert_array_equal(middle.numpy(), x.numpy()[:, 4:6, 3:5])


def test_windows_beyond_the_edges_are_noise() -> None:
    x = tf.concat([tf.zeros([2, 6, 7, 1]) + 3.0, tf.zeros([2, 6, 7, 1]) + 7.0], 0)
    noise = tf.image.extract_glimpse(x, [50, 50], [[2.0, 2.0]] * 4).numpy()
    assert 3.0 <= noise.min() < 3.1 and 6.9 < noise.max() <= 7.0
    noise = tf.image.extract_glimpse(x, [50, 50], [[2.0, 2.0]] * 4, noise="gaussian").numpy()
    assert abs(noise.mean() - 5) < 0.2 and abs(noise.std() - 2) < 0.2


def test_windows_that_do_not_fit() -> None:
    x = _two_images()
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"The noise could only be uniform, gaussian, or zero"):
        tf.image.extract_glimpse(x, [2, 2], [[0.0, 0.0]] * 2, noise="bad")
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"first dimension should be batch\[1,2\]"):
        tf.image.extract_glimpse(x, [2, 2], [[0.0, 0.0]])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.image.extract_glimpse(x, [3, 3], [[0.0, 0.0]] * 2, noise="zero")
    with pytest.raises(LookupError, match=r"gradient registry has no entry for: ExtractGlimpseV2"):
        tape.gradient(y, x)
