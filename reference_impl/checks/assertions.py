"""Assertions about values: ``Assert``, ``assert_equal`` and its kin (``tf.debugging``).

They return None when the condition holds and raise InvalidArgumentError with the first few elements when it does not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..errors import InvalidArgumentError
from ..ops import comparison
from ..ops.arithmetic import add, multiply, subtract
from ..ops.declare import public
from ..ops.elementwise import abs as absolute
from ..ops.extremes import reduce_all
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor

_EVERYTHING = 10**9


def prefix(message: str | None) -> str:
    """A user's message in front of another one."""
    return f"{message}.  " if message else ""


def described(x: EagerTensor) -> str:
    """Shape and dtype of a tensor, as messages give them."""
    return f"shape={x.shape} dtype={x.dtype.name}"


@public("debugging.Assert Assert")
def Assert(condition: Any, data: Any, summarize: int | None = None, name: str | None = None) -> None:
    """InvalidArgumentError with the first elements of ``data``, a list, unless ``condition`` is true.

    ``summarize``: how many elements of each tensor are shown, 3 by default, all when negative.
    """
    if condition:
        return
    if not isinstance(data, Sequence):
        raise TypeError("values must be a sequence.")
    shown = "\n".join(_summary(convert_to_tensor(x), summarize) for x in data)
    raise InvalidArgumentError(None, None, f"Expected '{condition!s}' to be true. Summarized data: {shown}")


def _summary(x: EagerTensor, summarize: int | None) -> str:
    value = x.numpy()
    count = 3 if summarize is None else x._a.size if summarize < 0 else summarize
    if not x._a.ndim:
        return str(value) if count else ""
    flat = value.reshape(-1)
    shown = [str(v) for v in flat[:count]]
    return ", ".join([*shown, "..."] if len(shown) < flat.size else shown)


def _pretty(item: Any, summarize: int) -> str:
    """One piece of an error's text: of a tensor the first elements."""
    if type(item) is not EagerTensor:
        return str(item)
    value = item.numpy()
    if not item._a.ndim:
        return str(value)
    flat = value.reshape(-1)
    shown = [str(v) for v in flat[:summarize]]
    return str([*shown, "..."] if len(shown) < flat.size else shown)


def _compare(
    sign: str, test: Callable, x: Any, y: Any, summarize: int | None, message: str | None, data: list | None = None
) -> None:
    """InvalidArgumentError unless ``test`` holds for all elements."""
    x, y = convert_to_tensor(x), convert_to_tensor(y)
    holds = test(x, y)
    if reduce_all(holds):
        return
    count = 3 if summarize is None else _EVERYTHING if summarize < 0 else summarize
    if data is None:
        data = _elements(sign, x, y, holds, count)
    if message is not None:
        data = [message, *data]
    raise InvalidArgumentError(None, None, "\n".join(_pretty(d, count) for d in data))


def _elements(sign: str, x: EagerTensor, y: EagerTensor, holds: EagerTensor, count: int) -> list:
    """What the error says: where it does not hold, when the shapes are equal, and the first elements."""
    data: list[Any] = [f"Condition x {sign} y did not hold."]
    if count <= 0:
        return data
    left, right = np.asarray(x.numpy()), np.asarray(y.numpy())
    if left.shape == right.shape and left.ndim:
        wrong = ~np.asarray(holds._a)
        places = np.argwhere(wrong)
        shown = min(count, len(places))
        data += [f"Indices of first {shown} different values:", places[:shown]]
        data += ["Corresponding x values:", left[wrong].reshape(-1)[:shown]]
        data += ["Corresponding y values:", right[wrong].reshape(-1)[:shown]]
    for name, values in (("x", left.reshape(-1)), ("y", right.reshape(-1))):
        shown = min(values.size, count)
        data += [f"First {shown} elements of {name}:", values[:shown]]
    return data


@public("debugging.assert_equal assert_equal")
def assert_equal(
    x: Any, y: Any, message: str | None = None, summarize: int | None = None, name: str | None = None
) -> None:
    """``x == y`` for all elements; always true of one and the same object."""
    if x is not y:
        _compare("==", comparison.equal, x, y, summarize, message)


@public("debugging.assert_none_equal")
def assert_none_equal(
    x: Any, y: Any, summarize: int | None = None, message: str | None = None, name: str | None = None
) -> None:
    """``x != y`` for all elements."""
    _compare("!=", comparison.not_equal, x, y, summarize, message)


