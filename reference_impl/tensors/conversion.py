"""``constant``, ``convert_to_tensor`` and the rules by which Python and NumPy values become tensors.

A Python float becomes float32, an int int32 (int64 when it does not fit), a complex complex128; NumPy values keep
their dtype; lists are packed, also lists that hold tensors (that packing is an op, recorded by tapes).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from .. import dtypes
from ..dtypes import DType, as_dtype, kernel_name
from ..foundation.floating_point import silent
from .shapes import TensorShape
from .tensor import EagerTensor, wrap

_SEQUENCES = (list, tuple, range)
_BEYOND = float(np.finfo(np.float32).max) * (1 + 2.0**-25)  # what float32 rounds to infinity
_NUMPY_NAMES = {"longdouble": "LONGDOUBLE", "clongdouble": "CLONGDOUBLE"}


def unsupported(value: Any) -> ValueError:
    """TensorFlow's error for a value that is no tensor and cannot become one."""
    return ValueError(f"Attempt to convert a value ({value!r}) with an unsupported type ({type(value)!r}) to a Tensor.")


def cannot_convert(value: Any, dtype: np.dtype) -> TypeError:
    """TensorFlow's error for a Python value that does not fit a dtype."""
    return TypeError(f"Cannot convert {value!r} to EagerTensor of dtype {kernel_name(dtype)}")


def _mixed() -> ValueError:
    return ValueError("Can't convert Python sequence with mixed types to Tensor.")


def _ragged() -> ValueError:
    return ValueError("Can't convert non-rectangular Python sequence to Tensor.")


def constant(value: Any, dtype: Any = None, shape: Any = None, name: str = "Const") -> EagerTensor:
    """A tensor with a fixed value (``tf.constant``).

    ``shape`` reshapes, or fills the shape with a single value.  A Tensor is returned as it is.  ValueError or
    TypeError as in TensorFlow for values that have no tensor form or do not fit ``dtype``.
    """
    want = None if dtype is None else as_dtype(dtype)
    convert = getattr(type(value), "_dense_", None)
    if convert is not None:
        return _detached(value, convert(value), want, shape)
    if isinstance(value, TensorShape):
        value = value.as_list()
    if type(value) is EagerTensor:
        if want is not None and value.dtype is not want:
            raise TypeError(f"Expected tensor {value.numpy()} with dtype {want!r}, but got dtype {value.dtype!r}.")
        return value if shape is None else _reshaped(value._a, shape, value)
    if type(value) in (list, tuple) and any(type(v) is EagerTensor for v in value[:1]):
        raise ValueError("TypeError: Scalar tensor has no `len()`")
    a = array_of(value, want)
    return wrap(a) if shape is None else _reshaped(a, shape, value)


def _detached(value: Any, dense: EagerTensor, want: DType | None, shape: Any) -> EagerTensor:
    """The value of a variable, by way of NumPy: in any dtype, and no tape knows where it is from.

    NotImplementedError in a trace, ValueError for slices.
    """
    if not hasattr(type(value), "__array__"):
        raise unsupported(value)
    if type(dense) is not EagerTensor:
        raise NotImplementedError("numpy() is only available when eager execution is enabled.")
    a = array_of(np.asarray(dense._a), want)
    return wrap(a) if shape is None else _reshaped(a, shape, value)


def _reshaped(a: Any, shape: Any, value: Any) -> EagerTensor:
    want = tuple(int(d) for d in TensorShape(shape))
    size = math.prod(want)
    if a.size == size:
        return wrap(a.reshape(want))
    if a.size == 1:
        return wrap(np.broadcast_to(a.reshape(()), want).copy())
    raise TypeError(
        f"Eager execution of tf.constant with unsupported shape. Tensor {wrap(a).numpy()} (converted from {value}) has "
        f"{a.size:d} elements, but got `shape` {want} with {size} elements)."
    )


def convert_to_tensor(value: Any, dtype: Any = None, dtype_hint: Any = None, name: str | None = None) -> EagerTensor:
    """``value`` as a Tensor (``tf.convert_to_tensor``): a Tensor comes back as it is, a Variable is read.

    ``dtype`` is required of the result, ``dtype_hint`` only tried.  ValueError when a Tensor has another dtype.
    """
    if type(value) is EagerTensor:
        if dtype is not None and value.dtype is not as_dtype(dtype):
            want = as_dtype(dtype).name
            raise ValueError(
                f"Tensor conversion requested dtype {want} for Tensor with dtype {value.dtype.name}: {value!r}"
            )
        return value
    want = None if dtype is None else as_dtype(dtype)
    convert = getattr(type(value), "_dense_", None)
    if convert is not None:
        return convert(value, want)
    if want is None and dtype_hint is not None:
        try:
            return _from_python(value, as_dtype(dtype_hint))
        except (TypeError, ValueError):
            return _from_python(value, None)
    return _from_python(value, want)


