"""Shapes, window sizes and strides that TensorFlow's pools and their backward kernels refuse, and how.

Sizes and strides are given for all axes, batch and channels among them.
"""

from __future__ import annotations

from typing import Any

from .refusals import Shape, brackets, not_supported, refuse
from .window_checks import check_outputs

_BATCH = "Pooling is not yet supported on the batch dimension."
_NOT_DEEP = {
    "MaxPoolGrad": "MaxPoolingGrad", "MaxPoolGradGrad": "MaxPoolingGradGrad",
    "MaxPool3DGradGrad": "MaxPooling3dGradGrad",
}  # fmt: skip


def check_pool(
    kernel: str, x: Shape, sizes: Shape, strides: Shape, padding: Any, name: str | None = None
) -> None:  # fmt: skip
    """A pool of x.  ``padding`` is a word, or pairs for all axes."""
    deep = kernel.endswith("3D")
    rank = 5 if deep else 4
    _check_sizes(kernel, sizes, name)
    not_supported(kernel, sizes[0] != 1 or strides[0] != 1, _BATCH, name)
    if deep:
        text = "Pooling is not yet supported on the depth dimension."
        not_supported(kernel, sizes[-1] != 1 or strides[-1] != 1, text, name)
    text = "Depthwise max pooling requires the depth window to equal the depth stride"
    not_supported(kernel, sizes[-1] != 1 and sizes[-1] != strides[-1], text, name)
    text = f"tensor_in must be {rank}-dimensional" if deep else "tensor_in_shape must have 2 spatial dimensions. "
    if kernel == "MaxPoolWithArgmax":
        refuse(kernel, len(x) != 4, "tensor_in must be 4-dimensional (2)", name)
        refuse(kernel, 0 in x, "tensor_in must not be empty (2)", name)
    refuse(kernel, len(x) != rank, text if deep else f"{text}{len(x)} 0", name)
    if not isinstance(padding, str):
        padding = padding[1:-1]
        _check_paddings(kernel, padding, sizes[1:-1], name)
    check_outputs(kernel, x[1:-1], sizes[1:-1], strides[1:-1], (1,) * (rank - 2), padding, name)


def _check_sizes(kernel: str, sizes: Shape, name: str | None) -> None:
    if kernel.endswith("3D"):
        text = "Sliding window ksize field must have non-negative dimensions"
    elif kernel == "MaxPool":
        shown = ",".join(map(str, sizes))
        text = f"Sliding window ksize must be positive. The specified or inferred ksize is: {shown}"
    else:
        text = f"ksize must be a positive int32 value, got:{min(sizes)}"
    refuse(kernel, min(sizes) <= 0, text, name)


def _check_paddings(kernel: str, pads: Any, sizes: Shape, name: str | None) -> None:
    for words, pair, size in zip((("Top", "Bottom"), ("Left", "Right")), pads, sizes):
        for word, pad in zip(words, pair):
            text = f"{word} padding {pad} needs to be smaller than the window size {size}"
            refuse(kernel, pad >= size, text, name)


def check_pool_backward(
    kernel: str, x: Shape, y: Shape, more: Shape, sizes: Shape, strides: Shape, padding: str, name: str | None = None
) -> None:
    """A backward kernel of a maximum, of the input x, the output y and an upstream of the shape of either."""
    deep, twice = "3D" in kernel, "GradGrad" in kernel
    rank = 5 if deep else 4
    _check_lengths(kernel, rank, sizes, strides, kernel == "MaxPool3DGrad", name)
    not_supported(kernel, sizes[0] != 1 or strides[0] != 1, _BATCH, name)
    text = f"{_NOT_DEEP.get(kernel, 'Pooling')} is not yet supported on the depth dimension."
    not_supported(kernel, sizes[-1] != 1 or strides[-1] != 1, text, name)
    upstream = "out_grad_backprop" if twice else "out_backprop"
    for word, given in (("tensor_in", x), ("tensor_out", y), (upstream, more)):
        refuse(kernel, len(given) != rank, f"{word} must be {rank}-dimensional", name)
    counts = check_outputs(kernel, x[1:-1], sizes[1:-1], strides[1:-1], (1,) * (rank - 2), padding, name)
    want = (x[0], *counts, x[-1])
    for word, got, shape in (("orig_output", y, want), ("grad", more, x if twice else want)):
        text = f"Expected {word} shape to be {brackets(shape)}, but got {brackets(got)}"
        refuse(kernel, tuple(got) != tuple(shape), text, name)


def _check_lengths(kernel: str, rank: int, sizes: Shape, strides: Shape, single: bool, name: str | None) -> None:
    refuse(kernel, len(sizes) != rank, f"Sliding window ksize field must specify {rank} dimensions", name)
    text = f"Sliding window stride{'' if single else 's'} field must specify {rank} dimensions"
    refuse(kernel, len(strides) != rank, text, name)


def check_mean_backward(
    kernel: str, shape: Shape, dy: Shape, sizes: Shape, strides: Shape, padding: str, name: str | None = None
) -> None:
    """The backward kernel of a mean over windows of three axes, of an input of the shape ``shape``."""
    _check_lengths(kernel, 5, sizes, strides, True, name)
    not_supported(kernel, sizes[0] != 1 or strides[0] != 1, _BATCH, name)
    text = "Pooling is not yet supported on the depth dimension."
    not_supported(kernel, sizes[-1] != 1 or strides[-1] != 1, text, name)
    refuse(kernel, len(shape) != 5, "tensor_in must be 1-dimensional and 5 elements", name)
    refuse(kernel, len(dy) != 5, "out_backprop must be 5-dimensional", name)
    refuse(kernel, min(shape) < 0, f"Expected a non-negative size, got {min(shape)}", name)
    for word, axis in (("first", 0), ("last", -1)):
        text = (
            f"Expected {word} dimension of tensor_in_shape and out_backprop to match, got {shape[axis]} and {dy[axis]}"
        )
        refuse(kernel, shape[axis] != dy[axis], text, name)
    check_outputs(kernel, shape[1:-1], sizes[1:-1], strides[1:-1], (1,) * 3, padding, name)
    reach = any((n - 1) * s >= size for n, s, size in zip(dy[1:-1], strides[1:-1], shape[1:-1]))
    refuse(kernel, reach, "index * stride must be less than or equal to input size", name)
