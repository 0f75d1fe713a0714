"""tf.debugging's assertions, tf.print and test.compute_gradient, with TensorFlow's texts."""

import numpy as np
import pytest

import reference_impl as tf

X, Y, M = (
    (lambda: tf.constant([1.0, 2.0, 3.0])),
    (lambda: tf.constant([1.0, 5.0, 3.0])),
    (lambda: tf.constant([[1, 2], [3, 4]])),
)
check = tf.debugging
_BOTH = "First 3 elements of x:\n[1. 2. 3.]\nFirst 3 elements of y:\n[1. 5. 3.]"


def text_of(error, function, *args, **kwargs):
    with pytest.raises(error) as raised:
        function(*args, **kwargs)
    return str(raised.value)


@pytest.mark.parametrize(
    "name, sign, indices, x, y",
    [
        ("equal", "==", "[[1]]", "[2.]", "[5.]"), ("none_equal", "!=", "[[0]\n [2]]", "[1. 3.]", "[1. 3.]"),
        ("less", "<", "[[0]\n [2]]", "[1. 3.]", "[1. 3.]"),
        ("greater", ">", "[[0]\n [1]\n [2]]", "[1. 2. 3.]", "[1. 5. 3.]"),
        ("greater_equal", ">=", "[[1]]", "[2.]", "[5.]"),
    ],
)  # fmt: skip
def test_a_comparison_that_fails_shows_where(name, sign, indices, x, y):
    count = indices.count("[") - 1
    got = text_of(tf.errors.InvalidArgumentError, getattr(check, f"assert_{name}"), X(), Y())
    assert got == (
        f"Condition x {sign} y did not hold.\nIndices of first {count} different values:\n{indices}\nCorresponding x "
        f"values:\n{x}\nCorresponding y values:\n{y}\n{_BOTH}"
    )


def test_a_comparison_that_holds_gives_none():
    assert check.assert_less_equal(X(), Y()) is None
    assert tf.debugging.assert_equal(tf.constant([]), tf.constant([])) is None
    nan = tf.constant([np.nan])
    assert check.assert_equal(nan, nan) is None  # one and the same object


def test_message_and_summarize():
    got = text_of(tf.errors.InvalidArgumentError, check.assert_equal, X(), Y(), message="hello", summarize=0)
    assert got == "hello\nCondition x == y did not hold."
    got = text_of(tf.errors.InvalidArgumentError, check.assert_less, tf.range(10), tf.range(10), summarize=-1)
    assert "Indices of first 10 different values" in got and got.endswith("[0 1 2 3 4 5 6 7 8 9]")


def test_operands_are_judged_by_the_comparison_itself():
    got = text_of(tf.errors.InvalidArgumentError, check.assert_equal, tf.constant(1), tf.constant(1.0))
    assert "expected to be a int32 tensor but is a float tensor [Op:Equal]" in got
    assert "Incompatible shapes: [3] vs. [2]" in text_of(
        tf.errors.InvalidArgumentError, check.assert_less, X(), tf.constant([1.0, 2.0])
    )


@pytest.mark.parametrize(
    "name, sign, gap",
    [("negative", "<", "\n"), ("positive", ">", "\n"), ("non_negative", ">=", "\n"), ("non_positive", "<=", "")],
)
def test_comparisons_with_zero(name, sign, gap):
    got = text_of(
        tf.errors.InvalidArgumentError,
        getattr(check, f"assert_{name}"),
        tf.constant([1.0, -1.0, 0.0, 2.0]),
        message="hey",
    )
    says = f"hey.  \nCondition x {sign} 0 did not hold element-wise:{gap}x (shape=(4,) dtype=float32) = \n"
    assert got == says + "['1.0', '-1.0', '0.0', '...']"


def test_assert_near():
    assert check.assert_near(X(), Y(), atol=4.0) is None
    got = text_of(tf.errors.InvalidArgumentError, check.assert_near, X(), Y(), summarize=1)
    assert got.startswith(
        "Expected 'tf.Tensor(False, shape=(), dtype=bool)' to be true. Summarized data: b''\nb'x and y not"
    )
    assert got.endswith("\n1.0, ...\nb'y (shape=(3,) dtype=float32) = '\n1.0, ...")
    with pytest.raises(ValueError, match=r"data type <class 'numpy\.int32'> not inexact"):
        check.assert_near(1, 1)


def test_assert():
    assert tf.Assert(True, [X()]) is None
    got = text_of(tf.errors.InvalidArgumentError, tf.Assert, False, [X(), tf.range(9), "s", 1])
    assert got == "Expected 'False' to be true. Summarized data: 1.0, 2.0, 3.0\n0, 1, 2, ...\nb's'\n1"
    with pytest.raises(TypeError, match=r"values must be a sequence\."):
        tf.Assert(False, X())


