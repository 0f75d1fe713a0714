"""``tf.keras.utils``: seeds and one-hot labels."""

from __future__ import annotations

from typing import Any

import numpy as np

from .seeds import set_random_seed


def to_categorical(x: Any, num_classes: int | None = None) -> np.ndarray:
    """Class numbers as one-hot rows (float64), as an ndarray."""
    labels = np.asarray(x).astype("int64")
    shape = labels.shape[:-1] if labels.ndim > 1 and labels.shape[-1] == 1 else labels.shape
    flat = labels.reshape(-1)
    count = int(flat.max()) + 1 if num_classes is None else num_classes
    out = np.zeros((flat.size, count))
    out[np.arange(flat.size), flat] = 1
    return out.reshape((*shape, count))


__all__ = ["set_random_seed", "to_categorical"]
