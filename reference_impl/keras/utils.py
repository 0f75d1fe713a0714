"""``tf.keras.utils``: seeds, one-hot labels, padded sequences, custom classes for ``deserialize``."""

from __future__ import annotations

from typing import Any

import numpy as np

from .backend import clear_session
from .batches import unpacked as unpack_x_y_sample_weight
from .policy import standardize_dtype
from .py_dataset import PyDataset
from .seeds import set_random_seed
from .serializing import (
    CustomObjectScope,
    custom_object_scope,
    get_custom_objects,
    get_registered_name,
    get_registered_object,
    register_keras_serializable,
)
from .symbolic import KerasTensor

Sequence = PyDataset


def pack_x_y_sample_weight(x: Any, y: Any = None, sample_weight: Any = None) -> Any:
    """What a step is given: ``x`` alone, ``(x,)`` for a list or tuple, ``(x, y)`` or ``(x, y, sample_weight)``."""
    if y is None:
        return (x,) if isinstance(x, (tuple, list)) else x
    return (x, y) if sample_weight is None else (x, y, sample_weight)


def is_keras_tensor(x: Any) -> bool:
    """Whether something is a KerasTensor."""
    return isinstance(x, KerasTensor)


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


def pad_sequences(
    sequences: Any, maxlen: int | None = None, dtype: Any = "int32", padding: str = "pre", truncating: str = "pre",
    value: Any = 0.0,
) -> np.ndarray:  # fmt: skip
    """Sequences of several lengths as one array [sequences, maxlen, ...], with ``value`` before or after what is there.

    ValueError for what is no list of sequences of one kind.
    """
    if not hasattr(sequences, "__len__"):
        raise ValueError("`sequences` must be iterable.")
    for x in sequences:
        if not hasattr(x, "__len__"):
            raise ValueError(f"`sequences` must be a list of iterables. Found non-iterable: {x}")
    for word, name in ((truncating, "Truncating"), (padding, "Padding")):
        if word not in ("pre", "post") and any(len(x) for x in sequences):
            raise ValueError(f'{name} type "{word}" not understood')
    longest = max((len(x) for x in sequences), default=0) if maxlen is None else maxlen
    inner = next((np.asarray(x).shape[1:] for x in sequences if len(x)), ())
    out = np.full((len(sequences), longest, *inner), value, dtype=dtype)
    for row, sequence in zip(out, sequences):
        kept = np.asarray(sequence[-longest:] if truncating == "pre" else sequence[:longest], dtype=dtype)
        if len(sequence) and kept.shape[1:] != inner:
            raise ValueError(f"Shape of sample {kept.shape[1:]} of sequence is different from expected shape {inner}")
        if len(kept):
            row[slice(-len(kept), None) if padding == "pre" else slice(len(kept))] = kept
    return out


_LATER = ("deserialize_keras_object", "serialize_keras_object")
__all__ = [
    "CustomObjectScope", "PyDataset", "Sequence", "clear_session", "custom_object_scope",
    "get_custom_objects", "get_registered_name", "get_registered_object", "is_keras_tensor", "normalize",
    "pack_x_y_sample_weight", "pad_sequences", "register_keras_serializable",
    "set_random_seed", "standardize_dtype", "to_categorical", "unpack_x_y_sample_weight",
]  # fmt: skip
__all__ += list(_LATER)


def __dir__() -> list[str]:
    return sorted(__all__)


def __getattr__(name: str) -> Any:
    if name in _LATER:
        from . import objects

        return getattr(objects, name)
    from .outside import missing

    raise missing("keras.utils", name)
