"""Exact JSON of plain values: numbers, text, arrays. What `program_json` is made of.

A float is a JSON number by its shortest exact spelling, or the text "nan", "inf", "-inf"; -0.0 keeps its sign. An
integer beyond 2**53 is text, because many readers hold numbers as doubles. A complex number is a pair of floats.
Where the type cannot be known from the place, a float stands as {"float": 1.0}, so that 1 and 1.0 differ everywhere.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any, NoReturn

from adapters.language import Array

Json = Any
_SAFE = 2**53
_WORDS = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}
_FLOAT_DTYPES = {"float16", "float32", "float64", "bfloat16", "float8_e4m3fn", "float8_e5m2"}
_INT_DTYPES = {"int4", "uint4", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"}


class ProgramError(ValueError):
    """The JSON is no program (or no observation). The message is one sentence that says where and why."""


def expect(condition: bool, sentence: str) -> None:
    """Raise ProgramError(sentence) unless `condition`."""
    if not condition:
        raise ProgramError(sentence)


def canonical(data: Json) -> str:
    """JSON data as one line: sorted keys, no spaces, ASCII."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), allow_nan=False)


def write_float(value: float) -> Json:
    value = float(value)
    if math.isfinite(value):
        return value
    return "nan" if value != value else "inf" if value > 0 else "-inf"


def read_float(data: Json) -> float:
    if type(data) is float:
        return data
    if type(data) is int:
        return float(data)
    if type(data) is not str or data not in _WORDS:
        raise ProgramError(f"{data!r} is no float")
    return _WORDS[data]


def write_int(value: int) -> Json:
    value = int(value)
    return value if -_SAFE <= value <= _SAFE else str(value)


def read_int(data: Json) -> int:
    if type(data) is int:
        return data
    try:
        return int(data) if type(data) is str else _no_integer(data)
    except ValueError:
        return _no_integer(data)


def _no_integer(data: Json) -> NoReturn:
    raise ProgramError(f"{data!r} is no integer")


def write_complex(value: complex) -> Json:
    return [write_float(value.real), write_float(value.imag)]


def read_complex(data: Json) -> complex:
    expect(type(data) is list and len(data) == 2, f"{data!r} is no pair of a real and an imaginary part")
    return complex(read_float(data[0]), read_float(data[1]))


def read_bool(data: Json) -> bool:
    if type(data) is not bool:
        raise ProgramError(f"{data!r} is not true or false")
    return data


def read_text(data: Json) -> str:
    if type(data) is not str:
        raise ProgramError(f"{data!r} is no text")
    return data


def write_scalar(value: Any) -> Json:
    """A Python None, bool, int, float, complex, str or bytes, so that its type can be read back."""
    match value:
        case None | bool() | str():
            return value
        case int():
            return value if -_SAFE <= value <= _SAFE else {"int": str(value)}
        case float():
            return {"float": write_float(value)}
        case complex():
            return {"complex": write_complex(value)}
        case bytes():
            return {"bytes": value.hex()}
    raise ProgramError(f"a value of the type {type(value).__name__} cannot be written in a program")


_SCALARS: dict[str, Callable[[Json], Any]] = {
    "int": read_int,
    "float": read_float,
    "complex": read_complex,
    "bytes": lambda data: bytes.fromhex(read_text(data)),
}


def read_scalar(data: Json) -> Any:
    """The value that `write_scalar` wrote."""
    if data is None or type(data) in (bool, str, int):
        return data
    expect(type(data) is dict and len(data) == 1, f"{data!r} is no plain value")
    ((kind, inner),) = data.items()
    expect(kind in _SCALARS, f"{kind!r} is no type of a plain value")
    try:
        return _SCALARS[kind](inner)
    except ProgramError:
        raise
    except ValueError:
        raise ProgramError(f"{inner!r} is no value of the type {kind}") from None


_ARRAY_FIELDS = {"dtype", "shape", "values"}


def _element(dtype: str) -> tuple[Callable[[Any], Json], Callable[[Json], Any]]:
    if dtype in _FLOAT_DTYPES:
        return write_float, read_float
    if dtype in _INT_DTYPES:
        return write_int, read_int
    if dtype in ("complex64", "complex128"):
        return write_complex, read_complex
    if dtype == "bool":
        return bool, read_bool
    if dtype == "string":
        return str, read_text
    raise ProgramError(f"{dtype!r} is no dtype of an array")


def write_array(array: Array) -> Json:
    """{"dtype": ..., "shape": [...], "values": [...]}, values in row-major order."""
    write, _ = _element(array.dtype)
    return {
        "dtype": array.dtype,
        "shape": [int(size) for size in array.shape],
        "values": [write(value) for value in array.values],
    }


def read_array(data: Json) -> Array:
    """The `Array` that `write_array` wrote; ProgramError when sizes and values do not fit."""
    if type(data) is not dict or data.keys() != _ARRAY_FIELDS:
        raise ProgramError("an array is an object with the fields dtype, shape and values, and no others")
    dtype, sizes, listed = data["dtype"], data["shape"], data["values"]
    _, read = _element(read_text(dtype))
    if type(sizes) is not list or type(listed) is not list:
        raise ProgramError("an array has a list of sizes and a list of values")
    shape = tuple([read_int(size) for size in sizes])
    values = tuple([read(value) for value in listed])
    if len(values) != math.prod(shape) or any(size < 0 for size in shape):
        raise ProgramError(f"{len(values)} values do not fill the shape {shape}")
    return Array(dtype, shape, values)
