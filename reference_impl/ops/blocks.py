"""Blocks of space moved into depth or batch and back, and sequences reversed each up to its own length."""

from __future__ import annotations

import math as _math
from typing import Any

import numpy as np

from ..errors import invalid
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor
from .arguments import check, taken
from .declare import kernel, public
from .kernels.layer_checks import check_blocks
from .kernels.refusals import refuse
from .shaping import ints

_ALL = "float complex int bool string"
Pairs = tuple[tuple[int, int], ...]


def _to_depth(x: Any, block: int) -> Any:
    n, h, w, c = x.shape
    split = x.reshape((n, h // block, block, w // block, block, c))
    return split.transpose((0, 1, 3, 2, 4, 5)).reshape((n, h // block, w // block, block * block * c))


def _to_space(x: Any, block: int) -> Any:
    n, h, w, c = x.shape
    split = x.reshape((n, h, w, block, block, c // (block * block)))
    return split.transpose((0, 1, 3, 2, 4, 5)).reshape((n, h * block, w * block, c // (block * block)))


space_to_depth_ = kernel(
    "space_to_depth", "SpaceToDepth", types=_ALL, forward=_to_depth, inputs="input",
    fits=lambda x, block: _check_depth("SpaceToDepth", x.shape, block),
    gradient=lambda F, dy, _y, _x, block: F.depth_to_space(dy, block=block),
)  # fmt: skip
depth_to_space_ = kernel(
    "depth_to_space", "DepthToSpace", types=_ALL, forward=_to_space, inputs="input",
    fits=lambda x, block: _check_depth("DepthToSpace", x.shape, block),
    gradient=lambda F, dy, _y, _x, block: F.space_to_depth(dy, block=block),
)  # fmt: skip


def _to_batch(x: Any, block: tuple[int, ...], pads: Pairs) -> Any:
    rank = len(block)
    x = np.pad(x, ((0, 0), *pads, *((0, 0),) * (x.ndim - 1 - rank)))
    sizes = [(d // b, b) for d, b in zip(x.shape[1 : 1 + rank], block)]
    tail = x.shape[1 + rank :]
    split = x.reshape((x.shape[0], *(n for pair in sizes for n in pair), *tail))
    inner, outer = [2 + 2 * k for k in range(rank)], [1 + 2 * k for k in range(rank)]
    moved = split.transpose((*inner, 0, *outer, *range(1 + 2 * rank, split.ndim)))
    return moved.reshape((x.shape[0] * _math.prod(block), *(n for n, _b in sizes), *tail))


def _from_batch(x: Any, block: tuple[int, ...], crops: Pairs) -> Any:
    rank, area = len(block), _math.prod(block)
    split = x.reshape((*block, x.shape[0] // area, *x.shape[1:]))
    order = [rank]
    for k in range(rank):
        order += [rank + 1 + k, k]
    moved = split.transpose((*order, *range(2 * rank + 1, split.ndim)))
    sizes = [n * b for n, b in zip(x.shape[1 : 1 + rank], block)]
    whole = moved.reshape((x.shape[0] // area, *sizes, *x.shape[1 + rank :]))
    return whole[(slice(None), *(slice(a, n - b) for n, (a, b) in zip(sizes, crops)))]


to_batch_ = kernel(
    "space_to_batch", "SpaceToBatchND", types=_ALL, forward=_to_batch, inputs="input",
    fits=lambda x, block, pads: check_blocks("SpaceToBatchND", x.shape, block, np.asarray(pads), None),
    gradient=lambda F, dy, _y, _x, block, pads: F.batch_to_space(dy, block=block, crops=pads),
)  # fmt: skip
from_batch_ = kernel(
    "batch_to_space", "BatchToSpaceND", types=_ALL, forward=_from_batch, inputs="input",
    fits=lambda x, block, crops: check_blocks("BatchToSpaceND", x.shape, block, np.asarray(crops), None),
    gradient=lambda F, dy, _y, _x, block, crops: F.space_to_batch(dy, block=block, pads=crops),
)  # fmt: skip


def _reversed(x: Any, lengths: np.ndarray, seq_axis: int, batch_axis: int) -> Any:
    steps = np.arange(x.shape[seq_axis])
    index = np.where(steps < lengths[:, None], lengths[:, None] - 1 - steps, steps)
    shape = [1] * x.ndim
    shape[batch_axis], shape[seq_axis] = index.shape
    turned = index if batch_axis < seq_axis else index.T
    return np.take_along_axis(x, np.broadcast_to(turned.reshape(shape), x.shape), axis=seq_axis)


reverse_sequence_ = kernel(
    "reverse_sequence", "ReverseSequence", types=_ALL, forward=_reversed,
    fits=lambda x, lengths, seq_axis, batch_axis: _check_reversed(x.shape, lengths, seq_axis, batch_axis, None),
    gradient=lambda F, dy, _y, _x, **attributes: F.reverse_sequence(dy, **attributes),
)  # fmt: skip


@public("nn.space_to_depth")
def space_to_depth(input: Any, block_size: int, data_format: str = "NHWC", name: str | None = None) -> EagerTensor:
    """Square blocks of space stacked in the channels (``tf.nn.space_to_depth``)."""
    (x,) = taken("SpaceToDepth", name, input=input, block_size=block_size, data_format=data_format)
    _check_depth("SpaceToDepth", x._a.shape, int(block_size), name)
    return space_to_depth_(x, block=int(block_size))


@public("nn.depth_to_space")
def depth_to_space(input: Any, block_size: int, data_format: str = "NHWC", name: str | None = None) -> EagerTensor:
    """Channels spread over square blocks of space (``tf.nn.depth_to_space``)."""
    (x,) = taken("DepthToSpace", name, input=input, block_size=block_size, data_format=data_format)
    _check_depth("DepthToSpace", x._a.shape, int(block_size), name)
    return depth_to_space_(x, block=int(block_size))


def _check_depth(kernel_name: str, shape: tuple[int, ...], block: int, name: str | None = None) -> None:
    """Blocks fit an image, or the channels have room for them."""
    rank = len(shape)
    if kernel_name == "SpaceToDepth":
        refuse(kernel_name, rank != 4, f"Input rank should be 4 instead of {rank}", name)
        text = f"Image width {shape[2]} and height {shape[1]} should be divisible by block_size: {block}"
        refuse(kernel_name, bool(shape[1] % block or shape[2] % block), text, name)
        return
    refuse(kernel_name, rank != 4, f"Input rank should be: 4 instead of: {rank}", name)
    text = f"Input depth dimension {shape[3]} should be divisible by: {block * block}"
    refuse(kernel_name, bool(shape[3] % (block * block)), text, name)


def _pairs(value: Any) -> Pairs:
    return tuple((int(a), int(b)) for a, b in np.asarray(convert_to_tensor(value)._a))


@public("space_to_batch space_to_batch_nd nn.space_to_batch")
def space_to_batch(input: Any, block_shape: Any, paddings: Any, name: str | None = None) -> EagerTensor:
    """Blocks of padded space moved into the batch (``tf.space_to_batch``)."""
    x, block, pads = taken("SpaceToBatchND", name, input=input, block_shape=block_shape, paddings=paddings)
    text = f"block_shape rank should be 1 instead of {block._a.ndim}"
    refuse("SpaceToBatchND", block._a.ndim != 1, text, name)
    check_blocks("SpaceToBatchND", x._a.shape, ints(block), pads._a, name)
    return to_batch_(x, block=ints(block), pads=_pairs(pads))


@public("batch_to_space")
def batch_to_space(input: Any, block_shape: Any, crops: Any, name: str | None = None) -> EagerTensor:
    """The batch spread over blocks of space, cropped (``tf.batch_to_space``)."""
    if isinstance(block_shape, int):
        block_shape = [block_shape] * 2
    x, block, crops = taken("BatchToSpaceND", name, input=input, block_shape=block_shape, crops=crops)
    text = f"block_shape rank should be 1 instead of {block._a.ndim}"
    refuse("BatchToSpaceND", block._a.ndim != 1, text, name)
    check_blocks("BatchToSpaceND", x._a.shape, ints(block), crops._a, name)
    return from_batch_(x, block=ints(block), crops=_pairs(crops))


@public("reverse_sequence")
def reverse_sequence(
    input: Any, seq_lengths: Any, seq_axis: int | None = None, batch_axis: int | None = None, name: str | None = None
) -> EagerTensor:
    """Each row reversed up to its own length (``tf.reverse_sequence``)."""
    lengths = np.asarray(convert_to_tensor(seq_lengths)._a)
    x, batch = convert_to_tensor(input), int(batch_axis or 0)
    if seq_axis is None:
        raise TypeError("Expected int for argument 'seq_dim' not None.")
    check("ReverseSequence", name, input=x, seq_lengths=lengths)
    _check_reversed(x._a.shape, lengths, int(seq_axis), batch, name)
    return reverse_sequence_(x, lengths=lengths, seq_axis=int(seq_axis), batch_axis=batch)


def _check_reversed(
    shape: tuple[int, ...], lengths: np.ndarray, seq_axis: int, batch_axis: int, name: str | None
) -> None:
    misfit = _unreversed(shape, lengths, seq_axis, batch_axis)
    if misfit:
        raise invalid("ReverseSequence", misfit, name)


def _unreversed(shape: tuple[int, ...], lengths: np.ndarray, seq_axis: int, batch_axis: int) -> str | None:
    """What is wrong with the lengths or the axes of reverse_sequence."""
    if lengths.ndim != 1:
        return f"seq_lengths must be 1-dim, not {lengths.ndim}"
    if seq_axis == batch_axis:
        return f"batch_dim == seq_dim == {seq_axis}"
    for word, axis in (("seq_dim", seq_axis), ("batch_dim", batch_axis)):
        if axis < 0:
            return f"Invalid {word} {axis}"
        if axis >= len(shape):
            return f"{word} must be < input rank ( {axis} vs. {len(shape)})"
    if len(lengths) != shape[batch_axis]:
        return f"Length of seq_lengths != input.dims({batch_axis}), ({len(lengths)} vs. {shape[batch_axis]})"
    for k, length in enumerate(lengths):
        if length < 0:
            return f"seq_lens({k}) < 0"
        if length > shape[seq_axis]:
            return f"seq_lens({k}) > input.dims({seq_axis})"
    return None
