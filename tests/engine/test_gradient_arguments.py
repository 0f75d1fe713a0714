"""gradient(): targets, sources, the structure of the result, output_gradients, unconnected_gradients."""

import collections

import numpy as np
import pytest

import reference_impl as tf


@pytest.fixture
def square():
    """A persistent tape with x = [1, 2], y = x * x and w = 3 * x; and z, which nothing knows."""
    x, z = tf.constant([1.0, 2.0]), tf.constant([4.0, 5.0])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y, w = x * x, 3 * x
    return collections.namedtuple("Square", "tape x y w z")(tape, x, y, w, z)


def _values(gradient):
    return None if gradient is None else gradient.numpy().tolist()


@pytest.mark.parametrize(
    "target, want",
    [
        (lambda s: s.y, [2.0, 4.0]),
        (lambda s: [s.y, s.w], [5.0, 7.0]),
        (lambda s: {"a": s.y, "b": [s.w, (s.y,)]}, [7.0, 11.0]),
        (lambda s: [s.y, s.y], [4.0, 8.0]),
        (lambda s: [], None),
        (lambda s: s.x, [1.0, 1.0]),
        (lambda s: [s.x, s.y], [3.0, 5.0]),
        (lambda s: tf.constant(1), None),
        (lambda s: tf.float32, AttributeError("'DType' object has no attribute '_id'")),
        (lambda s: [s.y, None], TypeError("Cannot convert the argument `type_value`: None to a TensorFlow DType.")),
        (lambda s: 3.0, AttributeError("'float' object has no attribute 'dtype'")),
        (lambda s: 1.0, AttributeError("'float' object has no attribute '_id'")),
        (lambda s: 3, AttributeError("'int' object has no attribute 'dtype'")),
        (lambda s: True, AttributeError("'bool' object has no attribute '_id'")),
        (lambda s: "s", TypeError("Cannot convert the argument `type_value`: 's' to a TensorFlow DType.")),
        (lambda s: np.ones(2), AttributeError("'numpy.ndarray' object has no attribute '_id'")),
        (lambda s: {1.0}, TypeError("Cannot convert the argument `type_value`: {1.0} to a TensorFlow DType.")),
    ],
)
def test_targets_are_summed_or_refused(square, target, want):
    if isinstance(want, Exception):
        with pytest.raises(type(want)) as error:
            square.tape.gradient(target(square), square.x)
        assert str(error.value) == str(want)
    else:
        assert _values(square.tape.gradient(target(square), square.x)) == want


def test_a_target_that_is_its_own_source_gives_ones_even_unwatched(square):
    tape, z = square.tape, square.z
    assert _values(tape.gradient(z, z)) == [1.0, 1.0]
    assert _values(tape.gradient(tf.constant([1, 2]), tf.constant([1, 2]))) is None
    for value, want in [(tf.constant([1, 2]), [1, 1]), (tf.constant(True), True)]:
        assert _values(tape.gradient(value, value)) == want
    text = tf.constant("a")
    assert tape.gradient(text, text, unconnected_gradients="zero") is None
    v = tf.Variable([1.0, 2.0])
    assert _values(tape.gradient(v, v)) == [1.0, 1.0]


def test_the_result_has_the_structure_of_the_sources(square):
    tape, x, y, _, z = square
    assert isinstance(tape.gradient(y, (x,)), tuple) and isinstance(tape.gradient(y, [x]), list)
    assert tape.gradient(y, []) == [] and tape.gradient(y, {}) == {}
    assert list(tape.gradient(y, {"b": x, "a": [z, x]})) == ["b", "a"]
    pair = collections.namedtuple("Pair", "first second")
    got = tape.gradient(y, pair(x, z))
    assert type(got) is pair and _values(got.first) == [2.0, 4.0] and got.second is None
    ordered = tape.gradient(y, collections.OrderedDict([("b", x), ("a", z)]))
    assert type(ordered) is collections.OrderedDict and list(ordered) == ["b", "a"]
    first, second = tape.gradient(y, [x, x])
    assert first is second
    with pytest.raises(TypeError, match="'<' not supported between instances"):
        tape.gradient(y, {1: x, "a": z})


def test_seeds_go_to_targets_and_are_never_checked(square):
    tape, x, y, w, _ = square
    assert _values(tape.gradient(y, x, [tf.constant([10.0, 1.0])])) == [20.0, 4.0]
    assert _values(tape.gradient(y, x, np.array([10.0, 1.0], "float32"))) == [20.0, 4.0]
    assert _values(tape.gradient(y, x, [10.0, 1.0])) == [20.0, 40.0]  # a list is two seeds, the second is surplus
    assert _values(tape.gradient(y, x, tf.constant(10.0))) == [20.0, 40.0]
    assert _values(tape.gradient(y, x, [])) == [2.0, 4.0]
    assert _values(
        tape.gradient({"b": y, "a": w}, x, {"a": tf.constant([1.0, 1.0]), "b": tf.constant([2.0, 2.0])})
    ) == [
        7.0,
        11.0,
    ]


