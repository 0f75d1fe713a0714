"""Who records what: nodes, traces and the traces active on this thread.

A ``Node`` is the identity of a tensor (or of a variable's storage) as tapes know it; a tensor gets one when it is
watched or recorded.  A ``Trace`` is one life of a tape: its records (records.py).  ``active.cur`` is None, the one
active trace of this thread, or a ``Several`` (several traces, or forward accumulators, see forward_mode.py).

Ops test ``active.cur`` themselves and, in the common case of one trace, append their record themselves; everything
else comes to ``record``.  A record starts with its op and is one of

    (op, x, y)                                  unary: y is the output, or None when the gradient does not use it
    (op, a, b, y)                               binary
    (op, inputs, outputs, attributes, shells)   general: tuples, a dict, and the shapes and dtypes of the inputs

An input stands in a record as its Tensor when the gradient uses its value, else as its Node (so that the value can be
freed), or as None when no tape can know it.  An output whose value is not used leaves a ``Shell`` (shape and dtype).

A node's death (its tensor and every record that used it are gone) removes the record that made it: results that
nobody can ask about cost no memory, as in TensorFlow.  Records never own one another, so a long chain is freed
without recursion.
"""

from __future__ import annotations

import threading
from typing import Any

from numpy import float32

from ..dtypes import F32, NARROW, is_trainable
from .records import LEAF, PLACES, UNKNOWN, Places, append_record, forget, has_record, number_of


class Held:
    """Says in ``Node.trace`` that ``Node.i`` is a dict {trace: index}."""

    __slots__ = ("why",)
    records = True  # one of its traces may have some

    def __init__(self, why: str):
        self.why = why

    def __repr__(self) -> str:
        return f"<{self.why}>"


MANY = Held("known to several traces")
_NOWHERE: dict[Trace, int] = {}
DULL = Held("known, but of a dtype that never makes an op be recorded")


class Trace:
    """One life of a tape: its records, the variables it watched, and its two options."""

    __slots__ = (
        "__weakref__",
        "asked",
        "beside",
        "dead",
        "generating",
        "narrow",
        "once",
        "ordered",
        "over",
        "persistent",
        "primal",
        "records",
        "several",
        "static",
        "sweeping",
        "variables",
        "watch_accessed",
    )

    def __init__(self, persistent: bool = False, watch_accessed: bool = True):
        self.records: Places = []
        self.persistent = persistent
        self.watch_accessed = watch_accessed
        self.variables: dict[int, Any] = {}
        self.over = False  # nobody will ask this trace again
        self.asked = False  # of a program's own tape
        self.ordered = False  # a record for which the order of the walk shows; see plain_walk.py
        self.several = -1  # the first record with several outputs
        self.narrow = False  # a record of bfloat16 or of an odd upstream: its rules need the care that only ops take
        self.once = False  # of a traced function whose second derivative nobody can ask
        self.primal: list = []  # results of a function whose derivative it is; they receive zeros
        self.static = False  # of a traced function that knows all shapes; see Walk.summed
        self.generating = False  # makes a graph's own gradient, which judges what users' functions return
        self.beside: dict[int, list] = {}  # index of a record -> nodes of whole numbers that it used; see beside.py
        self.dead: list[int] = []
        self.sweeping = False

    def __reduce__(self) -> Any:
        raise TypeError("cannot pickle 'tfe.Tape' object")

    def drop(self, i: int) -> None:
        """Forget record ``i``, and by way of ``Node.__del__`` what only it kept alive; iterative by way of ``dead``."""
        self.dead.append(i)
        if self.sweeping:
            return
        self.sweeping = True
        try:
            while self.dead:
                i = self.dead.pop()
                if has_record(self.records, i):
                    forget(self.records, i)
        finally:
            self.sweeping = False

    def take(self) -> Places:
        """The records, which the trace no longer has afterwards."""
        records, self.records = self.records, []
        return records

    def spend(self, count: int) -> None:
        """After a walk that failed: it consumed the ``count`` records; what knows their places finds nothing there."""
        self.records = [None] * (PLACES * count)

    def end(self) -> None:
        """The tape is done with this trace."""
        self.over = True
        if self.records:
            self.records = []
        self.primal = []
        self.beside = {}


SEAL = "what is entered after this does not record"


class Several:
    """What is active on a thread when it is not one trace alone: ``stack``, traces and accumulators as entered."""

    __slots__ = ("accumulators", "live", "pair", "stack", "traces")

    def __init__(self, stack: tuple[Any, ...]):
        self.stack = stack
        self.live = stack[: stack.index(SEAL)] if SEAL in stack else stack
        self.traces = tuple([r for r in self.live if type(r) is Trace])
        self.accumulators = len(self.traces) < len(self.live)
        self.pair = self.traces if len(self.traces) == 2 and not self.accumulators else None


