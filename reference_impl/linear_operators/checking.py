"""What assertions of several kinds of operators have in common."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..checks.assertions import assert_equal, assert_less
from ..errors import InvalidArgumentError
from ..ops.complex_numbers import imag
from ..ops.elementwise import abs as absolute
from ..tensors.conversion import constant, convert_to_tensor


def no_zeros(x: Any, message: str) -> Any:
    """InvalidArgumentError where a number is zero."""
    size = absolute(convert_to_tensor(x))
    return assert_less(constant(0, dtype=size.dtype), size, message=message)


def real_numbers(x: Any, message: str) -> Any:
    """InvalidArgumentError where a number has an imaginary part."""
    x = convert_to_tensor(x)
    if x.dtype.is_floating:
        return None
    part = imag(x)
    return assert_equal(constant(0, dtype=part.dtype), part, message=message)


def never(message: str) -> Exception:
    """The error of an assertion that cannot hold."""
    return InvalidArgumentError(None, None, message)


def sizes(value: Any, name: str, rank: int) -> Any:
    """A number of rows or columns, or a batch shape, as a tensor.  TensorFlow's errors for what cannot be one."""
    found = convert_to_tensor(value, dtype="int32" if isinstance(value, (tuple, list)) and not value else None)
    if not found.dtype.is_integer:
        raise TypeError(f"Argument {name} must be integer type.  Found: {found!s}")
    static = np.asarray(found)
    if static.ndim != rank:
        raise ValueError(f"Argument {name} must be a {rank}-D Tensor.  Found: {static}")
    if np.any(static < 0):
        space = "  " if rank == 0 else ""
        found_text = f"Found: {static}" if rank == 0 else f"Found:{static}"
        raise ValueError(f"Argument {name} must be non-negative.{space or '  '}{found_text}")
    return found
