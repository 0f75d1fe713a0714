"""Operands whose shapes or axes do not fit: the error that TensorFlow 2.21 raises."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import reference_impl as tf

_INVALID = tf.errors.InvalidArgumentError
_ONES = tf.ones([3, 3])


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda: tf.complex(tf.ones([2, 3]), tf.ones([2])), _INVALID, r"shapes: \[2,3\] vs\. \[2\] \[Op:Complex\]"),
        (lambda: tf.complex(tf.ones([0]), tf.ones([2])), _INVALID, r"shapes: \[0\] vs\. \[2\] \[Op:Complex\]"),
        (lambda: tf.signal.fftshift(_ONES, -5), _INVALID, "slice index -3 of dimension 0 out of bounds"),
        (lambda: tf.signal.ifftshift(_ONES, 2), _INVALID, "slice index 2 of dimension 0 out of bounds"),
        (lambda: tf.signal.fftshift(_ONES, [0, 5]), _INVALID, r"indices\[1\] = 5 is not in \[0, 2\)"),
        (lambda: tf.signal.fftshift(_ONES, 1.5), TypeError, "Cannot convert 1.5 to EagerTensor of dtype int32"),
        (
            lambda: tf.raw_ops.MatrixDiagPartV2(input=tf.ones([9]), k=0, padding_value=0.0), _INVALID,
            r"input must be at least 2-dim, received shape: \[9\] \[Op:MatrixDiagPartV2\]",
        ),
        (lambda: tf.nn.sufficient_statistics(_ONES, [2]), IndexError, "list index out of range"),
        (
            lambda: tf.nn.separable_conv2d(
                tf.ones([1, 2, 4, 2]), tf.ones([1, 1, 2, 1]), tf.ones([2, 1, 2, 1]), [1, 1, 1, 1], "VALID"
            ),
            ValueError, "Dimensions 2 and 1 are not compatible",
        ),
        (
            lambda: tf.nn.separable_conv2d(
                tf.ones([4, 4]), tf.ones([1, 1, 2, 1]), tf.ones([1, 1, 2, 1]), [1, 1, 1, 1], "VALID"
            ),
            ValueError, r"`input\.shape\.rank` must be at least 3\. Received: input\.shape=\(4, 4\) with rank 2",
        ),
        (
            lambda: tf.nn.atrous_conv2d(tf.ones([2, 4, 2]), tf.ones([1, 1, 2, 1]), 2, "VALID"), ValueError,
            r"`input\.shape\.rank` must be >= than `num_spatial_dims \+ 2`\. Received: input\.shape=\(2, 4, 2\)",
        ),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused(call: Callable[[], Any], error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        call()


def test_axes_counted_from_the_end_are_shifted() -> None:
    x = tf.reshape(tf.range(6.0), [2, 3])
    assert tf.signal.fftshift(x, [-1, -2]).numpy().tolist() == tf.signal.fftshift(x).numpy().tolist()
    assert tf.signal.fftshift(x, -1).numpy().tolist() == [[2, 0, 1], [5, 3, 4]]
