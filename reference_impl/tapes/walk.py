"""The backward walk: gradients of targets by sources along one trace.

The order is TensorFlow's, because it shows in values and in the order of sparse rows: the ops reachable from the
targets are collected; those whose outputs feed no other start; an op comes after all its consumers, first come first
served; what arrives at a tensor is added up in order of arrival.  Nothing recurses.

While no tape is recording, values are bare arrays (``raw``) and rules run on NumPy.  Otherwise, and when an upstream
gradient has a dtype or shape that only TensorFlow's own checks can judge, values are Tensors and rules call ops.
"""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np

from ..dtypes import is_trainable
from ..errors import InternalError
from ..foundation.floating_point import QUIET, quiet, restore
from ..foundation.warnings_log import warn
from ..ops.declare import MISSING, arrays, tensors
from ..ops.scatter import densified
from ..ops.shaping import unbroadcast
from ..ops.sums import aggregate
from ..tensors.conversion import unsupported
from ..tensors.shapes import TensorShape
from ..tensors.slices import IndexedSlices
from ..tensors.tensor import EagerTensor, wrap
from ..user_gradients.registry import Registered
from .collecting import collect, leads_to_source
from .foreign import as_operand, check_first_of, meets
from .plain_walk import another, even, mirrored, run_plain
from .recording import UNKNOWN, Port, Trace, active, index_of, node_of, take_care
from .records import PLACES, forget, number_of, record_at
from .rows import Rows, Unbatched, Unvectorized, by_row

NOTHING: Any = object()  # no gradient arrived; a None that arrived is passed on as an upstream
_LARGE = 1 << 16
_SPREADING = frozenset(("Mean", "Sum"))  # whose gradient a graph simplifies by the shapes it knows
_READ_DTYPE = {  # gradient functions that look at the dtype of the upstream first
    "Cast", "SelectV2", "Einsum", "MatrixSetDiagV3", "SegmentMax", "SegmentMean", "SegmentMin", "TensorScatterMax",
    "TensorScatterMin", "UnsortedSegmentMax", "UnsortedSegmentMin",
}  # fmt: skip
_READ_DTYPE_KEPT = {"Max", "Min"}  # so do these, of reductions that keep their axes
_LOST = "Internal state of the gradient tape is invalid: failed to find operation producing a tensor"


def imperative_gradient(trace: Trace, targets: list, sources: list, seeds: list) -> list:
    """Gradients of ``targets`` (Tensors) by ``sources`` (Tensors): Tensors, slices, None, or NOTHING if unconnected.

    ``seeds`` is empty, or has an upstream gradient for each target.
    """
    ordinary = not seeds or all(map(_ordinary, seeds, targets))
    if not ordinary:
        take_care()
    plain = ordinary and not trace.narrow
    walk = Walk(trace, [*map(node_of, sources)], plain and active.cur is None and not active.checking, plain)
    if not trace.persistent:
        walk.records, walk.consume = trace.take(), True
    roots = [*map(node_of, targets)]
    try:
        walk.seed(targets, roots, seeds)
        walk.go(roots)
        found = walk.results()
    except BaseException:
        if walk.consume:
            trace.spend(number_of(walk.records))
        raise
    if not walk.raw:
        return found
    if len(found) == 1:
        return [finished(found[0])]
    done = {id(v): finished(v) for v in found}  # one object for one source, however often it is named
    return [done[id(v)] for v in found]


def rows_gradient(trace: Trace, target: Any, sources: list, rows: Rows) -> list:
    """Gradients of ``target`` by ``sources`` for many upstream gradients at once: Rows, arrays, or NOTHING.

    The records stay.  ``Unbatched`` when an op or a user's function takes one upstream gradient only.
    """
    if trace.narrow:
        raise Unbatched("bfloat16")
    walk = Walk(trace, [*map(node_of, sources)], True, True)
    root = node_of(target)
    if index_of(root, trace) == UNKNOWN:  # also when it is a source: TensorFlow differentiates a reshaped copy
        return [NOTHING] * len(sources)
    walk.grads[root] = rows
    walk.go([root])
    found = walk.results()
    for k, value in enumerate(found):
        if type(value) is IndexedSlices:
            warn_of_slices(value)
            found[k] = densified(value)
    return found


