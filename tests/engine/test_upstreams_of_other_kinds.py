"""What users' gradient functions return and the gradient before does not expect: slices of another dtype, numbers.

All values and words are TensorFlow's.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import reference_impl as tf


def returning(value: Any) -> Any:
    """An identity whose gradient is ``value``."""
    return tf.custom_gradient(lambda x: (tf.identity(x), lambda dy: value))


def gradient(op: Any, value: Any) -> Any:
    """The gradient of an op whose upstream is ``value``."""
    x = tf.constant([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = returning(value)(op(x))
    return tape.gradient(y, x)


def slices(dtype: str, shape: Any = (3,)) -> Any:
    return tf.IndexedSlices(
        tf.constant([5, 7], dtype), tf.constant([2, 0]), None if shape is None else tf.constant(shape)
    )


MATRIX = np.eye(3, dtype=np.float32)


@pytest.mark.parametrize("dtype", ["float64", "int32"])
@pytest.mark.parametrize(
    "op",
    [
        lambda x: x * 2.0, tf.square, tf.exp, tf.sqrt, tf.tanh, tf.nn.relu, tf.nn.softmax, lambda x: x / 2.0,
        lambda x: x**2.0, lambda x: tf.math.xlogy(x, x), lambda x: tf.einsum("i,ij->j", x, MATRIX), tf.nn.leaky_relu,
        tf.math.cumprod, lambda x: tf.math.igamma(x, x + 1.0),
    ],
)  # fmt: skip
def test_slices_of_another_dtype_are_refused_where_they_meet_a_tensor(op: Any, dtype: str) -> None:
    with pytest.raises(
        ValueError, match=f"^Incompatible tensor conversion requested to `dtype` float32 for .*{dtype}$"
    ):
        gradient(op, slices(dtype))


@pytest.mark.parametrize(
    ("op", "want"),
    [
        (lambda x: x + tf.ones([3]), [7, 0, 5]),
        (lambda x: tf.maximum(x, 2.5), [0, 0, 5]),
        (lambda x: tf.reverse(x, [0]), [5, 0, 7]),
        (lambda x: tf.reduce_sum(tf.stack([x, x]), 0), [14, 0, 10]),
    ],
)
def test_slices_of_another_dtype_go_on_where_they_meet_none(op: Any, want: list) -> None:
    found = gradient(op, slices("float64"))
    assert found.dtype == tf.float64
    assert found.numpy().tolist() == want


def test_ops_that_do_something_else_first_say_it_in_their_own_words() -> None:
    for op in (tf.atan, tf.math.erf, tf.nn.log_softmax, lambda x: tf.linalg.matvec(MATRIX, x)):
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"^cannot compute .* as input #1"):
            gradient(op, slices("float64"))


def test_slices_that_are_added_have_the_shape_of_the_first() -> None:
    def summed(*values: Any) -> Any:
        x = tf.constant([1.0, 2.0, 3.0])
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = [returning(v)(x) for v in values]
        return tape.gradient(y, x)

    assert summed(slices("float32"), slices("float32", None)).dense_shape is None  # the last one arrives first
    assert summed(slices("float32", None), slices("float32")).dense_shape.numpy().tolist() == [3]
    with pytest.raises(
        tf.errors.InvalidArgumentError, match="Value for attr 'T' of bool is not in the list of allowed"
    ):
        summed(tf.ones([3]), tf.constant([True, False, True]))
    with pytest.raises(tf.errors.InvalidArgumentError, match="expected to be a float tensor but is a bool tensor"):
        summed(tf.constant([True, False, True]), tf.ones([3]))


def test_the_gradient_of_a_broadcast_is_a_sum_even_along_no_axis() -> None:
    def spread(x: Any) -> Any:
        return tf.broadcast_to(x, [3])

    assert isinstance(gradient(spread, np.ones(3, np.float32)), tf.Tensor)
    with pytest.raises(
        tf.errors.InvalidArgumentError, match="Value for attr 'T' of bool is not in the list of allowed"
    ):
        gradient(spread, tf.constant([True, False, True]))


@tf.function
def doubled(x: Any) -> Any:
    return x * 2.0


@tf.function
def several(n: Any, x: Any) -> Any:
    return x * 2.0, n, x * 3.0


@pytest.mark.parametrize(
    ("value", "kind", "second"),
    [
        (2.0, "float", "'float' object has no attribute 'dtype'"),
        (2, "int", "'int' object has no attribute 'dtype'"),
        (np.ones(3), "numpy.ndarray", "'numpy.dtypes.Float64DType' object has no attribute '_type_enum'"),
    ],
)
def test_the_gradient_of_a_function_takes_tensors_only(value: Any, kind: str, second: str) -> None:
    text = r"^provided list of inputs contains objects other than 'EagerTensor'\. Item {} is type: {}$"
    with pytest.raises(TypeError, match=text.format(0, kind)):
        gradient(doubled, value)
    with pytest.raises(TypeError, match=text.format(1, kind)):  # whole numbers do not count
        gradient(lambda x: several(tf.constant(1), x)[2], value)
    with tf.GradientTape() as tape, pytest.raises(AttributeError, match=f"^{second}$"):
        tape.watch(tf.constant(1.0))
        gradient(doubled, value)


def test_the_gradient_of_a_function_does_not_take_a_variable() -> None:
    with pytest.raises(TypeError, match=r"Item 0 is type: ResourceVariable$"):
        gradient(doubled, tf.Variable([1.0, 2.0, 3.0]))


def test_an_upstream_of_another_dtype_is_refused_by_the_gradient_of_a_function_and_in_a_graph() -> None:
    wide = tf.ones([3], tf.float64)
    text = r"as input #1\(zero-based\) was expected to be a float tensor but is a double tensor"
    with pytest.raises(
        tf.errors.InvalidArgumentError, match=f"^cannot compute __inference___backward_several.* {text}"
    ):
        gradient(lambda x: several(tf.constant(1), x)[2], wide)
    x = tf.constant([1.0, 2.0, 3.0])
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = returning(wide)(doubled(x))
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"^cannot compute __forward___backward_doubled"):
            tape.gradient(y, x)
    widened = tf.custom_gradient(lambda x: (tf.identity(x), lambda dy: tf.cast(dy, tf.float64)))
    text = r"^input input\[0\] expected type float != double, the type of placeholder:output:0\[0\]\n\tIn {{node "

    @tf.function
    def inside(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = widened(doubled(x))
        return tape.gradient(y, x)

    with pytest.raises(tf.errors.InvalidArgumentError, match=text):
        inside(x)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.function(lambda x: widened(doubled(x)))(x)
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"Expects arg\[0\] to be float but double is provided"):
        tape.gradient(y, x)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = returning(wide)(doubled(x))
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"float != double|to be float but double is provided"):
        tape.jacobian(y, x)


@pytest.mark.parametrize("value", [tf.constant([True, False, True]), slices("float64")])
def test_the_gradient_of_a_function_compares_the_dtypes_of_all_summands(value: Any) -> None:
    passed = tf.custom_gradient(lambda x: (tf.identity(x), lambda dy: dy))
    other = tf.custom_gradient(lambda x: (tf.identity(x), lambda dy: made()))

    def made() -> Any:
        if isinstance(value, tf.IndexedSlices):
            return tf.IndexedSlices(tf.constant([5.0, 7.0], tf.float64), tf.constant([2, 0]), tf.constant([3]))
        return tf.constant([True, False, True])

    x = tf.constant([1.0, 2.0, 3.0])
    text = r"passed to 'inputs' of 'AddN' Op have types .* that don't all match"
    with tf.GradientTape() as tape, pytest.raises(TypeError, match=text):
        tape.watch(x)
        y = tf.function(lambda x: [passed(x), other(x)])(x)
        tape.gradient(y, x)
