"""Tensor (TensorFlow's EagerTensor over a NumPy array), ``constant`` and ``convert_to_tensor``.

A Tensor wraps ``_a``: a NumPy scalar for rank 0 (three times faster than a 0-d array), an ndarray otherwise, or any
array type with NumPy's protocols (``__array_ufunc__``, ``__array_function__``).  It cannot be changed by its user.
``_n`` is its identity on tapes (see tapes/recording.py).  ``wrap`` and ``unwrap`` go in and out without a copy.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from .. import dtypes
from ..dtypes import DType
from .shapes import TensorShape

_FULL_NAME = "tensorflow.python.framework.ops.EagerTensor"


class _Named(type):
    """Python's own error messages call the class by TensorFlow's full name for it; ``__name__`` is the short one."""

    @property
    def __name__(cls) -> str:
        return "EagerTensor"


class EagerTensor(metaclass=_Named):
    """A value on which tapes can differentiate.  Made by ``constant``, ``convert_to_tensor`` and every op."""

    __slots__ = ("__weakref__", "_a", "_n")
    __array_priority__ = 100

    @property
    def shape(self) -> TensorShape:
        """The shape."""
        return TensorShape(self._a.shape)

    @property
    def dtype(self) -> DType:
        """The element type."""
        return dtypes.of(self._a.dtype)

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return self._a.ndim

    @property
    def device(self) -> str:
        """Where the value lives: always the CPU."""
        return "/job:localhost/replica:0/task:0/device:CPU:0"

    @property
    def _id(self) -> int:
        return id(self)

    def get_shape(self) -> TensorShape:
        """The shape."""
        return self.shape

    def numpy(self) -> Any:
        """The value as a new ndarray, or a NumPy scalar (bytes for strings) at rank 0."""
        a = self._a
        if type(a) is np.ndarray:
            return a[()] if a.ndim == 0 else a.copy()
        return a

    def ref(self) -> Reference:
        """A hashable stand-in for this very tensor, for sets and dict keys."""
        return Reference(self)

    experimental_ref = ref

    @property
    def backing_device(self) -> str:
        """Where the value lives: always the CPU."""
        return self.device

    def cpu(self) -> EagerTensor:
        """A tensor of the same value on the CPU, through which gradients pass."""
        from ..ops.casting import identity

        return identity(self)

    def gpu(self, gpu_index: int = 0) -> EagerTensor:
        """RuntimeError: there is no GPU."""
        raise RuntimeError(f"GPU:{gpu_index} unknown device.")

    def consumers(self) -> Any:
        """NotImplementedError: only tensors of graphs have some."""
        raise NotImplementedError("Tensor.consumers is undefined when eager execution is enabled.")

    def eval(self, feed_dict: Any = None, session: Any = None) -> Any:
        """NotImplementedError: there are no sessions."""
        raise NotImplementedError(
            "eval is not supported when eager execution is enabled, is .numpy() what you're looking for?"
        )

    def __round__(self, ndigits: int | None = None) -> Any:
        return self.astype  # type: ignore[attr-defined]  # which is refused

    def set_shape(self, shape: Any) -> None:
        """ValueError when the shape is not compatible."""
        if not self.shape.is_compatible_with(shape):
            raise ValueError(f"Tensor's shape {self.shape} is not compatible with supplied shape {TensorShape(shape)}.")

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        a = np.asarray(self._a)
        if dtype is not None and a.dtype != dtype:
            return a.astype(dtype)
        if copy:
            return a.copy()
        view = a.view()
        view.flags.writeable = False
        return view

    def __len__(self) -> int:
        shape = self._a.shape
        if not shape:
            raise TypeError("Scalar tensor has no `len()`")
        return shape[0]

    def __iter__(self) -> Iterator[EagerTensor]:
        if not self._a.shape:
            raise TypeError("Cannot iterate over a scalar tensor.")
        return (self[i] for i in range(self._a.shape[0]))

    def __bool__(self) -> bool:
        return bool(self._a) if self._a.size else False

    def __int__(self) -> int:
        return int(self._plain())

    def __float__(self) -> float:
        return float(self._plain())

    def __complex__(self) -> complex:
        return complex(self._plain())

    def __index__(self) -> int:
        return self._plain().__index__()

    def _plain(self) -> Any:
        if self._a.ndim:
            raise TypeError("only 0-dimensional arrays can be converted to Python scalars")
        return self._a[()] if type(self._a) is np.ndarray else self._a

    def __hash__(self) -> int:
        raise TypeError("Tensor is unhashable. Instead, use tensor.ref() as the key.")

    def __copy__(self) -> EagerTensor:
        return self

    def __deepcopy__(self, _memo: Any) -> EagerTensor:
        return self

    def __reduce__(self) -> tuple:
        from .conversion import convert_to_tensor

        return convert_to_tensor, (self.numpy(),)

    def __format__(self, spec: str) -> str:
        return format(self.numpy(), spec)

    def __repr__(self) -> str:
        if self._a.dtype.names:
            return f"<tf.Tensor: shape={self.shape}, dtype={self.dtype.name}, value={self._a!r}>"
        text = _text(self._a, True)
        text = "\n" * ("\n" in text) + text
        return f"<tf.Tensor: shape={self.shape}, dtype={self.dtype.name}, numpy={text}>"

    def __str__(self) -> str:
        text = _text(self._a, False)
        text = "\n" * ("\n" in text) + text
        return f"tf.Tensor({text}, shape={self.shape}, dtype={self.dtype.name})"

    def __pos__(self) -> Any:
        raise TypeError(f"bad operand type for unary +: '{_FULL_NAME}'")

    @property
    def assign(self) -> Any:
        """For a tensor that was read off a variable by an index: assigns to that part of the variable."""
        from .variable import slice_assigner

        assign = slice_assigner(self)
        if assign is None:
            raise AttributeError(f"'{_FULL_NAME}' object has no attribute 'assign'")
        return assign


# Not ``__getattr__``: with it Python looks up every attribute of a tensor, also ``_a`` and ``_n``, five times slower.
def _absent(text: str) -> property:
    """An attribute that tensors do not have, with TensorFlow's words about that."""

    def refuse(_: EagerTensor) -> Any:
        raise AttributeError(text)

    return property(refuse)


