"""Which dtype a function of ``keras.ops`` computes in: Keras's lattice of dtypes, in which Python numbers are weak.

    result_type("int32", "float16")     # float16
    result_type("float32", int)         # float32: the type of a Python number says its kind alone
    a, b = pair(x, 2)                   # two tensors of one dtype

``pair`` lets Python numbers be weak; ``both`` makes tensors of them first, as the comparisons of Keras do.
"""

from __future__ import annotations

import functools
from typing import Any

import reference_impl as tf

from ...tensors.tensor import EagerTensor
from ..policy import floatx, standardize_dtype
from ..symbolic import KerasTensor
from ..variables import Variable

# What stands immediately above each dtype; "int" and "float" are what Python numbers are.
_ABOVE: dict[str, tuple[str, ...]] = {
    "bool": ("int",), "uint8": ("int16", "uint16"), "uint16": ("int32", "uint32"), "uint32": ("int64", "uint64"),
    "uint64": ("float",), "int": ("uint8", "int8", "complex64"), "int8": ("int16",), "int16": ("int32",),
    "int32": ("int64",), "int64": ("float",), "float": ("bfloat16", "float16"), "bfloat16": ("float32",),
    "float16": ("float32",), "float32": ("float64", "complex64"), "float64": ("complex128",),
    "complex64": ("complex128",), "complex128": (),
}  # fmt: skip
WHOLE = ("uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64")
_NARROWED = {"uint64": "uint32", "complex128": "complex64"}  # what functions give nevertheless
_FLOAT8 = ("float8_e4m3fn", "float8_e5m2")


@functools.cache
def _bounds(name: str) -> frozenset[str]:
    """A dtype and all that stand above it.  ValueError for what takes no part."""
    if name not in _ABOVE:
        raise ValueError(f"dtype={name!r} is not a valid dtype for Keras type promotion.")
    return frozenset({name}).union(*(_bounds(above) for above in _ABOVE[name]))


@functools.cache
def _least(names: frozenset[str]) -> str:
    common = frozenset.intersection(*(_bounds(name) for name in names))
    found = (common & names) or {name for name in common if common <= _bounds(name)}
    if len(found) != 1:
        raise ValueError(
            f"Input dtypes {tuple(sorted(names))} have no available implicit dtype promotion path. Try explicitly "
            "casting inputs to the desired output type."
        )
    return next(iter(found))


def result_type(*dtypes: Any) -> str:
    """The name of the dtype in which dtypes meet; ``int`` and ``float`` stand for Python numbers, None for ``floatx``.

    ValueError for dtypes that meet nowhere, and for those of 8 bits.
    """
    names, weak = [], []
    for dtype in dtypes or (None,):
        is_weak = dtype is int or dtype is float
        names.append(dtype.__name__ if is_weak else standardize_dtype(floatx() if dtype is None else dtype))
        weak.append(is_weak)
    if any(name in _FLOAT8 for name in names):
        raise ValueError(
            "There is no implicit conversions from float8 dtypes to others. You must cast it internally. "
            f"Received: {dtypes}"
        )
    found = names[0] if len(set(names)) == 1 else _least(frozenset(names))
    if found in ("int", "float"):
        return f"{found}{floatx()[-2:]}"
    return _NARROWED.get(found, found)


def tensor(x: Any, dtype: Any = None) -> EagerTensor:
    """A tensor, of a dtype when it is given (cast to it, whatever the value is made of)."""
    if isinstance(x, Variable):
        x = x.value
    if dtype is None:
        return tf.convert_to_tensor(x)
    name = standardize_dtype(dtype)
    if tf.is_tensor(x) or name == "bool" or name in WHOLE:
        made = tf.convert_to_tensor(x)
        return made if made.dtype.name == name else tf.cast(made, name)
    return tf.convert_to_tensor(x, name)


def is_whole(name: str) -> bool:
    """Whether a dtype holds whole numbers (truth values do not count)."""
    return "int" in name


def is_number(x: Any) -> bool:
    """Whether Keras lets a value be weak: a Python number."""
    return isinstance(x, (int, float))