class _Active(threading.local):
    cur: Any = None
    watchers: tuple[dict[int, Any], ...] = ()  # each is told every trainable variable that is read, recording or not
    vectorizing: int = 0  # above 0 while rows of a jacobian are made, which TensorFlow does in a traced loop
    around: tuple[Any, ...] = ()  # what was active when rows began to be made; it does not see custom gradients inside
    loop: Any = None  # a trace that knows what differs from row to row, while rows are recorded that users' code makes
    rowless: bool = False  # while the rows of a jacobian without any are "made": what the loop would do is looked at
    met: Any = None  # where a list: the traced functions and branches whose gradients a walk comes into
    checking: str | None = None  # what ops that make inf or nan are said to run in (numerics.py)
    tracing: Any = None  # the graph that is being built, also where code runs outside of it for a while (init_scope)
    pretending: int = 0  # above 0 while a call is carried out only to learn what it would return


active = _Active()


class Node:
    """Identity of a tensor.  ``trace`` and ``i``: the trace that knows it and the index of the record that made it."""

    __slots__ = ("i", "trace")

    trace: Any
    i: Any

    def __del__(self) -> None:
        trace = self.trace
        if trace is None or not trace.records:
            return
        if type(trace) is Trace:
            if self.i >= 0:
                trace.drop(self.i)
        else:
            for trace, i in self.i.items():
                if trace.records and i >= 0:
                    trace.drop(i)


def new_node() -> Node:
    """A node that no trace knows.  ``Node()`` alone leaves its slots to whoever makes it in a hurry."""
    node = Node()
    node.trace, node.i = None, UNKNOWN
    return node


class Port:
    """Identity of one of several outputs of an op.  ``owner``, a Node shared by all of them, keeps the record."""

    __slots__ = ("i", "k", "owner", "trace")

    def __init__(self, k: int, owner: Node):
        self.trace: Any = None
        self.i: Any = UNKNOWN
        self.k, self.owner = k, owner


class Shell:
    """Shape and dtype of a value that was not kept."""

    __slots__ = ("dtype", "shape")

    def __init__(self, shape: tuple[int, ...], dtype: Any):
        self.shape, self.dtype = shape, dtype

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return len(self.shape)


def active_traces() -> tuple[Trace, ...]:
    """The traces active on this thread, oldest first."""
    cur = active.cur
    return () if cur is None else (cur,) if type(cur) is Trace else cur.traces


def active_stack() -> tuple[Any, ...]:
    """The traces and accumulators active on this thread, in order of entry."""
    cur = active.cur
    return cur.live if type(cur) is Several else () if cur is None else (cur,)


def _whole_stack() -> tuple[Any, ...]:
    cur = active.cur
    return cur.stack if type(cur) is Several else () if cur is None else (cur,)


def combined(stack: tuple[Any, ...]) -> Any:
    """What ``active.cur`` is when the members of ``stack`` are active."""
    return None if not stack else stack[0] if len(stack) == 1 and type(stack[0]) is Trace else Several(stack)


def push(recorder: Any) -> None:
    """Make a trace or accumulator active on this thread."""
    cur = active.cur
    if type(recorder) is Trace:
        if cur is None:
            active.cur = recorder
            return
        if type(cur) is Trace and cur is not recorder:
            active.cur = Several((cur, recorder))
            return
    active.cur = combined((*[r for r in _whole_stack() if r is not recorder], recorder))


def pop(recorder: Any) -> None:
    """Make a trace or accumulator inactive on this thread; nothing happens when it is not active here."""
    cur = active.cur
    if cur is recorder:
        active.cur = None
        return
    if type(cur) is Several and len(cur.stack) == 2 and cur.stack[1] is recorder and type(cur.stack[0]) is Trace:
        active.cur = cur.stack[0]
        return
    active.cur = combined(tuple([r for r in _whole_stack() if r is not recorder]))


class only:
    """Context manager: just the members of ``stack`` are active on this thread inside."""

    __slots__ = ("_cur", "_new")

    def __init__(self, *stack: Any):
        self._new = combined(stack)

    def __enter__(self) -> None:
        self._cur, active.cur = active.cur, self._new

    def __exit__(self, *_: object) -> None:
        active.cur = self._cur


def stop_recording() -> only:
    """Context manager: no trace and no accumulator is active on this thread inside."""
    graph = getattr(active.cur, "graph", None)  # of the function that is being traced
    return only() if graph is None else graph.call(only, (), {})


