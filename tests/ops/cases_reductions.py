# ruff: noqa: E731  # questions are short functions, many of them bound in a loop
"""What is asked of the ops that reduce over axes or work along one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from tests.ops.asking import Case

inf, nan = float("inf"), float("nan")
MATRIX = [[1.5, -2.0, 0.5], [3.0, 0.25, -1.0]]
TIES = [[1.0, 3.0, 3.0], [2.0, 2.0, 2.0]]
ZEROS = [[0.0, 2.0, 3.0], [0.0, 0.0, 4.0]]
CUBE = [[[1.0, 2.0], [3.0, 4.0]], [[-1.0, 0.5], [2.5, -3.0]]]
REDUCTIONS = [
    "reduce_sum",
    "reduce_mean",
    "reduce_prod",
    "reduce_max",
    "reduce_min",
    "reduce_logsumexp",
    "reduce_variance",
    "reduce_std",
    "reduce_euclidean_norm",
]


def _named(path: str, **options: Any) -> Callable[..., Any]:
    def call(tf: Any, *inputs: Any) -> Any:
        found = tf
        for part in path.split("."):
            found = getattr(found, part)
        return found(*inputs, **options)

    return call


def _reduction(name: str) -> Iterator[Case]:
    path = f"math.{name}"
    for axis in (None, 0, 1, -1, [0], [0, 1], [1, 0], []):
        for keepdims in (False, True):
            op = _named(path, axis=axis, keepdims=keepdims)
            yield Case(f"{name} axis={axis} keepdims={keepdims}", op, (MATRIX,), order=2 if keepdims else 1)
    op = _named(path)
    yield Case(f"{name} ties", op, (TIES,))
    yield Case(f"{name} zeros", _named(path, axis=1), (ZEROS,))
    yield Case(f"{name} of a scalar", op, (2.0,), upstream="ones")
    yield Case(f"{name} of a cube", _named(path, axis=[0, 2]), ((CUBE, "float64"),))
    yield Case(f"{name} with infinities", _named(path, axis=1), ([[inf, 1.0], [-inf, -inf], [nan, 1.0], [inf, inf]],))
    yield Case(f"{name} of nothing", op, ([],))
    yield Case(f"{name} of an empty axis", _named(path, axis=1), ([[], []],))
    yield Case(f"{name} of integers", op, (([[3, -4], [5, 7]], "int32"),), order=0)
    yield Case(f"{name} of bools", op, (([True], "bool"),), order=0)
    yield Case(f"{name} half", op, ((MATRIX, "float16"),), order=1)
    yield Case(f"{name} of an axis that is not there", _named(path, axis=2), (MATRIX,), order=0)
    yield Case(f"{name} of an axis given twice", _named(path, axis=[0, -2]), (MATRIX,), order=0)
    yield Case(f"{name} zero upstream", op, (ZEROS,), upstream="zeros")
    yield Case(f"{name} of zeros", op, ([0.0, 0.0],))
    yield Case(f"{name} of equal elements", op, ([2.0, 2.0],))


def _all() -> Iterator[Case]:
    for name in REDUCTIONS:
        yield from _reduction(name)
    z = ([[1 + 1j, 2 - 1j], [0.5j, 3]], "complex128")
    for name in ["reduce_sum", "reduce_mean", "reduce_prod", "reduce_variance", "reduce_std"]:
        yield Case(f"{name} complex", _named(f"math.{name}", axis=1), (z,))
    flags = ([[True, False], [True, True]], "bool")
    for name in ("reduce_all", "reduce_any"):
        yield Case(name, _named(name), (flags,), order=0)
        yield Case(f"{name} axis", _named(name, axis=1, keepdims=True), (flags,), order=0)
        yield Case(f"{name} of floats", _named(name), ([1.0],), order=0)
    yield from _positions()
    yield from _cumulative()
    yield from _softmax()
    yield from _norms()
    yield from _clips()


def _positions() -> Iterator[Case]:
    for name in ("argmax", "argmin"):
        for axis in (None, 0, 1, -1):
            yield Case(f"{name} axis={axis}", _named(name, axis=axis), (TIES,), order=1)
        yield Case(
            f"{name} int32",
            lambda tf, x, name=name: getattr(tf, name)(x, axis=1, output_type=tf.int32),
            (TIES,),
            order=0,
        )
        yield Case(f"{name} of an axis that is not there", _named(name, axis=2), (TIES,), order=0)
        yield Case(f"{name} of nothing", _named(name), ([],), order=0)
    yield Case("argmax of nan", _named("argmax"), ([1.0, nan, 3.0],), order=0)
    yield Case("count_nonzero", _named("math.count_nonzero"), (ZEROS,), order=1)
    yield Case("count_nonzero axis", _named("math.count_nonzero", axis=0, keepdims=True), (ZEROS,), order=0)


def _cumulative() -> Iterator[Case]:
    for name in ("cumsum", "cumprod", "cumulative_logsumexp"):
        for exclusive in (False, True):
            for reverse in (False, True):
                op = _named(f"math.{name}", exclusive=exclusive, reverse=reverse)
                yield Case(f"{name} exclusive={exclusive} reverse={reverse}", op, ([1.0, 2.0, -3.0, 0.5],), scale=10)
        yield Case(f"{name} axis", _named(f"math.{name}", axis=1), (MATRIX,), scale=10)
        yield Case(f"{name} axis from the end", _named(f"math.{name}", axis=-2), ((MATRIX, "float64"),))
        yield Case(f"{name} of nothing", _named(f"math.{name}"), ([],))
        yield Case(f"{name} with zeros", _named(f"math.{name}", axis=1), (ZEROS,), scale=10)
        yield Case(f"{name} of integers", _named(f"math.{name}"), (([1, 2, 3], "int32"),), order=0)
        yield Case(f"{name} of an axis that is not there", _named(f"math.{name}", axis=1), ([1.0],), order=0)
    for name in ("cumsum", "cumprod"):
        yield Case(f"{name} complex", _named(f"math.{name}"), (([1 + 1j, 2, -1j], "complex128"),))


def _softmax() -> Iterator[Case]:
    for name in ("softmax", "log_softmax"):
        for axis in (-1, 0, 1, -2):
            yield Case(f"{name} axis={axis}", _named(f"nn.{name}", axis=axis), (MATRIX,))
        yield Case(f"{name} default axis", _named(f"nn.{name}"), ((MATRIX, "float64"),))
        yield Case(f"{name} of a cube", _named(f"nn.{name}", axis=1), (CUBE,))
        yield Case(f"{name} of a vector", _named(f"nn.{name}"), ([1000.0, 0.0, -1000.0],))
        yield Case(f"{name} of infinities", _named(f"nn.{name}"), ([[inf, 1.0], [-inf, 1.0], [nan, 1.0]],))
        yield Case(f"{name} of a scalar", _named(f"nn.{name}"), (1.0,), order=0)
        yield Case(f"{name} of nothing", _named(f"nn.{name}"), ([[]],))
        yield Case(f"{name} of an axis that is not there", _named(f"nn.{name}", axis=2), (MATRIX,), order=0)
        yield Case(f"{name} of integers", _named(f"nn.{name}"), (([1, 2], "int32"),), order=0)


def _norms() -> Iterator[Case]:
    orders = ("euclidean", "fro", 1, 2, 3, 1.5, inf)
    for order in orders:
        yield (
            Case(f"norm {order}", _named("norm", ord=order), ([3.0, -4.0, 1.0],))
            if order != "fro"
            else Case("norm fro of a vector", _named("norm", ord=order), ([3.0, -4.0],))
        )
        yield Case(f"norm {order} axis", _named("linalg.norm", ord=order, axis=1, keepdims=True), (MATRIX,))
        yield Case(f"norm {order} at zero", _named("norm", ord=order), ([0.0, 0.0],))
        if order != 2:
            yield Case(f"norm {order} of a matrix", _named("norm", ord=order, axis=(0, 1)), (MATRIX,), order=1)
    yield Case("norm complex", _named("norm"), (([3 + 4j, 1j], "complex128"),))
    yield Case("norm of a bad axis", _named("norm", axis="x"), (MATRIX,), order=0)
    yield Case("norm of a bad order", _named("norm", ord="nuc"), (MATRIX,), order=0)
    yield Case("norm of a negative order", _named("norm", ord=-1), (MATRIX,), order=0)
    yield Case("norm of ties", _named("norm", ord=inf), ([3.0, -3.0],))
    yield Case("l2_loss", _named("nn.l2_loss"), (MATRIX,))
    for axis in (None, 0, 1, -1, [0, 1]):
        yield Case(f"l2_normalize axis={axis}", _named("nn.l2_normalize", axis=axis), (MATRIX,))
    yield Case("l2_normalize at zero", _named("math.l2_normalize"), ([0.0, 0.0],))
    yield Case("global_norm", lambda tf, x, y: tf.linalg.global_norm([x, y, None]), (MATRIX, [2.0]))
    for axes in ([0], [0, 1]):
        yield Case(f"moments {axes}", _named("nn.moments", axes=axes), (MATRIX,))
        yield Case(f"moments {axes} keepdims", _named("nn.moments", axes=axes, keepdims=True), (MATRIX,))
    yield Case("moments half", _named("nn.moments", axes=[0]), ((MATRIX, "float16"),), order=1)
    yield Case("zero_fraction", _named("math.zero_fraction"), (ZEROS,), order=0)


def _clips() -> Iterator[Case]:
    yield Case("clip_by_value", lambda tf, x: tf.clip_by_value(x, -1.0, 1.0), ([-1.0, -2.0, 0.0, 1.0, 2.0, nan],))
    yield Case("clip_by_value bounds", lambda tf, x, a, b: tf.clip_by_value(x, a, b), ([0.0, 5.0, 1.0], 1.0, 4.0))
    yield Case("clip_by_value wide bounds", lambda tf, x, a: tf.clip_by_value(x, a, 4.0), (1.0, [0.0, 2.0]), order=0)
    yield Case("clip_by_value reversed", lambda tf, x: tf.clip_by_value(x, 4.0, 1.0), ([0.0, 2.0, 5.0],))
    yield Case("clip_by_value of integers", lambda tf, x: tf.clip_by_value(x, 1, 3), (([0, 2, 5], "int32"),), order=0)
    for norm in (1.0, 5.0, 10.0, 0.0, -1.0):
        clip = lambda tf, x, norm=norm: tf.clip_by_norm(x, norm)
        yield Case(f"clip_by_norm {norm}", clip, ([3.0, 4.0],), scale=50)
    yield Case("clip_by_norm at zero", lambda tf, x: tf.clip_by_norm(x, 1.0), ([0.0, 0.0],))
    yield Case("clip_by_norm axes", lambda tf, x: tf.clip_by_norm(x, 1.0, axes=[1]), (MATRIX,), scale=50)
    yield Case("clip_by_norm by a tensor", lambda tf, x, c: tf.clip_by_norm(x, c), ([3.0, 4.0], 2.0), scale=50)
    two = lambda tf, x, y: tf.clip_by_global_norm([x, None, y], 1.0)
    yield Case(
        "clip_by_global_norm",
        lambda tf, x, y: [v for v in two(tf, x, y)[0] if v is not None],
        ([3.0, 4.0], [1.0]),
        scale=50,
    )
    yield Case("clip_by_global_norm norm", lambda tf, x, y: two(tf, x, y)[1], ([3.0, 4.0], [1.0]))
    yield Case("clip_by_global_norm within", lambda tf, x: tf.clip_by_global_norm([x], 9.0)[0], ([3.0, 4.0],), scale=50)
    yield Case("clip_by_global_norm infinite", lambda tf, x: tf.clip_by_global_norm([x], 9.0)[0], ([inf, 4.0],))
    yield Case("clip_by_global_norm of no list", lambda tf, x: tf.clip_by_global_norm(x, 9.0), ([inf, 4.0],), order=0)


CASES = tuple(_all())
