"""TensorFlow's dtype objects over NumPy dtypes: ``float32``, ``as_dtype("float32")``, ``DType.is_floating`` ...

``of(numpy_dtype)`` gives the DType of an array, ``kernel_name(numpy_dtype)`` the word kernels use in messages
("float", "double", "half").  bfloat16, float8 and 4-bit integers load ml_dtypes on first use.
"""

from __future__ import annotations

from typing import Any

import numpy as np

# name, enum, word in kernel messages, numpy dtype or None (made on demand by ml_dtypes)
_TABLE: tuple[tuple[str, int, str, Any], ...] = (
    ("float32", 1, "float", np.float32),
    ("float64", 2, "double", np.float64),
    ("int32", 3, "int32", np.int32),
    ("uint8", 4, "uint8", np.uint8),
    ("int16", 5, "int16", np.int16),
    ("int8", 6, "int8", np.int8),
    ("string", 7, "string", np.object_),
    ("complex64", 8, "complex64", np.complex64),
    ("int64", 9, "int64", np.int64),
    ("bool", 10, "bool", np.bool_),
    ("bfloat16", 14, "bfloat16", None),
    ("uint16", 17, "uint16", np.uint16),
    ("complex128", 18, "complex128", np.complex128),
    ("float16", 19, "half", np.float16),
    ("resource", 20, "resource", np.dtype([("resource", np.ubyte)])),
    ("variant", 21, "variant", np.dtype([("variant", np.ubyte)])),
    ("uint32", 22, "uint32", np.uint32),
    ("uint64", 23, "uint64", np.uint64),
    ("float8_e5m2", 24, "float8_e5m2", None),
    ("float8_e4m3fn", 25, "float8_e4m3fn", None),
    ("int4", 29, "int4", None),
    ("uint4", 30, "uint4", None),
)
_FLOATING = frozenset(("float16", "bfloat16", "float32", "float64", "float8_e5m2", "float8_e4m3fn"))
_COMPLEX = frozenset(("complex64", "complex128"))
_TRAINABLE = frozenset(("float16", "bfloat16", "float32", "float64", "complex64", "complex128", "resource", "variant"))


class DType:
    """One element type.  Compares equal to everything that names the same type: ``tf.float32 == "float32"``."""

    __slots__ = ("_enum", "_name", "_numpy", "_word")

    def __init__(self, name: str, enum: int, word: str, numpy: Any):
        self._name, self._enum, self._word = name, enum, word
        self._numpy = None if numpy is None else np.dtype(numpy)

    @property
    def name(self) -> str:
        """TensorFlow's name, "float32" for instance."""
        return self._name

    @property
    def as_datatype_enum(self) -> int:
        """The number of the type in TensorFlow's protocol buffers."""
        return self._enum

    @property
    def as_numpy_dtype(self) -> Any:
        """The NumPy scalar type (a structured dtype for resource and variant)."""
        dtype = self.numpy
        return dtype if dtype.names else dtype.type

    @property
    def numpy(self) -> np.dtype:
        """The NumPy dtype; loads ml_dtypes for the types NumPy lacks."""
        if self._numpy is None:
            import ml_dtypes

            self._numpy = np.dtype(getattr(ml_dtypes, self._name))
            _OF[self._numpy] = self
            if self._name == "bfloat16":
                NARROW.append(self._numpy)
        return self._numpy

    @property
    def base_dtype(self) -> DType:
        """The type itself: there are no reference types in eager mode."""
        return self

    @property
    def real_dtype(self) -> DType:
        """float32 for complex64, float64 for complex128, else the type itself."""
        return {"complex64": float32, "complex128": float64}.get(self._name, self)

    @property
    def is_floating(self) -> bool:
        """True for real floating-point types."""
        return self._name in _FLOATING

    @property
    def is_complex(self) -> bool:
        """True for complex64 and complex128."""
        return self._name in _COMPLEX

    @property
    def is_integer(self) -> bool:
        """True for signed and unsigned integers, not for bool."""
        return self._name.startswith(("int", "uint"))

    @property
    def is_bool(self) -> bool:
        """True for bool."""
        return self._name == "bool"

    @property
    def is_numeric(self) -> bool:
        """True for floating, complex and integer types."""
        return self.is_floating or self.is_complex or self.is_integer

    @property
    def is_unsigned(self) -> bool:
        """True for unsigned integers."""
        return self._name.startswith("uint")

    @property
    def is_quantized(self) -> bool:
        """Always False: there are no quantized types here."""
        return False

    @property
    def is_numpy_compatible(self) -> bool:
        """True when arrays of the type exist in NumPy."""
        return self._name not in ("resource", "variant")

    @property
    def size(self) -> int:
        """Bytes per element, 1 for types without a fixed size."""
        return 0 if self._name == "string" else 1 if self._name in ("resource", "variant") else self.numpy.itemsize

    @property
    def limits(self) -> tuple[Any, Any]:
        """The range of intensities an image of this type spans: (0, 1) for floats."""
        return (0, self.max) if self.is_integer else (0, 1)

    @property
    def min(self) -> Any:
        """The smallest finite value.  TypeError for types without one."""
        return self._limit("min")

    @property
    def max(self) -> Any:
        """The largest finite value.  TypeError for types without one."""
        return self._limit("max")

    def _limit(self, which: str) -> Any:
        if self.is_integer:
            return getattr(np.iinfo(self.numpy), which)
        if self.is_bool:
            return which == "max"
        if not self.is_floating:
            raise TypeError(
                f"Cannot find {'minimum' if which == 'min' else 'maximum'} value of {self} with type {self}."
            )
        if self._numpy is None or self.numpy.kind == "V":
            import ml_dtypes

            return getattr(ml_dtypes.finfo(self.numpy), which)
        return getattr(np.finfo(self.numpy), which)

    def is_compatible_with(self, other: Any) -> bool:
        """True when ``other`` names the same type."""
        return self == other

    def __eq__(self, other: Any) -> bool:
        if type(other) is DType:
            return self is other
        if other is None:
            return False
        try:
            return as_dtype(other) is self
        except TypeError:
            return False

    def __ne__(self, other: Any) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return self._enum

    def __int__(self) -> int:
        return self._enum

    def __str__(self) -> str:
        return f"<dtype: {self._name!r}>"

    def __repr__(self) -> str:
        return f"tf.{self._name}"

    def __reduce__(self) -> tuple:
        return as_dtype, (self._name,)