def test_ranks():
    assert check.assert_rank(M(), 2) is None and check.assert_rank_at_least(M(), 1) is None
    assert text_of(ValueError, check.assert_rank, X(), 2) == "Tensor  must have rank 2.  Received rank 1, shape (3,)"
    got = text_of(ValueError, check.assert_rank_at_least, X(), 2, message="mm")
    assert got == "mm.  Tensor  must have rank at least 2.  Received rank 1, shape (3,)"
    got = text_of(ValueError, check.assert_rank_in, M(), [1, 3])
    assert got == "Tensor  must have rank in (1, 3).  Received rank 2, shape (2, 2)"
    assert text_of(ValueError, check.assert_rank, X(), [1]) == "Rank must be a scalar."
    assert text_of(TypeError, check.assert_rank, X(), 1.5) == "tensor must be of type tf.int32; got tf.float32"


def test_types():
    assert check.assert_integer(M()) is None and check.assert_type(X(), tf.float32) is None
    got = text_of(TypeError, check.assert_integer, X(), message="q")
    assert got == "q.  Expected \"x\" to be integer type.  Found: tensor of dtype <dtype: 'float32'>"
    assert text_of(TypeError, check.assert_type, X(), tf.int32) == "tensor must be of type tf.int32; got tf.float32"
    assert text_of(ValueError, check.assert_scalar, X()) == "Expected scalar shape, saw shape: (3,)."
    assert check.assert_same_float_dtype([X(), Y()]) is tf.float32
    assert (
        text_of(ValueError, check.assert_same_float_dtype, [M()])
        == "Expected floating point type, got <dtype: 'int32'>."
    )
    numeric = (X(), M(), tf.constant(True), tf.constant("a"), 1, tf.Variable(1.0), tf.constant(1j))
    assert [check.is_numeric_tensor(v) for v in numeric] == [True, True, False, False, False, False, True]


def test_what_may_be_iterated_over():
    assert check.assert_proper_iterable([1]) is None
    for value in (X(), "a", np.ones(1)):
        assert 'to be a "proper" iterable' in text_of(TypeError, check.assert_proper_iterable, value)
    assert text_of(TypeError, check.assert_proper_iterable, 1) == (
        "Expected argument \"values\" to be iterable.  Found: <class 'int'>"
    )


@pytest.mark.parametrize(
    "shapes, text",
    [
        ([("X", ("N",)), ("M", ("N", "M"))],
         "Specified by tensor shape=(3,) dtype=float32 dimension 0.  Tensor shape=(2, 2) dtype=int32 dimension 0 must "
         "have size 3.  Received size 2, shape (2, 2)"),
        ([("X", (4,))],
         "Specified explicitly.  Tensor shape=(3,) dtype=float32 dimension 0 must have size 4.  Received "
         "size 3, shape (3,)"),
        ([("M", ("a", "b", "c"))], "Tensor  must have rank 3.  Received rank 2, shape (2, 2)"),
        ([("M", ("*", "b", "c", "d"))], "Tensor  must have rank at least 3.  Received rank 2, shape (2, 2)"),
        ([("M", ("a",))], "Tensor  must have rank in (0, 1).  Received rank 2, shape (2, 2)"),
        ([("M", (2, "*"))],
         "Tensor shape=(2, 2) dtype=int32 specified shape index 1.  Symbol `...` or `*` for a variable number of "
         "unspecified dimensions is only allowed as the first entry"),
        ([("M", 3)],
         "Tensor shape=(2, 2) dtype=int32.  Specified shape must be an iterable.  An iterable has the attribute "
         "`__iter__` or `__getitem__`.  Received specified shape: 3"),
    ],
)  # fmt: skip
def test_shapes_that_do_not_fit(shapes, text):
    named = {"X": X(), "M": M()}
    assert text_of(ValueError, check.assert_shapes, [(named[n], s) for n, s in shapes]) == text


def test_shapes_that_fit():
    shapes = [
        (tf.constant(1.0), ()),
        (X(), ("N",)),
        (M(), (None, ".")),
        (M(), (..., "M")),
        (M(), ("M", 2)),
        (M(), None),
    ]
    assert check.assert_shapes(shapes) is None


def test_assert_all_finite_is_an_identity_or_an_error():
    x = X()
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = check.assert_all_finite(x * x, "m")
    assert tape.gradient(y, x).numpy().tolist() == [2.0, 4.0, 6.0]
    got = text_of(tf.errors.InvalidArgumentError, check.assert_all_finite, tf.constant([np.inf, np.nan]), "msg")
    assert "msg : Tensor had Inf and NaN values [Op:CheckNumerics]" in got


