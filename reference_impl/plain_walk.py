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
    summed = bytearray(len(records))  # 1 for a record at whose output two contributions have been added up
    arrived: dict[Any, Any] = {}
    top = -1
    for node, value in walk.grads.items():
        i = index_of(node, trace)
        if type(value) is list and len(value) > 2:
            return None
        if i >= len(records):
            continue
        if i >= 0:
            summed[i] = type(value) is list
            grads[i] = value[0] + value[1] if summed[i] else value
            top = max(top, i)
        else:
            arrived[node] = value
    kept = {i: node for node in walk.wanted if (i := index_of(node, trace)) >= 0}
    try:
        _back(walk, trace, records, grads, summed, arrived, kept, top)
    except _OrderMatters:
        return None
    return arrived


def _back(
    walk: Any, trace: Trace, records: list, grads: list, summed: bytearray, arrived: dict, kept: dict, top: int
) -> None:
    """Run the rules of the records from ``top`` down; ``grads`` has what arrived at the output of each."""
    F, Kind = arrays, EagerTensor
    for i in range(top, -1, -1):
        dy = grads[i]
        if dy is None:
            continue
        grads[i] = None
        if kept and i in kept:
            arrived[kept[i]] = dy
        record = records[i]
        op = record[0]
        kind = op.kind
        if kind == 2:
            op, x, y, z = record
            if type(x) is Kind:
                n, a = x._n, x._a
            else:
                n, a = x, None
            if type(y) is Kind:
                m, b = y._n, y._a
            else:
                m, b = y, None
            if z is not None:
                z = z._a
            first, second = op.gradients
            shape = dy.shape if op.broadcasting else None
            if n is not None and first is not None:
                j = n.i if n.trace is trace else index_of(n, trace)
                if j != UNKNOWN:
                    g = first(F, dy, z, a, b)
                    if g is not None:
                        if shape is not None and a.shape != shape:
                            g = unbroadcast(F, g, a.shape, b.shape)
                        if j >= 0 and grads[j] is None:
                            grads[j] = g
                        else:
                            _deliver(grads, summed, arrived, n, j, g)
            if m is not None and second is not None:
                j = m.i if m.trace is trace else index_of(m, trace)
                if j != UNKNOWN:
                    g = second(F, dy, z, a, b)
                    if g is not None:
                        if shape is not None and b.shape != shape:
                            g = unbroadcast(F, g, b.shape, a.shape)
                        if j >= 0 and grads[j] is None:
                            grads[j] = g
                        else:
                            _deliver(grads, summed, arrived, m, j, g)
        elif kind == 1:
            op, x, y = record
            rule = op.gradients[0]
            if rule is None:
                continue
            n, a = (x._n, x._a) if type(x) is Kind else (x, None)
            g = rule(F, dy, y if y is None else y._a, a)
            if g is not None:
                j = n.i if n.trace is trace else index_of(n, trace)
                if j >= 0 and grads[j] is None:
                    grads[j] = g
                else:
                    _deliver(grads, summed, arrived, n, j, g)
        else:
            for x, g in walk.rules(op, record, dy):
                if g is not None and x is not None:
                    _deliver(grads, summed, arrived, x, index_of(x, trace), g)


def _deliver(grads: list, summed: bytearray, arrived: dict, node: Any, j: int, value: Any) -> None:
    """Bring a contribution to the output of record ``j``, or to a leaf."""
    if j < 0:
        if j == LEAF:
            have = arrived.get(node)
            arrived[node] = value if have is None else _two_of(have, value)
        return
    have = grads[j]
    if have is None:
        grads[j] = value
    elif summed[j]:
        raise _OrderMatters
    else:
        summed[j] = 1
        grads[j] = have + value


def _two_of(have: Any, value: Any) -> list:
    """Two contributions; a third one matters for the order of the sum."""
    if type(have) is list:
        raise _OrderMatters
    return [have, value]
