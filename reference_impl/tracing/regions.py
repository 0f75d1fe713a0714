"""The regions there are: a graph, one of several, a loop, and the derivative of any region.

``run(values)`` runs it, ``connections(values)`` tells for each tensor in the values whether it can reach an output, and
``derivative(connected)`` is the region ``[values, upstreams] -> gradients`` by the connected ones.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..errors import OpError
from ..foundation.warnings_log import held_back, silenced
from ..ops.scatter import densified
from ..tapes.recording import Trace, active, active_traces, pop, push, watch
from ..tapes.records import each_record
from ..tensors.tensor import EagerTensor
from ..tensors.variable import ResourceVariable, accessed
from .call import CALL, by_leaf, dense, gradients_of, probed, storage_in, watched_copies
from .casts import Casts
from .late_captures import has_user_gradients, spread
from .seeds import trainable, zeros_like
from .steps import World
from .structure import leaves, tensors_in, with_tensors
from .values_shown import used


class GraphRegion:
    """A graph as a region; ``places``: which of the values are its inputs (all, when None)."""

    __slots__ = (
        "_connections",
        "_derivatives",
        "_keeps",
        "_warned",
        "casts",
        "constants_count",
        "graph",
        "places",
        "static",
    )

    def __init__(self, graph: Any, places: list[int] | None = None, constants_count: bool = True, static: bool = False):
        self.graph, self.places, self.constants_count, self.static = graph, places, constants_count, static
        self._connections: dict[int, list[bool]] = {}
        self._derivatives: dict[tuple, Any] = {}
        self._keeps: bool | None = None
        self.casts = Casts()
        self._warned: set[bool] = set()

    def run(self, values: list) -> Any:
        """Repeat the graph."""
        return self.graph.run(values if self.places is None else [values[p] for p in self.places])

    def keeps_own(self, values: list) -> bool:
        """Whether its gradient needs values that it computes."""
        if self._keeps is None:
            self._keeps = self._computes(values, used, False)
        return self._keeps

    def _computes(self, values: list, wanted: Callable, results: bool) -> bool:
        """Whether some of the values that are ``wanted`` of a trace are no inputs, nor ``results`` if these count."""
        trace, copies = watched_copies(tensors_in(values), True)
        assert trace is not None
        world = World(storage_in(values))
        world.active = trace
        with world:
            made = tensors_in(self.run(with_tensors(values, copies)))
        known = [*copies, *made] if results else copies
        found = any(all(x is not y for y in known) for x in wanted(trace)) or (results and _calls_compute(trace))
        trace.end()
        return found

    def with_late(self, values: list) -> list:
        """The values, followed by what only gradient functions in the graph read, which is captured for a gradient."""
        if self.places is not None or not has_user_gradients(self.graph):
            return values
        before = len(self.graph.late)
        self.connections(values)  # traces them
        spread(self.graph)
        for x in self.graph.late[before:]:  # tapes see what is read while a gradient function is traced
            if isinstance(x, ResourceVariable):
                accessed(x)
        return [*values, *self.graph.late[len(values) - len(self.graph.inputs) :]]

    def connections(self, values: list) -> list[bool]:
        """For each tensor in ``values``: can it reach an output?"""
        met: list = []
        with held_back() as log:
            found = remembered(self._connections, self, values, met)
        self.casts.texts += log.texts
        for region, given in met:
            self.casts.meet(region, given)
        return found

    def warn(self, values: list, twice: bool) -> None:
        """Write what there is to warn of when the gradient of a call is made, which happens once for all calls.

        Where it may be differentiated itself (``twice``), TensorFlow makes it until no more values that it uses have
        become outputs of the function, and once more.
        """
        if not self.casts or twice in self._warned:
            return
        again = twice and (False in self._warned or not self.computes_used(values))
        self._warned.add(twice)
        for _ in range(2 if again else 3 if twice else 1):
            self.casts.write()

    def computes_used(self, values: list) -> bool:
        """Whether its gradient uses values that it computes, other than its results."""
        return self._computes(values, used, True)

    def derivative(self, connected: list[bool]) -> Derivative:
        """The region of the gradients by the connected inputs."""
        key = tuple(connected)
        return self._derivatives.setdefault(key, Derivative(self, connected, self.constants_count))


def _calls_compute(trace: Trace) -> bool:
    """Whether the gradient of a call that is recorded uses values that what is called computes."""
    calls = [r[3]["called"] for r in each_record(trace.records) if r is not None and r[0] is CALL]
    return any(hasattr(type(c.region), "computes_used") and c.region.computes_used(c.values) for c in calls)


def remembered(known: dict, region: Any, values: Any, met: list) -> list[bool]:
    """``probed``, once for each number of tensors."""
    count = len(tensors_in(values))
    if count not in known:
        known[count] = probed(region, values, met)
    return known[count]


class Derivative:
    """The region ``[values, upstreams] -> gradients`` by the connected inputs of another region."""

    __slots__ = ("_bends", "_connections", "_derivatives", "connected", "constants_count", "region")

    @property
    def dense(self) -> bool:
        """Whether no gradient of it is sparse."""
        return self.constants_count and dense(self.region, True)

    def __init__(self, region: Any, connected: list[bool], constants_count: bool):
        self.region, self.connected, self.constants_count = region, connected, constants_count
        self._connections: dict[int, list[bool]] = {}
        self._derivatives: dict[tuple, Derivative] = {}
        self._bends = False

    def run(self, values: list) -> list:
        """Run the region under a trace, and walk it."""
        return self._run(values, None)

    def _run(self, values: list, kept: list | None) -> list:
        given, upstream = values
        inputs = tensors_in(given)
        trace = Trace(True, False)
        trace.generating = True
        trace.static = getattr(self.region, "static", False)
        for x in inputs:
            if trainable(x):
                watch(trace, x)
        around = active_traces()
        push(trace)
        try:
            outputs = tensors_in(self.region.run(given))
        finally:
            pop(trace)
        for t in around[-1:]:
            t.primal = [*t.primal, *outputs]
        if kept is not None:
            kept.extend(_kept_values(trace, self.constants_count))
            for t in kept:
                watch(around[-1], t)
        found = gradients_of(trace, outputs, upstream, inputs, trace.primal)
        trace.end()
        if self.dense:
            found = [densified(g) for g in found]
        return [zeros_like(x) if g is None else g for g, x, ok in zip(found, inputs, self.connected) if ok]

    def connections(self, values: list) -> list[bool]:
        """For each tensor in ``values``: can it reach a gradient, by way of the forward pass or as an upstream?"""
        count = len(tensors_in(values))
        if count not in self._connections:
            self._connections[count] = self._probed(values)
        return self._connections[count]

    def bends(self, values: list) -> bool:
        """Whether the gradients change with values that the region computed."""
        self.connections(values)
        return self._bends

    def _probed(self, values: list) -> list[bool]:
        trace, copies = watched_copies(tensors_in(values), True)
        assert trace is not None
        world, kept = World(storage_in(values)), []
        world.active = trace
        with world:
            outputs = tensors_in(self._run(with_tensors(values, copies), kept))
        try:
            found = gradients_of(trace, outputs, [], [*copies, *kept])
        except OpError:  # it will be raised when somebody asks
            found = [*copies, *kept]
        flags = [g is not None for g in found]
        trace.end()
        uses_forward = any(flags[len(copies) :])
        given = {id(x) for x in copies}
        self._bends = any(f and id(x) not in given for f, x in zip(flags[len(copies) :], kept))
        size = len(self.connected)
        flags = [f or (uses_forward and ok) for f, ok in zip(flags, self.connected)] + flags[size : len(copies)]
        return by_leaf(values, flags)

    def derivative(self, connected: list[bool]) -> Derivative:
        """The region of the gradients of the gradients."""
        key = tuple(connected)
        return self._derivatives.setdefault(key, Derivative(self, connected, self.constants_count))


def _kept_values(trace: Trace, constants: bool) -> list:
    """The differentiable values that the records of a forward pass keep; all, or those that depend on its inputs."""
    kept: dict[int, EagerTensor] = {}
    for record_ in each_record(trace.records):
        for part in () if record_ is None else _parts_of(record_):
            if type(part) is not EagerTensor or not trainable(part) or part._a.dtype.names:
                continue
            if constants or (part._n is not None and part._n.trace is not None):
                kept[id(part)] = part
    return list(kept.values())


def _parts_of(record_: tuple) -> tuple:
    """The references to values in a record."""
    kind = record_[0].kind
    return (*record_[1], *record_[2]) if kind == 3 else record_[1 : kind + 2]


class Choice:
    """The region of one of several regions, chosen by the first value, an index."""

    __slots__ = ("_derivatives", "depth", "regions")

    def __init__(self, regions: list, depth: int = 0):
        self.regions, self.depth = regions, depth
        self._derivatives: dict[tuple, Choice] = {}

    def run(self, values: list) -> Any:
        """Run the chosen region."""
        index, rest = _split(values, self.depth)
        return self.regions[chosen(index, len(self.regions))].run(rest)

    def keeps(self, values: list) -> bool:
        """Whether the gradient of any of them needs values that it computes."""
        return not self.depth and self._any("keeps_own", values)

    def unstackable(self, values: list, twice: bool) -> bool:
        """Whether its gradient has a variant among its results, which a loop over rows cannot stack.

        It is the gradient by a value that branches computed and handed on: of a variable that they read, if there may
        be a second derivative (``twice``), and of all that the first derivative changes with.
        """
        if self.depth:
            return self._any("bends", values)
        return twice and any(isinstance(v, ResourceVariable) for v in leaves(values)) and self.keeps(values)

    def computes_used(self, values: list) -> bool:
        """Whether the gradient of any of them uses values that it computes, other than its results."""
        return not self.depth and self._any("computes_used", values)

    def _any(self, question: str, values: list) -> bool:
        _, rest = _split(values, self.depth)
        try:
            return any(getattr(region, question)(rest) for region in self.regions)
        except Exception:  # as in _connections_or_all
            return False

    def connections(self, values: list) -> list[bool]:
        """For each tensor in ``values``: can it reach an output by way of any region?"""
        _, rest = _split(values, self.depth)
        rows = [_connections_or_all(r, rest) for r in self.regions]
        return [False, *(any(column) for column in zip(*rows))]

    def derivative(self, connected: list[bool]) -> Choice:
        """The choice between the derivatives."""
        key = tuple(connected)
        if key not in self._derivatives:
            parts = [Derivative(r, connected[1:], False) for r in self.regions]
            self._derivatives[key] = Choice(parts, self.depth + 1)
        return self._derivatives[key]


def chosen(index: Any, count: int) -> int:
    """Which of ``count`` regions an index tensor means: True is the first of two; out of range means the last."""
    a = index._a
    if a.dtype.kind == "b":
        return 0 if bool(a) else 1
    k = int(a)
    return k if 0 <= k < count else count - 1


def _split(values: list, depth: int) -> tuple[Any, list]:
    """The index at the head of (nested) values, and the values without it."""
    if not depth:
        return values[0], values[1:]
    index, rest = _split(values[0], depth - 1)
    return index, [rest, *values[1:]]


def unfindable(error: Any) -> Exception:
    """An error of a gradient that cannot be made, whichever region runs."""
    error.unfindable = True
    return error


def _connections_or_all(region: Any, values: list) -> list[bool]:
    """A region that is not run this time may not be fit for these values; then all its inputs count as connected."""
    try:
        return region.connections(values)
    except Exception as error:  # whatever a program may raise when it is run on values that are not meant for it
        if getattr(error, "unfindable", False) and silenced():  # a traced function is called
            raise
        return [trainable(x) for x in tensors_in(values)]


def _is_array(value: Any) -> bool:
    return hasattr(type(value), "_elements_")


_COMPARING = {"ClipByValue", "Maximum", "Minimum", "Select", "SelectV2"}  # their gradients use values, but not smoothly


class Loop:
    """The region that runs ``body`` on its first ``count`` values as long as ``condition`` is True of them."""

    __slots__ = ("_derivatives", "body", "condition", "count", "dense", "limit")

    def __init__(self, condition: Any, body: Any, count: int, limit: Any = None, dense: bool = True):
        self.condition, self.body, self.count, self.limit, self.dense = condition, body, count, limit, dense
        self._derivatives: dict[tuple, Any] = {}

    def run(self, values: list) -> Any:
        """Run the loop; while a graph is built, not more than a thousand times."""
        state, rest = list(values[: self.count]), list(values[self.count :])
        limit = self.limit if not active.pretending else min(self.limit or 1000, 1000)
        done = 0
        while (limit is None or done < limit) and bool(self.condition.run([*state, *rest])._a):
            state = list(self.body.run([*state, *rest]))
            done += 1
        return state

    def connections(self, values: list) -> list[bool]:
        """What loops, what the body uses, and the elements of arrays that a loop reads, even if it uses none."""
        row = _connections_or_all(self.body, values)
        always = [k < self.count or (self.dense and _is_array(v)) for k, v in enumerate(values) for _ in tensors_in(v)]
        return [ok or (loops and trainable(x)) for ok, loops, x in zip(row, always, tensors_in(values))]

    def computes_used(self, values: list) -> bool:
        """Whether its gradient uses values that the body computes."""
        return self.body.computes_used(values)

    def derivative(self, connected: list[bool]) -> LoopDerivative:
        """The region of the gradients."""
        return self._derivatives.setdefault(tuple(connected), LoopDerivative(Derivative(self, connected, True)))

    def bends(self, values: list) -> bool:
        """Whether the gradient of the body needs any value of its forward pass."""
        trace, copies = watched_copies(tensors_in(values), True)
        assert trace is not None
        world = World(storage_in(values))
        world.active = trace
        with world:
            made = tensors_in(self.body.run(with_tensors(values, copies)))
        ops = [record_[0] for record_ in each_record(trace.records) if record_ is not None]
        trace.end()
        if any(op.absent or op.kernel in _COMPARING for op in ops):
            return True
        row = _connections_or_all(self.body, values)
        upstreams = [zeros_like(y) for y in made if trainable(y)]
        flags = _connections_or_all(Derivative(self.body, row, True), [values, upstreams])
        return any(flags[: len(row)])


class LoopDerivative:
    """The derivative of a loop, itself a loop for TensorFlow: everything is connected."""

    __slots__ = ("_bends", "_derivatives", "inner")
    dense = True

    def __init__(self, inner: Derivative):
        self.inner = inner
        self._bends: bool | None = None
        self._derivatives: dict[tuple, Any] = {}

    def run(self, values: list) -> list:
        """Run the loop under a trace, and walk it."""
        return self.inner.run(values)

    def connections(self, values: list) -> list[bool]:
        """All that was connected to the loop's results, unless the body is linear, and the upstreams."""
        flags = list(self.inner.connected)
        loop = self.inner.region
        if self._bends is None:
            self._bends = not isinstance(loop, Loop) or loop.bends(values[0])
        if not self._bends:
            flags = [False] * len(flags)
        return flags + [True] * (len(tensors_in(values)) - len(flags))

    def derivative(self, connected: list[bool]) -> LoopDerivative:
        """The region of the gradients of the gradients."""
        return self._derivatives.setdefault(tuple(connected), LoopDerivative(Derivative(self, connected, True)))
