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

    @element_spec.setter
    def element_spec(self, _spec: Any) -> None:
        raise AttributeError("an iterator of a function is made by the function")


def iterator_over(items: Any) -> Any:
    """What a loop of the function that is being traced goes through; None for what is no dataset, nor an iterator."""
    if isinstance(items, Dataset):
        return graph_being_built().call(_started, (items,), {}, "OneShotIterator")
    return items if isinstance(items, DatasetIterator) else None


def advance(iterator: DatasetIterator) -> Any:
    """``iterator.advance()`` as a step of the function that is being traced."""
    return graph_being_built().call(DatasetIterator.advance, (iterator,), {}, "OptionalHasValue")


def current(iterator: DatasetIterator) -> Any:
    """``iterator.current()`` as a step of the function that is being traced."""
    return graph_being_built().call(DatasetIterator.current, (iterator,), {}, "OptionalGetValue")


def reduced(dataset: Dataset, state: Any, function: Any) -> Any:
    """``dataset.reduce`` in the function that is being traced: a loop of its graph."""
    iterator = iterator_over(dataset)

    def step(old: Any) -> list:
        return [elements.normalized(function(old, current(iterator)))]

    return graph_loop(lambda _: advance(iterator), step, [state], None, None)[0]


def _started(dataset: Dataset) -> Any:
    return iter(dataset)
