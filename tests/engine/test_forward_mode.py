"""ForwardAccumulator: tangents, nesting, and what TensorFlow's traced functions make of them."""

import gc
import threading
import weakref

import numpy as np
import pytest

import reference_impl as tf

Accumulator = tf.autodiff.ForwardAccumulator


def tangent_of(f, x, tangent=None, **options):
    with Accumulator(x, tf.ones_like(x) if tangent is None else tangent) as accumulator:
        y = f(x)
    return accumulator.jvp(y, **options)


def nested(f, x):
    """The tangent, its tangent, and the outer tangent of the value."""
    with Accumulator(x, tf.ones_like(x)) as outer:
        with Accumulator(x, tf.ones_like(x)) as inner:
            y = f(x)
        t = inner.jvp(y)
    return float(t), float(outer.jvp(t)), float(outer.jvp(y))


@pytest.mark.parametrize(
    "f, want",
    [
        (lambda x: 3.0 * x, 4.5),
        (lambda x: x + 5.0, 1.5),
        (lambda x: x * x, 6.0),
        (lambda x: x**3, 18.0),
        (lambda x: x / 3.0, 0.5),
        (tf.exp, 11.083584),
        (tf.math.log, 0.75),
        (tf.tanh, 0.10597622),
        (tf.sqrt, 0.53033012),
        (tf.abs, 1.5),
        (lambda x: tf.reduce_sum(tf.stack([x, x * x])), 7.5),
        (lambda x: tf.where(x > 0.0, x * x, x), 6.0),
        (lambda x: x * tf.stop_gradient(x), 3.0),
    ],
)
def test_the_tangent_of_an_op(f, want):
    assert float(tangent_of(f, tf.constant(2.0), tf.constant(1.5))) == pytest.approx(want, rel=1e-6)


@pytest.mark.parametrize(
    "f", [tf.sign, tf.round, tf.floor, tf.stop_gradient, lambda x: x > 1.0, tf.shape, tf.zeros_like]
)
def test_what_does_not_depend_on_the_primal_has_no_tangent(f):
    x = tf.constant([2.0, 3.0])
    assert tangent_of(f, x) is None
    assert not np.any(tangent_of(f, x, unconnected_gradients="zero").numpy())


def test_an_input_without_a_tangent_counts_as_one_with_zeros():
    got = tangent_of(lambda x: x * tf.constant([1.0, 2.0]), tf.constant([np.inf, 1.0]))
    assert np.isnan(got.numpy()[0]) and got.numpy()[1] == 2.0


def test_the_tangent_of_a_segment_sum_is_sparse_and_that_of_an_empty_segments_maximum_is_nan():
    x, ids = tf.constant([1.0, 2.0]), tf.constant([1, 1])
    got = tangent_of(lambda v: tf.math.segment_sum(v, ids), x)
    assert type(got) is tf.IndexedSlices and got.indices.numpy().tolist() == [1, 1]
    assert np.isnan(tangent_of(lambda v: tf.math.segment_max(v, ids), x).numpy()).tolist() == [True, False]


def test_several_outputs_have_a_tangent_each_and_integer_ones_none():
    got = tangent_of(lambda v: tf.math.top_k(v, 2), tf.constant([1.0, 3.0, 2.0]), tf.constant([1.0, 2.0, 3.0]))
    assert got.values.numpy().tolist() == [2.0, 3.0] and got.indices is None


def test_complex_tangents_follow_the_derivative_not_its_conjugate():
    got = tangent_of(lambda z: z * z, tf.constant(1 + 2j), tf.constant(1 + 0.5j))
    assert complex(got) == 2 * (1 + 2j) * (1 + 0.5j)


def test_an_op_whose_gradient_cannot_be_differentiated_fails_at_once():
    with pytest.raises(LookupError, match="gradient registry has no entry for: SoftsignGrad"):
        tangent_of(tf.nn.softsign, tf.constant(2.0))
    with pytest.raises(LookupError, match="gradient registry has no entry for: Bitcast"):
        tangent_of(lambda v: tf.bitcast(v, tf.float64), tf.constant([1.0, 2.0]))


@pytest.mark.parametrize(
    "f, want",
    [
        (lambda x: 3.0 * x, (3.0, 0.0, 3.0)),
        (lambda x: x + 5.0, (1.0, 0.0, 1.0)),
        (tf.identity, (1.0, 0.0, 1.0)),
        (lambda x: x * x * x, (12.0, 12.0, 12.0)),
        (tf.nn.relu, (1.0, 0.0, 1.0)),
    ],
)
def test_the_tangent_of_a_tangent_is_zero_where_a_gradient_of_a_gradient_is_none(f, want):
    assert nested(f, tf.constant(2.0)) == want


