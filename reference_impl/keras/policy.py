"""Keras's global settings: the default float dtype and the small number of its losses."""

from __future__ import annotations

from typing import Any

from ..dtypes import as_dtype

_SETTINGS: dict[str, Any] = {"floatx": "float32", "epsilon": 1e-7}
IMAGE_DATA_FORMAT = "channels_last"


def floatx() -> str:
    """The name of the default float dtype."""
    return _SETTINGS["floatx"]


def set_floatx(value: str) -> None:
    """Set the default float dtype.  ValueError for what is none."""
    if value not in ("bfloat16", "float16", "float32", "float64"):
        raise ValueError(f"Unknown `floatx` value: {value}. Expected one of bfloat16, float16, float32, float64")
    _SETTINGS["floatx"] = value


def epsilon() -> float:
    """What losses and normalisations keep away from zero by."""
    return _SETTINGS["epsilon"]


def set_epsilon(value: float) -> None:
    """Set the number that ``epsilon`` gives."""
    _SETTINGS["epsilon"] = value


_OF_PYTHON = {bool: "bool", int: "int64", float: "float32", str: "string", complex: "complex128"}


def standardize_dtype(dtype: Any) -> str:
    """The name of a dtype; the default one for None.  ValueError for what is none."""
    if dtype is None:
        return floatx()
    if isinstance(dtype, dict):  # as configurations have it
        return str(dtype["config"]["name"])
    if isinstance(dtype, type) and dtype in _OF_PYTHON:
        return _OF_PYTHON[dtype]
    named = isinstance(dtype, str)
    if named and dtype == "int":
        return "int64"
    if named and dtype == "float":  # a name of NumPy's, not of Keras's
        raise ValueError(f"Invalid dtype: {dtype}")
    try:
        if isinstance(dtype, int):  # TensorFlow's numbers of dtypes are no names to Keras
            raise TypeError
        return as_dtype(dtype).name
    except TypeError:
        raise ValueError(f"Invalid dtype: {dtype}") from None
