"""Lists of tensors as variants, as ``tf.raw_ops.TensorList...`` has them: what a ``TensorArray`` is made of.

An element that was never written is None, and reads as zeros.  Upstream gradients are such lists, too; two of them are
added up element by element.
"""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np

from .. import dtypes
from ..errors import invalid, unnamed
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor
from ..tensors.variants import Variant
from .declare import kernel, public
from .run import fresh
from .shaping import ints

TensorListConcat_ = namedtuple("TensorListConcat", ("tensor", "lengths"))
TensorListConcatV2_ = namedtuple("TensorListConcatV2", ("tensor", "lengths"))


class TensorList:
    """Arrays of one dtype, some of them None.  ``shape``: that of each, -1 for an open size, None if all is open."""

    __slots__ = ("dtype", "items", "shape")
    type_name = "tensorflow::TensorList"

    def __init__(self, items: tuple[Any, ...], dtype: Any, shape: tuple[int, ...] | None):
        self.items, self.dtype, self.shape = items, dtype, shape

    def __str__(self) -> str:
        return "<TensorList>"

    def plus(self, other: TensorList) -> TensorList:
        """The sum of two lists of upstream gradients."""
        pairs = zip(self.items, other.items)
        return TensorList(
            tuple(b if a is None else a if b is None else a + b for a, b in pairs), self.dtype, self.shape
        )


def _held(variant: Any) -> TensorList:
    return variant.held


def _made(items: Any, like: Any, shape: tuple[int, ...] | None) -> Variant:
    return Variant(TensorList(tuple(items), like.dtype, shape))


def _filled(held: TensorList, shape: tuple[int, ...] | None) -> list[Any]:
    """The elements, zeros for those that were never written."""
    whole = shape if shape is not None and min(shape, default=0) >= 0 else held.shape
    if whole is None or min(whole, default=0) < 0:
        whole = next((item.shape for item in held.items if item is not None), ())
    return [np.zeros(whole, held.dtype) if item is None else item for item in held.items]


def _stacked(variant: Any, shape: tuple[int, ...] | None) -> Any:
    held = _held(variant)
    found = _filled(held, shape)
    return np.stack(found) if found else np.zeros((0, *(shape or ())), held.dtype)


def _picked(variant: Any, indices: Any, shape: tuple[int, ...] | None) -> Any:
    held = _held(variant)
    part = TensorList(tuple(held.items[k] for k in indices), held.dtype, held.shape)
    return _stacked(Variant(part), held.shape if shape is None else shape)


def _joined(variant: Any, shape: tuple[int, ...] | None) -> tuple:
    held = _held(variant)
    found = _filled(held, shape) or [np.zeros((0, *(shape or held.shape)[1:]), held.dtype)]
    lengths = [item.shape[0] for item in found[: len(held.items)]]
    return np.concatenate(found), np.array(lengths, np.int64)


def _split(x: Any, lengths: Any, shape: tuple[int, ...] | None) -> Variant:
    ends = np.cumsum(lengths)
    return _made((x[int(end) - int(size) : int(end)] for size, end in zip(lengths, ends)), x, shape)


def _resized(variant: Any, size: int) -> Variant:
    held = _held(variant)
    items = held.items[:size] + (None,) * (size - len(held.items))
    return Variant(TensorList(items, held.dtype, held.shape))


def _scattered(x: Any, indices: Any, shape: tuple[int, ...] | None, size: int) -> Variant:
    items: list[Any] = [None] * size
    for row, place in enumerate(indices):
        items[int(place)] = x[row]
    return _made(items, x, shape)


def _written(variant: Any, x: Any, indices: Any) -> Variant:
    items = list(_held(variant).items)
    for row, place in enumerate(indices):
        items[int(place)] = x[row]
    return _made(items, x, _held(variant).shape)


def _empty(size: int, dtype: Any, shape: tuple[int, ...] | None) -> Variant:
    return Variant(TensorList((None,) * size, np.dtype(dtype), shape))


def _inside(F: Any, variant: Any) -> TensorList:
    return _held(F.stopped(variant))


