"""The one interface behind which every tape stands.

Write a class with these methods to bring a tape of your own (or no code at all, if your tape is a module shaped like
`tensorflow`: see `tf_shaped.py`, which implements all of this for any such module).

Values are the implementation's own objects and are never inspected by the interpreter; only `observe` looks inside.
A method raises whatever the implementation raises; raising `UnsupportedStep` says "this tape does not have that".
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Hashable, Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, Protocol

from adapters.language import Array
from adapters.observations import Outcome


class UnsupportedStep(Exception):
    """The implementation does not have what a step asks for. Observed as unsupported, which is not wrong."""


# What a tape can say it has besides ops. A program that uses a feature needs it; what no word stands for, every tape
# has.
FEATURES: dict[str, str] = {
    "variables": "variables, watched when they are read",
    "assign": "assigning to a variable",
    "persistent": "tapes that answer more than once",
    "several_tapes": "several tapes one after the other or at the same time",
    "nesting": "tapes inside tapes, and gradients of gradients",
    "jacobian": "jacobian and batch_jacobian",
    "forward_mode": "forward accumulators",
    "custom_gradient": "custom_gradient, recompute_grad and gradients registered by name",
    "function": "functions as operands: function, cond, while_loop, map_fn, py_function",
    "nests": "lists, tuples and dicts of sources and targets, and watching them",
    "output_gradients": "the argument output_gradients",
    "unconnected_gradients": "the argument unconnected_gradients",
    "open_tapes": "the tape as an object that is open while code runs: re-entering, late watching, refusing misuse",
    "stop_recording": "stop_recording",
    "reset": "reset",
    "watched_variables": "watched_variables",
    "threads": "tapes and tensors across threads",
    "slices": "IndexedSlices as gradients and as values",
    "ragged": "ragged tensors",
    "numpy_operands": "NumPy arrays where a tensor is due",
    "host_values": "what Python and NumPy make of tensors: float(x), repr(x), numpy.array(x)",
    "identity": "which results are the same object, and what keeps them alive",
}
ERRORS = ("raised", "class", "message")  # how far errors are meant to agree


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What a tape says it supports. Claims are tested both ways.

    `ops` lists dotted public names, or is None when the tape does not say (each op is then simply tried); `features`
    are words of `FEATURES`, `dtypes` names of dtypes, None where the tape does not say. `errors` says how far its
    errors are meant to agree (`raised` at all, by `class`, by `message`), `warnings` whether it means to log
    TensorFlow's.
    """

    ops: frozenset[str] | None = None
    features: frozenset[str] | None = None
    dtypes: frozenset[str] | None = None
    traced: bool = False  # a traced (graph) implementation ends a program at its first error
    errors: str = "message"
    warnings: bool = True


def capabilities_of(claims: Any, where: str) -> Capabilities:
    """The capabilities that a plain dict states: {"ops": [...], "features": [...], "errors": "class"}.

    ValueError, in one sentence that starts with `where`, for a key or word that means nothing.
    """
    if not isinstance(claims, Mapping):
        raise ValueError(f"{where} must be a dict, not {type(claims).__name__}")
    known = {"ops", "features", "dtypes", "traced", "errors", "warnings"}
    for key in claims:
        if key not in known:
            raise ValueError(f"{where} has the unknown key {key!r}; there are {', '.join(sorted(known))}")
    words = {name: _words(claims, name, where) for name in ("ops", "features", "dtypes")}
    for word in sorted((words["features"] or frozenset()) - FEATURES.keys()):
        near = difflib.get_close_matches(word, FEATURES, n=1)
        raise ValueError(f"{where}: no feature is called {word!r}" + (f"; did you mean {near[0]}?" if near else ""))
    errors = claims.get("errors", "message")
    if errors not in ERRORS:
        raise ValueError(f"{where}: errors is {errors!r}; it must be one of {', '.join(ERRORS)}")
    return Capabilities(
        **words, traced=bool(claims.get("traced", False)), errors=errors, warnings=bool(claims.get("warnings", True))
    )


def _words(claims: Mapping[Any, Any], name: str, where: str) -> frozenset[str] | None:
    listed = claims.get(name)
    if listed is None:
        return None
    if isinstance(listed, str) or not isinstance(listed, Iterable):
        raise ValueError(f"{where}: {name} must be a list of words")
    return frozenset(str(word) for word in listed)


@dataclass(frozen=True, slots=True)
class Identity:
    """Who answers: name, version, and whatever the report should print about it (numpy's version, CPU flags ...)."""

    name: str
    version: str
    details: dict[str, str] = field(default_factory=dict)


class Backend(Protocol):
    """See the module docstring. One method per kind of step; arguments are values already made."""

    def identity(self) -> Identity: ...

    def capabilities(self) -> Capabilities: ...

    def program_scope(self) -> AbstractContextManager[None]:
        """Everything one program needs cleared before it and closed after it (log counters, open tapes)."""
        ...

    def captured_warnings(self) -> list[str]:
        """The warnings logged since the last call, normalised."""
        ...

    def constant(self, array: Array) -> Any: ...

    def numpy(self, array: Array) -> Any: ...

    def dtype(self, name: str) -> Any: ...

    def marker(self, name: str) -> Any: ...

    def slices(self, values: Any, indices: Any, dense_shape: Any) -> Any: ...

    def ragged(self, values: Any, row_splits: Any) -> Any: ...

    def variable(self, initial: Any, trainable: bool) -> Any: ...

    def assign(self, variable: Any, value: Any, how: str) -> Any: ...

    def call(self, op: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any: ...

    def invoke(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any: ...

    def tape(self, persistent: Any, watch_accessed_variables: Any) -> Any: ...

    def enter(self, context: Any) -> Any: ...

    def exit(self, context: Any, error: BaseException | None) -> Any:
        """Leave a context, as the `with` statement would; return what `__exit__` returned (true: it swallowed)."""
        ...

    def watch(self, tape: Any, tensor: Any) -> Any: ...

    def stop_recording(self, tape: Any) -> Any:
        """Return the entered context."""
        ...

    def reset(self, tape: Any) -> Any: ...

    def gradient(self, tape: Any, target: Any, sources: Any, **options: Any) -> Any: ...

    def jacobian(self, tape: Any, target: Any, sources: Any, batch: bool, **options: Any) -> Any: ...

    def watched_variables(self, tape: Any) -> Any: ...

    def accumulator(self, primals: Any, tangents: Any) -> Any: ...

    def jvp(self, accumulator: Any, primals: Any, **options: Any) -> Any: ...

    def read(self, value: Any) -> Any:
        """`value.numpy()`: what the user may overwrite."""
        ...

    def function(self, body: Callable[..., Any]) -> Any:
        """A Python callable as the implementation wants a user's function to be; most return it as it is."""
        ...

    def variable_key(self, value: Any) -> Hashable | None:
        """What is equal for two values that are the same variable (`assign` may return a wrapper of it); None for
        a value that is no variable."""
        ...

    def observe(self, value: Any) -> Outcome | None:
        """The outcome for a value of the implementation's own kinds; None for one the interpreter should describe
        itself (None, Python and NumPy values, nests)."""
        ...

    def error_name(self, error: BaseException) -> str:
        """The public name of an error's class (`RuntimeError`, `errors.InvalidArgumentError`)."""
        ...

    def error_message(self, error: BaseException) -> str:
        """The error's message with addresses, paths and node names normalised."""
        ...
