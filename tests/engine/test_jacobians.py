"""jacobian and batch_jacobian: values, structures, errors; many rows at once give what one at a time gives."""

import numpy as np
import pytest

import reference_impl as tf
from reference_impl.ops.scatter import scatter_add
from reference_impl.tapes import jacobians
from reference_impl.tapes.rows import Rows, Unbatched


def _jacobian(f, x, persistent=False, **options):
    with tf.GradientTape(persistent=persistent) as tape:
        tape.watch(x)
        y = f(x)
    return tape.jacobian(y, x, **options)


def test_the_shape_is_that_of_target_then_source():
    x = tf.constant([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    j = _jacobian(lambda a: tf.reduce_sum(a, 1), x)
    assert j.numpy().tolist() == [[[1, 1, 1], [0, 0, 0]], [[0, 0, 0], [1, 1, 1]]]
    assert _jacobian(lambda a: tf.reduce_sum(a * a), tf.constant([1.0, 2.0])).numpy().tolist() == [2.0, 4.0]
    assert _jacobian(lambda a: a[:0] * 1.0, tf.constant([1.0, 2.0])).shape == (0, 2)


def test_sources_keep_their_structure_and_unconnected_ones_are_none_or_zeros():
    x, z = tf.constant([1.0, 2.0]), tf.constant([1.0, 2.0, 3.0])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x
    got = tape.jacobian(y, {"b": x, "a": [z]})
    assert list(got) == ["b", "a"] and got["a"] == [None]
    assert tape.jacobian(y, z, unconnected_gradients="zero").numpy().tolist() == [[0.0] * 3] * 2


def test_an_unwatched_target_that_is_the_source_is_none_unlike_its_gradient():
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape(persistent=True) as tape:
        pass
    assert tape.jacobian(x, x) is None
    assert tape.gradient(x, x).numpy().tolist() == [1.0, 1.0]


def test_a_jacobian_consumes_the_tape():
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    tape.jacobian(y, x)
    with pytest.raises(RuntimeError, match="can only be used to compute one set of gradients"):
        tape.gradient(y, x)


def test_the_loop_needs_a_persistent_tape_and_gives_the_same():
    x = tf.constant([1.0, 2.0])
    with pytest.raises(
        RuntimeError, match="persistent=True to compute the jacobian with eager execution enabled and with  exp"
    ):
        _jacobian(lambda a: a * a, x, experimental_use_pfor=False)
    looped = _jacobian(lambda a: a * a, x, persistent=True, experimental_use_pfor=False)
    assert looped.numpy().tolist() == [[2.0, 0.0], [0.0, 4.0]]


@pytest.mark.parametrize(
    "options, cause",
    [
        ({"unconnected_gradients": "bad"}, "ValueError: Unknown value for unconnected_gradients: 'bad'"),
        ({"parallel_iterations": 1}, "ValueError: Found `parallel_iterations == 1`. Use `for_loop` instead."),
        ({"parallel_iterations": 0}, "must be None or a positive integer. Received: 0."),
        ({"parallel_iterations": 2}, "ValueError: None values not supported."),
    ],
)
def test_errors_come_wrapped_with_their_cause(options, cause):
    with pytest.raises(ValueError, match="while vectorizing the jacobian computation") as error:
        _jacobian(lambda a: a * a, tf.constant([1.0, 2.0, 3.0]), **options)
    assert cause in str(error.value.__cause__) and str(error.value.__cause__).startswith("in user code:")


def test_only_a_single_tensor_is_a_target():
    x = tf.constant([1.0])
    for bad, kind in [([x], "list"), (None, "NoneType"), (1.0, "float")]:
        with pytest.raises(AttributeError, match=f"'{kind}' object has no attribute 'shape'"):
            _jacobian(lambda _, b=bad: b, x)


OPS = {
    "product": lambda x: x * tf.reduce_sum(x),
    "matmul": lambda x: tf.matmul(tf.reshape(x, [2, 2]), tf.reshape(x * x, [2, 2])),
    "broadcast": lambda x: tf.reshape(x, [4, 1]) / tf.reshape(x, [1, 4]),
    "slices": lambda x: x[1:] * x[:-1],
    "gather": lambda x: tf.gather(tf.exp(x), [1, 0, 1, 3]),
    "where": lambda x: tf.where(x > 2.0, x * x, x),
    "stack and concat": lambda x: tf.concat([tf.stack([x, x * x]), tf.reshape(x, [1, 4])], 0),
    "powers": lambda x: x ** tf.sqrt(x),
    "transpose": lambda x: tf.transpose(tf.reshape(x, [2, 2])) * tf.reshape(x, [2, 2]),
    "cast": lambda x: tf.cast(tf.cast(x, tf.float64) ** 2.0, tf.float32),
}


@pytest.mark.parametrize("f", OPS.values(), ids=OPS)
def test_many_rows_at_once_give_the_jacobian_of_one_at_a_time(f, monkeypatch):
    x = tf.constant([1.0, 2.0, 3.0, 4.0])
    together = _jacobian(f, x)
    monkeypatch.setattr(jacobians, "_CHUNK", 1)
    monkeypatch.setattr(jacobians, "_WHOLE", 1)
    chunked = _jacobian(f, x)
    looped = _jacobian(f, x, persistent=True, experimental_use_pfor=False)
    assert chunked.numpy().tolist() == together.numpy().tolist()
    np.testing.assert_allclose(together.numpy(), looped.numpy(), rtol=1e-6)


@pytest.mark.parametrize("target", [tf.identity, lambda x: tf.reshape(x, [4]), lambda x: x + 0.0])
def test_a_jacobian_that_is_an_identity_has_memory_of_its_own(target):
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    first, second = _jacobian(target, x), _jacobian(target, x)
    first._a[...] = 7.0
    assert second.numpy().reshape(4, 4).tolist() == np.eye(4).tolist()
    assert _jacobian(target, x).numpy().reshape(4, 4).tolist() == np.eye(4).tolist()


@pytest.mark.parametrize("shapes", [((2, 0), (0, 3)), ((2, 3), (3, 4))])
def test_products_of_matrices_with_elements_have_jacobians(shapes):
    a, b = (tf.reshape(tf.range(float(np.prod(shape))), shape) for shape in shapes)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch([a, b])
        y = tf.matmul(a, b)
    by_a, by_b = tape.jacobian(y, [a, b])
    (n, _), (_, m) = shapes
    assert np.array_equal(by_a.numpy(), np.einsum("in,kj->ijnk", np.eye(n), b.numpy()))
    assert np.array_equal(by_b.numpy(), np.einsum("ik,jm->ijkm", a.numpy(), np.eye(m)))


@pytest.mark.parametrize(("shapes", "good"), [(((0, 2), (2, 3)), 0), (((2, 3), (3, 0)), 1)])
def test_products_of_matrices_without_elements_have_a_jacobian_by_the_operand_without_them(shapes, good):
    xs = [tf.ones(shape) for shape in shapes]
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(xs)
        y = tf.matmul(*xs)
    assert tape.jacobian(y, xs[good]).shape == [*y.shape, *shapes[good]]
    with pytest.raises(ValueError, match="is not compatible with supplied shape"):
        tape.jacobian(y, xs[1 - good])


def test_the_jacobian_of_a_gradient_is_the_hessian_and_a_jacobian_is_differentiable():
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = x[0] ** 2 * x[1]
        g = inner.gradient(y, x)
    assert outer.jacobian(g, x).numpy().tolist() == [[4.0, 2.0], [2.0, 0.0]]
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = x * x * x
        j = inner.jacobian(y, x)
    assert j.numpy().tolist() == [[3.0, 0.0], [0.0, 12.0]]
    assert outer.jacobian(j, x).numpy().tolist() == [[[6, 0], [0, 0]], [[0, 0], [0, 12]]]


def _batch(f, x, source=None, persistent=False, **options):
    with tf.GradientTape(persistent=persistent) as tape:
        tape.watch(x)
        y = f(x)
    return tape.batch_jacobian(y, x if source is None else source, **options)


def test_batch_jacobian_stacks_the_jacobians_of_the_examples():
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    want = [[[2, 0], [0, 4]], [[6, 0], [0, 8]]]
    assert _batch(lambda a: a * a, x).numpy().tolist() == want
    assert _batch(lambda a: a * a, x, persistent=True, experimental_use_pfor=False).numpy().tolist() == want


def test_batch_jacobian_is_never_none_and_sums_over_examples_without_a_word():
    x, z = tf.constant([[1.0, 2.0]]), tf.constant([[1.0], [2.0]])
    assert _batch(lambda a: a * a, x, source=tf.constant([[1.0, 2.0, 3.0]])).numpy().tolist() == [[[0.0] * 3] * 2]
    assert _batch(lambda a: a * tf.reduce_sum(a), z).numpy().tolist() == [[[6.0]], [[6.0]]]


@pytest.mark.parametrize(
    "target, source, kind, text",
    [
        ([1.0, 2.0], [[1.0]], ValueError, "Shape (2,) must have rank at least 2"),
        ([[1.0]], [1.0, 2.0], ValueError, "Shape (2,) must have rank at least 2"),
        (1.0, [[1.0]], IndexError, "list index out of range"),
        (
            [[1.0]] * 4,
            [[1.0]] * 2,
            ValueError,
            "Need first dimension of target shape ((4, 1)) and source shape ((2, 1)) to match.",
        ),
    ],
)
def test_shapes_that_are_no_batches_are_refused(target, source, kind, text):
    with pytest.raises(kind) as error:
        _batch(lambda a: tf.constant(target), tf.constant(source))
    assert str(error.value) == text


def test_an_empty_batch_divides_by_zero():
    with pytest.raises(ZeroDivisionError):
        _batch(lambda a: a * 1.0, tf.reshape(tf.constant([]), [0, 2]))


def test_a_users_gradient_sees_one_row_at_a_time():
    shapes = []

    @tf.custom_gradient
    def tripled(x):
        def gradient(upstream):
            shapes.append(tuple(upstream.shape))
            return 3.0 * upstream * x

        return x * x, gradient

    j = _jacobian(tripled, tf.constant([1.0, 2.0]))
    assert j.numpy().tolist() == [[3.0, 0.0], [0.0, 6.0]]
    assert shapes == [(2,), (2,)]


def test_rows_stand_for_arrays_in_numpy():
    rows = Rows(np.arange(24.0).reshape(2, 3, 4))
    column = np.array([[1.0], [2.0], [3.0]])
    one_by_one = {
        "broadcasting": lambda r: r * column + column,
        "reduction": lambda r: np.add.reduce(r, axis=(1,)),
        "total": lambda r: np.add.reduce(r, axis=None),
        "matmul": lambda r: np.matmul(r, np.ones((4, 2))),
        "where": lambda r: np.where(r > 5, r, column),
        "indexing": lambda r: r[1:, None, ::2],
        "arrays in an index": lambda r: r[np.array([0, 2]), np.array([1, 1])],
        "arrays apart": lambda r: r[:, None][np.array([0, 2]), :, np.array([1, 1])],
        "transpose": lambda r: r.transpose(),
        "stack": lambda r: np.stack([r, r * 2], axis=-1),
        "concatenate": lambda r: np.concatenate([r, column], axis=1),
        "a function without a table entry": lambda r: np.cumsum(r, axis=0),
        "scatter": lambda r: scatter_add((5, 4), (np.array([0, 0, 4]),), r),
    }
    for name, f in one_by_one.items():
        want = np.stack([f(row) for row in rows.a])
        got = f(rows)
        assert type(got) is Rows and got.shape == want.shape[1:], name
        np.testing.assert_array_equal(want, got.a, err_msg=name)


@pytest.mark.parametrize("f", [bool, float, np.asarray, lambda r: r.unheard_of(), lambda r: np.add.at(r, 0, 1)])
def test_what_rows_cannot_do_is_said_so(f):
    with pytest.raises(Unbatched):
        f(Rows(np.ones((2, 1))))


def test_a_kernel_that_fails_in_the_vectorized_loop_fails_in_a_graph() -> None:
    kernel = tf.constant([[[1.0]]])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(kernel)
        y = tf.nn.conv1d(tf.constant([[[1.0]]]), kernel, stride=1, padding="SAME", dilations=2)
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"^Graph execution error:") as caught:
        tape.jacobian(y, kernel)
    assert "\nCurrent CPU implementations do not yet support dilation rates larger than 1.\n" in str(caught.value)
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"^(?!Graph).*Current CPU implementations"):
        tape.jacobian(y, kernel, experimental_use_pfor=False)


