"""Gradients by way of traced functions: one op to the tape, zeros where eager code has None, as in TensorFlow 2.21."""

import gc
import weakref

import pytest

import reference_impl as tf
from reference_impl.tapes.records import record_at

c = tf.constant
W = c(4.0)


def first(body, *xs):
    """Gradients of a traced function."""
    f = tf.function(body)
    with tf.GradientTape() as tape:
        tape.watch([*xs, W])
        y = f(*xs)
    return [None if g is None else g.numpy().tolist() for g in tape.gradient(y, [*xs, W])]


def orders(body, x, count):
    """Derivatives of a traced function up to an order, None from the first one that is."""
    f = tf.function(body)

    def derivative(order):
        if not order:
            return f(x)
        with tf.GradientTape() as tape:
            tape.watch(x)
            below = derivative(order - 1)
        return None if below is None else tape.gradient(below, x)

    return [None if (d := derivative(k)) is None else d.numpy().tolist() for k in range(1, count + 1)]


@pytest.mark.parametrize(
    "body, want",
    [
        (lambda x: 3.0 * x, [3.0, 0.0]), (lambda x: x + x, [2.0, None]), (lambda x: -x, [-1.0, None]),
        (lambda x: x + 1.0, [1.0, None]), (tf.identity, [1.0, None]), (lambda x: x, [1.0, None]),
        (lambda x: tf.reshape(x, [1]), [1.0, None]),
        (tf.reduce_mean, [1.0, None]),
        (tf.nn.relu, [1.0, 0.0]), (lambda x: tf.maximum(x, 0.0), [1.0, None]), (lambda x: x * W, [4.0, 0.0]),
        (lambda x: tf.floor(x) * 1.0, [None, None]), (lambda x: x * x, [6.0, 2.0]), (lambda x: x / 2.0, [0.5, 0.0]),
        (lambda x: x * x * x, [27.0, 18.0]),
        (lambda x: tf.cond(x > 0, lambda: x * x, lambda: 3.0 * x), [6.0, 2.0]),
        (lambda x: tf.cond(x > 0, lambda: 2.0 * x, lambda: 3.0 * x), [2.0, None]),
        (lambda x: tf.cond(x > 0, lambda: x * 1.0, lambda: W), [1.0, None]),
        (lambda x: tf.cond(x > 0, lambda: -x, lambda: x + x), [-1.0, None]),
    ],
)  # fmt: skip
def test_the_second_derivative_is_zero_if_the_first_one_uses_any_value(body, want):
    assert orders(body, c(3.0), 2) == want


def test_third_derivatives():
    assert orders(lambda x: x**3 * W, c(2.0), 3) == [48.0, 48.0, 24.0]
    assert orders(lambda x: tf.cond(x > 0, lambda: tf.exp(x), lambda: x), c(0.0), 3)[0] == 1.0
    loop = lambda x: tf.while_loop(lambda i, s: i < 3, lambda i, s: (i + 1, s * x), (0, x))[1]  # noqa: E731
    assert orders(loop, c(2.0), 3) == [32.0, 48.0, 48.0]


def test_a_call_is_one_op_and_its_constants_give_zero():
    x = c(3.0)
    f = tf.function(lambda a: (a * a, c(5.0)))
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        square, constant = f(x)
    assert float(tape.gradient(constant, x)) == 0.0 and float(tape.gradient(square, x)) == 6.0
    assert float(tape.gradient(square, x, output_gradients=[None])) == 0.0


def test_inputs_that_cannot_reach_an_output_give_none():
    assert first(lambda a, b: a * a, c(3.0), c(2.0)) == [6.0, None, None]
    assert first(lambda a: c(1.0), c(3.0)) == [None, None]
    assert first(lambda a: tf.cast(a, tf.int32), c(3.0)) == [None, None]


def test_captured_tensors_and_variables_are_inputs():
    v = tf.Variable(3.0)
    assert first(lambda a: a * W, c(2.0)) == [4.0, 2.0]
    f = tf.function(lambda: v * v)
    with tf.GradientTape() as tape:
        y = f()
    assert tape.watched_variables() == (v,) and float(tape.gradient(y, v)) == 6.0


def test_a_variable_as_an_argument_is_not_the_one_of_the_first_call():
    a, b = tf.Variable(1.0), tf.Variable(5.0)

    @tf.function
    def f(v):
        with tf.GradientTape() as tape:
            y = v * v
        return tape.gradient(y, [a, b])

    assert [g if g is None else float(g) for g in f(a)] == [2.0, None]
    assert [g if g is None else float(g) for g in f(b)] == [10.0, None]


def test_tapes_inside_and_outside():
    @tf.function
    def slope(a, b):
        with tf.GradientTape() as tape:
            tape.watch(a)
            y = a * a * b
        return tape.gradient(y, a)

    assert float(slope(c(2.0), c(3.0))) == 12.0
    assert first(slope, c(2.0), c(3.0)) == [6.0, 4.0, None]