def warn_of_slices(slices: IndexedSlices) -> None:
    """TensorFlow's warning about a jacobian by something that was gathered from, with the names in its graph."""
    parts = []
    for name, value, node in (
        ("indices", slices.indices, "Reshape_2"), ("values", slices.values, "Reshape_1"),
        ("dense_shape", slices.dense_shape, "Shape_1"),
    ):  # fmt: skip
        device = ", device=/job:localhost/replica:0/task:0/device:CPU:0" if name == "dense_shape" else ""
        shape = TensorShape(tuple(value.shape))
        parts.append(f'{name}=Tensor("gradient_tape/{node}:0", shape={shape}, dtype={value.dtype.name}{device})')
    warn(
        f"Converting IndexedSlices({', '.join(parts)}) to a dense representation may make it slow. Alternatively, "
        "output the indices and values of the IndexedSlices separately, and handle the vectorized outputs directly."
    )


def _summed_rows(F: Any, g: Any, mine: tuple[int, ...], other: tuple[int, ...]) -> Any:
    """A gradient of sparse rows by an input of shape ``mine``, dense only where axes were broadcast."""
    if g is None or _joint(mine, other) == mine:
        return g
    return unbroadcast(F, densified(g), mine, other)


def _ordinary(seed: Any, target: Any) -> bool:
    """True when a seed has the target's shape and dtype, so that rules on bare arrays cannot go wrong."""
    return type(seed) is EagerTensor and seed._a.dtype == target._a.dtype and seed._a.shape == target._a.shape


