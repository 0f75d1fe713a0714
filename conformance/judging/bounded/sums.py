"""Rules for sums, products and extremes along axes, and for contractions (matmul, dot, einsum ...).

A sum's bound does not depend on the order of summation: n * u * sum|x| on top of the inherited errors. It is exact
only where every order is (`exactness.dyadic`). Products may be fused into sums or not.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from conformance.judging.bounded import exactness
from conformance.judging.bounded.array import Bounded, derived, lift
from conformance.judging.bounded.formats import Format
from conformance.judging.bounded.run import note_lost_sign
from conformance.judging.bounded.settle import settle


def summed(a: Bounded, axis: Any, keepdims: bool) -> Bounded:
    """add.reduce."""
    x = np.add.reduce(a.x, axis=axis, keepdims=keepdims)
    count = a.x.size // max(x.size, 1)
    if count <= 1:
        mind_negative_zeros(x, a.x)
        e = None if a.e is None else np.add.reduce(a.e, axis=axis, keepdims=keepdims)
        return Bounded(a.fmt, x, e, derived(f"sum {axis} {keepdims}", a))
    total = np.add.reduce(np.abs(a.x), axis=axis, keepdims=keepdims)
    mind_negative_zeros(total, a.x)
    e = None if a.e is None else np.add.reduce(a.e, axis=axis, keepdims=keepdims)

    def exact() -> Any:
        each = exactness.dyadic(a.fmt, a.x.real, np.add.reduce(np.abs(a.x), axis=axis, keepdims=True))
        if a.fmt.is_complex:
            each &= exactness.dyadic(a.fmt, a.x.imag, np.add.reduce(np.abs(a.x), axis=axis, keepdims=True))
        return np.logical_and.reduce(each, axis=axis, keepdims=keepdims)

    return _collected(a.fmt, x, e, total, count, exact, derived(f"sum {axis} {keepdims}", a))


def mind_negative_zeros(total: Any, *parts: Any) -> None:
    """A sum of nothing but negative zeros: whether it starts from zero, and so ends there, is nobody's rule."""
    if not np.all(total) and any(np.iscomplexobj(part) or np.signbit(part).any() for part in parts):
        note_lost_sign()


def _collected(fmt: Format, x: Any, e: Any, total: Any, count: Any, exact: Any, key: int | None = None) -> Bounded:
    """A sum whose terms' moduli sum to `total`, of `count` terms."""
    own = total * ((count * 0.5 + 0.5) * fmt.ulp + fmt.slack)
    sure = exact() if e is None or not np.all(e) else np.False_
    if e is not None:
        sure = sure & (e == 0)
    own = np.where(sure, 0.0, own)
    e = own if e is None else e + own
    over = ~(total + e < fmt.max)
    if np.any(over):
        x, e = _sums_over_the_top(fmt, x, e, total)
    elif not np.any(e):
        return settle(fmt, x, None, 0.0, lambda: np.True_, None, key)
    return settle(fmt, x, e[()], 0.0, lambda: np.asarray(e == 0), lambda: iter((np.where(np.isinf(e), 0.0, x),)), key)


def _sums_over_the_top(fmt: Format, x: Any, e: Any, total: Any) -> tuple[Any, Any]:
    """A sum is certainly infinite or nan if a term is; if only partial sums may overflow, nothing is known."""
    sure = ~np.isfinite(x) | (np.abs(x) - e > fmt.max) & (total <= np.abs(x) * (1 + 1e-9))
    return x, np.where(~(total + e < fmt.max), np.where(sure & ~np.isinf(e), 0.0, np.inf), e)


def accumulated(a: Bounded, axis: int) -> Bounded:
    """add.accumulate."""
    x = np.add.accumulate(a.x, axis=axis)
    e = None if a.e is None else np.add.accumulate(a.e, axis=axis)
    total = np.add.accumulate(np.abs(a.x), axis=axis)
    mind_negative_zeros(total, a.x)

    def exact() -> Any:
        last = np.add.reduce(np.abs(a.x), axis=axis, keepdims=True)
        each = exactness.dyadic(a.fmt, a.x.real, last)
        if a.fmt.is_complex:
            each &= exactness.dyadic(a.fmt, a.x.imag, last)
        return np.logical_and.reduce(each, axis=axis, keepdims=True) & np.ones(x.shape, np.bool_)

    return _collected(a.fmt, x, e, total, a.x.shape[axis], exact, derived(f"cumsum {axis}", a))


