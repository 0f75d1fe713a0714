"""What a ``TensorArray`` does in a function, where TensorFlow keeps it as a list: rows taken apart and put together.

The upstreams are lists there, too: one with rows too many is read as far as it goes, one of other elements is refused.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import unnamed
from .declare import kernel
from .lists import check_rows, listed

_ALL = "float complex int bool string"


def _rows_gradient(F: Any, dy: Any, _y: Any, _x: Any, count: int) -> Any:
    length, *shape = F.shape(_x)
    if length != count:
        text = f"Operation expected a list with {count} elements but got a list with {length} elements."
        raise unnamed("TensorListStack", text)
    upstreams = dy if count > 1 else (dy,)
    for row in upstreams:
        if F.shape(row) != tuple(shape):
            text = "Tried to set a tensor with incompatible shape at a list index. "
            text += f"Item element shape: {listed(F.shape(row))} list shape: {listed(shape)}"
            raise unnamed("TensorListSetItem", text)
    return F.array_stack(*upstreams)


def _stack_gradient(F: Any, dy: Any, _y: Any, *_xs: Any) -> tuple:
    shape, count = F.shape(dy), len(_xs)
    check_rows(shape, F.shape(_xs[0]))
    if shape[0] < count:  # the last element was written last, so its upstream is read first
        text = f"Trying to access element {count - 1} in a list with {shape[0]} elements."
        raise unnamed("TensorListGetItem", text)
    return F.array_rows(dy, count=count)


stack = kernel("array_stack", "TensorListStack", types=_ALL, forward=lambda *xs: np.stack(xs), gradient=_stack_gradient)
rows = kernel(
    "array_rows", "TensorListFromTensor", types=_ALL, forward=lambda x, count: tuple(x[k] for k in range(count)),
    gradient=_rows_gradient,
)  # fmt: skip
