"""Iterators and loops over datasets in traced functions."""

from __future__ import annotations

from typing import Any

from ..foundation.building import graph_being_built
from ..tracing.loops import graph_loop
from ..tracing.symbols import GraphObject, _method
from . import elements
from .dataset import Dataset
from .iterating import DatasetIterator


class GraphIterator(GraphObject, DatasetIterator):
    """An iterator over a dataset in a function that is being traced."""

    __next__ = get_next = _method(DatasetIterator.get_next)
    advance = _method(DatasetIterator.advance)
    current = _method(DatasetIterator.current)

    @property
    def element_spec(self) -> Any:
        """The specs of the elements."""
        return self._graph.envs[0][self._slot].element_spec


def iterator_over(items: Any) -> DatasetIterator:
    """What a loop of the function that is being traced goes through: a new iterator of a dataset, or one that is."""
    return items if isinstance(items, DatasetIterator) else graph_being_built().call(iter, (items,), {})


def reduced(dataset: Dataset, state: Any, function: Any) -> Any:
    """``dataset.reduce`` in the function that is being traced: a loop of its graph."""
    iterator = iterator_over(dataset)

    def step(old: Any) -> list:
        return [elements.normalized(function(old, iterator.current()))]

    return graph_loop(lambda _: iterator.advance(), step, [state], None, None)[0]
