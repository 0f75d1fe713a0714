"""watch(), known tensors, and what counts as an access of a variable."""

import copy

import numpy as np
import pytest

import reference_impl as tf


def test_watch_takes_any_nest_and_returns_none():
    x, y, z = tf.constant(3.0), tf.constant(1.5), tf.constant(1.0)
    with tf.GradientTape() as tape:
        assert tape.watch({"a": x, "b": [y, (z,)]}) is None
        q = x * x + y * y + z * 2
    assert [g.numpy() for g in tape.gradient(q, [x, y, z])] == [6.0, 3.0, 2.0]


@pytest.mark.parametrize(
    "bad, text",
    [
        (None, "Passed in object None of type 'NoneType', not tf.Tensor or tf.Variable or ExtensionType."),
        (1.0, "Passed in object 1.0 of type 'float', not tf.Tensor or tf.Variable or ExtensionType."),
        (np.ones(2), "Passed in object [1. 1.] of type 'ndarray', not tf.Tensor or tf.Variable or ExtensionType."),
        ({1.0}, "Passed in object {1.0} of type 'set', not tf.Tensor or tf.Variable or ExtensionType."),
    ],
)
def test_watch_names_what_it_cannot_watch(bad, text):
    with tf.GradientTape() as tape, pytest.raises(ValueError) as error:
        tape.watch(bad)
    assert str(error.value) == text


def test_what_came_before_a_bad_element_is_watched_and_what_comes_after_is_not():
    x, y = tf.constant(3.0), tf.constant(3.0)
    with tf.GradientTape(persistent=True) as tape:
        for bad in ([x, 1.0], [1.0, y]):
            with pytest.raises(ValueError):
                tape.watch(bad)
        z = x * y
    assert tape.gradient(z, x).numpy() == 3.0
    assert tape.gradient(z, y) is None


def test_an_integer_watch_warns_five_times_per_process(caplog):
    tf.clear_log_counters()
    with tf.GradientTape() as tape:
        for k in range(8):
            tape.watch(tf.constant(k))
    text = "The dtype of the watched tensor must be floating (e.g. tf.float32), got tf.int32"
    assert [r.getMessage() for r in caplog.records] == [text] * 5


def test_integers_never_make_an_op_be_recorded():
    i = tf.constant(3)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(i)
        f = tf.cast(i, tf.float32)
        y = f * 2
    assert tape.gradient(y, i) is None
    assert tape.gradient(y, f) is None


def test_watch_does_not_reach_back():
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as tape:
        y = x * x
        tape.watch(x)
        z = x * x
    assert tape.gradient(y, x) is None
    assert tape.gradient(z, x).numpy() == 6.0


def test_watching_a_recorded_result_does_not_cut_the_chain():
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
        tape.watch(y)
        z = y * y
    assert [g.numpy() for g in tape.gradient(z, [x, y])] == [108.0, 18.0]


def test_known_tensors_are_looked_up_when_the_gradient_is_asked():
    a, b = tf.constant(3.0), tf.constant(4.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(a)
        y = a * b
        assert tape.gradient(y, b) is None
        tape.watch(b)
    assert tape.gradient(y, b).numpy() == 3.0


def test_identity_is_the_object_not_the_value():
    x = tf.constant([1.0, 2.0])
    same = [tf.convert_to_tensor(x), tf.constant(x), tf.cast(x, tf.float32), copy.copy(x), copy.deepcopy(x)]
    assert all(s is x for s in same)
    assert tf.identity(x) is not x and x[...] is not x and tf.reshape(x, [2]) is not x


def test_a_tape_sees_only_its_own_watches():
    x = tf.constant(3.0)
    with tf.GradientTape() as outer, tf.GradientTape() as inner:
        inner.watch(x)
        y = x * x
    assert outer.gradient(y, x) is None
    assert inner.gradient(y, x).numpy() == 6.0


def test_numpy_on_the_left_is_recorded_and_a_ufunc_is_not():
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = np.float32(2) * x + np.ones(2, "float32") * x
        z = np.square(x)
    assert tape.gradient(y, x).numpy() == 6.0
    assert isinstance(z, np.floating)
    with pytest.raises(AttributeError, match=r"'numpy\.float32' object has no attribute '_id'"):
        tape.gradient(z, x)


ACCESSES = {
    "arithmetic": lambda v: v + 0.0,
    "read_value": lambda v: v.read_value(),
    "value": lambda v: v.value(),
    "numpy": lambda v: v.numpy(),
    "assign": lambda v: v.assign([1.0, 2.0]),
    "repr": repr,
    "index": lambda v: v[0],
    "identity": tf.identity,
    "comparison": lambda v: v == v,
    "np.array": np.array,
    "sparse_read": lambda v: v.sparse_read([0]),
    "deepcopy": copy.deepcopy,
}
NO_ACCESSES = {
    "shape, dtype, name": lambda v: (v.shape, v.dtype, v.name),
    "stop_gradient": tf.stop_gradient,
    "is_initialized": lambda v: v.is_initialized(),
    "initial value of another variable": tf.Variable,
    "trainable": lambda v: v.trainable,
    "assign without reading": lambda v: v.assign([1.0, 2.0], read_value=False),
    "handle": lambda v: v.handle,
}


@pytest.mark.parametrize("use", ACCESSES.values(), ids=ACCESSES)
def test_using_a_variable_makes_it_watched(use):
    v = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        use(v)
    assert [w is v for w in tape.watched_variables()] == [True]


@pytest.mark.parametrize("use", NO_ACCESSES.values(), ids=NO_ACCESSES)
def test_some_uses_of_a_variable_are_no_access(use):
    v = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        use(v)
    assert tape.watched_variables() == ()


def test_watched_variables_is_a_tuple_in_order_of_creation_that_survives_consumption():
    a, b, c = (tf.Variable(1.0, name=n) for n in "abc")
    with tf.GradientTape() as tape:
        y = c * a * b * c
    assert [v.name for v in tape.watched_variables()] == ["a:0", "b:0", "c:0"]
    tape.gradient(y, a)
    assert isinstance(tape.watched_variables(), tuple) and len(tape.watched_variables()) == 3
    with tape:
        assert tape.watched_variables() == ()


def test_untrainable_variables_need_a_watch():
    v = tf.Variable(3.0, trainable=False)
    with tf.GradientTape(persistent=True) as tape:
        y = v * v
        assert tape.watched_variables() == ()
        tape.watch(v)
        z = v * v
    assert tape.gradient(y, v) is None
    assert tape.gradient(z, v).numpy() == 6.0


def test_zeros_made_of_what_is_watched_are_recorded_and_make_sums_with_them_known():
    x, w = tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0])
    for zeros in (tf.zeros_like, tf.math.imag):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = w + zeros(x)
            tape.watch(w)
        assert tape.gradient(y, w).numpy().tolist() == [1.0, 1.0]


def test_weights_of_moments_that_are_watched_late_still_count_in_their_sum():
    x, w = (tf.constant([[1.0, 1.0, 1.0], [1.0, 1.0, 2.0]]) for _ in range(2))
    with tf.GradientTape() as tape:
        tape.watch(x)
        _, variance = tf.nn.weighted_moments(x, [0], w)
        tape.watch(w)
    assert tape.gradient(variance, w).numpy()[:, 2] == pytest.approx([0.07407409, -0.03703703])
