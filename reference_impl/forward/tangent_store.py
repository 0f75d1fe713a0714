"""Where the tangents of one forward accumulator are kept."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import is_trainable
from ..ops.scatter import densified
from ..tapes.recording import DULL, MANY, UNKNOWN, Held, index_of, node_of
from ..tensors.slices import IndexedSlices
from ..tensors.tensor import wrap


class Tangents:
    """The tangents that one accumulator holds, by a key that nodes keep; a node's death drops its tangent."""

    __slots__ = ("__weakref__", "count", "over", "records")
    asked = True  # of a program's own accumulator

    def __init__(self) -> None:
        self.records: dict[int, tuple] = {}
        self.count = 0
        self.over = False

    def drop(self, key: int) -> None:
        """Forget a tangent."""
        self.records.pop(key, None)

    def put(self, tensor: Any, tangent: Any) -> None:
        """Give a tensor its tangent."""
        node = node_of(tensor)
        held = node.trace
        others = {} if held is None else dict(node.i) if type(held) is Held else {held: node.i}
        key = self.count
        self.count += 1
        node.trace = held if held is DULL else MANY if is_trainable(tensor._a.dtype) else DULL
        node.i = {**{t: i for t, i in others.items() if not t.over}, self: key}
        self.records[key] = tangent

    def of(self, tensor: Any) -> Any:
        """The tangent of a tensor, None when it has none."""
        node = tensor._n
        if node is None or type(node.trace) is not Held:
            return None
        key = node.i.get(self)
        return None if key is None else self.records.get(key)


def trainable(x: Any) -> bool:
    """True for a tensor of a dtype that can be differentiated."""
    return is_trainable(x._a.dtype)


def tangent_or_zeros(x: Any, tangent: Any) -> Any:
    """A tangent as the seed of a walk; zeros for a trainable input without one."""
    if tangent is not None:
        return densified(tangent)
    a = getattr(x._a, "value", x._a)  # a variable's handle holds its value
    return wrap(np.zeros(a.shape, a.dtype)[()])


def known(recorder: Any, x: Any) -> bool:
    """True when a trace or a store of tangents knows a tensor."""
    if type(x) is IndexedSlices:
        return known(recorder, x.values)
    if type(recorder) is Tangents:
        return recorder.of(x) is not None
    return x._n is not None and index_of(x._n, recorder) != UNKNOWN
