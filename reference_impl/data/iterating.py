"""What goes through the elements of a dataset, in eager code and in traced functions.

In a function an iterator is a value of the graph, and its next element a step of it.  While the graph is being built
nothing is taken from a dataset that is there already: an element is looked at and stays the next one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from .. import nest
from ..errors import OutOfRangeError, invalid
from ..foundation.building import graph_being_built, intercepted
from ..tapes.recording import active
from ..tensors.tensor import wrap
from . import elements


class DatasetIterator:
    """An iterator over a dataset."""

    _opaque_ = True

    def __init__(self, left: Iterator[Any], spec: Any):
        self._left, self.element_spec = left, spec
        self._looked_at: list[Any] = []  # the next element, when it has been looked at
        self._current: Any = None
        self._pretends = False  # whether the next round is the one that a loop pretends to make

    @staticmethod
    def _in_graph_() -> type:
        from .in_graphs import GraphIterator

        return GraphIterator

    def _trace_key_(self) -> Any:
        """What functions are traced anew for: other elements, not another iterator over such."""
        return self.element_spec

    def __iter__(self) -> DatasetIterator:
        return self

    def __next__(self) -> Any:
        if graph_being_built() is not None:
            return self.get_next()
        return self._looked_at.pop() if self._looked_at else next(self._left)

    @intercepted
    def get_next(self) -> Any:
        """The next element.  OutOfRangeError at the end."""
        if active.pretending:
            return self._seen()
        try:
            return next(self)
        except StopIteration:
            count = len(nest.flatten(self.element_spec))
            found = invalid("IteratorGetNext", "End of sequence", sizes=f"output_types_{count}")
            raise OutOfRangeError(None, None, found.message) from None

    def _seen(self) -> Any:
        """The next element, which stays the next one; zeros at the end."""
        if not self._looked_at:
            try:
                self._looked_at.append(next(self._left))
            except StopIteration:
                return elements.mapped(self.element_spec, _zeros)
        return elements.mapped(self._looked_at[0], lambda t: wrap(t._a))

    # ------------------------------------------------------------------------------------ of loops

    @intercepted
    def advance(self) -> Any:
        """Whether there is another element, a bool tensor; it is the ``current`` one from now on."""
        if active.pretending:
            self._pretends = not self._pretends
            return wrap(np.bool_(self._pretends))
        try:
            self._current = next(self)
        except StopIteration:
            return wrap(np.False_)
        return wrap(np.True_)

    @intercepted
    def current(self) -> Any:
        """The element that ``advance`` came to."""
        return self._seen() if active.pretending else self._current


def _zeros(spec: Any) -> Any:
    shape = [1 if d is None else d for d in spec.shape.as_list()] if spec.shape.rank else []
    return wrap(np.zeros(shape, spec.dtype.numpy)[()])
