"""What TensorFlow's vectorized kernels make of no rows, for jacobians of targets without elements.

A kernel that knows no batches joins the rows with an axis, runs, and parts them again by a reshape in which that axis
is left to be inferred.  Of no elements it cannot be: the sizes that are not zero are taken to be all there is.
"""

from __future__ import annotations

import math

from ...errors import OpError, unnamed
from .refusals import of_unlike_inputs

Shape = tuple[int, ...]


def _inferred(have: Shape, beside: Shape) -> int:
    """The size of the axis that is left to be inferred, beside others, when no rows of shape ``have`` are reshaped."""
    return math.prod(d for d in have if d) // math.prod(d for d in beside if d)


def parted(shape: Shape) -> Shape:
    """The shape of one row, after its first axis was joined with the rows and parted from them again."""
    rest = shape[1:]
    joined = _inferred((0, *shape), rest) if 0 in rest else 0
    return _inferred((joined, *rest), rest), *rest


def of_product(rows: int, columns: int, left: bool) -> Shape:
    """The shape of one row of the product of no rows, matrices, and one matrix; ``left``: no rows stand on the left.

    ``rows`` and ``columns`` are those of a product that has rows: the axis on the other side is left to be inferred.
    """
    return (rows, _inferred((columns,), (rows,))) if left else (_inferred((rows,), (columns,)), columns)


def of_slices(values: Shape) -> Shape:
    """The shape of one row, of slices that have lost their count."""
    return 1, *values[1:]


def unlike(shapes: list[Shape]) -> OpError | None:
    """The error of a sum of gradients that are not alike, as those above may be."""
    for k, shape in enumerate(shapes):
        if shape != shapes[0]:
            text = of_unlike_inputs("AddN", (0, *shapes[0]), k, (0, *shape), "loop_body/AddN/pfor/AddN")
            return unnamed("AddN", text)
    return None


def unstacked(rank: int) -> OpError:
    """The error of a loop without a turn, which stands for a kernel that cannot be vectorized, of outputs so deep."""
    text = f"Tried to stack elements of an empty list with non-fully-defined element_shape: [{','.join('?' * rank)}]"
    return unnamed("TensorListStack", text)
