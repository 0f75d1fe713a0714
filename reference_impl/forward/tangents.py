"""Tangents of the outputs of an op, from those of its inputs and from its gradient.

The gradient of an op is a linear function of the upstream; it is recorded once, at an upstream of ones, and
differentiated by the upstream: the transpose of the transpose.  ``accumulate`` is called for every op that runs while
an accumulator is active.
"""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

from ..errors import InvalidArgumentError
from ..foundation.graph_errors import TRANSFORMS, as_graph_error
from ..foundation.warnings_log import held_back
from ..ops.casting import identity
from ..ops.scatter import densified
from ..tapes.recording import SEAL, Port, Trace, active_stack, append, new_node, only, place, record_of, watch
from ..tapes.walk import NOTHING, imperative_gradient
from ..tensors.slices import IndexedSlices
from ..tensors.tensor import EagerTensor, wrap
from ..tensors.variable import READ
from ..user_gradients.custom_gradients import CUSTOM
from .tangent_functions import NO_HANDLE, as_function, broken, check_gradients, copies_for
from .tangent_store import Tangents, known, tangent_or_zeros, trainable

_LATE = "InternalError.__init__() missing 2 required positional arguments: 'op' and 'message'"  # TensorFlow's slip
_VARIANT = "`dtype` <dtype: 'variant'> is not compatible with 1 of dtype int64."


class _Depth(threading.local):
    level = 0  # tangents that are being computed, one inside the other


_depth = _Depth()


def making_tangents() -> bool:
    """True while tangents are being made on this thread, which TensorFlow does in a traced function."""
    return _depth.level > 0


def accumulate(op: Any, inputs: tuple, outputs: tuple, attributes: Any) -> None:
    """Give the outputs of an op their tangents, in each active accumulator that knows a tangent of an input."""
    stack = active_stack()
    called = op.kernel == "PartitionedCall"
    for k, tangents in enumerate(stack):
        if type(tangents) is Tangents and _moves(tangents, inputs):
            # tapes do not see how a function's tangents are made; the graph of a function around does
            around = [r for r in stack[:k] if not (called and type(r) is Trace and r.asked)]
            traces = [[r for r in part if type(r) is Trace] for part in (stack[:k], stack[k + 1 :])]
            _depth.level += 1
            try:
                with only(*around):
                    _carry(tangents, op, inputs, outputs, attributes, *traces)
            finally:
                _depth.level -= 1


def _moves(tangents: Tangents, inputs: tuple) -> bool:
    return any(trainable(x) and tangents.of(x) is not None for x in inputs)


def _carry(
    held: Tangents, op: Any, inputs: tuple, outputs: tuple, attributes: Any, traces: list, later: list
) -> None:  # fmt: skip
    tangents = [held.of(x) for x in inputs]
    if op.kernel == "PartitionedCall" and attributes:
        called = attributes["called"]
        late = _late(called.region)
        if late:
            if not _moves(held, inputs[:-late]):
                return
            raise TypeError(_LATE)
        if _of_variants(called):
            raise TypeError(_VARIANT)
        if _by_argument(held, called.region, inputs):
            raise ValueError(NO_HANDLE)
    if op.user:
        results = _through_user(op, inputs, outputs, attributes, tangents)
    else:
        results = _through_op(op, inputs, outputs, attributes, tangents, later)
    if op.kernel == "PartitionedCall" and any(
        type(t) is IndexedSlices for t in results
    ):  # the function cannot hand them over
        raise AttributeError("'IndexedSlices' object has no attribute '_id'")
    fault = attributes["called"].fault if op.kernel == "PartitionedCall" and attributes else ""
    if fault:
        outer = [r for r in active_stack() if type(r) is Tangents]
        results = [t if t is None else broken(t, inputs, fault, traces, outer) for t in results]
    for y, tangent in zip(outputs, results):
        # the output of a custom gradient has a tangent already: that of the function's body
        if tangent is not None and tangent is not NOTHING and held.of(y) is None:
            held.put(y, tangent)


def _late(region: Any) -> int:
    """How much gradient functions in a region's graph captured besides the graph: TensorFlow counts it twice."""
    return len(getattr(getattr(region, "graph", None), "late", ()))


def _by_argument(held: Tangents, region: Any, inputs: tuple) -> bool:
    """Whether a variable with a tangent is an argument of a function, rather than captured."""
    graph = getattr(region, "graph", None)
    if not getattr(graph, "arguments", None):
        return False
    count = len(graph.inputs) - len(graph.externals)
    return any(x._a.dtype.names and held.of(x) is not None for x in inputs[:count])


def _of_variants(called: Any) -> bool:
    """Whether it is the derivative of a function with variants among what it hands on: they have no tangents."""
    from ..tracing.call import hands_on_variants

    return hasattr(type(called.region), "region") and hands_on_variants(called)


