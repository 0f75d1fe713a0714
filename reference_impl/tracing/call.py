"""Calls that tapes see as one op: of a traced function, of one of several branches, of a loop.

A *region* is a piece of program with ``run(values)``: a nest of tensors (variables, arrays of tensors) in, a nest out.
``call(region, values)`` runs it out of sight of the active tapes, under a trace of its own if a tape wants to know, and
records the whole as one op with all its inputs.  That op's gradient walks the inner trace.  When the gradient is
itself recorded it becomes the call of another region, the derivative, so second and higher orders work alike.

As in TensorFlow, what is None and what is zero is a property of the program and not of one run: an input gets a
gradient if it can reach any output, and at second order if the first gradient uses any value of the forward pass.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from weakref import WeakSet

import numpy as np

from ..errors import InternalError, OpError
from ..foundation.building import Building
from ..foundation.graph_errors import dtype_error
from ..foundation.warnings_log import Once, held_back, said_before, silenced, warn
from ..ops.declare import OPS, Op
from ..ops.scatter import densified
from ..tapes.recording import Several, Trace, active, active_stack, knows, only, record, recorders, watch
from ..tapes.records import each_record
from ..tapes.walk import NOTHING, imperative_gradient
from ..tensors.slices import IndexedSlices
from ..tensors.tensor import EagerTensor, wrap
from ..tensors.variable import ResourceVariable, accessed
from .graph_errors import in_gradient, is_of_upstream
from .seeds import seeds_of, trainable, zeros_like
from .steps import World
from .structure import leaves, tensors_in, with_tensors
from .values_shown import check_stands, check_values, used


def call(region: Any, values: Any, accesses: bool = True, stands: list | None = None) -> Any:
    """Run a region as one op; its results are new tensors.  ``accesses``: it counts as an access of its variables.

    ``stands``: see Called.
    """
    cur = active.cur
    if type(cur) is Building:
        return cur.graph.call(call, (region, values), {})
    for leaf in leaves(values) if accesses else ():
        if isinstance(leaf, ResourceVariable):
            accessed(leaf)
    inputs = tensors_in(values)
    traces = recorders(tuple(inputs))
    recording = bool(traces) or (type(cur) is Several and cur.accumulators)
    if recording and hasattr(type(region), "with_late"):
        values = region.with_late(values)
        inputs = tensors_in(values)
    inner, copies = watched_copies(inputs, recording)
    found = [(t._a, t._a.value) for t in inputs if t._a.dtype.names]
    # a second derivative is possible: of a call inside another one, where it is of that
    twice = len(traces) > 1 or any(t.persistent and not t.once for t in traces)
    if inner is not None:
        inner.static = getattr(region, "static", False) or (any(t.static for t in traces) and not _of_lists(values))
        inner.once = not twice
    try:
        active.cur = inner
        result = region.run(with_tensors(values, copies))
    finally:
        active.cur = cur
    inside = tensors_in(result)
    outputs = [wrap(t._a) for t in inside]
    if recording and outputs:
        called = Called(region, values, inner, copies, inside, region.connections(values), found)
        called.fault = _fault(inputs, _name(region))
        called.shows_values, called.stands = twice, stands
        if hasattr(type(region), "warn") and not silenced():
            region.warn(values, twice)
        record(CALL, tuple(inputs), tuple(outputs), {"called": called})
    return with_tensors(result, outputs)


def _of_lists(values: Any) -> bool:
    """Whether arrays of tensors are among the values: a wrong upstream of theirs is refused."""
    return any(hasattr(type(leaf), "_elements_") for leaf in leaves(values))


def watched_copies(inputs: list, watched: bool) -> tuple[Trace | None, list]:
    """A trace that watches copies of tensors, so that nothing of a run is seen outside."""
    copies = [wrap(t._a) for t in inputs]
    if not watched:
        return None, copies
    trace = Trace(True, False)
    trace.generating = True
    for t in copies:
        if trainable(t):
            watch(trace, t)
    return trace, copies


class Called:
    """One call, as its record keeps it."""

    __slots__ = (
        "around",
        "connected",
        "copies",
        "fault",
        "found",
        "inner",
        "inside",
        "region",
        "shows_values",
        "stands",
        "values",
    )

    def __init__(
        self, region: Any, values: Any, inner: Trace, copies: list, inside: list, connected: list[bool], found: list
    ):
        self.region, self.values, self.inner = region, values, inner
        self.found = found  # the variables it was given, each with the value it had then
        self.copies, self.inside, self.connected = copies, inside, connected
        self.stands: list | None = None  # for upstreams of another shape than the graph has: such of that shape
        self.around = WeakSet(active_stack())  # the tapes and accumulators that saw the call
        self.fault = ""  # why no tape can differentiate it
        self.shows_values = False  # a second derivative is possible: the values that the gradient uses are outputs, too

    def __del__(self) -> None:
        if self.inner is not None:
            self.inner.end()

    def gradients(self, upstream: list) -> list:
        """The gradient of each input from the trace of the call: Tensors, slices or None."""
        seeds = seeds_of(upstream, self.inside, _name(self.region))
        self.inner.ordered |= self.unlike(seeds)  # so that the walk is the one that looks at shapes
        try:
            if self.shows_values and self.unlike(seeds):
                check_values(self.inner, self.inside, seeds)
            found = self._beside_zeros(seeds)
            if self.stands is not None:
                found = self._as_shaped(self.stands, seeds, found)
        except OpError as error:
            raise in_gradient(error, _name(self.region)) from error.__cause__
        if dense(self.region, self.shows_values):
            found = [densified(g) for g in found]
        return [g if g is not None or not ok else zeros_like(x) for g, ok, x in zip(found, self.connected, self.copies)]

    def _beside_zeros(self, seeds: list) -> list:
        """The gradients where all else that the function returns in TensorFlow receives zeros, which have signs.

        It returns the values that gradients use, where a second derivative is possible; a derivative comes with the
        results of the function that it is of.  What only those zeros reach is left to the caller.
        """
        zeroed = [*self.inner.primal, *(used(self.inner) if self.shows_values else ())]
        found = gradients_of(self.inner, self.inside, seeds, self.copies, zeroed)
        if zeroed and any(type(g) is EagerTensor and _may_be_zeros(g._a) for g in found):
            reached = gradients_of(self.inner, self.inside, seeds, self.copies)
            found = [None if r is None else g for g, r in zip(found, reached)]
        return found

    def unlike(self, seeds: list) -> bool:
        """Whether one of the upstream gradients has another shape than its output."""
        return any(dy.shape != y.shape for dy, y in zip(seeds, filter(trainable, self.inside)))

    @contextmanager
    def _variables_as_then(self) -> Iterator[None]:
        now = [(resource, resource.value) for resource, _ in self.found]
        try:
            for resource, value in self.found:
                resource.value = value
            yield
        finally:
            for resource, value in now:
                resource.value = value

    def _stands_for(self, seeds: list) -> list | None:
        """Upstreams of the outputs' shapes in the places of those that fit them, None when all have them.

        TensorFlow's graph of a gradient takes the shapes of the outputs for granted: it sums nothing up when it is
        differentiated itself.
        """
        if not getattr(self.region, "static", False) or not self.unlike(seeds):
            return None
        return [wrap(_shaped(dy._a, y._a.shape)) for dy, y in zip(seeds, filter(trainable, self.inside))]

    def _as_shaped(self, stands: list, seeds: list, found: list) -> list:
        """Gradients with the shapes that they have by ``stands``, which are put in the places of the last inputs."""
        given = [*tensors_in(self.values)[: -len(stands)], *stands]
        trace, copies = watched_copies(given, True)
        assert trace is not None
        trace.static, trace.once = self.inner.static, self.inner.once
        with self._variables_as_then(), only(trace):
            inside = tensors_in(self.region.run(with_tensors(self.values, copies)))
        if self.shows_values:
            check_stands(self.inner, trace, inside, seeds)
        shaped = gradients_of(trace, inside, seeds, copies)
        trace.end()
        pairs = zip(found, shaped)
        return [s if type(g) is type(s) is EagerTensor and g._a.shape != s._a.shape else g for g, s in pairs]

    def _as_kept(self, inputs: list) -> list:
        """The inputs as TensorFlow keeps them: outputs of the call, unknown to what was entered after it."""
        stack = active_stack()
        saw = [r for r in stack if not r.asked or r in self.around]
        if len(saw) == len(stack):
            return inputs
        with only(*saw):
            return [_copied(x) for x in inputs]

    def differentiable_gradients(self, upstream: list, inputs: list) -> list:
        """The same by the call of the derivative, which tapes see."""
        inputs = self._as_kept(inputs)
        seeds = seeds_of(upstream, self.inside, _name(self.region), seen=True)
        if self.unlike(seeds):
            with only():
                self.gradients(upstream)  # for its errors
        derivative = self.region.derivative(self.connected)
        with self._variables_as_then():
            found = call(derivative, [with_tensors(self.values, inputs), seeds], False, self._stands_for(seeds))
        left = iter(found)
        return [next(left) if ok else None for ok in self.connected]


def _may_be_zeros(a: Any) -> bool:
    """Whether an array is zeros; True for what is no plain array."""
    return not (isinstance(a, (np.ndarray, np.generic)) and a.any())


def _shaped(a: Any, shape: tuple) -> Any:
    """An array broadcast or reshaped to a shape; as it is where it cannot be."""
    if a.size == math.prod(shape):
        return a.reshape(shape)[()]
    try:
        return np.broadcast_to(a, shape)
    except ValueError:
        return a


def _copied(x: EagerTensor) -> EagerTensor:
    y = wrap(x._a)
    record(OPS["Identity"], (x,), (y,))
    return y


def dense(region: Any, twice: bool) -> bool:
    """Whether no gradient of a region is sparse: a loop adds them up, and so does a graph of open sizes, for ``twice``.

    ``twice``: second derivatives are possible.
    """
    return getattr(region, "dense", False) or (twice and not getattr(region, "static", True))


def _fault(inputs: list, name: str) -> str:
    """What is wrong with the gradient of a call: TensorFlow confuses arguments and tangents, and counts both.

    It does so when a tape knows the tangent of an argument.
    """
    stack = active_stack()
    tapes = [r for r in stack if type(r) is Trace]
    moved = 0
    for held in stack:
        tangents = [] if type(held) is Trace else [held.of(x) for x in inputs if not x._a.dtype.names]
        tangents = [t for t in tangents if t is not None]
        if any(knows(r, t) for r in tapes for t in tangents):
            moved += len(tangents)
    if not moved:
        return ""
    return (
        f"Recorded operation '__forward___forward_{name}_1_2' returned too few gradients. Expected {len(inputs)} but "
        f"received {len(inputs) + moved}"
    )


def _name(region: Any) -> str:
    graph = getattr(region, "graph", None)
    return "region" if graph is None else graph.name


def _gradient(F: Any, dy: Any, y: Any, *inputs: Any, called: Called) -> tuple:
    """The gradient of a call, whose function TensorFlow made when the call was, and warned then."""
    if active.vectorizing:  # the loop over rows makes one of its own
        with held_back() as log:
            found = _made_gradient(F, dy, y, *inputs, called=called)
        for text in log.texts:
            warn(Once(text))
        return found
    if active.met is not None:
        active.met.append((called.region, called.values))
    with said_before(), meeting(None):
        return _made_gradient(F, dy, y, *inputs, called=called)


@contextmanager
def meeting(met: list | None) -> Iterator[None]:
    """Inside, the regions whose gradients are walked into are put into ``met``, each with its values."""
    outer, active.met = active.met, met
    try:
        yield
    finally:
        active.met = outer


_NOT_VECTORIZED = (
    "Required handle data not set for <tf.Tensor 'gradients/cond_grad/StatelessIf/pfor/cond/PartitionedCall:1' "
    "shape=() dtype=variant>"
)


def hands_on_variants(called: Called) -> bool:
    """Whether a call, or one inside it, is of a loop, or of branches that hand on values that they computed."""
    if hasattr(type(called.region), "body") or _keeps(called):
        return True
    calls = [r[3]["called"] for r in each_record(called.inner.records) if r is not None and r[0] is CALL]
    return any(hands_on_variants(inner) for inner in calls if inner.inner is not None)


def _keeps(called: Called) -> bool:
    """Whether a call of one of several branches hands on values that branches computed."""
    return hasattr(type(called.region), "keeps") and called.region.keeps(called.values)


def _unstackable(called: Called) -> bool:
    """Whether its gradient is one of several branches that has variants among its results."""
    region = called.region
    return hasattr(type(region), "unstackable") and region.unstackable(called.values, called.shows_values)


def _made_gradient(F: Any, dy: Any, _y: Any, *inputs: Any, called: Called) -> tuple:
    upstream = list(dy) if type(dy) is tuple else [dy]
    if active.vectorizing and _unstackable(called):
        raise ValueError(_NOT_VECTORIZED)
    if not any(called.connected):  # then no upstream is looked at
        return (None,) * len(called.copies)
    if called.fault:
        from ..forward.tangents import making_tangents

        if not making_tangents():
            raise InternalError(None, None, called.fault)
    if F.recording:
        if active.cur is None:
            return tuple(called.gradients(upstream))
        return tuple(called.differentiable_gradients(upstream, list(inputs)))
    upstream = [None if d is None else wrap(d) for d in upstream]
    return tuple(_bare(g) for g in called.gradients(upstream))


def _bare(gradient: Any) -> Any:
    if gradient is None:
        return None
    if type(gradient) is IndexedSlices:
        return IndexedSlices(gradient.values._a, gradient.indices._a, gradient.dense_shape._a)
    return gradient._a


CALL = Op("call", "PartitionedCall", None, None, 3, {"absent": True, "ordered": True})
CALL.gradient = _gradient
CALL.keeps_all = True


def gradients_of(trace: Trace, outputs: list, seeds: list, inputs: list, zeroed: Sequence = ()) -> list:
    """Gradients of the trainable ones of ``outputs`` by ``inputs``; None where there is none.

    ``zeroed``: what receives zeros besides.
    """
    targets = [y for y in outputs if trainable(y)]
    sources = [x for x in inputs if trainable(x)]
    if seeds and targets and zeroed:
        more = [y for y in zeroed if trainable(y)]
        targets, seeds = [*targets, *more], [*seeds, *map(zeros_like, more)]
    found = iter(imperative_gradient(trace, targets, sources, seeds) if targets else [None] * len(sources))
    row = [next(found) if trainable(x) else None for x in inputs]
    return [None if g is NOTHING else g for g in row]


# ---------------------------------------------------------------------------------------------- what is connected


def probed(region: Any, values: Any, met: list) -> list[bool]:
    """Which inputs a region's outputs are connected to, found out by a run without effects.

    The regions whose gradients are walked into are put into ``met``, each with its values.
    """
    trace, copies = watched_copies(tensors_in(values), True)
    assert trace is not None
    world = World(storage_in(values))
    world.active = trace
    try:
        with world, meeting(None):
            outputs = tensors_in(region.run(with_tensors(values, copies)))
        with meeting(met):
            found = gradients_of(trace, outputs, [], copies)
        return by_leaf(values, [g is not None for g in found])
    except LookupError as error:
        raise without_gradient(error) from None
    except OpError as error:  # the graph of the gradient is made while nothing but dtypes and shapes is known
        if is_of_upstream(error):  # and only running it shows this
            return by_leaf(values, [trainable(x) for x in copies])
        raise dtype_error(error) or error from None
    finally:
        trace.end()


def by_leaf(values: Any, flags: list[bool]) -> list[bool]:
    """Flags of tensors, the same for all elements of an array of tensors: which of them a program uses may vary."""
    left, result = iter(flags), []
    for leaf in leaves(values):
        own = [next(left) for _ in tensors_in(leaf)]
        result += [any(own)] * len(own) if hasattr(type(leaf), "_elements_") else own
    return result


def storage_in(values: Any) -> list:
    return [leaf._handle._a for leaf in leaves(values) if isinstance(leaf, ResourceVariable)]


def without_gradient(error: LookupError) -> LookupError:
    """The error of an op without gradient, as TensorFlow words it when it differentiates a graph."""
    _, found, kernel = str(error).partition("gradient registry has no entry for: ")
    if not found:
        return error
    return LookupError(
        f"No gradient defined for operation'{kernel}' (op type: {kernel}). In general every operation must have an "
        "associated `@tf.RegisterGradient` for correct autodiff, which this op is lacking. If you want to pretend this "
        "operation is a constant in your program, you may insert `tf.stop_gradient`. This can be useful to silence the "
        "error in cases where you know gradients are not needed, e.g. the forward pass of tf.custom_gradient. Please "
        "see more details in https://www.tensorflow.org/api_docs/python/tf/custom_gradient."
    )
