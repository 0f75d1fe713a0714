"""Second and higher derivatives: zero or None as TensorFlow's gradient ops make it."""

import numpy as np
import pytest

import reference_impl as tf


def derivative(f, x, order):
    """The derivative of that order by nested tapes, None from where it is None."""
    if order == 0:
        return f(x)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = derivative(f, x, order - 1)
    return None if y is None else tape.gradient(y, x)


def _orders(f, at, count):
    values = [derivative(f, tf.constant(at), k) for k in range(1, count + 1)]
    return [None if v is None else float(v) for v in values]


def test_a_product_runs_out_of_derivatives_and_a_power_goes_on_with_zeros():
    assert _orders(lambda x: x * x * x, 2.0, 5) == [12.0, 12.0, 6.0, None, None]
    got = _orders(lambda x: x**3, 2.0, 5)
    assert got == [12.0, 12.0, 6.0, 0.0, 0.0] and np.signbit(got[4])


@pytest.mark.parametrize("f", [lambda x: 3 * x, lambda x: x + x, lambda x: x - 1.0, lambda x: tf.maximum(x, 0.0)])
def test_the_second_derivative_of_a_linear_function_is_none(f):
    assert _orders(f, 0.5, 2)[1] is None


def test_the_second_derivative_of_abs_is_zero():
    assert _orders(tf.abs, 0.5, 2) == [1.0, 0.0]


@pytest.mark.parametrize(
    "f, second",
    [
        (tf.exp, 1.648721), (tf.math.log, -4.0), (tf.sin, -0.4794255), (tf.tanh, -0.726862), (tf.sqrt, -0.7071068),
        (lambda x: 1 / x, 16.0), (tf.square, 2.0),
    ],
)  # fmt: skip
def test_second_derivatives_at_one_half(f, second):
    assert _orders(f, 0.5, 2)[1] == pytest.approx(second, rel=1e-6)


def test_mixed_partials():
    x, y = tf.constant(2.0), tf.constant(3.0)
    with tf.GradientTape(persistent=True) as outer:
        outer.watch([x, y])
        with tf.GradientTape() as inner:
            inner.watch([x, y])
            z = x * x * y
        dx, dy = inner.gradient(z, [x, y])
    assert [float(g) for g in outer.gradient(dx, [x, y])] == [6.0, 4.0]
    first, second = outer.gradient(dy, [x, y])
    assert float(first) == 4.0 and second is None


def test_gradient_ops_run_after_the_outer_block_are_not_recorded():
    x = tf.constant(2.0)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = x**3
    g = inner.gradient(y, x)
    assert g.numpy() == 12.0 and outer.gradient(g, x) is None


def test_six_nested_tapes_give_the_sixth_derivative():
    assert _orders(tf.exp, 0.0, 6) == [1.0] * 6


def test_broadcast_operands_keep_their_shapes_at_second_order():
    a, b = tf.constant([[1.0, 2.0], [3.0, 4.0]]), tf.constant([1.0, 2.0])
    with tf.GradientTape() as outer:
        outer.watch(b)
        with tf.GradientTape() as inner:
            inner.watch(b)
            y = a * b * b
        g = inner.gradient(y, b)
    assert g.numpy().tolist() == [8.0, 24.0]
    assert outer.gradient(g, b).numpy().tolist() == [8.0, 12.0]


def test_products_are_recorded_by_every_tape_around_them():
    x, w = tf.constant([[1.0, 2.0]]), tf.Variable([[3.0], [4.0]])
    with tf.GradientTape() as outer, tf.GradientTape() as inner:
        y = tf.matmul(x, w) ** 2
    assert inner.gradient(y, w).numpy().tolist() == outer.gradient(y, w).numpy().tolist() == [[22.0], [44.0]]
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = tf.matmul(x, w) ** 2
        slope = inner.gradient(y, w)
    assert outer.jacobian(slope, w).numpy().reshape(2, 2).tolist() == [[2.0, 4.0], [4.0, 8.0]]


