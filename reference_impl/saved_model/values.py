"""Values in the steps of graphs as JSON and back: numbers, nests, dtypes, shapes, tensors, slots, graphs within graphs.

None, bool, int and str stand for themselves; everything else is a list that begins with a word.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import DType, as_dtype
from ..ops.declare import Op
from ..tapes.tape import UnconnectedGradients
from ..tensors.shapes import TensorShape
from ..tensors.slices import IndexedSlices
from ..tensors.tensor import EagerTensor, wrap
from ..tracing.loops import LoopPart
from ..tracing.no_rows import NoTurns
from ..tracing.regions import Choice, GraphRegion, Loop
from ..tracing.spec import TensorSpec
from ..tracing.steps import Slot
from .callables import op_named
from .files import Arrays, taken


class Writer:
    """Turns values into JSON; arrays go into ``arrays``, graphs into ``graphs`` by way of ``graph_number``."""

    def __init__(self, arrays: Arrays, graph_number: Any):
        self.arrays, self.graph_number = arrays, graph_number

    def write(self, value: Any) -> Any:
        """The JSON of a value.  ValueError for what has none."""
        if value is None or type(value) in (bool, int, str):
            return value
        kind = type(value)
        if kind is float:
            return ["float", value.hex()]
        if kind is complex:
            return ["complex", value.real.hex(), value.imag.hex()]
        if kind is bytes:
            return ["bytes", value.hex()]
        if kind in (list, tuple):
            return [kind.__name__, *(self.write(v) for v in value)]
        if kind is dict:
            return ["dict", *([self.write(k), self.write(v)] for k, v in value.items())]
        if kind is slice:
            return ["slice", *(self.write(v) for v in (value.start, value.stop, value.step))]
        return self._special(value)

    def _special(self, value: Any) -> list:
        match value:
            case Slot():
                return ["slot", value.i]
            case EagerTensor():
                return ["tensor", self.arrays.put(value._a)]
            case np.ndarray() | np.generic():
                return ["array", self.arrays.put(value)]
            case DType():
                return ["dtype", value.name]
            case np.dtype():
                return ["npdtype", as_dtype(value).name]
            case TensorShape():
                return ["shape", None if value.rank is None else value.as_list()]
            case TensorSpec():
                return ["spec", self.write(value.shape), value.dtype.name, value.name]
            case IndexedSlices():
                return ["slices", *(self.write(v) for v in (value.values, value.indices, value.dense_shape))]
            case UnconnectedGradients():
                return ["unconnected", value.value]
            case Op():
                return ["op", value.kernel, value.name]
        if value is Ellipsis:
            return ["ellipsis"]
        return self._region(value)

    def _region(self, value: Any) -> list:
        match value:
            case LoopPart():
                return ["loop_part", self.graph_number(value.graph), value.count, self.write(value.places)]
            case GraphRegion():
                return ["graph", self.graph_number(value.graph), self.write(value.places), value.constants_count]
            case Choice():
                return ["choice", value.depth, *(self._region(r) for r in value.regions)]
            case NoTurns():
                empty = [(TensorShape(shape), dtype) for shape, dtype in value.empty]
                return ["no_turns", self._region(value.body), value.count, value.kept, self.write(empty)]
            case Loop():
                parts = (self._region(value.condition), self._region(value.body))
                return ["loop", *parts, value.count, self.write(value.limit)]
        raise ValueError(f"a function that uses {value!r} (a {type(value).__name__}) cannot be saved")


class Reader:
    """Turns JSON into values; ``graph(number)`` gives the graph of a number."""

    def __init__(self, arrays: dict[str, np.ndarray], graph: Any):
        self.arrays, self.graph = arrays, graph

    def read(self, said: Any) -> Any:
        """The value of JSON.  ValueError, TypeError, KeyError or IndexError for what no Writer wrote."""
        if said is None or type(said) in (bool, int, str):
            return said
        word, *rest = said
        return getattr(self, f"_{_WORDS[word]}")(*rest)

    def _float(self, text: str) -> float:
        return float.fromhex(text)

    def _complex(self, real: str, imaginary: str) -> complex:
        return complex(float.fromhex(real), float.fromhex(imaginary))

    def _bytes(self, text: str) -> bytes:
        return bytes.fromhex(text)

    def _list(self, *parts: Any) -> list:
        return [self.read(p) for p in parts]

    def _tuple(self, *parts: Any) -> tuple:
        return tuple(self.read(p) for p in parts)

    def _dict(self, *pairs: Any) -> dict:
        return {self.read(k): self.read(v) for k, v in pairs}

    def _slice(self, *parts: Any) -> slice:
        start, stop, step = (self.read(p) for p in parts)
        return slice(start, stop, step)

    def _slot(self, i: int) -> Slot:
        return Slot(_number(i))

    def _tensor(self, said: dict) -> EagerTensor:
        return wrap(taken(said, self.arrays))

    def _array(self, said: dict) -> Any:
        return taken(said, self.arrays)

    def _dtype(self, name: str) -> DType:
        return as_dtype(name)

    def _npdtype(self, name: str) -> np.dtype:
        return as_dtype(name).numpy

    def _shape(self, sizes: Any) -> TensorShape:
        return TensorShape(sizes)

    def _spec(self, shape: Any, dtype: str, name: Any) -> TensorSpec:
        return TensorSpec(self.read(shape), dtype, name)

    def _slices(self, *parts: Any) -> IndexedSlices:
        return IndexedSlices(*(self.read(p) for p in parts))

    def _unconnected(self, value: str) -> UnconnectedGradients:
        return UnconnectedGradients(value)

    def _op(self, kernel: str, name: str) -> Op:
        return op_named(kernel, name)

    def _ellipsis(self) -> Any:
        return Ellipsis

    def _graph(self, number: int, places: Any, constants_count: bool) -> GraphRegion:
        return GraphRegion(self.graph(_number(number)), self.read(places), bool(constants_count))

    def _loop_part(self, number: int, count: int, places: Any) -> LoopPart:
        return LoopPart(self.graph(_number(number)), _number(count), self.read(places))

    def _choice(self, depth: int, *regions: Any) -> Choice:
        return Choice([self.read(r) for r in regions], _number(depth))

    def _loop(self, condition: Any, body: Any, count: int, limit: Any) -> Loop:
        return Loop(self.read(condition), self.read(body), _number(count), self.read(limit))

    def _no_turns(self, body: Any, count: int, kept: int, empty: Any) -> NoTurns:
        shapes = [(tuple(shape.as_list()), dtype) for shape, dtype in self.read(empty)]
        return NoTurns(self.read(body), _number(count), _number(kept), shapes)


_WORDS = {name[1:]: name[1:] for name in vars(Reader) if name.startswith("_") and not name.startswith("__")}


def _number(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise ValueError(f"{value!r} is no number of a place")
    return value
