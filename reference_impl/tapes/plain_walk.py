"""The walk in the common case: one loop over records, without the care that few programs need.

It takes every trace that has no user's gradient function, no sparse gradient and no op with several outputs in use on
it, and upstream gradients that fit their targets; ``run_plain`` says None to the others, and ``Walk`` does them.

On bare arrays it goes straight back through the records, newest first.  That is not TensorFlow's order, but nobody can
tell, except where three gradients or more meet at one tensor: there the ranks of their records in TensorFlow's order
are looked up, and they are added in that order.  Where another tape records the walk itself, it keeps to
TensorFlow's order altogether.
"""

from __future__ import annotations

from typing import Any

from numpy import float32, ndarray

from ..dtypes import F32
from ..ops.declare import arrays, tensors
from ..ops.shaping import unbroadcast
from ..ops.sums import LARGE, aggregate, used_up
from ..tensors.tensor import EagerTensor
from .recording import Port, Trace, index_of
from .records import LEAF, PLACES, UNKNOWN, Places, backwards, each_record
from .start_order import NoSingleStart, first_come


class _Flow:
    """What is on its way during one walk.

    ``grads``: by record, what arrived at its output: None, a gradient, or a list of several, each followed by its
    sender, a record; ``came``: the sender of a single one.  ``arrived``: such lists of what came to the leaves.  The
    sender of a seed is the number of records, which no record has.  ``ports``: by record with several outputs, the
    number of the one in use.
    """

    __slots__ = ("arrived", "came", "exact", "grads", "ports", "ranks", "records", "roots", "trace")

    def __init__(self, trace: Trace, records: Places):
        size = len(records) // PLACES
        self.trace, self.records = trace, records
        self.roots: list[int] = []
        self.grads: list[Any] = [None] * size
        self.came = [size] * size
        self.arrived: dict[Any, list] = {}
        self.ports: dict[int, int] = {}
        self.exact = False  # what arrives does so in TensorFlow's order
        self.ranks: dict[int, int] = {}  # otherwise: the place of every record in that order, once it is needed

    def seed(self, node: Any, value: Any) -> None:
        """Put what arrived at a target: one upstream gradient, or a list of them."""
        i, size = node.i if node.trace is self.trace else index_of(node, self.trace), len(self.came)
        several = type(value) is list
        if several:
            value = [part for v in value for part in (v, size)]
        if i < 0 or i >= size or self.records[PLACES * i] is None:  # a leaf, or its record has gone
            self.arrived[node] = value if several else [value, size]
        else:
            self.roots.append(i)
            self.grads[i] = value

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
        values = parts[::2]
        if self.exact or len(values) < 3:
            return values
        if not self.ranks:
            order = first_come(self.records, self.roots)
            self.ranks = dict(zip(order, range(len(order))))
            self.ranks[len(self.came)] = -1
            self.exact = order == sorted(order, reverse=True)
        ranks = [*map(self.ranks.__getitem__, parts[1::2])]
        return [*map(values.__getitem__, sorted(range(len(values)), key=ranks.__getitem__))]

    def total(self, parts: list) -> Any:
        """The sum of several gradients on arrays, which ``parts`` no longer has afterwards."""
        values = self.in_order(parts)
        parts.clear()
        return used_up(values)


def run_plain(walk: Any, trace: Trace, records: Places) -> dict | None:
    """What arrives at leaves and sources, by node, from ``walk.grads``; None when ``Walk`` must do it."""
    flow, raw = _Flow(trace, records), walk.raw
    for node, value in walk.grads.items():
        if value is None:
            return None
        flow.seed(node, value)
    if trace.several >= 0 and not _ports_in_use(flow, [*walk.grads, *walk.wanted]):
        return None
    kept = {}
    for node in walk.wanted:
        i = node.i if node.trace is trace else index_of(node, trace)
        if i >= 0:
            kept[i] = node
    try:
        roots, found = flow.roots, flow.arrived
        if not roots:
            pass
        elif raw:
            _back_on_arrays(walk, flow, kept, roots[0] if len(roots) == 1 else max(roots))
        else:
            flow.exact = True
            _back_on_tensors(walk, flow, kept, first_come(records, roots))
        for node, parts in found.items():
            found[node] = parts[0] if len(parts) == 2 else flow.total(parts) if raw else flow.in_order(parts)
    except NoSingleStart:
        return None
    return found


