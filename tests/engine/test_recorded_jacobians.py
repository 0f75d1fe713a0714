"""Jacobians that a tape records: TensorFlow makes the rows' own gradient at once, which some ops refuse."""

import contextlib

import pytest

import reference_impl as tf
from reference_impl.foundation.staging import StagingError

IMAGE = tf.constant([[[[1.0], [2.0]], [[4.0], [3.0]]]])


def _jacobian(f, x, tapes=1, persistent=False, batch=False):
    """A jacobian inside of ``tapes`` more tapes, of which the innermost may be persistent."""
    with tf.GradientTape(persistent=persistent and tapes == 1) as outer:
        outer.watch(x)
        if tapes > 1:
            return _jacobian(f, x, tapes - 1, persistent, batch)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        return tape.batch_jacobian(y, x) if batch else tape.jacobian(y, x)


def _crop(x):
    return tf.image.crop_and_resize(x, [[0.0, 0.0, 1.0, 1.0]], [0], [2, 2])


@pytest.mark.parametrize("batch", [False, True])
def test_a_loop_without_a_gradient_is_found_when_the_function_is_called_for_one_tape(batch):
    with pytest.raises(LookupError, match="'gradient_tape/LRNGrad/pfor/while/LRNGrad'"):
        _jacobian(tf.nn.lrn, IMAGE, batch=batch)


@pytest.mark.parametrize(("tapes", "persistent"), [(1, True), (2, False)])
def test_a_loop_without_a_gradient_is_found_while_the_function_is_traced_for_second_derivatives(tapes, persistent):
    with pytest.raises(Exception, match=r"LookupError: .*'gradient_tape/LRNGrad/pfor/while/LRNGrad'") as caught:
        _jacobian(tf.nn.lrn, IMAGE, tapes, persistent)
    assert type(caught.value).__name__ == "StagingError"


def test_the_last_of_several_such_ops_is_named_by_one_tape_and_the_first_by_two():
    with pytest.raises(LookupError, match="'gradient_tape/ResizeBicubicGrad/pfor/while/ResizeBicubicGrad'"):
        _jacobian(lambda x: tf.nn.lrn(tf.image.resize(x, [3, 3], "bicubic")), IMAGE)
    with pytest.raises(Exception, match="'gradient_tape/LRNGrad/pfor/while/LRNGrad'"):
        _jacobian(lambda x: tf.nn.lrn(tf.image.resize(x, [3, 3], "bicubic")), IMAGE, tapes=2)
    with pytest.raises(LookupError, match="'gradient_tape/LRNGrad_1/pfor/while/LRNGrad'"):
        _jacobian(lambda x: tf.nn.lrn(tf.nn.lrn(x)), IMAGE)


def test_of_two_summands_one_tape_names_the_first_and_two_tapes_the_last():
    def both(x):
        return tf.image.crop_and_resize(x, tf.reshape(x, [1, 4]) * 0.1, [0], [2, 2])

    with pytest.raises(LookupError, match="operation'gradient_tape/CropAndResizeGradImage/pfor"):
        _jacobian(both, IMAGE)
    with pytest.raises(Exception, match="operation'gradient_tape/CropAndResizeGradBoxes/pfor"):
        _jacobian(both, IMAGE, tapes=2)


def test_an_op_that_depends_on_any_captured_tensor_counts_though_no_tape_knows_that_one():
    for tapes in (1, 2):
        with pytest.raises(LookupError, match="CropAndResizeGradImage/pfor/while/CropAndResizeGradImage"):
            _jacobian(_crop, IMAGE, tapes)


def test_a_tape_entered_afterwards_counts_when_it_watches_what_the_jacobian_needs():
    def asked(watched):
        with tf.GradientTape() as tape:
            tape.watch(IMAGE)
            y = tf.nn.max_pool_with_argmax(IMAGE * IMAGE, 2, 1, "SAME")[0]
        with tf.GradientTape() as later:
            later.watch(watched)
            return tape.jacobian(y, IMAGE)

    with pytest.raises(LookupError, match="MaxPoolGradWithArgmax"):
        asked(IMAGE)
    assert asked(tf.constant(1.0)).shape == (1, 2, 2, 1, 1, 2, 2, 1)


def test_what_the_jacobian_does_not_need_is_not_looked_at():
    def dilated(x):
        return tf.nn.dilation2d(x, tf.ones([1, 1, 1]), [1, 1, 1, 1], "VALID", "NHWC", [1, 1, 1, 1])

    with pytest.raises(LookupError, match="operation'gradient_tape/Dilation2DBackpropInput/"):
        _jacobian(dilated, IMAGE)


def test_an_op_without_a_gradient_that_depends_on_indices_alone_is_no_fault():
    def rows(x):
        return tf.sparse.segment_sum(x, [0, 1, 1], [0, 0, 1])

    assert _jacobian(rows, tf.constant([1.0, 2.0, 3.0])).numpy().tolist() == [[1, 1, 0], [0, 1, 0]]


def test_a_tape_that_recorded_a_refused_jacobian_goes_on():
    with tf.GradientTape() as outer:
        outer.watch(IMAGE)
        with pytest.raises(Exception, match="LRNGrad"):
            _jacobian(tf.nn.lrn, IMAGE)
        z = IMAGE * 3.0
    assert outer.gradient(z, IMAGE).numpy().ravel().tolist() == [3.0] * 4


def test_an_op_that_is_vectorized_fails_when_the_function_is_called():
    x = tf.constant([1.0, 2.0])
    for tapes, persistent in ((1, False), (1, True), (2, False)):
        with pytest.raises(LookupError, match="'gradient_tape/SoftsignGrad/pfor/SoftsignGrad'"):
            _jacobian(tf.nn.softsign, x, tapes, persistent)


