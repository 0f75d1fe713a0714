"""Shapes, parts and orders of axes that are no whole numbers, or narrow ones: the errors of TensorFlow 2.21."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import reference_impl as tf

X = tf.constant([1.0, 2.0, 3.0, 4.0])
M = tf.constant([[1.0, 2.0], [3.0, 4.0]])
BY_DTYPE: dict[str, tuple[Callable[[Any], Any], str]] = {
    "reshape": (lambda s: tf.reshape(X, s), "Tshape"),
    "fill": (lambda s: tf.fill(s, 1.0), "index_type"),
    "broadcast_to": (lambda s: tf.broadcast_to(X[:2], s), "Tidx"),
    "transpose": (lambda s: tf.transpose(M, s), "Tperm"),
    "pad": (lambda s: tf.pad(M, [s, s] if isinstance(s, list) else tf.stack([s, s])), "Tpaddings"),
}
BY_CONVERSION: dict[str, tuple[Callable[[Any], Any], str]] = {
    "zeros": (tf.zeros, "index_type"),
    "ones": (tf.ones, "index_type"),
    "slice": (lambda s: tf.slice(M, [0, 0], s), "Index"),
    "scatter_nd": (lambda s: tf.scatter_nd([[0, 0]], [1.0], s), "Tindices"),
}


@pytest.mark.parametrize("name", BY_DTYPE)
@pytest.mark.parametrize("given", [[4 / 2, 2], [2.0, 2.0]])
def test_a_quotient_is_no_size(name: str, given: list) -> None:
    function, attribute = BY_DTYPE[name]
    with pytest.raises(tf.errors.InvalidArgumentError, match=f"Value for attr '{attribute}' of float is not in the li"):
        function(given)


@pytest.mark.parametrize("name", BY_CONVERSION)
def test_where_sizes_are_int32_numbers_are_converted(name: str) -> None:
    with pytest.raises(TypeError, match=r"Cannot convert \[2.0, 2\] to EagerTensor of dtype int32"):
        BY_CONVERSION[name][0]([4 / 2, 2])


@pytest.mark.parametrize("name", BY_DTYPE | BY_CONVERSION)
@pytest.mark.parametrize("dtype", ["float32", "int8"])
def test_tensors_of_sizes_are_int32_or_int64(name: str, dtype: str) -> None:
    function, attribute = (BY_DTYPE | BY_CONVERSION)[name]
    word = {"float32": "float", "int8": "int8"}[dtype]
    with pytest.raises(tf.errors.InvalidArgumentError, match=f"Value for attr '{attribute}' of {word} is not in the l"):
        function(tf.constant([2, 2], dtype))


@pytest.mark.parametrize("name", BY_DTYPE | BY_CONVERSION)
def test_none_is_no_size(name: str) -> None:
    if name != "pad":
        with pytest.raises(ValueError, match=r"Attempt to convert a value \(None\) with an unsupported type"):
            (BY_DTYPE | BY_CONVERSION)[name][0]([None, 2])


def test_parts_of_a_split_are_whole() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="Value for attr 'Tlen' of float is not in the list"):
        tf.split(X, [4 / 2, 2])


def test_whole_numbers_of_all_sorts_are_sizes() -> None:
    two = (2, np.int64(2), np.int32(2), tf.constant(2))
    for n in two:
        assert tf.reshape(X, [n, -1]).shape == tf.zeros([n, 2]).shape == tf.fill([n, 2], 1.0).shape == (2, 2)
    for shape in (tf.TensorShape([2, 2]), np.array([2, 2]), tf.constant([2, 2], tf.int64), (2, 2)):
        assert tf.reshape(X, shape).shape == tf.zeros(shape).shape == tf.broadcast_to(X[:2], shape).shape == (2, 2)
    assert tf.zeros(3).shape == tf.zeros(tf.constant([3])).shape == (3,) and tf.zeros([]).shape == ()


RANDOM: dict[str, tuple[Callable[[Any], Any], str]] = {
    "normal": (tf.random.normal, "T"),
    "uniform": (tf.random.uniform, "T"),
    "truncated_normal": (tf.random.truncated_normal, "T"),
    "stateless_normal": (lambda s: tf.random.stateless_normal(s, [1, 2]), "Tshape"),
    "stateless_uniform": (lambda s: tf.random.stateless_uniform(s, [1, 2]), "Tshape"),
    "stateless_truncated_normal": (lambda s: tf.random.stateless_truncated_normal(s, [1, 2]), "Tshape"),
}


@pytest.mark.parametrize("name", RANDOM)
def test_random_numbers_have_a_shape_of_whole_numbers(name: str) -> None:
    function, attribute = RANDOM[name]
    for given in ([4 / 2, 2], tf.constant([2.0, 2.0])):
        with pytest.raises(tf.errors.InvalidArgumentError, match=f"Value for attr '{attribute}' of float is not in"):
            function(given)
    for given in (2, tf.constant(2)):
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"shape must be a vector of {int32,int64}, got shape"):
            function(given)
    with pytest.raises(ValueError, match=r"Attempt to convert a value \(None\) with an unsupported type"):
        function([None, 2])
    for shape in ([2, 3], (2, 3), tf.constant([2, 3], tf.int64), tf.TensorShape([2, 3]), [tf.constant(2), 3]):
        assert function(shape).shape == (2, 3)
    assert function([]).shape == ()
