"""What is no number, or infinite, in kernels that compare: the answers of TensorFlow 2.21."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import reference_impl as tf

N, INF = math.nan, math.inf
LOWEST = {"float32": -3.4028234663852886e38, "float64": -1.7976931348623157e308}
POOLED: dict[str, tuple[list[float], float | None, int]] = {  # a window, its largest (None: the lowest), who wins
    "first": ([N, 1, 2, 3], 3, 0), "second": ([1, N, 2, 3], 3, 3), "last": ([3, 2, 1, N], 3, 0),
    "all": ([N, N, N, N], None, 0), "infinite": ([-INF] * 4, None, 0), "one left": ([N, N, N, 1], 1, 0),
}  # fmt: skip


def _all(tensor: Any) -> list[float]:
    return [float(v) for v in np.asarray(tensor).ravel()]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("channels", [1, 3, 8])
@pytest.mark.parametrize("which", POOLED)
def test_a_pool_passes_over_what_is_no_number(which: str, channels: int, dtype: str) -> None:
    window, most, winner = POOLED[which]
    x = tf.constant(np.tile(np.reshape(window, (1, 2, 2, 1)), (1, 1, 1, channels)), dtype)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.nn.max_pool2d(x, 2, 2, "VALID")
    assert _all(y) == [LOWEST[dtype] if most is None else most] * channels
    slope = np.asarray(tape.gradient(y, x)).reshape(4, channels)
    assert (slope == np.eye(4)[winner][:, None]).all()


def test_pools_of_one_and_three_axes_and_with_places_each_have_their_own_way() -> None:
    x = tf.constant(np.reshape([3, 2, 1, N], (1, 4, 1)), "float32")
    assert _all(tf.nn.max_pool1d(x, 2, 1, "SAME")) == [3, 2, 1, LOWEST["float32"]]
    y, places = tf.nn.max_pool_with_argmax(tf.reshape(x, [1, 4, 1, 1]), [2, 1], [1, 1], "SAME")
    assert _all(y)[:3] == [3, 2, 1] and math.isnan(_all(y)[3]) and _all(places) == [0, 1, 2, 3]
    deep = _all(tf.nn.max_pool3d(tf.reshape(x, [1, 4, 1, 1, 1]), [2, 1, 1], 1, "SAME"))
    assert deep[:2] == [3, 2] and math.isnan(deep[2]) and deep[3] == LOWEST["float32"]


@pytest.mark.parametrize("columns, kept", [(1, 0), (4, 0), (8, 8), (9, 8)])
def test_segments_take_what_is_no_number_unless_a_register_is_full(columns: int, kept: int) -> None:
    x = tf.constant(np.tile([[3], [2], [1], [N]], (1, columns)), "float32")
    for most, end in ((tf.math.segment_max, 3), (tf.math.segment_min, 1)):
        found = _all(most(x, [0, 0, 0, 0]))
        assert found[:kept] == [end] * kept and all(map(math.isnan, found[kept:]))
    turned = tf.reverse(x, [0])
    assert _all(tf.math.segment_max(turned, [0, 0, 0, 0])) == [3] * columns
    assert _all(tf.math.unsorted_segment_max(turned, [0, 0, 0, 0], 2)) == [3] * columns + [LOWEST["float32"]] * columns


def test_what_lies_below_the_lowest_number_is_not_the_largest_of_an_unsorted_segment() -> None:
    x = tf.constant([[-INF], [-INF]])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.math.unsorted_segment_max(x, [0, 0], 1)
    assert _all(y) == [LOWEST["float32"]] and _all(tape.gradient(y, x)) == [0, 0]
    assert _all(tf.math.segment_max(x, [0, 0])) == [-INF]
    assert _all(tf.math.unsorted_segment_min(-x, [0, 0], 1)) == [-LOWEST["float32"]]


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_a_masked_class_makes_the_loss_no_number_whatever_its_label(dtype: str) -> None:
    logits, labels = tf.constant([[1.0, -INF, 2.0]], dtype), tf.constant([[1.0, 0, 0]], dtype)
    with tf.GradientTape() as tape:
        tape.watch(logits)
        loss = tf.nn.softmax_cross_entropy_with_logits(labels, logits)
    assert math.isnan(_all(loss)[0])
    assert np.allclose(_all(tape.gradient(loss, logits)), [-0.731, 0, 0.731], atol=1e-3)
    assert np.allclose(_all(tf.nn.sparse_softmax_cross_entropy_with_logits([0], logits)), 1.3133, atol=1e-3)


def test_boxes_must_be_finite_and_transforms_need_not() -> None:
    image = tf.reshape(tf.range(1.0, 13.0), [1, 3, 4, 1])
    with pytest.raises(tf.errors.InvalidArgumentError, match="Boxes contains at least one element that is not finite"):
        tf.image.crop_and_resize(image, [[N, 0, 1, 1]], [0], [2, 2])

    def seen(mode: str, value: float) -> list[float]:
        transform = [[value, 0, 0, 0, 1, 0, 0, 0]]
        return _all(tf.raw_ops.ImageProjectiveTransformV3(
            images=image, transforms=transform, output_shape=[2, 2], fill_value=7.0, interpolation="NEAREST",
            fill_mode=mode,
        ))  # fmt: skip

    assert seen("CONSTANT", INF) == seen("CONSTANT", N) == [7, 7, 7, 7]
    assert seen("REFLECT", INF) == [7, 1, 7, 5] and seen("REFLECT", N) == [7, 7, 7, 7]


def test_each_thing_that_is_no_number_is_unique() -> None:
    y, places = tf.unique(tf.constant([1, N, N, 2]))
    assert len(_all(y)) == 4 and _all(places) == [0, 1, 2, 3]


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_infinite_complex_numbers_have_inverses_and_hardly_any_logarithm_beyond_one(dtype: str) -> None:
    z = tf.constant(np.array([complex(INF, 1), complex(-INF, 1), complex(1, INF), complex(INF, 0)]), dtype)
    assert _pairs(tf.math.rsqrt(z)) == [(0, 0)] * 4
    assert _pairs(tf.sigmoid(z))[1] == (0, 0)
    beyond = _pairs(tf.math.log1p(z))
    assert beyond[3] == (INF, 0) and all(math.isnan(part) for pair in beyond[:3] for part in pair)


def _pairs(tensor: Any) -> list[tuple[float, float]]:
    return [(float(v.real), float(v.imag)) for v in np.asarray(tensor).ravel()]
