"""The bounds of `conformance.judging.bounded` cover every sensible implementation, and are 0 only where all agree."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import ml_dtypes
import mpmath
import numpy as np
import pytest

from conformance.judging.bounded import Bounded, BoundError, bounded, watching
from conformance.judging.bounded.formats import format_of
from conformance.judging.bounded.linear_algebra import least_squares
from reference_impl.ops.bands import product_
from reference_impl.ops.kernels import special, windows

UNARY: dict[str, Callable[[Any], Any]] = {
    "sin": np.sin, "cos": np.cos, "tanh": np.tanh, "exp": np.exp, "negative": np.negative, "absolute": np.absolute,
    "square": np.square, "arctan": np.arctan, "arcsinh": np.arcsinh, "expm1": np.expm1, "sinh": np.sinh,
    "cosh": np.cosh, "tan": np.tan,
}  # fmt: skip
GUARDED: dict[str, Callable[[Any], Any]] = {
    "sqrt": lambda x: np.sqrt(np.absolute(x)), "log": lambda x: np.log(np.absolute(x)),
    "log1p": lambda x: np.log1p(np.square(x)),
    "reciprocal": np.reciprocal, "arcsin": lambda x: np.arcsin(np.sin(x)),
    "power": lambda x: np.power(np.absolute(x), x),
    "cube": lambda x: np.power(x, np.float32(3) if x.dtype == np.float32 else 3.0),
}  # fmt: skip
BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "add": np.add, "subtract": np.subtract, "multiply": np.multiply, "divide": np.true_divide, "maximum": np.maximum,
    "minimum": np.minimum, "arctan2": np.arctan2, "hypot": np.hypot,
}  # fmt: skip


def chain(rng: np.random.Generator, length: int) -> list[tuple[str, int]]:
    names = [*UNARY, *GUARDED, *BINARY]
    return [(names[rng.integers(len(names))], int(rng.integers(1000))) for _ in range(length)]


RATIONAL = {
    "add": Fraction.__add__, "subtract": Fraction.__sub__, "multiply": Fraction.__mul__, "divide": Fraction.__truediv__,
}  # fmt: skip
CORRECT = {
    "add",
    "subtract",
    "multiply",
    "divide",
    "maximum",
    "minimum",
    "negative",
    "absolute",
    "square",
    "sqrt",
    "reciprocal",
}


def run_chain(steps: list[tuple[str, int]], start: Any, noise: Callable[[Any], Any] | None = None) -> list[Any]:
    """Every value of the chain. With `noise`, what no standard rounds is computed widely, rounded, and disturbed."""
    made = [start]
    wide = np.longdouble if start.dtype == np.float64 else np.float64
    for name, pick in steps:
        given = [made[-1], made[pick % len(made)]] if name in BINARY else [made[-1]]
        function = {**UNARY, **GUARDED, **BINARY}[name]
        if noise is None or name in CORRECT:
            made.append(function(*given))
        else:
            made.append(noise(function(*(a.astype(wide) for a in given)).astype(start.dtype)))
    return made


def covers(b: Bounded, got: Any) -> bool:
    """Whether values of the program's dtype lie within the bounds."""
    x, e = np.atleast_1d(b.x), np.atleast_1d(b.error())
    got = np.atleast_1d(got).astype(b.fmt.wide)
    same = (got == x) | (np.isnan(got) & np.isnan(x))
    return bool(np.all(same | (np.abs(got - x) <= e) | np.isinf(e)))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("seed", range(60))
def test_bounds_cover_numpy_and_a_noisier_implementation_on_random_chains(seed: int, dtype: Any) -> None:
    rng = np.random.default_rng(seed)
    steps = chain(rng, 6)
    start = rng.choice([0.0, 1.0, -1.0, 2.0, 0.5, 3.0, *rng.normal(size=4)], 5).astype(dtype)

    def noisy(x: np.ndarray) -> np.ndarray:
        away = np.nextafter(x, x + rng.choice([-1, 1], x.shape).astype(dtype) * np.inf)
        exact = (x == np.rint(x)) | ~np.isfinite(x)  # what may be exact stays so
        return np.where(exact, x, np.where(rng.random(x.shape) < 0.5, x, away)).astype(dtype)

    with np.errstate(all="ignore"):
        wanted = run_chain(steps, bounded(start))
        for got in (run_chain(steps, start), run_chain(steps, start, noisy)):
            for k, (b, value) in enumerate(zip(wanted, got, strict=True)):
                assert covers(b, value), (steps[:k], start, b, value)
                if not np.all(np.isfinite(b.error())):
                    break


