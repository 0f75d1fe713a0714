"""Logic on bools, tests for nan and infinities, and products and quotients in which a zero wins over everything."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import as_dtype, kernel_name
from ..errors import invalid
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor
from .arithmetic import undivided
from .casting import cast
from .declare import MISSING, binary, public, tensors, unary
from .kernels import logistic


def _logical(name: str, kernel: str, forward: Any) -> Any:
    op = binary("", f=name, kernel=kernel, forward=forward, gradient=(None, None), types="bool")

    def function(x: Any, y: Any, name: str | None = None) -> EagerTensor:
        x = convert_to_tensor(x)
        _only_bool(kernel, x, 0, name)
        y = convert_to_tensor(y, dtype_hint=x.dtype)
        _only_bool(kernel, y, 1, name)
        return op(x, y, name)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"TensorFlow's ``math.{name}``, of two bool tensors."
    return public(f"math.{name} {name}")(function)


def _only_bool(kernel: str, x: EagerTensor, position: int, name: str | None) -> None:
    if x._a.dtype.kind != "b":
        text = f"cannot compute {kernel} as input #{position}(zero-based) was expected to be a bool tensor but is a "
        raise invalid(kernel, f"{text}{kernel_name(x._a.dtype)} tensor", name, node=False)


logical_and = _logical("logical_and", "LogicalAnd", np.logical_and)
logical_or = _logical("logical_or", "LogicalOr", np.logical_or)
_not = unary("", f="logical_not", kernel="LogicalNot", forward=np.logical_not, gradient=None, types="bool")


@public("math.logical_not logical_not")
def logical_not(x: Any, name: str | None = None) -> EagerTensor:
    """Where a bool tensor is False (``tf.logical_not``)."""
    x = convert_to_tensor(x)
    _only_bool("LogicalNot", x, 0, name)
    return _not(x, name)


@public("math.logical_xor")
def logical_xor(x: Any, y: Any, name: str = "LogicalXor") -> EagerTensor:
    """Where exactly one of two bools holds (``tf.math.logical_xor``)."""
    return logical_and(logical_or(x, y), logical_not(logical_and(x, y)), name)


def _test(name: str, kernel: str, forward: Any) -> Any:
    return unary(f"math.{name}", kernel=kernel, forward=forward, gradient=MISSING, dull=True)


is_nan = _test("is_nan", "IsNan", np.isnan)
is_inf = _test("is_inf", "IsInf", np.isinf)
is_finite = _test("is_finite", "IsFinite", np.isfinite)

div_no_nan = binary(
    "", f="div_no_nan", kernel="DivNoNan", forward=logistic.divide_no_nan,
    gradient=(
        lambda F, dy, _z, _x, y: F.div_no_nan(dy, F.conj(y)),
        lambda F, dy, _z, x, y: dy * F.div_no_nan(F.div_no_nan(-F.conj(x), F.conj(y)), F.conj(y)),
    ),
)  # fmt: skip
mul_no_nan = binary(
    "", f="multiply_no_nan", kernel="MulNoNan", forward=logistic.multiply_no_nan,
    gradient=(
        lambda F, dy, _z, _x, y: F.multiply_no_nan(dy, y),
        lambda F, dy, _z, x, _y: F.multiply_no_nan(x, dy),
    ),
)  # fmt: skip


def _twice(F: Any, dy: Any) -> Any:
    F.dtype(dy)  # None has none, and the product's words are others
    return 2.0 * dy


squared_difference = binary(
    "math.squared_difference", kernel="SquaredDifference", mirrored=True, even=True,
    forward=logistic.squared_difference,
    gradient=(
        lambda F, dy, _z, x, y: _twice(F, dy) * (x - y),
        lambda F, dy, _z, x, y: -(_twice(F, dy) * (x - y)),
    ),
)  # fmt: skip
nextafter = binary(
    "math.nextafter", kernel="NextAfter", forward=np.nextafter, parameters="x1 x2 name",
    gradient=(
        lambda F, dy, _z, x, _y: F.ones_like(x) * dy,
        lambda F, dy, _z, _x, y: F.zeros_like(y) * dy,
    ),
)  # fmt: skip


@public("math.multiply_no_nan")
def multiply_no_nan(x: Any, y: Any, name: str | None = None) -> EagerTensor:
    """x y, and 0 where y is 0 even if x is infinite or nan (``tf.math.multiply_no_nan``)."""
    x = convert_to_tensor(x)
    if type(y) is EagerTensor and y.dtype is not x.dtype:
        raise ValueError(
            f"y: Tensor conversion requested dtype {x.dtype.name} for Tensor with dtype {y.dtype.name}: {y!r}"
        )
    return mul_no_nan(x, convert_to_tensor(y, x.dtype), name)


@public("math.divide_no_nan")
def divide_no_nan(x: Any, y: Any, name: str | None = None) -> EagerTensor:
    """x / y, and 0 where y is 0 (``tf.math.divide_no_nan``).  Integers become floats; TypeError for mixed dtypes."""
    x = convert_to_tensor(x)
    y = convert_to_tensor(y, dtype_hint=x.dtype)
    if x.dtype is not y.dtype:
        raise TypeError(f"`x` and `y` must have the same dtype, got {x.dtype!r} != {y.dtype!r}.")
    if x._a.dtype.kind in "bO":
        raise undivided(x.dtype, "tf.math.divide_no_nan")
    if x._a.dtype.kind in "iu":
        wide = as_dtype("float32" if x._a.dtype.itemsize < 4 else "float64")
        x, y = cast(x, wide), cast(y, wide)
    return div_no_nan(x, y, name)


tensors.div_no_nan = divide_no_nan  # gradient functions divide with its checks