def multiplied(a: Bounded, axis: Any, keepdims: bool) -> Bounded:
    """multiply.reduce."""

    def along(part: Any) -> Any:
        return np.multiply.reduce(part, axis=axis, keepdims=keepdims)

    x = along(a.x)
    return _products(a, x, along, a.x.size // max(x.size, 1), derived(f"prod {axis} {keepdims}", a))


def multiplied_up(a: Bounded, axis: int) -> Bounded:
    """multiply.accumulate."""

    def along(part: Any) -> Any:
        return np.multiply.accumulate(part, axis=axis)

    return _products(a, along(a.x), along, a.x.shape[axis], derived(f"cumprod {axis}", a))


def _products(a: Bounded, x: Any, along: Any, count: int, key: int) -> Bounded:
    fmt = a.fmt
    size = np.abs(a.x)
    total = along(size)
    step = 2.0 if fmt.is_complex else 0.5
    e = None if a.e is None else along(size + a.e) - total
    own_steps = step * max(count - 1, 0)

    def exact() -> Any:
        if fmt.is_complex:  # TensorFlow multiplies by 1 first in some of its kernels, which infinities do not survive
            return np.isfinite(x) & (count <= 1)
        return (along(exactness.odd_part(a.x)) <= 2.0**fmt.precision) | ~np.isfinite(x) | (x == 0)

    made = settle(fmt, x, e, own_steps, exact, lambda: iter(()), key)
    return _mind_partial_products(made, size, along)


def _mind_partial_products(made: Bounded, size: Any, along: Any) -> Bounded:
    """Products whose partial products may overflow or vanish in one order and not in another have no bound."""
    fmt = made.fmt
    largest = along(np.maximum(size, 1.0))
    least = along(np.where((size < 1.0) & (size > 0), size, 1.0))
    risky = np.isfinite(made.x) & (made.x != 0) & (~(largest < fmt.max) | (least < fmt.tiny))
    if not np.any(risky):
        return made
    return Bounded(fmt, made.x, np.where(risky, np.inf, made.error())[()], made.key)


def extreme(ufunc: np.ufunc, a: Bounded, axis: Any, keepdims: bool, initial: Any = None) -> Bounded:
    """maximum.reduce and minimum.reduce (and fmax, fmin): continuous, so no decision is noted."""
    if initial is not None:
        start = lift(initial, a.fmt.dtype)
        if not a.x.size:
            return np.broadcast_to(start, np.add.reduce(a.x, axis=axis, keepdims=keepdims).shape)
        return ufunc(extreme(ufunc, a, axis, keepdims), start)
    x = ufunc.reduce(a.x, axis=axis, keepdims=keepdims)
    if not np.all(x) and (np.signbit(a.x) & (a.x == 0)).any():
        note_lost_sign()
    if a.e is None:
        return Bounded(a.fmt, x, None, derived(f"{ufunc.__name__} {axis} {keepdims}", a))
    low = ufunc.reduce(a.x - a.e, axis=axis, keepdims=keepdims)
    high = ufunc.reduce(a.x + a.e, axis=axis, keepdims=keepdims)
    e = np.where((low == high) | np.isnan(x), 0.0, np.maximum(np.abs(high - x), np.abs(x - low)))[()]
    tags = _tags_of_extreme(a, ufunc.reduce(a.x, axis=axis, keepdims=True), axis)
    return Bounded(a.fmt, x, e, None, tags.reshape(x.shape)[()])


def _tags_of_extreme(a: Bounded, x: Any, axis: Any) -> Any:
    """The tag of the winning element, or a new one where different elements tie."""
    hit = (a.x == x) | (np.isnan(a.x) & np.isnan(x))
    tags = a.identities()
    most = np.maximum.reduce(np.where(hit, tags, np.uint64(0)), axis=axis, keepdims=True)
    least = np.minimum.reduce(np.where(hit, tags, np.uint64(2**64 - 1)), axis=axis, keepdims=True)
    return np.where(most == least, most, most ^ (least << np.uint64(1)) ^ np.uint64(0x5851F42D4C957F2D))


# ---------------------------------------------------------------- contractions


def matmul(ufunc: np.ufunc, a: Bounded, b: Bounded) -> Bounded:
    """matmul, and its kin matvec, vecmat and vecdot."""
    depth = a.x.shape[-1]
    return contraction(ufunc, (a, b), depth, derived(ufunc.__name__, a, b))


def contraction(multilinear: Any, operands: tuple[Bounded, ...], depth: int, key: int | None = None) -> Bounded:
    """A sum over products, linear in each operand, each result a sum of `depth` products."""
    fmt = operands[0].fmt
    x = multilinear(*(a.x for a in operands))
    sizes = [np.abs(a.x) for a in operands]
    total = multilinear(*sizes)
    mind_negative_zeros(total, *(a.x for a in operands))
    e = None
    if any(a.e is not None for a in operands):
        e = multilinear(*(s if a.e is None else s + a.e for s, a in zip(sizes, operands))) - total
        e = np.maximum(e, 0.0)
    steps = depth + len(operands) - 1 + (4 if fmt.is_complex else 0)

    def exact() -> Any:
        if fmt.is_complex:
            return np.zeros(np.shape(total), np.bool_)
        lowest = sum(exactness.lowest_exponent(a.x) for a in operands)
        return total <= 2.0 ** min(fmt.precision + lowest, 1023)

    # With inherited errors a result is exact only where nothing at all is added up.
    return _collected(fmt, x, e, total, steps, exact if e is None else lambda: np.asarray(total == 0), key)


def einsum(subscripts: str, *operands: Any, **options: Any) -> Bounded:
    """np.einsum with subscripts as text."""
    dtype = np.result_type(*(o.dtype for o in operands))
    lifted = tuple(lift(o, dtype) for o in operands)
    depth = _contracted(subscripts.replace(" ", ""), lifted)
    return contraction(lambda *parts: np.einsum(subscripts, *parts), lifted, depth, derived(subscripts, *lifted))


def _contracted(subscripts: str, operands: tuple[Bounded, ...]) -> int:
    """How many products make up one element of the result of an einsum."""
    given, arrow, kept = subscripts.partition("->")
    sizes: dict[str, int] = {}
    for letters, operand in zip(given.split(","), operands, strict=True):
        named = letters.replace("...", "")
        before = letters.index("...") if "..." in letters else len(letters)
        shape = operand.x.shape
        for position, letter in enumerate(named):
            at = position if position < before else position - len(named)
            sizes[letter] = max(sizes.get(letter, 1), shape[at])
    if not arrow:
        letters = given.replace(",", "").replace(".", "")
        kept = "".join(c for c in letters if letters.count(c) == 1)
    return math.prod(n for letter, n in sizes.items() if letter not in kept)
