"""What a user's gradient function returns in a traced function, as TensorFlow judges it.

A graph judges the gradients of its nodes when a tape outside wants the function's gradient; a tape inside only counts
them.  All words are those that TensorFlow printed.
"""

from __future__ import annotations

import re

import numpy as np
import pytest

import reference_impl as tf

VARIABLE = tf.Variable([5.0, 6.0], name="v")


def returning(gradient):
    """A square whose gradient function is ``gradient``."""

    @tf.custom_gradient
    def square(x):
        return x * x, gradient

    return square


def outside(function, x=(1.0, 2.0)):
    """Calls a traced function under a tape, whose gradient is made at once."""
    with tf.GradientTape() as tape:
        x = tf.constant(x)
        tape.watch(x)
        y = tf.function(function)(x)
    return tape.gradient(y, x)


def inside(function):
    @tf.function
    def gradient(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = function(x)
        return tape.gradient(y, x)

    return gradient(tf.constant([1.0, 2.0]))


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (2, "int"), (2.5, "float"), (True, "bool"), (1j, "complex"), ("a", "str"), ([2.0], "float"),
        (np.ones(2, "f"), "numpy.ndarray"), (np.float32(3), "numpy.float32"), (object(), "object"),
    ],
)  # fmt: skip
def test_a_graph_asks_for_the_name_of_a_gradient(value, kind):
    with pytest.raises(AttributeError) as raised:
        outside(returning(lambda dy: value))
    assert str(raised.value) == f"'{kind}' object has no attribute 'name'"


@pytest.mark.parametrize("value", [2.0, [2.0], [[1.0, 1.0]], [1.0, 2.0, 3.0], []])
def test_a_graph_asks_for_the_shape_of_a_gradient(value):
    with pytest.raises(ValueError) as raised:
        outside(returning(lambda dy: tf.constant(value)))
    assert str(raised.value) == (
        "Incompatible shapes between op input and calculated input gradient. Forward operation: IdentityN. Input "
        f"index: 1. Original input shape: (2,). Calculated input gradient shape: {np.shape(value)}"
    )


def test_a_graph_refuses_a_variable_as_a_gradient():
    with pytest.raises(TypeError) as raised:
        outside(returning(lambda dy: VARIABLE))
    assert str(raised.value) == (
        "Invalid gradient [<tf.Variable 'v:0' shape=(2,) dtype=float32>] [index = 0]. Gradients have to be either all "
        "Tensors or all IndexedSlices"
    )


@pytest.mark.parametrize(("returned", "count"), [([], 1), ([1, 2], 3)])
def test_a_graph_counts_gradients(returned, count):
    with pytest.raises(ValueError) as raised:
        outside(returning(lambda dy: [dy for _ in returned]))
    assert re.sub(r"CustomGradient-\d+", "CustomGradient-N", str(raised.value)) == (
        f'Num gradients {count} generated for op name: "IdentityN"\nop: "IdentityN"\ninput: "mul"\ninput: "x"\nattr '
        '{\n  key: "_gradient_op_type"\n  value {\n    s: "CustomGradient-N"\n  }\n}\nattr {\n  key: "T"\n  value {\n'
        "    list {\n      type: DT_FLOAT\n      type: DT_FLOAT\n    }\n  }\n}\n do not match num inputs 2"
    )


def test_a_gradient_of_another_dtype_is_refused_while_the_function_is_called():
    with pytest.raises(TypeError) as raised:
        outside(lambda x: returning(lambda dy: tf.cast(dy, tf.float64))(x * 2.0))
    assert (
        str(raised.value) == "Input 'y' of 'Mul' Op has type float32 that does not match type float64 of argument 'x'."
    )
    with pytest.raises(TypeError) as raised:
        outside(lambda x: returning(lambda dy: tf.cast(dy, tf.int32))(x) + x)
    assert (
        str(raised.value)
        == "Tensors in list passed to 'inputs' of 'AddN' Op have types [float32, int32] that don't all match."
    )


def test_a_graph_takes_none_slices_and_other_dtypes():
    assert outside(returning(lambda dy: None)) is None
    assert outside(returning(lambda dy: tf.cast(dy, tf.float64))).dtype is tf.float64
    slices = outside(returning(lambda dy: tf.IndexedSlices(dy, tf.constant([0, 1]), tf.constant([2]))))
    assert isinstance(slices, tf.IndexedSlices)


@pytest.mark.parametrize(("count", "received"), [(0, 1), (2, 3)])
def test_a_tape_inside_counts_gradients(count, received):
    with pytest.raises(tf.errors.InternalError) as raised:
        inside(returning(lambda dy: [dy] * count))
    text = f"InternalError: Recorded operation 'square' returned too few gradients. Expected 2 but received {received}"
    assert text in str(raised.value)


@pytest.mark.parametrize("value", [2.0, True, (1.0, 2.0, 3.0)])
def test_a_tape_inside_takes_anything_else(value):
    assert np.array_equal(inside(returning(lambda dy: tf.constant(value))), value)


