"""Forward mode: ``ForwardAccumulator`` carries tangents from primals through every op that runs in its block.

    with ForwardAccumulator(x, tangent) as accumulator:
        y = x * x
    accumulator.jvp(y)

No op declares a forward derivative.  Its gradient is a linear function of the upstream; that function is recorded once,
at an upstream of ones, and differentiated by the upstream: the transpose of the transpose.  So tangents have the
conventions of gradients (ties, zeros, None, missing gradients), and an op whose gradient cannot be differentiated
fails in forward mode.  An input that is trainable but carries no tangent counts as one with a tangent of zeros.

Accumulators and tapes that were entered earlier see the ops that make a tangent; those entered later do not.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from . import nest
from .building import Building
from .conversion import convert_to_tensor
from .dtypes import is_trainable
from .custom_gradients import CUSTOM
from .errors import InternalError, InvalidArgumentError
from .graph_errors import as_graph_error
from .ops.casting import identity
from .ops.scatter import densified
from .ops.declare import NAMES, OPS, Op
from .recording import active
from .recording import (
    DULL,
    MANY,
    SEAL,
    UNKNOWN,
    Held,
    Node,
    Port,
    Trace,
    active_stack,
    index_of,
    node_of,
    only,
    place,
    pop,
)
from .recording import push, record, record_of, watch
from .slices import IndexedSlices
from .tape import UnconnectedGradients
from .tensor import EagerTensor, wrap
from .variable import READ, READ_ROWS
from .walk import NOTHING, imperative_gradient
from .warnings_log import warn_first


_HANDLE = (
    "Internal error: Tried to take gradients (or similar) of a variable without handle data:\n"
    'Tensor("Placeholder:0", shape=(), dtype=resource)'
)
BUNDLE = Op("bundle", "IdentityN", None, lambda F, dy, _y, *_xs: dy, 3, {"sparse": True})
BUNDLE.keeps_all = False  # no value is needed


class Tangents:
    """The tangents that one accumulator holds, by a key that nodes keep; a node's death drops its tangent."""

    __slots__ = ("count", "over", "records")

    def __init__(self) -> None:
        self.records: dict[int, tuple] = {}
        self.count = 0
        self.over = False

    def drop(self, key: int) -> None:
        """Forget a tangent."""
        self.records.pop(key, None)

    def put(self, tensor: Any, tangent: Any) -> None:
        """Give a tensor its tangent."""
        node = node_of(tensor)
        held = node.trace
        others = {} if held is None else dict(node.i) if type(held) is Held else {held: node.i}
        key = self.count
        self.count += 1
        node.trace = held if held is DULL else MANY if is_trainable(tensor._a.dtype) else DULL
        node.i = {**{t: i for t, i in others.items() if not t.over}, self: key}
        self.records[key] = tangent

    def of(self, tensor: Any) -> Any:
        """The tangent of a tensor, None when it has none."""
        node = tensor._n
        if node is None or type(node.trace) is not Held:
            return None
        key = node.i.get(self)
        return None if key is None else self.records.get(key)


