"""cond, case, switch_case, while_loop, TensorArray, map_fn, scan and folds, eagerly and in functions."""

import pytest

import reference_impl as tf

c = tf.constant


def both(body, *args):
    """What a function gives eagerly and traced, which must be the same."""
    eager, traced = ([t.numpy().tolist() for t in tf.nest.flatten(f(*args))] for f in (body, tf.function(body)))
    assert eager == traced
    return eager


def gradient(body, x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = body(x)
    g = tape.gradient(y, x)
    return g if g is None else g.numpy().tolist()


def test_cond_takes_one_branch_and_its_gradient():
    body = lambda x: tf.cond(x > 0, lambda: x * x, lambda: 3.0 * x)  # noqa: E731
    f = tf.function(body)
    assert [both(body, c(v)) for v in (2.0, -2.0)] == [[4.0], [-6.0]]
    assert [gradient(f, c(v)) for v in (2.0, -2.0)] == [4.0, 3.0]


def test_a_branch_that_ignores_its_input_gives_zero_in_a_graph_and_none_eagerly():
    body = lambda x: tf.cond(x > 0, lambda: c(1.0), lambda: x)  # noqa: E731
    assert gradient(tf.function(body), c(2.0)) == 0.0 and gradient(body, c(2.0)) is None


def test_cond_judges_its_arguments():
    with pytest.raises(TypeError, match="'true_fn' must be callable"):
        tf.cond(c(True), 1, 2)
    with pytest.raises(TypeError, match="pred must not be a Python bool"):
        tf.function(lambda x: tf.cond(True, lambda: x, lambda: -x), autograph=False)(c(1.0))
    with pytest.raises(TypeError, match="must have the same number, type, and overall structure"):
        tf.function(lambda x: tf.cond(x > 0, lambda: x, lambda: 1), autograph=False)(c(1.0))
    shapes = []
    tf.function(lambda x: shapes.append(tf.cond(x > 0, lambda: tf.zeros([2]), lambda: tf.zeros([3])).shape.as_list()))(
        c(1.0)
    )
    assert shapes == [[None]]


def test_a_branch_that_is_not_taken_may_be_unfit_for_the_values():
    f = tf.function(lambda x, i: tf.cond(i < 2, lambda: tf.gather(x, i), lambda: c(-1.0)))
    assert [float(f(c([1.0, 2.0]), c(k))) for k in (5, 1)] == [-1.0, 2.0]


def test_case_and_switch_case():
    case = lambda x: tf.case([(x > 3, lambda: x), (x > 1, lambda: x * 2.0)], default=lambda: x * 3.0)  # noqa: E731
    assert [both(case, c(v)) for v in (4.0, 2.0, 1.0)] == [[4.0], [4.0], [3.0]]
    for k, want in enumerate([4.0, 5.0, -1.0, -1.0]):
        switch = lambda x, k=k: tf.switch_case(c(k), [lambda: x * x, lambda: x * 5.0, lambda: -x])  # noqa: E731
        assert gradient(tf.function(switch), c(2.0)) == want == gradient(switch, c(2.0))
    with pytest.raises(ValueError, match=r"must form contiguous range of \[0 to 2\) but found \{0,3\}"):
        tf.switch_case(c(7), {0: lambda: 1.0, 3: lambda: 2.0})
    with pytest.raises(TypeError, match="'branch_index' must be an integer Tensor"):
        tf.switch_case(c(1.0), [lambda: 1.0])
    with pytest.raises(tf.errors.InvalidArgumentError, match="None of conditions evaluated as True"):
        tf.case([(c(False), lambda: 1.0)])


def test_while_loops_are_differentiated():
    loop = lambda x: tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * x), [c(0), x])[1]  # noqa: E731
    assert both(loop, c(2.0)) == [16.0]
    assert gradient(loop, c(2.0)) == gradient(tf.function(loop), c(2.0)) == 32.0


