"""``constant``, ``convert_to_tensor`` and the rules by which Python and NumPy values become tensors.

A Python float becomes float32, an int int32 (int64 when it does not fit), a complex complex128; NumPy values keep
their dtype; lists are packed, also lists that hold tensors (that packing is an op, recorded by tapes).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from . import dtypes
from .dtypes import DType, as_dtype, kernel_name
from .tensor import EagerTensor, wrap

_PYTHON_KINDS = {bool: "b", int: "i", float: "f", complex: "c", str: "S", bytes: "S"}
_FITS = {"b": "b", "i": "iufc", "f": "fc", "c": "c", "S": "O"}


def unsupported(value: Any) -> ValueError:
    """TensorFlow's error for a value that is no tensor and cannot become one."""
    return ValueError(f"Attempt to convert a value ({value!r}) with an unsupported type ({type(value)!r}) to a Tensor.")


def cannot_convert(value: Any, dtype: np.dtype) -> TypeError:
    """TensorFlow's error for a Python value that does not fit a dtype."""
    return TypeError(f"Cannot convert {value!r} to EagerTensor of dtype {kernel_name(dtype)}")


def constant(value: Any, dtype: Any = None, shape: Any = None, name: str = "Const") -> EagerTensor:
    """A tensor with a fixed value (``tf.constant``).

    ``shape`` reshapes, or fills the shape with a single value.  A Tensor is returned as it is.  ValueError or
    TypeError as in TensorFlow for values that have no tensor form or do not fit ``dtype``.
    """
    want = None if dtype is None else as_dtype(dtype)
    if type(value) is EagerTensor:
        if want is not None and value.dtype is not want:
            raise TypeError(f"Expected tensor with type {want!r} not {value.dtype!r}")
        return value if shape is None else _reshaped(value._a, shape)
    a = _array(value, want)
    return wrap(a) if shape is None else _reshaped(a, shape)


def _reshaped(a: Any, shape: Any) -> EagerTensor:
    shape = tuple(int(d) for d in shape)
    size = 1
    for d in shape:
        size *= d
    if a.size == size:
        return wrap(a.reshape(shape))
    if a.size == 1:
        return wrap(np.full(shape, a.reshape(())[()], a.dtype))
    raise TypeError(
        "Eager execution of tf.constant with unsupported shape. Tensor "
        f"{wrap(a)} (converted from {a!r}) has {a.size:d} elements, but got `shape` {shape} with {size} elements)."
    )


def convert_to_tensor(value: Any, dtype: Any = None, dtype_hint: Any = None, name: str | None = None) -> EagerTensor:
    """``value`` as a Tensor (``tf.convert_to_tensor``): a Tensor comes back as it is, a Variable is read.

    ``dtype`` is required of the result, ``dtype_hint`` only tried.  ValueError when a Tensor has another dtype.
    """
    want = None if dtype is None else as_dtype(dtype)
    convert = getattr(type(value), "_dense_", None)
    if convert is not None:
        value = convert(value, want)
    if type(value) is EagerTensor:
        if want is not None and value.dtype is not want:
            raise ValueError(
                f"Tensor conversion requested dtype {want.name} for Tensor with dtype {value.dtype.name}: {value!r}"
            )
        return value
    if want is None and dtype_hint is not None:
        try:
            return _from_python(value, as_dtype(dtype_hint))
        except (TypeError, ValueError):
            pass
    return _from_python(value, want)


def _from_python(value: Any, want: DType | None) -> EagerTensor:
    if type(value) in (list, tuple) and _holds_tensor(value):
        return _pack(value, want)
    return wrap(_array(value, want))


def _holds_tensor(value: Any) -> bool:
    if type(value) in (list, tuple):
        return any(_holds_tensor(v) for v in value)
    return type(value) is EagerTensor or hasattr(type(value), "_dense_")


def _pack(values: Any, want: DType | None) -> EagerTensor:
    from .ops.shaping import stack

    if want is None:
        want = next((t.dtype for t in _flat(values) if type(t) is EagerTensor or hasattr(type(t), "_dense_")), None)
    return stack([convert_to_tensor(v, want) for v in values], axis=0, name="packed")


def _flat(values: Any) -> Any:
    for v in values:
        if type(v) in (list, tuple):
            yield from _flat(v)
        else:
            yield v


def _array(value: Any, want: DType | None) -> Any:
    """A new array (or NumPy scalar) of the value."""
    kind = type(value)
    if kind in (float, int, bool, complex):
        return _number(value, want)
    if hasattr(value, "__array_function__") and kind is not np.ndarray and not isinstance(value, np.generic):
        return value  # an array type with NumPy's protocols stays what it is
    if isinstance(value, (np.ndarray, np.generic)):
        return _of_numpy(value, want)
    if kind in (str, bytes):
        return _of_strings(np.array(value, dtype=object), value, want)
    if isinstance(value, (list, tuple, range)):
        return _of_list(value, want)
    if value is None:
        raise unsupported(value)
    if hasattr(value, "__array__"):
        return _of_numpy(np.asarray(value), want)
    raise unsupported(value)


