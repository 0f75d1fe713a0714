"""Whole numbers beside what an op differentiates: indices, shapes, lengths, conditions.

TensorFlow counts them among an op's inputs.  That shows in one place: where such a tensor is a target and a source at
once, its gradient by itself is lost as soon as the walk comes to an op that used it (see collecting.py).
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ..tensors.tensor import EagerTensor
from .recording import Trace, active, active_traces, node_of
from .records import number_of


def noting_wholes(function: Callable[..., Any]) -> Callable[..., Any]:
    """Decorator of a public function: traces note which whole numbers the ops used that it makes them record."""

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if active.cur is None:
            return function(*args, **kwargs)
        marks = [(trace, number_of(trace.records)) for trace in active_traces()]
        result = function(*args, **kwargs)
        _note(marks, (*args, *kwargs.values()))
        return result

    return call


def _note(marks: list[tuple[Trace, int]], values: Iterable[Any]) -> None:
    grown = [(trace, start) for trace, start in marks if number_of(trace.records) > start]
    if grown:
        nodes = [node_of(x) for x in _wholes(values)]
        for trace, start in grown if nodes else ():
            for i in range(start, number_of(trace.records)):
                trace.beside[i] = nodes


def _wholes(values: Iterable[Any]) -> Iterator[EagerTensor]:
    for x in values:
        if type(x) is list or type(x) is tuple:
            yield from _wholes(x)
        elif type(x) is EagerTensor and x._a.dtype.kind in "iub":
            yield x
