"""Windows of three axes that leave gaps, padding "SAME": TensorFlow's forward kernels start within the input."""

from __future__ import annotations

import numpy as np
import pytest

import reference_impl as tf


def _line(size: int) -> tf.Tensor:
    return tf.reshape(tf.range(1.0, size + 1.0), [1, size, 1, 1, 1])


@pytest.mark.parametrize(
    ("size", "window", "step", "seen"),
    [
        (3, 1, 3, [2]),
        (5, 1, 7, [3]),
        (5, 2, 7, [2, 3]),
        (7, 1, 4, [2, 6]),
        (8, 1, 5, [2, 7]),
        (5, 1, 3, [1, 4]),
        (2, 1, 7, [1]),
    ],
)
def test_forward_kernels_of_three_axes_skip_half_of_what_no_window_needs(
    size: int, window: int, step: int, seen: list[float]
) -> None:
    x, rows = _line(size), np.array(seen, np.float32).reshape(-1, window)
    pool = {"ksize": [window, 1, 1], "strides": [step, 1, 1], "padding": "SAME"}
    patches = tf.raw_ops.ExtractVolumePatches(
        input=x, ksizes=[1, window, 1, 1, 1], strides=[1, step, 1, 1, 1], padding="SAME"
    )
    assert patches.numpy().reshape(rows.shape).tolist() == rows.tolist()
    assert tf.nn.max_pool3d(x, **pool).numpy().ravel().tolist() == rows.max(axis=1).tolist()
    assert tf.nn.avg_pool3d(x, **pool).numpy().ravel().tolist() == rows.mean(axis=1).tolist()
    made = tf.nn.conv3d(x, tf.ones([window, 1, 1, 1, 1]), [1, step, 1, 1, 1], "SAME")
    assert made.numpy().ravel().tolist() == rows.sum(axis=1).tolist()


def test_backward_kernels_start_at_the_edge_and_those_of_patches_where_these_were_read() -> None:
    x = _line(3)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        largest = tf.nn.max_pool3d(x, [1, 1, 1], [3, 1, 1], "SAME", "NDHWC")
        mean = tf.nn.avg_pool3d(x, [1, 1, 1], [3, 1, 1], "SAME", "NDHWC")
        made = tf.nn.conv3d(x, tf.ones([1, 1, 1, 1, 1]), [1, 3, 1, 1, 1], "SAME")
        patches = tf.raw_ops.ExtractVolumePatches(input=x, ksizes=[1] * 5, strides=[1, 3, 1, 1, 1], padding="SAME")
    gradients = [tape.gradient(y, x).numpy().ravel().tolist() for y in (largest, mean, made, patches)]
    assert gradients == [[0, 0, 0], [1, 0, 0], [1, 0, 0], [0, 1, 0]]


def test_windows_of_two_axes_start_at_the_edge() -> None:
    x = tf.reshape(tf.range(1.0, 4.0), [1, 3, 1, 1])
    assert tf.nn.max_pool2d(x, [1, 1], [3, 1], "SAME").numpy().ravel().tolist() == [1]
    assert tf.image.extract_patches(x, [1] * 4, [1, 3, 1, 1], [1] * 4, "SAME").numpy().ravel().tolist() == [1]