class Walk:
    """One walk.  ``grads`` maps a node to what arrived there: one value, or a ``list`` of several."""

    __slots__ = (
        "consume", "given", "grads", "loose", "missing", "plain", "ports", "queue", "raw", "records", "sources",
        "token", "trace", "uses", "wanted",
    )  # fmt: skip

    def __init__(self, trace: Trace, sources: list, raw: bool, plain: bool):
        self.trace, self.sources, self.raw, self.plain = trace, sources, raw, plain
        self.wanted = set(sources)
        self.records = trace.records
        self.consume = False  # free every record when it has been used
        self.token: Any = None
        self.grads: dict[Any, Any] = {}
        self.loose: tuple = ()  # targets that are sources, too, and unknown to the trace
        self.given: dict[int, Any] = {}  # id of a seed's array -> the seed, which may come back as it was given

    def collect(self, roots: list) -> None:
        """What ``run`` needs to know of the records before it begins."""
        self.uses: dict[Any, int] = {}  # node of a recorded output -> how many collected records have yet to use it
        self.ports: dict[int, dict[int, Any]] = {}  # record with several outputs -> {output number: node}
        self.missing: dict[int, int] = {}  # record with several outputs -> used outputs that wait for consumers
        self.queue: deque = deque()
        collect(self, roots)

    def go(self, roots: list) -> None:
        """Walk back from ``roots``, where ``grads`` has their upstream gradients."""
        self.token = quiet(QUIET) if self.raw else None
        try:
            plain = self.plain and not self.trace.ordered and not self.loose and not active.rowless
            found = run_plain(self, self.trace, self.records) if plain else None
            if found is None:
                self.collect(roots)
                self.run()
            else:
                self.grads = found
        finally:
            if self.token is not None:
                restore(self.token)

    # ------------------------------------------------------------------------------------ before

    def seed(self, targets: list, roots: list, seeds: list) -> None:
        """Give every occurrence of a target its upstream: ones, or the caller's."""
        for k, (target, node) in enumerate(zip(targets, roots)):
            i = node.i if node.trace is self.trace else index_of(node, self.trace)
            if i == UNKNOWN and node in self.wanted:
                self.loose += (node,)
            if seeds:
                value = seeds[k]
                if self.raw and value._a.dtype.kind == "b":
                    self.use_tensors()
                if self.raw:
                    value = value._a
                    self.given[id(value)] = seeds[k]
            elif i >= 0:
                if PLACES * i >= len(self.records) or self.records[PLACES * i] is None:
                    raise InternalError(None, None, _LOST)
                value = self.ones(target)
            elif node in self.wanted:
                value = self.ones(target)
            else:
                continue
            have = self.grads.get(node, NOTHING)
            if have is NOTHING:
                self.grads[node] = value
            elif type(have) is list:
                have.append(value)
            else:
                self.grads[node] = [have, value]

    def ones(self, target: Any) -> Any:
        """The default upstream of a target: ones, True for bool, None for strings."""
        a = target._a
        if a.dtype.names:  # a variable's handle: the ones of its value
            if not hasattr(a, "value"):
                raise TypeError("Cannot convert 1 to EagerTensor of dtype variant")
            a = a.value
            if a.dtype.kind == "O":
                raise TypeError("Cannot convert 1 to EagerTensor of dtype string")
        if a.dtype.kind == "O":
            return None
        if a.dtype.kind == "b":
            self.use_tensors()  # NumPy adds bools, where TensorFlow refuses to
        if not a.shape:
            ones = a.dtype.type(1)
        elif self.raw and a.size > _LARGE:
            return np.broadcast_to(a.dtype.type(1), a.shape)  # takes no memory, and is read from the cache
        else:
            ones = np.empty(a.shape, a.dtype)  # half the time of np.ones
            ones.fill(1)
        return ones if self.raw else wrap(ones)

    # ------------------------------------------------------------------------------------ the walk

    def run(self) -> None:
        """Run the backward of every collected record, each after all its consumers."""
        trace, records, uses, grads, queue = self.trace, self.records, self.uses, self.grads, self.queue
        wanted, consume = self.wanted, self.consume
        while queue:
            node = queue.popleft()
            i = node.i if node.trace is trace else index_of(node, trace)
            record = record_at(records, i)
            if record is None:  # a walk that failed consumed it
                continue
            if consume:
                forget(records, i)
            op = record[0]
            kind = op.kind
            if kind == 3:
                pairs = self.general(node, record, i)
            else:
                dy = grads.pop(node, NOTHING)
                if dy is NOTHING or type(dy) is list or type(dy) is IndexedSlices or node in wanted:
                    dy = self.settled(node, op, dy)
                pairs = self.unary(op, record, dy) if kind == 1 else self.binary(op, record, dy)
            for x, g in pairs:
                if x is None:
                    continue
                if g is not None:
                    have = grads.get(x, NOTHING)
                    if have is NOTHING:
                        grads[x] = g
                    elif type(have) is list:
                        have.append(g)
                        if not self.raw:
                            check_first_of(have)
                    else:
                        grads[x] = [have, g]
                count = uses.get(x)
                if count is not None:
                    uses[x] = count = count - 1
                    if count == 0 and (type(x) is not Port or self.last_output(index_of(x, trace))):
                        queue.append(x)

    def last_output(self, j: int) -> bool:
        """An output of record ``j`` has had all its consumers: True when it was the last one to wait for."""
        self.missing[j] -= 1
        return self.missing[j] == 0

    def settled(self, node: Any, op: Any, value: Any) -> Any:
        """The sum of what arrived at a node, in the form ``op`` takes; it stays there only for a source."""
        if type(value) is list:
            value = self.total(value)
        if node in self.wanted and value is not NOTHING:
            self.grads[node] = value
        if (
            type(value) is IndexedSlices
            and not op.sparse
            and (self.raw or self.trace.generating or not meets(op.kernel))
        ):
            return densified(value)
        return value

    def total(self, values: list) -> Any:
        """The sum of several contributions."""
        if len(values) == 2 and self.raw:
            a, b = values
            if type(a) is not IndexedSlices and type(b) is not IndexedSlices:
                return a + b
        return aggregate(values, self.raw, self.trace.generating)

    def needed(self, x: Any) -> bool:
        """True when the trace knows the input that ``x``, a Tensor or Node in a record, stands for."""
        if type(x) is EagerTensor:
            x = x._n
        return x is not None and (x.trace is self.trace or index_of(x, self.trace) != UNKNOWN)

    def unary(self, op: Any, record: tuple, dy: Any) -> tuple:
        """(node, gradient) of an op of one tensor."""
        _, x, y = record
        n, a = (x._n, x) if type(x) is EagerTensor else (x, None)
        rule = op.gradients[0]
        if rule is None or dy is NOTHING:
            return ((n, None),)
        if not self.raw:
            return ((n, rule(tensors, as_operand(op.kernel, dy, y, a), y, a)),)
        if y is not None:
            y = y._a
        return ((n, rule(arrays, dy, y, a if a is None else a._a)),)

    def binary(self, op: Any, record: tuple, dy: Any) -> tuple:
        """(node, gradient) of each input of an op of two tensors."""
        _, x, y, z = record
        trace, F = self.trace, tensors
        n, a = (x._n, x) if type(x) is EagerTensor else (x, None)
        m, b = (y._n, y) if type(y) is EagerTensor else (y, None)
        if dy is NOTHING:
            return (n, None), (m, None)
        if self.raw:
            F, z = arrays, z if z is None else z._a
            a = a if a is None else a._a
            b = b if b is None else b._a
        else:
            dy = as_operand(op.kernel, dy, a, b, z)
        known = m is not None and (m.trace is trace or index_of(m, trace) != UNKNOWN)
        needs = known or m in self.wanted  # a source counts, even one that no gradient can reach
        if (
            not self.raw
            and (op.whole or op.even is True)
            and not trace.static
            and a is not None
            and b is not None
            and type(dy) is not IndexedSlices
        ):
            self.both(op, dy, a, b, z)
        g = h = None
        first, second = op.gradients
        if op.mirrored and not self.raw:
            first, second = mirrored(first)
        if first is not None and n is not None and (n.trace is trace or index_of(n, trace) != UNKNOWN):
            g = first(F, dy, z, a, b)
        if second is not None and (known or (dy is None and needs)):  # which TensorFlow computes for its error
            h = second(F, dy, z, a, b)
        # add and subtract: sparse rows go on as the lone gradient next to a scalar, or where a graph's shapes say that
        # nothing is to be summed
        if type(dy) is IndexedSlices and op.broadcasting:
            if not needs and not F.shape(b):
                return (n, g), (m, h)
            if trace.static or active.vectorizing:
                s, t = F.shape(a), F.shape(b)
                return (n, _summed_rows(F, g, s, t)), (m, _summed_rows(F, h, t, s))
            g, h = densified(g), densified(h)
        if op.broadcasting and a is not None and b is not None:
            s, t = x._a.shape, y._a.shape
            if s == t and (self.raw or trace.static):
                return (n, g), (m, h)
            reshaped = not self.raw and not trace.static and not even(op, x, y, dy)
            # TensorFlow does not sum the lone gradient next to a scalar, not even when its shape is wrong
            if g is not None and (needs or t or not op.lenient):
                g = self.summed(F, g, s, t, reshaped)
            if h is not None:
                h = self.summed(F, h, t, s, reshaped)
            if self.raw:
                g = another(g) if g is dy and (needs or t) else g
                h = another(h) if h is dy else h
        return (n, g), (m, h)

    def summed(self, F: Any, g: Any, s: tuple[int, ...], t: tuple[int, ...], reshaped: bool) -> Any:
        """A gradient by an input of shape ``s`` next to one of shape ``t``, without the axes that were broadcast.

        In a traced function TensorFlow tells from the shapes alone which there are: a gradient of a wrong shape is
        summed along them, and keeps its other axes where none is missing in ``s``.
        """
        if not self.trace.static or F.shape(g) == _joint(s, t):
            return unbroadcast(F, g, s, t, reshaped)
        rank = max(len(s), len(t))
        mine, other = ((1,) * (rank - len(shape)) + shape for shape in (s, t))
        axes = tuple(k for k, (d, e) in enumerate(zip(mine, other)) if d == 1 != e)
        if axes:
            g = F.sum(g, axis=axes, keepdims=len(s) == rank)
        return g if len(s) == rank else F.reshape(g, shape=s)

    def both(self, op: Any, dy: Any, a: Any, b: Any, z: Any) -> None:
        """Compute the gradients of both inputs, needed or not, for the error that an ill-fitting upstream makes.

        Sums and differences do so only where the shapes are seen to be one and the same.
        """
        s, t = a._a.shape, b._a.shape
        whole = _joint(s, t) if op.broadcasting else s
        if type(dy) is EagerTensor and dy._a.dtype is a._a.dtype and dy._a.shape == whole:
            return
        if op.lenient and not even(op, a, b, dy):
            return
        gradients = [None if rule is None else rule(tensors, dy, z, a, b) for rule in op.gradients]
        reshaped = not even(op, a, b, dy)
        for g, mine, other in zip(gradients, (s, t), (t, s)):
            if g is not None and op.broadcasting:
                unbroadcast(tensors, g, mine, other, reshaped)

    def each(self, op: Any, dy: Any, y: Any, values: list, attributes: dict, shapes: list) -> None:
        """Compute the gradients of all inputs, needed or not, for the error that an ill-fitting upstream makes."""
        for rule, shape in zip(op.gradients, shapes):
            if rule is not None:
                unbroadcast(tensors, rule(tensors, dy, y, *values, **attributes), shape, _shape(y), True)

    def general(self, node: Any, record: tuple, i: int) -> Any:
        """(input, gradient) of each input of an op with any number of inputs and outputs."""
        op, ins, outs, attributes, _ = record
        dy = self.upstream(node, op, outs, i)
        if dy is NOTHING:
            return [(_node(x), None) for x in ins]
        if op.user:
            found = self.users(op, ins, dy, attributes)
            return [(_node(x) if self.needed(x) else None, g) for x, g in zip(ins, found)]
        return self.rules(op, record, dy)

    def rules(self, op: Any, record: tuple, dy: Any) -> Any:
        """(node, gradient) of each input of an op with any number of inputs, from its upstream."""
        _, ins, outs, attributes, shells = record
        if op.gradient is None:
            return [(_node(x), None) for x in ins]
        if op.gradient == MISSING:
            return zip(map(_node, ins), self.users(Registered(op, ins, outs, attributes), ins, dy, {}))
        raw, F = self.raw, arrays if self.raw else tensors
        values = [(x._a if raw else x) if type(x) is EagerTensor else s for x, s in zip(ins, shells)]
        if type(dy) is tuple:
            y: Any = tuple([(y._a if raw else y) if type(y) is EagerTensor else y for y in outs])
        else:
            y = outs[0]._a if raw and type(outs[0]) is EagerTensor else outs[0]
        if self.trace.static and op.kernel in _SPREADING and _plain(dy) and _shape(dy) != _shape(y):
            attributes = {**attributes, "unlike": True}
        if type(dy) is IndexedSlices:
            dy = as_operand(op.kernel, dy, y, *values)
        shapes = [s.shape for s in shells] if op.broadcasting else []
        if shapes and type(dy) is EagerTensor and op.gradients is not None and not _alike(dy, y):
            self.each(op, dy, y, values, attributes, shapes)
        try:
            result = self.ruled(op, F, dy, y, ins, values, attributes)
        except Unbatched:
            result = by_row(lambda row: self.ruled(op, F, row, y, ins, values, attributes), dy)
        except AttributeError:
            looks = op.kernel in _READ_DTYPE or (op.kernel in _READ_DTYPE_KEPT and attributes["keepdims"])
            if dy is None and not looks:  # TensorFlow makes a tensor of it before it looks at it
                raise unsupported(None) from None
            raise
        if op.broadcasting:
            result = tuple(g if g is None else unbroadcast(F, g, s, _shape(y)) for g, s in zip(result, shapes))
        return zip(map(_node, ins), result)

    def ruled(self, op: Any, F: Any, dy: Any, y: Any, ins: tuple, values: list, attributes: dict) -> tuple:
        """The gradients of a general op: of all its inputs by one function, or each by its own."""
        if op.gradients is None:
            result = op.gradient(F, dy, y, *values, **attributes)
            result = result if type(result) is tuple else (result,)
            return tuple([g if self.needed(x) else None for x, g in zip(ins, result)])
        found: list[Any] = []
        for x, rule in zip(ins, op.gradients):
            needed = rule is not None and self.needed(x)
            try:
                found.append(rule(F, dy, y, *values, **attributes) if needed else None)
            except Unvectorized as error:  # only what leads to a source is vectorized
                if leads_to_source(self, x):
                    raise ValueError(*error.args) from None
                found.append(None)
        return tuple(found)

    def upstream(self, node: Any, op: Any, outs: tuple, i: int) -> Any:
        """What arrived at an op's output; for several a tuple, filled up with zeros; NOTHING when nothing did."""
        if type(node) is not Port:
            return self.settled(node, op, self.grads.pop(node, NOTHING))
        ports = self.ports[i]
        values = [
            self.settled(ports[k], op, self.grads.pop(ports[k], NOTHING)) if k in ports else NOTHING
            for k in range(len(outs))
        ]
        if all(v is NOTHING for v in values):
            return NOTHING
        if op.absent:
            return tuple(None if v is NOTHING else v for v in values)
        if self.trace.generating and op.kernel == "CustomGradient":  # a graph makes no zeros of whole numbers
            values = [None if v is NOTHING and not _trainable(y) else v for v, y in zip(values, outs)]
        return tuple(self.zeros(y) if v is NOTHING else v for v, y in zip(values, outs))

    def zeros(self, y: Any) -> Any:
        """The upstream of an output that received none: zeros of its shape and dtype, None for strings."""
        a = y._a if type(y) is EagerTensor else y
        if a.dtype.kind == "O" or a.dtype.names:
            return None
        zeros = a.dtype.type(0) if not a.shape else np.zeros(a.shape, a.dtype)
        return zeros if self.raw else wrap(zeros)

    # ------------------------------------------------------------------------------------ users' gradients

    def users(self, op: Any, ins: tuple, dy: Any, attributes: dict) -> list:
        """Gradients from a function that a user wrote: it gets Tensors, under the user's own NumPy error state."""
        if any(type(d) is Rows for d in (dy if type(dy) is tuple else (dy,))):
            return self.users_by_row(op, ins, dy, attributes)
        upstream = [
            d if not self.raw else finished(_own(d) if type(d) is np.ndarray else d)
            for d in (dy if type(dy) is tuple else (dy,))
        ]
        if self.token is not None:
            restore(self.token)
        try:
            result = op.gradient(*upstream, **attributes)
        finally:
            if self.token is not None:
                self.token = quiet(QUIET)
        judge = getattr(attributes.get("backward"), "judge", None)
        if judge is not None:  # of a function that was traced
            judge(upstream, self.trace.generating, [self.needed(x) for x in ins])
        if self.raw and all(g is None or _ordinary(g, x) for g, x in zip(result, ins)):
            return [g if g is None else g._a for g in result]
        self.use_tensors()
        return result

    def users_by_row(self, op: Any, ins: tuple, dy: Any, attributes: dict) -> list:
        """``users`` with an upstream of many rows: the user's function sees one at a time."""
        upstream = dy if type(dy) is tuple else (dy,)
        count = next(len(d.a) for d in upstream if type(d) is Rows)
        results = []
        for k in range(count):
            row = tuple(d.a[k] if type(d) is Rows else d for d in upstream)
            results.append(self.users(op, ins, row, attributes))
            if not self.raw:
                raise Unbatched(f"the gradient of {op.kernel}")
        columns = list(zip(*results))
        if any(len({g is None for g in c}) > 1 for c in columns):
            raise Unbatched(f"the gradient of {op.kernel}")
        return [None if c[0] is None else Rows(np.stack(c)) for c in columns]

    def use_tensors(self) -> None:
        """Go on with Tensors: something came up that only the ops' own checks can judge."""
        if self.raw:
            self.raw = False
            for node, value in self.grads.items():
                self.grads[node] = [finished(v) for v in value] if type(value) is list else finished(value)

    # ------------------------------------------------------------------------------------ after

    def results(self) -> list:
        """The gradient of each source, a bare array in a raw walk, NOTHING where none arrived."""
        done: dict[Any, Any] = {}
        grads = self.grads
        for node in self.wanted:
            value = grads.get(node, NOTHING)
            if type(value) is list:
                token = quiet(QUIET)
                try:
                    value = self.total(value)
                finally:
                    restore(token)
            own = _own(value) if type(value) is np.ndarray else value
            done[node] = self.given.get(id(value), own) if self.given else own
        return [done[n] for n in self.sources] if len(self.sources) > 1 else [*done.values()]


