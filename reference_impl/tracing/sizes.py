"""Sizes that hang on values: how many rows a slice to ``k`` has is not known while a graph is being built.

Where a step's sizes hang on a value that is not known then, the graph gets a second world (see graph.py).  In it that
value is another one, so that other sizes come out, here and in all that follows; what differs is unknown.  Known are
constants, known sizes of tensors, and what is computed of those alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ..foundation.warnings_log import said_before
from ..tensors.tensor import EagerTensor, wrap
from ..tensors.variable import ResourceVariable
from .steps import Slot, Step, World, leaves_of, slots_in
from .structure import bound, mapped, original

_SMALL = 128  # a tensor from outside with at most so many elements is a constant of the graph
_JOINING = frozenset(("stack", "concat"))
_ELEMENTWISE = frozenset(("add", "subtract", "multiply", "floordiv", "floormod", "cast", "maximum", "minimum"))
_PARTLY_KNOWN = _JOINING | _ELEMENTWISE | {"shape", "size", "rank", "get_item"}
_BROADCASTING = _ELEMENTWISE | frozenset((
    "divide", "truediv", "pow", "where", "greater", "greater_equal", "less", "less_equal", "equal", "not_equal",
    "squared_difference", "logical_and", "logical_or", "logical_xor", "atan2", "divide_no_nan", "multiply_no_nan",
    "function", "operator",
))  # fmt: skip
_BY_CHANCE = frozenset(("normal", "uniform", "truncated_normal", "gamma", "poisson", "binomial", "shuffle"))
_OF_DATA = frozenset(("unique", "unique_with_counts"))  # whose sizes hang on data, which stay what they are

_OF_ELEMENTS = frozenset(("get_next", "current"))  # of a dataset, which knows the sizes of its elements
_UNKNOWN_ANYWAY = _OF_DATA | {"where", "boolean_mask", "dynamic_partition"}  # even where all values are known

# The operands, by place and name, on whose values the sizes of a result hang.
_SIZING: dict[str, tuple[tuple[int, str], ...]] = {
    "slice": ((2, "size"),), "strided_slice": ((2, "end"), (1, "begin")), "boolean_mask": ((1, "mask"),),
    "where": ((0, "condition"),), "range": ((0, "start"), (1, "limit"), (2, "delta")), "fill": ((0, "dims"),),
    "zeros": ((0, "shape"),), "ones": ((0, "shape"),),
    "eye": ((0, "num_rows"), (1, "num_columns"), (2, "batch_shape")),
    "reshape": ((1, "shape"),), "broadcast_to": ((1, "shape"),), "tile": ((1, "multiples"),),
    "repeat": ((1, "repeats"),), "pad": ((1, "paddings"),), "one_hot": ((1, "depth"),),
    "sequence_mask": ((1, "maxlen"), (0, "lengths")), "unique": ((0, "x"),), "unique_with_counts": ((0, "x"),),
    "top_k": ((1, "k"),), "linspace": ((2, "num"),), "split": ((1, "num_or_size_splits"),),
    "dynamic_partition": ((1, "partitions"),), "scatter_nd": ((2, "shape"),), "resize": ((1, "size"),),
    "TensorArray": ((1, "size"),), "TensorArray.stack": ((0, ""),), "TensorArray.concat": ((0, ""),),
    **{f"segment_{by}": ((1, "segment_ids"),) for by in ("sum", "mean", "max", "min", "prod")},
    **{f"unsorted_segment_{by}": ((2, "num_segments"),) for by in ("sum", "mean", "max", "min", "prod", "sqrt_n")},
    **{draw: ((0, "shape"),) for draw in ("normal", "uniform", "truncated_normal")},
}  # fmt: skip


_MAY_SIZE = frozenset(_SIZING) | _OF_ELEMENTS | {"get_item"}


class Sizes:
    """What is known of the values of a graph while it is being built, and which are others in its second world.

    ``unknown``: by slot, which elements of its value are not known; of a slot that is not in it nothing is known.
    """

    __slots__ = ("changed", "unknown")

    def __init__(self) -> None:
        self.unknown: dict[int, np.ndarray] = {}
        self.changed: set[int] = set()

    def settle(self, slot: int, value: Any) -> None:
        """A value has got a slot, and is known, unless it is too large to be anything's size."""
        if type(value) is EagerTensor and value._a.size <= _SMALL and not value._a.dtype.names:
            self.unknown[slot] = np.zeros(value._a.shape, bool)

    def learn(self, step: Step, given: tuple, envs: list[list]) -> None:
        """Note what is known of the results of a step, which was called with the symbols ``given``."""
        name = step.name
        if name not in _PARTLY_KNOWN and any(type(a) is Slot and a.i not in self.unknown for a in step.args):
            return  # the common case
        out = slots_in(step.out)
        if name == "TensorArray":
            for env in envs:
                array = env[out[0].i]
                array.grows = array.dynamic_size or self.deciding(step, given, envs[0]) is not None
        env = envs[0]
        if not out or name in _BY_CHANCE or step.pretended is not None:
            return
        mask = None
        if name in _PARTLY_KNOWN and getattr(getattr(env[out[0].i], "_a", None), "size", _SMALL + 1) <= _SMALL:
            mask = self._mask(name, step, given, env)
        if mask is not None:
            self.unknown[out[0].i] = mask
        elif all(self._is_known(slot) for slot in slots_in((step.args, step.kwargs))):
            for slot in out:
                self.settle(slot.i, env[slot.i])

    def _mask(self, name: str, step: Step, given: tuple, env: list) -> np.ndarray | None:
        """Which elements of a step's result are not known, where that is more than all or nothing."""
        args = step.args
        static = getattr(given[0], "_static", None) if given else None
        if static is not None and name in ("shape", "size", "rank"):
            sizes = np.array([d is None for d in static], bool)
            return sizes if name == "shape" else np.array(name == "size" and sizes.any())
        try:
            if name == "get_item" and args[0].i in self.unknown and not slots_in(args[1]):
                return self.unknown[args[0].i][args[1]]
            if name in _JOINING and isinstance(args[0], (list, tuple)) and len(args) + len(step.kwargs) < 3:
                return (np.stack if name == "stack" else np.concatenate)([self._plain(v, env) for v in args[0]])
            if name in _ELEMENTWISE:
                return np.asarray(np.logical_or.reduce(np.broadcast_arrays(*[self._plain(v, env) for v in args])))
        except (AttributeError, IndexError, TypeError, ValueError):
            pass  # no such step after all: its result is known as a whole or not at all
        return None

    def _plain(self, value: Any, env: list) -> np.ndarray:
        """Which elements of a small argument are not known."""
        if type(value) is Slot:
            if env[value.i]._a.size > _SMALL:
                raise ValueError("too large to be a size")
            return self._of(value, env)
        return np.zeros(np.shape(value) if isinstance(value, (int, list, tuple)) else (), bool)

    def _is_known(self, slot: Slot) -> bool:
        mask = self.unknown.get(slot.i)
        return mask is not None and not mask.any()

    def _of(self, slot: Slot, env: list) -> np.ndarray:
        value = env[slot.i]
        known = self.unknown.get(slot.i)
        return known if known is not None else np.ones(getattr(getattr(value, "_a", None), "shape", ()), bool)

    def deciding(self, step: Step, given: tuple, env: list) -> list[Slot] | None:
        """The slots whose values are not known, and on which the sizes of a step's result hang; None without such.

        A slice to a number takes what there is: how much of a size that is not known hangs on no slot.
        """
        name = step.name
        if name not in _MAY_SIZE:
            return None
        found = [slot for slot in _sizing(step, env) if name in _UNKNOWN_ANYWAY or not self._is_known(slot)]
        if name in _UNKNOWN_ANYWAY and not _is_choice(step):
            return found
        if name in _OF_ELEMENTS:
            return [] if any(None in (shape or ()) for shape in _element_shapes(step, env)) else None
        return found or ([] if name == "get_item" and _cuts_unknown(step.args[1], given[0]) else None)

    def with_others(self, step: Step, world: World, envs: list[list], slots: list[Slot], first: Any) -> Any:
        """What a step returns in the second world, where the values in ``slots`` are others from now on.

        ``first``: what it returned in the first.  Where no other values do, it is zeros of larger sizes.
        """
        env = envs[1]
        shapes = _shapes(first)
        step = _narrowed(step, shapes[0]) if shapes else step
        name = step.name
        of_data = name in _OF_DATA
        left = [i for i in dict.fromkeys(s.i for s in slots) if i not in self.changed and _same(*[e[i] for e in envs])]
        for changes in _attempts(left, *((_alike, _unlike) if of_data else (_twice, _more, _less))):
            trial = env.copy()
            for i, change in changes.items():
                places = self._of(Slot(i), env) if name not in _UNKNOWN_ANYWAY else np.True_
                trial[i] = _with(env[i], change, places)
            try:
                with said_before(), world:
                    result = step.result(trial)
            except Exception:  # the values did not fit: others may
                continue
            if _shapes(result) != shapes or not shapes:
                for i in () if of_data else changes:
                    if not self._is_known(Slot(i)):
                        env[i] = trial[i]
                        self.changed.add(i)
                return result
        if name in _OF_ELEMENTS:
            known = iter(_element_shapes(step, env))
            return mapped(first, lambda v: _larger(v, next(known)))
        by_rows = name in _UNKNOWN_ANYWAY or name.startswith("TensorArray.")
        return mapped(first, lambda v: _larger(v, (None, *v.shape[1:]) if by_rows and v.shape.rank else None))


