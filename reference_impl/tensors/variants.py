"""What tensors of dtype ``variant`` wrap: a matrix, a list or a ragged tensor held whole, which only its kernels open.

Arrays inside may be of any type with NumPy's protocols, so that error bounds go through.  What several consumers of a
variant send back is added up by ``+``, which most kinds refuse as TensorFlow's AddN does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .. import dtypes
from ..errors import InternalError, InvalidArgumentError, invalid

_WORDS = {"bfloat16": "bfloat16", "float16": "half", "float32": "float", "float64": "double"}


class Variant:
    """``held``: what is inside at rank 0, a tuple of such at rank 1."""

    __slots__ = ("held", "shape")
    dtype = dtypes.variant.numpy

    def __init__(self, held: Any, shape: tuple[int, ...] = ()):
        self.held, self.shape = held, shape

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of elements."""
        return len(self.held) if self.shape else 1

    @property
    def text(self) -> str:
        """How TensorFlow prints it."""
        if not self.shape:
            return str(self.held)
        return f"[{' '.join(map(str, self.held))}]"

    __repr__ = __str__ = lambda self: self.text

    def __add__(self, other: Variant) -> Variant:
        """The sum of two upstream gradients.  Kinds that can be added up have a method ``plus``."""
        if self.shape:
            where = f"inputs[0 has shape: {str(list(self.shape)).replace(' ', '')}."
            text = f"AddN of non-scalar Tensor with dtype=DT_VARIANT is not supported; {where}"
            raise invalid("AddN", text, count=2)
        plus: Callable[[Any], Any] | None = getattr(self.held, "plus", None)
        if plus is None:
            text = f"No unary variant binary_op function found for op ADD Variant type_name: '{self.held.type_name}'"
            error = invalid("AddN", f"{text} for device type: CPU", count=2)
            raise InternalError(None, None, error.message)
        return Variant(plus(other.held))


def described(array: Any) -> str:
    """An array as TensorFlow prints a tensor inside something else: its first three elements."""
    word = dtypes.kernel_name(array.dtype)
    flat = np.asarray(getattr(array, "x", array)).ravel()
    values = " ".join(f"{v:g}" if flat.dtype.kind == "f" else str(v) for v in flat[:3])
    shape = str(list(array.shape)).replace(" ", "")
    return f"Tensor<type: {word} shape: {shape} values: {values}{'...' if flat.size > 3 else ''}>"


def opened(kernel: str, variant: Any, kind: type) -> Any:
    """What is inside a variant of rank 0.  InvalidArgumentError where that is of another kind."""
    held = getattr(variant, "held", None)
    if type(held) is not kind:
        raise InvalidArgumentError(None, None, f"Input handle is not a {kind.__name__} [Op:{kernel}] name: ")
    return held
