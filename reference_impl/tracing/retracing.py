"""The warning for a function that is traced again and again."""

from __future__ import annotations

from types import CodeType
from typing import Any
from weakref import WeakKeyDictionary

from ..foundation.warnings_log import warn

_ENOUGH, _HISTORY, _WARNINGS = 5, 10, 2
_TEXT = (
    "{} out of the last {} calls to {} triggered tf.function retracing. Tracing is expensive and the excessive number "
    "of tracings could be due to (1) creating @tf.function repeatedly in a loop, (2) passing tensors with different "
    "shapes, (3) passing Python objects instead of tensors. For (1), please define your @tf.function outside of the "
    "loop. For (2), @tf.function has reduce_retracing=True option that can avoid unnecessary retracing. For (3), "
    "please refer to https://www.tensorflow.org/guide/function#controlling_retracing and "
    "https://www.tensorflow.org/api_docs/python/tf/function for  more details."
)


class _Counting:
    on = True


def count_traces(on: bool) -> None:
    """Whether traces are counted: what runs many programs of its own in one process counts none meanwhile."""
    _Counting.on = on


class Detector:
    """Counts the calls between the traces of one function, or of all that were made by the same lines of a program."""

    __slots__ = ("calls", "per_trace", "warnings")

    def __init__(self) -> None:
        self.calls = 0
        self.per_trace: list[int] = []
        self.warnings = 0

    def traced(self, function: Any, silent: bool) -> None:
        """A call that traced; warns after five traces in few calls, twice at most."""
        if not _Counting.on:
            return
        self.calls += 1
        self.per_trace.append(1)
        while self.per_trace and self.calls - self.per_trace[0] > _HISTORY:
            self.calls -= self.per_trace.pop(0)
        if silent or self.warnings >= _WARNINGS or len(self.per_trace) < _ENOUGH:
            return
        self.warnings += 1
        warn(_TEXT.format(len(self.per_trace), self.calls, _bare(function)))

    def not_traced(self) -> None:
        """A call that found a trace."""
        if not _Counting.on:
            return
        if not self.per_trace:
            self.per_trace = [0]
        self.per_trace[-1] += 1
        self.calls += 1


def _bare(function: Any) -> Any:
    """A function without what is around it: an instance, arguments that are given already."""
    for name in ("__wrapped__", "__func__", "func"):
        if hasattr(function, name):
            return _bare(getattr(function, name))
    return function


_DETECTORS: WeakKeyDictionary[CodeType, Detector] = WeakKeyDictionary()


def detector_of(function: Any) -> Detector:
    """The detector that all functions of the same code share; one of its own for what has no code."""
    code = getattr(_bare(function), "__code__", None)
    return Detector() if code is None else _DETECTORS.setdefault(code, Detector())
