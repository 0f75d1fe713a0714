"""The backward walk: gradients of targets by sources along one trace.

The order is TensorFlow's, because it shows in values and in the order of sparse rows: the ops reachable from the
targets are collected; those whose outputs feed no other start; an op comes after all its consumers, first come first
served; what arrives at a tensor is added up in order of arrival.  Nothing recurses.

While no tape is recording, values are bare arrays (``raw``) and rules run on NumPy.  Otherwise, and when a user's
gradient has a dtype or shape that only TensorFlow's own checks can judge, values are Tensors and rules call ops.
"""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np

from .errors import InternalError
from .floating_point import QUIET, quiet, restore
from .ops.declare import MISSING, arrays, tensors
from .ops.scatter import densified
from .ops.sums import aggregate
from .recording import UNKNOWN, Node, Port, Trace, active, index_of, node_of
from .slices import IndexedSlices
from .tensor import EagerTensor, wrap

NOTHING = object()


def imperative_gradient(trace: Trace, targets: list, sources: list, seeds: list) -> list:
    """Gradients of ``targets`` (Tensors) by ``sources`` (Tensors): Tensors, slices, or None.

    ``seeds`` is empty, or has one upstream gradient for each target.
    """
    nodes = [node_of(s) for s in sources]
    wanted = set(nodes)
    records = trace.records if trace.persistent else trace.take()
    start = [node_of(t) for t in targets]
    raw = active.cur is None and all(_ordinary(s, t) for s, t in zip(seeds, targets))
    walk = Walk(trace, records, wanted, raw)
    walk.collect(start)
    walk.seed(targets, start, seeds)
    token = quiet(QUIET)
    try:
        walk.run()
        return walk.results(nodes)
    finally:
        restore(token)


def _ordinary(seed: Any, target: Any) -> bool:
    """True when a seed has the target's shape and dtype, so that rules on bare arrays cannot go wrong."""
    return type(seed) is EagerTensor and seed._a.dtype == target._a.dtype and seed._a.shape == target._a.shape


