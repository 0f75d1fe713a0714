"""In which order a walk comes to the ops: where it starts when several could, and how it goes on from one.

TensorFlow keeps the collected ops in a C++ hash map from op number to op and starts from the end of its iteration
order.  ``start_order`` repeats what libstdc++'s ``std::unordered_map`` does with such keys, so that sums over several
targets and the order of sparse rows come out the same.
"""

from __future__ import annotations

from typing import Any

from .records import Places, links_up_to

_LONGEST, _REMEMBERED = 1 << 12, 16  # so many orders are remembered at most, of walks of so many records
_orders: dict[tuple, tuple[list, list, list[int]]] = {}  # by targets: links and the order that they make

_PRIMES = (
    1, 13, 29, 59, 127, 257, 541, 1109, 2357, 5087, 10273, 20753, 42043, 85229, 172933, 351061, 712697, 1447153,
    2938679, 5967347, 12117689, 24607243, 49969847, 101473717,
)  # fmt: skip


def iteration_order(keys: list[int]) -> list[int]:
    """The order in which a std::unordered_map iterates over distinct non-negative keys inserted one after another."""
    buckets, following, head = 1, {}, -1  # -1: before the first
    before: dict[int, int] = {}  # bucket -> the key before its first key (-1 for the front of the list)
    step = 0
    for count, key in enumerate(keys):
        if count + 1 > buckets:
            while _PRIMES[step] < count + 1:
                step += 1
            buckets = _PRIMES[step]
            head, following, before = _rehashed(head, following, buckets)
        head = _insert(key, buckets, head, following, before)
    order, key = [], head
    while key != -1:
        order.append(key)
        key = following[key]
    return order


def _insert(key: int, buckets: int, head: int, following: dict[int, int], before: dict[int, int]) -> int:
    """Put a key at the front of its bucket, or of the list when the bucket is empty; returns the new head."""
    bucket = key % buckets
    if bucket in before:
        previous = before[bucket]
        following[key] = head if previous == -1 else following[previous]
        if previous == -1:
            return key
        following[previous] = key
        return head
    following[key] = head
    if head != -1:
        before[head % buckets] = key
    before[bucket] = -1
    return key


def _rehashed(head: int, following: dict[int, int], buckets: int) -> tuple[int, dict[int, int], dict[int, int]]:
    """The same keys in a new number of buckets, relinked as libstdc++ relinks them."""
    new_following: dict[int, int] = {}
    before: dict[int, int] = {}
    new_head, key, first_bucket = -1, head, -1
    while key != -1:
        after = following[key]
        bucket = key % buckets
        if bucket not in before:
            new_following[key] = new_head
            if new_head != -1:
                before[first_bucket] = key
            new_head, before[bucket], first_bucket = key, -1, bucket
        else:
            previous = before[bucket]
            if previous == -1:
                new_following[key] = new_head
                new_head = key
            else:
                new_following[key] = new_following[previous]
                new_following[previous] = key
        key = after
    return new_head, new_following, before


def start_order(ready: list[int], collected: list[int]) -> list[int]:
    """The ``ready`` ops among the ``collected`` ones (in order of collection), first to start first."""
    chosen = set(ready)
    return [key for key in reversed(iteration_order(collected)) if key in chosen]


class NoSingleStart(Exception):
    """Several ops could start a walk: what TensorFlow does depends on more than the records."""


def first_come(records: Places, roots: list[int]) -> list[int]:
    """The records that ``roots`` depend on, in TensorFlow's order: each after all its consumers, first come first.

    ``roots`` are the records that made the targets; ``NoSingleStart`` when more than one of them could come first.
    The order hangs on the links alone; that of the last few walks is remembered, for programs that repeat themselves.
    """
    last = max(roots, default=-1)
    shape = last, tuple(roots)
    first, second = links_up_to(records, last)
    known = _orders.get(shape)
    if known is not None and known[0] == first and known[1] == second:
        return known[2]
    order = _ordered(first, second, roots)
    if last < _LONGEST:
        if len(_orders) >= _REMEMBERED:
            _orders.clear()
        _orders[shape] = first, second, order
    return order


def _ordered(first: list[Any], second: list[Any], roots: list[int]) -> list[int]:
    """``first_come`` by the first and second links of the records; a tuple among the first ones holds all links."""
    links: list[Any] = [j if type(j) is tuple else (j, k) for j, k in zip(first, second)]
    uses = [0] * len(links)  # how many records that the roots depend on use an output; one more for a root
    asked = dict.fromkeys(roots)
    for i in asked:
        uses[i] = 1
    for i in range(len(links) - 1, -1, -1):
        if uses[i] and first[i] is not None:
            for j in links[i]:
                if j >= 0:
                    uses[j] += 1
    for i in asked:
        uses[i] -= 1
    order = [i for i in asked if not uses[i]]
    if len(order) > 1:
        raise NoSingleStart
    for i in order:  # grows while it is gone through
        for j in links[i]:
            if j >= 0:
                left = uses[j]
                if left == 1:
                    order.append(j)
                else:
                    uses[j] = left - 1
    return order
