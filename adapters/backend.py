"""The one interface behind which every tape stands.

Write a class with these methods to bring a tape of your own (or no code at all, if your tape is a module shaped like
`tensorflow`: see `tf_shaped.py`, which implements all of this for any such module).

Values are the implementation's own objects and are never inspected by the interpreter; only `observe` looks inside.
A method raises whatever the implementation raises; raising `UnsupportedStep` says "this tape does not have that".
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, Protocol

from adapters.language import Array
from adapters.observations import Outcome


class UnsupportedStep(Exception):
    """The implementation does not have what a step asks for. Observed as unsupported, which is not wrong."""


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What a tape says it supports. Claims are tested both ways.

    `ops` lists dotted public names, or is None when the tape does not say (each op is then simply tried).
    `features` are words of the report's capability audit: `tape`, `persistent`, `variables`, `higher_order`,
    `jacobian`, `forward_mode`, `custom_gradient`, `functions`, `slices`, `threads`, `complex` ...
    """

    ops: frozenset[str] | None = None
    features: frozenset[str] | None = None
    dtypes: frozenset[str] | None = None
    traced: bool = False  # a traced (graph) implementation ends a program at its first error


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
