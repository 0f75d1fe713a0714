"""The walk in the one case that is both common and simple: straight back through the records, newest first.

It gives what the exact walk gives, faster, as long as nothing can tell the order in which gradients arrive: no user's
gradient function, no sparse gradient, no op with several outputs, and no tensor at which three gradients or more meet
(the sum of two does not depend on their order).  When the third one arrives ``run_plain`` gives up, and the exact walk
starts afresh: rules have no side effects.
"""

from __future__ import annotations

from typing import Any

from .ops.declare import arrays
from .ops.shaping import unbroadcast
from .recording import LEAF, UNKNOWN, Trace, index_of
from .tensor import EagerTensor


class _OrderMatters(Exception):
    """Three gradients meet at one tensor."""


def run_plain(walk: Any, trace: Trace, records: list) -> dict | None:
    """What arrives at leaves and sources, by node, from ``walk.grads``; None when the order matters."""
    grads: list[Any] = [None] * len(records)
    arrived: dict[Any, Any] = {}
    top = -1
    for node, value in walk.grads.items():
        i = index_of(node, trace)
        if type(value) is list and len(value) > 2:
            return None
        if i >= len(records):
            continue
        if i >= 0:
            grads[i] = list(value) if type(value) is list else value
            top = max(top, i)
        else:
            arrived[node] = value
    kept = {index_of(node, trace): node for node in walk.wanted}
    try:
        _back(walk, trace, records, grads, arrived, kept, top)
    except _OrderMatters:
        return None
    return arrived


def _back(walk: Any, trace: Trace, records: list, grads: list, arrived: dict, kept: dict, top: int) -> None:
    def deliver(node: Any, value: Any) -> None:
        j = node.i if node.trace is trace else index_of(node, trace)
        if j >= 0:
            have = grads[j]
            grads[j] = value if have is None else _two_of(have, value)
        elif j == LEAF:
            have = arrived.get(node)
            arrived[node] = value if have is None else _two_of(have, value)

    def two(op: Any, record: tuple, dy: Any) -> None:
        _, x, y, z = record
        n, a = (x._n, x._a) if type(x) is EagerTensor else (x, None)
        m, b = (y._n, y._a) if type(y) is EagerTensor else (y, None)
        if z is not None:
            z = z._a
        first, second = op.gradients
        spread = op.broadcasting and a is not None and a.shape != b.shape
        if first is not None and n is not None and (n.trace is trace or index_of(n, trace) != UNKNOWN):
            g = first(arrays, dy, z, a, b)
            if g is not None:
                if spread and g.shape != a.shape:
                    g = unbroadcast(arrays, g, a.shape, b.shape)
                if n.trace is trace and n.i >= 0 and grads[n.i] is None:
                    grads[n.i] = g
                else:
                    deliver(n, g)
        if second is not None and m is not None and (m.trace is trace or index_of(m, trace) != UNKNOWN):
            g = second(arrays, dy, z, a, b)
            if g is not None:
                deliver(m, unbroadcast(arrays, g, b.shape, a.shape) if spread and g.shape != b.shape else g)

    for i in range(top, -1, -1):
        dy = grads[i]
        if dy is None:
            continue
        grads[i] = None
        if type(dy) is list:
            dy = dy[0] + dy[1]
        if i in kept:
            arrived[kept[i]] = dy
        record = records[i]
        op = record[0]
        kind = op.kind
        if kind == 2:
            two(op, record, dy)
        elif kind == 1:
            _, x, y = record
            rule = op.gradients[0]
            if rule is None:
                continue
            n, a = (x._n, x._a) if type(x) is EagerTensor else (x, None)
            g = rule(arrays, dy, y if y is None else y._a, a)
            if g is None:
                continue
            if n.trace is trace and n.i >= 0 and grads[n.i] is None:
                grads[n.i] = g
            else:
                deliver(n, g)
        else:
            for x, g in walk.rules(op, record, dy):
                if g is not None and x is not None:
                    deliver(x, g)


def _two_of(have: Any, value: Any) -> list:
    """Two contributions; a third one matters for the order of the sum."""
    if type(have) is list:
        raise _OrderMatters
    return [have, value]