@pytest.mark.parametrize("seed", range(40))
def test_reference_values_agree_with_mpmath(seed: int) -> None:
    rng = np.random.default_rng(1000 + seed)
    start = np.float64(rng.normal())
    names = ["sin", "cos", "tanh", "exp", "arctan", "expm1", "cosh", "square"]
    with mpmath.workdps(60):
        exact = mpmath.mpf(float(start))
        b = bounded(start)
        for name in rng.choice(names, 4):
            b = UNARY[str(name)](b)
            exact = {"arctan": mpmath.atan, "square": lambda x: x * x}.get(name, getattr(mpmath, str(name), None))(
                exact
            )
        if np.isfinite(b.x) and np.isfinite(b.e):
            assert abs(mpmath.mpf(float(b.x)) - exact) <= mpmath.mpf(float(b.e)) + abs(exact) * mpmath.mpf(2) ** -53


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("seed", range(30))
def test_a_zero_bound_means_that_rational_arithmetic_gives_the_same(seed: int, dtype: Any) -> None:
    rng = np.random.default_rng(seed)
    operations = [np.add, np.subtract, np.multiply, np.true_divide]
    for _ in range(20):
        a, b = (dtype(v) for v in rng.choice([0.5, 1.5, 3.0, -0.75, 0.1, 1e-3, 7.0, 1e4, 2.0**-20, 1 + 2.0**-9], 2))
        operation = operations[rng.integers(4)]
        exact = RATIONAL[operation.__name__](Fraction(float(a)), Fraction(float(b)))
        made = operation(bounded(a), bounded(b))
        with np.errstate(all="ignore"):
            plain = operation(a, b)
        really_exact = Fraction(float(plain)) == exact if np.isfinite(plain) else False
        tiny = 0 < abs(float(plain)) < format_of(np.dtype(dtype)).tiny and dtype != np.float16
        assert (made.e is None) == (really_exact and not tiny), (operation, a, b, made)


@pytest.mark.parametrize("seed", range(20))
def test_a_sum_with_a_zero_bound_is_the_same_in_every_order(seed: int) -> None:
    rng = np.random.default_rng(seed)
    terms = (rng.integers(-9, 9, 7) * 2.0 ** float(rng.integers(-3, 20))).astype(np.float32)
    if seed % 3 == 0:
        terms[0] = np.float32(2.0**24)
        terms[1] = np.float32(1.0)
    made = np.add.reduce(bounded(terms))
    seen = set()
    for _ in range(50):
        total = np.float32(0)
        for term in rng.permutation(terms):
            total = np.float32(total + term)
        seen.add(float(total))
        assert covers(made, total)
    if made.e is None:
        assert seen == {float(made.x)}


def test_sums_that_cancel_after_rounding_are_not_exact() -> None:
    made = np.add.reduce(bounded(np.array([1e8, 1.0, -1e8], np.float32)))
    assert made.x == 1.0
    assert made.e > 1.0


@pytest.mark.parametrize(
    ("function", "at"), [(np.log, 0.0), (np.sqrt, 0.0), (np.arcsin, 1.0), (np.arctanh, 1.0), (np.reciprocal, 0.0)]
)
def test_nothing_is_known_within_a_bound_of_a_singularity(function: Any, at: float) -> None:
    near = np.sin(bounded(np.float32(0.1))) - np.sin(bounded(np.float32(0.1)) * 1.0000001) + np.float32(at)
    assert np.isinf(function(near).e)


def test_a_certain_singularity_has_no_bound_but_an_answer() -> None:
    assert (np.log(bounded(np.float32(0))).x, np.log(bounded(np.float32(0))).e) == (-np.inf, 0.0)
    nan = bounded(np.float32(0)) / bounded(np.float32(0))
    assert np.isnan(nan.x) and nan.e == 0


def test_overflow_is_certain_well_beyond_the_limit_and_unknown_near_it() -> None:
    beyond = bounded(np.float32(1e38)) * np.float32(10)
    assert (beyond.x, beyond.e) == (np.inf, 0.0)
    near = np.exp(bounded(np.float32(88.722839)))
    assert np.isinf(near.e)


