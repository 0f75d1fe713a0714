# ruff: noqa: E731  # questions are short functions, many of them bound in a loop
"""What is asked of the less common ops: reinterpreting, blocks, sequences, histograms, images, random numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from tests.ops.asking import Case
from tests.ops.cases_nn import grid

inf, nan = float("inf"), float("nan")
V = [1.0, 2.0, 3.0]
M = [[1.5, -2.0, 0.5], [3.0, 0.25, -1.0]]


def case(name: str, function: Callable[..., Any], *inputs: Any, **options: Any) -> Case:
    """A case with the usual options."""
    return Case(name, function, inputs, **options)


def _moves() -> Iterator[Case]:
    yield case("bitcast", lambda tf, x: tf.bitcast(x, tf.int32), [1.0, -2.0], order=0)
    yield case("bitcast to fewer", lambda tf, x: tf.bitcast(x, tf.float64), [[1.0, 2.0]], order=0)
    yield case("bitcast to more", lambda tf, x: tf.bitcast(x, tf.int16), [1.0, 2.0], order=0)
    yield case("bitcast has no gradient", lambda tf, x: tf.bitcast(tf.bitcast(x, tf.int32), tf.float32), [1.0], order=1)
    yield case("bitcast that does not fit", lambda tf, x: tf.bitcast(x, tf.float64), [1.0], order=0)
    yield case("unique_with_counts", lambda tf: list(tf.unique_with_counts([3, 1, 3, 2])), order=0)
    yield case("unique_with_counts of a source", lambda tf, x: tf.unique_with_counts(x)[0], V)
    yield case(
        "histogram_fixed_width",
        lambda tf, x: tf.histogram_fixed_width(x, [0.0, 4.0], nbins=4),
        [-1.0, 0.0, 1.5, 4.0, 9.0],
        order=0,
    )
    yield case("reverse_sequence", lambda tf, x: tf.reverse_sequence(x, [2, 3], seq_axis=1, batch_axis=0) ** 2, M)
    yield case("space_to_depth", lambda tf, x: tf.nn.space_to_depth(x, 2) ** 2, grid(1, 4, 4, 2))
    yield case("depth_to_space", lambda tf, x: tf.nn.depth_to_space(x, 2) ** 2, grid(1, 2, 2, 4))
    yield case("space_to_batch", lambda tf, x: tf.space_to_batch(x, [2, 2], [[1, 1], [0, 0]]) ** 2, grid(1, 2, 4, 1))
    yield case("batch_to_space", lambda tf, x: tf.batch_to_space(x, [2, 2], [[1, 0], [0, 1]]) ** 2, grid(4, 2, 2, 1))
    yield case("accumulate_n", lambda tf, x, y: tf.math.accumulate_n([x, y, x]), V, V)
    yield case("polyval", lambda tf, x: tf.math.polyval([1.0, 2.0, 3.0], x), V)
    yield case("reciprocal_no_nan", lambda tf, x: tf.math.reciprocal_no_nan(x), [2.0, 0.0, -0.5])
    yield case("scalar_mul", lambda tf, x: tf.scalar_mul(2.0, x) ** 2, V)
    yield case("softsign in math", lambda tf, x: tf.math.softsign(x), V, order=1)
    yield case(
        "is_non_decreasing",
        lambda tf: [tf.math.is_non_decreasing([1, 1, 2]), tf.math.is_strictly_increasing([1, 1])],
        order=0,
    )
    yield case("in_top_k", lambda tf, x: tf.math.in_top_k([1, 0], x, 1), M, order=0)
    yield case("unravel_index", lambda tf: tf.unravel_index([3, 5], [2, 3]), order=0)
    yield case(
        "matrix_square_root", lambda tf, x: tf.matrix_square_root(x), ([[4.0, 0.0], [0.0, 9.0]], "float64"), scale=100
    )
    yield case("linalg.normalize", lambda tf, x: list(tf.linalg.normalize(x, axis=1)), M)
    yield case("shifts", lambda tf: [tf.bitwise.left_shift([1, 2], 2), tf.bitwise.right_shift([8, 9], 2)], order=0)
    yield case("ones and zeros in dtypes", lambda tf, x: tf.dtypes.cast(x, tf.float64) ** 2, V)


def _solvers() -> Iterator[Case]:
    full = ([[2.0, 1.0, 0.5], [1.0, 3.0, -1.0], [0.5, -1.0, 4.0]], "float64")
    yield case("eigvals sorted", lambda tf, a: tf.sort(tf.math.real(tf.linalg.eigvals(a))), full, order=1, scale=100)
    yield case(
        "eig values", lambda tf, a: tf.reduce_sum(tf.math.real(tf.linalg.eig(a)[0]) ** 2), full, order=1, scale=100
    )
    diagonals = ([[1.0, 2.0, 0.0], [4.0, 5.0, 6.0], [0.0, 0.5, -1.0]], "float64")
    solve = lambda tf, d, b: tf.linalg.tridiagonal_solve(d, b)
    yield case("tridiagonal_solve", solve, diagonals, ([[1.0], [2.0], [3.0]], "float64"), scale=100)


def _images() -> Iterator[Case]:
    for method in ("bilinear", "nearest"):
        resize = lambda tf, x, m=method: tf.image.resize(x, [4, 3], method=m)
        yield case(f"resize {method} larger", resize, grid(1, 2, 2, 1, dtype="float32"), order=1)
        shrink = lambda tf, x, m=method: tf.image.resize(x, [2, 3], method=m)
        yield case(f"resize {method} smaller", shrink, grid(1, 4, 4, 1, dtype="float32"), order=1)
    yield case("resize of no batch", lambda tf, x: tf.image.resize(x, [3, 3]), grid(2, 2, 1, dtype="float32"), order=1)
    yield case("flip_left_right", lambda tf, x: tf.image.flip_left_right(x), grid(1, 2, 3, 1))
    yield case("flip_up_down", lambda tf, x: tf.image.flip_up_down(x), grid(2, 3, 1))


def _pools() -> Iterator[Case]:
    argmax = lambda tf, x: tf.nn.max_pool_with_argmax(x, 2, 2, "VALID")[0]
    yield case("max_pool_with_argmax", argmax, grid(1, 4, 4, 1, dtype="float32"), order=1)
    where = lambda tf, x: tf.nn.max_pool_with_argmax(x, 2, 2, "VALID")[1]
    yield case("max_pool_with_argmax places", where, grid(1, 4, 4, 2, dtype="float32"), order=0)
    moments = lambda tf, x, w: list(tf.nn.weighted_moments(x, [0], w))
    yield case("weighted_moments", moments, M, [[1.0], [2.0]])


def _random() -> Iterator[Case]:
    for dtype in ("float32", "float64", "float16"):
        uniform = lambda tf, d=dtype: tf.random.stateless_uniform([5], seed=[1, 2], dtype=getattr(tf, d))
        yield case(f"stateless_uniform {dtype}", uniform, order=0)
        normal = lambda tf, d=dtype: tf.random.stateless_normal([5], seed=[1, 2], dtype=getattr(tf, d))
        yield case(f"stateless_normal {dtype}", normal, order=0)
    integers = lambda tf: tf.random.stateless_uniform([7], seed=[3, 4], minval=0, maxval=10, dtype=tf.int32)
    yield case("stateless_uniform int32", integers, order=0)
    scaled = lambda tf, m, s: tf.random.stateless_normal([3], seed=[5, 6], mean=m, stddev=s)
    yield case("stateless_normal differentiated", scaled, 1.0, 2.0)
    ranged = lambda tf, a, b: tf.random.stateless_uniform([3], seed=[5, 6], minval=a, maxval=b)
    yield case("stateless_uniform differentiated", ranged, 1.0, 2.0)
    yield case("dropout with a seed", lambda tf, x: tf.shape(tf.nn.dropout(x, 0.5)), V, order=0)


CASES = tuple(one for group in (_moves, _solvers, _images, _pools, _random) for one in group())
