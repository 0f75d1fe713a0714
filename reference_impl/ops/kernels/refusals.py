"""Errors of kernels, raised where something is wrong: checks of shapes and numbers are lists of these calls."""

from __future__ import annotations

from collections.abc import Sequence

from ...errors import UnimplementedError, invalid

Shape = Sequence[int]


def brackets(shape: Shape) -> str:
    """A shape as kernels write it: [2,3]."""
    return f"[{','.join(map(str, shape))}]"


def of_unlike_inputs(kernel: str, first: Shape, k: int, other: Shape, node: str | None = None) -> str:
    """What kernels of inputs of one shape say of input ``k``, which has another; ``node``: where, in a graph."""
    text = f"Inputs to operation {node or kernel} of type {kernel} must have the same size and shape."
    return f"{text}  Input 0: {brackets(first)} != input {k}: {brackets(other)}"


def refuse(kernel: str, wrong: bool, text: str, name: str | None = None) -> None:
    """InvalidArgumentError with a kernel's text where something is wrong."""
    if wrong:
        raise invalid(kernel, text, name)


def not_supported(kernel: str, wrong: bool, text: str, name: str | None = None) -> None:
    """UnimplementedError with a kernel's text where something is wrong."""
    if wrong:
        raise UnimplementedError(None, None, invalid(kernel, text, name).message)


def sized(lengths: tuple[int, ...]) -> None:
    """ValueError for lengths that make no shape; -1 leaves one open there, and only the kernel refuses it."""
    for n in lengths:
        if n < -1:
            raise ValueError(f"Dimension {n} must be >= 0")