from_tensor_ = kernel(
    "list_from_tensor", "TensorListFromTensor",
    forward=lambda x, shape: _made((x[k] for k in range(x.shape[0])), x, shape),
    gradient=lambda F, dy, _y, _x, shape: F.list_stack(dy, shape=F.shape(_x)[1:]),
)  # fmt: skip
stack_ = kernel(
    "list_stack", "TensorListStack", forward=_stacked,
    gradient=lambda F, dy, _y, _variant, shape: F.list_from_tensor(dy, shape=F.shape(dy)[1:]),
)  # fmt: skip
split_ = kernel(
    "list_split", "TensorListSplit", forward=_split,
    gradient=lambda F, dy, _y, _x, lengths, shape: F.list_concat_v2(dy, shape=(-1, *F.shape(_x)[1:]))[0],
)  # fmt: skip
resize_ = kernel(
    "list_resize", "TensorListResize", forward=_resized,
    gradient=lambda F, dy, _y, variant, size: F.list_resize(dy, size=len(_inside(F, variant).items)),
)  # fmt: skip


def _concat_gradient(F: Any, dy: Any, y: Any, variant: Any, shape: Any) -> Any:
    return F.list_split(dy[0], lengths=F.stopped(y[1]), shape=_inside(F, variant).shape)


def _picked_gradient(F: Any, dy: Any, _y: Any, variant: Any, indices: Any, shape: Any) -> Any:
    held = _inside(F, variant)
    reserved = _empty(len(held.items), F.dtype(dy), held.shape)
    return F.list_written(fresh(reserved) if F.recording else reserved, dy, indices=indices)


def _written_gradient(F: Any, dy: Any, _y: Any, _variant: Any, _x: Any, indices: Any) -> tuple:
    by_x = F.list_gather(dy, indices=indices, shape=F.shape(_x)[1:])
    zeros = np.zeros(F.shape(_x), F.dtype(_x))
    return F.list_written(dy, zeros, indices=indices), by_x


concat_ = kernel("list_concat", "TensorListConcat", forward=_joined, gradient=_concat_gradient)
concat_v2_ = kernel("list_concat_v2", "TensorListConcatV2", forward=_joined, gradient=_concat_gradient)
gather_ = kernel("list_gather", "TensorListGather", forward=_picked, gradient=_picked_gradient)
written_ = kernel("list_written", "TensorListScatterIntoExistingList", forward=_written, gradient=_written_gradient)
scatter_ = kernel(
    "list_scatter", "TensorListScatter", forward=_scattered,
    gradient=lambda F, dy, _y, _x, indices, shape, size: F.list_gather(dy, indices=indices, shape=F.shape(_x)[1:]),
)  # fmt: skip
scatter_v2_ = kernel(
    "list_scatter_v2", "TensorListScatterV2", forward=_scattered,
    gradient=lambda F, dy, _y, _x, indices, shape, size: F.list_gather(dy, indices=indices, shape=F.shape(_x)[1:]),
)  # fmt: skip

# ---------------------------------------------------------------------------------------------- under tf.raw_ops


def _sizes(shape: Any, kernel_name: str, name: str | None, says: str = "") -> tuple[int, ...] | None:
    """The shape of elements: None where -1 leaves it open."""
    array = np.asarray(convert_to_tensor(shape, np.int32)._a)
    if array.ndim > 1:
        size = "[" + ",".join(map(str, array.shape)) + "]"
        text = f"{says or kernel_name}: element_shape must be at most rank 1 but has the shape of {size}"
        raise unnamed(kernel_name, text, name)
    if not array.ndim and array != -1:
        text = "The only valid scalar shape tensor is the fully unknown shape specified as -1."
        raise unnamed(kernel_name, text, name)
    return None if not array.ndim else tuple(int(size) for size in array)


def _static(shape: Any) -> tuple[int, ...] | None:
    """A shape attribute: None where it is open."""
    sizes = shape.as_list() if hasattr(shape, "as_list") else shape
    return None if sizes is None else tuple(-1 if size is None else int(size) for size in sizes)


def listed(shape: Any) -> str:
    return "[" + ",".join("?" if size < 0 else str(size) for size in shape) + "]"


