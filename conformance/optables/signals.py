"""Rows of Fourier transforms."""

from __future__ import annotations

from typing import Any

from conformance.optables.row import COMPLEX, NUMERIC, WIDE, Digits, Fresh, Row, Setting, op_row

_SPACES: tuple[tuple[int, ...], ...] = ((4,), (3,), (2,), (1,), (5,))


def transform(axes: int) -> Any:
    """A complex transform over the last axes."""

    def setting(draw: Digits, dtype: str) -> Setting:
        space = tuple(_SPACES[draw(5 if axes == 1 else 3)][0] for _ in range(axes))
        return Setting((Fresh((*((), (2,), (0,))[draw(3)], *space)),))

    return setting


def real_transform(draw: Digits, dtype: str) -> Setting:
    """Of all numbers, which may be none, or cut or padded to a length."""
    named: dict[str, Any] = {"fft_length": [2 + draw(4)]} if draw(3) == 2 else {}
    batch, size = ((), (2,), (), (2,), (0,))[draw(5)], 2 + draw(4)
    return Setting((Fresh((*batch, 0 if not named and draw(6) == 5 else size)),), named)


def real_plane(backward: bool) -> Any:
    """A real transform of two axes, one of which may be empty, or half a spectrum; now and then cut or padded."""

    def setting(draw: Digits, dtype: str) -> Setting:
        rows, columns = 1 + draw(3), 2 + draw(3) if backward else 1 + draw(4)
        lengths = [rows + draw(2), 2 * columns - 2 + draw(3) if backward else columns + draw(2)]
        if draw(6) == 5:
            lengths = [1 + draw(3), 2 + draw(3)]
        named: dict[str, Any] = {"fft_length": lengths} if draw(3) == 2 else {}
        if not named and not backward and draw(5) == 4:
            rows, columns = ((0, columns), (rows, 0))[draw(2)]
        return Setting((Fresh((*((), (2,), (0,))[draw(5) % 3], rows, columns)),), named)

    return setting


def shifted(draw: Digits, dtype: str) -> Setting:
    return Setting((Fresh(((4,), (2, 3), (3, 3))[draw(3)]),), {"axes": 0} if draw(2) else {})


ROWS: tuple[Row, ...] = (
    op_row("signal.fft", transform(1), COMPLEX, "linear"),
    op_row("signal.ifft", transform(1), COMPLEX, "linear"),
    op_row("signal.fft2d", transform(2), COMPLEX, "linear"),
    op_row("signal.ifft2d", transform(2), COMPLEX, "linear"),
    op_row("signal.fft3d", transform(3), COMPLEX, "linear"),
    op_row("signal.ifft3d", transform(3), COMPLEX, "linear"),
    op_row("signal.rfft", real_transform, WIDE, "linear", unasked=("forward_mode",)),
    op_row("signal.irfft", real_transform, COMPLEX, "linear"),
    op_row("signal.rfft2d", real_plane(False), WIDE, "linear", unasked=("forward_mode",)),
    op_row("signal.irfft2d", real_plane(True), COMPLEX, "linear"),
    op_row("signal.fftshift", shifted, NUMERIC, "linear"),
    op_row("signal.ifftshift", shifted, NUMERIC, "linear"),
)