@pytest.mark.parametrize(
    "seed, kind, text",
    [
        (
            np.array([10.0, 1.0]),
            "InvalidArgumentError",
            "cannot compute Mul as input #1(zero-based) was expected to be a "
            "double tensor but is a float tensor [Op:Mul] name: ",
        ),
        (
            2,
            "InvalidArgumentError",
            "cannot compute Mul as input #1(zero-based) was expected to be a int32 tensor but is a "
            "float tensor [Op:Mul] name: ",
        ),
        (tf.constant([1.0, 2.0, 3.0]), "InvalidArgumentError", "Incompatible shapes: [3] vs. [2] [Op:Mul] name: "),
        (
            [None],
            "ValueError",
            "Attempt to convert a value (None) with an unsupported type (<class 'NoneType'>) to a Tensor.",
        ),
    ],
)
def test_a_seed_fails_in_the_op_that_meets_it(square, seed, kind, text):
    with pytest.raises(Exception) as error:
        square.tape.gradient(square.y, square.x, seed)
    assert type(error.value).__name__ == kind and str(error.value).endswith(text)


def test_a_wrong_seed_leaks_through_ops_that_do_not_look():
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        same, twice, plus = tf.identity(x), x + x, x + 1.0
    assert _values(tape.gradient(same, x, tf.constant([1.0, 2.0]))) == [1.0, 2.0]
    assert tape.gradient(same, x, tf.constant(2.0, tf.float64)).dtype == tf.float64
    assert _values(tape.gradient(plus, x, tf.constant([1.0, 2.0]))) == [1.0, 2.0]
    with pytest.raises(tf.errors.InvalidArgumentError, match="tensor with 2 values, but the requested shape has 1"):
        tape.gradient(twice, x, tf.constant([1.0, 2.0]))
    seed = tf.constant(5.0)
    assert tape.gradient(x, x, seed) is seed


def test_too_few_seeds_raise_where_tensorflow_crashes(square):
    with pytest.raises(ValueError, match="output_gradients has 1 entries for 2 targets"):
        square.tape.gradient([square.y, square.w], square.x, [tf.constant([1.0, 1.0])])


def test_seeds_are_differentiable():
    x, seed = tf.constant(3.0), tf.constant(2.0)
    with tf.GradientTape() as outer:
        outer.watch(seed)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x
        g = tape.gradient(y, x, seed)
    assert g.numpy() == 12.0 and outer.gradient(g, seed).numpy() == 6.0


@pytest.mark.parametrize("value", ["ZERO", "Zero", "", None, 0, True])
def test_an_unknown_unconnected_value_is_refused_and_consumes_nothing(square, value):
    with pytest.raises(ValueError) as error:
        square.tape.gradient(square.y, square.x, unconnected_gradients=value)
    assert str(error.value) == f"Unknown value for unconnected_gradients: {value!r}"


def test_unconnected_zeros_have_the_shape_and_dtype_of_the_source(square):
    sources = [
        tf.constant([1, 2]),
        tf.constant(True),
        tf.constant("a"),
        tf.constant(1j),
        tf.Variable([1.0], dtype=tf.float16),
    ]
    got = square.tape.gradient(square.y, sources, unconnected_gradients=tf.UnconnectedGradients.ZERO)
    assert [g.dtype.name for g in got] == ["int32", "bool", "string", "complex128", "float16"]
    assert [g.numpy().tolist() if g.dtype != tf.string else g.numpy() for g in got] == [[0, 0], False, b"", 0j, [0.0]]
    a, b = square.tape.gradient(square.y, [square.z, square.z], unconnected_gradients="zero")
    assert a is not b


def test_checks_come_in_tensorflows_order(square):
    tape, x, y, _, _ = square
    with pytest.raises(AttributeError):
        tape.gradient(y, 3.0, unconnected_gradients="bad")
    with pytest.raises(ValueError, match="Unknown value"):
        tape.gradient(y, x, output_gradients=[None], unconnected_gradients="bad")
    with pytest.raises(ValueError, match="unsupported type"):
        tape.gradient(y, x, output_gradients=object, unconnected_gradients="bad")


def test_an_unknown_target_that_is_a_source_loses_its_upstream_when_a_recorded_op_used_it() -> None:
    x = tf.constant(1.0)
    with tf.GradientTape(persistent=True) as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = x * x
        by_x, by_y = inner.gradient(y, [x, y])
    assert outer.gradient([by_y, by_x], by_y, output_gradients=[tf.constant(1.0), tf.constant(1.0)]) is None
    assert outer.gradient([by_y, by_x], by_y) is None
    assert float(outer.gradient(by_y, by_y, output_gradients=tf.constant(3.0))) == 3.0