def _fits(kernel_name: str, want: tuple[int, ...] | None, have: tuple[int, ...], name: str | None) -> None:
    if want is not None and (len(want) != len(have) or any(d >= 0 and d != e for d, e in zip(want, have))):
        text = f"Specified a list with shape {listed(want)} from a tensor with shape {listed(have)}"
        raise unnamed(kernel_name, text, name)


def _same_dtype(kernel_name: str, variant: EagerTensor, dtype: Any, name: str | None) -> TensorList:
    held, want = _held(variant._a), dtypes.as_dtype(dtype)
    if dtypes.of(held.dtype) is not want:
        text = f"Invalid data types; op elements {want._word} but list elements {dtypes.of(held.dtype)._word}"
        raise unnamed(kernel_name, text, name)
    return held


def check_rows(shape: tuple[int, ...], element: tuple[int, ...] | None, name: str | None = None) -> None:
    """Refuse to make a list of the rows of a tensor: of its shape, and that which the elements are to have."""
    if not shape:
        raise unnamed("TensorListFromTensor", "Tensor must be at least a vector, but saw shape: []", name)
    _fits("TensorListFromTensor", element, shape[1:], name)


@public("raw_ops.TensorListFromTensor")
def TensorListFromTensor(*, tensor: Any, element_shape: Any, name: str | None = None) -> EagerTensor:
    """The list of a tensor's rows."""
    x, shape = convert_to_tensor(tensor), _sizes(element_shape, "TensorListFromTensor", name)
    check_rows(x._a.shape, shape, name)
    return from_tensor_(x, shape=shape)


@public("raw_ops.TensorListStack")
def TensorListStack(
    *, input_handle: Any, element_shape: Any, element_dtype: Any, num_elements: int = -1, name: str | None = None
) -> EagerTensor:
    """The elements as the rows of a tensor."""
    held = _same_dtype("TensorListStack", input_handle, element_dtype, name)
    shape = _sizes(element_shape, "TensorListStack", name)
    if num_elements not in (-1, len(held.items)):
        text = f"Operation expected a list with {num_elements} elements but got a list with {len(held.items)} elements."
        raise unnamed("TensorListStack", text, name)
    merged = _merged(held.shape, shape, name)
    if all(item is None for item in held.items) and (merged is None or min(merged, default=0) < 0):
        shown = "<unknown>" if merged is None else listed(merged)
        text = "elements of an empty list with non-fully-defined"
        if held.items:
            text = "list which only contains uninitialized tensors and has a non-fully-defined"
        raise unnamed("TensorListStack", f"Tried to stack {text} element_shape: {shown}", name)
    return stack_(input_handle, shape=merged)


def _merged(own: Any, asked: Any, name: str | None) -> tuple[int, ...] | None:
    """The shape of elements as far as the list or the call knows it."""
    if own is None or asked is None:
        return asked if own is None else own
    if len(own) != len(asked) or any(-1 not in (d, e) and d != e for d, e in zip(asked, own)):
        words = "shapes", listed(asked), listed(own)
        if len(own) != len(asked):
            words = "ranks", str(len(asked)), str(len(own))
        text = f"PartialTensorShape: Incompatible {words[0]} during merge: {words[1]} vs. {words[2]}"
        raise unnamed("TensorListStack", text, name)
    return tuple(max(d, e) for d, e in zip(asked, own))


@public("raw_ops.TensorListConcat")
def TensorListConcat(
    *, input_handle: Any, element_dtype: Any, element_shape: Any = None, name: str | None = None
) -> Any:
    """The elements one after another, and their lengths."""
    held = _same_dtype("TensorListConcat", input_handle, element_dtype, name)
    text, shape = "", _static(element_shape)
    if shape is None or any(size < 0 for size in shape[1:]):
        shown = "<unknown>" if shape is None else listed(shape[1:])
        text = "Trying to concat list with only uninitialized tensors but element_shape_except_first_dim is not fully "
        text += f"defined: {shown}"
    elif any(item is None for item in held.items):
        text = "Concating lists with uninitialized tensors is not supported in this version of TensorListConcat. "
        text += "Consider updating your GraphDef to run the newer version."
    if text:
        raise invalid("TensorListConcat", text, name)
    return TensorListConcat_(*concat_(input_handle, shape=shape))


