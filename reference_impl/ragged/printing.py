"""How ragged tensors print: ``printed(array)``, an array of arrays, with commas and with NumPy's own line breaks."""

from __future__ import annotations

from typing import Any

import numpy as np


def printed(rows: Any) -> str:
    """The text of what ``RaggedTensor.numpy`` returned; elements are written as Python writes them."""
    with np.printoptions(formatter={"all": _part}):  # NumPy asks it for what stands in object arrays, too
        return _part(rows)


def _part(x: Any) -> str:
    if not isinstance(x, np.ndarray):
        return str(x)
    return np.array2string(x, separator=", ") if x.size else repr(x.tolist())


def in_short(value: Any, ends: int) -> str:
    """Nested lists, of each at most so many items from both ends; all of them where that is negative."""
    if isinstance(value, list):
        left_out = 0 <= 2 * ends < len(value)
        shown = [*value[:ends], None, *value[len(value) - ends :]] if left_out else value
        items = ["..." if left_out and k == ends else in_short(item, ends) for k, item in enumerate(shown)]
        return f"[{', '.join(items)}]"
    if isinstance(value, bytes):
        return f"'{value.decode('utf-8', 'surrogateescape')}'"
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:f}" if isinstance(value, float) else str(value)