def test_shapes_that_do_not_fit_in_the_vectorized_loop_are_found_when_it_is_made() -> None:
    @tf.custom_gradient
    def once(x: tf.Tensor) -> tuple:
        return x * 1.0, lambda dy: dy + tf.ones((3,))

    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = once(x)
    with pytest.raises(ValueError, match=r"^Encountered an exception while vectorizing the jacobian computation"):
        tape.jacobian(y, x)


class _Own(Exception):
    """An error of the user's, which is made of a text like any other."""


class _OfTwo(Exception):
    def __init__(self, first, second):
        super().__init__(first, second)


@pytest.mark.parametrize(
    ("error", "kind", "text"),
    [
        (KeyError("boom"), "KeyError", "KeyError: 'boom'"),
        (RuntimeError("boom"), "RuntimeError", "RuntimeError: boom"),
        (IndexError("boom"), "StagingError", "IndexError: boom"),
        (_Own("boom"), "_Own", "_Own: boom"),
        (_OfTwo(1, 2), "StagingError", "_OfTwo: (1, 2)"),
        (tf.errors.NotFoundError(None, None, "boom"), "NotFoundError", "NotFoundError: boom"),
    ],
)
def test_an_error_of_the_users_gradient_leaves_the_vectorized_loop_with_its_place(error, kind, text):
    @tf.custom_gradient
    def once(x):
        def backward(dy):
            raise error

        return x * 1.0, backward

    with pytest.raises(Exception) as caught:
        _jacobian(once, tf.constant([1.0, 2.0]))
    assert type(caught.value).__name__ == kind
    told = str(caught.value)
    assert told.startswith(f'in user code:\n\n    File "{__file__}", line ')
    assert "in backward\n        raise error\n" in told
    assert told.endswith(f"\n\n    {text}\n")


