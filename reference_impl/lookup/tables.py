"""What all tables have in common: a dictionary of keys and rows, and how it is asked."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from ..errors import invalid
from ..foundation.building import intercepted
from ..ragged import RaggedTensor
from ..sparse import SparseTensor
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor, wrap
from .initializers import Typed

_NUMBERS = itertools.count()


class Table(Typed):
    """A dictionary on keys of one dtype; each value has the dtype and shape of the default."""

    def __init__(self, key_dtype: Any, value_dtype: Any, default_value: Any, name: str):
        self._key_dtype, self._value_dtype = key_dtype, value_dtype
        self._default = None if default_value is None else convert_to_tensor(default_value, value_dtype)
        self._rows: dict[Any, Any] = {}
        self._name = f"{name}_{next(_NUMBERS)}"

    @property
    def name(self) -> str:
        """The name."""
        return self._name

    @property
    def resource_handle(self) -> Table:
        """What stands for the table."""
        return self

    def size(self, name: str | None = None) -> EagerTensor:
        """How many keys there are, an int64."""
        return _size(self)

    def export(self, name: str | None = None) -> tuple[Any, Any]:
        """All keys and their values, two tensors."""
        return _export(self)

    def __getitem__(self, keys: Any) -> Any:
        return self.lookup(keys)

    def lookup(self, keys: Any, name: str | None = None) -> Any:
        """The values of keys, a tensor of any shape, ragged or sparse; the default for what is no key."""
        raise NotImplementedError

    def _store(self, kernel: str, keys: Any, values: Any) -> None:
        """Put rows in.  InvalidArgumentError where there are not as many values as keys."""
        want = (*keys.shape, *(self._default._a.shape if self._default is not None else ()))
        if values.shape != want:
            have, need = (f"[{','.join(map(str, shape))}]" for shape in (values.shape, want))
            raise invalid(kernel, f"Expected shape {need} for value, got {have}")
        rows = values.reshape((keys.size, *values.shape[keys.ndim :]))
        for key, row in zip(np.asarray(keys).reshape(-1).tolist(), rows):
            self._put(key, row)

    def _put(self, key: Any, row: Any) -> None:
        self._rows[key] = row

    def _found(self, keys: Any, default: Any) -> Any:
        """The rows of an array of keys; ``default`` is one row, or one for each key."""
        shape = self._default._a.shape if self._default is not None else ()
        flat = np.asarray(keys).reshape(-1).tolist()
        each = np.broadcast_to(np.asarray(default), (*np.shape(keys), *shape)).reshape((len(flat), *shape))
        found = np.empty((len(flat), *shape), each.dtype)
        for k, key in enumerate(flat):
            found[k] = self._rows.get(key, each[k])
        return found.reshape((*np.shape(keys), *shape))


@intercepted
def _size(table: Table) -> EagerTensor:
    return wrap(np.int64(len(table._rows)))


@intercepted
def _export(table: Table) -> tuple[Any, Any]:
    shape = table._default._a.shape if table._default is not None else ()
    keys = np.empty(len(table._rows), table._key_dtype.numpy)
    values = np.empty((len(table._rows), *shape), table._value_dtype.numpy)
    for k, (key, row) in enumerate(table._rows.items()):
        keys[k], values[k] = key, row
    return wrap(keys), wrap(values)


@intercepted
def looked_up(table: Table, keys: Any, default: Any) -> EagerTensor:
    """The rows of a tensor of keys."""
    return wrap(np.asarray(table._found(keys._a, default._a)))


def by_parts(keys: Any, function: Any) -> Any:
    """A function of the keys of a tensor, or of those in a ragged or sparse one, which keeps its form."""
    if type(keys) is RaggedTensor:
        return keys.with_flat_values(function(keys.flat_values))
    if type(keys) is SparseTensor:
        return SparseTensor(keys.indices, function(keys.values), keys.dense_shape)
    return function(keys)