def dtype_of(x: Any) -> Any:
    """The name of the dtype of a tensor or array, the type of anything else."""
    dtype = getattr(x, "dtype", None)
    return type(x) if dtype is None else standardize_dtype(dtype)


def pair(x1: Any, x2: Any, *more: Any) -> tuple[EagerTensor, EagerTensor]:
    """Two tensors of the dtype in which they (and ``more`` dtypes) meet; Python numbers are weak."""
    x1 = x1 if is_number(x1) else tensor(x1)
    x2 = x2 if is_number(x2) else tensor(x2)
    dtype = result_type(dtype_of(x1), dtype_of(x2), *more)
    return tensor(x1, dtype), tensor(x2, dtype)


def both(x1: Any, x2: Any, *more: Any) -> tuple[EagerTensor, EagerTensor]:
    """Two tensors of the dtype in which they (and ``more`` dtypes) meet once they are tensors."""
    x1, x2 = tensor(x1), tensor(x2)
    dtype = result_type(x1.dtype, x2.dtype, *more)
    return tf.cast(x1, dtype), tf.cast(x2, dtype)


def wide_pair(x1: Any, x2: Any) -> tuple[EagerTensor, EagerTensor]:
    """Two tensors of floats; whole numbers of 64 bits become float64, smaller ones the default float dtype."""
    x1, x2 = tensor(x1), tensor(x2)
    dtype = _widened(result_type(x1.dtype, x2.dtype))
    return tf.cast(x1, dtype), tf.cast(x2, dtype)


def _widened(name: str) -> str:
    if name == "int64":
        return "float64"
    return floatx() if is_whole(name) and name != "uint64" else name


def floating(x: Any) -> EagerTensor:
    """A tensor of floats: whole numbers become the default float dtype."""
    x = tensor(x)
    name = x.dtype.name
    return tf.cast(x, floatx() if name == "int64" else result_type(name, float))


def counted(x: Any) -> EagerTensor:
    """A tensor in which whole numbers and truth values have become the default float dtype."""
    x = tensor(x)
    return tf.cast(x, floatx()) if is_whole(x.dtype.name) or x.dtype.is_bool else x


def summable(x: Any) -> EagerTensor:
    """A tensor whose small whole numbers, and truth values, have become those of 32 bits."""
    x = tensor(x)
    name = x.dtype.name
    wide = {"bool": "int32", "int8": "int32", "int16": "int32", "uint8": "uint32", "uint16": "uint32"}.get(name)
    return x if wide is None else tf.cast(x, wide)


def of_one_dtype(xs: Any) -> list[EagerTensor]:
    """Tensors of the dtype in which they meet."""
    dtypes = [dtype_of(x) for x in xs]
    if len(set(dtypes)) == 1:
        return [tensor(x) for x in xs]
    dtype = result_type(*dtypes)
    return [tensor(x, dtype) for x in xs]


def truth(x: Any) -> EagerTensor:
    """A tensor of truth values."""
    return tf.cast(tensor(x), "bool")


def axes_of(axis: Any) -> Any:
    """Axes as TensorFlow's ops take them."""
    return list(axis) if isinstance(axis, tuple) else axis


def canonical_axis(axis: int, rank: int) -> int:
    """An axis counted from the beginning.  ValueError for one that is not there."""
    if not -rank <= axis < rank:
        raise ValueError(f"axis {axis} is out of bounds for an array with dimension {rank}.")
    return axis + rank if axis < 0 else axis


def listed(value: Any) -> Any:
    """One number as a tuple; lists, tuples and None as they are."""
    return (value,) if isinstance(value, int) else value


def shape_of(x: Any) -> tuple:
    """The sizes of a tensor, with tensors for those that are not known; of a KerasTensor with None.

    ValueError where not even the number of axes is known.
    """
    if isinstance(x, KerasTensor):
        return x.shape
    x = tensor(x)
    if x.shape.rank is None:
        raise ValueError(
            f"All tensors passed to `ops.shape` must have a statically known rank. Received: x={x} with unknown rank."
        )
    known = tuple(x.shape)
    if None not in known:
        return known
    sizes = tf.shape(x)
    return tuple(sizes[k] if size is None else size for k, size in enumerate(known))