@public("raw_ops.TensorListConcatV2")
def TensorListConcatV2(
    *, input_handle: Any, element_shape: Any, leading_dims: Any, element_dtype: Any, name: str | None = None
) -> Any:
    """The elements one after another, and their lengths."""
    _same_dtype("TensorListConcatV2", input_handle, element_dtype, name)
    return TensorListConcatV2_(*concat_v2_(input_handle, shape=_sizes(element_shape, "TensorListConcatV2", name)))


@public("raw_ops.TensorListGather")
def TensorListGather(
    *, input_handle: Any, indices: Any, element_shape: Any, element_dtype: Any, name: str | None = None
) -> EagerTensor:
    """Some of the elements as the rows of a tensor."""
    held = _same_dtype("TensorListGather", input_handle, element_dtype, name)
    shape, at = _sizes(element_shape, "TensorListGather", name), tuple(ints(indices))
    known = held.shape is not None and min(held.shape, default=0) >= 0
    for k in at:
        if not 0 <= k < len(held.items):
            count = len(held.items)
            text = f"Index {k} out o range; list only has {count} elements."
            if not known:
                text = f"Trying to gather element {k} in a list with {count} elements."
            raise invalid("TensorListGather", text, name)
    if not at:
        shape = _merged(held.shape, shape, name)
        if shape is None or min(shape, default=0) < 0:
            text = "Tried to gather 0-elements from a list with non-fully-defined shape: "
            raise invalid("TensorListGather", text + ("<unknown>" if shape is None else listed(shape)), name)
    return gather_(input_handle, indices=at, shape=shape)


@public("raw_ops.TensorListResize")
def TensorListResize(*, input_handle: Any, size: Any, name: str | None = None) -> EagerTensor:
    """The list cut off, or with more elements that were never written."""
    if convert_to_tensor(size)._a.ndim:
        raise unnamed("TensorListResize", "size must be a scalar", name)
    (count,) = ints(size)
    if count < 0:
        raise unnamed("TensorListResize", f"TensorListSlice expects size to be non-negative. Got: {count}", name)
    return resize_(input_handle, size=count)


def _check_scatter(kernel_name: str, x: Any, at: Any, shape: Any, size: int, name: str | None) -> None:
    text = ""
    _fits(kernel_name, shape, x.shape[1:], name)
    if len(at) != x.shape[0]:
        text = f"Invalid number of rows in input tensor. Expected: {len(at)} Actual: {x.shape[0]}"
    elif any(place < 0 for place in at):
        text = "Indices in TensorListScatter must all be non-negative."
    elif max(at, default=-1) >= size:
        text = f"TensorListScatter: Trying to scatter at index {max(at)} in list with size {size}"
    if text:
        raise unnamed(kernel_name, text, name)


@public("raw_ops.TensorListScatter")
def TensorListScatter(*, tensor: Any, indices: Any, element_shape: Any, name: str | None = None) -> EagerTensor:
    """A list with a tensor's rows in some places."""
    x, at = convert_to_tensor(tensor), tuple(ints(indices))
    size, shape = max(at, default=-1) + 1, _sizes(element_shape, "TensorListScatter", name)
    _check_scatter("TensorListScatter", x._a, at, shape, size, name)
    return scatter_(x, indices=at, shape=shape, size=size)


@public("raw_ops.TensorListScatterV2")
def TensorListScatterV2(
    *, tensor: Any, indices: Any, element_shape: Any, num_elements: Any, name: str | None = None
) -> EagerTensor:
    """A list of a given size with a tensor's rows in some places; -1: just large enough."""
    x, at = convert_to_tensor(tensor), tuple(ints(indices))
    shape = _sizes(element_shape, "TensorListScatterV2", name, says="TensorListScatter")
    if convert_to_tensor(num_elements)._a.ndim:
        raise unnamed("TensorListScatterV2", "num_elements must be a scalar", name)
    (count,) = ints(num_elements)
    size = max(at, default=-1) + 1 if count == -1 else count
    _check_scatter("TensorListScatterV2", x._a, at, shape, size, name)
    return scatter_v2_(x, indices=at, shape=shape, size=size)
