"""More and fewer copies of elements along axes: tile, repeat, pad, slice, reverse, roll."""

from __future__ import annotations

import math as _math
from typing import Any

import numpy as np

from ..errors import unnamed
from ..tapes.beside import noting_wholes
from ..tapes.recording import active
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor
from .arguments import check, whole
from .declare import kernel, public
from .given_sizes import sizes
from .kernels.no_rows import unstacked
from .kernels.refusals import brackets
from .scatter import scatter_add
from .shaping import ints, reshape
from .squeezing import expand_dims

_ALL = "float complex int bool string"


def _untiled(F: Any, dy: Any, _y: Any, _x: Any, multiples: tuple[int, ...]) -> Any:
    """The sum of the copies: the upstream with each axis split in two, added up over the first of them."""
    shape = tuple(d for pair in zip(multiples, F.shape(_x)) for d in pair)
    return F.sum(F.reshape(dy, shape=shape), axis=tuple(range(0, len(shape), 2)), keepdims=False)


def _tiled(x: Any, multiples: tuple[int, ...]) -> Any:
    return np.tile(x, multiples)


_EMPTY = np.array(b"", object)


def _padded(x: Any, paddings: tuple) -> Any:
    return np.pad(x, paddings) if x.dtype.kind != "O" else np.pad(x, paddings, constant_values=_EMPTY)


def _check_slice(x: Any, begin: tuple[int, ...], size: tuple[int, ...]) -> None:
    if len(begin) != x.ndim:
        raise unnamed(
            "Slice",
            f"Expected begin and size arguments to be 1-D tensors of size {x.ndim}, but got shapes [{len(begin)}] and "
            f"[{len(size)}] instead.",
        )
    for k, (b, s, d) in enumerate(zip(begin, size, x.shape)):
        if not d and (b or s):
            raise unnamed("Slice", _unlike_nothing(k, b, s))
        if not 0 <= b <= d:
            raise unnamed("Slice", f"Expected begin[{k}] in [0, {d}], but got {b}")
        if not 0 <= s <= d - b:
            raise unnamed("Slice", f"Expected size[{k}] in [0, {d - b}], but got {s}")


def _unlike_nothing(k: int, begin: int, size: int) -> str:
    return f"Expected begin[{k}] == 0 (got {begin}) and size[{k}] == 0 (got {size}) when input.dim_size({k}) == 0"


def _check_rank(x: Any, paddings: tuple, kernel_name: str) -> None:
    if len(paddings) != x.ndim:
        text = f"The first dimension of paddings must be the rank of inputs[{len(paddings)},2] {brackets(x.shape)}"
        raise unnamed(kernel_name, text)


def _check_folding(dy: Any, paddings: tuple, mode: str) -> None:
    _check_rank(dy, paddings, "MirrorPadGrad")
    for (a, b), d in zip(paddings, dy.shape):
        if a + b >= d:
            text = f"Total paddings must be less than the input dimension size: {a + b} was not less than {d}"
            raise unnamed("MirrorPadGrad", text)
    room = mode.upper() == "SYMMETRIC"
    for (a, b), d in zip(paddings, dy.shape):
        size = d - a - b
        if max(a, b) >= size + room:
            want, got = ("no greater than", "greater than") if room else ("less than", "not less than")
            text = f"paddings must be {want} the output dimension size: {a}, {b} {got} {size}"
            raise unnamed("MirrorPadGrad", text)


def _check_roll(x: Any, shift: Any, axis: Any) -> None:
    if not x.ndim:
        raise unnamed("Roll", "input must be 1-D or higher")
    for a in axis:
        if not -x.ndim <= a < x.ndim:
            raise unnamed("Roll", f"axis {a if a >= 0 else a + x.ndim} is out of range")


tile_ = kernel("tile", "Tile", types=_ALL, forward=_tiled, gradient=_untiled)
slice_ = kernel(
    "slice", "Slice", types=_ALL, fits=_check_slice,
    forward=lambda x, begin, size: x[tuple(slice(b, b + s) for b, s in zip(begin, size))],
    gradient=lambda F, dy, _y, _x, begin, size: F.pad(
        dy, paddings=tuple((b, d - s - b) for b, s, d in zip(begin, size, F.shape(_x)))
    ),
)  # fmt: skip


