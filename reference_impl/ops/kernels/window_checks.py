"""Shapes, window sizes, strides and dilations that TensorFlow's kernels of sliding windows refuse, and how.

Each function takes shapes and numbers of all axes, batch and channels among them, and raises or returns None.  The
order of the checks is that of the kernels: what is wrong in two ways is refused for the first.
"""

from __future__ import annotations

from typing import Any

from ...errors import OutOfRangeError, invalid
from .refusals import Shape, brackets, not_supported, refuse


def check_outputs(
    kernel: str, space: Shape, size: Shape, strides: Shape, rates: Shape, padding: Any, name: str | None = None
) -> tuple[int, ...]:
    """How many windows there are along each spatial axis.  ``padding`` is a word, or pairs for these axes."""
    found = []
    for axis, (n, k, s, d) in enumerate(zip(space, size, strides, rates)):
        refuse(kernel, s <= 0, f"Stride must be > 0, but got {s}", name)
        reach = (k - 1) * d + 1
        around = 0 if isinstance(padding, str) else sum(padding[axis])
        over = n + s - 1 if padding == "SAME" else n + around - reach + s
        count = -(-over // s) if over < 0 else over // s  # as C++ divides, towards zero
        text = f"Computed output size would be negative: {count} [input_size: {n}, effective_filter_size: {reach}, "
        refuse(kernel, count < 0, f"{text}stride: {s}]", name)
        found.append(count)
    return tuple(found)


# ------------------------------------------------------------------------------------------------------- convolutions


def check_strides(kernel: str, strides: Shape, rates: Shape, name: str | None = None) -> None:
    """The strides and dilations of a convolution, whatever it is applied to."""
    deep, plain = kernel.startswith("Conv3D"), kernel.startswith("Conv2D")
    rank = 5 if deep else 4
    outer = not_supported if plain else refuse
    text = f"Sliding window strides field must specify {rank} dimensions"
    refuse(kernel, len(strides) != rank, text, name)
    what = "Dilation rates" if deep else "Sliding window dilations"
    refuse(kernel, len(rates) != rank, f"{what} field must specify {rank} dimensions", name)
    text = "Current implementation does not yet support {} in the batch and depth dimensions."
    outer(kernel, strides[0] != 1 or strides[-1] != 1, text.format("strides"), name)
    if plain:
        refuse(kernel, min(strides) <= 0, "Row and column strides should be larger than 0.", name)
    elif kernel == "Conv3D":
        refuse(kernel, min(strides) <= 0, "Spatial strides should be larger than 0.", name)
    elif not deep:
        text = "Current implementation only supports equal length strides in the row and column dimensions."
        refuse(kernel, strides[1] != strides[2], text, name)
    text = "Current implementation does not yet support {} in the batch and depth dimensions."
    outer(
        kernel, rates[0] != 1 or rates[-1] != 1, text.format("dilation rates" if deep else "dilations"), name
    )  # fmt: skip


def check_convolution(
    kernel: str, x: Shape, w: Shape, strides: Shape, rates: Shape, padding: Any, name: str | None = None
) -> None:
    """A convolution of x with the filter w.  ``padding`` is a word, or pairs for all axes."""
    check_strides(kernel, strides, rates, name)
    refuse(kernel, min(rates) <= 0, "Dilated rates should be larger than 0.", name)
    if not isinstance(padding, str):
        flat = [v for pair in padding for v in pair]
        refuse(kernel, min(flat) < 0, "All elements of explicit_paddings must be nonnegative", name)
        text = "Nonzero explicit padding in the batch or depth dimensions is not supported"
        refuse(kernel, any((*padding[0], *padding[-1])), text, name)
        padding = padding[1:-1]
    rank = len(strides)
    before = "convolution " if kernel == "Conv2D" else ""
    for word, shape, colon in (("input", x, kernel == "Conv2D"), ("filter", w, True)):
        shown = "" if kernel == "Conv3D" else f"{':' if colon else ''} {brackets(shape)}"
        refuse(kernel, len(shape) != rank, f"{before}{word} must be {rank}-dimensional{shown}", name)
    _check_channels(kernel, x[-1], w, name)
    check_outputs(kernel, x[1:-1], w[:-2], strides[1:-1], rates[1:-1], padding, name)


def _check_channels(kernel: str, depth: int, w: Shape, name: str | None) -> None:
    inner, outputs = w[-2:]
    if kernel == "DepthwiseConv2dNative":
        refuse(kernel, depth != inner, f"input and filter must have the same depth: {depth} vs {inner}", name)
        return
    deep = kernel == "Conv3D"
    text = "filter_depth must be non-zero" if deep else "filter depth must be stricly positive, got 0"
    refuse(kernel, not inner, text, name)
    text = f"{'Input' if deep else 'input'} depth must be evenly divisible by filter depth: {depth} vs {inner}"
    refuse(kernel, depth % inner != 0, text, name)
    text = f"Number of channels in filter ({inner}) must match last dimension of input ({depth})"
    refuse(kernel, deep and depth != inner, text, name)
    groups = max(depth // inner, 1)
    text = f"output depth must be evenly divisible by number of groups: {outputs} vs {groups}"
    refuse(kernel, outputs % groups != 0, text, name)
    text = "filter must not have zero elements (i.e. all dimensions must be non-zero)"
    refuse(kernel, 0 in (w[:-2] if kernel == "Conv2D" else w), text, name)


def check_transposed(
    kernel: str, shape: Shape, w: Shape, dy: Shape, strides: Shape, rates: Shape, padding: Any, name: str | None = None
) -> None:
    """The gradient of a plain convolution by its input, whose shape is ``shape``."""
    check_strides(kernel, strides, rates, name)
    deep = kernel.startswith("Conv3D")
    text = "Current CPU implementation{} not yet support dilation rates larger than 1."
    refuse(kernel, any(d != 1 for d in rates), text.format(" does" if deep else "s do"), name)
    (_check_deep if deep else _check_flat)(kernel, shape, w, dy, name)
    title = "Conv3DBackpropInputOp" if deep else "Conv2DCustomBackpropInput"
    if deep:
        _check_batch(kernel, title, shape, dy, name)
    pads = padding if isinstance(padding, str) else padding[1:-1]
    counts = check_outputs(kernel, shape[1:-1], w[:-2], strides[1:-1], rates[1:-1], pads, name)
    _check_counts(kernel, title, (shape, w, dy), counts, strides, rates, name)


def check_filter(
    kernel: str, shape: Shape, x: Shape, dy: Shape, strides: Shape, padding: Any, name: str | None = None
) -> None:
    """The gradient of a convolution over two axes by its filter, whose shape is ``shape``."""
    title = "Conv2DCustomBackpropFilter"
    refuse(kernel, len(x) != 4, f"{title}: input must be 4-dimensional", name)
    refuse(kernel, len(dy) != 4, f"{title}: out_backprop must be 4-dimensional", name)
    _check_batch(kernel, title, x, dy, name)
    wrong = shape[2] != 0 and x[3] % shape[2] != 0
    refuse(kernel, wrong, f"{title}: input depth must be evenly divisible by filter depth", name)
    refuse(kernel, shape[3] != dy[3], f"{title}: filter and out_backprop must have the same out_depth", name)
    counts = check_outputs(kernel, x[1:3], shape[:2], strides[1:3], (1, 1), padding, name)
    _check_counts(kernel, title, (x, shape, dy), counts, strides, (1, 1, 1, 1), name)


def _check_counts(
    kernel: str, title: str, shapes: tuple[Shape, ...], counts: Shape, strides: Shape, rates: Shape, name: str | None
) -> None:
    """As many windows arrive as the input, the filter and the strides make; ``shapes``: theirs, and the upstream's."""
    x, w, dy = shapes
    for axis, (got, want) in enumerate(zip(dy[1:-1], counts)):
        text = f"{title}: Size of out_backprop doesn't match computed: actual = {got}, computed = {want} spatial_dim: "
        text = f"{text}{axis + 1} input: {x[axis + 1]} filter: {w[axis]} output: {got} stride: {strides[axis + 1]}"
        refuse(kernel, got != want, f"{text} dilation: {rates[axis + 1]}", name)


def _check_batch(kernel: str, title: str, shape: Shape, dy: Shape, name: str | None) -> None:
    text = f"{title}: input and out_backprop must have the same batch size. Input batch: {shape[0]}, outbackprop batch"
    refuse(kernel, shape[0] != dy[0], f"{text}: {dy[0]}, batch_dim: 0", name)


def _check_flat(kernel: str, shape: Shape, w: Shape, dy: Shape, name: str | None) -> None:
    text = f"Conv2DBackpropInput requires input_sizes to contain 4 values or 2 values, but got: {len(shape)}"
    refuse(kernel, len(shape) != 4, text, name)
    refuse(kernel, min(shape) < 0, f"Dimension {min(shape)} must be >= 0", name)
    refuse(kernel, len(dy) != 4, f"input_sizes must be 4-dimensional, got: {len(dy)}", name)
    title = "Conv2DCustomBackpropInput"
    refuse(kernel, len(w) != 4, f"{title}: filter must be 4-dimensional", name)
    _check_batch(kernel, title, shape, dy, name)
    wrong = w[2] != 0 and shape[3] % w[2] != 0
    refuse(kernel, wrong, f"{title}: input depth must be evenly divisible by filter depth", name)
    refuse(kernel, w[3] != dy[3], f"{title}: filter and out_backprop must have the same out_depth", name)


def _check_deep(kernel: str, shape: Shape, w: Shape, dy: Shape, name: str | None) -> None:
    refuse(kernel, len(shape) != 5, "input tensor must have 5 dimensions", name)
    refuse(kernel, min(shape) < 0, f"Dimension {min(shape)} must be >= 0", name)
    refuse(kernel, len(dy) != 5, "out_backprop tensor must have 5 dimensions", name)
    refuse(kernel, len(w) != 5, "filter_sizes tensor must have 5 dimensions", name)
    for word, got, want in (("input", shape[4], w[3]), ("out_backprop", dy[4], w[4])):
        text = f"{word} and filter_sizes must have the same number of channels. Got {got} for {word} and {want} for "
        refuse(kernel, got != want, f"{text}filter_sizes", name)


def check_depthwise_transposed(
    kernel: str, shape: Shape, w: Shape, dy: Shape, strides: Shape, padding: Any, name: str | None = None
) -> None:
    """The gradient of a depthwise convolution by its input, whose shape is ``shape``."""
    check_strides(kernel, strides, (1,) * 4, name)
    for axis, size in enumerate(shape):
        refuse(kernel, size < 0, f"Dimension {axis} of input_sizes must be >= 0", name)
    title = "DepthwiseConv2DBackpropInput"
    for word, given in (("input", shape), ("filter", w), ("out_backprop", dy)):
        refuse(kernel, len(given) != 4, f"{title}: {word} must be 4-dimensional", name)
    refuse(kernel, shape[0] != dy[0], f"{title}: input and out_backprop must have the same batch size", name)
    refuse(kernel, shape[3] != w[2], f"{title}: input and filter must have the same in_depth", name)
    refuse(kernel, w[2] * w[3] != dy[3], f"{title}: depth_multiplier * in_depth not equal to out_depth", name)
    counts = check_outputs(kernel, shape[1:3], w[:2], strides[1:3], (1, 1), padding, name)
    for word, got, want in zip(("rows", "cols"), dy[1:3], counts):
        text = f"{title}: Number of {word} of out_backprop doesn't match computed: actual = {got}, computed = {want}"
        refuse(kernel, got != want, text, name)


# ------------------------------------------------------------------------------------------------------- patches


def check_dilation(
    kernel: str, x: Shape, w: Shape, strides: Shape, rates: Shape, padding: str, name: str | None = None
) -> None:
    """Grey-scale dilation of x by the filter w."""
    refuse(kernel, len(strides) != 4, "Sliding window stride field must specify 4 dimensions", name)
    refuse(kernel, len(rates) != 4, "Input stride (atrous rate) field must specify 4 dimensions", name)
    for word, given in (("Stride", strides), ("Rate", rates)):
        text = f"{word} is only supported across spatial dimensions."
        not_supported(kernel, given[0] != 1 or given[3] != 1, text, name)
    refuse(kernel, len(x) != 4, f"input must be 4-dimensional{brackets(x)}", name)
    refuse(kernel, len(w) != 3, f"filter must be 3-dimensional: {brackets(w)}", name)
    refuse(kernel, x[3] != w[2], f"input and filter must have the same depth: {x[3]} vs {w[2]}", name)
    check_outputs(kernel, x[1:3], w[:2], strides[1:3], rates[1:3], padding, name)


def check_patches(
    kernel: str, x: Shape, sizes: Shape, strides: Shape, rates: Shape, padding: str, name: str | None = None
) -> None:
    """Patches of x; numbers beyond the last axis are not looked at."""
    rank = 5 if kernel == "ExtractVolumePatches" else 4
    for word, given in (("ksizes", sizes), ("strides", strides), ("rates", rates)):
        not_supported(
            kernel, given[0] != 1 or given[rank - 1] != 1, f"Only support {word} across space.", name
        )  # fmt: skip
        if min(given[1 : rank - 1]) < 1:
            raise OutOfRangeError(None, None, invalid(kernel, f"{word} is out of range.", name).message)
    refuse(kernel, len(x) != rank, f"input must be {rank}-dimensional{brackets(x)}", name)
    inner = slice(1, rank - 1)
    check_outputs(kernel, x[inner], sizes[inner], strides[inner], rates[inner], padding, name)
