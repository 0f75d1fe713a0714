"""The elements of datasets: nests of tensors, their specs, slices of them and batches made of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .. import nest
from ..errors import invalid
from ..tensors.conversion import convert_to_tensor
from ..tensors.shapes import TensorShape
from ..tensors.tensor import EagerTensor, wrap
from ..tracing.spec import TensorSpec


def normalized(structure: Any) -> Any:
    """A nest of tensors; lists and arrays become tensors, as in TensorFlow only tuples and dicts are nests."""
    return mapped(structure, convert_to_tensor)


def mapped(structure: Any, leaf: Callable[[Any], Any]) -> Any:
    """A nest of tuples, named tuples and dicts with ``leaf`` applied to everything else."""
    if isinstance(structure, tuple):
        parts = [mapped(v, leaf) for v in structure]
        return type(structure)(*parts) if hasattr(structure, "_fields") else tuple(parts)
    if isinstance(structure, dict):
        return type(structure)((k, mapped(v, leaf)) for k, v in structure.items())
    return leaf(structure)


def leaves(structure: Any) -> list:
    """The tensors or specs of an element."""
    return nest.flatten(structure)


def spec_of(element: Any) -> Any:
    """The specs of an element."""
    return mapped(element, lambda t: TensorSpec(t.shape, t.dtype))


def row(tensors: Any, i: int) -> Any:
    """The element at position ``i`` of a nest of tensors."""
    return mapped(tensors, lambda t: wrap(t._a[i]))


def batched(rows: list) -> Any:
    """The batch of a list of elements.  InvalidArgumentError when their shapes differ."""
    columns = list(zip(*(leaves(r) for r in rows)))
    for column in columns:
        first = column[0]._a.shape
        for k, t in enumerate(column):
            if t._a.shape != first:
                text = (
                    f"Cannot batch tensors with different shapes in component 0. First element had shape "
                    f"{_text(first)} and element {k} had shape {_text(t._a.shape)}."
                )
                raise invalid("IteratorGetNext", text, node=False)
    stacked = iter([wrap(np.stack([t._a for t in column])) for column in columns])
    return mapped(rows[0], lambda _: next(stacked))


def padded(rows: list, value: Any) -> Any:
    """The batch of elements whose shapes differ, filled up at their ends with ``value`` (zeros when None)."""
    columns = list(zip(*(leaves(r) for r in rows)))
    made = iter([wrap(_padded_stack([np.asarray(t._a) for t in column], value)) for column in columns])
    return mapped(rows[0], lambda _: next(made))


def _padded_stack(arrays: list, value: Any) -> np.ndarray:
    shape = tuple(max(sizes) for sizes in zip(*(a.shape for a in arrays)))
    fill = (b"" if arrays[0].dtype.kind == "O" else 0) if value is None else value
    out = np.full((len(arrays), *shape), fill, arrays[0].dtype)
    for k, a in enumerate(arrays):
        out[(k, *(slice(n) for n in a.shape))] = a
    return out


def batch_spec(spec: Any, size: int | None) -> Any:
    """The specs of batches of ``size`` elements, or of a number that varies."""
    return mapped(spec, lambda s: TensorSpec(TensorShape([size]).concatenate(s.shape), s.dtype))


def row_spec(spec: Any) -> Any:
    """The specs of the rows of tensors.  ValueError for scalars."""
    return mapped(spec, _row_spec)


def _row_spec(spec: TensorSpec) -> TensorSpec:
    if spec.shape.rank is not None and spec.shape.rank < 1:
        raise ValueError("Unbatching a tensor is only supported for rank >= 1")
    return TensorSpec(spec.shape[1:], spec.dtype)


def merged_spec(a: Any, b: Any) -> Any:
    """Specs that fit the elements of two datasets."""
    left = iter(leaves(b))
    return mapped(a, lambda s: _merged(s, next(left)))


def _merged(a: TensorSpec, b: TensorSpec) -> TensorSpec:
    if a.shape.rank is None or a.shape.rank != b.shape.rank:
        return TensorSpec(None, a.dtype)
    return TensorSpec([m if m == n else None for m, n in zip(a.shape, b.shape)], a.dtype)


def count_of(tensors: Any) -> int:
    """The common number of rows.  ValueError when tensors differ in it."""
    sizes = [t._a.shape[0] for t in leaves(tensors)]
    for size in sizes[1:]:
        if size != sizes[0]:
            raise ValueError(f"Dimensions {sizes[0]} and {size} are not compatible")
    return sizes[0]


def as_numpy(element: Any) -> Any:
    """An element as NumPy arrays and scalars."""
    return mapped(element, lambda t: t.numpy() if type(t) is EagerTensor else t)


def _text(shape: tuple) -> str:
    return "[" + ",".join(map(str, shape)) + "]"