@public("debugging.assert_less assert_less")
def assert_less(
    x: Any, y: Any, message: str | None = None, summarize: int | None = None, name: str | None = None
) -> None:
    """``x < y`` for all elements."""
    _compare("<", comparison.less, x, y, summarize, message)


@public("debugging.assert_less_equal")
def assert_less_equal(
    x: Any, y: Any, message: str | None = None, summarize: int | None = None, name: str | None = None
) -> None:
    """``x <= y`` for all elements."""
    _compare("<=", comparison.less_equal, x, y, summarize, message)


@public("debugging.assert_greater assert_greater")
def assert_greater(
    x: Any, y: Any, message: str | None = None, summarize: int | None = None, name: str | None = None
) -> None:
    """``x > y`` for all elements."""
    _compare(">", comparison.greater, x, y, summarize, message)


@public("debugging.assert_greater_equal")
def assert_greater_equal(
    x: Any, y: Any, message: str | None = None, summarize: int | None = None, name: str | None = None
) -> None:
    """``x >= y`` for all elements."""
    _compare(">=", comparison.greater_equal, x, y, summarize, message)


def _with_zero(sign: str, x: Any, message: str | None, summarize: int | None) -> None:
    """``x`` compared with zero; the text has no line break before "x (" where TensorFlow's has none."""
    x = convert_to_tensor(x)
    says, name = f"Condition x {sign} 0 did not hold element-wise:", f"x ({described(x)}) = "
    data = [prefix(message), says + name, x] if sign == "<=" else [prefix(message), says, name, x]
    zero = convert_to_tensor(0, dtype=x.dtype)
    left, right = (zero, x) if sign in (">", ">=") else (x, zero)
    strict = sign in ("<", ">")
    _compare("<", comparison.less if strict else comparison.less_equal, left, right, summarize, None, data)


@public("debugging.assert_negative")
def assert_negative(x: Any, message: str | None = None, summarize: int | None = None, name: str | None = None) -> None:
    """``x < 0`` for all elements."""
    _with_zero("<", x, message, summarize)


@public("debugging.assert_positive")
def assert_positive(x: Any, message: str | None = None, summarize: int | None = None, name: str | None = None) -> None:
    """``x > 0`` for all elements."""
    _with_zero(">", x, message, summarize)


@public("debugging.assert_non_negative")
def assert_non_negative(
    x: Any, message: str | None = None, summarize: int | None = None, name: str | None = None
) -> None:
    """``x >= 0`` for all elements."""
    _with_zero(">=", x, message, summarize)


@public("debugging.assert_non_positive")
def assert_non_positive(
    x: Any, message: str | None = None, summarize: int | None = None, name: str | None = None
) -> None:
    """``x <= 0`` for all elements."""
    _with_zero("<=", x, message, summarize)


@public("debugging.assert_near")
def assert_near(
    x: Any, y: Any, rtol: Any = None, atol: Any = None, message: str | None = None, summarize: int | None = None,
    name: str | None = None,
) -> None:  # fmt: skip
    """``|x - y| < atol + rtol * |y|`` for all elements; both are ten times the dtype's epsilon by default."""
    x = convert_to_tensor(x)
    y = convert_to_tensor(y, dtype=x.dtype)
    dtype = x.dtype.real_dtype if x.dtype.is_complex else x.dtype
    eps = _epsilon(dtype)
    rtol = convert_to_tensor(10 * eps if rtol is None else rtol, dtype=dtype)
    atol = convert_to_tensor(10 * eps if atol is None else atol, dtype=dtype)
    data = [
        prefix(message), f"x and y not equal to tolerance rtol = {rtol!s}, atol = {atol!s}",
        f"x ({described(x)}) = ", x, f"y ({described(y)}) = ", y,
    ]  # fmt: skip
    tolerance = add(atol, multiply(rtol, absolute(y)))
    Assert(reduce_all(comparison.less(absolute(subtract(x, y)), tolerance)), data, summarize)


def _epsilon(dtype: Any) -> Any:
    """The spacing of numbers at one.  ValueError for dtypes that are not inexact."""
    kind = dtype.as_numpy_dtype
    if np.dtype(kind).kind in "biu":  # said here: NumPy's own words differ between its versions
        raise ValueError(f"data type {kind} not inexact")
    if np.dtype(kind).kind != "V":
        return np.finfo(kind).eps
    import ml_dtypes

    return ml_dtypes.finfo(kind).eps