def _unpadded(F: Any, dy: Any, _y: Any, _x: Any, paddings: tuple, **_: Any) -> Any:
    begin = tuple(a for a, _b in paddings)
    if not F.recording:  # an upstream of another shape than the result, which a wrong gradient behind it made
        _check_slice(dy, begin, F.shape(_x))
    return F.slice(dy, begin=begin, size=F.shape(_x))


pad_ = kernel(
    "pad", "Pad", types=_ALL, forward=_padded, gradient=_unpadded,
    fits=lambda x, paddings: _check_rank(x, paddings, "Pad"),
)  # fmt: skip
pad_with = kernel(
    "pad_with", "PadV2", types=_ALL,
    gradient=lambda F, dy, _y, _x, _v, paddings: (_unpadded(F, dy, _y, _x, paddings), None),
    forward=lambda x, value, paddings: np.pad(x, paddings, constant_values=value),
)  # fmt: skip


def _folded(dy: Any, paddings: tuple, mode: str) -> Any:
    """What a mirror pad read from one place, added up there again."""
    if active.rowless:
        raise unstacked(len(paddings))
    _check_folding(dy, paddings, mode)  # also of a fitting upstream, when an axis is empty
    shape = tuple(d - a - b for d, (a, b) in zip(dy.shape, paddings))
    origin = np.pad(np.arange(_math.prod(shape)).reshape(shape), paddings, mode=mode)
    return scatter_add((origin.max(initial=-1) + 1,), origin.ravel(), dy.reshape(-1)).reshape(shape)


def _flipped(x: Any, axis: tuple[int, ...]) -> Any:
    if not x.ndim:
        return x
    _check_flip(x.ndim, axis)
    return np.flip(x, axis)


def _check_flip(rank: int, axes: tuple[int, ...], name: str | None = None) -> None:
    for k, a in enumerate(axes):
        if not -rank <= a < rank:
            raise unnamed("ReverseV2", f"'axis'[{k}] = {a} is out of valid range [0, {rank - 1}", name)
        if axes[:k].count(a) or axes[:k].count(a - rank if a >= 0 else a + rank):
            raise unnamed("ReverseV2", f"axis {a % rank} specified more than once.", name)


mirror_pad = kernel(
    "mirror_pad", "MirrorPad", types=_ALL, forward=lambda x, paddings, mode: np.pad(x, paddings, mode=mode),
    gradient=lambda F, dy, _y, _x, paddings, mode: F.mirror_pad_grad(dy, paddings=paddings, mode=mode),
)  # fmt: skip
mirror_pad_grad = kernel(
    "mirror_pad_grad", "MirrorPadGrad", forward=_folded, inputs="input",
    gradient=lambda F, dy, _y, _x, paddings, mode: F.mirror_pad(dy, paddings=paddings, mode=mode),
)  # fmt: skip
reverse_ = kernel(
    "reverse", "ReverseV2", types=_ALL, forward=_flipped,
    gradient=lambda F, dy, _y, _x, axis: F.reverse(dy, axis=axis),
)  # fmt: skip
roll_ = kernel(
    "roll", "Roll", types=_ALL, forward=np.roll, fits=_check_roll,
    gradient=lambda F, dy, _y, _x, shift, axis: F.roll(dy, shift=tuple(-s for s in shift), axis=axis),
)  # fmt: skip


@public("tile")
@noting_wholes
def tile(input: Any, multiples: Any, name: str | None = None) -> EagerTensor:
    """``input`` repeated ``multiples[k]`` times along each axis k (``tf.tile``)."""
    x, times = convert_to_tensor(input), ints(whole("Tile", "multiples", multiples, name))
    if len(times) != x._a.ndim:
        text = f"Expected multiples argument to be a vector of length {x._a.ndim} but got length {len(times)}"
        raise unnamed("Tile", text, name)
    for k, count in enumerate(times):
        if count < 0:
            raise unnamed("Tile", f"Expected multiples[{k}] >= 0, but got {count}", name)
    return tile_(x, multiples=times)


