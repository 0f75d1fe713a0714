"""The walk in the common case: one loop over records, without the care that few programs need.

It takes every trace that has no user's gradient function, no sparse gradient and no op with several outputs on it, and
upstream gradients that fit their targets; ``run_plain`` says None to the others, and ``Walk`` does them.

On bare arrays it goes straight back through the records, newest first.  That is not TensorFlow's order, but nobody can
tell, except where three gradients or more meet at one tensor: there the ranks of their records in TensorFlow's order
are looked up, and they are added in that order.  Where another tape records the walk itself, it keeps to
TensorFlow's order altogether.
"""

from __future__ import annotations

from typing import Any

from .ops.declare import arrays
from .ops.shaping import unbroadcast
from .recording import LEAF, UNKNOWN, Trace, index_of
from .start_order import NoSingleStart, first_come
from .tensor import EagerTensor


class _Flow:
    """What is on its way during one walk.

    ``grads``: by record, what arrived at its output: None, a gradient, or a list of several, each followed by its
    sender, a record; ``came``: the sender of a single one.  ``arrived``: such lists of what came to the leaves.  The
    sender of a seed is the number of records, which no record has.
    """

    __slots__ = ("arrived", "came", "grads", "ranks", "records", "roots", "trace")

    def __init__(self, trace: Trace, records: list):
        size = len(records)
        self.trace, self.records = trace, records
        self.roots: list[int] = []
        self.grads: list[Any] = [None] * size
        self.came = [size] * size
        self.arrived: dict[Any, list] = {}
        self.ranks: dict[int, int] = {}

    def seed(self, node: Any, value: Any) -> None:
        """Put what arrived at a target: one upstream gradient, or a list of them."""
        i, size = index_of(node, self.trace), len(self.records)
        if i < 0:
            values = value if type(value) is list else [value]
            self.arrived[node] = [part for v in values for part in (v, size)]
        elif i < size and self.records[i] is not None:
            self.roots.append(i)
            self.grads[i] = [part for v in value for part in (v, size)] if type(value) is list else value

    def deliver(self, node: Any, j: int, value: Any, i: int) -> None:
        """Bring what record ``i`` sends to the output of record ``j``, or to a leaf."""
        if j >= 0:
            have = self.grads[j]
            if have is None:
                self.grads[j] = value
                self.came[j] = i
            elif type(have) is list:
                have += value, i
            else:
                self.grads[j] = [have, self.came[j], value, i]
        elif j == LEAF:
            have = self.arrived.get(node)
            if have is None:
                self.arrived[node] = [value, i]
            else:
                have += value, i

    def in_order(self, parts: list) -> list:
        """Several gradients, given with their senders, as they would have come in TensorFlow's order."""
        values, senders = parts[::2], parts[1::2]
        if len(values) < 3:
            return values
        if not self.ranks:
            order = first_come(self.records, self.trace, self.roots)
            self.ranks = {i: rank for rank, i in enumerate([len(self.records), *order])}
        ranks = self.ranks
        return [values[k] for k in sorted(range(len(values)), key=lambda k: ranks[senders[k]])]


def run_plain(walk: Any, trace: Trace, records: list) -> dict | None:
    """What arrives at leaves and sources, by node, from ``walk.grads``; None when ``Walk`` must do it."""
    flow = _Flow(trace, records)
    for node, value in walk.grads.items():
        if value is None:
            return None
        flow.seed(node, value)
    kept = {i: node for node in walk.wanted if (i := index_of(node, trace)) >= 0}
    try:
        if walk.raw:
            _straight_back(walk, flow, kept)
            found = {node: flow.in_order(parts) for node, parts in flow.arrived.items()}
        else:
            _recorded(walk, flow, kept, first_come(records, trace, flow.roots))
            found = {node: parts[::2] for node, parts in flow.arrived.items()}
    except NoSingleStart:
        return None
    return {node: values if len(values) > 1 else values[0] for node, values in found.items()}


def _recorded(walk: Any, flow: _Flow, kept: dict, order: list[int]) -> None:
    """Run the rules of the records in ``order`` on Tensors."""
    trace, records, grads, deliver = flow.trace, flow.records, flow.grads, flow.deliver
    for i in order:
        dy = grads[i]
        if dy is None:
            continue
        grads[i] = None
        if type(dy) is list:
            dy = walk.total(dy[::2])
        if i in kept:
            flow.arrived[kept[i]] = [dy, i]
        record = records[i]
        op = record[0]
        kind = op.kind
        rules = walk.binary if kind == 2 else walk.unary if kind == 1 else walk.rules
        for x, g in rules(op, record, dy):
            if g is not None and x is not None:
                deliver(x, x.i if x.trace is trace else index_of(x, trace), g, i)


def _straight_back(walk: Any, flow: _Flow, kept: dict) -> None:
    """Run the rules of the records on arrays, from the last root down."""
    trace, records, grads, came, deliver = flow.trace, flow.records, flow.grads, flow.came, flow.deliver
    F, Kind = arrays, EagerTensor
    for i in range(max(flow.roots, default=-1), -1, -1):
        dy = grads[i]
        if dy is None:
            continue
        grads[i] = None
        if type(dy) is list:
            dy = dy[0] + dy[2] if len(dy) == 4 else walk.total(flow.in_order(dy))
        if kept and i in kept:
            flow.arrived[kept[i]] = [dy, i]
        record = records[i]
        op = record[0]
        kind = op.kind
        if kind == 2:
            op, x, y, z = record
            if type(x) is Kind:
                n = x._n
                a = x._a
            else:
                n, a = x, None
            if type(y) is Kind:
                m = y._n
                b = y._a
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
                            came[j] = i
                        else:
                            deliver(n, j, g, i)
            if m is not None and second is not None:
                j = m.i if m.trace is trace else index_of(m, trace)
                if j != UNKNOWN:
                    g = second(F, dy, z, a, b)
                    if g is not None:
                        if shape is not None and b.shape != shape:
                            g = unbroadcast(F, g, b.shape, a.shape)
                        if j >= 0 and grads[j] is None:
                            grads[j] = g
                            came[j] = i
                        else:
                            deliver(m, j, g, i)
        elif kind == 1:
            op, x, y = record
            rule = op.gradients[0]
            if rule is None:
                continue
            if type(x) is Kind:
                n = x._n
                a = x._a
            else:
                n, a = x, None
            g = rule(F, dy, y._a if y is not None else y, a)
            if g is not None:
                j = n.i if n.trace is trace else index_of(n, trace)
                if j >= 0 and grads[j] is None:
                    grads[j] = g
                    came[j] = i
                else:
                    deliver(n, j, g, i)
        else:
            for x, g in walk.rules(op, record, dy):
                if g is not None and x is not None:
                    deliver(x, index_of(x, trace), g, i)