def test_what_a_loop_carries_or_uses_is_connected_even_without_a_round():
    x, w = c(3.0), c(4.0)

    def gradients(body, start):
        f = tf.function(lambda: tf.while_loop(lambda i, *_: i < 0, body, start)[1])
        with tf.GradientTape() as tape:
            tape.watch([x, w])
            y = f()
        return [None if g is None else float(g) for g in tape.gradient(y, [x, w])]

    assert gradients(lambda i, y: (i + 1, y * w), [c(0), x]) == [1.0, 0.0]
    assert gradients(lambda i, y: (i + 1, y * 2.0), [c(0), x]) == [1.0, None]
    assert gradients(lambda i, y, z: (i + 1, y * 2.0, z * 3.0), [c(0), x, w]) == [1.0, 0.0]


def test_loops_stop_at_their_maximum_and_keep_their_nest():
    got = tf.function(
        lambda x: tf.while_loop(
            lambda i, d: True, lambda i, d: (i + 1, {"a": d["a"] * 2.0}), (0, {"a": x}), maximum_iterations=3
        )
    )(c(1.0))
    assert type(got) is tuple and int(got[0]) == 3 and float(got[1]["a"]) == 8.0


def test_loop_variables_keep_dtype_and_shape():
    def traced(body, start, **options):
        return tf.function(lambda x: tf.while_loop(lambda i, *_: i < 3, body, (0, x), **options), autograph=False)(
            start
        )

    with pytest.raises(
        TypeError, match=r"Loop var x:0 enters the loop with type <dtype: 'float32'> but has type <dtype: 'int32'>"
    ):
        traced(lambda i, x: (i + 1, i), c(1.0))
    double = lambda i, x: (i + 1, tf.concat([x, x], 0))  # noqa: E731
    with pytest.raises(ValueError, match=r"Input tensor `x:0` enters the loop with shape \(1,\), but has shape \(2,\)"):
        traced(double, c([1.0]))
    open_size = (tf.TensorShape([]), tf.TensorShape([None]))
    assert traced(double, c([1.0]), shape_invariants=open_size)[1].shape == (8,)


def test_arrays_of_tensors():
    stacked = lambda a: tf.TensorArray(tf.float32, 2).write(0, a).write(1, a * a).stack()  # noqa: E731
    assert both(stacked, c(3.0)) == [[3.0, 9.0]]
    assert gradient(stacked, c(3.0)) == gradient(tf.function(stacked), c(3.0)) == 7.0
    grown = lambda a: tf.while_loop(  # noqa: E731
        lambda i, t: i < 3, lambda i, t: (i + 1, t.write(i, a)), (0, tf.TensorArray(tf.float32, 0, dynamic_size=True))
    )[1].stack()
    assert both(grown, c(2.0)) == [[2.0, 2.0, 2.0]]


def test_arrays_of_tensors_refuse_what_does_not_fit():
    with pytest.raises(
        tf.errors.OutOfRangeError, match="Tried to write to index 3 but array is not resizeable and size is: 2"
    ):
        tf.TensorArray(tf.float32, 2).write(3, c(1.0))
    array = tf.TensorArray(tf.float32, 2).unstack(c([1.0, 2.0]))
    array.read(0)
    with pytest.raises(tf.errors.InvalidArgumentError, match="Could not read index 0 twice"):
        array.read(0)


@pytest.mark.parametrize(
    "body, want",
    [
        (lambda x: tf.map_fn(lambda e: e * e, x), [2.0, 4.0, 6.0]),
        (lambda x: tf.scan(lambda a, e: a * e, x), [9.0, 4.0, 2.0]),
        (lambda x: tf.scan(lambda a, e: a * e, x, reverse=True), [6.0, 6.0, 5.0]),
        (lambda x: tf.vectorized_map(lambda e: e * e, x), [2.0, 4.0, 6.0]),
        (lambda x: tf.foldl(lambda a, e: a * 2.0 + e, x), [4.0, 2.0, 1.0]),
        (lambda x: tf.foldr(lambda a, e: a * 2.0 + e, x), [1.0, 2.0, 4.0]),
    ],
)
def test_maps_and_folds_are_differentiated(body, want):
    x = c([1.0, 2.0, 3.0])
    assert gradient(body, x) == want == gradient(tf.function(body), x)


