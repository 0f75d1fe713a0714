"""Masks: which steps of a sequence count.  A mask goes with a tensor from layer to layer, until one uses it.

``Embedding(mask_zero=True)`` and ``Masking`` attach masks; recurrent layers, pools over steps, losses and weighted
metrics take them; layers with ``supports_masking`` hand them on, others lose them with a warning.
"""

from __future__ import annotations

import warnings
import weakref
from typing import Any

from .. import nest
from ..tensors.tensor import EagerTensor, is_tensor

known: dict[int, tuple[Any, Any]] = {}  # id of a tensor -> weak reference to it, and its mask


def attach(tensor: Any, mask: Any) -> None:
    """Give a tensor a mask, for as long as the tensor lives."""
    if mask is not None and isinstance(tensor, EagerTensor):
        key = id(tensor)
        known[key] = (weakref.ref(tensor, lambda _, kept=known: kept.pop(key, None)), mask)


def mask_of(value: Any) -> Any:
    """The mask of a tensor, None when it has none; for a list with masks a list."""
    if isinstance(value, (list, tuple)):
        masks = [mask_of(v) for v in value] if known else []
        return masks if any(m is not None for m in masks) else None
    found = known.get(id(value))
    return found[1] if found is not None and found[0]() is value else None


def passed(layer: Any, args: tuple, kwargs: dict[str, Any]) -> None:
    """Fill in the ``mask`` of a call, from the one argument that is a tensor."""
    if not layer._takes_mask or kwargs.get("mask") is not None:
        return
    tensors = [v for v in (*args, *kwargs.values()) if any(is_tensor(x) for x in nest.flatten(v))]
    if len(tensors) == 1 and (mask := mask_of(tensors[0])) is not None:
        kwargs["mask"] = mask


def carry(layer: Any, inputs: Any, outputs: Any) -> None:
    """Give the outputs of a layer their masks."""
    flat = nest.flatten(outputs)
    if any(mask_of(y) is not None for y in flat):
        return
    before = mask_of(inputs)
    if layer.supports_masking:
        after = layer.compute_mask(inputs, before)
        for y, mask in zip(flat, after if isinstance(after, (list, tuple)) else [after]):
            attach(y, mask)
    elif before is not None:
        warnings.warn(
            f"Layer '{layer.name}' (of type {type(layer).__name__}) was passed an input with a mask attached to it. "
            "However, this layer does not support masking and will therefore destroy the mask information. Downstream "
            "layers will not see the mask.",
            stacklevel=5,
        )
