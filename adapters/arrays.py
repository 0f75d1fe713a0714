"""Exact arrays: make an `Array` of Python or NumPy values, and a NumPy array of an `Array`.

`array_of(2.0)` is a float32 scalar, `array_of([1, 2], "int64")` a vector; `to_numpy(from_numpy(a))` equals `a` to the
last bit, NaN payloads aside. String elements are text: bytes that are no UTF-8 are kept by surrogate escapes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from adapters.language import Array

# What a bare Python value becomes in TensorFlow.
_DEFAULTS = {bool: "bool", int: "int32", float: "float32", complex: "complex128", str: "string", bytes: "string"}
_BESIDE_NUMPY = ("bfloat16", "float8_e4m3fn", "float8_e5m2", "int4", "uint4")
_KNOWN: dict[str, np.dtype] = {
    name: np.dtype(name)
    for name in (
        "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
        "float16", "float32", "float64", "complex64", "complex128",
    )
}  # fmt: skip
_NAMES: dict[np.dtype, str] = {dtype: name for name, dtype in _KNOWN.items()}


def array_of(value: Any, dtype: str | None = None) -> Array:
    """The `Array` of a Python number, text, or nest of lists of them.

    `dtype` defaults to TensorFlow's choice for the first element (float32, int32, bool, complex128, string).
    """
    flat, shape = _flatten(value)
    name = dtype or (_DEFAULTS[type(flat[0])] if flat else "float32")
    if name == "string":
        return Array(name, shape, tuple(_text(item) for item in flat))
    return from_numpy(np.array(flat, dtype=numpy_dtype(name)).reshape(shape))


def from_numpy(value: Any) -> Array:
    """The `Array` of a NumPy array or scalar, of bytes, or of text."""
    if isinstance(value, (bytes, str)):
        return Array("string", (), (_text(value),))
    array = np.asarray(value)
    name = _NAMES.get(array.dtype) or _name(array.dtype)
    if name == "string":
        return Array(name, array.shape, tuple(_text(item) for item in array.ravel().tolist()))
    if name in _BESIDE_NUMPY:
        array = array.astype(np.int64 if name.endswith("int4") else np.float64)
    return Array(name, array.shape, tuple(array.ravel().tolist()) if array.ndim else (array.item(),))


def to_numpy(array: Array) -> np.ndarray:
    """A new NumPy array with the dtype, shape and values of `array`; strings become an object array of bytes."""
    if array.dtype == "string":
        made = np.empty(len(array.values), dtype=object)
        made[:] = [text.encode("utf-8", "surrogateescape") for text in array.values]
        return made.reshape(array.shape)
    return np.array(array.values, dtype=numpy_dtype(array.dtype)).reshape(array.shape)


def numpy_dtype(name: str) -> np.dtype:
    """The NumPy dtype called `name`; ValueError when there is none.

    bfloat16, 8-bit floats and 4-bit integers come from ml_dtypes.
    """
    if name in _KNOWN:
        return _KNOWN[name]
    if name in _BESIDE_NUMPY:
        import ml_dtypes  # only where such an array occurs: it is an optional dependency

        dtype = np.dtype(getattr(ml_dtypes, name))
        _KNOWN[name] = dtype
        _NAMES[dtype] = name
        return dtype
    raise ValueError(f"no array can have the dtype {name!r}")


def _name(dtype: np.dtype) -> str:
    return "string" if dtype.kind in "OSU" else dtype.name


def _text(item: Any) -> str:
    return item.decode("utf-8", "surrogateescape") if isinstance(item, bytes) else str(item)


def _flatten(value: Any) -> tuple[list[Any], tuple[int, ...]]:
    if not isinstance(value, (list, tuple)):
        return [value], ()
    parts = [_flatten(item) for item in value]
    inner = parts[0][1] if parts else ()
    if any(shape != inner for _, shape in parts):
        raise ValueError("rows of different lengths make no array")
    return [item for flat, _ in parts for item in flat], (len(parts), *inner)
