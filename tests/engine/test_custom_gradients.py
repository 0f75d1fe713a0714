"""custom_gradient, recompute_grad and grad_pass_through, with what TensorFlow 2.21 answers."""

import functools
import gc
import weakref

import numpy as np
import pytest

import reference_impl as tf


def gradient_of(f, x, **options):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return tape.gradient(y, x, **options)


def squared_with(backward):
    return tf.custom_gradient(lambda a: (a * a, backward))


def test_the_gradient_is_what_the_users_function_returns():
    assert float(gradient_of(squared_with(lambda dy: dy * 7.0), tf.constant(3.0))) == 7.0


@pytest.mark.parametrize(
    "returned", [2.5, np.array([2.5, 2.5], np.float32), tf.ones([5]), tf.constant(1.0, tf.float64)]
)
def test_whatever_it_returns_reaches_the_caller_as_it_is(returned):
    assert gradient_of(squared_with(lambda dy: returned), tf.constant([1.0, 2.0])) is returned


def test_a_float_that_flows_on_becomes_a_tensor():
    f = squared_with(lambda dy: 2.5)
    got = gradient_of(lambda x: f(2.0 * x), tf.constant(3.0))
    assert float(got) == 5.0 and got.dtype is tf.float32


def test_shapes_and_dtypes_are_judged_only_where_gradients_are_added_up():
    wrong_shape, wrong_dtype = (
        squared_with(lambda dy: tf.ones([5])),
        squared_with(lambda dy: tf.constant(1.0, tf.float64)),
    )
    with pytest.raises(tf.errors.InvalidArgumentError, match="must have the same size and shape"):
        gradient_of(lambda x: wrong_shape(x) + x * x, tf.constant(3.0))
    with pytest.raises(tf.errors.InvalidArgumentError, match="expected to be a double tensor but is a float tensor"):
        gradient_of(lambda x: wrong_dtype(x) + x * x, tf.constant(3.0))


@pytest.mark.parametrize("count", [0, 1, 3])
def test_a_wrong_number_of_gradients_is_refused(count):
    f = tf.custom_gradient(lambda a, b: (a * b, lambda dy: [dy] * count))
    x = tf.constant(3.0)
    text = f"custom_gradient function expected to return 2 gradients, but returned {count} instead."
    with pytest.raises(ValueError, match=text):
        gradient_of(lambda a: f(a, x), x)


def test_upstreams_of_unused_outputs_are_zeros_and_none_for_strings():
    seen = []

    @tf.custom_gradient
    def f(a):
        return {"b": a * 2.0, "a": tf.constant("text"), "c": a * a}, lambda *dys: seen.append(dys) or dys[1]

    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    assert list(y) == ["b", "a", "c"]
    tape.gradient(y["b"], x)
    text, used, unused = seen[0]
    assert text is None and used.numpy().tolist() == [1.0, 1.0] and unused.numpy().tolist() == [0.0, 0.0]


def test_slices_reach_the_users_function_and_leave_it_as_slices():
    seen = []

    def backward(dy):
        seen.append(dy)
        return tf.IndexedSlices(tf.constant([5.0]), tf.constant([1]), tf.constant([2]))

    f = squared_with(backward)
    got = gradient_of(lambda x: tf.gather(f(x), [1]), tf.constant([1.0, 2.0]))
    assert type(seen[0]) is tf.IndexedSlices and type(got) is tf.IndexedSlices


def test_variables_that_the_body_reads_are_handed_to_the_gradient_function():
    v, seen = tf.Variable(3.0), []

    @tf.custom_gradient
    def f(a):
        return a * v, lambda dy, variables=None: seen.append(variables) or (dy * 10.0, [dy * 20.0])

    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    assert [float(g) for g in tape.gradient(y, [x, v])] == [10.0, 20.0]
    assert len(seen[0]) == 1 and seen[0][0] is v


