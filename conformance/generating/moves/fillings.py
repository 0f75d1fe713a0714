"""How the operands of a setting are filled: `filled(fresh, dtype, seed, aim, row)`.

Numbers of a calm span ("any", "new"), or aimed at kinks and ties (never where they are "calm"); matrices that are
well conditioned by construction; rows that are probabilities; values far apart. The aim of a whole call is one of
`AIMS`.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from adapters.language import Array
from conformance.generating.moves.values import STYLE, exact, make, stream
from conformance.optables.row import Fresh, Row, Span

AIMS = ("ordinary", "dyadic", "ordinary", "counting", "kinks", "ties", "zeros")
CALM = 4  # so many of the aims, from the first, stay within the span

Numbers = list[float]


def filled(fresh: Fresh, dtype: str, seed: int, aim: str, row: Row) -> Array:
    """The array of a fresh operand."""
    aim = AIMS[0] if fresh.fill == "calm" else aim
    special = _FILLS.get(fresh.fill)
    if special is None:
        return _numbers(fresh, dtype, seed, aim, row)
    if not dtype.startswith("complex"):
        return exact(dtype, fresh.shape, special(fresh.shape, seed))
    real, imaginary = special(fresh.shape, seed), special(fresh.shape, seed + 1)
    if fresh.fill in _HERMITIAN:
        imaginary = _turned(fresh.shape, imaginary)
    return exact(dtype, fresh.shape, [complex(a, b / 4.0) for a, b in zip(real, imaginary)])


def wild(row: Row) -> list[str]:
    """The aims beyond the span that a row has numbers for."""
    return [aim for aim in AIMS[CALM:] if (aim != "ties" or row.ties) and (aim != "kinks" or row.kinks)]


def _numbers(fresh: Fresh, dtype: str, seed: int, aim: str, row: Row) -> Array:
    if aim in wild(row):
        return make(dtype, fresh.shape, STYLE[aim], seed, row.kinks)
    parts = [_calm(fresh.span, aim, seed + at, math.prod(fresh.shape)) for at in range(2)]
    if dtype.startswith("complex"):
        return exact(dtype, fresh.shape, [complex(*pair) for pair in zip(*parts)])
    return exact(dtype, fresh.shape, parts[0])


def _calm(span: Span, aim: str, seed: int, count: int) -> Numbers:
    """Numbers within a span: all over it, or on a grid of sixteenths where the aim is to round little."""
    draws = stream(seed)
    low, high = max(span.low, -8.0), min(span.high, 8.0)
    return [_within(span, low, high, next(draws), aim != "ordinary") for _ in range(count)]


def _within(span: Span, low: float, high: float, draw: int, grid: bool) -> float:
    number = low + (high - low) * ((draw >> 8) / 2.0**24)
    if grid:
        step = 0.5 if high - low >= 4 else 0.0625
        number = min(max(round(number / step) * step, math.ceil(low / step) * step), math.floor(high / step) * step)
    if span.apart and abs(number) < span.apart:
        number = span.apart if draw & 1 and span.high >= span.apart else -span.apart
    return number


# ---------------------------------------------------------------- matrices


def _matrices(make_one: Callable[[int, int, int], list[Numbers]]) -> Callable[[tuple[int, ...], int], Numbers]:
    def fill(shape: tuple[int, ...], seed: int) -> Numbers:
        rows, columns = shape[-2:]
        count = math.prod(shape[:-2])
        return [one for at in range(count) for line in make_one(rows, columns, seed + 7 * at) for one in line]

    return fill


def _small(rows: int, columns: int, seed: int) -> list[Numbers]:
    """Numbers between -1/4 and 1/4."""
    draws = stream(seed)
    return [[(next(draws) % 65 - 32) / 128.0 for _ in range(columns)] for _ in range(rows)]


def _well(rows: int, columns: int, seed: int) -> list[Numbers]:
    """Numbers of the size of 1 to 3 on the diagonal, small ones elsewhere."""
    found = _small(rows, columns, seed)
    for at in range(min(rows, columns)):
        found[at][at] += (-1.0 if (seed >> at) & 1 else 1.0) * (1.0 + (seed + at) % 3)
    return found


def _distinct(rows: int, columns: int, seed: int) -> list[Numbers]:
    """Singular values well apart."""
    found = _small(rows, columns, seed)
    for at in range(min(rows, columns)):
        found[at][at] += 1.0 + 1.5 * at
    return found


def _symmetric(rows: int, columns: int, seed: int) -> list[Numbers]:
    """Symmetric with eigenvalues well apart, all positive."""
    found = _distinct(rows, columns, seed)
    return [[found[max(i, j)][min(i, j)] for j in range(columns)] for i in range(rows)]


def _lower(rows: int, columns: int, seed: int) -> list[Numbers]:
    found = _well(rows, columns, seed)
    return [[found[i][j] if j <= i else 0.0 for j in range(columns)] for i in range(rows)]


def _upper(rows: int, columns: int, seed: int) -> list[Numbers]:
    found = _well(rows, columns, seed)
    return [[found[i][j] if j >= i else 0.0 for j in range(columns)] for i in range(rows)]


def _bands(rows: int, columns: int, seed: int) -> list[Numbers]:
    """Three diagonals, one below another, the middle one large."""
    found = _small(rows, columns, seed)
    found[1] = [one + 2.0 + (seed + at) % 2 for at, one in enumerate(found[1])]
    return found


def _turned(shape: tuple[int, ...], numbers: Numbers) -> Numbers:
    """The imaginary part of a Hermitian matrix: antisymmetric, made of the symmetric one that was drawn."""
    n = shape[-1]
    signs = [(i < j) - (i > j) for i in range(n) for j in range(n)]
    return [one * signs[at % (n * n)] for at, one in enumerate(numbers)]


# ---------------------------------------------------------------- rows of numbers


def _probabilities(shape: tuple[int, ...], seed: int) -> Numbers:
    """Along the last axis, positive numbers of sum 1."""
    width = shape[-1] if shape else 1
    draws = stream(seed)
    found: Numbers = []
    for _ in range(math.prod(shape[:-1])):
        parts = [1.0 + next(draws) % 7 for _ in range(width)]
        found += [one / sum(parts) for one in parts]
    return found


def _apart(shape: tuple[int, ...], seed: int) -> Numbers:
    """No two numbers nearer than 1/4: what is first stays first."""
    count = math.prod(shape)
    draws = stream(seed)
    order = sorted(range(count), key=lambda at: (next(draws), at))
    return [one * 0.25 - count * 0.125 for one in order]


def _rising(shape: tuple[int, ...], seed: int) -> Numbers:
    """Along the last axis, numbers that grow."""
    draws = stream(seed)
    found: Numbers = []
    for _ in range(math.prod(shape[:-1])):
        at = -2.0
        for _ in range(shape[-1]):
            at += 0.25 + next(draws) % 4 / 4.0
            found.append(at)
    return found


_HERMITIAN = ("symmetric",)
_FILLS: dict[str, Callable[[tuple[int, ...], int], Numbers]] = {
    "well": _matrices(_well),
    "distinct": _matrices(_distinct),
    "symmetric": _matrices(_symmetric),
    "lower": _matrices(_lower),
    "upper": _matrices(_upper),
    "bands": _matrices(_bands),
    "probabilities": _probabilities,
    "apart": _apart,
    "rising": _rising,
    "ones": lambda shape, seed: [1.0] * math.prod(shape),
}