def _ports_in_use(flow: _Flow, nodes: list) -> bool:
    """Note which output of each record with several is in use, as that of a loss is; False when two of one are.

    ``nodes`` are those of targets and sources.
    """
    first, trace = flow.trace.several, flow.trace
    for record in each_record(flow.records, first + 1):
        if record is not None:
            kind = record[0].kind
            used = record[1] if kind == 3 else record[1:3] if kind == 2 else record[1:2]
            nodes.extend([x._n if type(x) is EagerTensor else x for x in used])
    for node in nodes:
        if type(node) is Port and (i := index_of(node, trace)) >= 0 and flow.ports.setdefault(i, node.k) != node.k:
            return False
    return True


def _upstreams(walk: Any, flow: _Flow, i: int, record: tuple, dy: Any) -> tuple:
    """The upstream gradients of all outputs of a record of which one is in use and received ``dy``."""
    (op, _, outs, _, _), k = record, flow.ports[i]
    return tuple([dy if n == k else None if op.absent else walk.zeros(y) for n, y in enumerate(outs)])


def _back_on_arrays(walk: Any, flow: _Flow, kept: dict, last: int) -> None:
    """Run the rules of the records from ``last`` back on bare arrays: the hottest loop of the engine, in one frame."""
    F, trace, grads, came, arrived, deliver = arrays, flow.trace, flow.grads, flow.came, flow.arrived, flow.deliver
    for i, k, j, z, y, x, op in backwards(flow.records, last):
        dy = grads[i]
        if dy is None:
            continue
        grads[i] = None
        if type(dy) is list:
            g = dy[0]
            if len(dy) == 4 and (type(g) is not ndarray or g.size <= LARGE):
                dy = g + dy[2]
            else:
                g = None
                dy = flow.total(dy)
        if kept and i in kept:
            arrived[kept[i]] = [dy, i]
        kind = op.kind
        if kind == 2:
            a = x._a if type(x) is EagerTensor else None
            b = y._a if type(y) is EagerTensor else None
            if j < 0:
                n = x if a is None else x._n
                if j != LEAF and n is not None:
                    j = index_of(n, trace)  # which may have been watched since
            if k < 0:
                m = y if b is None else y._n
                if k != LEAF and m is not None:
                    k = index_of(m, trace)
            if z is not None:
                z = z._a
            first, second = op.gradients
            shape = dy.shape if op.broadcasting and type(dy) is not float32 else None
            if j != UNKNOWN and first is not None and (g := first(F, dy, z, a, b)) is not None:
                if shape is not None and a.shape != shape:
                    g = unbroadcast(F, g, a.shape, b.shape, op.whole)
                elif g is dy and shape and b.shape != shape and (b.shape or k != UNKNOWN or summed(walk, op, m)):
                    g = another(g)
                if j < 0:
                    if (have := arrived.get(n)) is None:
                        arrived[n] = [g, i]
                    else:
                        have += g, i
                elif (have := grads[j]) is None:
                    grads[j] = g
                    came[j] = i
                elif type(have) is list:
                    have += g, i
                else:
                    grads[j] = [have, came[j], g, i]
            if k != UNKNOWN and second is not None and (g := second(F, dy, z, a, b)) is not None:
                if shape is not None and b.shape != shape:
                    g = unbroadcast(F, g, b.shape, a.shape, op.whole)
                elif g is dy and shape and a.shape != shape:
                    g = another(g)
                if k < 0:
                    if (have := arrived.get(m)) is None:
                        arrived[m] = [g, i]
                    else:
                        have += g, i
                elif (have := grads[k]) is None:
                    grads[k] = g
                    came[k] = i
                elif type(have) is list:
                    have += g, i
                else:
                    grads[k] = [have, came[k], g, i]
        elif kind == 1:
            rule = op.gradients[0]
            a = x._a if type(x) is EagerTensor else None
            if rule is not None and (g := rule(F, dy, None if y is None else y._a, a)) is not None:
                if j < 0:
                    n = x if a is None else x._n
                    deliver(n, j, g, i)
                elif (have := grads[j]) is None:
                    grads[j], came[j] = g, i
                elif type(have) is list:
                    have += g, i
                else:
                    grads[j] = [have, came[j], g, i]
        else:
            for n, g in walk.rules(op, x, _upstreams(walk, flow, i, x, dy) if i in flow.ports else dy):
                if g is not None and n is not None:
                    deliver(n, index_of(n, trace), g, i)