def test_subnormal_results_may_be_flushed() -> None:
    product = bounded(np.float32(1e-30)) * np.float32(1e-10)
    assert product.e >= np.finfo(np.float32).tiny
    assert covers(product, np.float32(0)) and covers(product, np.float32(1e-40))


def test_parts_of_a_complex_product_may_be_flushed_that_is_not_small_itself() -> None:
    """(a + ib)^2 is a*a - b*b + 2iab: TensorFlow takes a*a and b*b for zero here."""
    a = bounded(np.array([0.9e-19 + 1.06e-19j], np.complex64))
    square, plain = np.square(a), (0.9e-19 + 1.06e-19j) ** 2
    assert abs(plain) > np.finfo(np.float32).tiny
    assert square.error()[0] >= abs(plain - 1j * plain.imag)
    assert np.square(bounded(np.array([0.9e-3 + 1.06e-3j], np.complex64))).error()[0] < 1e-12


def test_half_precision_keeps_its_subnormals() -> None:
    product = bounded(np.float16(2.0**-14)) * np.float16(0.7)
    assert product.error() < 2.0**-20


def test_close_values_make_a_comparison_ambiguous_and_equal_origins_do_not() -> None:
    x = bounded(np.array([0.3, 0.7], np.float32))
    with watching() as run:
        assert list(np.greater_equal(np.sin(x), np.sin(x))) == [True, True]
        assert list(np.equal(np.max(np.sin(x)), np.sin(x))) == [False, True]
    assert run.ambiguous == 0
    with watching() as run:
        np.greater(np.sin(x), np.sin(x * np.float32(1.0)) + np.float32(0))
        np.greater(np.sin(x), np.cos(np.float32(np.pi / 2) - x))
    assert run.ambiguous >= 1


def test_exact_values_are_compared_without_doubt() -> None:
    with watching() as run:
        assert not np.greater(bounded(np.float32(1)), bounded(np.float32(1)))
        assert np.sign(bounded(np.float32(0))).x == 0
        assert np.floor(bounded(np.float32(2))).x == 2
    assert run.ambiguous == 0


def test_a_difference_of_one_value_with_itself_is_exactly_zero() -> None:
    y = np.sin(bounded(np.array([0.3, 0.7], np.float32)))
    assert np.exp(y - np.max(y)).error()[1] == 0


def test_floor_near_a_step_is_ambiguous() -> None:
    with watching() as run:
        np.floor(bounded(np.float32(0.1)) * np.float32(3) * np.float32(10 / 3) + 1)
    assert run.ambiguous == 1


STRUCTURAL: dict[str, Callable[[Any], Any]] = {
    "reshape": lambda a: np.reshape(a, (3, 2)),
    "transpose": np.transpose,
    "take": lambda a: np.take(a, [1, 0], 0),
    "concatenate": lambda a: np.concatenate([a, a], 1),
    "stack": lambda a: np.stack([a, a]),
    "index": lambda a: a[:, ::-1],
    "mask": lambda a: a[np.array([True, False])],
    "where": lambda a: np.where(np.array([[True], [False]]), a, 0.0),
    "pad": lambda a: np.pad(a, ((1, 0), (0, 2))),
    "flip": np.flip,
    "tile": lambda a: np.tile(a, (2, 1)),
    "cumsum": lambda a: np.cumsum(a, axis=1),
    "cumprod": lambda a: np.cumprod(a, axis=1),
    "max": lambda a: np.max(a, axis=0),
    "max from a start": lambda a: np.max(a, axis=0, initial=0.25),
    "mean": lambda a: np.mean(a, axis=1, keepdims=True),
    "var": lambda a: np.var(a, axis=0),
    "sort": np.sort,
    "matmul": lambda a: a @ np.transpose(a),
    "einsum": lambda a: np.einsum("ij,kj->ik", a, a),
    "prod": np.prod,
    "tensordot": lambda a: np.tensordot(a, a, ((1,), (1,))),
    "clip": lambda a: np.clip(a, -0.5, 0.5),
    "roll": lambda a: np.roll(a, 1),
    "broadcast_to": lambda a: np.broadcast_to(a, (2, 2, 3)),
    "diagonal": np.diagonal,
    "triu": np.triu,
    "split": lambda a: np.split(a, 3, axis=1)[1],
    "outer": lambda a: np.multiply.outer(a, a),
    "repeat": lambda a: np.repeat(a, 2, 1),
    "diff": lambda a: np.diff(a, axis=1),
    "meshgrid": lambda a: np.meshgrid(a[0], a[1], indexing="ij")[1],
    "logaddexp": lambda a: np.logaddexp.reduce(a, axis=1),
    "kron": lambda a: np.kron(a, a),
    "ones_like": np.ones_like,
}


