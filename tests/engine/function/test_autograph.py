"""Python's control flow on tensors in traced functions: what is converted, and what is refused in which words."""

import logging

import pytest

import reference_impl as tf

c = tf.constant


def run(function, *args):
    return tf.function(function)(*args)


def text_of(error, function, *args):
    with pytest.raises(error) as raised:
        run(function, *args)
    return str(raised.value)


def last_line(error, function, *args):
    """The last line of a text that begins with the places in the user's code."""
    text = text_of(error, function, *args)
    assert text.startswith("in user code:\n\n    File ")
    return text.strip().split("\n")[-1].strip()


def scaled(x):
    if x > 10:
        r = x * 10.0
    elif x > 5:
        r = x * 5.0
    else:
        r = x
    return r


def absolute(x):
    if x > 0:
        return x
    return -x


def until_five(x):
    while x < 10:
        x = x * 2.0
        if x > 5:
            break
    return x


def odd_sum(x):
    s = 0.0
    for i in tf.range(10):
        if tf.cast(i, tf.float32) > x:
            break
        if i % 2 == 0:
            continue
        s += tf.cast(i, tf.float32) * x
    return s


def collatz(n):
    steps = 0
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps


def rows(x):
    s = tf.zeros_like(x[0])
    for r in x:
        s = s * 2.0 + r
    return s


def fibonacci(x):
    (p, q), z = (x, x * 2.0), 3.0
    while p < 10.0:
        p, q = q, p + q
    return p, q, z


def last_made(x):
    for i in tf.range(3):
        z = x * tf.cast(i, tf.float32)
    return z


@pytest.mark.parametrize(
    "function, argument, want",
    [
        (scaled, 1.0, 1.0), (scaled, 6.0, 30.0), (scaled, 20.0, 200.0), (absolute, -2.0, 2.0), (absolute, 2.0, 2.0),
        (until_five, 1.0, 8.0), (odd_sum, 4.5, 18.0), (collatz, 6, 8), (collatz, 1, 0),
        (fibonacci, 2.0, [10.0, 16.0, 3.0]),
        (rows, [[1.0, 2.0], [3.0, 4.0]], [5.0, 8.0]), (last_made, 1.0, 2.0),
    ],
)  # fmt: skip
def test_statements_on_tensors(function, argument, want):
    got = run(function, c(argument))
    assert ([t.numpy().tolist() for t in got] if type(got) is tuple else got.numpy().tolist()) == want


def test_one_trace_takes_every_way():
    f = tf.function(scaled)
    assert [float(f(c(v))) for v in (1.0, 6.0, 20.0)] == [1.0, 30.0, 200.0]
    assert f.experimental_get_tracing_count() == 1


def test_gradients_go_through_statements():
    x = c(4.5)
    f = tf.function(odd_sum)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    assert float(tape.gradient(y, x)) == 4.0


def test_a_loop_over_rows_has_as_many_rounds_as_rows():
    f = tf.function(rows, input_signature=[tf.TensorSpec([None, 2])])
    assert f(c([[1.0, 2.0]])).numpy().tolist() == [1.0, 2.0]
    assert f(c([[1.0, 2.0], [3.0, 4.0]])).numpy().tolist() == [5.0, 8.0]


def test_operators_on_tensors():
    def f(x):
        return (x > 0 and x < 2) or not (x > -1)

    assert [bool(run(f, c(v))) for v in (1.0, 3.0, -2.0)] == [True, False, True]
    assert float(run(lambda x: x if x > 0 else -x, c(-2.0))) == 2.0


def test_python_conditions_stay_python():
    taken = []

    def f(x, flag):
        if flag:
            taken.append("yes")
            x = x * 2.0
        else:
            taken.append("no")
        for _ in range(2):
            x = x + 1.0
        return x

    assert float(run(f, c(1.0), True)) == 4.0 and taken == ["yes"]


def test_returns_in_python_loops():
    def f(x, n):
        if x < 0:
            return x
        for i in range(3):
            x = x + 1.0
            if n == i:
                return x * 100.0
        return x

    assert [float(run(f, c(1.0), n)) for n in (0, 2, 9)] == [200.0, 400.0, 4.0] and float(run(f, c(-1.0), 9)) == -1.0


def test_called_functions_and_methods_are_converted_too():
    class Model:
        def helper(self, x):
            if x > 0:
                return x * 10.0
            return x

        def __call__(self, x):
            return self.helper(x) + self.helper(-x)

    assert float(run(Model().__call__, c(2.0))) == 18.0


def test_attributes_and_items_can_be_assigned_in_branches():
    class Box:
        pass

    def f(x):
        box, items = Box(), {"a": x}
        box.v = x
        if x > 0:
            box.v = x * 2.0
            items["a"] = x * 3.0
        return box.v, items["a"]

    g = tf.function(f)
    assert [[float(t) for t in g(c(v))] for v in (1.0, -1.0)] == [[2.0, 3.0], [-1.0, -1.0]]


def test_closures_and_nonlocal_names():
    count = c(0)

    def f(x):
        nonlocal count
        for _ in range(2):
            count = count + 1
        return x * tf.cast(count, tf.float32)

    assert float(run(f, c(3.0))) == 6.0


