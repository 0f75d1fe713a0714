"""Elements in windows, and the elements of several datasets in turn: ``Dataset.window`` and ``Dataset.interleave``."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

from ..errors import invalid


def sizes(size: Any, shift: Any, stride: Any) -> tuple[int, int, int]:
    """The three as whole numbers; ``shift`` is ``size`` when it is None.  InvalidArgumentError for one below 1."""
    found = (int(size), int(size if shift is None else shift), int(stride))
    for name, value in zip(("size", "shift", "stride"), found):
        if value < 1:
            raise invalid("WindowDataset", f"Window {name} must be greater than zero.")
    return found


def windows(elements: Iterator[Any], size: int, shift: int, stride: int, full: bool) -> Iterator[list[Any]]:
    """Lists of every ``stride``-th element, begun every ``shift`` elements; short ones at the end unless ``full``."""
    reach = (size - 1) * stride + 1
    held: list[Any] = []
    while True:
        held += itertools.islice(elements, reach - len(held))
        if not held or (full and len(held) < reach):
            return
        yield held[:reach:stride]
        for _ in itertools.islice(elements, max(shift - len(held), 0)):  # what lies between two windows
            pass
        held = held[shift:]


def window_count(count: int, size: int, shift: int, stride: int, full: bool) -> int:
    """How many windows ``count`` elements give; negative counts stay."""
    if count < 0:
        return count
    left = count - (size - 1) * stride if full else count
    return max(-(-left // shift), 0)


def interleaved(elements: Iterator[Any], made: Callable[[Any], Any], at_once: int, block: int) -> Iterator[Any]:
    """``block`` elements of each of ``at_once`` datasets in turn; a new one takes the place of one that is done."""
    running: list[Any] = [iter(made(e)) for e in itertools.islice(elements, at_once)]
    while any(each is not None for each in running):
        for place, each in enumerate(running):
            if each is None:
                continue
            given = list(itertools.islice(each, block))
            yield from given
            if len(given) < block:
                following = next(elements, _NONE)
                running[place] = None if following is _NONE else iter(made(following))


_NONE = object()