def test_every_method_of_a_tape_works_inside():
    @tf.function
    def f(x):
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = tf.stack([x[0] * x[1], x[1] ** 2])
            with tape.stop_recording():
                z = y * 2.0
        batch = tape.batch_jacobian(tf.reshape(y, [2, 1]), tf.reshape(x, [2, 1]))
        return tape.jacobian(y, x), tape.jacobian(y, x, experimental_use_pfor=False), tape.gradient(z, x), batch

    rows, by_row, stopped, batch = f(c([2.0, 3.0]))
    assert rows.numpy().tolist() == [[3.0, 2.0], [0.0, 6.0]] == by_row.numpy().tolist()
    assert stopped is None and batch.shape == (2, 1, 1)


def test_slices_cross_the_boundary():
    x = c([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    f = tf.function(lambda a: tf.gather(a, [2, 0]))
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    got = tape.gradient(y, x)
    assert type(got) is tf.IndexedSlices and got.indices.numpy().tolist() == [2, 0]

    @tf.function
    def inside(a, rows):
        with tf.GradientTape() as tape:
            tape.watch(a)
            y = tf.reduce_sum(tf.gather(a, rows) ** 2)
        return tape.gradient(y, a)

    assert inside(x, c([0])).indices.numpy().tolist() == [0]
    again = inside(x, c([1]))
    assert again.indices.numpy().tolist() == [1] and again.values.numpy().tolist() == [[6.0, 8.0]]


def test_an_op_without_gradient_raises_when_the_function_is_called_under_a_tape():
    from reference_impl.ops.declare import MISSING, kernel

    strange = kernel("strange_op", "Strange", forward=lambda x: x + 1, gradient=MISSING)
    x = c(1.0)
    f = tf.function(strange)
    assert float(f(x)) == 2.0
    with tf.GradientTape() as tape:
        tape.watch(x)
        with pytest.raises(LookupError, match=r"No gradient defined for operation'Strange' \(op type: Strange\)"):
            f(x)


def test_custom_gradients_are_traced_once_and_use_the_values_of_each_call():
    calls = []

    @tf.custom_gradient
    def ten_times(a):
        e = tf.exp(a)

        def gradient(upstream):
            calls.append(1)
            return upstream * e * 10.0

        return e, gradient

    f = tf.function(ten_times)
    for value in (0.0, 1.0, 2.0):
        x = c(value)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        assert float(tape.gradient(y, x)) == pytest.approx(10 * float(tf.exp(x)), rel=1e-6)
    assert len(calls) == 1


def test_keyword_arguments_of_custom_gradients_are_refused_in_graphs():
    f = tf.custom_gradient(lambda a, b: (a * b, lambda d: d * b))
    with pytest.raises(ValueError, match="currently supports keywords arguments only when eager execution is enabled"):
        tf.function(lambda a: f(a, b=c(2.0)))(c(1.0))


def test_recomputed_functions_inside():
    assert first(tf.recompute_grad(lambda a: a * a * W), c(3.0)) == [24.0, None]


def test_forward_mode_over_and_inside():
    x = c(2.0)
    cube = tf.function(lambda a: a * a * a)
    with tf.autodiff.ForwardAccumulator(x, c(1.0)) as accumulator:
        y = cube(x)
    assert float(accumulator.jvp(y)) == 12.0

    @tf.function
    def inside(a):
        with tf.autodiff.ForwardAccumulator(a, tf.ones_like(a)) as accumulator:
            with tf.GradientTape() as tape:
                tape.watch(a)
                y = a * a * a
            g = tape.gradient(y, a)
        return accumulator.jvp(g)

    assert float(inside(x)) == 12.0 and float(inside(c(3.0))) == 18.0


def test_gradients_without_a_tape():
    @tf.function
    def f(a, b):
        second = tf.gradients(tf.gradients(a * a * a, a)[0], a)[0]
        m = a * 2.0
        return tf.gradients(a * b * b, [a, b]), second, tf.gradients(b, a), tf.gradients(m * m, [m, a])

    pair, second, none, inner = f(c(2.0), c(3.0))
    assert [float(g) for g in pair] == [9.0, 12.0] and float(second) == 12.0 and none == [None]
    assert [float(g) for g in inner] == [8.0, 16.0]
    stopped = tf.function(lambda x: (lambda y: tf.gradients(y + x, [x, y], stop_gradients=[y]))(x * x))(c(3.0))
    assert [float(g) for g in stopped] == [1.0, 1.0]
    hessian = tf.function(lambda x: tf.hessians(tf.reduce_sum(x * x * x), x))(c([1.0, 2.0]))[0]
    assert hessian.numpy().tolist() == [[6.0, 0.0], [0.0, 12.0]]
    with pytest.raises(RuntimeError, match=r"tf\.gradients is not supported when eager execution is enabled"):
        tf.gradients(c(1.0), c(1.0))


def test_nothing_of_a_call_outlives_its_gradient():
    x = c([1.0, 2.0])
    f = tf.function(lambda a: tf.exp(a) * a)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    trace = tape._tape
    kept = weakref.ref(record_at(trace.records, 0)[3]["called"].inside[0])
    assert kept() is not None
    gc.disable()
    try:
        del trace
        tape.gradient(y, x)
        assert kept() is None
    finally:
        gc.enable()


def test_a_tape_from_outside_is_asked_at_once():
    x = c(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x * x
    f = tf.function(lambda: tape.gradient(y, x))
    assert [float(f()), float(f())] == [12.0, 12.0]


def test_upstream_gradients_of_another_dtype_are_refused():
    x = c(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.function(lambda a: a * a)(x)
    refused = r"as input #0\(zero-based\) was expected to be a float tensor but is a double tensor"
    with pytest.raises(tf.errors.InvalidArgumentError, match=refused):
        tape.gradient(y, x, output_gradients=c(1.0, tf.float64))


def test_no_upstream_of_a_function_that_depends_on_nothing_is_looked_at() -> None:
    @tf.function
    def slope(x: tf.Tensor) -> tf.Tensor:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.identity(x)
        return tape.gradient(y, x)

    x = tf.constant(1.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        z = slope(x)
        assert tape.gradient(z, x, output_gradients=[2]) is None
    assert tape.gradient(z, x, output_gradients=[2]) is None


@pytest.mark.parametrize(
    ("body", "shape", "fails"),
    [
        (lambda q: q * W, [], True),
        (tf.exp, [3], True),
        (tf.nn.relu, [1, 1], True),
        (tf.square, [], False),
        (lambda q: -q, [], False),
    ],
)
@pytest.mark.parametrize("persistent", [False, True])
def test_an_upstream_of_another_shape_meets_zeros_where_a_second_derivative_is_possible(body, shape, fails, persistent):
    x, f, dy = c([[1.0, 2.0, 3.0]]), tf.function(body), tf.fill(shape, 2.0)
    with tf.GradientTape(persistent=persistent) as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            if not persistent:
                inner.watch(x)
            y = f(x)
    if not fails:
        assert outer.gradient(y, x, output_gradients=dy) is not None
        return
    text = ",".join(map(str, shape))
    with pytest.raises(
        tf.errors.InvalidArgumentError, match=rf"gradients/AddN of type AddN .*Input 0: \[{text}\] != input 1: \[1,3\]"
    ):
        outer.gradient(y, x, output_gradients=dy)


@pytest.mark.parametrize(
    "body",
    [
        tf.function(lambda q: q * W),
        lambda q: -tf.function(lambda r: r * W)(q),
        lambda q: tf.cond(tf.reduce_sum(q) > 0, lambda: q * W, lambda: q),
        lambda q: tf.while_loop(lambda i, a: i < 1, lambda i, a: (i + 1, a * W), [0, q])[1],
    ],
)
def test_an_upstream_of_another_shape_meets_zeros_inside_only_where_it_does_outside(body):
    x, f = c([[1.0, 2.0, 3.0]]), tf.function(body)
    for persistent in (False, True):
        with tf.GradientTape(persistent=persistent) as tape:
            tape.watch(x)
            y = f(x)
        if persistent:
            with pytest.raises(tf.errors.InvalidArgumentError, match=r"Input 0: \[\] != input 1: \[1,3\]"):
                tape.gradient(y, x, output_gradients=c(2.0))
        else:
            assert abs(float(tape.gradient(y, x, output_gradients=c(2.0)))) == 8.0


def test_a_wrong_upstream_of_a_function_is_summed_along_the_axes_that_its_shapes_tell():
    x, u = c([[1.0, 2.0, 3.0]]), c([[1.0], [1.0]])

    def shapes(dy, y):
        with tf.GradientTape() as tape:
            tape.watch([x, y])
            z = tf.function(lambda a, b: a + b)(x, y)
        return [g.shape.as_list() for g in tape.gradient(z, [x, y], output_gradients=dy)]

    assert shapes(tf.ones([2, 3]), u) == [[1, 3], [2, 1]]
    assert shapes(tf.ones([4, 3]), u) == [[1, 3], [4, 1]]
    assert shapes(tf.ones([1, 1]), u) == [[1, 1], [1, 1]]
    assert shapes(tf.ones([1, 1]), c(1.0)) == [[1, 1], []]
    with pytest.raises(tf.errors.InvalidArgumentError, match="a tensor with 2 values, but the requested shape has 1"):
        shapes(tf.ones([2, 3]), c(1.0))
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"Invalid reduction dimension .1 for input with 0 dim"):
        shapes(c(2.0), c(1.0))


def test_open_sizes_and_possible_second_derivatives_make_the_gradient_of_a_gather_dense():
    x = tf.ones([3, 2])
    f = tf.function(lambda x: tf.gather(x, [0]), input_signature=[tf.TensorSpec([None, 2])])

    def kind(persistent):
        with tf.GradientTape(persistent=persistent) as tape:
            tape.watch(x)
            y = f(x)
        return type(tape.gradient(y, x)).__name__

    assert [kind(False), kind(True)] == ["IndexedSlices", "EagerTensor"]