def test_a_negated_zero_tangent_is_negative_zero():
    assert np.signbit(nested(tf.negative, tf.constant(2.0))[1])


def test_a_third_tangent():
    x, one = tf.constant(2.0), tf.constant(1.0)
    with Accumulator(x, one) as third:
        with Accumulator(x, one) as second:
            with Accumulator(x, one) as first:
                y = x**5
            t = first.jvp(y)
        tt = second.jvp(t)
    assert (float(t), float(tt), float(third.jvp(tt)), first.jvp(t)) == (80.0, 160.0, 240.0, None)


def test_forward_over_reverse_gives_a_hessian_times_a_vector():
    v = tf.Variable([1.0, 2.0])
    with Accumulator(v, tf.constant([1.0, 0.0])) as accumulator:
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(v**3)
        g = tape.gradient(y, v)
    assert g.numpy().tolist() == [3.0, 12.0] and accumulator.jvp(g).numpy().tolist() == [6.0, 0.0]


def reverse_over_forward(f, x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        with Accumulator(x, tf.ones_like(x)) as accumulator:
            y = f(x)
        t = accumulator.jvp(y)
    return tape.gradient(t, x)


@pytest.mark.parametrize(
    "f, want",
    [
        (lambda x: x**3, 12.0),
        (lambda x: 3.0 * x, 0.0),
        (tf.nn.relu, 0.0),
        (lambda x: x + 5.0, None),
        (tf.negative, None),
    ],
)
def test_reverse_over_forward_is_zero_or_none_as_the_op_makes_it(f, want):
    got = reverse_over_forward(f, tf.constant(2.0))
    assert (None if got is None else float(got)) == want


def test_the_second_gradient_of_a_tangent_is_zero_not_none():
    x = tf.constant(2.0)
    with tf.GradientTape() as outer:
        outer.watch(x)
        g = reverse_over_forward(lambda v: v * v, x)
    assert (float(g), float(outer.gradient(g, x))) == (2.0, 0.0)


def test_a_tape_sees_tangents_only_if_it_was_entered_before_the_accumulator():
    x = tf.constant(2.0)
    accumulator, tape = Accumulator(x, tf.constant(1.0)), tf.GradientTape()
    with accumulator, tape:
        tape.watch(x)
        t = accumulator.jvp(x**3)
        z = t * x
    assert float(tape.gradient(z, x)) == 12.0  # t counts as a constant
    again = tf.GradientTape()
    with again:
        again.watch(x)
        with accumulator:
            y = x**3
    assert float(again.gradient(accumulator.jvp(y), x)) == 12.0


def test_the_gradient_by_a_tape_around_two_accumulators_is_the_error_that_tensorflow_makes():
    x, one = tf.constant(2.0), tf.constant(1.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        with Accumulator(x, one) as outer:
            with Accumulator(x, one) as inner:
                y = tf.sin(x)
            t = inner.jvp(y)
    assert float(tape.gradient(outer.jvp(y), x)) == pytest.approx(-0.9092974, rel=1e-6)
    with pytest.raises(tf.errors.InternalError, match=r"returned too few gradients\. Expected 3 but received 5"):
        tape.gradient(t, x)


def test_two_accumulators_over_one_variable_are_refused_as_in_tensorflow():
    v, one = tf.Variable(3.0), tf.constant(1.0)
    with Accumulator(v, one), Accumulator(v, one), pytest.raises(ValueError, match="variable without handle data"):
        v * v


def test_custom_gradients_count_only_where_the_body_has_no_tangent():
    seven = lambda dy: dy * 7.0  # noqa: E731
    x = tf.constant(2.0)
    assert float(tangent_of(tf.custom_gradient(lambda a: (a * a, seven)), x)) == 4.0
    assert float(tangent_of(tf.custom_gradient(lambda a: (tf.round(a), seven)), x)) == 7.0
    assert float(tangent_of(tf.grad_pass_through(tf.round), x)) == 1.0


def test_recompute_grad_refuses_forward_mode():
    with pytest.raises(NotImplementedError, match="recompute_grad tried to transpose grad of <lambda>"):
        tangent_of(tf.recompute_grad(lambda a: a * a), tf.constant(2.0))


@pytest.mark.parametrize("make", [lambda: 2.5, lambda: np.float32(1.0)])
def test_a_custom_gradient_that_returns_no_tensor_fails_in_forward_mode(make):
    f = tf.custom_gradient(lambda a: (tf.round(a), lambda dy: make()))
    with pytest.raises(AttributeError, match="has no attribute '_id'"):
        tangent_of(f, tf.constant(2.0))


def test_a_tape_inside_a_custom_gradient_does_not_record_in_forward_mode():
    found = []

    def backward(dy):
        with tf.GradientTape() as tape:
            tape.watch(dy)
            z = dy * 3.0
        found.append(tape.gradient(z, dy))
        return dy

    tangent_of(tf.custom_gradient(lambda a: (tf.round(a), backward)), tf.constant(2.0))
    assert found == [None]


def test_tangents_of_variables_belong_to_the_variable_whatever_is_assigned():
    v = tf.Variable(3.0)
    with Accumulator(v, tf.constant(1.0)) as accumulator:
        v.assign(5.0)
        y = v * v
    assert (float(accumulator.jvp(y)), float(accumulator.jvp(v))) == (10.0, 1.0)


def test_gather_from_a_variable_has_a_tangent_and_sparse_read_has_none():
    v = tf.Variable([[1.0], [2.0], [3.0]])
    assert tangent_of(lambda u: tf.gather(u, [0, 2]), v).numpy().tolist() == [[1.0], [1.0]]
    with pytest.raises(AttributeError, match="'IndexedSlices' object has no attribute '_id'"):
        tangent_of(lambda u: u.sparse_read(tf.constant([0])), v)


def test_only_ops_inside_the_block_and_on_its_thread_have_tangents():
    x, results = tf.constant(3.0), []
    with Accumulator(x, tf.constant(1.0)) as accumulator:
        inside = x * x
        thread = threading.Thread(target=lambda: results.append(x * x))
        thread.start()
        thread.join()
    after = x * x
    with accumulator:
        again = inside * x
    assert [accumulator.jvp(t) is None for t in (inside, results[0], after, again)] == [False, True, True, False]


def test_errors_of_construction():
    x = tf.constant(1.0)
    with pytest.raises(ValueError, match=r"Tensor \{\} was specified as a primal multiple times"):
        Accumulator([x, x], [x, x])
    with pytest.raises(ValueError, match="Tensor conversion requested dtype float32 for Tensor with dtype float64"):
        Accumulator(x, tf.constant(1.0, tf.float64))
    with pytest.raises(ValueError, match="don't have the same number of elements"):
        Accumulator([x, tf.constant(2.0)], [x])
    with pytest.raises(AttributeError, match="'float' object has no attribute 'dtype'"):
        Accumulator(1.0, 1.0)


def test_entering_twice_is_an_error_and_leaving_twice_is_none():
    accumulator = Accumulator(tf.constant(1.0), tf.constant(1.0))
    with accumulator, pytest.raises(ValueError, match=r"Accumulator is already recording\."):
        accumulator.__enter__()
    accumulator.__exit__(None, None, None)


def test_a_primal_that_is_not_floating_warns(caplog):
    tf.clear_log_counters()
    with caplog.at_level("WARNING", logger="tensorflow"):
        assert tangent_of(lambda i: i * i, tf.constant(3)) is None
    assert caplog.messages == ["The dtype of the watched primal must be floating (e.g. tf.float32), got tf.int32"]


@pytest.mark.parametrize("value", ["bad", None])
def test_an_unknown_way_to_treat_unconnected_ones_is_refused(value):
    accumulator = Accumulator(tf.constant(1.0), tf.constant(1.0))
    with pytest.raises(ValueError, match="is not a valid UnconnectedGradients"):
        accumulator.jvp(tf.constant(1.0), unconnected_gradients=value)


def test_a_tangent_of_another_shape_is_found_by_the_first_op_that_cannot_use_it():
    x = tf.constant([1.0, 2.0])
    assert tangent_of(lambda v: -v, x, tf.constant([1.0, 2.0, 3.0])).shape == [3]
    with pytest.raises(ValueError) as error:
        tangent_of(lambda v: v * v, x, tf.constant([1.0, 2.0, 3.0]))
    assert str(error.value) == (
        "Dimensions must be equal, but are 3 and 2 for '{{node gradient_tape/gradient_tape/Mul}} = "
        "Mul[T=DT_FLOAT](tangents_1, inputs)' with input shapes: [3], [2]."
    )


def test_a_tangent_dies_with_its_tensor_and_with_its_accumulator():
    x = tf.constant([1.0, 2.0])
    gc.disable()
    try:
        with Accumulator(x, tf.ones_like(x)) as accumulator:
            y = x * x
        held = weakref.ref(accumulator.jvp(y))
        assert held() is not None
        del y
        assert held() is None
        z = x * 1.0
        with accumulator:
            z = x * x
        held = weakref.ref(accumulator.jvp(z))
        del accumulator
        assert held() is None
    finally:
        gc.enable()


def test_nothing_is_active_after_an_op_failed_in_forward_mode():
    x = tf.constant(2.0)
    with pytest.raises(LookupError):
        tangent_of(tf.nn.softsign, x)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    assert float(tape.gradient(y, x)) == 4.0


def test_both_gradients_of_a_squared_difference_share_one_product_whose_zero_keeps_its_sign() -> None:
    x = tf.constant([1.0, 1.0])
    with tf.autodiff.ForwardAccumulator(x, tf.constant([1.0, 0.0])) as accumulator:
        y = tf.math.squared_difference(x, 3.0)
    assert str(accumulator.jvp(y).numpy().tolist()) == "[-4.0, -0.0]"


def test_a_tape_around_a_tangent_whose_own_gradient_is_missing_is_refused_at_once():
    x = tf.constant([0.5, 1.0])
    assert tangent_of(lambda x: tf.math.igamma(x, 1.0), x).shape == (2,)
    with tf.GradientTape() as tape, Accumulator(x, tf.ones_like(x)):
        tape.watch(x)
        with pytest.raises(LookupError, match="operation'gradient_tape/IgammaGradA'"):
            tf.math.igamma(x, 1.0)


def test_a_tape_around_a_tangent_whose_gradient_has_no_kernel_is_refused_at_once():
    x = tf.constant([0.5, 1.0], "float16")
    assert tangent_of(tf.math.lgamma, x).dtype == tf.float16
    with tf.GradientTape() as tape, Accumulator(x, tf.ones_like(x)):
        tape.watch(x)
        with pytest.raises(TypeError, match="Value passed to parameter 'a' has DataType float16 not in list"):
            tf.math.lgamma(x)


@pytest.mark.parametrize(
    ("transform", "length", "node", "text"),
    [
        (tf.signal.irfft, [3], "mul_2/BroadcastGradientArgs", r"Incompatible shapes: \[3,2\] vs. \[4\]"),
        (tf.signal.irfft2d, [3, 4], "mul_2/BroadcastGradientArgs", r"Incompatible shapes: \[3,3\] vs. \[4\]"),
        (tf.signal.irfft2d, [2, 6], "mul_2/Reshape", "12 values, but the requested shape has 8"),
        (tf.signal.rfft, [3], "add_1/BroadcastGradientArgs", r"Incompatible shapes: \[3,3\] vs. \[3,4\]"),
        (tf.signal.rfft2d, [3, 2], "add_1/BroadcastGradientArgs", r"Incompatible shapes: \[3,2\] vs. \[3,4\]"),
    ],
)
def test_a_transform_of_fewer_numbers_fails_when_the_graph_of_its_tangent_runs(transform, length, node, text):
    x = tf.ones([3, 4])
    x = tf.complex(x, x) if transform.__name__.startswith("i") else x
    with pytest.raises(tf.errors.InvalidArgumentError, match=f"Graph execution error:(?s:.*){node}(?s:.*){text}"):
        tangent_of(lambda a: transform(a, length), x)


def test_the_turns_of_fewer_rows_do_not_fit_when_the_graph_of_a_tangent_is_made():
    text = r"but are 3 and 2 for .*MatMul.* with input shapes: \[3,3\], \[2,1\]"
    with pytest.raises(ValueError, match=text):
        tangent_of(lambda a: tf.signal.rfft2d(a, [2, 4]), tf.ones([3, 4]))


def test_a_tangent_of_what_was_concatenated_has_no_minus_zero():
    x, tangent = tf.constant([-1.0, 2.0]), tf.constant([-3.0, -4.0])
    with tf.autodiff.ForwardAccumulator(x, tangent) as accumulator:
        y = tf.nn.relu(x)
        z, alone = tf.concat([y, tf.ones([1])], 0), tf.concat([y], 0)
    np.testing.assert_array_equal(np.signbit(accumulator.jvp(z)), [False, True, False])
    np.testing.assert_array_equal(np.signbit(accumulator.jvp(alone)), [True, True])