def test_sums_of_unlike_gradients_are_refused_as_shapes():
    with pytest.raises(ValueError) as raised:
        inside(lambda x: returning(lambda dy: tf.constant(2.0))(x) + x)
    assert "Shapes must be equal rank, but are 1 and 0\n" in str(raised.value)


def test_arguments_are_tensors_in_a_graph():
    seen = []

    @tf.custom_gradient
    def product(x, y):
        seen.append(tf.is_tensor(y))
        return x * y, lambda dy: (dy, dy)

    tf.function(lambda x: product(x, 2.0))(tf.constant([1.0, 2.0]))
    assert seen == [True]


def test_none_is_no_argument_and_no_result_in_a_graph():
    @tf.custom_gradient
    def doubled(x, y):
        return (x * 2.0, y), lambda *dy: (dy[0], None)

    with pytest.raises(ValueError, match="None values not supported") as raised:
        tf.function(lambda x: doubled(x, None), autograph=False)(tf.constant(1.0))
    assert str(raised.value) == "None values not supported."

    nothing = tf.custom_gradient(lambda x: ((x, None), lambda *dy: dy[0]))
    with pytest.raises(ValueError, match="None values not supported") as raised:
        tf.function(lambda x: nothing(x)[0], autograph=False)(tf.constant(1.0))
    assert str(raised.value) == "Tried to convert 'input' to a tensor and failed. Error: None values not supported."


def test_a_whole_result_has_no_upstream_in_a_graph():
    seen = []

    def both(x):
        def gradient(a, b):
            seen.append(b is None)
            return a

        return (x * 2.0, tf.cast(x, tf.int32)), gradient

    def first(x):
        return tf.custom_gradient(both)(x)[0]

    outside(first)
    assert set(seen) == {True}
    seen.clear()
    inside(first)
    assert seen[-1] is False


def test_grad_pass_through_of_two_arguments_is_named_by_a_tape_inside():
    passed = tf.grad_pass_through(lambda x, y: x * y)
    with pytest.raises(tf.errors.InternalError) as raised:
        inside(lambda x: passed(x, x))
    text = "Recorded operation '_grad_pass_through_op' returned too few gradients. Expected 3 but received 2"
    assert text in str(raised.value)


def _refusing(dy):
    return _adding(dy)


def _adding(dy):
    return dy + "a"


def test_errors_tell_the_places_in_gradient_functions():
    with pytest.raises(TypeError) as raised:
        inside(returning(_refusing))
    lines = [line.strip() for line in str(raised.value).split("\n")]
    assert [line.split(", ")[2] for line in lines if line.startswith("File")][-3:] == [
        "in gradient  *", "in _refusing", "in _adding",
    ]  # fmt: skip
    assert lines[-2].startswith("TypeError: Input 'y' of 'AddV2' Op has type string")


@pytest.mark.parametrize(
    ("function", "want"),
    [
        (tf.custom_gradient(lambda x: (np.ones(2, "f"), lambda dy: dy * 3.0)), [0, 0]),
        (tf.grad_pass_through(tf.round), [0, 0]),
        (tf.custom_gradient(lambda x: (x * 2.0, lambda dy: dy * 7.0)), [2, 20]),
    ],
)
def test_in_a_graph_a_result_moves_with_the_body_alone(function, want):
    @tf.function
    def moved(x):
        with tf.autodiff.ForwardAccumulator(x, tf.constant([1.0, 10.0])) as accumulator:
            y = function(x)
        return accumulator.jvp(y)

    assert np.array_equal(moved(tf.constant([1.0, 2.0])).numpy(), want)


def test_a_gradient_by_whole_numbers_moves_nothing():
    doubled = tf.custom_gradient(lambda x, n: (x * 2.0, lambda dy: (dy * 2.0, dy)))
    x = tf.constant([1.0, 2.0])
    with tf.autodiff.ForwardAccumulator(x, tf.constant([1.0, 10.0])) as accumulator:
        y = doubled(x, tf.constant([1, 2]))
    assert np.array_equal(accumulator.jvp(y).numpy(), [2, 20])


def _by_square(x):
    return x * 2.0, lambda dy: dy * x * x


def test_a_gradient_function_sees_what_a_loop_or_a_branch_captured():
    scaled = tf.custom_gradient(_by_square)

    def looped(x):
        return tf.while_loop(lambda i, z: i < 2, lambda i, z: (i + 1, z * scaled(x)), (tf.constant(0), x))[1]

    def branched(x):
        return tf.cond(x[0] > 0, lambda: scaled(x), lambda: x)

    assert np.array_equal(outside(looped).numpy(), [8, 80])
    assert np.array_equal(inside(branched).numpy(), [1, 4])
    assert np.array_equal(outside(lambda x: tf.cond(x[0] > 0, lambda: scaled(x * 1.0), lambda: x)).numpy(), [1, 4])
    with pytest.raises(AssertionError):  # TensorFlow trips over it
        outside(branched)
