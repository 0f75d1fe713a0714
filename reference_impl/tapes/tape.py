"""GradientTape: record ops, then ask for gradients, jacobians and batch jacobians.

    with GradientTape() as tape:
        tape.watch(x)
        y = x * x
    dy_dx = tape.gradient(y, x)

A tape's life, its checks and their order, its messages and its oddities are those of TensorFlow 2.21.
"""

from __future__ import annotations

import contextlib
import enum
from collections.abc import Iterator
from typing import Any

import numpy as np

from .. import nest
from ..dtypes import as_dtype, is_trainable
from ..foundation.building import Building, at_once
from ..foundation.warnings_log import warn_first
from ..ops.declare import NAMES
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor, wrap
from ..tensors.variable import ResourceVariable, accessed, watch_variable
from .composites import components, gradient_components, replaced
from .jacobians import batch_jacobian, jacobian
from .recording import Trace, active, active_traces, pop, push, watch
from .walk import NOTHING, imperative_gradient

_ACTS_AS_VARIABLE = "_should_act_as_resource_variable"  # the mark of Keras's variables, which have a handle
_USED = "A non-persistent GradientTape can only be used to compute one set of gradients (or jacobians)"
_INSIDE = (
    "Calling GradientTape.gradient on a persistent tape inside its context is significantly less efficient than "
    "calling it outside the context (it causes the gradient ops to be recorded on the tape, leading to increased CPU "
    "and memory usage). Only call GradientTape.gradient inside the context if you actually want to trace the gradient "
    "in order to compute higher order derivatives."
)
_RECORDING = (
    "gradient() cannot be invoked within the GradientTape context (i.e., while operations are being recorded). Either "
    "move the call to gradient() to be outside the 'with tf.GradientTape' block, or use a persistent tape: 'with "
    "tf.GradientTape(persistent=true)'"
)


class UnconnectedGradients(enum.Enum):
    """What ``gradient`` gives for a source that the target does not depend on."""

    NONE = "none"
    ZERO = "zero"


def _in_graph(static: bool, *args: Any, **kwargs: Any) -> GradientTape:
    """A tape of a traced function; ``static``: it knows all shapes."""
    tape = GradientTape(*args, **kwargs)
    tape._static = static
    return tape


