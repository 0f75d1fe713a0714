"""Layers that move, repeat, add or leave out places: Permute, RepeatVector, UpSampling, ZeroPadding, Cropping."""

from __future__ import annotations

from typing import Any

from ... import image
from ...ops.making import shape as dynamic_shape
from ...ops.shaping import stack, transpose
from ...ops.squeezing import expand_dims
from ...ops.tiling import pad, repeat
from ...tensors.conversion import convert_to_tensor
from ...tensors.tensor import EagerTensor
from ..layer import Layer
from ..specs import InputSpec
from .convolution import channels_last, sizes_of


class Permute(Layer):
    """The axes after the first in another order, counted from 1."""

    def __init__(self, dims: Any, **kwargs: Any):
        super().__init__(**kwargs)
        self.dims = tuple(dims)
        if sorted(dims) != list(range(1, len(dims) + 1)):
            raise ValueError(
                "Invalid permutation argument `dims` for Permute Layer. The set of indices in `dims` must be "
                f"consecutive and start from 1. Received dims={dims}"
            )
        self.input_spec = InputSpec(ndim=len(self.dims) + 1)
        self._build_at_init()

    def call(self, inputs: Any) -> EagerTensor:
        """The inputs, their axes in the new order."""
        return transpose(inputs, (0, *self.dims))


class RepeatVector(Layer):
    """A vector [batch, features] as a sequence of ``n`` like it."""

    def __init__(self, n: int, **kwargs: Any):
        super().__init__(**kwargs)
        if not isinstance(n, int) or isinstance(n, bool):
            raise TypeError(f"Expected an integer value for `n`, got {type(n)}.")
        if n <= 0:
            raise ValueError(f"Argument `n` should be a positive integer. Received: n={n}")
        self.n = n
        self.input_spec = InputSpec(ndim=2)
        self._build_at_init()

    def call(self, inputs: Any) -> EagerTensor:
        """The inputs, [batch, n, features]."""
        return repeat(expand_dims(inputs, 1), self.n, axis=1)


class _Spatial(Layer):
    """What layers over ``rank`` spatial axes have in common."""

    rank = 2

    def _begin(self, data_format: Any) -> None:
        channels_last(data_format)
        self.input_spec = InputSpec(ndim=self.rank + 2)
        self._build_at_init()


class _UpSampling(_Spatial):
    """Each place so many times along each axis."""

    def __init__(self, size: Any = 2, data_format: Any = None, **kwargs: Any):
        super().__init__(**kwargs)
        self.size = sizes_of(size, self.rank, "size")
        self._begin(data_format)

    def call(self, inputs: Any) -> EagerTensor:
        """The larger outputs."""
        x = convert_to_tensor(inputs)
        for axis, count in enumerate(self.size, 1):
            x = repeat(x, count, axis=axis)
        return x


class UpSampling1D(_UpSampling):
    """Each step of a sequence ``size`` times."""

    rank = 1


class UpSampling2D(_UpSampling):
    """Images ``size`` times as large, by repeating or by another ``interpolation`` ("bilinear", "bicubic" ...)."""

    def __init__(self, size: Any = (2, 2), data_format: Any = None, interpolation: str = "nearest", **kwargs: Any):
        super().__init__(size, data_format, **kwargs)
        self.interpolation = interpolation.lower()

    def call(self, inputs: Any) -> EagerTensor:
        """The larger images."""
        if self.interpolation == "nearest":
            return super().call(inputs)
        x = convert_to_tensor(inputs)
        given = dynamic_shape(x)
        sizes = [(given[k] if x.shape[k] is None else x.shape[k]) * n for k, n in enumerate(self.size, 1)]
        wanted = sizes if all(isinstance(s, int) for s in sizes) else stack(sizes)
        return image.resize(x, wanted, method=self.interpolation)


class UpSampling3D(_UpSampling):
    """Each place of a volume so many times along each axis."""

    rank = 3


def _borders(value: Any, rank: int, name: str) -> tuple[tuple[int, int], ...]:
    """How many places before and after along each axis.  ValueError for what does not say."""
    if isinstance(value, int):
        if value < 0:
            raise ValueError(f"`{name}` cannot be negative. Received: {name}={value}.")
        return ((value, value),) * rank
    if rank == 1:
        before, after = value
        return ((before, after),)
    if not hasattr(value, "__len__") or len(value) != rank:
        words = {2: "two", 3: "3"}
        raise ValueError(f"`{name}` should have {words[rank]} elements. Received: {name}={value}.")
    return tuple((v, v) if isinstance(v, int) else (v[0], v[1]) for v in value)


class _ZeroPadding(_Spatial):
    """Zeros around: a number for all sides, for each axis, or a pair for each axis."""

    def __init__(self, padding: Any = 1, data_format: Any = None, **kwargs: Any):
        super().__init__(**kwargs)
        borders = _borders(padding, self.rank, "padding")
        self.padding = borders[0] if self.rank == 1 else borders
        self._borders = [[0, 0], *map(list, borders), [0, 0]]
        self._begin(data_format)

    def call(self, inputs: Any) -> EagerTensor:
        """The inputs with zeros around."""
        return pad(inputs, [list(b) for b in self._borders])


class ZeroPadding1D(_ZeroPadding):
    """Zeros before and after the steps of a sequence."""

    rank = 1


class ZeroPadding2D(_ZeroPadding):
    """Zeros around images."""


class ZeroPadding3D(_ZeroPadding):
    """Zeros around volumes."""

    rank = 3


class _Cropping(_Spatial):
    """Without so many places at each side."""

    def __init__(self, cropping: Any = 1, data_format: Any = None, **kwargs: Any):
        super().__init__(**kwargs)
        borders = _borders(cropping, self.rank, "cropping")
        self.cropping = borders[0] if self.rank == 1 else borders
        self._borders = tuple(borders)
        self._begin(data_format)

    def call(self, inputs: Any) -> EagerTensor:
        """The middle of the inputs."""
        sizes = inputs.shape[1:-1]
        if any(size is not None and sum(border) >= size for size, border in zip(sizes, self._borders)):
            raise ValueError(
                "Values in `cropping` argument should be smaller than the corresponding spatial dimension of the "
                f"input. Received: inputs.shape={inputs.shape}, cropping={self.cropping}"
            )
        return inputs[(slice(None), *(slice(a, -b or None) for a, b in self._borders))]


class Cropping1D(_Cropping):
    """Sequences without their first and last steps."""

    rank = 1


class Cropping2D(_Cropping):
    """Images without their borders."""

    def __init__(self, cropping: Any = ((0, 0), (0, 0)), data_format: Any = None, **kwargs: Any):
        super().__init__(cropping, data_format, **kwargs)


class Cropping3D(_Cropping):
    """Volumes without their borders."""

    rank = 3