class ForwardAccumulator:
    """Computes products of the jacobian with a vector while ops run (``tf.autodiff.ForwardAccumulator``).

    ``primals``: tensors or variables, any nest of them; ``tangents``: what goes with them, in the same nest, converted
    to their dtypes but of unchecked shape.  ValueError for a primal given twice, for other structures and dtypes.
    """

    def __new__(cls, *args: Any, **kwargs: Any) -> ForwardAccumulator:
        if type(active.cur) is Building and cls is ForwardAccumulator:
            return active.cur.graph.call(ForwardAccumulator, args, kwargs)
        return object.__new__(cls)

    def __init__(self, primals: Any, tangents: Any):
        self._accumulator = Tangents()
        self._recording = False
        seen: set[int] = set()
        for primal in nest.flatten(primals):
            if id(primal) in seen:
                raise ValueError(
                    "Tensor {} was specified as a primal multiple times. This may indicate an error. If it was "
                    "intended, please sum the corresponding tangents."
                )
            seen.add(id(primal))
        nest.map_structure(self._watch, primals, tangents)

    def _watch(self, primal: Any, tangent: Any) -> None:
        dtype = primal.dtype
        if not dtype.is_floating:
            text = "The dtype of the watched primal must be floating (e.g. tf.float32), got %r"
            warn_first(5, "primal", text, dtype)
        value = convert_to_tensor(tangent, dtype=dtype)
        primal = getattr(primal, "_handle", primal)
        primal._id  # noqa: B018 - what is no tensor raises AttributeError here, as in TensorFlow
        self._accumulator.put(primal, value)

    def __enter__(self) -> ForwardAccumulator:
        if self._recording:
            raise ValueError("Accumulator is already recording.")
        push(self._accumulator)
        self._recording = True
        return self

    def __exit__(self, kind: Any, value: Any, traceback: Any) -> None:
        if self._recording:
            pop(self._accumulator)
            self._recording = False

    def __del__(self) -> None:
        held = getattr(self, "_accumulator", None)
        if held is not None and not self._recording:
            held.over = True
            held.records = {}

    def jvp(self, primals: Any, unconnected_gradients: Any = UnconnectedGradients.NONE) -> Any:
        """The tangents of tensors (any nest); None, or zeros with ``unconnected_gradients="zero"``, where there is none.

        Computes nothing: only ops that ran inside the block have a tangent.
        """
        zero = UnconnectedGradients(unconnected_gradients) is UnconnectedGradients.ZERO

        def fetch(x: Any) -> Any:
            tensor = getattr(x, "_handle", x)
            tensor._id  # noqa: B018 - as in __init__
            found = self._accumulator.of(tensor)
            return NAMES["zeros_like"](x) if found is None and zero else found

        return nest.map_structure(fetch, primals)


def accumulate(op: Any, inputs: tuple, outputs: tuple, attributes: Any) -> None:
    """Give the outputs of an op their tangents, in each active accumulator that knows a tangent of an input."""
    stack = active_stack()
    for k, tangents in enumerate(stack):
        if type(tangents) is Tangents and _moves(tangents, inputs):
            with only(*stack[:k]):
                _carry(tangents, op, inputs, outputs, attributes)


def _moves(tangents: Tangents, inputs: tuple) -> bool:
    return any(is_trainable(x._a.dtype) and tangents.of(x) is not None for x in inputs)


def _carry(held: Tangents, op: Any, inputs: tuple, outputs: tuple, attributes: Any) -> None:
    through = _through_user if op.user else _through_op
    results = through(op, inputs, outputs, attributes, [held.of(x) for x in inputs])
    for y, tangent in zip(outputs, results):
        # the output of a custom gradient has a tangent already: that of the function's body
        if tangent is not None and tangent is not NOTHING and held.of(y) is None:
            held.put(y, tangent)


def _trainable(x: Any) -> bool:
    return is_trainable(x._a.dtype)


def _tangent_or_zeros(x: Any, tangent: Any) -> Any:
    """A tangent as the seed of a walk; zeros for a trainable input without one."""
    if tangent is not None:
        return densified(tangent)
    a = getattr(x._a, "value", x._a)  # a variable's handle holds its value
    return wrap(np.zeros(a.shape, a.dtype)[()])


def _ones(y: Any) -> EagerTensor:
    return wrap(np.ones(y._a.shape, y._a.dtype)[()])