def printed(tmp_path, *values, **options):
    path = tmp_path / "printed"
    tf.print(*values, output_stream=f"file://{path}", **options)
    return path.read_text()


@pytest.mark.parametrize(
    "value, text",
    [
        (lambda: tf.constant(3.14159265), "3.14159274"), (lambda: tf.constant(1e10), "1e+10"),
        (lambda: tf.constant(1 / 3, tf.float64), "0.33333333333333331"), (lambda: tf.constant(-0.0), "-0"),
        (lambda: tf.constant([np.inf, -np.inf, np.nan]), "[inf -inf nan]"),
        (lambda: tf.constant([True, False]), "[1 0]"),
        (lambda: tf.constant([0.1, 1 / 3], tf.float16), "[0.0999755859 0.333251953]"), (lambda: tf.constant("a"), "a"),
        (lambda: tf.constant(["a", 'b"c\n']), '["a" "b\\"c\\n"]'), (lambda: tf.range(10), "[0 1 2 ... 7 8 9]"),
        (lambda: tf.range(6), "[0 1 2 3 4 5]"), (lambda: tf.zeros([2, 0]), "[\n ...]"),
        (lambda: tf.zeros([0, 3]), "[]"),
        (lambda: tf.reshape(tf.range(8), [2, 2, 2]), "[[[0 1]\n  [2 3]]\n\n [[4 5]\n  [6 7]]]"),
        (lambda: [X(), {"k": tf.constant(1), "a": "s"}], "[[1 2 3], {'a': 's', 'k': 1}]"),
        (lambda: np.array([1.0, 2.0]), "array([1., 2.])"), (lambda: tf.Variable(2.5), "2.5"), (lambda: None, "None"),
        (lambda: tf.float32, "tf.float32"), (lambda: tf.constant([1j]), "[?]"),
    ],
)  # fmt: skip
def test_what_print_makes_of_a_value(tmp_path, value, text):
    assert printed(tmp_path, value()) == text + "\n"


def test_the_options_of_print(tmp_path, capsys):
    assert printed(tmp_path, "x:", X(), 1, sep=",", end="") == "x:,[1 2 3],1"
    tf.print(tf.range(10), summarize=1)
    tf.print(tf.range(10), summarize=-1)
    tf.print(tf.range(10), summarize=0)
    assert capsys.readouterr().err == "[0 ... 9]\n[0 1 2 3 4 5 6 7 8 9]\n[ ...]\n"
    with pytest.raises(ValueError, match=r"Unrecognized keyword arguments for tf\.print: \{'foo': 2\}"):
        tf.print(1, foo=2)
    with pytest.raises(ValueError, match="Unsupported output stream"):
        tf.print(1, output_stream=3)


@pytest.mark.parametrize(
    "f, xs, want",
    [
        (
            lambda x, y: x * y,
            [[1.0, 2.0], [[3.0], [4.0]]],
            [[[3, 0], [0, 3], [4, 0], [0, 4]], [[1, 0], [2, 0], [0, 1], [0, 2]]],
        ),
        (lambda z: z * z, [1 + 2j], [[[2, -4], [4, 2]]]),
        (lambda x: tf.complex(x, x * x), [1.0], [[[1], [2]]]),
        (lambda x: tf.gather(x, [0, 0, 1]), [[1.0, 2.0]], [[[1, 0], [1, 0], [0, 1]]]),
        (lambda x: x * 2.0, [np.zeros(0, np.float32)], [np.zeros((0, 0))]),
    ],
)
def test_the_jacobian_by_gradients_agrees_with_the_one_by_differences(f, xs, want):
    by_gradients, by_differences = tf.test.compute_gradient(f, xs)
    for exact, close, expected in zip(by_gradients, by_differences, want, strict=True):
        np.testing.assert_array_equal(exact, expected)
        np.testing.assert_allclose(close, expected, atol=1e-4)


def test_a_function_without_a_gradient_has_a_jacobian_of_zeros():
    by_gradients, by_differences = tf.test.compute_gradient(tf.round, [1.5])
    assert (by_gradients[0].item(), by_differences[0].item()) == (0.0, 512.0)


def test_what_compute_gradient_refuses():
    with pytest.raises(ValueError, match="`x` must be a list or tuple of values convertible to a Tensor"):
        tf.test.compute_gradient(lambda x: x, X())
    with pytest.raises(AssertionError, match="Cannot compute gradient for unsupported type int32 of argument 0"):
        tf.test.compute_gradient(lambda x: x, [1])
    with pytest.raises(AssertionError, match="Cannot compute gradient for unsupported type int32 of y"):
        tf.test.compute_gradient(lambda x: tf.cast(x, tf.int32), [1.0])