class GradientTape:
    """Records the ops run inside its ``with`` block, to differentiate them afterwards.

    ``persistent``: ``gradient`` may be called more than once.  ``watch_accessed_variables``: trainable variables are
    watched as soon as they are read.
    """

    def __new__(cls, *args: Any, **kwargs: Any) -> GradientTape:
        if type(active.cur) is Building and cls is GradientTape:
            graph = active.cur.graph
            return graph.call(_in_graph, (graph.static, *args), kwargs)
        return object.__new__(cls)

    def __init__(self, persistent: bool = False, watch_accessed_variables: bool = True):
        self._static = False  # of a traced function that knows all shapes
        self._tape: Trace | None = None
        self._persistent = persistent
        self._watch_accessed_variables = watch_accessed_variables
        self._watched_variables: tuple = ()
        self._recording = False

    def __enter__(self) -> GradientTape:
        self._push()
        return self

    def __exit__(self, kind: Any, value: Any, traceback: Any) -> None:
        if self._recording:
            self._pop()

    def __del__(self) -> None:
        # A trace and its nodes refer to each other; without this they would wait for the garbage collector.
        if getattr(self, "_tape", None) is not None and not self._recording:
            self._tape.end()

    def _push(self) -> None:
        if self._recording:
            raise ValueError("Tape is still recording, This can happen if you try to re-enter an already-active tape.")
        if self._tape is None:
            # TensorFlow's core compares with the True singleton, its Python side only asks for truth
            self._tape = Trace(self._persistent is True, self._watch_accessed_variables is True)
            self._tape.static = self._static
            self._tape.asked = True
        push(self._tape)
        self._recording = True

    def _pop(self) -> None:
        if not self._recording:
            raise ValueError("Tape is not recording.")
        pop(self._tape)
        self._recording = False

    @contextlib.contextmanager
    def _ensure_recording(self) -> Iterator[None]:
        if self._recording:
            yield
            return
        self._push()
        try:
            yield
        finally:
            self._pop()

    def watch(self, tensor: Any) -> None:
        """Make tensors or variables (any nest of them) sources of gradients.

        Ignored when no tape is active on this thread.  ValueError for anything else, after what came before it was
        watched; a warning for dtypes that cannot be differentiated.
        """
        if type(tensor) is EagerTensor and is_trainable(tensor._a.dtype):
            self._watch(tensor, False)
            return
        for t in components(tensor):
            variable = isinstance(t, ResourceVariable)
            if not variable and type(t) is not EagerTensor:
                raise ValueError(
                    f"Passed in object {t} of type '{type(t).__name__}', not tf.Tensor or tf.Variable or ExtensionType."
                )
            if not _trainable(t):
                text = "The dtype of the watched tensor must be floating (e.g. tf.float32), got %r"
                warn_first(5, None, text, t.dtype)
            self._watch(t, variable)

    def _watch(self, t: Any, variable: bool) -> None:
        trace = self._tape
        if trace is None:
            raise AttributeError("'NoneType' object has no attribute '_tape'")
        if not active_traces():
            return
        if variable:
            watch_variable(trace, t)
        else:
            watch(trace, t)

    @contextlib.contextmanager
    def stop_recording(self) -> Iterator[None]:
        """Context manager: this tape records nothing inside."""
        if self._tape is None:
            raise RuntimeError("Trying to stop recording a tape which is not recording.")
        self._pop()
        try:
            yield
        finally:
            self._push()

    def reset(self) -> None:
        """Forget everything recorded and watched.  ValueError unless recording."""
        self._pop()
        self._end()
        self._push()

    def _end(self) -> None:
        if self._tape is not None:
            self._tape.end()
        self._tape = None

    def watched_variables(self) -> tuple:
        """The variables watched, in the order of their creation."""
        if self._tape is not None:
            found = self._tape.variables
            self._watched_variables = tuple([found[order] for order in sorted(found)]) if found else ()
        return self._watched_variables

    @at_once
    def gradient(
        self, target: Any, sources: Any, output_gradients: Any = None,
        unconnected_gradients: Any = UnconnectedGradients.NONE,
    ) -> Any:  # fmt: skip
        """The gradient of ``target`` (any nest, summed) by each of ``sources``, in the structure of ``sources``.

        ``output_gradients`` are upstream gradients, one for each target; ones when absent.  An unconnected source
        gives None, or zeros with ``unconnected_gradients="zero"``.
        """
        self._begin_gradient()
        targets, raw, handles, flat = self._checked(target, sources)
        seeds = _seeds(output_gradients)
        zero = _unconnected(unconnected_gradients) is UnconnectedGradients.ZERO
        self._check_core(targets, flat)
        if seeds and len(seeds) < len(targets):
            raise ValueError(
                f"output_gradients has {len(seeds)} entries for {len(targets)} targets (TensorFlow reads past "
                "the end here)"
            )
        found = imperative_gradient(self._tape, targets, flat, seeds)
        if zero:
            found = [_zeros(s, r) if g is NOTHING else g for g, s, r in zip(found, flat, _raw_of(raw, flat))]
        else:
            found = [None if g is NOTHING else g for g in found]
        self._finish()
        if raw is sources:
            return found
        if type(sources) is EagerTensor or type(sources) is ResourceVariable:
            return found[0]
        return nest.pack_sequence_as(sources, replaced(handles, found))

    def _checked(self, target: Any, sources: Any) -> tuple[list, list, list, list]:
        """Flat targets; sources as they were given, with handles for variables, and as flat tensors."""
        if type(target) is EagerTensor:
            simple = _simple(sources)
            if simple is not None:
                return [target], *simple
        if target is None:
            raise TypeError(
                "Argument `target` should be a list or nested structure of Tensors, Variables or CompositeTensors to "
                "be differentiated, but received None."
            )
        targets = [_handle_or_self(t) for t in gradient_components(nest.flatten(target))]
        for t in targets:
            _check_dtype(t)
        raw = nest.flatten(sources)
        handles = [_handle_or_self(s) for s in raw]
        flat = gradient_components(handles)
        for s in flat:
            _check_dtype(s)
        return targets, raw, handles, flat

    def _begin_gradient(self, caller: str = "gradient") -> None:
        if self._tape is None:
            raise RuntimeError(_USED)
        if self._recording:
            if self._persistent:
                warn_first(1, None if caller == "gradient" else f"inside {caller}", _INSIDE)
            else:
                self._pop()

    def _check_core(self, targets: list, sources: list) -> None:
        """What TensorFlow's core checks before it walks."""
        trace = self._tape
        if active.cur is not None and not trace.persistent and trace in active_traces():
            raise RuntimeError(_RECORDING)
        for t in (*targets, *sources):
            if type(t) is not EagerTensor:
                t._id  # noqa: B018 - what is no tensor raises AttributeError here, as in TensorFlow

    def _fills_with_zeros(self, unconnected: Any) -> bool:
        return _unconnected(unconnected) is UnconnectedGradients.ZERO

    def _finish(self) -> None:
        if not self._persistent:
            self.watched_variables()
            self._end()

    @at_once
    def jacobian(
        self, target: Any, sources: Any, unconnected_gradients: Any = UnconnectedGradients.NONE,
        parallel_iterations: Any = None, experimental_use_pfor: bool = True,
    ) -> Any:  # fmt: skip
        """The jacobian of a tensor by each source: ``target.shape + source.shape``, in the structure of ``sources``.

        ``experimental_use_pfor=False`` asks row by row, which needs a persistent tape.
        """
        return jacobian(self, target, sources, unconnected_gradients, parallel_iterations, experimental_use_pfor)

    @at_once
    def batch_jacobian(
        self, target: Any, source: Any, unconnected_gradients: Any = UnconnectedGradients.NONE,
        parallel_iterations: Any = None, experimental_use_pfor: bool = True,
    ) -> Any:  # fmt: skip
        """The jacobians of ``target[i]`` by ``source[i]``, stacked: ``[b, *target.shape[1:], *source.shape[1:]]``.

        Zeros when unconnected, whatever ``unconnected_gradients`` says.
        """
        return batch_jacobian(self, target, source, unconnected_gradients, parallel_iterations, experimental_use_pfor)