def test_a_number_for_a_gradient_is_a_row_of_its_own_in_the_loop():
    @tf.custom_gradient
    def odd(x):
        return tf.tanh(x), lambda dy: 2.5

    x = tf.ones([2, 3])
    for options in ({}, {"experimental_use_pfor": False}):
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = odd(x)
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"with 3 values, .* requires a multiple of 6"):
            tape.batch_jacobian(y, x, **options)
    with pytest.raises(ValueError, match=r"\(2, 3\) is not compatible with supplied shape \(2, 3, 2, 3\)"):
        _jacobian(odd, x, persistent=True, experimental_use_pfor=False)


def test_a_recomputed_function_of_complex_numbers_has_no_jacobian():
    squared = tf.recompute_grad(tf.square)
    x = tf.constant(1.0 + 1.0j)
    with pytest.raises(TypeError, match="Value passed to parameter 'input' has DataType complex128 not in list"):
        _jacobian(squared, x)
    assert _jacobian(squared, tf.constant(1.5)).numpy() == 3.0


def test_an_empty_jacobian_has_the_dtype_of_the_gradient():
    @tf.custom_gradient
    def widened(x):
        return tf.identity(x), lambda dy: tf.cast(dy, tf.float64)

    empty = tf.zeros([0])
    assert _jacobian(widened, empty).dtype == tf.float64
    assert _jacobian(lambda x: 2.0 * x, empty).dtype == tf.float32


