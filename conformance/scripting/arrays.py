"""Arrays and answers as text: what one writes to make an array, and what Python prints for a value of TensorFlow's.

`constant_text`, `numpy_text` and `variable_text` spell an `Array`; `printed(outcome)` is what `print` shows.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from adapters import observations as seen
from adapters.arrays import to_numpy
from adapters.language import Array

_INFERRED = ("float32", "int32", "bool", "complex128", "string")


def constant_text(array: Array) -> str:
    """`tf.constant(...)` for an array; the dtype is left out where TensorFlow infers it."""
    return f"tf.constant({_with_dtype(array)})"


def variable_text(array: Array, trainable: bool) -> str:
    """`tf.Variable(...)` of an array."""
    suffix = "" if trainable else ", trainable=False"
    if _inferred(array) and 0 not in array.shape:
        return f"tf.Variable({nested(array)}{suffix})"
    return f"tf.Variable({constant_text(array)}{suffix})"


def numpy_text(array: Array) -> str:
    """`np.array(...)`, or a NumPy scalar for shape ()."""
    if array.dtype == "string":
        return (
            repr(array.values[0].encode("utf-8", "surrogateescape"))
            if not array.shape
            else f"np.array({nested(array)})"
        )
    dtype = f"tf.{array.dtype}.as_numpy_dtype" if array.dtype == "bfloat16" else f"np.{array.dtype}"
    if array.dtype == "bool":
        dtype = "np.bool_"
    if not array.shape:
        return f"{dtype}({number_text(array.values[0], array.dtype)})"
    if 0 in array.shape:
        return f"np.zeros({array.shape}, {dtype})"
    return f"np.array({nested(array)}, {dtype})"


def _inferred(array: Array) -> bool:
    return array.dtype in _INFERRED


def _with_dtype(array: Array) -> str:
    if 0 in array.shape:
        return f"[], tf.{array.dtype}, shape={array.shape}"
    return nested(array) if _inferred(array) else f"{nested(array)}, tf.{array.dtype}"


def nested(array: Array) -> str:
    """The values as nested lists."""
    texts = [number_text(value, array.dtype) for value in array.values]
    for length in reversed(array.shape):
        texts = [f"[{', '.join(texts[at : at + length])}]" for at in range(0, len(texts), length)]
    return texts[0]


def number_text(value: Any, dtype: str = "float64") -> str:
    """A number as short as its dtype allows, so that reading it back gives the same value."""
    if isinstance(value, complex):
        return _complex_text(value, "float32" if dtype == "complex64" else "float64")
    if not isinstance(value, float):
        return repr(value)
    if math.isnan(value) or math.isinf(value):
        return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"
    if dtype in ("float32", "float16"):
        return _tidy(str(np.dtype(dtype).type(value)))
    return repr(value)


def _tidy(text: str) -> str:
    return text if "." in text or "e" in text else f"{text}.0"


def _complex_text(value: complex, part: str) -> str:
    real, imaginary = number_text(value.real, part), number_text(value.imag, part)
    plain = all(
        math.isfinite(one) and not (one == 0 and math.copysign(1.0, one) < 0) for one in (value.real, value.imag)
    )
    if not plain:
        return f"complex({real}, {imaginary})"
    return f"{real}+{imaginary}j" if value.imag >= 0 else f"{real}{imaginary}j"


# ---------------------------------------------------------------- what print shows


def printed(outcome: seen.Outcome) -> str | None:
    """What `print` shows for an answer, on one line; None where that depends on the process (variables, contexts)."""
    text: str | None = None
    match outcome:
        case seen.Tensor(array):
            text = f"tf.Tensor({_str(array)}, shape={array.shape}, dtype={array.dtype})"
        case seen.SparseSlices() | seen.Nest():
            text = shown(outcome)
        case seen.Nothing():
            text = "None"
        case seen.Host():
            text = _host_text(outcome, str)
    return None if text is None else " ".join(text.split())


def shown(outcome: seen.Outcome) -> str | None:
    """What an answer looks like inside a list or dict."""
    match outcome:
        case seen.Tensor(array):
            return f"<tf.Tensor: shape={array.shape}, dtype={array.dtype}, numpy={_repr(array)}>"
        case seen.SparseSlices(values, indices, dense_shape):
            parts = [printed(indices), printed(values), printed(dense_shape)]
            if None in parts:
                return None
            shape = "" if isinstance(dense_shape, seen.Nothing) else f", dense_shape={parts[2]}"
            return f"IndexedSlices(indices={parts[0]}, values={parts[1]}{shape})"
        case seen.Nest():
            return _nest_text(outcome)
        case seen.Nothing():
            return "None"
        case seen.Host():
            return _host_text(outcome, repr)
    return None


def holds_slices(outcome: seen.Outcome) -> bool:
    """Whether an answer is a nest with IndexedSlices in it: those print well alone, but not inside a list."""
    return isinstance(outcome, seen.Nest) and any(
        isinstance(item, seen.SparseSlices) or holds_slices(item) for item in outcome.items
    )


def printed_apart(nest: seen.Nest) -> str | None:
    """What `print(*nest)` shows."""
    items = [printed(item) for item in nest.items]
    return None if None in items or any(holds_slices(item) for item in nest.items) else " ".join(map(str, items))


def _nest_text(nest: seen.Nest) -> str | None:
    if nest.kind == "SparseTensor":
        parts = [printed(item) for item in nest.items]
        named = ", ".join(f"{key}={text}" for key, text in zip(nest.keys, parts))
        return None if None in parts else f"SparseTensor({named})"
    items = [shown(item) for item in nest.items]
    if any(item is None for item in items):
        return None
    texts = [str(item) for item in items]
    if nest.kind == "dict":
        return "{" + ", ".join(f"{key!r}: {text}" for key, text in zip(nest.keys, texts)) + "}"
    if nest.kind == "tuple":
        return None if nest.keys else f"({', '.join(texts)}{',' if len(texts) == 1 else ''})"
    return f"[{', '.join(texts)}]"


def _host_text(host: seen.Host, spell: Any) -> str | None:
    if host.type_name == "ndarray":
        return str(spell(to_numpy(host.array)))
    if host.type_name in ("bool", "int", "float", "complex", "str"):
        return str(spell(host.array.values[0]))
    return None


def _str(array: Array) -> str:
    made = to_numpy(array)
    if array.dtype == "string" and not array.shape:
        return str(made[()])
    return str(made)


def _repr(array: Array) -> str:
    made = to_numpy(array)
    if array.shape:
        return repr(made)
    return repr(made[()]) if array.dtype == "string" else repr(made.item())