def second_world(graph: Any) -> tuple[World, list] | None:
    """A second world of a graph, in which its steps so far give the same as in the first, and the values in it."""
    world = World(graph.worlds[0].resources)
    if graph.parent is not None:
        world.values.update(graph.parent.worlds[1].values)
    env: list = [None] * graph.size
    for slot, constant in graph.constants:
        env[slot] = constant
    for slot in graph.inputs:
        env[slot] = _again(graph.envs[0][slot])
    try:
        with said_before():
            for step in graph.steps:
                with world:
                    step.run(env)
    except Exception:  # what has happened once may not be repeated
        return None
    return world, env


def _again(value: Any) -> Any:
    """The value of an input, for another world."""
    if type(value) is EagerTensor:
        return wrap(value._a)
    if isinstance(value, ResourceVariable):
        return bound(original(value), wrap(value._handle._a))
    return value._with_elements_(value._elements_()) if hasattr(type(value), "_elements_") else value


def broadcast(step: Step, given: tuple, first: Any) -> Any:
    """What an elementwise step returns that failed in the second world: there is one size where one is known.

    A size that is not known fits to any other: TensorFlow takes the one that is known, if it is not 1.
    """
    if step.name not in _BROADCASTING or type(first) is not EagerTensor:
        return None
    shapes = [v._static if hasattr(v, "_static") else np.shape(getattr(v, "_a", v)) for v in given]
    if None in shapes:
        return None
    rank = first._a.ndim
    columns = zip(*[(1,) * (rank - len(shape)) + tuple(shape) for shape in shapes])
    sizes = [n + (None in c and set(c) <= {None, 1}) for n, c in zip(first._a.shape, columns)]
    return wrap(np.zeros(sizes, first._a.dtype)[()])