class Walk:
    """One walk; ``grads`` maps a node to what arrived there: one value, or a ``list`` of several."""

    __slots__ = ("trace", "records", "wanted", "raw", "made", "uses", "missing", "ports", "grads")

    def __init__(self, trace: Trace, records: list, wanted: set, raw: bool):
        self.trace, self.records, self.wanted, self.raw = trace, records, wanted, raw
        self.made: dict[int, Any] = {}  # index of a collected record -> the node it was reached by
        self.uses: dict[Any, int] = {}  # node -> how often collected records use it
        self.missing: dict[int, int] = {}  # index -> used outputs that wait for consumers (several outputs only)
        self.ports: dict[int, dict[int, Any]] = {}  # index -> {output number: node} (several outputs only)
        self.grads: dict[Any, Any] = {}

    def collect(self, start: list) -> None:
        """Find the records reachable backwards from the nodes in ``start``."""
        trace, records, made, uses = self.trace, self.records, self.made, self.uses
        stack, size = list(start), len(self.records)
        while stack:
            node = stack.pop()
            i = node.i if node.trace is trace else index_of(node, trace)
            if type(node) is Port and i >= 0:
                self.ports.setdefault(i, {})[node.k] = node
            if i < 0 or i in made or i >= size:
                continue
            record = records[i]
            if record is None:
                continue
            made[i] = node
            kind = record[0].kind
            for x in (record[1],) if kind == 1 else (record[1], record[2]) if kind == 2 else record[1]:
                if type(x) is EagerTensor:
                    x = x._n
                if x is None:
                    continue
                count = uses.get(x)
                if count is not None:
                    uses[x] = count + 1
                    continue
                uses[x] = 1
                if x.trace is trace or index_of(x, trace) != UNKNOWN:
                    stack.append(x)

    def seed(self, targets: list, start: list, seeds: list) -> None:
        """Give every occurrence of a target its upstream: ones, or the caller's."""
        for k, (target, node) in enumerate(zip(targets, start)):
            i = index_of(node, self.trace)
            if seeds:
                value = seeds[k]
                if self.raw and type(value) is EagerTensor:
                    value = value._a
            elif i >= 0:
                if i not in self.made:
                    raise InternalError(
                        None, None,
                        "Internal state of the gradient tape is invalid: failed to find operation producing a tensor",
                    )  # fmt: skip
                value = self.ones(target)
            elif node in self.wanted:
                value = self.ones(target)
            else:
                continue
            self.arrive(node, value)

    def ones(self, target: Any) -> Any:
        """The default upstream of a target: ones, True for bool, None for strings."""
        a = target._a
        if a.dtype.kind in "OV":
            return None
        ones = a.dtype.type(1) if not a.shape else np.ones(a.shape, a.dtype)
        return ones if self.raw else wrap(ones)

    def arrive(self, node: Any, value: Any) -> None:
        """Add a contribution."""
        have = self.grads.get(node, self)
        if have is self:
            self.grads[node] = value
        elif type(have) is list:
            have.append(value)
        else:
            self.grads[node] = [have, value]

    def starts(self) -> list[int]:
        """The collected records whose outputs no collected record uses, in TensorFlow's order."""
        uses, trace = self.uses, self.trace
        for i, ports in self.ports.items():
            self.missing[i] = sum(node in uses for node in ports.values())
        made = self.made
        return [i for i, n in made.items() if (n not in uses if type(n) is Node else not self.missing[i])]

    def run(self) -> None:
        """Run the backward of every collected record, each after all its consumers."""
        records, made, uses, trace = self.records, self.made, self.uses, self.trace
        consume = not trace.persistent
        queue = deque(self.starts())
        while queue:
            i = queue.popleft()
            record = records[i]
            if consume:
                records[i] = None
            op = record[0]
            kind = op.kind
            dy = self.upstream(op, record, i)
            ins = (record[1],) if kind == 1 else (record[1], record[2]) if kind == 2 else record[1]
            if dy is NOTHING:
                outs: Any = (None,) * len(ins)
            elif kind == 3:
                outs = self.general(op, record, dy)
            else:
                outs = self.simple(op, record, ins, dy)
            for x, g in zip(ins, outs):
                if type(x) is EagerTensor:
                    x = x._n
                if x is None:
                    continue
                if g is not None:
                    self.arrive(x, g)
                count = uses.get(x, 0) - 1
                uses[x] = count
                if count == 0:
                    j = x.i if x.trace is trace else index_of(x, trace)
                    if j >= 0 and j in made and (type(x) is Node or self.last_output(j)):
                        queue.append(j)

    def last_output(self, j: int) -> bool:
        """An output of record ``j`` has had all its consumers: True when it was the last one to wait for."""
        self.missing[j] -= 1
        return self.missing[j] == 0

    def upstream(self, op: Any, record: tuple, i: int) -> Any:
        """What arrived at the output, NOTHING when nothing did; for several outputs a tuple filled up with zeros."""
        node = self.made[i]
        if type(node) is Node:
            value = self.arrived(node)
            return self.dense(value) if type(value) is IndexedSlices and not op.sparse else value
        ports = self.ports[i]
        values = [self.arrived(ports[k]) if k in ports else NOTHING for k in range(len(record[2]))]
        if all(v is NOTHING for v in values):
            return NOTHING
        if not op.sparse:
            values = [self.dense(v) if type(v) is IndexedSlices else v for v in values]
        return tuple(self.zeros(y) if v is NOTHING else v for v, y in zip(values, record[2]))

    def dense(self, slices: IndexedSlices) -> Any:
        """Slices as one array or Tensor."""
        return densified(slices)

    def zeros(self, y: Any) -> Any:
        """The upstream of an output that received none: zeros of its shape and dtype, None for strings."""
        a = y._a if type(y) is EagerTensor else y
        if a.dtype.kind in "OV":
            return None
        zeros = np.zeros(a.shape, a.dtype)[()]
        return zeros if self.raw else wrap(zeros)

    def arrived(self, node: Any) -> Any:
        """The sum of what arrived at a node; it stays there only for a source."""
        value = self.grads.pop(node, NOTHING)
        if type(value) is list:
            value = aggregate(value, self.raw)
        if value is not NOTHING and node in self.wanted:
            self.grads[node] = value
        return value

    def needed(self, x: Any) -> bool:
        """True when the trace knows the input a reference in a record stands for."""
        if type(x) is EagerTensor:
            x = x._n
        return x is not None and (x.trace is self.trace or index_of(x, self.trace) != UNKNOWN)

    def simple(self, op: Any, record: tuple, ins: tuple, dy: Any) -> list:
        """Gradients of an op with one output and one function per input."""
        y = record[op.kind + 1]
        if self.raw:
            F, values = arrays, [x._a if type(x) is EagerTensor else None for x in ins]
            y = None if y is None else y._a
        else:
            F, values = tensors, [x if type(x) is EagerTensor else None for x in ins]
        outs = []
        for k, (x, rule) in enumerate(zip(ins, op.gradients)):
            g = rule(F, dy, y, *values) if rule is not None and self.needed(x) else None
            if g is not None and op.broadcasting:
                shapes = record[4] or tuple(v._a.shape for v in ins)
                if F.shape(g) != shapes[k]:
                    g = unbroadcast(F, g, shapes[k], shapes)
            outs.append(g)
        return outs

    def general(self, op: Any, record: tuple, dy: Any) -> Any:
        """Gradients of an op with any number of inputs and outputs."""
        _, ins, outs, attributes, shells = record
        raw, F = self.raw, arrays if self.raw else tensors
        values = [(x._a if raw else x) if type(x) is EagerTensor else shells[k] for k, x in enumerate(ins)]
        ys = tuple((y._a if raw else y) if type(y) is EagerTensor else y for y in outs)
        y = ys if type(dy) is tuple else ys[0]
        if op.gradient is None:
            return (None,) * len(ins)
        if op.gradient == MISSING:
            raise LookupError(f"gradient registry has no entry for: {op.kernel}")
        if op.gradients is None:
            result = op.gradient(F, dy, y, *values, **attributes)
            result = result if type(result) is tuple else (result,)
        else:
            result = tuple(
                rule(F, dy, y, *values, **attributes) if rule is not None and self.needed(x) else None
                for x, rule in zip(ins, op.gradients)
            )
        if op.broadcasting:
            shapes = tuple(s.shape for s in shells)
            result = tuple(
                unbroadcast(F, g, shapes[k], shapes) if g is not None and F.shape(g) != shapes[k] else g
                for k, g in enumerate(result)
            )
        return result

    def results(self, nodes: list) -> list:
        """The gradient of each source; None when its node is unknown to the trace or nothing arrived."""
        done: dict[Any, Any] = {}
        for node in nodes:
            if node not in done:
                value = self.grads.get(node)
                value = aggregate(value, self.raw) if type(value) is list else value
                done[node] = finished(value) if self.raw else value
        return [done[n] for n in nodes]


def finished(value: Any) -> Any:
    """A bare result as what the caller gets."""
    if value is None:
        return None
    if type(value) is IndexedSlices:
        return IndexedSlices(*(wrap(np.asarray(v) if k else v) for k, v in enumerate(
            (value.values, value.indices, value.dense_shape))))  # fmt: skip
    return wrap(value)


def unbroadcast(F: Any, g: Any, shape: tuple[int, ...], shapes: tuple[tuple[int, ...], ...]) -> Any:
    """``g`` summed over the axes along which an input of ``shape`` was broadcast, judged by the forward shapes."""
    rank = max(len(s) for s in shapes)
    padded = (1,) * (rank - len(shape)) + shape
    axes = tuple(k for k, d in enumerate(padded) if d == 1)
    g = F.sum(g, axis=axes, keepdims=False) if axes and F.rank(g) >= rank else g
    return F.reshape(g, shape=shape)