def _through_op(op: Any, inputs: tuple, outputs: tuple, attributes: Any, tangents: list) -> list:
    """The tangents of an op's outputs, None where there is none."""
    stack, n = active_stack(), len(inputs)
    linear = op is READ or op.kernel == "Identity"
    seeds = (
        tangents if linear else [_tangent_or_zeros(x, t) if _trainable(x) else None for x, t in zip(inputs, tangents)]
    )
    given = [*inputs, *outputs, *(s for s in seeds if s is not None)]

    def tangents_of(copies: list) -> list:
        ins, outs, seeds = copies[:n], copies[n : n + len(outputs)], copies[n + len(outputs) :]
        return [identity(seeds[0])] if linear else _transposed(op, ins, outs, attributes, seeds)

    try:
        found = tangents_of(_copies(stack, given, tangents_of))
        return (
            found
            if len(stack) < 2 and not any(type(r) is Tangents for r in stack)
            else _as_function(stack, given, found)
        )
    except InvalidArgumentError as error:
        raise as_graph_error(error, inputs, outputs, seeds) from None


def _transposed(op: Any, inputs: list, outputs: list, attributes: Any, seeds: list) -> list:
    """An op's gradients, as a function of the upstream, differentiated by the upstream; ``seeds`` flow back."""
    aids = [_ones(y) for y in outputs if _trainable(y)]
    transposed = Trace()
    for aid in aids:
        watch(transposed, aid)
    try:
        with only(*active_stack(), transposed):
            gradients = _gradients(op, tuple(inputs), tuple(outputs), attributes, aids)
        found = iter(_differentiated(transposed, gradients, seeds, aids))
    finally:
        transposed.end()
    return [next(found) if _trainable(y) else None for y in outputs]


def _gradients(op: Any, inputs: tuple, outputs: tuple, attributes: Any, upstreams: list) -> list:
    """The gradients of one op by its trainable inputs: dense Tensors, None or NOTHING."""
    backward = Trace()
    sources = [x for x in inputs if _trainable(x)]
    for x in sources:
        watch(backward, x)
    backward.records.append(record_of(op, inputs, outputs, attributes))
    targets = [wrap(y._a) for y in outputs]  # apart from the values, which earlier tapes may know
    owner = Node()
    for k, y in enumerate(targets):
        y._n = Port(k, owner) if len(targets) > 1 else owner
        place(y._n, backward, 0, True)
    try:
        found = imperative_gradient(backward, [*filter(_trainable, targets)], sources, upstreams)
    finally:
        backward.end()
    if op is READ_ROWS:
        raise AttributeError("'IndexedSlices' object has no attribute '_id'")
    return [densified(g) for g in found]


def _differentiated(transposed: Trace, gradients: list, seeds: list, aids: list) -> list:
    """The derivatives of gradients, recorded by ``transposed``, by the aids, with tangents as upstreams."""
    pairs = [(g, s) for g, s in zip(gradients, seeds) if type(g) is EagerTensor]
    if not pairs:
        return [None] * len(aids)
    return imperative_gradient(transposed, [g for g, _ in pairs], aids, [s for _, s in pairs])


def _copies(stack: tuple, given: list, tangents_of: Callable[[list], list]) -> list:
    """Copies of the tensors that a tangent is made of, so that a tensor used twice counts as two.

    TensorFlow makes tangents in a traced function, which shows in two ways.  An accumulator around that function gives
    each of its inputs a tangent, zeros where it knows none, as soon as it knows one.  Tapes that allow second
    derivatives see one op with many outputs: what depends on one input has a gradient by all that the op depends on.
    """
    together = _connected(given, tangents_of) if _second_order(stack, given) else []
    copies: list = [None if k in together else _copy(x) for k, x in enumerate(given)]
    if together:
        bundled = tuple(wrap(given[k]._a) for k in together)
        record(BUNDLE, tuple(given[k] for k in together), bundled, {})
        for k, x in zip(together, bundled):
            copies[k] = x
    for outer in stack:
        if type(outer) is Tangents and any(outer.of(x) is not None for x in given):
            for x in copies:
                if _trainable(x) and outer.of(x) is None:
                    outer.put(x, _tangent_or_zeros(x, None))
    return copies


