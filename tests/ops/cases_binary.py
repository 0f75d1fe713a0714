# ruff: noqa: E731  # questions are short functions, many of them bound in a loop
"""What is asked of the ops that take two operands and broadcast them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from tests.ops.asking import Case

inf, nan = float("inf"), float("nan")
X = [1.5, -2.0, 0.5, 3.0]
Y = [2.0, 0.75, -1.25, 3.0]
KINK_X = [0.0, 0.0, 2.0, -2.0, inf, nan, 1.0, -0.0, 0.0]
KINK_Y = [0.0, 3.0, 0.0, 3.0, 2.0, 1.0, 1.0, 2.0, -1.0]

FLOATING = [
    "add",
    "subtract",
    "multiply",
    "divide",
    "pow",
    "maximum",
    "minimum",
    "floordiv",
    "floormod",
    "mod",
    "squared_difference",
]
SMOOTH = ["atan2", "xlogy", "xlog1py", "xdivy", "divide_no_nan", "multiply_no_nan"]
COMPARING = ["less", "less_equal", "greater", "greater_equal", "equal", "not_equal"]


def _named(path: str) -> Callable[..., Any]:
    def call(tf: Any, *inputs: Any) -> Any:
        found = tf
        for part in path.split("."):
            found = getattr(found, part)
        return found(*inputs)

    return call


def _pair(name: str) -> Iterator[Case]:
    op = _named(f"math.{name}")
    yield Case(f"{name} ordinary", op, (X, Y))
    yield Case(f"{name} float64", op, ((X, "float64"), (Y, "float64")))
    yield Case(f"{name} half", op, ((X, "float16"), (Y, "float16")), order=1)
    yield Case(f"{name} kinks", op, (KINK_X, KINK_Y))
    yield Case(f"{name} kinks, zero upstream", op, (KINK_X, KINK_Y), upstream="zeros")
    yield Case(f"{name} broadcast", op, ([[1.5], [2.0]], [3.0, 0.5, 2.0]))
    yield Case(f"{name} with a scalar", op, (2.0, [0.5, 3.0]))
    yield Case(f"{name} scalars", op, (2.0, 3.0), upstream="ones")
    yield Case(f"{name} empty", op, ([[]], [[1.0]]))
    yield Case(f"{name} of one tensor twice", lambda tf, x: op(tf, x, x), ([2.0, 0.5],))
    yield Case(f"{name} of shapes that do not fit", op, ([1.0, 2.0], [1.0, 2.0, 3.0]), order=0)
    yield Case(f"{name} of two dtypes", op, ([1.0], ([1.0], "float64")), order=0)
    yield Case(f"{name} of float and int", op, ([1.0], ([1], "int32")), order=0)
    yield Case(f"{name} with a Python number", lambda tf, x: op(tf, x, 2.0), (X,))
    yield Case(f"{name} with a Python number first", lambda tf, x: op(tf, 2.0, x), ([1.5, 2.0],))
    yield Case(f"{name} of integers", op, (([7, -7, 6], "int32"), ([2, 2, 3], "int32")), order=0)
    yield Case(f"{name} of bools", op, (([True], "bool"), ([False], "bool")), order=0)
    yield Case(f"{name} of strings", op, ((["a"], "string"), (["b"], "string")), order=0)


def _complex(name: str) -> Iterator[Case]:
    z, w = ([1 + 2j, -0.5 + 1j], "complex128"), ([0.5 - 1j, 2 + 0.5j], "complex128")
    yield Case(f"{name} complex", _named(f"math.{name}"), (z, w))


def _all() -> Iterator[Case]:
    for name in FLOATING + SMOOTH + COMPARING:
        yield from _pair(name)
    for name in [*FLOATING, *SMOOTH, "equal", "less"]:
        yield from _complex(name)
    yield Case("truncatediv", lambda tf, x, y: tf.truncatediv(x, y), (X, Y))
    yield Case("truncatemod", lambda tf, x, y: tf.truncatemod(x, y), (X, Y))
    yield Case("integer division by zero", lambda tf, x: x // 0, (([1], "int32"),), order=0)
    yield Case("integer remainder by zero", lambda tf, x: x % 0, (([1], "int32"),), order=0)
    yield Case(
        "integer floor of negatives",
        lambda tf, x: [x // 2, x % 3, tf.truncatediv(x, 2)],
        (([-7, 7], "int32"),),
        order=0,
    )
    for name in ("logical_and", "logical_or", "logical_xor"):
        op = _named(f"math.{name}")
        yield Case(name, op, (([True, True, False], "bool"), ([True, False, False], "bool")), order=0)
        yield Case(f"{name} of floats", op, ([1.0], [0.0]), order=0)
    yield Case("logical_not", lambda tf, x: tf.logical_not(x), (([True, False], "bool"),), order=0)
    for name in ("bitwise_and", "bitwise_or", "bitwise_xor"):
        yield Case(name, _named(f"bitwise.{name}"), (([6, 5], "int32"), ([3, 4], "int32")), order=0)
    for name in ("is_nan", "is_inf", "is_finite"):
        yield Case(name, _named(f"math.{name}"), ([1.0, inf, nan, -inf],), order=0)
    yield Case("gradient of is_nan", lambda tf, x: tf.cast(tf.math.is_nan(x), tf.float32), ([1.0],))
    yield from _where()
    yield from _sums()


def _where() -> Iterator[Case]:
    mask = ([True, False, True], "bool")
    yield Case("where", lambda tf, m, x, y: tf.where(m, x, y), (mask, [1.0, 2.0, 3.0], [4.0, 5.0, 6.0]))
    yield Case("where broadcast", lambda tf, m, x, y: tf.where(m, x, y), (([[True], [False]], "bool"), [1.0, 2.0], 3.0))
    yield Case("where with a Python number", lambda tf, m, x: tf.where(m, x, 0.0), (mask, [1.0, 2.0, 3.0]))
    yield Case("where of a Python number first", lambda tf, m, x: tf.where(m, 0.0, x), (mask, [1.0, 2.0, 3.0]))
    yield Case("where over a comparison", lambda tf, x: tf.where(x > 0, tf.sqrt(x), 0.0), ([0.0, 4.0, -1.0],))
    yield Case("where over log", lambda tf, x: tf.where(x > 0, tf.math.log(x), 0.0), ([0.0, 4.0, -1.0],))
    yield Case("where indices", lambda tf, m: tf.where(m), (([[True, False], [True, True]], "bool"),), order=0)
    yield Case("where of two dtypes", lambda tf, m, x, y: tf.where(m, x, y), (mask, [1.0], ([1], "int32")), order=0)
    yield Case("where of a float condition", lambda tf, m, x: tf.where(m, x, x), ([1.0], [1.0]), order=0)
    yield Case("where with one branch", lambda tf, m, x: tf.where(m, x), (mask, [1.0, 2.0, 3.0]), order=0)
    yield Case(
        "where of shapes that do not fit", lambda tf, m, x, y: tf.where(m, x, y), (mask, [1.0, 2.0], 1.0), order=0
    )


def _sums() -> Iterator[Case]:
    yield Case("add_n", lambda tf, x, y: tf.add_n([x, y, x]), ([1.0, 2.0], [3.0, 4.0]))
    yield Case("add_n of one", lambda tf, x: tf.add_n([x]), ([1.0, 2.0],))
    yield Case("add_n of none", lambda tf: tf.add_n([]), (), order=0)
    yield Case("add_n of two shapes", lambda tf, x, y: tf.add_n([x, y]), ([1.0, 2.0], [3.0]), order=0)
    yield Case("add_n of two dtypes", lambda tf, x, y: tf.add_n([x, y]), ([1.0], ([3], "int32")), order=0)
    yield Case(
        "operators",
        lambda tf, x, y: [x + y, x - y, x * y, x / y, x**y, -x, abs(x), x // y, x % y],
        ([2.0, 3.0], [0.5, 2.0]),
    )
    reflected = lambda tf, x: [1 + x, 1 - x, 2 * x, 2 / x, 2**x, 5 // x, 5 % x]
    yield Case("reflected operators", reflected, ([2.0, 3.0],))
    yield Case("reflected operators, float64", reflected, (([2.0, 3.0], "float64"),))
    yield Case("comparison operators", lambda tf, x, y: [x < y, x <= y, x > y, x >= y, x == y, x != y], (X, Y), order=0)
    yield Case(
        "bool operators",
        lambda tf, a, b: [a & b, a | b, a ^ b, ~a],
        (([True, False], "bool"), ([True, True], "bool")),
        order=0,
    )
    yield Case(
        "powers of whole numbers", lambda tf, x: [x**2, x**3.0, x**0, x**1, x**0.5, x**-1], ([0.0, 1.0, -2.0, 3.0],)
    )


CASES = tuple(_all())