def _sizing(step: Step, env: list) -> Iterator[Slot]:
    name = step.name
    if name == "get_item":
        yield from _of_index(step.args[1], env)
        return
    if _is_choice(step) or (name.startswith("TensorArray.") and not env[step.args[0].i].grows):
        return
    for place, keyword in _SIZING.get(name, ()):
        operand = step.args[place] if place < len(step.args) else step.kwargs.get(keyword)
        yield from slots_in(operand)
        if name == "slice" and isinstance(operand, (list, tuple)):  # what begins at a place and goes up to the end
            first = step.args[1]
            yield from [v for v, n in zip(first, operand) if n == -1 and type(v) is Slot]


def _is_choice(step: Step) -> bool:
    """Whether a step is ``where`` with the values to choose from, which has the sizes of those."""
    return step.name == "where" and len(step.args) + len(step.kwargs) > 1


def _of_index(index: Any, env: list) -> Iterator[Slot]:
    """Of a slice the end that is a tensor, else the beginning or the step; a mask; a place, if there are slices."""
    parts = _parts(index)
    bounded = any(isinstance(part, slice) and (part.start, part.stop) != (None, None) for part in parts)
    for part in parts:
        if isinstance(part, slice):
            yield from ([v for v in (part.stop, part.start, part.step) if type(v) is Slot] or ())[:1]
        elif type(part) is Slot and (bounded or env[part.i]._a.dtype.kind == "b"):
            yield part


def _cuts_unknown(index: Any, operand: Any) -> bool:
    """Whether a slice has a bound along an axis of ``operand`` whose size is not known."""
    static = getattr(operand, "_static", None)
    if not static or None not in static:
        return False
    parts = [p for p in _parts(index) if p is not None]
    if any(p is Ellipsis for p in parts):
        k = next(k for k, p in enumerate(parts) if p is Ellipsis)
        parts[k : k + 1] = [slice(None)] * (len(static) - len(parts) + 1)
    return any(d is None and isinstance(p, slice) and (p.start, p.stop) != (None, None) for d, p in zip(static, parts))


