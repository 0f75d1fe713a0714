"""Dot, the layer of scalar products of two tensors along an axis of each."""

from __future__ import annotations

from typing import Any

from ... import math
from ...ops.products import einsum
from ...ops.squeezing import expand_dims
from ...tensors.tensor import EagerTensor
from .merging import _Merge


class Dot(_Merge):
    """Products summed along an axis of each of two tensors, example by example; normalised: cosines."""

    def __init__(self, axes: Any, normalize: bool = False, **kwargs: Any):
        super().__init__(**kwargs)
        if not isinstance(axes, int):
            if not isinstance(axes, (list, tuple)):
                raise TypeError(
                    f"Invalid type for argument `axes`: it should be a list or an int. Received: axes={axes}"
                )
            if len(axes) != 2:
                raise ValueError(
                    f"Invalid format for argument `axes`: it should contain two elements. Received: axes={axes}"
                )
        self.axes, self.normalize = axes, normalize

    def build(self, input_shape: Any) -> None:
        """ValueError unless there are two shapes with the same size along the axes."""
        if not isinstance(input_shape[0], (tuple, list)) or len(input_shape) != 2:
            raise ValueError(
                f"A `Dot` layer should be called on a list of 2 inputs. Received: input_shape={input_shape}"
            )
        first, second = input_shape
        a, b = self._places(len(first), len(second))
        if first[a] != second[b]:
            raise ValueError(
                f"Incompatible input shapes: axis values {first[a]} (at axis {a}) != {second[b]} (at axis {b}). Full "
                f"input shapes: {first}, {second}"
            )

    def _places(self, *ranks: int) -> tuple[int, int]:
        axes = (self.axes, self.axes) if isinstance(self.axes, int) else self.axes
        return axes[0] % ranks[0], axes[1] % ranks[1]

    def compute_mask(self, inputs: Any, mask: Any = None) -> None:
        """None."""

    def _merged(self, inputs: list) -> EagerTensor:
        x, y = inputs
        a, b = self._places(len(x.shape), len(y.shape))
        if self.normalize:
            x, y = (
                v * math.rsqrt(math.maximum(math.reduce_sum(math.square(v), k, True), 1e-14))
                for v, k in ((x, a), (y, b))
            )
        letters = iter("bcdefghijklmnopq")
        of_x = ["a", *("z" if k == a else next(letters) for k in range(1, len(x.shape)))]
        of_y = ["a", *("z" if k == b else next(letters) for k in range(1, len(y.shape)))]
        result = "".join(letter for letter in (*of_x, *of_y[1:]) if letter != "z")
        found = einsum(f"{''.join(of_x)},{''.join(of_y)}->{result}", x, y)
        return expand_dims(found, -1) if result == "a" else found


def dot(inputs: Any, axes: Any = -1, **kwargs: Any) -> EagerTensor:
    """Products of two tensors, summed along an axis of each."""
    return Dot(axes, **kwargs)(inputs)
