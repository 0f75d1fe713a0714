"""What shows of the fact that TensorFlow makes tangents in a traced function.

To an accumulator or a tape around it, that function is one op: it takes the op's inputs and outputs and the tangents
of the inputs, and its outputs are tangents.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..errors import InternalError, InvalidArgumentError
from ..foundation.graph_errors import dtype_error, no_gradient
from ..ops.declare import OPS
from ..ops.scatter import densified
from ..tapes.recording import Trace, only, record, watch
from ..tapes.records import each_record
from ..tapes.walk import NOTHING, imperative_gradient
from ..tensors.slices import IndexedSlices
from ..tensors.tensor import EagerTensor, wrap
from ..user_gradients.custom_gradients import BUNDLE, CUSTOM
from .tangent_store import Tangents, known, tangent_or_zeros, trainable

NO_HANDLE = (
    "Internal error: Tried to take gradients (or similar) of a variable without handle data:\n"
    'Tensor("Placeholder:0", shape=(), dtype=resource)'
)


def copies_for(stack: tuple, given: list, tangents_of: Callable[[list], list]) -> list:
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
                if trainable(x) and outer.of(x) is None:
                    outer.put(x, tangent_or_zeros(x, None))
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
    knowing = [r for r in stack if any(known(r, x) for x in given)]
    return len(knowing) > 1 or any(type(r) is Trace and r.persistent for r in knowing)


def _connected(given: list, tangents_of: Callable[[list], list]) -> list[int]:
    """Which of the tensors the tangents have a gradient by."""
    trace, copies = Trace(), [x if type(x) is IndexedSlices else wrap(x._a) for x in given]
    places = [k for k, x in enumerate(copies) if type(x) is EagerTensor and trainable(x)]
    for k in places:
        watch(trace, copies[k])
    with only(trace):
        found = [t for t in map(densified, tangents_of(copies)) if type(t) is EagerTensor]
    gradients: list = [None] * len(places)
    if found:
        with only():
            gradients = imperative_gradient(trace, found, [copies[k] for k in places], [])
    trace.end()
    return [k for k, g in zip(places, gradients) if g is not None and g is not NOTHING]


_REFUSED: dict[tuple, Exception | None] = {}  # kernel and dtypes -> why the tangents have no gradient


def check_gradients(op: Any, stack: tuple, given: list, tangents_of: Callable[..., list]) -> None:
    """LookupError or TypeError where an accumulator around or any tape would want the gradient of tangents without one.

    TensorFlow makes that gradient together with the tangents, also for a tape entered later, which will not see them;
    whether it can depends on the op and its dtypes.
    """
    if not any(known(r, x) for r in stack for x in given):
        return
    key = (op.kernel, *(x.dtype.name for x in given))
    if key not in _REFUSED:
        _REFUSED[key] = _refused(given, tangents_of)
    error = _REFUSED[key]
    if error is not None:
        raise type(error)(*error.args)


def _refused(given: list, tangents_of: Callable[..., list]) -> Exception | None:
    trace, first, copies = Trace(), Trace(), [x if type(x) is IndexedSlices else wrap(x._a) for x in given]
    sources = [x for x in copies if type(x) is EagerTensor and trainable(x)]
    for x in sources:
        watch(trace, x)
        watch(first, x)
    with only(trace):
        found = [t for t in map(densified, tangents_of(copies, first)) if type(t) is EagerTensor]
    missing = _without_gradient(trace)
    if missing:
        scopes = 1 if missing[-1] in _without_gradient(first) else 2  # of the gradient, or of its transpose
        return no_gradient("gradient_tape/" * scopes + missing[-1], missing[-1])
    with only(Trace()):  # so that the gradients are made by ops, which look at dtypes
        try:
            imperative_gradient(trace, found, sources, [])
        except InvalidArgumentError as error:
            return dtype_error(error)
        except Exception:
            return None
    return None


def _without_gradient(trace: Trace) -> list[str]:
    """The kernels on a trace for which TensorFlow has no gradient."""
    return [record[0].kernel for record in each_record(trace.records) if record is not None and record[0].missing]


def as_function(stack: tuple, given: list, found: list) -> list:
    """Tangents as TensorFlow's traced function gives them to accumulators around it, with its faults.

    It cannot hand over sparse ones, it cannot differentiate a variable twice, and its gradient by tapes around such an
    accumulator fails.
    """
    outer = [(k, r) for k, r in enumerate(stack) if type(r) is Tangents and any(known(r, x) for x in given)]
    if not outer:
        return found
    if any(type(t) is IndexedSlices for t in found):
        raise AttributeError("'IndexedSlices' object has no attribute '_id'")
    if any(x._a.dtype.names and known(r, x) for _, r in outer for x in given):
        raise ValueError(NO_HANDLE)
    first = next((k for k, r in enumerate(stack) if type(r) is Trace), len(stack))
    moved = sum(any(known(r, x) for k, r in outer if k > first) for x in given)
    if not moved:
        return found
    text = (
        "Recorded operation '__forward___forward__jvp_exact_shapes_1_2' returned too few gradients. Expected "
        f"{len(given)} but received {len(given) + moved}"
    )
    traces = [r for r in stack if type(r) is Trace]
    return [broken(t, given, text, traces, [r for _, r in outer]) if type(t) is EagerTensor else t for t in found]


def broken(tangent: Any, given: Any, text: str, traces: list, outer: list) -> Any:
    """A tangent, with its own tangents, whose gradient is an InternalError."""

    def backward(*_upstream: Any) -> list:
        raise InternalError(None, None, text)

    made = wrap(tangent._a)
    with only(*traces):
        record(CUSTOM, (tangent, *(x for x in given if type(x) is EagerTensor)), (made,), {"backward": backward})
    for held in outer:
        second = held.of(tangent)
        if second is not None:
            held.put(made, broken(second, given, text, traces, []))
    return made
