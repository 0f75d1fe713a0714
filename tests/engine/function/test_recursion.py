"""Functions that call themselves, or a function of their own name, from a traced one.  The answers are TensorFlow's."""

import reference_impl as tf


def power(x, n):
    return tf.ones_like(x) if n == 0 else x * power(x, n - 1)


def leaves(nest):
    if isinstance(nest, (list, tuple)):
        return [leaf for part in nest for leaf in leaves(part)]
    return [nest]


def scaled(x):
    return x * 3.0


class Model:
    def scaled(self, x):
        if tf.reduce_sum(x) > 0.0:
            x = x + 1.0
        return scaled(x)


def nested():
    def doubled(x, n):
        if tf.reduce_sum(x) > 5.0:
            x = x - 2.0
        return x if n == 0 else doubled(x * 2.0, n - 1)

    return doubled


def asked(function):
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.function(function)(x)
    return y.numpy().tolist(), tape.gradient(y, x).numpy().tolist()


def test_a_function_may_call_itself():
    assert asked(lambda x: power(x, 3)) == ([1.0, 8.0], [3.0, 12.0])


def test_a_function_may_call_itself_in_a_comprehension():
    assert asked(lambda x: tf.add_n(leaves([x, [x, (x,)]]))) == ([3.0, 6.0], [3.0, 3.0])


def test_a_method_may_call_the_function_of_its_name():
    assert asked(Model().scaled) == ([6.0, 9.0], [3.0, 3.0])


def test_a_function_in_a_function_may_call_itself():
    assert asked(lambda x: nested()(x, 2)) == ([0.0, 4.0], [4.0, 4.0])