@pytest.mark.parametrize(("name", "function"), STRUCTURAL.items(), ids=list(STRUCTURAL))
def test_numpys_functions_give_what_they_give_on_plain_arrays(name: str, function: Any) -> None:
    plain = np.random.default_rng(3).normal(size=(2, 3)).astype(np.float32)
    for start, b in ((plain, bounded(plain)), (np.sin(plain), np.sin(bounded(plain)))):
        made, wanted = function(b), function(start)
        assert made.shape == wanted.shape and made.dtype == wanted.dtype
        assert covers(made, wanted), (name, made, wanted)


def test_what_has_no_rule_says_so() -> None:
    b = bounded(np.ones(3, np.float32))
    with watching() as run, pytest.raises(BoundError):
        np.interp(b, b, b)
    assert run.unbounded
    with pytest.raises(BoundError):
        np.asarray(np.sin(b))
    with pytest.raises(BoundError):
        b[0] = 1.0


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
def test_complex_bounds_cover_numpy(dtype: Any) -> None:
    rng = np.random.default_rng(5)
    z = (rng.normal(size=20) + 1j * rng.normal(size=20)).astype(dtype)
    w = (rng.normal(size=20) + 1j * rng.normal(size=20)).astype(dtype)
    for function in (np.exp, np.sin, np.sqrt, np.log, np.tanh, np.conjugate, np.absolute, np.square):
        assert covers(function(bounded(z) * bounded(w)), function(z * w)), function
    for operation in (np.add, np.subtract, np.multiply, np.true_divide):
        assert covers(operation(np.exp(bounded(z)), bounded(w)), operation(np.exp(z), w)), operation


@pytest.mark.parametrize("divisor", [complex(-np.inf, 1.0), complex(np.nan, np.inf), complex(0.0, np.inf)])
def test_nothing_is_known_of_quotients_by_complex_infinities(divisor: complex) -> None:
    """TensorFlow has nan or 0, according to how many numbers stand beside it."""
    found = bounded(np.array([1.0, 2.0], np.complex128)) / bounded(np.array([divisor, 2.0], np.complex128))
    assert np.isinf(found.e[0]) and np.isfinite(found.e[1])


def test_nothing_is_known_of_square_roots_below_the_cut() -> None:
    found = np.sqrt(bounded(np.array([complex(-4.0, -0.0), complex(-4.0, 0.0)])))
    assert np.isinf(found.e[0]) and np.isfinite(found.e[1])


def test_products_of_gaussian_integers_are_exact() -> None:
    assert (bounded(np.complex64(1 + 2j)) * bounded(np.complex64(3 - 1j))).e is None


def test_scattered_values_that_meet_are_bounded_in_any_order() -> None:
    from conformance.judging.bounded.scatter import scatter_add, scatter_set

    values = np.sin(bounded(np.array([0.1, 0.2, 0.3], np.float32)))
    made = scatter_add((4,), np.array([1, 1, 3]), values)
    assert covers(
        made, np.array([0, np.sin(np.float32(0.1)) + np.sin(np.float32(0.2)), 0, np.sin(np.float32(0.3))], np.float32)
    )
    assert scatter_add((4,), np.array([0, 0, 3]), bounded(np.ones(3, np.float32))).e is None
    kept = scatter_set(np.zeros(4, np.float32), np.array([2]), values[:1])
    assert kept.error()[2] > 0 and kept.error()[0] == 0


def test_the_sign_of_a_zero_is_lost_where_implementations_choose_it() -> None:
    negative, positive = bounded(np.float32(-0.0)), bounded(np.float32(0.0))
    for choose in (
        lambda: np.maximum(negative, positive),
        lambda: np.add.reduce(bounded(np.float32([-0.0, -0.0]))),
        lambda: np.max(bounded(np.float32([-0.0, 0.0]))),
    ):
        with watching() as run:
            made = choose()
            assert run.signs_lost and made.e is None
            np.reciprocal(made)
            assert run.ambiguous == 1
    for keep in (lambda: np.maximum(positive, positive), lambda: np.add.reduce(bounded(np.float32([0.0, 0.0])))):
        with watching() as run:
            keep()
        assert not run.signs_lost


