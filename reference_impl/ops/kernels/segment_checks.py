"""What kernels of segments, whose numbers are in no order, ask of the numbers."""

from __future__ import annotations

import numpy as np

from ...errors import unnamed
from .refusals import Shape, brackets


def check_numbers(kernel: str, shape: Shape, ids: np.ndarray, count: int, name: str | None = None) -> None:
    """Refuse numbers of segments that do not fit the rows of data of ``shape``, or are no less than ``count``.

    Negative numbers belong to no segment.  Where there are no data TensorFlow looks at no number.
    """
    if tuple(shape[: ids.ndim]) != ids.shape:
        text = f"data.shape = {brackets(shape)} does not start with segment_ids.shape = {brackets(ids.shape)}"
        raise unnamed(kernel, text, name)
    if count < 0:
        raise unnamed(kernel, f"Input num_segments == {count} must not be negative.", name)
    above = ids >= count
    if above.any() and 0 not in shape:
        place = tuple(int(v[0]) for v in np.nonzero(above)) if ids.ndim else ()
        where = f"segment_ids[{','.join(map(str, place))}]"
        raise unnamed(kernel, f"{where} = {ids[place]} is out of range [0, {count})", name)
