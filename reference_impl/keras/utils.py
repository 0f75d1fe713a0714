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


def normalize(x: Any, axis: int = -1, order: int = 2) -> Any:
    """An array with its norms of some order along an axis made 1."""
    a = np.asarray(x)
    norms = np.atleast_1d(np.linalg.norm(a, order, axis))
    norms[norms == 0] = 1
    return a / np.expand_dims(norms, axis)


__all__ = ["normalize", "set_random_seed", "to_categorical"]


def __dir__() -> list[str]:
    return sorted(__all__)


def __getattr__(name: str) -> Any:
    from .outside import missing

    raise missing("keras.utils", name)