@pytest.mark.parametrize("indices", [np.zeros(0, "i4"), np.zeros((2, 0), "i4")])
def test_a_jacobian_without_rows_through_an_inner_gather_fails_as_the_vectorized_kernel_does(indices):
    x = tf.constant([[4.0, 2.0, 1.0], [3.0, 3.0, 4.0]])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = tf.gather(x, indices, axis=1)
        total = tf.reduce_sum(y)
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"does not start with segment_ids\.shape"):
        tape.jacobian(y, x)
    assert tape.jacobian(total, x).shape == (2, 3)


def test_gradients_of_different_dtypes_cannot_be_added_in_a_graph():
    x = tf.constant([[1.0]])
    with tf.GradientTape() as tape:
        tape.watch(x)
        z = tf.custom_gradient(lambda q: (q * q, lambda dy: tf.cast(dy, tf.float64)))(x)
        y = z @ x
    with pytest.raises(TypeError, match=r"'AddN' Op have types \[float32, float64\] that don't all match"):
        tape.jacobian(y, x)


def test_a_jacobian_that_fails_as_the_traced_loop_runs_has_used_the_tape_up():
    x = tf.constant([[1.0, 1.0], [1.0, 1.0]])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.custom_gradient(lambda q: (q * q, lambda dy: tf.linalg.inv(tf.ones([2, 2])) * dy))(x)
    with pytest.raises(tf.errors.InvalidArgumentError, match="not invertible"):
        tape.jacobian(y, x)
    with pytest.raises(RuntimeError, match="can only be used to compute one set"):
        tape.jacobian(y, x)