NARROW: list[np.dtype] = []  # bfloat16, once it is in use: with a Python number NumPy makes it float32, see ops/run.py

_ALL: dict[str, DType] = {row[0]: DType(*row) for row in _TABLE}
_OF: dict[np.dtype, DType] = {d._numpy: d for d in _ALL.values() if d._numpy is not None}
_NAMES: dict[Any, DType] = {**_ALL, "half": _ALL["float16"], "float": _ALL["float32"], "double": _ALL["float64"]}
_NAMES.update({float: _ALL["float32"], bool: _ALL["bool"], object: _ALL["string"]})
_REFUSED = (int, str, bytes, complex)  # Python types that TensorFlow does not take for a dtype

float16, bfloat16, float32, float64 = (_ALL[n] for n in ("float16", "bfloat16", "float32", "float64"))
half, double = float16, float64
int8, int16, int32, int64 = (_ALL[n] for n in ("int8", "int16", "int32", "int64"))
uint8, uint16, uint32, uint64 = (_ALL[n] for n in ("uint8", "uint16", "uint32", "uint64"))
bool_, string, resource, variant = (_ALL[n] for n in ("bool", "string", "resource", "variant"))
complex64, complex128 = _ALL["complex64"], _ALL["complex128"]
float8_e5m2, float8_e4m3fn = _ALL["float8_e5m2"], _ALL["float8_e4m3fn"]
int4, uint4 = _ALL["int4"], _ALL["uint4"]

F32, F64 = np.dtype(np.float32), np.dtype(np.float64)
_SOURCES = {d._enum: d for d in _ALL.values()}


def as_dtype(value: Any) -> DType:
    """The DType that ``value`` names: a DType, name, number, Python or NumPy type.  TypeError for anything else."""
    if type(value) is DType:
        return value
    if isinstance(value, np.ndarray):
        return of(value.dtype)
    try:
        found = _NAMES.get(value)
    except TypeError:
        found = None
    if found is not None:
        return found
    if isinstance(value, (int, float)) and value in _SOURCES:
        return _SOURCES[value]
    if isinstance(value, (np.dtype, np.generic)) or (isinstance(value, type) and value not in _REFUSED):
        try:
            return of(np.dtype(value))
        except TypeError:
            pass
    raise TypeError(f"Cannot convert the argument `type_value`: {value!r} to a TensorFlow DType.")


def of(dtype: np.dtype) -> DType:
    """The DType of a NumPy dtype.  TypeError for dtypes TensorFlow does not have."""
    found = _OF.get(dtype)
    if found is not None:
        return found
    if dtype.kind in "SU":
        return string
    named = _ALL.get(dtype.name)
    if named is None or named.numpy != dtype.newbyteorder("="):
        raise TypeError(f"Cannot convert the argument `type_value`: {dtype!r} to a TensorFlow DType.")
    return named


def kernel_name(dtype: np.dtype) -> str:
    """The word kernels use for a dtype in messages: "float" for float32, "double" for float64."""
    return of(dtype)._word


def is_trainable(dtype: np.dtype) -> bool:
    """True when a tape differentiates through the dtype: real or complex floating point, resource, variant."""
    return dtype is F32 or dtype is F64 or of(dtype)._name in _TRAINABLE


def __getattr__(name: str) -> Any:
    """``tf.dtypes.cast``, ``complex`` and ``saturate_cast`` are ops, ``experimental`` has types of eight bits."""
    if name in ("cast", "complex", "saturate_cast"):
        from .ops.declare import NAMES

        return NAMES[name]
    if name == "experimental":
        from types import SimpleNamespace

        return SimpleNamespace(float8_e5m2=float8_e5m2, float8_e4m3fn=float8_e4m3fn, int4=int4, uint4=uint4)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