def index_of(node: Any, trace: Trace) -> int:
    """Index of the record that made ``node`` in ``trace``, LEAF when it was watched, UNKNOWN when neither."""
    held = node.trace
    if held is trace:
        return node.i
    return node.i.get(trace, UNKNOWN) if type(held) is Held else UNKNOWN


def append(trace: Trace, made: tuple, inputs: tuple[Any, ...]) -> None:
    """Append the record of an op with these input tensors, given as a tuple, to those of a trace."""
    links = [UNKNOWN if x._n is None else index_of(x._n, trace) for x in inputs]
    append_record(trace.records, made, links)


def take_care() -> None:
    """From now on the traces that record here hold shapes or dtypes that only ops can judge."""
    cur = active.cur
    for trace in (cur,) if type(cur) is Trace else cur.traces if type(cur) is Several else ():
        trace.narrow = True


def knows(trace: Trace, tensor: Any) -> bool:
    """True when a trace knows a tensor (or the rows of slices)."""
    node = getattr(tensor, "_n", None) if hasattr(tensor, "_n") else getattr(tensor.values, "_n", None)
    return node is not None and index_of(node, trace) != UNKNOWN


def node_of(tensor: Any) -> Any:
    """The node of a tensor, made when it has none."""
    node = tensor._n
    if node is None:
        node = tensor._n = new_node()
    return node


def place(node: Any, trace: Trace, i: int, trainable: bool) -> None:
    """Write down that ``trace`` knows ``node``: made by record ``i``, or a LEAF."""
    held = node.trace
    if trainable and (held is None or (type(held) is Trace and (held is trace or held.over))):
        node.trace, node.i = trace, i
        return
    if trainable and type(held) is Trace:
        node.trace, node.i = MANY, {held: node.i, trace: i}
        return
    known = () if held is None else node.i.items() if type(held) is Held else ((held, node.i),)
    others = {t: j for t, j in known if not t.over and t is not trace}
    if not trainable:
        node.trace, node.i = DULL, {**others, trace: i}
    elif others:
        node.trace, node.i = MANY, {**others, trace: i}
    else:
        node.trace, node.i = trace, i


def watch(trace: Trace, tensor: Any) -> None:
    """Make a tensor (or a variable's handle) a leaf of a trace, unless the trace knows it already."""
    node = node_of(tensor)
    if index_of(node, trace) == UNKNOWN:
        place(node, trace, LEAF, is_trainable(tensor._a.dtype))


def recorders(inputs: tuple[Any, ...]) -> list[Trace]:
    """The active traces that record an op with these input tensors."""
    cur = active.cur
    if cur is None:
        return []
    held = [x._n for x in inputs if x._n is not None and x._n.trace is not None]
    return [t for t in active_traces() if any(n.trace is t or (n.trace is MANY and t in n.i) for n in held)]


def _reference(tensor: Any, keep: bool) -> Any:
    if keep:
        return tensor
    if tensor._n is None and not is_trainable(tensor._a.dtype):
        return None
    return node_of(tensor)


def record(op: Any, inputs: tuple[Any, ...], outputs: tuple[Any, ...], attributes: Any = None) -> None:
    """Record an op on every active trace that knows one of its differentiable inputs, and carry tangents through it."""
    cur = active.cur
    kind = type(cur)
    alone = kind is Trace or (kind is Several and not cur.accumulators)
    if alone and len(outputs) == 1 and outputs[0]._n is None and not NARROW:
        _record_one(cur.traces if kind is Several else (cur,), op, inputs, outputs[0], attributes)
        return
    if hasattr(cur, "graph"):
        cur.graph.record(op, inputs, outputs, attributes)
        return
    traces = recorders(inputs)
    if traces:
        _append(traces, op, inputs, outputs, attributes)
    if type(cur) is Several and cur.accumulators:
        from ..forward.tangents import accumulate

        accumulate(op, inputs, outputs, attributes)


def _record_one(active_now: tuple[Trace, ...], op: Any, inputs: tuple[Any, ...], y: Any, attributes: Any) -> None:
    """``record`` in the common case: traces only, and one output that is new."""
    known: tuple[Any, ...] = ()
    for x in inputs:
        n = x._n
        if n is not None:
            held = n.trace
            known += (held,) if held is not MANY else tuple(n.i)
    made = None
    places: dict[Trace, int] = {}
    for trace in active_now:
        if trace in known:
            if made is None:
                made = record_of(op, inputs, (y,), attributes)
            if op.ordered:
                trace.ordered = True
            places[trace] = number_of(trace.records)
            append(trace, made, inputs)
    if places:
        _put(y, places)


