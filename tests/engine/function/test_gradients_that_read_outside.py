"""Users' gradient functions in branches and loops that read tensors or variables from outside the function.

TensorFlow does not find these from the gradient of a branch or of a loop's body; constants and loop variables it does.
"""

import pytest

import reference_impl as tf

S = tf.constant(2.0)
OUTSIDE = tf.constant(3.0)
VARIABLE = tf.Variable(3.0)


def tripled(factor):
    @tf.custom_gradient
    def function(z):
        return z * 3.0, lambda dy, variables=None: (dy * factor(z), [None]) if variables else dy * factor(z)

    return function


def branch(f):
    return lambda s: tf.cond(s > 0.0, lambda: f(s), lambda: s)


def other_branch(f):
    return lambda s: tf.cond(s < 0.0, lambda: f(s), lambda: s)


def loop(f):
    return lambda s: tf.while_loop(lambda i, z: i < 2, lambda i, z: (i + 1, f(z)), (0, s))[1]


def rows(f):
    return lambda s: tf.map_fn(f, tf.stack([s, s * 2.0]))


def gradient(function):
    function = tf.function(function)
    with tf.GradientTape() as tape:
        tape.watch(S)
        y = function(S)
    return tape.gradient(y, S)


def gradient_inside(function):
    def differentiated(s):
        with tf.GradientTape() as tape:
            tape.watch(s)
            y = function(s)
        return tape.gradient(y, s)

    return tf.function(differentiated)(S)


@pytest.mark.parametrize("way", [gradient, gradient_inside])
@pytest.mark.parametrize("factor", [lambda z: OUTSIDE, lambda z: VARIABLE, lambda z: z * OUTSIDE])
@pytest.mark.parametrize(
    ("around", "error", "text"),
    [
        (branch, AttributeError, "Tensor.graph is undefined when eager execution is enabled"),
        (lambda f: loop(branch(f)), AttributeError, "Tensor.graph is undefined when eager execution is enabled"),
        (loop, ValueError, "is in list of internal_captures but not in internal_capture_to_output"),
        (rows, ValueError, "is in list of internal_captures but not in internal_capture_to_output"),
        (lambda f: branch(loop(f)), ValueError, "is in list of internal_captures but not in internal_capture_to_outp"),
    ],
)
def test_what_is_outside_is_not_found(around, error, text, factor, way):
    with pytest.raises(error, match=text):
        way(around(tripled(factor)))


def test_nor_is_it_in_a_branch_that_is_not_taken():
    function = tf.function(other_branch(tripled(lambda z: OUTSIDE)))
    assert function(S).numpy() == 2.0
    with tf.GradientTape() as tape, pytest.raises(AttributeError, match="is undefined when eager"):
        tape.watch(S)
        function(S)


@pytest.mark.parametrize("factor", [lambda z: 3.0, lambda z: tf.constant(3.0)])
@pytest.mark.parametrize(("around", "wanted"), [(branch, 3.0), (loop, 9.0), (rows, 9.0), (lambda f: f, 3.0)])
def test_constants_are(around, wanted, factor):
    assert gradient(around(tripled(factor))).numpy() == wanted
    assert gradient_inside(around(tripled(factor))).numpy() == wanted


@pytest.mark.parametrize("factor", [lambda z: OUTSIDE, lambda z: VARIABLE])
def test_so_is_what_is_outside_where_there_is_no_branch(factor):
    assert gradient(tripled(factor)).numpy() == 3.0