def _number(value: Any, want: DType | None) -> Any:
    if want is None:
        if type(value) is int:
            if not -(2**63) <= value < 2**63:
                raise OverflowError("Python int too large to convert to C long")
            return np.int32(value) if -(2**31) <= value < 2**31 else np.int64(value)
        return {float: np.float32, bool: np.bool_, complex: np.complex128}[type(value)](value)
    target = want.numpy
    if target.kind not in _allowed(type(value)) and target.kind != "V":
        raise cannot_convert(value, target)
    if target.kind in "iu":
        info = np.iinfo(target)
        if not info.min <= value <= info.max:
            raise cannot_convert(value, target)
    with np.errstate(all="ignore"):
        return target.type(value)


def _allowed(kind: type) -> str:
    return {bool: "b", int: "iufc", float: "fc", complex: "c"}[kind]


def _of_numpy(value: Any, want: DType | None) -> Any:
    if value.dtype.kind in "SUO":
        return _of_strings(np.asarray(value, dtype=object), value, want)
    native = value.dtype.newbyteorder("=")
    dtypes.of(native)
    if want is None:
        return np.array(value, dtype=native)[()]
    target = want.numpy
    if not _numpy_fits(native, target, value):
        raise cannot_convert(value, target)
    with np.errstate(all="ignore"):
        return np.array(value).astype(target)[()]


def _numpy_fits(have: np.dtype, want: np.dtype, value: Any) -> bool:
    if have == want or want.kind == "V" or have.kind == "V":
        return True
    if want.kind == "O" or (want.kind == "b") != (have.kind == "b"):
        return False
    return not (have.kind == "c" and want.kind != "c")


def _of_strings(a: np.ndarray, value: Any, want: DType | None) -> np.ndarray:
    if want is not None and want is not dtypes.string:
        raise cannot_convert(value, want.numpy)
    flat = [v.encode() if isinstance(v, str) else v for v in a.ravel().tolist()]
    for v in flat:
        if not isinstance(v, bytes):
            raise unsupported(v)
    out = np.empty(len(flat), dtype=object)
    out[:] = flat
    return out.reshape(a.shape)


def _of_list(value: Any, want: DType | None) -> Any:
    shape = _list_shape(value)
    leaves = list(_leaves(value, shape, 0, value))
    if not leaves:
        return np.zeros(shape, dtypes.F32 if want is None else want.numpy)
    kinds = {type(v) if type(v) in _PYTHON_KINDS else None for v in leaves}
    if None in kinds:
        return _of_mixed(leaves, shape, want, value)
    letters = {_PYTHON_KINDS[k] for k in kinds if k is not None}
    if "S" in letters:
        if letters != {"S"}:
            raise ValueError("Can't convert Python sequence with mixed types to Tensor.")
        return _of_strings(np.array(leaves, dtype=object).reshape(shape), value, want)
    if want is None:
        return _infer(leaves, letters).reshape(shape)
    for v in leaves:
        if want.numpy.kind != "V" and want.numpy.kind not in _allowed(type(v)):
            raise cannot_convert(v, want.numpy)
    return np.array([_number(v, want) for v in leaves], want.numpy).reshape(shape)


def _infer(leaves: list, letters: set[str]) -> np.ndarray:
    if letters == {"b"}:
        return np.array(leaves, np.bool_)
    if "b" in letters:
        raise ValueError("Can't convert Python sequence with mixed types to Tensor.")
    if "c" in letters:
        return np.array(leaves, np.complex128)
    if "f" in letters:
        with np.errstate(all="ignore"):
            return np.array(leaves, np.float32)
    small = all(-(2**31) <= v < 2**31 for v in leaves)
    return np.array(leaves, np.int32 if small else np.int64)


def _of_mixed(leaves: list, shape: tuple[int, ...], want: DType | None, value: Any) -> Any:
    """Leaves that are NumPy scalars or arrays, alone or among Python numbers."""
    if want is None:
        first = next((v.dtype for v in leaves if isinstance(v, (np.generic, np.ndarray))), None)
        if first is None:
            bad = next(v for v in leaves if type(v) not in _PYTHON_KINDS)
            raise unsupported(bad)
        want = dtypes.string if first.kind in "SU" else dtypes.of(first)
    parts = [_array(v, want) for v in leaves]
    if len({p.shape for p in parts}) > 1:
        raise ValueError("Can't convert non-rectangular Python sequence to Tensor.")
    return np.array(parts, want.numpy).reshape(shape + parts[0].shape)


def _list_shape(value: Any) -> tuple[int, ...]:
    shape: list[int] = []
    while isinstance(value, (list, tuple, range)):
        shape.append(len(value))
        if not value:
            break
        value = value[0]
    return tuple(shape)


def _leaves(value: Any, shape: tuple[int, ...], depth: int, whole: Any) -> Any:
    if depth == len(shape):
        if isinstance(value, (list, tuple)):
            raise ValueError("Can't convert non-rectangular Python sequence to Tensor.")
        yield value
        return
    if not isinstance(value, (list, tuple, range)) or len(value) != shape[depth]:
        raise ValueError("Can't convert non-rectangular Python sequence to Tensor.")
    for v in value:
        yield from _leaves(v, shape, depth + 1, whole)
