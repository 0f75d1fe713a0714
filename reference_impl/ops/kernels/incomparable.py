"""Sorting and choosing by comparisons that are no order, because something is no number.

What comes out then follows from which elements are compared, so these go the way of the C++ library that TensorFlow is
built with: quicksort by the median of three down to sixteen elements, insertion for the rest, and binary heaps.
``before(a, b)`` says whether ``a`` comes before ``b``; all functions change the list they are given.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Before = Callable[[Any, Any], bool]
_SMALL = 16  # elements that are left to insertion


def sort(items: list[Any], before: Before) -> None:
    """Put ``items`` in order, as ``std::sort`` does."""
    count = len(items)
    _halve(items, before, 0, count, 2 * max(count.bit_length() - 1, 0))
    _insert_each(items, before, 0, min(_SMALL, count))
    for place in range(_SMALL, count):
        _sink(items, before, place)


def put_nth(items: list[Any], nth: int, before: Before) -> None:
    """Bring to place ``nth`` what stands there in order, as ``std::nth_element`` does."""
    first, last = 0, len(items)
    depth = 2 * max(last.bit_length() - 1, 0)
    while last - first > 3 and depth:
        depth -= 1
        cut = _divide(items, before, first, last)
        first, last = (cut, last) if cut <= nth else (first, cut)
    _insert_each(items, before, first, last)


def first_of(count: int, k: int, before: Before, ordered: bool) -> list[int]:
    """The first ``k`` of the numbers below ``count``, in order or as the heap has them, its root the last of them."""
    heap = list(range(min(count, k + 1)))
    if len(heap) > k:
        for place in range((len(heap) - 2) // 2, -1, -1):
            _settle(heap, before, place, len(heap), heap[place])
        _pop(heap, before, len(heap))
        heap.pop()
    for item in range(k + 1, count):
        if before(item, heap[0]):
            _pop(heap, before, k)
            _rise(heap, before, k - 1, 0, item)
    if ordered:
        for length in range(len(heap), 1, -1):
            _pop(heap, before, length)
    return heap


def _halve(items: list[Any], before: Before, first: int, last: int, depth: int) -> None:
    while last - first > _SMALL:
        if not depth:
            _by_heap(items, before, first, last)
            return
        depth -= 1
        cut = _divide(items, before, first, last)
        _halve(items, before, cut, last, depth)
        last = cut


def _by_heap(items: list[Any], before: Before, first: int, last: int) -> None:
    part = items[first:last]
    for place in range((len(part) - 2) // 2, -1, -1):
        _settle(part, before, place, len(part), part[place])
    for length in range(len(part), 1, -1):
        _pop(part, before, length)
    items[first:last] = part


def _divide(items: list[Any], before: Before, first: int, last: int) -> int:
    """Bring what comes before the median of three to the left; returns where the right part begins."""
    middle = _median(items, before, first + 1, first + (last - first) // 2, last - 1)
    items[first], items[middle] = items[middle], items[first]
    pivot, left, right, end = items[first], first + 1, last, len(items) - 1
    while True:
        while left < end and before(items[left], pivot):
            left += 1
        right -= 1
        while right > 0 and before(pivot, items[right]):
            right -= 1
        if left >= right:
            return left
        items[left], items[right] = items[right], items[left]
        left += 1


def _median(items: list[Any], before: Before, a: int, b: int, c: int) -> int:
    x, y, z = items[a], items[b], items[c]
    if before(x, y):
        return b if before(y, z) else c if before(x, z) else a
    return a if before(x, z) else c if before(y, z) else b


def _insert_each(items: list[Any], before: Before, first: int, last: int) -> None:
    for place in range(first + 1, last):
        if before(items[place], items[first]):
            items.insert(first, items.pop(place))
        else:
            _sink(items, before, place)


def _sink(items: list[Any], before: Before, place: int) -> None:
    item = items[place]
    while place and before(item, items[place - 1]):
        items[place] = items[place - 1]
        place -= 1
    items[place] = item


def _rise(heap: list[Any], before: Before, hole: int, top: int, item: Any) -> None:
    above = (hole - 1) // 2
    while hole > top and before(heap[above], item):
        heap[hole] = heap[above]
        hole, above = above, (above - 1) // 2
    heap[hole] = item


def _settle(heap: list[Any], before: Before, hole: int, length: int, item: Any) -> None:
    top = hole
    while hole < (length - 1) // 2:
        below = 2 * hole + 2
        below -= before(heap[below], heap[below - 1])
        heap[hole] = heap[below]
        hole = below
    if length % 2 == 0 and hole == (length - 2) // 2:
        heap[hole] = heap[2 * hole + 1]
        hole = 2 * hole + 1
    _rise(heap, before, hole, top, item)


def _pop(heap: list[Any], before: Before, length: int) -> None:
    """Bring the root behind the others of the first ``length``."""
    item, heap[length - 1] = heap[length - 1], heap[0]
    _settle(heap, before, 0, length - 1, item)