@pytest.mark.parametrize("function", [tf.math.lgamma, tf.math.lbeta])
def test_a_gradient_of_the_rows_that_no_kernel_computes_in_a_dtype_is_found_at_once(function):
    x = tf.constant([1.5, 2.0], "float16")
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = function(x)
    assert tape.jacobian(y, x).dtype == tf.float16
    for tapes, persistent in ((1, False), (1, True), (2, False)):
        with pytest.raises(TypeError, match="Value passed to parameter 'a' has DataType float16 not in list"):
            _jacobian(function, x, tapes, persistent)


def _second(f, x, persistent=False):
    """The gradient by x of a recorded jacobian by x."""
    with tf.GradientTape(persistent=persistent) as outer:
        outer.watch(x)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        j = tape.jacobian(y, x)
    return outer.gradient(j, x).numpy().tolist()


@tf.custom_gradient
def _hundredfold(x):
    return 3.0 * x * x, lambda dy: 100.0 * dy


def test_a_vectorized_loop_loses_a_custom_gradient_of_what_differs_from_row_to_row():
    @tf.custom_gradient
    def cube(x):
        @tf.custom_gradient
        def slope(dy, x):
            return dy * 3.0 * x * x, lambda d: (7.0 * d, 7.0 * d)

        return x**3.0, lambda dy: slope(dy, x)

    x = tf.constant([1.0, 2.0])
    assert _second(cube, x) == [6.0, 12.0]
    with tf.GradientTape() as outer, tf.GradientTape() as tape:
        for each in (outer, tape):
            each.watch(x)
        g = tape.gradient(cube(x), x)
    assert outer.gradient(g, x).numpy().tolist() == [7.0, 7.0]


def test_a_vectorized_loop_keeps_a_custom_gradient_of_what_is_the_same_in_all_rows():
    cube = tf.custom_gradient(lambda x: (x**3.0, lambda dy: dy * _hundredfold(x)))
    assert _second(cube, tf.constant([1.0, 2.0])) == [100.0, 100.0]


def test_a_recorded_jacobian_of_what_is_recomputed_has_a_second_derivative():
    x, weight = tf.constant([1.0, 2.0]), tf.Variable(2.0)
    assert _second(tf.recompute_grad(lambda x: x**3.0), x) == [6.0, 12.0]
    assert _second(tf.recompute_grad(lambda x: tf.recompute_grad(tf.square)(x) * x), x) == [6.0, 12.0]
    assert _second(tf.recompute_grad(lambda x: x * weight), x) == [0.0, 0.0]


def test_a_loop_around_an_op_that_has_no_derivative_gives_zeros():
    def pooled(x):
        return tf.image.resize(x * x, [3, 3], "bilinear")

    def resized(x):
        return tf.image.resize(x, [3, 3], "bilinear")

    assert _second(resized, IMAGE) == tf.zeros_like(IMAGE).numpy().tolist()
    assert _second(pooled, IMAGE)[0][0][0][0] > 0


@pytest.mark.parametrize("by_first, named", [(False, "RaggedFillEmptyRowsGrad_1"), (True, "RaggedFillEmptyRowsGrad")])
def test_the_number_of_a_node_counts_those_that_rest_on_no_capture(by_first, named):
    filled = {"nrows": tf.constant(3, tf.int64)}
    rows = tf.constant([1, 1], tf.int64)

    @tf.custom_gradient
    def product(a, b):
        return a * b, lambda dy: (dy * b, dy * 3.0) if by_first else (dy * 3.0, dy * b)

    with tf.GradientTape(persistent=True) as tape:
        values, default = tf.constant([1.5, 0.0]), tf.Variable(1.0)
        tape.watch(values)
        first, second = (
            tf.raw_ops.RaggedFillEmptyRows(value_rowids=rows, values=x, default_value=default, **filled)[1]
            for x in (tf.constant([-2.5, 1.5]), values)
        )
        y = product(first, second)
        with pytest.raises(StagingError, match=f"'gradient_tape/{named}/pfor/while/"):
            tape.jacobian(y, default)


def _cast_and_squared(tapes, x):
    with contextlib.ExitStack() as around:
        entered = [around.enter_context(tf.GradientTape(persistent=p)) for p in tapes]
        for tape in entered:
            tape.watch(x)
        return entered[-1].jacobian(tf.square(tf.cast(x, tf.float32)), x)


@pytest.mark.parametrize(
    ("tapes", "count"), [([False], 0), ([False, False], 1), ([True], 3), ([False, True], 3), ([False] * 3, 3)]
)
def test_the_gradient_of_a_recorded_jacobian_warns_of_the_casts_in_it_when_it_is_made(tapes, count, caplog):
    _cast_and_squared(tapes, tf.constant([11.0 + 7.0j]))
    assert sum("casting an input of type complex128" in r.getMessage() for r in caplog.records) == 1 + count


@pytest.mark.parametrize("method", ["jacobian", "batch_jacobian", "gradient"])
@pytest.mark.parametrize("vectorized", [True, False])
def test_a_jacobian_that_cannot_be_made_warned_of_the_casts_before(method, vectorized, caplog):
    x = tf.constant([[1.0 + 2.0j], [3.0 - 1.0j]])

    @tf.custom_gradient
    def real_gradient(p):
        return tf.sin(p), lambda d: tf.cast(d, tf.float32)

    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x / real_gradient(x)
    options = {} if method == "gradient" else {"experimental_use_pfor": vectorized}
    with pytest.raises((TypeError, tf.errors.InvalidArgumentError), match="AddN"):
        getattr(tape, method)(y, x, **options)
    assert sum("casting an input of type complex128" in r.getMessage() for r in caplog.records) == 1
