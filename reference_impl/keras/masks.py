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
from .calling import signature_of
from .symbolic import KerasTensor

known: dict[int, tuple[Any, Any]] = {}  # id of a tensor -> weak reference to it, and its mask


def attach(tensor: Any, mask: Any) -> None:
    """Give a tensor, or a KerasTensor, a mask for as long as it lives; None takes it away."""
    if isinstance(tensor, KerasTensor):
        tensor._keras_mask = mask
    elif isinstance(tensor, EagerTensor):
        key = id(tensor)
        if mask is None:
            known.pop(key, None)
        else:
            known[key] = (weakref.ref(tensor, lambda _, kept=known: kept.pop(key, None)), mask)


def mask_of(value: Any) -> Any:
    """The mask of a tensor, None when it has none; for a list or dict with masks one of masks."""
    if isinstance(value, (list, tuple)):
        masks: Any = [mask_of(v) for v in value]
        return masks if any(m is not None for m in masks) else None
    if isinstance(value, dict):
        masks = {k: mask_of(v) for k, v in value.items()}
        return masks if any(m is not None for m in masks.values()) else None
    if isinstance(value, KerasTensor):
        return value._keras_mask
    found = known.get(id(value))
    return found[1] if found is not None and found[0]() is value else None


def passed(layer: Any, args: tuple, kwargs: dict[str, Any]) -> None:
    """Fill in ``mask`` of a call with one tensor, or ``name_mask`` for each ``name`` of a call with several."""
    given = _tensors_by_name(layer, args, kwargs)
    wanted = {"mask": next(iter(given.values()))} if len(given) == 1 else {f"{k}_mask": v for k, v in given.items()}
    names = signature_of(layer.call).parameters
    for name, value in wanted.items():
        if name in names and kwargs.get(name) is None and name not in given and (mask := mask_of(value)) is not None:
            kwargs[name] = mask


def _tensors_by_name(layer: Any, args: tuple, kwargs: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a call that are tensors or nests of tensors."""
    names = signature_of(layer.call).parameters
    return {
        name: value for name, value in (*zip(names, args), *kwargs.items())
        if any(is_tensor(x) or isinstance(x, KerasTensor) for x in nest.flatten(value))
    }  # fmt: skip


def before(inputs: Any, kwargs: dict[str, Any]) -> Any:
    """The mask that a layer is called with: the one that was passed, or that of its first argument."""
    given = kwargs.get("mask")
    return mask_of(inputs) if given is None else given


def carry(layer: Any, inputs: Any, outputs: Any, previous: Any) -> None:
    """Give the outputs of a layer, which was called with the mask ``previous``, their masks."""
    flat = nest.flatten(outputs)
    if layer.supports_masking:
        if all(mask_of(y) is not None for y in flat):
            return
        after = layer.compute_mask(inputs, previous)
        for y, mask in zip(flat, after if isinstance(after, (list, tuple)) else [after]):
            if mask is not None and mask_of(y) is None:
                attach(y, mask)
    elif previous is not None:
        warnings.warn(
            f"Layer '{layer.name}' (of type {type(layer).__name__}) was passed an input with a mask attached to it. "
            "However, this layer does not support masking and will therefore destroy the mask information. Downstream "
            "layers will not see the mask.",
            stacklevel=5,
        )


def _own_mask(tensor: Any) -> Any:
    mask = mask_of(tensor)
    if mask is None:
        raise AttributeError(f"{type(tensor).__name__!r} object has no attribute '_keras_mask'")
    return mask


EagerTensor._keras_mask = property(_own_mask, attach)  # type: ignore[attr-defined]  # as tensors of Keras have it