def _simple(sources: Any) -> tuple[list, list, list] | None:
    """What ``_checked`` says of a Tensor, a variable, or a list of them; None for all other sources."""
    if type(sources) is EagerTensor:
        return [sources], [sources], [sources]
    if type(sources) is ResourceVariable:
        return [sources], [sources._handle], [sources._handle]
    if type(sources) is not list:
        return None
    flat = []
    for s in sources:
        if type(s) is EagerTensor:
            flat.append(s)
        elif type(s) is ResourceVariable or hasattr(type(s), _ACTS_AS_VARIABLE):
            flat.append(s.handle)
        else:
            return None
    return sources, flat, flat


def _handle_or_self(x: Any) -> Any:
    if isinstance(x, ResourceVariable) or hasattr(type(x), _ACTS_AS_VARIABLE):
        return x.handle
    return x


def _trainable(x: Any) -> bool:
    return is_trainable(x.dtype.numpy) if not isinstance(x, EagerTensor) else is_trainable(x._a.dtype)


def _check_dtype(x: Any) -> None:
    """TensorFlow's errors for what has no dtype at all; other odd values fail later, for want of an ``_id``."""
    if type(x) is EagerTensor:
        return
    dtype = x.dtype if hasattr(type(x), "_dense_") else as_dtype(x)
    if not is_trainable(dtype.numpy):
        x.dtype  # noqa: B018 - TensorFlow logs it, and stumbles over what has none


def _unconnected(value: Any) -> UnconnectedGradients:
    if value is UnconnectedGradients.NONE:
        return value
    try:
        return UnconnectedGradients(value)
    except ValueError:
        raise ValueError(f"Unknown value for unconnected_gradients: {value!r}") from None


def _seeds(output_gradients: Any) -> list:
    if output_gradients is None:
        return []
    flat = nest.flatten(output_gradients)
    flat = [convert_to_tensor(g) if isinstance(g, ResourceVariable) else g for g in flat]
    return [None if g is None else convert_to_tensor(g) for g in gradient_components(flat)]


def _raw_of(raw: list, flat: list) -> list:
    """The source objects the flat tensors came from, where they correspond one to one."""
    return raw if len(raw) == len(flat) else flat


def _zeros(source: Any, raw: Any) -> Any:
    """Zeros of the shape and dtype of an unconnected source; empty strings for strings."""
    if hasattr(type(raw), _ACTS_AS_VARIABLE):
        raise AttributeError("'str' object has no attribute '_type_enum'")  # TensorFlow trips over Keras's dtypes
    if hasattr(type(raw), "_each_"):  # TensorFlow makes ragged zeros for the values of a ragged source
        return raw._each_(lambda values: wrap(np.zeros_like(values._a)))
    if isinstance(raw, ResourceVariable):
        accessed(raw)  # its value is read for its shape
    a = raw._peek() if isinstance(raw, ResourceVariable) else source._a
    if active.cur is not None and not active.vectorizing and is_trainable(a.dtype):
        return NAMES["zeros_like"](raw if isinstance(raw, ResourceVariable) else source)  # tapes around know them
    return wrap(np.full(a.shape, b"", dtype=object) if a.dtype.kind == "O" else np.zeros(a.shape, a.dtype))
