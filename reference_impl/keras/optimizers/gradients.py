"""What optimizers do to gradients before they use them: leave out None, clip, average over steps."""

from __future__ import annotations

import warnings
from typing import Any

from ...math import add_n, minimum, reduce_sum, sqrt, square
from ...ops.norms import clip_by_norm, clip_by_value
from ...tensors.conversion import convert_to_tensor
from ...tensors.slices import IndexedSlices


def mapped(gradient: Any, function: Any) -> Any:
    """A function of every number of a gradient; of slices, of the rows as they are."""
    return gradient._map(function) if type(gradient) is IndexedSlices else function(gradient)


def filled(grads: list, variables: list) -> tuple[list, list]:
    """The pairs that have a gradient; warns of the others.  ValueError when none has."""
    missing = [getattr(v, "path", None) or v.name for g, v in zip(grads, variables) if g is None]
    if not missing:
        return grads, variables
    kept = [(g, v) for g, v in zip(grads, variables) if g is not None]
    if not kept:
        raise ValueError("No gradients provided for any variable.")
    warnings.warn(
        f"Gradients do not exist for variables {missing} when minimizing the loss. If using `model.compile()`, "
        "did you forget to provide a `loss` argument?",
        stacklevel=4,
    )
    return [g for g, _ in kept], [v for _, v in kept]


def clipped(grads: list, options: Any) -> list:
    """By the norm of each, by value, or by the norm of all, as the options of an optimizer say."""
    if options.clipnorm and options.clipnorm > 0:
        return [clip_by_norm(g, options.clipnorm) for g in grads]
    if options.clipvalue and options.clipvalue > 0:
        limit = options.clipvalue
        return [mapped(g, lambda x: clip_by_value(x, -limit, limit)) for g in grads]
    if options.global_clipnorm and options.global_clipnorm > 0:
        norm = sqrt(add_n([reduce_sum(square(_values(g))) for g in grads]))
        scale = options.global_clipnorm * minimum(1.0 / norm, 1.0 / options.global_clipnorm) + (norm - norm)
        return [convert_to_tensor(mapped(g, lambda x: x * scale)) for g in grads]  # Keras adds up repeated rows here
    return grads


def _values(gradient: Any) -> Any:
    return gradient.values if type(gradient) is IndexedSlices else gradient