def test_products_of_float32_matrices_have_the_derivatives_of_those_of_float64():
    # gradients of small float32 products are recorded in a form of their own
    wide = np.linspace(-1.0, 1.0, 6).reshape(2, 3)

    def f(x):
        return tf.reduce_sum(tf.matmul(tf.matmul(x, x, transpose_b=True), tf.matmul(x, tf.transpose(x) * 2.0)) ** 2.0)

    for order in (1, 2, 3, 4):
        got, want = (derivative(f, tf.constant(wide.astype(kind)), order) for kind in (np.float32, np.float64))
        np.testing.assert_allclose(got.numpy(), want.numpy(), rtol=1e-4, err_msg=f"order {order}")
        assert np.abs(want.numpy()).max() > 1.0


def test_a_wrong_upstream_of_a_recorded_product_gets_the_errors_of_the_product():
    a, b = tf.constant([[1.0, 2.0]]), tf.constant([[3.0], [4.0]])
    with tf.GradientTape(), tf.GradientTape() as tape:
        tape.watch([a, b])
        y = tf.matmul(a, b)
        with pytest.raises(tf.errors.InvalidArgumentError, match="Matrix size-incompatible"):
            tape.gradient(y, b, output_gradients=tf.ones([2, 2]))


def test_a_dilated_convolution_of_rate_one_has_second_derivatives_as_its_data_format_is_known():
    x, w = tf.ones([1, 2, 2, 1]), tf.ones([1, 1, 1, 1])
    with tf.GradientTape() as outer:
        outer.watch([x, w])
        with tf.GradientTape() as inner:
            inner.watch([x, w])
            y = tf.nn.atrous_conv2d(x, w, rate=1, padding="SAME") ** 2
        by_w = inner.gradient(y, w)
    assert outer.gradient(by_w, w).numpy().item() == 8.0


def test_the_pool_whose_sizes_are_tensors_has_no_third_derivative():
    x = tf.constant([[[[1.0], [2.0]], [[4.0], [3.0]]]])

    def of_order(order):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = of_order(order - 1) if order > 1 else tf.raw_ops.MaxPoolV2(
                input=x, ksize=[1, 1, 2, 1], strides=[1, 1, 1, 1], padding="SAME"
            ) ** 3.0  # fmt: skip
        return tape.gradient(y, x)

    assert of_order(2).numpy().ravel().tolist() == [0.0, 24.0, 24.0, 18.0]
    with pytest.raises(LookupError, match="gradient registry has no entry for: MaxPoolGradGradV2"):
        of_order(3)


@pytest.mark.parametrize("reduce", [tf.reduce_sum, tf.reduce_mean])
@pytest.mark.parametrize(("axis", "fits"), [(0, True), (-1, True), ([-1], True), ([0], False), (None, False)])
def test_a_wrong_upstream_of_all_axes_kept_is_reshaped_only_where_they_are_given_in_order(reduce, axis, fits):
    a, upstream = tf.constant([1.0, 2.0, 4.0]), tf.constant([1.0, 2.0, 3.0])
    with tf.GradientTape() as outer:
        outer.watch(upstream)
        with tf.GradientTape() as inner:
            inner.watch(a)
            z = reduce(a, axis=axis, keepdims=True)
        if fits:
            g = inner.gradient(z, a, output_gradients=upstream)
        else:
            with pytest.raises(tf.errors.InvalidArgumentError, match="Input to reshape is a tensor with 3 values"):
                inner.gradient(z, a, output_gradients=upstream)
    if fits:
        count = 3 if reduce is tf.reduce_mean else 1
        np.testing.assert_array_equal(g, upstream / count)


def test_a_kept_euclidean_norm_does_not_reshape_a_wrong_upstream():
    a = tf.constant([3.0, 4.0])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(a)
        kept, plain = (tf.math.reduce_euclidean_norm(a, keepdims=keep) for keep in (True, False))
    np.testing.assert_allclose(tape.gradient(kept, a, output_gradients=tf.constant([1.0, 2.0])), [0.6, 1.6])
    with pytest.raises(tf.errors.InvalidArgumentError, match="Input to reshape is a tensor with 2 values"):
        tape.gradient(plain, a, output_gradients=tf.constant([1.0, 2.0]))
