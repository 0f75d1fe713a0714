"""Values made of several tensors (IndexedSlices, ragged and sparse tensors, extension types), as tapes see them.

A composite type has ``_parts_(value)``, its tensors.  One that can be a gradient source or target has
``_gradient_parts_(value)`` and ``_with_gradients_(value, gradients)`` too; for the others those are None.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .. import nest


def components(structure: Any) -> Iterator[Any]:
    """The leaves of a nest, composites taken apart, one after another; what holds no tensor of ours is left out."""
    for leaf in nest.leaves(structure):
        if getattr(type(leaf), "_opaque_", False):
            continue
        parts = getattr(type(leaf), "_parts_", None)
        if parts is None:
            yield leaf
        else:
            yield from components(parts(leaf))


def gradient_components(values: list) -> list:
    """The tensors that stand for values in gradients.  ValueError for composites that cannot be differentiated."""
    flat: list[Any] = []
    for value in values:
        kind = type(value)
        if not hasattr(kind, "_parts_") or hasattr(kind, "_whole_"):
            flat.append(value)
            continue
        parts = getattr(kind, "_gradient_parts_", None)
        if parts is None:
            raise ValueError(f"Type {kind.__name__} is not supported as a gradient source or gradient target.")
        flat.extend(gradient_components(nest.flatten(parts(value))))
    return flat


def replaced(values: list, gradients: list) -> list:
    """The gradients in the form of the values: a composite gets a composite of its own kind."""
    left = iter(gradients)
    result = []
    for value in values:
        kind = type(value)
        if not hasattr(kind, "_parts_") or hasattr(kind, "_whole_"):
            result.append(next(left))
            continue
        parts = nest.flatten(kind._gradient_parts_(value))
        own = replaced(parts, [next(left) for _ in gradient_components(parts)])
        result.append(None if any(g is None for g in own) else kind._with_gradients_(value, own))
    return result