def _copy(x: Any) -> Any:
    """Another tensor of the same value; to tapes and accumulators, an identity of it."""
    if type(x) is IndexedSlices:
        return IndexedSlices(_copy(x.values), x.indices, x.dense_shape)
    y = wrap(x._a)
    record(OPS["Identity"], (x,), (y,))
    return y


def _second_order(stack: tuple, given: list) -> bool:
    """True when two that are active know one of the tensors each, or one that may be asked more than once does."""
    knowing = [r for r in stack if any(_known(r, x) for x in given)]
    return len(knowing) > 1 or any(type(r) is Trace and r.persistent for r in knowing)


def _known(recorder: Any, x: Any) -> bool:
    if type(x) is IndexedSlices:
        return _known(recorder, x.values)
    if type(recorder) is Tangents:
        return recorder.of(x) is not None
    return x._n is not None and index_of(x._n, recorder) != UNKNOWN


def _as_function(stack: tuple, given: list, found: list) -> list:
    """Tangents as TensorFlow's traced function gives them to accumulators around it, with its faults.

    It cannot hand over sparse ones, it cannot differentiate a variable twice, and its gradient by tapes around such an
    accumulator fails.
    """
    outer = [(k, r) for k, r in enumerate(stack) if type(r) is Tangents and any(_known(r, x) for x in given)]
    if not outer:
        return found
    if any(type(t) is IndexedSlices for t in found):
        raise AttributeError("'IndexedSlices' object has no attribute '_id'")
    if any(x._a.dtype.names and _known(r, x) for _, r in outer for x in given):
        raise ValueError(_HANDLE)
    first = next((k for k, r in enumerate(stack) if type(r) is Trace), len(stack))
    moved = sum(any(_known(r, x) for k, r in outer if k > first) for x in given)
    if not moved:
        return found
    text = (
        "Recorded operation '__forward___forward__jvp_exact_shapes_1_2' returned too few gradients. Expected "
        f"{len(given)} but received {len(given) + moved}"
    )
    traces = [r for r in stack if type(r) is Trace]
    return [_broken(t, given, text, traces, [r for _, r in outer]) if type(t) is EagerTensor else t for t in found]


def _broken(tangent: Any, given: list, text: str, traces: list, outer: list) -> Any:
    """A tangent, with its own tangents, whose gradient is an InternalError."""

    def backward(*_upstream: Any) -> list:
        raise InternalError(None, None, text)

    made = wrap(tangent._a)
    with only(*traces):
        record(CUSTOM, (tangent, *(x for x in given if type(x) is EagerTensor)), (made,), {"backward": backward})
    for held in outer:
        second = held.of(tangent)
        if second is not None:
            held.put(made, _broken(second, given, text, traces, []))
    return made


def _connected(given: list, tangents_of: Callable[[list], list]) -> list[int]:
    """Which of the tensors the tangents have a gradient by."""
    trace, copies = Trace(), [x if type(x) is IndexedSlices else wrap(x._a) for x in given]
    places = [k for k, x in enumerate(copies) if type(x) is EagerTensor and _trainable(x)]
    for k in places:
        watch(trace, copies[k])
    with only(trace):
        found = [t for t in map(densified, tangents_of(copies)) if type(t) is EagerTensor]
    with only():
        gradients = (
            imperative_gradient(trace, found, [copies[k] for k in places], []) if found else [None] * len(places)
        )
    trace.end()
    return [k for k, g in zip(places, gradients) if g is not None and g is not NOTHING]


def _through_user(op: Any, inputs: tuple, outputs: tuple, attributes: Any, tangents: list) -> list:
    """The tangents by way of a user's gradient function, which is called with ones.

    Tapes and accumulators that a custom gradient enters meanwhile do not work, as in TensorFlow.
    """
    stack = active_stack()
    seeds = [_tangent_or_zeros(x, t) if _trainable(x) else None for x, t in zip(inputs, tangents)]
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
    return [None if a is None else next(found) for a in aids]


__all__ = ["ForwardAccumulator", "accumulate"]
