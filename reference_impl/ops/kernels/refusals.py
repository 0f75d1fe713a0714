"""Errors of kernels, raised where something is wrong: checks of shapes and numbers are lists of these calls."""

from __future__ import annotations

from collections.abc import Sequence

from ...errors import UnimplementedError, invalid

Shape = Sequence[int]


def brackets(shape: Shape) -> str:
    """A shape as kernels write it: [2,3]."""
    return f"[{','.join(map(str, shape))}]"


def refuse(kernel: str, wrong: bool, text: str, name: str | None = None) -> None:
    """InvalidArgumentError with a kernel's text where something is wrong."""
    if wrong:
        raise invalid(kernel, text, name)


def not_supported(kernel: str, wrong: bool, text: str, name: str | None = None) -> None:
    """UnimplementedError with a kernel's text where something is wrong."""
    if wrong:
        raise UnimplementedError(None, None, invalid(kernel, text, name).message)
