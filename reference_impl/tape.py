"""GradientTape."""

from __future__ import annotations

from typing import Any

from . import nest
from .recording import Trace, pop, push, watch
from .walk import imperative_gradient


class GradientTape:
    """Records ops for automatic differentiation."""

    def __init__(self, persistent: bool = False, watch_accessed_variables: bool = True):
        self._trace: Any = None
        self._persistent = persistent
        self._watch_accessed = watch_accessed_variables

    def __enter__(self) -> GradientTape:
        self._trace = self._trace or Trace(self._persistent is True, self._watch_accessed is True)
        push(self._trace)
        return self

    def __exit__(self, *_: object) -> None:
        pop(self._trace)

    def watch(self, tensor: Any) -> None:
        """Make tensors sources of gradients."""
        for t in nest.leaves(tensor):
            watch(self._trace, t)

    def gradient(
        self, target: Any, sources: Any, output_gradients: Any = None, unconnected_gradients: Any = "none"
    ) -> Any:
        """The gradient of ``target`` by ``sources``."""
        flat = imperative_gradient(self._trace, nest.flatten(target), nest.flatten(sources), [])
        return nest.pack_sequence_as(sources, flat)
