"""Maps and folds of no rows in functions, arrays asked for elements they lack, and upstreams of ``tf.gradients``.

The answers are TensorFlow's.
"""

import pytest

import reference_impl as tf

W = tf.constant(2.0)
LOOPS = [
    (lambda x, w: tf.map_fn(lambda row: row * w, x), True),
    (lambda x, w: tf.scan(lambda a, row: a * tf.reduce_sum(row) + w, x, tf.constant(1.0)), True),
    (lambda x, w: tf.foldl(lambda a, row: a * tf.reduce_sum(row) * w, x, tf.constant(1.0)), True),
    (lambda x, w: tf.foldr(lambda a, row: a * tf.reduce_sum(row) * w, x, tf.constant(1.0)), True),
    (lambda x, w: tf.map_fn(lambda row: tf.constant(1.0), x), False),
]


def first_and_second(loop, x):
    function = tf.function(loop)
    with tf.GradientTape() as outer:
        outer.watch([x, W])
        with tf.GradientTape() as inner:
            inner.watch([x, W])
            y = function(x, W)
        found = inner.gradient(y, [x, W])
    return found, outer.gradient([g for g in found if g is not None], [x, W])


@pytest.mark.parametrize("shape", [(0,), (0, 2)])
@pytest.mark.parametrize(("loop", "uses"), LOOPS)
def test_no_rows_have_gradients_as_some_have(loop, uses, shape):
    first, second = first_and_second(loop, tf.zeros(shape))
    assert first[0].shape == shape
    assert (first[1] is not None) == uses
    if uses:
        assert first[1].numpy() == 0.0
        assert second[0].shape == shape
        assert second[1].numpy() == 0.0
    else:
        assert second == [None, None]


def test_the_state_of_no_turns_is_returned():
    first, second = first_and_second(lambda x, w: tf.foldl(lambda a, row: a + row * w, x, w), tf.zeros([0]))
    assert first[1].numpy() == 1.0
    assert second[1].numpy() == 0.0


def test_results_of_no_rows_have_the_shape_of_a_row():
    assert tf.function(lambda x: tf.map_fn(lambda row: row * W, x))(tf.zeros([0, 2])).shape == (0, 2)
    with pytest.raises(tf.errors.InvalidArgumentError, match="Trying to access element 0 in a list with 0 elements"):
        tf.function(lambda x: tf.foldl(lambda a, row: a * row, x))(tf.zeros([0]))


def test_rows_that_are_not_used_have_zeros():
    first, second = first_and_second(LOOPS[-1][0], tf.ones([3]))
    assert first[0].numpy().tolist() == [0.0, 0.0, 0.0]
    assert first[1] is None
    assert second == [None, None]


def test_a_single_row_is_gathered():
    x = tf.ones([1, 2])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.vectorized_map(lambda row: row * 3.0, x)
    assert isinstance(tape.gradient(y, x), tf.IndexedSlices)


@pytest.mark.parametrize(
    ("use", "text"),
    [
        (lambda a, i: a.read(i), "Trying to access element 5 in a list with 3 elements."),
        (lambda a, i: a.read(i - 6), "Trying to access element -1 in a list with 3 elements."),
        (lambda a, i: a.write(i, 1.0).stack(), "Trying to modify element 5 in a list with 3 elements."),
        (lambda a, i: a.write(i - 6, 1.0).stack(), "Trying to modify element -1 in a list with 3 elements."),
        (lambda a, i: a.gather([0, i]), "Index 5 out o range; list only has 3 elements."),
    ],
)
def test_arrays_in_functions_are_lists(use, text):
    def function(i):
        return use(tf.TensorArray(tf.float32, 3).unstack([1.0, 2.0, 3.0]), i)

    with pytest.raises(tf.errors.InvalidArgumentError, match=text):
        tf.function(function)(tf.constant(5))


def test_elements_of_unknown_shape():
    with pytest.raises(ValueError, match="Cannot convert a partially known TensorShape <unknown> to a Tensor"):
        tf.TensorArray(tf.float32, 3).read(1)
    joined = tf.function(lambda: tf.TensorArray(tf.float32, 0, element_shape=[2]).concat())()
    assert joined.shape == (0,)


@pytest.mark.parametrize(
    ("gradients", "error", "text"),
    [
        (lambda z: tf.gradients(tf.cast(z, tf.complex64), z), TypeError, "must set grad_ys .y.dtype = complex64"),
        (lambda z: tf.gradients(z * z, z, grad_ys=[z, z]), ValueError, "Length mismatch. Passed 2 grad_ys for 1 ys"),
        (
            lambda z: tf.gradients(z * z, z, grad_ys=[tf.cast(z, tf.complex64)]),
            TypeError,
            "Gradient type complex64 generated for real or integer-valued tensor .* float32 must be real or integer",
        ),
    ],
)
def test_upstreams_are_checked_when_the_function_is_traced(gradients, error, text):
    with pytest.raises(error, match=text):
        tf.function(gradients)(tf.constant(2.0))