def _failing(outer=None):
    """A tape whose custom gradient returns nothing: (tape, source, before it, target, after it)."""
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    if outer is not None:
        outer.watch(x)
    with tf.GradientTape() as tape:
        tape.watch(x)
        before = x * 2.0
        target = tf.custom_gradient(lambda q: (q * q, lambda dy: []))(before)
        after = target * 3.0
    return tape, x, before, target, after


@pytest.mark.parametrize("recorded", [False, True])
@pytest.mark.parametrize("which", [2, 3, 4])
@pytest.mark.parametrize("ask", ["jacobian", "batch_jacobian", "gradient"])
def test_a_failed_walk_has_consumed_the_records_but_not_the_tape(ask, which, recorded):
    with tf.GradientTape(persistent=True) as outer:
        if recorded:
            made = _failing(outer)
    made = made if recorded else _failing()
    tape, x, target = made[0], made[1], made[which]
    with pytest.raises(ValueError, match=r"Encountered an exception|expected to return 1 gradients"):
        getattr(tape, ask)(made[3], x)
    assert tape.jacobian(target, x) is None
    tape, x, target = made[0], made[1], made[which]
    with pytest.raises(RuntimeError, match="can only be used to compute one set"):
        tape.gradient(target, x)


def test_the_gradient_of_a_consumed_record_is_an_internal_error_and_new_records_are_walked():
    tape, x, _, target, _ = _failing()
    with pytest.raises(ValueError, match="Encountered an exception"):
        tape.jacobian(target, x)
    with pytest.raises(tf.errors.InternalError, match="failed to find operation producing a tensor"):
        tape.gradient(target, x)
    with tape:
        y = x * 5.0 + target
    np.testing.assert_array_equal(tape.gradient(y, x), np.full((2, 2), 5.0))


@pytest.mark.parametrize("wrong", ["abc", 3.0])
def test_a_source_that_is_no_tensor_leaves_the_records(wrong):
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    with pytest.raises((TypeError, AttributeError)):
        tape.jacobian(y, wrong)
    np.testing.assert_array_equal(tape.jacobian(y, x), [[2.0, 0.0], [0.0, 4.0]])


@pytest.mark.parametrize("equation, shape", [("ii->i", (2, 2)), ("ii", (1, 1)), ("bii->bi", (2, 2, 2))])
def test_the_vectorized_loop_refuses_an_einsum_that_fills_a_diagonal(equation, shape):
    x = tf.ones(shape)
    with pytest.raises(ValueError, match="while vectorizing the jacobian") as caught:
        _jacobian(lambda x: tf.einsum(equation, x), x)
    assert "Output subscripts contain a label appearing more than once: a" in str(caught.value.__cause__)
    assert _jacobian(lambda x: tf.einsum(equation, x), x, True, experimental_use_pfor=False) is not None


def test_a_diagonal_that_leads_to_no_source_is_not_vectorized():
    x, y = tf.ones((2, 3)), tf.ones((3, 3))
    with tf.GradientTape() as tape:
        tape.watch([x, y])
        z = tf.einsum("ij,jj->i", x, y)
    assert tape.jacobian(z, x).shape == (2, 2, 3)


def test_a_running_sum_of_exponentials_has_a_gradient_in_bfloat16():
    x = tf.constant([1.5, 2.0], "bfloat16")
    j = _jacobian(tf.math.cumulative_logsumexp, x)
    assert tf.cast(j, "float32").numpy().tolist() == [[1.0, 0.0], [0.37890625, 0.625]]


@pytest.mark.parametrize("dtype", ["float64", "float16"])
def test_a_loop_over_no_rows_gives_float32_whatever_was_asked(dtype):
    x, scale = tf.zeros([2, 0], dtype), tf.constant(2.0, dtype)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch([x, scale])
        y = x * scale
    assert tape.jacobian(y, scale, experimental_use_pfor=False).dtype is tf.float32
    assert tape.batch_jacobian(y, x, experimental_use_pfor=False).dtype is tf.float32
    assert tape.jacobian(y, scale).dtype is tf.as_dtype(dtype)
