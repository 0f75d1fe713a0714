"""What tables are made of: keys and values in tensors, or the lines of a file."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import as_dtype, int64, string
from ..errors import NotFoundError
from ..tensors.conversion import constant, convert_to_tensor


class Typed:
    """What has keys of one dtype and values of another."""

    _key_dtype: Any
    _value_dtype: Any

    @property
    def key_dtype(self) -> Any:
        """The dtype of the keys."""
        return self._key_dtype

    @property
    def value_dtype(self) -> Any:
        """The dtype of the values."""
        return self._value_dtype


class KeyValueTensorInitializer(Typed):
    """Keys and their values, tensors of one shape.  ValueError where a dtype is asked for and not had."""

    def __init__(self, keys: Any, values: Any, key_dtype: Any = None, value_dtype: Any = None, name: str | None = None):
        self._keys, self._values = convert_to_tensor(keys, key_dtype), convert_to_tensor(values, value_dtype)
        self._key_dtype, self._value_dtype = self._keys.dtype, self._values.dtype

    def _pairs(self) -> tuple[Any, Any]:
        return self._keys._a, self._values._a


class TextFileIndex:
    """What of a line is a key or a value, instead of the number of a column."""

    WHOLE_LINE = -2
    LINE_NUMBER = -1


class TextFileInitializer(Typed):
    """The lines of a file, their numbers, or columns of them, as keys and values."""

    def __init__(
        self, filename: Any, key_dtype: Any, key_index: int, value_dtype: Any, value_index: int,
        vocab_size: int | None = None, delimiter: str = "\t", name: str | None = None, value_index_offset: int = 0,
    ):  # fmt: skip
        self._key_dtype, self._value_dtype = as_dtype(key_dtype), as_dtype(value_dtype)
        for what, index, dtype in (("key", key_index, self._key_dtype), ("value", value_index, self._value_dtype)):
            if index == TextFileIndex.LINE_NUMBER and dtype is not int64:
                raise ValueError(
                    f"`{what}_dtype` must be int64 if `{what}_index` is {TextFileIndex.LINE_NUMBER}, "
                    f"received: {dtype!r}"
                )
        self._filename, self._indices = filename, (key_index, value_index)
        self._size, self._delimiter, self._offset = vocab_size, delimiter.encode(), value_index_offset

    def _pairs(self) -> tuple[Any, Any]:
        path = str(getattr(self._filename, "numpy", lambda: self._filename)())
        try:
            with open(path, "rb") as file:
                lines = file.read().split(b"\n")
        except OSError as error:
            raise NotFoundError(None, None, f"{path}; {error.strerror}") from None
        lines = (lines[:-1] if lines and not lines[-1] else lines)[: self._size]
        dtypes = (self._key_dtype, self._value_dtype)
        keys, values = (self._column(lines, index, dtype) for index, dtype in zip(self._indices, dtypes))
        return keys, values + self._offset if self._indices[1] == TextFileIndex.LINE_NUMBER else values

    def _column(self, lines: list[bytes], index: int, dtype: Any) -> Any:
        if index == TextFileIndex.LINE_NUMBER:
            return np.arange(len(lines), dtype=np.int64)
        texts = lines if index == TextFileIndex.WHOLE_LINE else [x.split(self._delimiter)[index] for x in lines]
        return constant(texts, string)._a if dtype is string else np.array([dtype.numpy.type(t) for t in texts])
