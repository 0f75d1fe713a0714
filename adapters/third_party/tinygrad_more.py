"""More of TensorFlow's ops in tinygrad's words: `tinygrad_more_ops(Tensor)`. Each op is one of tinygrad's methods."""

from __future__ import annotations

import math
from typing import Any

from adapters.backend import UnsupportedStep
from adapters.third_party.numpy_linear import Ops
from adapters.third_party.windows import each, pads


def tinygrad_more_ops(tensor: Any) -> Ops:
    """The table. `tensor` is the class."""

    def along(x: Any, axis: int, index: Any) -> Any:
        return x[(*(slice(None),) * (axis % x.ndim), index)]

    def gather(x: Any, indices: Any, axis: int = 0) -> Any:
        return along(x, axis, tensor(indices) if isinstance(indices, list) else indices)

    def cumulative(name: str) -> Any:
        def run(x: Any, axis: int = 0, exclusive: bool = False, reverse: bool = False) -> Any:
            if exclusive or reverse:
                raise UnsupportedStep("cumulative ops are neither exclusive nor reverse in tinygrad")
            return getattr(x, name)(axis)

        return run

    def band(x: Any, lower: int, upper: int) -> Any:
        below = x if lower < 0 else x.triu(-lower)
        return below if upper < 0 else below.tril(upper)

    def repeated(x: Any, repeats: Any, axis: Any = None) -> Any:
        if not isinstance(repeats, int):
            raise UnsupportedStep("tinygrad repeats each element as often as the others")
        return x.repeat_interleave(repeats, axis)

    return {
        "gather": gather,
        "unstack": lambda x, axis=0: [along(x, axis, at) for at in range(x.shape[axis])],
        "cumsum": cumulative("cumsum"),
        "math.cumsum": cumulative("cumsum"),
        "math.cumprod": cumulative("cumprod"),
        "math.cumulative_logsumexp": cumulative("logcumsumexp"),
        "einsum": lambda equation, *operands: tensor.einsum(equation, *operands),
        "linalg.matrix_transpose": lambda x, conjugate=False: x.transpose(-1, -2),
        "linalg.adjoint": lambda x: x.transpose(-1, -2),
        "linalg.band_part": band,
        "repeat": repeated,
        "sort": lambda x, axis=-1, direction="ASCENDING": x.sort(axis, direction == "DESCENDING")[0],
        "math.top_k": lambda x, k=1, sorted=True: list(x.topk(k)),
        "image.flip_left_right": lambda x: x.flip(-2),
        "image.flip_up_down": lambda x: x.flip(-3),
        "nn.gelu": _gelu,
        **_windows(),
    }  # fmt: skip


def _gelu(x: Any, approximate: bool = False) -> Any:
    return x.gelu(approximate="tanh" if approximate else "none")


def _windows() -> Ops:
    """Convolutions and pools: channels are first, and what `SAME` pads is put around beforehand.

    Those of three dimensions are left out: its interpreter takes ten seconds over one.
    """

    def first(x: Any) -> Any:
        return x.permute(0, x.ndim - 1, *range(1, x.ndim - 1))

    def last(x: Any) -> Any:
        return x.permute(0, *range(2, x.ndim), 1)

    def around(x: Any, sides: Any, value: float = 0.0) -> Any:
        return x.pad(((0, 0), (0, 0), *sides), value=value) if any(map(any, sides)) else x

    def convolved(x: Any, filters: Any, strides: Any = None, padding: Any = "VALID", dilations: Any = None) -> Any:
        n = x.ndim - 2
        by, apart = each(strides, n), each(dilations, n)
        sides = pads(padding, x.shape[1:-1], filters.shape[:n], by, apart)
        turned = filters.permute(n + 1, n, *range(n))
        groups = max(x.shape[-1] // max(filters.shape[-2], 1), 1)
        return last(around(first(x), sides).conv2d(turned, groups=groups, stride=by, dilation=apart))

    def largest(x: Any, ksize: Any, strides: Any, padding: str) -> Any:
        n = x.ndim - 2
        wide, by = each(ksize, n), each(strides, n)
        sides = pads(padding, x.shape[1:-1], wide, by, (1,) * n)
        return last(around(first(x), sides, -math.inf).max_pool2d(wide, by))

    def mean(x: Any, ksize: Any, strides: Any, padding: str) -> Any:
        if padding != "VALID":
            raise UnsupportedStep("tinygrad pads both sides alike")
        n = x.ndim - 2
        return last(first(x).avg_pool2d(each(ksize, n), each(strides, n)))

    return {
        "nn.conv2d": convolved,
        "nn.conv1d": lambda x, w, stride=1, padding="VALID", dilations=None: convolved(
            x, w, stride, padding, dilations
        ),
        **dict.fromkeys(("nn.max_pool1d", "nn.max_pool2d"), largest),
        **dict.fromkeys(("nn.avg_pool1d", "nn.avg_pool2d"), mean),
    }