def test_linear_algebra_is_bounded_where_it_is_determined() -> None:
    rng = np.random.default_rng(11)
    for dtype in (np.float32, np.float64):
        root = rng.normal(size=(2, 3, 3)).astype(dtype)
        square = root @ np.swapaxes(root, -1, -2) + np.eye(3, dtype=dtype)
        right = rng.normal(size=(2, 3, 2)).astype(dtype)
        wide = np.swapaxes(root, -1, -2)
        b = bounded(root) @ bounded(wide) + bounded(np.eye(3, dtype=dtype))
        assert covers(np.linalg.inv(b), np.linalg.inv(square))
        assert covers(np.linalg.det(b), np.linalg.det(square))
        assert covers(np.linalg.solve(b, bounded(right)), np.linalg.solve(square, right))
        assert covers(np.linalg.cholesky(b), np.linalg.cholesky(square))
        assert covers(np.linalg.eigh(b)[0], np.linalg.eigh(square)[0])
        assert covers(np.linalg.svd(b, compute_uv=False), np.linalg.svd(square, compute_uv=False))
        assert covers(np.linalg.slogdet(b)[1], np.linalg.slogdet(square)[1])
        assert np.linalg.inv(b).error().max() < 1e-3
        assert np.all(np.isinf(np.linalg.eigh(b)[1].error()))
    nearly = bounded(np.float32([[1, 1], [1, 1 + 2.0**-22]]))
    assert np.all(np.isinf(np.linalg.inv(nearly).error()))


def test_what_the_engine_runs_on_bounded_arrays_keeps_its_bounds() -> None:
    low, high = bounded(np.float64([0.0, 1.0])), bounded(np.float64([0.0, 2.0]) / 3)
    rows = [bounded(np.float32([[0.5], [2.0], [3.0]])) * bounded(np.float32(1 / 3)) for _ in range(4)]
    with watching() as run:
        special.igamma_grad_a(low, high)
        product_.op.forward(*(one.swapaxes(-1, -2) for one in rows[:3]), rows[3])
        filled = np.pad(rows[0][:0], ((1, 1), (0, 0)), constant_values=rows[0][2, 0])
        assert not run.unbounded
    assert filled.shape == (2, 1)
    assert filled.error().max() > 0


def test_least_squares_are_bounded_as_far_as_any_algorithm_but_the_normal_equations_is_off() -> None:
    rng = np.random.default_rng(5)
    for m, n in ((3, 1), (4, 2), (3, 3), (2, 4)):
        a, b = rng.normal(size=(m, n)).astype(np.float32), rng.normal(size=(m, 2)).astype(np.float32)
        b[:, 1:] -= a[:, :1] @ (a[:, :1].T @ b[:, 1:]) / np.sum(a[:, 0] ** 2)  # cancels
        found = least_squares(bounded(a), bounded(b))
        assert covers(found, np.linalg.lstsq(a, b, rcond=None)[0])
        assert covers(found, np.linalg.pinv(a) @ b)
        q, r = np.linalg.qr(a if m >= n else a.T)
        assert covers(found, np.linalg.solve(r, q.T @ b) if m >= n else q @ np.linalg.solve(r.T, b))
        assert found.error().max() < 1e-3
    nearly = bounded(np.float32([[1, 1], [1, 1 + 2.0**-22], [1, 1]]))
    assert np.all(np.isinf(least_squares(nearly, bounded(np.ones((3, 1), np.float32))).error()))


def test_whole_powers_are_exact_but_for_float32_where_only_those_of_powers_of_two_are() -> None:
    for dtype, nine in ((np.float32, False), (np.float64, True)):
        bases, exponents = np.array([9.0, 4.0, 9.0, 0.0], dtype), np.array([2.0, 3.0, 1.0, 2.0], dtype)
        powers = np.power(bounded(bases), bounded(exponents))
        assert (powers.error() == 0).tolist() == [nine, True, True, True]


def test_what_a_depthwise_convolution_sends_back_is_one_sum_in_any_order() -> None:
    slide = windows.Slide((1, 2), (1, 1), (1, 1), ((0, 0), (1, 1)))
    w = np.array([[[[0.1, 1.9]], [[-1.9, -0.1]]]], np.float32)
    dy = np.ones((1, 1, 3, 2), np.float32)
    found = windows.depthwise_input(bounded(w), bounded(dy), (1, 1, 2, 1), slide)
    by_place = windows.depthwise_input(w, dy, (1, 1, 2, 1), slide)
    terms = np.array([0.1, -1.9, 1.9, -0.1], np.float32)
    in_turn = np.float32(0)
    for term in terms:
        in_turn += term
    assert (np.abs(found.x - in_turn) <= found.e).all()
    assert (np.abs(found.x - by_place) <= found.e).all()