def _from_python(value: Any, want: DType | None) -> EagerTensor:
    if type(value) in (list, tuple) and _holds_tensor(value):
        return _pack(value, want)
    if isinstance(value, TensorShape):
        if not value.is_fully_defined():
            raise ValueError(f"Cannot convert a partially known TensorShape {value} to a Tensor.")
        return wrap(np.array(value.as_list(), np.int32 if want is None else want.numpy))
    return wrap(array_of(value, want))


def _holds_tensor(value: Any) -> bool:
    if type(value) in (list, tuple):
        return any(_holds_tensor(v) for v in value)
    return type(value) is EagerTensor or hasattr(type(value), "_dense_")


def _pack(values: Any, want: DType | None) -> EagerTensor:
    """A list with tensors in it, stacked, all cast to ``want``; without it Python numbers take a tensor's dtype."""
    from ..ops.casting import cast
    from ..ops.shaping import stack

    given = want
    if want is None:
        want = next(t.dtype for t in _flat(values) if type(t) is EagerTensor or hasattr(type(t), "_dense_"))
    parts = []
    for v in values:
        if type(v) in (list, tuple) and _holds_tensor(v):
            parts.append(_pack(v, want))
        else:
            v = v if type(v) is EagerTensor else convert_to_tensor(v, None if hasattr(type(v), "_dense_") else want)
            parts.append(cast(v, given) if given is not None and v.dtype is not given else v)
    return stack(parts, axis=0, name="packed")


def _flat(values: Any) -> Iterator[Any]:
    for v in values:
        if type(v) in (list, tuple):
            yield from _flat(v)
        else:
            yield v


def array_of(value: Any, want: DType | None) -> Any:
    """A new array (a NumPy scalar at rank 0) of a Python or NumPy value."""
    kind = type(value)
    if kind in (float, int, bool, complex):
        return _number(value, want)
    if isinstance(value, np.ndarray):
        return _of_numpy(value, want)
    if isinstance(value, np.generic) and not isinstance(value, (str, bytes)):
        return _of_numpy(np.asarray(value), want)[()]
    if isinstance(value, (str, bytes)):
        return _of_strings([value], (), value, want)
    if isinstance(value, _SEQUENCES):
        return _of_sequence(value, want)
    if hasattr(value, "__array_ufunc__") and hasattr(value, "__array_function__"):
        return value  # an array type with NumPy's protocols stays what it is
    if value is not None and hasattr(value, "__array__"):
        return _of_numpy(np.asarray(value), want)
    raise unsupported(value)


def _number(value: Any, want: DType | None) -> Any:
    """A Python number as a NumPy scalar; what does not fit wraps around or is infinite where a dtype is asked for."""
    if type(value) is float and (want is None or want is dtypes.float32) and -3e38 < value < 3e38:
        return np.float32(value)
    target = (want or _natural(value)).numpy
    if not _fits(type(value), target):
        raise cannot_convert(value, target)
    if type(value) is int and not -(2**63) <= value < 2**63:
        value = _large(value, target)
    if target.kind in "iu":
        return np.array(int(value) & ((1 << 8 * target.itemsize) - 1), f"u{target.itemsize}").view(target)[()]
    with silent():
        return target.type(value)


def _large(value: int, target: np.dtype) -> int | float:
    """An integer beyond int64: only floating-point types and uint64 take one."""
    if target.kind == "f" and abs(value) < 2**1024:
        return float(value)
    if target == np.uint64 and 0 <= value < 2**64:
        return value
    raise _beyond()


def _beyond() -> ValueError:
    return ValueError("Can't convert Python sequence with out-of-range integer to Tensor.")


def _natural(value: Any) -> DType:
    """The dtype of a Python number by itself."""
    if type(value) is int:
        if not -(2**63) <= value < 2**63:
            raise _beyond()
        return dtypes.int32 if -(2**31) <= value < 2**31 else dtypes.int64
    if type(value) is float:
        _check_range(value)
    return {float: dtypes.float32, bool: dtypes.bool_, complex: dtypes.complex128}[type(value)]


def _check_range(value: float) -> None:
    """Python floats become float32 by themselves, when they fit."""
    if abs(value) >= _BEYOND and not math.isinf(value):
        raise ValueError("Can't convert Python sequence with a value out of range for a double-precision float.")


def _fits(kind: type, target: np.dtype) -> bool:
    """True when a Python number of this type may become an element of ``target``."""
    if target.kind == "V":  # bfloat16 and other types of ml_dtypes
        return kind is not complex
    return target.kind in {bool: "biufc", int: "iufc", float: "fc", complex: "c"}[kind]


