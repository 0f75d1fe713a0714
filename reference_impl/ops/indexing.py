"""``x[...]`` on tensors and variables, and strided_slice: ints, slices, ``...``, new axes, tensors, boolean masks."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import invalid, unnamed
from ..foundation.building import intercepted
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor
from .declare import arrays, kernel
from .kernels.refusals import brackets
from .scatter import scatter_add

_ALL = "float complex int bool string"
_NAME = "strided_slice/"


def _put_back(dy: Any, index: tuple, shape: tuple[int, ...]) -> Any:
    return scatter_add(shape, index, dy)


def _checked_put_back(dy: Any, index: tuple, shape: tuple[int, ...]) -> Any:
    want = np.broadcast_to(np.int8(0), shape)[index].shape
    if dy.shape != want:
        have, need = ("[" + ",".join(map(str, s)) + "]" for s in (dy.shape, want))
        raise unnamed("StridedSliceGrad", f"shape of dy was {have} instead of {need}")
    return scatter_add(shape, index, dy)


slice_grad = kernel(
    "slice_grad", "StridedSliceGrad", types=_ALL, forward=_checked_put_back,
    gradient=lambda F, dy, _y, _dy, index, shape: F.strided_slice(dy, index=index),
)  # fmt: skip
arrays.slice_grad = _put_back  # a walk on arrays only meets shapes that fit
strided_slice_ = kernel(
    "strided_slice", "StridedSlice", types=_ALL, forward=lambda x, index: x[index],
    gradient=lambda F, dy, _y, _x, index: F.slice_grad(dy, index=index, shape=F.shape(_x)),
)  # fmt: skip


@intercepted
def get_item(x: EagerTensor, key: Any) -> EagerTensor:
    """``x[key]``.  TensorFlow's errors for indices out of bounds and of the wrong type."""
    if type(key) is int and x._a.ndim:
        size = x._a.shape[0]
        if -size <= key < size:
            return strided_slice_(x, index=(key,))
    mask = _mask_of(key)
    if mask is not None:
        from .gathering import boolean_mask

        return boolean_mask(x, mask)
    return strided_slice_(x, index=checked(x._a.shape, index_of(key)))


def _mask_of(key: Any) -> Any:
    """A boolean mask given as an index, None when it is something else."""
    if type(key) is EagerTensor and key._a.dtype.kind == "b":
        return key
    if isinstance(key, (np.ndarray, np.bool_)) and key.dtype.kind == "b":
        return key
    return key if key is True or key is False else None


def index_of(key: Any) -> tuple:
    """An index expression as a tuple of ints, slices of ints, None and Ellipsis."""
    parts = key if isinstance(key, (list, tuple)) else (key,)
    if any(p is True or p is False for p in parts):
        text = "Value for attr 'Index' of bool is not in the list of allowed values: int16, int32, int64"
        raise invalid("StridedSlice", text, _NAME, node=False)
    index = tuple(_part(p) for p in parts)
    if sum(p is Ellipsis for p in index) > 1:
        raise invalid("StridedSlice", "Multiple ellipses in slice spec not allowed", _NAME)
    return index


def _part(part: Any) -> Any:
    if part is None or part is Ellipsis:
        return part
    if isinstance(part, slice):
        return slice(*(None if v is None else _integer(v) for v in (part.start, part.stop, part.step)))
    return _integer(part)


def _integer(value: Any) -> int:
    dense = getattr(type(value), "_dense_", None)
    tensor = value if dense is None else dense(value, None)
    array = tensor._a if type(tensor) is EagerTensor else tensor
    if isinstance(array, (int, np.integer)) or (isinstance(array, np.ndarray) and array.ndim == 0):
        kind = "i" if isinstance(array, int) else array.dtype.kind
        if kind in "iu":
            return int(array)
    raise TypeError(
        "Only integers, slices (`:`), ellipsis (`...`), tf.newaxis (`None`) and scalar tf.int32/tf.int64 tensors are "
        f"valid indices, got {value!r}"
    )


def checked(shape: tuple[int, ...], index: tuple) -> tuple:
    """The index, after TensorFlow's checks against the shape it is for."""
    real = [p for p in index if p is not None and p is not Ellipsis]
    rank = len(shape)
    if len(real) > rank:
        if not rank:
            raise invalid("StridedSlice", "Attempting to slice scalar input.", _NAME)
        text = f"Index out of range using input dim {rank}; input has only {rank} dims"
        raise invalid("StridedSlice", text, _NAME)
    after = False
    seen = 0
    for position, p in enumerate(index):
        if p is Ellipsis:
            after = True
            seen = rank - sum(q is not None for q in index[position + 1 :])
        elif p is not None:
            if isinstance(p, slice):
                if p.step == 0:
                    raise invalid("StridedSlice", f"strides[{seen}] must be non-zero", _NAME)
            elif not -shape[seen] <= p < shape[seen]:
                where = p if p >= 0 else p + shape[seen]
                raise invalid("StridedSlice", f"slice index {where} of dimension {seen} out of bounds.", _NAME)
            seen += 1
    return index if after or real or index else (Ellipsis,)


def get_item_of_any(x: Any, key: Any) -> EagerTensor:
    """``x[key]`` for what converts to a tensor."""
    return get_item(convert_to_tensor(x), key)


def check_spans(kernel_name: str, begin: tuple, end: tuple, strides: tuple, name: str | None) -> None:
    """InvalidArgumentError unless these shapes of the ends and the steps of a slice are those of equal vectors."""
    if len(begin) != 1 or not begin == end == strides:
        first, second, third = map(brackets, (begin, end, strides))
        text = "Expected begin, end, and strides to be 1D equal size tensors, but got shapes"
        raise invalid(kernel_name, f"{text} {first}, {second}, and {third} instead.", name)