def _through_op(op: Any, inputs: tuple, outputs: tuple, attributes: Any, tangents: list, later: list) -> list:
    """The tangents of an op's outputs, None where there is none; ``later``: tapes entered after the accumulator."""
    stack, n = active_stack(), len(inputs)
    linear = op is READ or op.kernel == "Identity"
    seeds = tangents if linear else [tangent_or_zeros(x, t) if trainable(x) else None for x, t in zip(inputs, tangents)]
    given = [*inputs, *outputs, *(s for s in seeds if s is not None)]

    def tangents_of(copies: list, *first: Trace) -> list:
        ins, outs, seeds = copies[:n], copies[n : n + len(outputs)], copies[n + len(outputs) :]
        return [identity(seeds[0])] if linear else _transposed(op, ins, outs, attributes, seeds, *first)

    if "Segment" in op.kernel and any(type(r) is Tangents and any(known(r, x) for x in given) for r in stack):
        raise AttributeError("'IndexedSlices' object has no attribute '_id'")
    try:
        with held_back():  # what it would log depends on what was traced before
            check_gradients(op, (*stack, *later), given, tangents_of)
            found = tangents_of(copies_for(stack, given, tangents_of))
    except InvalidArgumentError as error:
        pairs = [(s, x) for x, s in zip(inputs, seeds) if s is not None and not x._a.dtype.names]
        unlike = [(s.shape, x.shape) for s, x in pairs if s.shape != x.shape]
        if op.kernel == "PartitionedCall" and unlike:  # the function of its tangents is made
            raise ValueError("Shapes {} and {} are incompatible".format(*unlike[0])) from None
        raise as_graph_error(error, op.kernel, inputs, outputs, seeds) from None
    return as_function(stack, given, found)


def _transposed(op: Any, inputs: list, outputs: list, attributes: Any, seeds: list, *first: Trace) -> list:
    """An op's gradients, as a function of the upstream, differentiated by the upstream; ``seeds`` flow back.

    ``first`` records the gradients alone.
    """
    aids = [_ones(y) for y in outputs if trainable(y)]
    transposed = _traced(op)
    for aid in aids:
        watch(transposed, aid)
    try:
        with only(*active_stack(), transposed, *first):
            gradients = _gradients(op, tuple(inputs), tuple(outputs), attributes, aids)
        found = iter(_differentiated(transposed, gradients, seeds, aids))
    finally:
        transposed.end()
    made = [next(found) if trainable(y) else None for y in outputs]
    if op.kernel == "ConcatV2" and len(gradients) > 1:  # there a sum of parts among zeros, which are no -0
        return [g + 0 if type(g) is EagerTensor else g for g in made]
    return made


def _gradients(op: Any, inputs: tuple, outputs: tuple, attributes: Any, upstreams: list) -> list:
    """The gradients of one op by its trainable inputs: dense Tensors, None or NOTHING."""
    backward = _traced(op)
    sources = [x for x in inputs if trainable(x)]
    for x in sources:
        watch(backward, x)
    append(backward, record_of(op, inputs, outputs, attributes), inputs)
    backward.ordered |= op.ordered or len(outputs) > 1
    targets = [wrap(y._a) for y in outputs]  # apart from the values, which earlier tapes may know
    owner = new_node()
    for k, y in enumerate(targets):
        y._n = Port(k, owner) if len(targets) > 1 else owner
        place(y._n, backward, 0, True)
    try:
        found = imperative_gradient(backward, [*filter(trainable, targets)], sources, upstreams)
    finally:
        backward.end()
    # In the traced function the axis of a gather is not known, so that its gradient is dense; and what an outer
    # accumulator makes of an op inside that function is dense anyway.
    if op.kernel != "GatherV2" and _depth.level < 2 and any(type(g) is IndexedSlices for g in found):
        raise AttributeError("'IndexedSlices' object has no attribute '_id'")
    return [densified(g) for g in found]


def _differentiated(transposed: Trace, gradients: list, seeds: list, aids: list) -> list:
    """The derivatives of gradients, recorded by ``transposed``, by the aids, with tangents as upstreams."""
    pairs = [(g, s) for g, s in zip(gradients, seeds) if type(g) is EagerTensor and s is not None]
    if not pairs:
        return [None] * len(aids)
    return imperative_gradient(transposed, [g for g, _ in pairs], aids, [s for _, s in pairs])


def _traced(op: Any) -> Trace:
    """A tape of the function that TensorFlow traces, which knows all shapes but those of transforms."""
    trace = Trace()
    trace.static = trace.ordered = op.kernel not in TRANSFORMS
    return trace


def _ones(y: Any) -> EagerTensor:
    if y._a.dtype.names:
        raise TypeError(f"`dtype` {y.dtype!s} is not compatible with 1 of dtype int64.")
    return wrap(np.ones(y._a.shape, y._a.dtype)[()])


def _through_user(op: Any, inputs: tuple, outputs: tuple, attributes: Any, tangents: list) -> list:
    """The tangents by way of a user's gradient function, which is called with ones.

    Tapes and accumulators that a custom gradient enters meanwhile do not work, as in TensorFlow.
    """
    stack = active_stack()
    seeds = [tangent_or_zeros(x, t) if trainable(x) else None for x, t in zip(inputs, tangents)]
    aids = [_ones(y) if y._a.dtype.kind != "O" else None for y in outputs]
    transposed = Trace()
    for aid in aids:
        if aid is not None:
            watch(transposed, aid)
    try:
        with only(*stack, transposed, *((SEAL,) if op is CUSTOM else ())):
            gradients = op.gradient(*aids, **attributes)
        for g in gradients:
            if g is not None:
                g._id  # noqa: B018 - what is no tensor raises AttributeError here, as in TensorFlow
        found = iter(_differentiated(transposed, gradients, seeds, [a for a in aids if a is not None]))
    finally:
        transposed.end()
    made = [None if a is None else next(found) for a in aids]
    if hasattr(attributes.get("backward"), "judge"):  # in a graph it is a node of its inputs, too, whose results move
        return [tangent_or_zeros(y, None) if trainable(y) else t for t, y in zip(made, outputs)]
    return made
