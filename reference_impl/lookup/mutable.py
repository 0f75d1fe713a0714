"""Tables that change: ``MutableHashTable`` and ``DenseHashTable``."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import as_dtype
from ..errors import invalid
from ..foundation.building import intercepted
from ..tensors.conversion import convert_to_tensor
from .tables import Table, by_parts, looked_up


class MutableHashTable(Table):
    """A table that begins empty; values have the shape of ``default_value``, which is found for what is no key."""

    def __init__(
        self, key_dtype: Any, value_dtype: Any, default_value: Any, name: str = "MutableHashTable",
        checkpoint: bool = True, experimental_is_anonymous: bool = False,
    ):  # fmt: skip
        super().__init__(as_dtype(key_dtype), as_dtype(value_dtype), default_value, name)

    def lookup(self, keys: Any, dynamic_default_values: Any = None, name: str | None = None) -> Any:
        """The values of keys, of any shape; other defaults may be given, one for all keys or one for each.

        ValueError for keys of another dtype.
        """
        if not hasattr(type(keys), "_parts_"):
            keys = self._keys(keys)
        given = dynamic_default_values
        default = self._default if given is None else convert_to_tensor(given, self._value_dtype)
        return by_parts(keys, lambda flat: looked_up(self, flat, default))

    def insert(self, keys: Any, values: Any, name: str | None = None) -> None:
        """Put values in the places of keys.  ValueError for other dtypes, InvalidArgumentError for other shapes."""
        table_insert(self, self._keys(keys), self._converted(values, self._value_dtype, "values"))

    def remove(self, keys: Any, name: str | None = None) -> None:
        """Forget keys.  TypeError for keys of another dtype."""
        if getattr(keys, "dtype", self._key_dtype) is not self._key_dtype:
            want, got = (f"<dtype: '{d.name}'>" for d in (self._key_dtype, keys.dtype))
            raise TypeError(f"Dtype of argument `keys` must be {want}, received: {got}")
        table_remove(self, convert_to_tensor(keys, self._key_dtype))

    def _keys(self, keys: Any) -> Any:
        return self._converted(keys, self._key_dtype, "keys")

    @staticmethod
    def _converted(value: Any, dtype: Any, name: str) -> Any:
        try:
            return convert_to_tensor(value, dtype)
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from None

    def _check_key(self, key: Any) -> None:
        """Refuse a key that stands for something else."""


class DenseHashTable(MutableHashTable):
    """As ``MutableHashTable``, with two keys that may not be used: for places that are free, and that were freed."""

    def __init__(
        self, key_dtype: Any, value_dtype: Any, default_value: Any, empty_key: Any, deleted_key: Any,
        initial_num_buckets: Any = None, name: str = "MutableDenseHashTable", checkpoint: bool = True,
        experimental_is_anonymous: bool = False,
    ):  # fmt: skip
        super().__init__(key_dtype, value_dtype, default_value, name)
        reserved = (convert_to_tensor(key, self._key_dtype)._a for key in (empty_key, deleted_key))
        self._empty, self._deleted = (np.asarray(key).reshape(-1).tolist()[0] for key in reserved)

    def lookup(self, keys: Any, name: str | None = None) -> Any:  # type: ignore[override]
        """The values of keys, of any shape.  ValueError for keys of another dtype."""
        return super().lookup(keys)

    def erase(self, keys: Any, name: str | None = None) -> None:
        """Forget keys."""
        self.remove(keys)

    def _check_key(self, key: Any) -> None:
        for word, reserved in (("empty", self._empty), ("deleted", self._deleted)):
            if key == reserved:
                raise invalid("LookupTableInsertV2", f"Using the {word}_key as a table key is not allowed")


@intercepted
def table_insert(table: MutableHashTable, keys: Any, values: Any) -> None:
    """Put rows into a table."""
    for key in np.asarray(keys._a).reshape(-1).tolist():
        table._check_key(key)
    table._store("LookupTableInsertV2", keys._a, values._a)


@intercepted
def table_remove(table: MutableHashTable, keys: Any) -> None:
    """Take rows out of a table."""
    for key in np.asarray(keys._a).reshape(-1).tolist():
        table._rows.pop(key, None)