for _name in ("name", "op", "graph", "value_index"):
    setattr(EagerTensor, _name, _absent(f"Tensor.{_name} is undefined when eager execution is enabled."))
for _name in ("T", "astype", "ravel", "transpose", "reshape", "clip", "size", "tolist", "data"):
    _text_of = (
        f"EagerTensor object has no attribute '{_name}'. \n        If you are looking for numpy-related methods, "
        "please run the following:\n        tf.experimental.numpy.experimental_enable_numpy_behavior()\n      "
    )
    setattr(EagerTensor, _name, _absent(_text_of))
type.__dict__["__name__"].__set__(EagerTensor, _FULL_NAME)

Tensor = EagerTensor


class Reference:
    """A hashable stand-in for a tensor or variable; two are equal when they stand for the very same object."""

    __slots__ = ("_wrapped",)

    def __init__(self, wrapped: Any):
        self._wrapped = wrapped

    def deref(self) -> Any:
        """The object it stands for."""
        return self._wrapped

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, Reference) and self._wrapped is other._wrapped

    def __lt__(self, other: Any) -> bool:
        return isinstance(other, Reference) and id(self._wrapped) < id(other._wrapped)

    def __hash__(self) -> int:
        return id(self._wrapped)

    def __repr__(self) -> str:
        return f"<Reference wrapping {self._wrapped!r}>"


def _text(a: Any, as_repr: bool) -> str:
    if a.dtype.names:
        return getattr(a, "text", "<unprintable>")
    value = np.asarray(a)
    if value.ndim == 0:
        v = value[()]
        if not as_repr:
            return str(v)
        return repr(v.item()) if isinstance(v, np.generic) else repr(v)  # TensorFlow shows the Python number
    return repr(value) if as_repr else str(value)


def wrap(array: Any) -> EagerTensor:
    """A Tensor around an array (or any array type with NumPy's protocols), without a copy."""
    tensor = EagerTensor()
    if array.ndim == 0 and type(array) is np.ndarray and array.dtype.kind not in "OV":
        array = array[()]
    tensor._a = array
    tensor._n = None
    return tensor


def unwrap(tensor: EagerTensor) -> Any:
    """The array inside a Tensor, without a copy; not to be written to."""
    return tensor._a


def is_tensor(value: Any) -> bool:
    """True for tensors, variables and slices."""
    return type(value) is EagerTensor or hasattr(type(value), "_dense_")