@pytest.mark.parametrize(
    "function", [lambda x: x @ tf.ones([2, 1]), lambda x: tf.einsum("abc->cab", x), tf.reduce_mean]
)
def test_a_none_among_upstreams_cannot_be_made_a_tensor(function):
    x = tf.ones([2, 1, 2])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = function(x)
    with pytest.raises(ValueError, match=r"Attempt to convert a value \(None\)"):
        tape.gradient(y, x, output_gradients=[None])


@pytest.mark.parametrize(
    "function",
    [
        lambda x: tf.cast(x, tf.float64),
        lambda x: tf.reduce_max(x, axis=0, keepdims=True),
        lambda x: tf.reduce_min(x, keepdims=True),
    ],
)
def test_a_none_that_a_gradient_function_asks_for_its_dtype_has_none(function):
    x = tf.ones([2])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = function(x)
    with pytest.raises(AttributeError, match="'NoneType' object has no attribute 'dtype'"):
        tape.gradient(y, x, output_gradients=[None])


_RESHAPED = "Input to reshape is a tensor with 4 values"
_MULTIPLIED = "Incompatible shapes"


@pytest.mark.parametrize(
    "dtype, shape, op, text",
    [
        ("float64", (1, 3), tf.multiply, _RESHAPED),
        ("float32", (1, 3), tf.multiply, _MULTIPLIED),
        ("float32", (), tf.multiply, _RESHAPED),
        ("float32", (1, 3), tf.pow, _RESHAPED),
        ("float32", (), tf.math.squared_difference, _RESHAPED),
        ("float32", (1, 3), tf.math.squared_difference, _MULTIPLIED),
    ],
)
def test_a_recorded_gradient_is_reshaped_where_shapes_alone_do_not_show_that_nothing_was_broadcast(
    dtype, shape, op, text
):
    x, y = tf.fill((1, 3), tf.constant(2.0, dtype)), tf.fill(shape, tf.constant(2.0, dtype))
    with tf.GradientTape(persistent=True) as tape:
        tape.watch([x, y])
        g = tape.gradient(op(op(x, y), y), x)
    with pytest.raises(tf.errors.InvalidArgumentError, match=text):
        tape.gradient(g, x, [tf.ones((2, 2), dtype)])


def test_the_gradient_of_a_new_main_diagonal_takes_no_slices():
    x, d = tf.ones((3, 2)), tf.ones((2,))
    with tf.GradientTape(persistent=True) as tape:
        tape.watch([x, d])
        y = tf.raw_ops.MatrixSetDiag(input=x, diagonal=d)
        z = tf.gather(y, 0)
    with pytest.raises(AttributeError, match="'IndexedSlices' object has no attribute 'get_shape'"):
        tape.gradient(z, x)
    with pytest.raises(ValueError, match=r"Shapes \(3, 2\) and \(2, 2\) are not compatible"):
        tape.gradient(y, x, tf.ones((2, 2)))


def test_a_wrong_upstream_of_a_broadcast_is_summed_along_axes_that_it_may_lack():
    x = tf.ones([1])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.broadcast_to(x, [2, 1])
    with pytest.raises(tf.errors.InvalidArgumentError, match="Invalid reduction dimension"):
        tape.gradient(y, x, tf.ones([3]))


@pytest.mark.parametrize("source", [tf.Variable([3.0, 4.0]), tf.constant([3.0, 4.0])])
@pytest.mark.parametrize(("jacobian", "known"), [(False, True), (True, False)])
def test_a_tape_that_records_knows_the_zeros_of_an_unconnected_source(source, jacobian, known) -> None:
    x = tf.constant(8.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(source)
        ask = tape.jacobian if jacobian else tape.gradient
        zeros = ask(tf.constant(1.0), source, unconnected_gradients="zero")
        z = zeros * x
        tape.watch(x)
    found = tape.gradient(z, x)
    assert (found is not None) is known
    assert tape.gradient(z, source) is None


@pytest.mark.parametrize("b", [1.5, [1.5], [1.5, 2.5]])
def test_an_upstream_of_none_is_subtracted_where_a_source_stands_that_no_tape_knows(b):
    a, b = tf.constant([1.2, 2.3]), tf.constant(b)

    def gradient(*sources):
        with tf.GradientTape() as tape:
            tape.watch(a)
            y = a - b
        return tape.gradient(y, list(sources), output_gradients=[None])

    assert gradient(a) == [None]
    for sources in ((b,), (a, b)):
        with pytest.raises(TypeError, match="bad operand type for unary -: 'NoneType'"):
            gradient(*sources)


def test_an_upstream_of_none_is_no_tensor_for_the_next_number():
    a = tf.constant([1.2, 2.3])
    with tf.GradientTape() as tape:
        tape.watch(a)
        y = tf.math.nextafter(a, 3.0)
    with pytest.raises(ValueError, match=r"Attempt to convert a value \(None\)"):
        tape.gradient(y, a, output_gradients=[None])