def record_new(cur: Any, made: tuple, inputs: tuple[Any, ...], y: Any, n: Any, m: Any = None) -> None:
    """``record`` in little time: ``made``, four places of an op of one tensor or two, whose nodes are ``n``, ``m``.

    ``m`` may be None, ``n`` too where ``m`` is not; ``y`` is the output, which is new.
    """
    op, a, b, c = made
    several = type(cur) is Several
    if NARROW or op.ordered or (type(cur) is not Trace and (not several or cur.accumulators)):
        return record(op, inputs, (y,))
    known = _NOWHERE if n is None else n.i if n.trace is MANY else {n.trace: n.i}
    others = _NOWHERE if m is None else m.i if m.trace is MANY else {m.trace: m.i}
    if several and cur.pair is not None:
        outer, inner = cur.pair
        if outer in known and inner in known:  # the two in one go
            records, more = outer.records, inner.records
            node = y._n = Node()
            node.trace = MANY
            node.i = {outer: len(records) // PLACES, inner: len(more) // PLACES}
            records += op, a, b, c, known[outer], others.get(outer, UNKNOWN) if others else UNKNOWN
            more += op, a, b, c, known[inner], others.get(inner, UNKNOWN) if others else UNKNOWN
            if type(y._a) is not float32 and y._a.dtype is not F32:
                _dull_if_whole(node, y)
            return None
    places: dict[Trace, int] = {}
    for trace in cur.traces if several else (cur,):
        if trace in known or trace in others:
            records = trace.records
            places[trace] = len(records) // PLACES
            records += op, a, b, c, known.get(trace, UNKNOWN), others.get(trace, UNKNOWN)
    if places:
        _put(y, places)
    return None


def _put(y: Any, places: dict[Trace, int]) -> None:
    """Give the new output ``y`` its node: it was made by these records."""
    node = y._n = Node()
    node.trace, node.i = (MANY, places) if len(places) > 1 else places.popitem()
    if type(y._a) is not float32 and y._a.dtype is not F32:
        _dull_if_whole(node, y)


def _dull_if_whole(node: Node, y: Any) -> None:
    """Mark the node of an output of whole numbers, which never makes an op be recorded."""
    if not is_trainable(y._a.dtype):
        node.trace, node.i = DULL, node.i if node.trace is MANY else {node.trace: node.i}


def _append(traces: list[Trace], op: Any, inputs: tuple[Any, ...], outputs: tuple[Any, ...], attributes: Any) -> None:
    made = record_of(op, inputs, outputs, attributes)
    owner = None
    for trace in traces:
        i = number_of(trace.records)
        append(trace, made, inputs)
        trace.ordered = trace.ordered or op.ordered
        trace.narrow = trace.narrow or bool(NARROW and any(x._a.dtype in NARROW for x in inputs))
        if len(outputs) > 1:
            trace.several = i if trace.several < 0 else trace.several
            owner = owner or new_node()
            place(owner, trace, i, True)
            _ports(outputs, owner)
        for y in outputs:
            place(node_of(y), trace, i, is_trainable(y._a.dtype))


def _ports(outputs: tuple[Any, ...], owner: Node) -> None:
    """Make the outputs of one record Ports; what another record has made them before is not forgotten."""
    for k, y in enumerate(outputs):
        old = y._n
        if type(old) is Port:
            if old.owner is not owner:
                old.owner = (old.owner, owner)
            continue
        y._n = port = Port(k, owner)
        if old is not None and old.trace is not None:
            port.trace, port.i, port.owner = old.trace, old.i, (old, owner)


def record_of(op: Any, inputs: tuple[Any, ...], outputs: tuple[Any, ...], attributes: Any) -> tuple:
    """The record of an op: see the top of this module."""
    kept = op.keeps
    if op.kind == 1:
        return op, _reference(inputs[0], kept[0]), outputs[0] if op.keeps_output else None
    if op.kind == 2:
        a, b = inputs
        return op, _reference(a, kept[0]), _reference(b, kept[1]), outputs[0] if op.keeps_output else None
    refs, shells, everything, count = [], [], op.keeps_all, len(kept)
    for k, x in enumerate(inputs):
        a = x._a
        if everything or (k < count and kept[k]):
            refs.append(x)
            shells.append(a)  # has a shape and a dtype
        else:
            refs.append(_reference(x, False))
            shells.append(Shell(a.shape, a.dtype))
    outs = outputs if op.keeps_output else tuple([Shell(y._a.shape, y._a.dtype) for y in outputs])
    return op, tuple(refs), outs, attributes, tuple(shells)