def test_the_second_derivative_of_a_scan_sees_every_row():
    x = c([1.0, 2.0, 3.0])
    body = lambda x: tf.scan(lambda a, e: a * e, x)  # noqa: E731
    for f in (body, tf.function(body)):
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = f(x)
            g = inner.gradient(y, x)
        assert outer.gradient(g, x).numpy().tolist() == [6.0, 5.0, 3.0]


def test_maps_have_nests_and_dtypes():
    got = tf.map_fn(
        lambda e: (e[0] + e[1], tf.cast(e[0], tf.int32)),
        (c([1.0, 2.0]), c([3.0, 4.0])),
        fn_output_signature=(tf.float32, tf.int32),
    )
    assert [t.numpy().tolist() for t in got] == [[4.0, 6.0], [1, 2]]


def test_loops_over_no_rows_are_traced_all_the_same():
    assert tf.function(lambda x: tf.map_fn(lambda e: e * 2.0, x))(tf.zeros([0])).shape == (0,)

    def total(x):
        s = 0.0
        for row in x:
            s += row
        return s

    assert float(tf.function(total)(tf.zeros([0]))) == 0.0


def _repeated(body, x):
    """A loop of two turns in a function, under two tapes: the gradient, and the gradient of that."""
    f = tf.function(lambda x: tf.while_loop(lambda i, _: i < 2, lambda i, y: (i + 1, body(y, x)), (0, x[:1]))[1])
    with tf.GradientTape() as outer, tf.GradientTape() as inner:
        outer.watch(x)
        inner.watch(x)
        first = inner.gradient(f(x), x)
    return first, outer.gradient(first, x)


def test_a_loop_adds_sparse_gradients_of_what_it_captured_to_a_dense_one():
    first, second = _repeated(lambda y, x: y + tf.gather(x, [1]), c([1.0, 2.0, 3.0]))
    assert (type(first).__name__, first.numpy().tolist(), second) == ("EagerTensor", [1.0, 2.0, 0.0], None)


def test_rows_gathered_in_a_vectorized_map_stay_sparse():
    x = c([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.function(lambda x: tf.vectorized_map(lambda i: tf.gather(x, i), c([0, 1])))(x)
    assert type(tape.gradient(y, x)) is tf.IndexedSlices


@pytest.mark.parametrize(
    ("body", "second"),
    [
        (lambda y, x: y + x[1:2], None),
        (lambda y, x: y * 2.0, [0.0, 0.0]),
        (lambda y, x: tf.maximum(y, 1.5), [0.0, 0.0]),
        (lambda y, x: tf.cond(y[0] > 0.0, lambda: y, lambda: y + 1.0), [0.0, 0.0]),
    ],
    ids=["a sum", "a product with a number", "a comparison", "branches"],
)
def test_the_gradient_of_a_loop_is_unconnected_where_it_needs_no_value_of_the_loop(body, second):
    found = _repeated(body, c([1.0, 2.0]))[1]
    assert (found if found is None else found.numpy().tolist()) == second


def test_a_condition_in_a_function_is_a_bool():
    f = tf.function(lambda x: tf.cond(x, lambda: 1, lambda: 2), autograph=False)
    assert int(f(tf.constant(True))) == 1
    with pytest.raises(tf.errors.InvalidArgumentError, match="Input 'pred' passed float expected bool"):
        f(tf.constant(1.0))


def test_a_constant_in_a_function_is_made_of_no_tensor():
    with pytest.raises(TypeError, match="Expected any non-tensor type, but got a tensor instead"):
        tf.function(lambda x: tf.constant(x) * 2.0)(tf.constant(1.0))


def test_vectors_are_no_matrices_while_a_function_is_traced():
    with pytest.raises(ValueError, match=r"Shape must be rank 2 but is rank 1 for .* with input shapes: \[2\], \[2\]"):
        tf.function(lambda x: tf.matmul(x, x))(tf.constant([1.0, 2.0]))