def _shape(x: Any) -> tuple[int, ...]:
    """The shape of a value that the record kept, or of the shell of one that it did not."""
    return (x._a if type(x) is EagerTensor else x).shape


def _plain(x: Any) -> bool:
    """True for one tensor or array: not for rows, slices, several or none."""
    return isinstance(x, (EagerTensor, np.ndarray, np.generic))


def _alike(dy: EagerTensor, y: Any) -> bool:
    """True for an upstream of the shape and dtype of a value that the record kept, or of its shell."""
    a = y._a if type(y) is EagerTensor else y
    return dy._a.shape == a.shape and dy._a.dtype == a.dtype


def _trainable(x: Any) -> bool:
    """Whether a value, or what is left of one in a record, is of a dtype that has gradients."""
    return is_trainable((x._a if type(x) is EagerTensor else x).dtype)


def _own(value: np.ndarray) -> np.ndarray:
    """A result with memory of its own: not the ones that a large target started with."""
    if value.size > _LARGE and 0 in value.strides:
        return value.copy()
    return value


def _joint(s: tuple[int, ...], t: tuple[int, ...]) -> tuple[int, ...]:
    """The shape that two shapes broadcast to."""
    return s if s == t or not t else t if not s else np.broadcast_shapes(s, t)


def _node(x: Any) -> Any:
    """The node of a reference in a record."""
    return x._n if type(x) is EagerTensor else x


def finished(value: Any) -> Any:
    """A value of a walk on arrays as its caller gets it."""
    if value is None or value is NOTHING or type(value) is EagerTensor:
        return value
    if type(value) is IndexedSlices:
        # A ragged gather of what a ragged gather made has rows of rows.
        return IndexedSlices(finished(value.values), wrap(value.indices), wrap(value.dense_shape))
    return wrap(value)
