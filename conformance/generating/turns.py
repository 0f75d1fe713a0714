"""Whose turn it is: draws of which none is left out by chance.

`shuffled(seed, things, block)` gives each thing once, in an order of the block's own; `taken(seed, turn, rows)` the row
of a turn, and the number that its attributes are read from. Both depend on their arguments alone, so that a run split
over any workers draws the same programs.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import TypeVar

Thing = TypeVar("Thing")
NUMBERS = 1 << 48
STRIDE = 0x9E3779B97F51  # a prime


@lru_cache(maxsize=64)
def shuffled(seed: int, things: tuple[Thing, ...], block: int = 0) -> tuple[Thing, ...]:
    """The things in an order that depends on the seed and the block."""
    order = list(things)
    Random((seed << 40) ^ (block * 0x9E3779B1) ^ 0xB10C).shuffle(order)
    return tuple(order)


def taken(seed: int, turn: int, rows: Sequence[int]) -> tuple[int, int]:
    """The row whose turn it is, and a number for its attributes.

    All have had a turn before one has its next (a row that is there twice has two). The numbers of a row differ by
    what has no small divisor, so the decisions that are read off them first go through all their values before one
    comes again.
    """
    lap, place = divmod(turn, len(rows))
    place = shuffled(seed, tuple(range(len(rows))))[place]
    row = rows[place]
    visit = lap * rows.count(row) + place - rows.index(row)
    first = Random((seed << 40) ^ (row * 0x9E3779B1) ^ 0x5E77).randrange(NUMBERS)
    return row, first + visit * STRIDE