def test_reading_a_variable_without_a_parameter_for_it_fails_at_once_even_without_a_tape():
    v = tf.Variable(2.0, name="vv")
    f = tf.custom_gradient(lambda a: (a * v, lambda dy: dy))
    with pytest.raises(TypeError) as error:
        f(tf.constant(1.0))
    assert str(error.value) == (
        "@tf.custom_gradient grad_fn must accept keyword argument 'variables', since function uses variables: "
        "[<tf.Variable 'vv:0' shape=() dtype=float32, numpy=2.0>]"
    )


def test_variables_that_are_arguments_or_not_trainable_need_no_parameter():
    v, fixed = tf.Variable(2.0), tf.Variable(5.0, trainable=False)
    f = tf.custom_gradient(lambda a: (a * v * fixed, lambda dy: dy * 7.0))
    with tf.GradientTape() as tape:
        y = f(v)
    assert float(tape.gradient(y, v)) == 7.0


@pytest.mark.parametrize(
    "returned, error, text",
    [
        (lambda dy: (dy, []), ValueError, "Must return gradient for each variable from @custom_gradient grad_fn."),
        (lambda dy: (dy, (dy,)), TypeError, "can only concatenate list"),
        (lambda dy: dy, TypeError, "Cannot iterate over a scalar tensor."),
    ],
)
def test_gradients_of_variables_in_another_form_are_refused(returned, error, text):
    v = tf.Variable(2.0)
    f = tf.custom_gradient(lambda a: (a * v, lambda dy, variables=None: returned(dy)))
    with pytest.raises(error, match=text):
        gradient_of(f, tf.constant(1.0))


@pytest.mark.parametrize("grad_fn", [None, 3])
def test_a_gradient_that_is_no_function_is_a_type_error(grad_fn):
    with pytest.raises(TypeError, match="unsupported callable"):
        tf.custom_gradient(lambda a: (a * a, grad_fn))(tf.constant(1.0))


def test_ops_of_the_body_stay_on_the_tape():
    leaked = []

    @tf.custom_gradient
    def f(a):
        leaked.append(a * a)
        return leaked[0] * 1.0, lambda dy: dy * 7.0

    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = f(x)
        z = y + leaked[0]
    assert float(tape.gradient(y, x)) == 7.0
    assert float(tape.gradient(leaked[0], x)) == 6.0
    assert float(tape.gradient(z, x)) == 13.0