@public("slice")
def slice_of(input_: Any, begin: Any, size: Any, name: str | None = None) -> EagerTensor:
    """The part that begins at ``begin`` and has ``size`` (-1: all the rest) (``tf.slice``)."""
    x = convert_to_tensor(input_)
    begin, size = (sizes("Slice", word, v, name, True) for word, v in (("begin", begin), ("size", size)))
    shape = x._a.shape
    if len(begin) != len(shape) or len(size) != len(shape):
        raise unnamed(
            "Slice",
            f"Expected begin and size arguments to be 1-D tensors of size {len(shape)}, but got shapes "
            f"[{len(begin)}] and [{len(size)}] instead.",
            name,
        )
    lengths = []
    for k, (b, s, d) in enumerate(zip(begin, size, shape)):
        if not d and (b or s not in (0, -1)):
            raise unnamed("Slice", _unlike_nothing(k, b, s), name)
        if not 0 <= b <= d:
            raise unnamed("Slice", f"Expected begin[{k}] in [0, {d}], but got {b}", name)
        if s != -1 and not 0 <= s <= d - b:
            raise unnamed("Slice", f"Expected size[{k}] in [0, {d - b}], but got {s}", name)
        lengths.append(d - b if s == -1 else s)
    return slice_(x, begin=begin, size=tuple(lengths))


slice_of.__name__ = slice_of.__qualname__ = "slice"


def _widths(x: EagerTensor, paddings: Any, kernel_name: str, name: str | None) -> tuple[tuple[int, int], ...]:
    given = convert_to_tensor(paddings)._a
    packed = isinstance(paddings, (list, tuple)) and any(type(row) is EagerTensor for row in paddings)
    if not packed and (given.dtype.kind != "i" or given.dtype.itemsize < 4):
        check(kernel_name, name, paddings=given)
    if given.ndim != 2 or given.shape[1] != 2:
        raise unnamed(kernel_name, f"paddings must be a matrix with 2 columns: {brackets(given.shape)}", name)
    if given.shape[0] != x._a.ndim:
        text = "The first dimension of paddings must be the rank of inputs"
        gap = ", " if kernel_name == "MirrorPad" else " "
        raise unnamed(kernel_name, f"{text}{brackets(given.shape)}{gap}{brackets(x._a.shape)}", name)
    widths = tuple((int(a), int(b)) for a, b in given)
    for a, b in widths:
        if a < 0 or b < 0:
            raise unnamed(kernel_name, f"Paddings must be non-negative: {a} {b}", name)
    return widths


@public("pad")
def pad(
    tensor: Any, paddings: Any, mode: str = "CONSTANT", constant_values: Any = 0, name: str | None = None
) -> EagerTensor:
    """``tensor`` with elements put before and after each axis: zeros, a value, or its own in a mirror (``tf.pad``)."""
    x, mode = convert_to_tensor(tensor), mode.upper()
    if mode == "CONSTANT":
        plain = type(constant_values) is not EagerTensor and np.ndim(constant_values) == 0 and constant_values == 0
        if plain:
            return pad_(x, paddings=_widths(x, paddings, "Pad", name))
        widths = _widths(x, paddings, "PadV2", name)
        return pad_with(x, convert_to_tensor(constant_values, x.dtype), paddings=widths)
    if mode not in ("REFLECT", "SYMMETRIC"):
        raise ValueError(
            'Value of argument `mode` expected to be one of "CONSTANT", "REFLECT", or "SYMMETRIC". '
            f"Received `mode` = {mode}"
        )
    widths = _widths(x, paddings, "MirrorPad", name)
    for (a, b), d in zip(widths, x._a.shape):
        if mode == "REFLECT" and max(a, b) >= d:
            text = f"paddings must be less than the dimension size: {a}, {b} not less than {d}"
            raise unnamed("MirrorPad", text, name)
        if max(a, b) > d:
            text = f"paddings must be no greater than the dimension size: {a}, {b} greater than {d}"
            raise unnamed("MirrorPad", text, name)
    return mirror_pad(x, paddings=widths, mode=mode.lower())