def _back_on_tensors(walk: Any, flow: _Flow, kept: dict, order: list[int]) -> None:
    """Run the rules of the records in ``order``, TensorFlow's, on Tensors: what they do is recorded."""
    trace, records, grads, arrived, deliver = flow.trace, flow.records, flow.grads, flow.arrived, flow.deliver
    for i in order:
        dy = grads[i]
        if dy is None:
            continue
        grads[i] = None
        if type(dy) is list:
            dy = aggregate(dy[::2], False)
        if kept and i in kept:
            arrived[kept[i]] = [dy, i]
        start = PLACES * i
        op, x, y, z, j, k = records[start : start + PLACES]
        kind = op.kind
        if kind == 2:
            a = x if type(x) is EagerTensor else None
            b = y if type(y) is EagerTensor else None
            if j < 0:
                n = x if a is None else x._n
                if j != LEAF and n is not None:
                    j = index_of(n, trace)  # which may have been watched since
            if k < 0:
                m = y if b is None else y._n
                if k != LEAF and m is not None:
                    k = index_of(m, trace)
            first, second = mirrored(op.gradients[0]) if op.mirrored else op.gradients
            reshaped = op.broadcasting and a is not None and b is not None and not even(op, a, b, dy)
            if j != UNKNOWN and first is not None and (g := first(tensors, dy, z, a, b)) is not None:
                if reshaped and (b._a.shape or k != UNKNOWN or summed(walk, op, m)):
                    g = unbroadcast(tensors, g, a._a.shape, b._a.shape, True)
                if j < 0:
                    arrived.setdefault(n, []).extend((g, i))
                elif grads[j] is None:
                    grads[j] = g
                else:
                    deliver(None, j, g, i)
            if k != UNKNOWN and second is not None and (g := second(tensors, dy, z, a, b)) is not None:
                if reshaped:
                    g = unbroadcast(tensors, g, b._a.shape, a._a.shape, True)
                if k < 0:
                    arrived.setdefault(m, []).extend((g, i))
                elif grads[k] is None:
                    grads[k] = g
                else:
                    deliver(None, k, g, i)
        elif kind == 1:
            n, a = (x._n, x) if type(x) is EagerTensor else (x, None)
            rule = op.gradients[0]
            if rule is not None and (g := rule(tensors, dy, y, a)) is not None:
                if j >= 0 and grads[j] is None:
                    grads[j] = g
                else:
                    deliver(n, j, g, i)
        else:
            for n, g in walk.rules(op, x, _upstreams(walk, flow, i, x, dy) if i in flow.ports else dy):
                if g is not None and n is not None:
                    deliver(n, index_of(n, trace), g, i)


def even(op: Any, a: EagerTensor, b: EagerTensor, dy: Any) -> bool:
    """True where TensorFlow sees from the shapes that nothing was broadcast, and leaves gradients as they are.

    Otherwise it reshapes them, to the shape they have too, which only a wrong upstream of second order shows.
    """
    if type(dy) is not EagerTensor:
        return False
    if type(a._a) is type(b._a) is type(dy._a) is float32:
        return op.even is True or F32 in op.even
    shape = a._a.shape
    return shape == b._a.shape and dy._a.shape == shape and (op.even is True or a._a.dtype in op.even)


def summed(walk: Any, op: Any, other: Any) -> bool:
    """False for the lone gradient next to a scalar, which TensorFlow leaves as it is even when its shape is wrong."""
    return not op.lenient or other in walk.wanted


def another(g: Any) -> Any:
    """A gradient as another object, for a tensor that TensorFlow reshapes to its own shape."""
    return g.view() if type(g) is ndarray else g


def mirrored(rule: Any) -> tuple[Any, Any]:
    """A rule and its negative, which is made of the first's answer: what is recorded of it is shared."""
    made: list[Any] = []

    def first(*given: Any) -> Any:
        made.append(rule(*given))
        return made[0]

    return first, lambda *given: -(made[0] if made else first(*given))