def test_nothing_is_known_of_running_products_of_complex_infinities() -> None:
    """(1+0j) * (-inf+1j) is -inf+nanj, and some kernels begin with that product."""
    a = bounded(np.array([complex(-np.inf, 1.0), 2.0 + 0j], np.complex64))
    assert np.isinf(np.multiply.accumulate(a).error()).all()
    alone = bounded(np.array([3.0 + 1j], np.complex64))
    assert not np.multiply.accumulate(alone).error().any()


_ODD = (0.0, -0.0, 1.0, -2.0, 3.5, math.inf, -math.inf, math.nan, 1e38, 1e-40)
_UFUNCS = (
    "add subtract multiply divide floor_divide remainder fmod power float_power arctan2 hypot logaddexp copysign "
    "nextafter maximum minimum fmax fmin heaviside square sqrt cbrt reciprocal exp expm1 log log1p sin tan arcsin "
    "arccosh sinh tanh"
)


@pytest.mark.parametrize("name", _UFUNCS.split())
def test_a_bound_is_a_number_whatever_is_bounded(name):
    ufunc, fmt = getattr(np, name), format_of(np.dtype(np.float32))
    for values in itertools.product(_ODD, repeat=ufunc.nin):
        for errors in itertools.product((0.0, 1e-3, math.inf), repeat=ufunc.nin):
            arguments = [
                Bounded(fmt, np.array([x], fmt.wide), np.array([e], fmt.wide) if e else None)
                for x, e in zip(values, errors)
            ]
            with np.errstate(all="ignore"):
                found = ufunc(*arguments).e
            assert found is None or not np.isnan(found).any(), (values, errors)


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_a_logarithm_of_a_sum_is_as_sure_as_the_parts_that_it_is_made_of(dtype: Any) -> None:
    rng = np.random.default_rng(5)
    for _ in range(200):
        b = dtype(rng.uniform(-1.0, 0.0))
        a = dtype(b + np.log(np.expm1(-float(b)))) if b < 0 else b  # then both cancel
        first, second = max(a, b), min(a, b)
        stepwise = first + np.log1p(np.exp(second - first, dtype=dtype), dtype=dtype)
        assert covers(np.logaddexp(bounded(np.array(a)), bounded(np.array(b))), stepwise), (a, b)
    near = np.logaddexp(bounded(np.float32(3.0)), bounded(np.float32(-np.inf)))
    assert near.x == 3.0 and near.e < 1e-5


@pytest.mark.parametrize(("dtype", "power"), [(np.float32, False), (np.float64, True)])
def test_a_quotient_in_a_graph_may_be_a_product_with_a_reciprocal(dtype: Any, power: bool) -> None:
    a, b = (bounded(np.array([2.5, 3.0], dtype)) for _ in range(2))
    two = bounded(np.array([2.0, 4.0], dtype))
    assert np.divide(a, b).e is None
    with watching() as run:
        run.rewritten = True
        made = np.divide(a, b)
        assert (made.e >= np.finfo(dtype).eps).all() and made.e.max() < 4 * np.finfo(dtype).eps
        assert (np.divide(a, two).e is None) == power
    assert np.divide(a, b).e is None


@pytest.mark.parametrize(("dtype", "rounds"), [(ml_dtypes.bfloat16, True), (np.float16, True), (np.float32, False)])
def test_a_sum_of_halves_in_a_function_may_be_of_other_parts(dtype: Any, rounds: bool) -> None:
    # In a function TensorFlow adds 60.75 + 40.5 first, which bfloat16 rounds to 101, and gets 121; 121.5 is exact.
    part, rest = bounded(np.array([60.75], dtype)), bounded(np.array([60.75], dtype))
    with watching() as run:
        plain = part + rest
        run.functions = run.rewritten = True
        made = part + rest
        alone = part + bounded(np.array([0.0], dtype))
    assert plain.e is None and alone.error() == 0
    assert bool(made.error() > 0) == rounds
    assert dtype is not ml_dtypes.bfloat16 or made.error() >= 0.5 * 0.5
