"""Tables that are filled once: ``StaticHashTable`` and ``StaticVocabularyTable``."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import as_dtype, int64, string
from ..errors import FailedPreconditionError, invalid
from ..foundation.building import intercepted
from ..ops.kernels.fingerprints import fingerprint64
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor, wrap
from .tables import Table, by_parts, looked_up


class StaticHashTable(Table):
    """The keys and values of an initializer; ``default_value`` for what is none of them.

    FailedPreconditionError for a key with two values, InvalidArgumentError for unequal numbers of keys and values,
    ValueError for a default that is no scalar.
    """

    def __init__(
        self, initializer: Any, default_value: Any, name: str | None = None, experimental_is_anonymous: bool = False
    ):
        super().__init__(initializer.key_dtype, initializer.value_dtype, default_value, name or "hash_table")
        if self._default is not None and self._default._a.ndim:
            raise ValueError(f"Shapes {self._default.shape} and () are not compatible")
        self._initializer = initializer
        self._store("LookupTableImportV2", *initializer._pairs())

    @property
    def default_value(self) -> Any:
        """What is found for what is no key."""
        return self._default

    def _put(self, key: Any, row: Any) -> None:
        known = self._rows.setdefault(key, row)
        if known != row:
            key, known, row = (x.decode() if isinstance(x, bytes) else x for x in (key, known, row))
            text = "HashTable has different value for same key. "
            error = invalid("LookupTableImportV2", f"{text}Key {key} has {known} and trying to add value {row}")
            raise FailedPreconditionError(None, None, error.message)

    def lookup(self, keys: Any, name: str | None = None) -> Any:
        """The values of keys, a tensor of any shape, ragged or sparse.  TypeError for keys of another dtype."""
        _check_keys(keys, self._key_dtype)
        return by_parts(keys, lambda flat: looked_up(self, flat, self._default))


class StaticVocabularyTable(Table):
    """The numbers of known words; words that are not known share ``num_oov_buckets`` numbers after them, by their hash.

    The initializer gives int64 values; None for a vocabulary without words.  TypeError for other values, ValueError
    for no buckets.
    """

    def __init__(
        self, initializer: Any, num_oov_buckets: int, lookup_key_dtype: Any = None, name: str | None = None,
        experimental_is_anonymous: bool = False,
    ):  # fmt: skip
        if num_oov_buckets <= 0:
            raise ValueError("`num_oov_buckets` must be > 0; use StaticHashTable.")
        if initializer is not None and initializer.value_dtype is not int64:
            got = _shown(initializer.value_dtype)
            raise TypeError(f"Invalid `value_dtype`, expected {_shown(int64)} but got {got}.")
        words = string if initializer is None else initializer.key_dtype
        super().__init__(as_dtype(lookup_key_dtype or words), int64, -1, name or "string_to_index")
        self._buckets = int(num_oov_buckets)
        if initializer is not None:
            self._store("LookupTableImportV2", *initializer._pairs())

    def size(self, name: str | None = None) -> EagerTensor:
        """How many numbers there are, those of the buckets included."""
        return wrap(np.int64(len(self._rows) + self._buckets))

    def lookup(self, keys: Any, name: str | None = None) -> Any:
        """The numbers of words, a tensor of any shape, ragged or sparse.  TypeError for keys of another dtype."""
        _check_keys(keys, self._key_dtype)
        return by_parts(keys, lambda flat: _numbers(self, flat))


@intercepted
def _numbers(table: StaticVocabularyTable, keys: Any) -> EagerTensor:
    known = len(table._rows)

    def number(key: Any) -> int:
        found = table._rows.get(key)
        if found is not None:
            return int(found)
        return known + fingerprint64(key if isinstance(key, bytes) else str(key).encode()) % table._buckets

    flat = np.array([number(key) for key in np.asarray(keys._a).reshape(-1).tolist()], np.int64)
    return wrap(flat.reshape(np.shape(keys._a)))


def _check_keys(keys: Any, want: Any) -> None:
    if keys.dtype is not want:
        raise TypeError(f"Dtype of argument `keys` must be {_shown(want)}, received: {_shown(keys.dtype)}")
    if not hasattr(type(keys), "_parts_"):
        convert_to_tensor(keys)


def _shown(dtype: Any) -> str:
    return f"<dtype: '{dtype.name}'>"
