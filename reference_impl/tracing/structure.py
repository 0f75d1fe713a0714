"""Values as functions pass them around: nests of tensors, variables, slices, arrays of tensors and anything else.

``mapped(value, leaf)`` copies a nest.  ``tensors_in(value)`` lists the tensors of a nest (a variable counts by its
handle, slices by their parts), and ``with_tensors(value, tensors)`` puts others in their places.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from ..tensors.slices import IndexedSlices
from ..tensors.tensor import EagerTensor
from ..tensors.variable import ResourceVariable


class Bound(ResourceVariable):
    """A variable by another handle: the same storage, but a thing of its own to tapes."""

    __slots__ = ("_parent",)


def bound(variable: ResourceVariable, handle: EagerTensor) -> Bound:
    """``variable`` by ``handle``, a tensor around the same storage."""
    twin = object.__new__(Bound)
    for slot in ("_name", "_trainable", "_shape", "_constraint", "_options"):
        object.__setattr__(twin, slot, getattr(variable, slot))
    twin._handle = handle
    twin._parent = original(variable)
    return twin


def original(variable: ResourceVariable) -> ResourceVariable:
    """The variable that the user made."""
    return getattr(variable, "_parent", variable)


def mapped(value: Any, leaf: Callable[[Any], Any]) -> Any:
    """A copy of a nest (lists, tuples, mappings, slice objects, IndexedSlices) with ``leaf`` applied to all else."""
    kind = type(value)
    if kind is list:
        return [mapped(v, leaf) for v in value]
    if kind is tuple:
        return tuple([mapped(v, leaf) for v in value])
    if kind is slice:
        return slice(mapped(value.start, leaf), mapped(value.stop, leaf), mapped(value.step, leaf))
    if kind is IndexedSlices:
        return IndexedSlices(*[mapped(v, leaf) for v in (value.values, value.indices, value.dense_shape)])
    if isinstance(value, tuple) and hasattr(kind, "_fields"):
        return kind(*[mapped(v, leaf) for v in value])
    if isinstance(value, Mapping):
        return like_mapping(value, {k: mapped(v, leaf) for k, v in value.items()})
    if hasattr(kind, "_with_parts_"):
        return value._with_parts_([mapped(v, leaf) for v in value._parts_()])
    return leaf(value)


def like_mapping(value: Mapping, items: dict) -> Any:
    """``items`` in the type of a mapping."""
    default = getattr(value, "default_factory", None)
    return type(value)(default, items) if default is not None else type(value)(items)


def leaves(value: Any) -> Iterator[Any]:
    """The leaves of a nest, in the order of ``mapped``."""
    found: list[Any] = []
    mapped(value, found.append)
    return iter(found)


def tensors_in(value: Any) -> list[Any]:
    """The tensors of a nest: those of variables are their handles, those of arrays of tensors their elements."""
    found: list[Any] = []
    for leaf in leaves(value):
        if type(leaf) is EagerTensor:
            found.append(leaf)
        elif isinstance(leaf, ResourceVariable):
            found.append(leaf._handle)
        elif hasattr(type(leaf), "_elements_"):
            found.extend(leaf._elements_())
    return found


def with_tensors(value: Any, tensors: Iterable[Any]) -> Any:
    """A copy of a nest with other tensors, in the order of ``tensors_in``."""
    left = iter(tensors)

    def leaf(v: Any) -> Any:
        if type(v) is EagerTensor:
            return next(left)
        if isinstance(v, ResourceVariable):
            return bound(v, next(left))
        if hasattr(type(v), "_elements_"):
            return v._with_elements_([next(left) for _ in v._elements_()])
        return v

    return mapped(value, leaf)
