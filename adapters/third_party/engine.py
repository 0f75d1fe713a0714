"""What a library must give so that `replay.py` can make a tape of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np

Function = Callable[[Sequence[Any]], list[Any]]


class Engine(Protocol):
    """A library's arrays, ops and derivative. Values are the library's own.

    `ops` maps TensorFlow's dotted names to functions of the library's values (attributes by TensorFlow's names);
    one that makes a list or tuple makes several values. `higher_order` says that the library can differentiate its own
    derivative.
    """

    name: str
    version: str
    details: dict[str, str]
    dtypes: Sequence[str]
    ops: Mapping[str, Callable[..., Any]]
    higher_order: bool

    def array(self, array: np.ndarray) -> Any:
        """The library's value of an array, of the same dtype."""
        ...

    def open(self, value: Any) -> np.ndarray:
        """The array of a value."""
        ...

    def floating(self, value: Any) -> bool:
        """Whether gradients can flow to a value."""
        ...

    def zeros_like(self, value: Any) -> Any: ...

    def ones_like(self, value: Any) -> Any: ...

    def vjp(self, function: Function, inputs: list[Any], seeds: list[Any | None]) -> list[Any]:
        """The gradients of `function` at `inputs`, weighed by seeds (None: ones); None where the library says none."""
        ...