def _parts(index: Any) -> tuple:
    return index if isinstance(index, tuple) else (index,)


def _narrowed(step: Step, shape: tuple) -> Step:
    """A step for the second world in which sizes differ that are given beside those that hang on values.

    TensorFlow knows nothing of a slice of which one bound is not known: those of all axes are one operand.
    """
    args = list(step.args)
    if step.name == "get_item":
        parts = [
            slice(p.start, _nearer(p.stop), p.step) if isinstance(p, slice) and type(p.stop) is int
            else slice(p.start + (1 if p.start >= 0 else -1), None, p.step)
            if isinstance(p, slice) and type(p.start) is int and p.stop is None
            else p
            for p in _parts(args[1])
        ]  # fmt: skip
        args[1] = tuple(parts) if isinstance(args[1], tuple) else parts[0]
    elif step.name == "slice" and isinstance(args[2], (list, tuple)) and slots_in(args[2]):
        args[2] = [max(d - 1, 0) if n == -1 else n for n, d in zip(args[2], shape)]
    else:
        return step
    return Step(step.function, tuple(args), step.kwargs)


def _nearer(stop: int) -> int:
    return stop - 1 if stop > 1 or stop < 0 else stop + 1


def _attempts(slots: list[int], *changes: Callable) -> Iterator[dict[int, Callable]]:
    """Which values to change, and how, until sizes come out that are others."""
    if not slots:
        yield {}
        return
    for change in changes:
        yield dict.fromkeys(slots, change)
    if len(slots) > 1:
        yield {slots[0]: changes[-1], **dict.fromkeys(slots[1:], changes[-2])}
        for i in slots:
            for change in changes[1:]:
                yield {i: change}


def _shapes(result: Any) -> list:
    return [v._a.shape for v in leaves_of(result) if type(v) is EagerTensor]


def _same(one: Any, other: Any) -> bool:
    """Whether a value is not another one in the second world already."""
    return not (type(one) is type(other) is EagerTensor) or np.array_equal(one._a, other._a)


def _larger(value: Any, shape: Any) -> Any:
    """A tensor with one more in each direction in which ``shape`` is open: in all, where it is None."""
    if type(value) is not EagerTensor:
        return value
    a = np.asarray(value._a)
    sizes = [n + 1 if shape is None or shape[k] is None else n for k, n in enumerate(a.shape)]
    return wrap(np.resize(a, sizes)[()] if a.size else np.zeros(sizes, a.dtype))


def _element_shapes(step: Step, env: list) -> list:
    """What is known of the shapes of the next element of the iterator that a step goes on with."""
    iterator = env[step.args[0].i] if type(step.args[0]) is Slot else step.args[0]
    return [spec.shape._dims for spec in leaves_of(iterator.element_spec)]


def _twice(a: np.ndarray) -> np.ndarray:
    """Small positive numbers doubled, so that what divides them still does."""
    return a if a.dtype.kind == "b" else np.where((a > 0) & (a < _SMALL), 2 * a, a + 1)


def _less(a: np.ndarray) -> np.ndarray:
    """One less, but not less than 1 when it was not; one True less."""
    if a.dtype.kind == "b":
        return a & (np.cumsum(a).reshape(a.shape) > 1)
    return np.where(a > 1, a - 1, a + 1)


def _more(a: np.ndarray) -> np.ndarray:
    """One more; one True more."""
    if a.dtype.kind == "b":
        return a | (np.cumsum(~a).reshape(a.shape) == 1)
    return a + 1


def _alike(a: np.ndarray) -> np.ndarray:
    return np.full(a.shape, a.flat[0]) if a.size else a


def _unlike(a: np.ndarray) -> np.ndarray:
    return np.arange(a.size).reshape(a.shape)


def _with(value: Any, change: Callable[[np.ndarray], np.ndarray], places: np.ndarray) -> Any:
    """A tensor with the elements at ``places`` changed."""
    if type(value) is not EagerTensor or value._a.dtype.kind not in "iufb":
        return value
    a = np.asarray(value._a)
    return wrap(np.where(places, change(a), a).astype(a.dtype)[()])