@public("reverse")
def reverse(tensor: Any, axis: Any, name: str | None = None) -> EagerTensor:
    """The order of elements turned round along each axis of a list (``tf.reverse``)."""
    x, axes = convert_to_tensor(tensor), ints(whole("ReverseV2", "axis", axis, name))
    if not x._a.ndim:  # TensorFlow does not look at the axes of a scalar
        return reverse_(x, axis=())
    _check_flip(x._a.ndim, axes, name)
    return reverse_(x, axis=axes)


@public("roll")
def roll(input: Any, shift: Any, axis: Any, name: str | None = None) -> EagerTensor:
    """Elements moved along axes; those that leave at one end come in at the other (``tf.roll``)."""
    x, steps, along = (convert_to_tensor(v) for v in (input, shift, axis))
    check("Roll", name, input=x, shift=steps, axis=along)
    _check_roll(x._a, (), ())
    for word, array in (("shift", steps._a), ("axis", along._a)):
        if array.ndim > 1:
            text = f"{word} must be a scalar or a 1-D vector. Found: {brackets(array.shape)}"
            raise unnamed("Roll", text, name)
    if steps._a.shape != along._a.shape:
        raise unnamed("Roll", "shift and axis must have the same size", name)
    rank, axes = x._a.ndim, ints(along)
    _check_roll(x._a, (), axes)
    return roll_(x, shift=ints(steps), axis=tuple(a % rank for a in axes))


@public("repeat")
def repeat(input: Any, repeats: Any, axis: int | None = None, name: str | None = None) -> EagerTensor:
    """Each element repeated, all equally or each its own number of times (``tf.repeat``).

    Without ``axis`` the input is flattened.  Made of expand_dims, tile and, for different numbers, boolean_mask.
    """
    from .gathering import boolean_mask

    x, times = convert_to_tensor(input), np.asarray(convert_to_tensor(repeats)._a)
    if times.dtype.kind not in "iu":
        text = f"Received `tensor` = {repeats} of dtype: {convert_to_tensor(repeats).dtype!r}"
        raise TypeError(f"Argument `tensor` (name: repeats) must be of type integer. {text}")
    if axis is None:
        x, axis = reshape(x, [-1]), 0
    if times.ndim > 1:
        raise ValueError(f"Shape {times.shape} must have rank at most 1")
    if not isinstance(axis, int):
        raise TypeError(f"Argument `axis` must be an int. Received `axis` = {axis} of type {type(axis).__name__}")
    x = x if x._a.ndim else reshape(x, [1])
    rank = x._a.ndim
    if not -rank <= axis < rank:
        raise ValueError(f"axis={axis} out of bounds: expected {-rank}<=axis<{rank}")
    axis, shape = axis % x._a.ndim, x._a.shape
    if times.size == 1:
        count = int(times.reshape(()))
        if count < 0:
            raise unnamed("Tile", f"Expected multiples[{axis + 1}] >= 0, but got {count}", name)
        wide = _along(expand_dims(x, axis + 1), axis + 1, count)
        return reshape(wide, (*shape[:axis], count * shape[axis], *shape[axis + 1 :]))
    if times.ndim == 1 and times.size != shape[axis]:
        raise ValueError(f"Dimensions {shape[axis]} and {times.size} are not compatible")
    most = max(int(times.max(initial=0)), 0)
    counts = np.broadcast_to(times, shape[: axis + 1])
    kept = boolean_mask(_along(expand_dims(x, axis + 1), axis + 1, most), np.arange(most) < counts[..., None])
    return kept if axis == 0 else reshape(kept, (*shape[:axis], int(times.sum()), *shape[axis + 1 :]))


def _along(x: EagerTensor, axis: int, times: int) -> EagerTensor:
    return tile(x, [times if k == axis else 1 for k in range(x._a.ndim)])
