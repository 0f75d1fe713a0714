"""The bits of a tensor read as another dtype: bitcast.  TensorFlow has no gradient for it."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import as_dtype, kernel_name, of
from ..errors import InvalidArgumentError, invalid
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor
from .declare import MISSING, kernel, public


def _reread(x: Any, dtype: np.dtype) -> Any:
    """Wider elements take up the last axis, narrower ones add one."""
    have, want = x.dtype.itemsize, dtype.itemsize
    x = np.ascontiguousarray(x).reshape(x.shape)
    if have == want:
        return x.view(dtype)
    if have > want:
        return x.reshape((*x.shape, 1)).view(dtype)
    if not x.ndim or x.shape[-1] != want // have:
        source, target = (of(d).as_datatype_enum for d in (x.dtype, dtype))
        raise invalid("Bitcast", f"Cannot bitcast from {source} to {target}")
    return x.view(dtype).reshape(x.shape[:-1])


bitcast_ = kernel("bitcast", "Bitcast", forward=_reread, gradient=MISSING)


@public("bitcast")
def bitcast(input: Any, type: Any, name: str | None = None) -> EagerTensor:
    """The same bits as another dtype (``tf.bitcast``).

    ``[..., n]`` elements become ``[...]`` when they are n times narrower, ``[...]`` become ``[..., n]`` when they are n
    times wider.  InvalidArgumentError when the sizes do not fit.
    """
    x, want = convert_to_tensor(input), as_dtype(type).numpy
    bitcast_.op.check(x._a.dtype, name)
    word = kernel_name(want)
    if word not in bitcast_.op.allowed:
        text = bitcast_.op.refusal(word, name).message
        raise InvalidArgumentError(None, None, text.replace("attr 'T'", "attr 'type'", 1))
    return bitcast_(x, dtype=want)