def test_builtins_on_tensors():
    assert int(run(lambda n: len(n) + 0, c([1.0, 2.0]))) == 2
    assert run(lambda x: (int(x), float(x)), c(2.5))[0].dtype is tf.int32

    def total(n):
        s = 0
        for i in range(n):
            s += i
        return s

    assert int(run(total, c(4))) == 6


def only_if(x):
    if x > 0:
        y = x
    return y


def returns_if(x):
    if x > 0:
        return x


def two_dtypes(x):
    if x > 0:
        y = x
    else:
        y = 1
    return y


def grows(x):
    s = tf.zeros([0])
    for _ in tf.range(3):
        s = tf.concat([s, [x]], 0)
    return s


def turns_into_a_tensor(x):
    while True:
        x = x + 1.0
        if x > 5:
            break
    return x


def breaks_python(x):
    for _ in range(3):
        if x > 100.0:
            break
        x = x * 2.0
    return x


def returns_in_loop(x):
    for v in x:
        if v > 2:
            return v
    return c(-1.0)


@pytest.mark.parametrize(
    "function, argument, want",
    [
        (only_if, 1.0, "ValueError: 'y' must also be initialized in the else branch"),
        (returns_if, 1.0, "ValueError: the else branch must also have a return statement."),
        (two_dtypes, 1.0, "TypeError: 'y' has dtype float32 in the main branch, but dtype int32 in the else branch"),
        (grows, 1.0, "ValueError: 's' has shape (0,) before the loop, but shape (1,) after one iteration. Use "
         "tf.autograph.experimental.set_loop_options to set shape invariants."),
    ],
)  # fmt: skip
def test_what_cannot_be_a_tensor_either_way_is_refused(function, argument, want):
    assert last_line((ValueError, TypeError), function, c(argument)) == want


@pytest.mark.parametrize(
    "function, argument, want",
    [
        (turns_into_a_tensor, 1.0, "The condition of while loop started as non-Tensor, then changed to Tensor."),
        (
            breaks_python,
            1.0,
            "break and return statements which depend on a TF condition are not supported in Python for loops.",
        ),
        (returns_in_loop, [1.0, 3.0], "a return statement cannot be placed inside this TensorFlow loop"),
    ],
)
def test_loops_are_python_or_tensor_loops_and_never_both(function, argument, want):
    assert want in text_of(NotImplementedError, function, c(argument))


def test_loop_options_open_a_shape():
    def f(x):
        s = tf.zeros([0])
        for _ in tf.range(3):
            tf.autograph.experimental.set_loop_options(shape_invariants=[(s, tf.TensorShape([None]))])
            s = tf.concat([s, [x]], 0)
        return s

    assert run(f, c(2.0)).numpy().tolist() == [2.0, 2.0, 2.0]


def test_errors_tell_the_lines_of_the_user_code():
    def inner(x):
        raise ValueError("boo")

    def outer(x):
        return inner(x)

    lines = text_of(ValueError, outer, c(1.0)).split("\n")
    assert lines[0] == "in user code:" and lines[2].endswith(", in outer  *") and lines[3].strip() == "return inner(x)"
    assert lines[4].endswith(", in inner  *") and lines[5].strip() == 'raise ValueError("boo")'
    assert lines[7] == "    ValueError: boo"


def test_errors_keep_their_class_where_that_can_be_made():
    class Own(Exception):
        def __init__(self, a, b):
            super().__init__(a, b)

    def own(x):
        raise Own(1, 2)

    def key(x):
        raise KeyError("boo")

    with pytest.raises(KeyError) as raised:
        run(key, c(1.0))
    assert str(raised.value).endswith("KeyError: 'boo'\n")
    with pytest.raises(Exception, match=r"Own: \(1, 2\)") as raised:
        run(own, c(1.0))
    assert type(raised.value).__name__ == "StagingError"


def test_functions_can_be_left_as_they_are():
    text = "Using a symbolic `tf.Tensor` as a Python `bool` is not allowed"
    with pytest.raises(tf.errors.OperatorNotAllowedInGraphError, match=text):
        tf.function(scaled, autograph=False)(c(1.0))
    with pytest.raises(tf.errors.OperatorNotAllowedInGraphError, match=text):
        run(tf.autograph.experimental.do_not_convert(scaled), c(1.0))


def test_lambdas_that_cannot_be_told_apart_are_left_as_they_are(caplog):
    pair = (lambda x: x if x > 0 else -x, lambda x: x if x > 1 else -x)
    refused = pytest.raises(tf.errors.OperatorNotAllowedInGraphError)
    with caplog.at_level(logging.WARNING, logger="tensorflow"), refused:
        run(pair[0], c(1.0))
    assert "found multiple definitions with identical signatures at the location" in caplog.text


def test_chains_of_comparisons():
    f = tf.function(lambda x: 1.0 if 0 < x < 3 else 2.0)
    assert [float(f(c(v))) for v in (2.0, 5.0, -1.0)] == [1.0, 2.0, 2.0]
