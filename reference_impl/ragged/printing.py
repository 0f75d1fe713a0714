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