def test_the_gradient_function_runs_once_for_each_gradient_that_reaches_it():
    calls = []
    f = squared_with(lambda dy: calls.append(1) or dy)
    x, other = tf.constant(3.0), tf.constant(1.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch([x, other])
        y = f(x) * other
    tape.gradient(y, x)
    tape.gradient(y, other)
    tape.gradient(other * 1.0, x)
    assert len(calls) == 2


def test_second_order_needs_a_custom_gradient_inside_the_gradient():
    @tf.custom_gradient
    def f(x):
        def first(dy):
            @tf.custom_gradient
            def inner(a):
                return a * 0.0 + 5.0, lambda ddy: ddy * 11.0

            return dy * inner(x)

        return x * x, first

    x = tf.constant(3.0)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        g = tape.gradient(y, x)
    assert (float(g), float(outer.gradient(g, x))) == (5.0, 11.0)


def test_a_method_is_bound_to_its_instance_which_is_no_input():
    class Layer:
        scale = 7.0

        @tf.custom_gradient
        def call(self, x):
            return x * x, lambda dy: dy * self.scale

    assert float(gradient_of(Layer().call, tf.constant(3.0))) == 7.0


def test_a_function_object_without_a_name_is_an_attribute_error():
    f = tf.custom_gradient(functools.partial(_keeping, 1))
    with pytest.raises(AttributeError, match=r"'functools\.partial' object has no attribute '__name__'"):
        f(tf.constant(1.0))


def test_each_of_two_tapes_sees_what_it_watched_behind_several_outputs():
    x, z = tf.constant(2.0), tf.constant(5.0)
    f = tf.custom_gradient(lambda a: ((a * z, a + z), lambda d, e: d * 100.0 + e))
    with tf.GradientTape(persistent=True) as first:
        first.watch(z)
        with tf.GradientTape(persistent=True) as second:
            second.watch(x)
            y = f(x)
    assert [float(first.gradient(part, z)) for part in y] == [2.0, 1.0]
    assert [float(second.gradient(part, x)) for part in y] == [100.0, 1.0]


@pytest.mark.parametrize("returned", [2.5, np.float32(2.5)])
def test_what_is_no_tensor_cannot_be_added_up(returned):
    f = squared_with(lambda dy: returned)
    with pytest.raises(AssertionError):
        gradient_of(lambda x: f(x) + x * x, tf.constant(3.0))


def test_the_decorated_function_keeps_name_and_documentation():
    @tf.custom_gradient()
    def square(x):
        """What it says."""
        return x * x, lambda dy: dy

    assert (square.__name__, square.__doc__) == ("square", "What it says.")
    assert callable(square.__wrapped__)


@pytest.mark.parametrize("persistent", [False, True])
def test_nothing_of_a_custom_gradient_outlives_its_tape(persistent):
    class Big:
        pass

    big = Big()
    held = weakref.ref(big)
    body = functools.partial(_keeping, big)
    body.__name__ = "keeping"
    f = tf.custom_gradient(body)
    x = tf.constant(3.0)
    gc.disable()
    try:
        with tf.GradientTape(persistent=persistent) as tape:
            tape.watch(x)
            y = f(x)
        tape.gradient(y, x)
        del big, body, f, y, tape
        assert held() is None
    finally:
        gc.enable()


def _keeping(big, x):
    return x * x, lambda dy: dy if big else None


def test_recompute_grad_runs_the_function_twice_and_has_its_gradients():
    calls, v = [], tf.Variable(2.0)

    @tf.recompute_grad
    def f(a, b):
        calls.append(1)
        return a * a * v

    x, unused = tf.constant(3.0), tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch([x, unused])
        y = f(x, unused)
    dx, du, dv = tape.gradient(y, [x, unused, v])
    assert (float(dx), du.numpy().tolist(), float(dv), len(calls)) == (12.0, [0.0, 0.0], 9.0, 2)


def test_recompute_grad_has_second_derivatives():
    f, x = tf.recompute_grad(lambda a: a**3), tf.constant(2.0)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        g = tape.gradient(y, x)
    assert (float(g), float(outer.gradient(g, x))) == (12.0, 12.0)


def test_one_tensor_in_two_places_of_recompute_grad_counts_twice():
    f = tf.recompute_grad(lambda a, b: a * b + a)
    x = tf.constant([1.0, 2.0, 3.0])
    assert gradient_of(lambda a: f(a, a), x).numpy().tolist() == [3.0, 5.0, 7.0]


def test_grad_pass_through_is_an_identity_backwards_whatever_the_shapes():
    x = tf.constant(1.3)
    assert float(gradient_of(lambda a: tf.grad_pass_through(tf.round)(a * 2.0), x)) == 2.0
    assert gradient_of(tf.grad_pass_through(tf.reduce_sum), tf.constant([1.0, 2.0])).shape.rank == 0
    v = tf.Variable(1.0)
    with tf.GradientTape() as tape:
        z = tf.constant(3.0)
        tape.watch(z)
        y = tf.grad_pass_through(v.assign)(z**2)
    dz, dv = tape.gradient(y, [z, v])
    assert (float(y), float(dz), dv) == (9.0, 6.0, None)


def test_what_has_a_custom_gradient_is_recomputed_not_run_as_it_is():
    count = []

    @tf.custom_gradient
    def square(x):
        count.append(1)
        return x * x, lambda dy: 7.0 * dy

    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.recompute_grad(square)(x)
    assert float(tape.gradient(y, x)) == 7.0
    assert len(count) == 2


def test_an_upstream_of_zeros_made_of_an_input_is_recorded_and_asks_for_the_transpose():
    x = tf.constant(1.0)
    for f, raises in ((tf.sign, True), (tf.round, False)):
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = f(tf.recompute_grad(tf.square)(x))
            g = inner.gradient(y, x)
        if raises:
            with pytest.raises(NotImplementedError, match="recompute_grad tried to transpose grad of square"):
                outer.gradient(g, x)
        else:
            assert g is None
