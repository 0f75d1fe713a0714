"""Shapes and numbers that TensorFlow's kernels of layers refuse: normalization, biases, few bits, blocks."""

from __future__ import annotations

import math
from typing import Any

from .refusals import Shape, brackets, refuse


def check_norm(kernel: str, x: Shape, vectors: dict[str, Shape], spare: dict[str, Shape], name: str | None) -> None:
    """Batch normalization of x: ``vectors`` hold one number for each channel, of ``spare`` only the rank counts."""
    refuse(kernel, len(x) not in (4, 5), f"input must be 4 or 5-dimensional{brackets(x)}", name)
    _check_ranks(kernel, vectors | spare, name)
    _check_channels(kernel, x, vectors, name)


def _check_channels(kernel: str, x: Shape, vectors: dict[str, Shape], name: str | None) -> None:
    for word, shape in vectors.items():
        text = f"{word} must have the same number of elements as the channels of x, got {shape[0]} and {x[-1]}"
        refuse(kernel, shape[0] != x[-1], text, name)


def _check_ranks(kernel: str, vectors: dict[str, Shape], name: str | None) -> None:
    words = {"reserve_space_1": "saved mean", "reserve_space_2": "saved variance"}
    for word, shape in vectors.items():
        text = f"{words.get(word, word)} must be 1-dimensional{brackets(shape)}"
        refuse(kernel, len(shape) != 1, text, name)


def check_norm_backward(kernel: str, dy: Shape, x: Shape, vectors: dict[str, Shape], name: str | None) -> None:
    """The backward kernel of batch normalization."""
    for shape in (dy, x):
        refuse(kernel, len(shape) not in (4, 5), f"input must be 4 or 5-dimensional{brackets(shape)}", name)
    _check_ranks(kernel, vectors, name)
    text = (
        f"x and y_backprop must have same shape, but x has shape {brackets(x)} and y_backprop has shape {brackets(dy)}"
    )
    refuse(kernel, tuple(x) != tuple(dy), text, name)
    _check_channels(kernel, x, vectors, name)


def check_bias(kernel: str, x: Shape, bias: Shape, axis: int, name: str | None) -> None:
    """A number for each place along an axis of x."""
    refuse(kernel, len(x) < 2, f"Input tensor must be at least 2D: {brackets(x)}", name)
    refuse(kernel, len(bias) != 1, f"Biases must be 1D: {brackets(bias)}", name)
    which = "last" if axis == len(x) - 1 else "channel"
    text = (
        f"Must provide as many biases as the {which} dimension of the input tensor: {brackets(bias)} vs. {brackets(x)}"
    )
    refuse(kernel, bias[0] != x[axis], text, name)


def check_bits(kernel: str, num_bits: int, name: str | None) -> None:
    """How many bits fake quantization may leave."""
    refuse(kernel, not 2 <= num_bits <= 16, "num_bits must be between 2 and 16, inclusive", name)


def check_bounds(kernel: str, x: Shape, low: Shape, high: Shape, name: str | None) -> None:
    """The bounds of fake quantization: numbers, or one for each channel of x."""
    rank = int(kernel.endswith("PerChannel"))
    for word, shape in (("min", low), ("max", high)):
        refuse(kernel, len(shape) != rank, f"`{word}` must be rank {rank} but is rank {len(shape)}", name)
    if rank and len(x):
        for word, shape in (("min", low), ("max", high)):
            text = f"{word} has incorrect size, expected {x[-1]} was {shape[0]}"
            refuse(kernel, shape[0] != x[-1], text, name)


def check_range(kernel: str, low: Any, high: Any, name: str | None) -> None:
    """The range of quantization, two numbers."""
    for word, bound in (("input_min", low), ("input_max", high)):
        refuse(kernel, bound.ndim != 0, f"{word} must be a scalar.", name)
    refuse(kernel, bool(low > high), f"Invalid range: input_min {low} > input_max {high}", name)


def check_blocks(kernel: str, x: Shape, block: Shape, pads: Any, name: str | None) -> None:
    """Blocks of space moved into the batch or back.  ``pads`` is an array, of paddings or crops."""
    back = kernel.startswith("BatchToSpace")
    word, rank = "crops" if back else "paddings", len(block)
    if kernel.endswith("ND"):
        refuse(kernel, len(x) < rank + 1, f"input rank should be >= {rank + 1} instead of {len(x)}", name)
    else:
        refuse(kernel, len(x) != 4, f"Input rank should be: 4instead of: {len(x)}", name)
    text = f"{word} should have shape [{rank}, 2] instead of {brackets(pads.shape)}"
    refuse(kernel, pads.shape != (rank, 2), text, name)
    negative = f"{word.capitalize()} must be non-negative"
    if back:
        area = math.prod(block)
        refuse(kernel, area <= 0, f"Product of block sizes must be positive, got {area}", name)
        text = f"Input batch dimension ({x[0]}) is not divisible by product of block sizes ({area})"
        refuse(kernel, x[0] % area != 0, text, name)
    for k, size in enumerate(block):
        text = f"All values in block_shape must be positive, got value, {size} at index {k}."
        refuse(kernel, size <= 0, text, name)
    for k, (size, pair) in enumerate(zip(block, pads.tolist())):
        refuse(kernel, min(pair) < 0, negative, name)
        left = x[k + 1] * size - sum(pair) if back else x[k + 1] + sum(pair)
        refuse(kernel, left < 0, f"cropped_shape[{k}]={left} must be non-negative", name)
        text = f"padded_shape[{k}]={left} is not divisible by block_shape[{k}]={size}"
        refuse(kernel, not back and left % size != 0, text, name)