def _of_numpy(value: np.ndarray, want: DType | None) -> Any:
    if value.dtype.kind in "SUO":
        return _of_strings(value.ravel().tolist(), value.shape, value, want)
    if value.dtype.kind in "mM" or value.dtype.name in _NUMPY_NAMES or value.dtype.itemsize > 16:
        word = {"m": "TIMEDELTA", "M": "DATETIME"}.get(value.dtype.kind, "LONGDOUBLE")
        raise ValueError(f"Failed to convert a NumPy array to a Tensor (Unsupported numpy type: NPY_{word}).")
    native = value.dtype if value.dtype.isnative else value.dtype.newbyteorder("=")
    dtypes.of(native)
    with silent():
        return np.array(value, dtype=native if want is None else want.numpy)[()]


def _of_strings(values: list, shape: tuple[int, ...], value: Any, want: DType | None) -> np.ndarray:
    if want is not None and want is not dtypes.string:
        raise cannot_convert(value, want.numpy)
    out = np.empty(len(values), dtype=object)
    for k, v in enumerate(values):
        if not isinstance(v, (str, bytes)):
            kind = type(v).__name__
            raise ValueError(f"Failed to convert a NumPy array to a Tensor (Unsupported object type {kind}).")
        out[k] = v.encode() if isinstance(v, str) else bytes(v)
    return out.reshape(shape)


def _of_sequence(value: Any, want: DType | None) -> Any:
    shape = _shape_of(value)
    leaves = list(_leaves(value, shape, 0))
    if not leaves:
        return np.zeros(shape, dtypes.F32 if want is None else want.numpy)
    first = leaves[0]
    if isinstance(first, np.ndarray) or (hasattr(first, "__array_function__") and not isinstance(first, np.generic)):
        return _of_arrays(leaves, shape, want)
    if isinstance(first, (str, bytes)):
        if not all(isinstance(v, (str, bytes)) for v in leaves):
            raise _mixed()
        return _of_strings(leaves, shape, value, want)
    plain = [v.item() if isinstance(v, np.generic) else v for v in leaves]
    if type(plain[0]) not in (bool, int, float, complex):
        raise unsupported(first)
    target = want or _common(plain, first)
    if not all(type(v) in (bool, int, float, complex) for v in plain):
        raise _mixed()
    if want is not None:
        fits = all(_fits(type(v), target.numpy) for v in plain)
        direct = target.numpy.kind in "fiu" or target is dtypes.complex128
        if not (fits and direct):  # TensorFlow finds the dtype of the list itself, and casts
            _common(plain, first)
        if not fits:
            raise cannot_convert(value, target.numpy)
    elif target is dtypes.float32:
        for v in plain:
            _check_range(v)
    return np.array([_number(v, target) for v in plain], target.numpy).reshape(shape)


def _common(plain: list, first: Any) -> DType:
    """The dtype of a list of numbers: that of the first, except that floats make a list of integers float32."""
    kinds = {type(v) for v in plain}
    if not kinds <= {bool, int, float, complex}:
        raise _mixed()
    if isinstance(first, np.floating):
        return dtypes.of(first.dtype)
    lead = type(plain[0])
    if (lead is bool and kinds != {bool}) or (complex in kinds and lead is not complex):
        raise _mixed()
    if lead is complex:
        return dtypes.complex128
    if lead is bool:
        return dtypes.bool_
    if float in kinds:
        return dtypes.float32
    return dtypes.int64 if any(_natural(int(v)) is dtypes.int64 for v in plain) else dtypes.int32


def _of_arrays(leaves: list, shape: tuple[int, ...], want: DType | None) -> Any:
    parts = [array_of(v, want) for v in leaves]
    if len({p.shape for p in parts}) > 1:
        raise _ragged()
    return np.stack(parts).reshape(shape + parts[0].shape)


def _shape_of(value: Any) -> tuple[int, ...]:
    """The shape the first elements suggest; arrays inside count as sequences when lists stand beside them."""
    shape: list[int] = []
    while isinstance(value, _SEQUENCES):
        shape.append(len(value))
        if not len(value):
            break
        if any(isinstance(v, np.ndarray) for v in value) and any(isinstance(v, _SEQUENCES) for v in value):
            return (*shape, *np.shape(value[0]))
        value = value[0]
    return tuple(shape)


def _leaves(value: Any, shape: tuple[int, ...], depth: int) -> Iterator[Any]:
    if depth == len(shape):
        if isinstance(value, _SEQUENCES):
            raise _mixed()
        yield value
        return
    if isinstance(value, np.ndarray) and value.ndim == len(shape) - depth and value.shape == shape[depth:]:
        yield from value.ravel()
        return
    if not isinstance(value, _SEQUENCES) or len(value) != shape[depth]:
        raise _ragged()
    for v in value:
        yield from _leaves(v, shape, depth + 1)
