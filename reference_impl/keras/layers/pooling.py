"""Pools over channels-last images, sequences and volumes."""

from __future__ import annotations

from typing import Any

from ... import math, nn
from ...ops.casting import cast
from ...ops.making import zeros_like
from ...ops.selection import where
from ...ops.squeezing import expand_dims
from ...tensors.tensor import EagerTensor
from ..layer import Layer
from ..specs import InputSpec
from .convolution import channels_last, sizes_of


class _Pool(Layer):
    """What pools over windows have in common."""

    rank = 2
    _function: Any = None

    def __init__(
        self, pool_size: Any = 2, strides: Any = None, padding: str = "valid", data_format: Any = None,
        name: str | None = None, **kwargs: Any,
    ):  # fmt: skip
        super().__init__(name=name, **kwargs)
        channels_last(data_format)
        self.pool_size = sizes_of(pool_size, self.rank, "pool_size")
        self.strides = sizes_of(pool_size if strides is None else strides, self.rank, "strides")
        self.padding = padding.lower()
        self.input_spec = InputSpec(ndim=self.rank + 2)
        self._build_at_init()

    def call(self, inputs: Any) -> EagerTensor:
        """One number for each window and channel."""
        return type(self)._function(inputs, list(self.pool_size), list(self.strides), self.padding.upper())


class MaxPooling1D(_Pool):
    """The largest of each window of a sequence."""

    rank = 1
    _function = staticmethod(nn.max_pool1d)


class MaxPooling2D(_Pool):
    """The largest of each window of an image."""

    _function = staticmethod(nn.max_pool2d)


class AveragePooling1D(_Pool):
    """The mean of each window of a sequence."""

    rank = 1
    _function = staticmethod(nn.avg_pool1d)


class AveragePooling2D(_Pool):
    """The mean of each window of an image."""

    _function = staticmethod(nn.avg_pool2d)


class MaxPooling3D(_Pool):
    """The largest of each window of a volume."""

    rank = 3
    _function = staticmethod(nn.max_pool3d)


class AveragePooling3D(_Pool):
    """The mean of each window of a volume."""

    rank = 3
    _function = staticmethod(nn.avg_pool3d)


class _GlobalPool(Layer):
    """What pools over whole images and sequences have in common."""

    rank = 2
    _function: Any = None

    def __init__(self, data_format: Any = None, keepdims: bool = False, **kwargs: Any):
        super().__init__(**kwargs)
        channels_last(data_format)
        self.keepdims = keepdims
        self.input_spec = InputSpec(ndim=self.rank + 2)
        self._build_at_init()

    def call(self, inputs: Any) -> EagerTensor:
        """One number for each example and channel."""
        return type(self)._function(inputs, list(range(1, self.rank + 1)), self.keepdims)


class GlobalAveragePooling1D(_GlobalPool):
    """The mean over the steps of a sequence, of those that are not masked."""

    rank = 1
    supports_masking = True
    _function = staticmethod(math.reduce_mean)

    def compute_mask(self, inputs: Any, mask: Any = None) -> None:
        """None: there are no steps any more."""

    def call(self, inputs: Any, mask: Any = None) -> EagerTensor:
        """One number for each example and channel."""
        if mask is None:
            return super().call(inputs)
        kept = expand_dims(mask, 2)
        total = math.reduce_sum(where(kept, inputs, zeros_like(inputs)), 1, self.keepdims)
        return total / math.reduce_sum(cast(kept, inputs.dtype), 1, self.keepdims)


class GlobalAveragePooling2D(_GlobalPool):
    """The mean over an image."""

    _function = staticmethod(math.reduce_mean)


class GlobalMaxPooling1D(_GlobalPool):
    """The largest of the steps of a sequence."""

    rank = 1
    _function = staticmethod(math.reduce_max)


class GlobalMaxPooling2D(_GlobalPool):
    """The largest of an image."""

    _function = staticmethod(math.reduce_max)


class GlobalAveragePooling3D(_GlobalPool):
    """The mean over a volume."""

    rank = 3
    _function = staticmethod(math.reduce_mean)


class GlobalMaxPooling3D(_GlobalPool):
    """The largest of a volume."""

    rank = 3
    _function = staticmethod(math.reduce_max)


MaxPool1D, MaxPool2D, MaxPool3D = MaxPooling1D, MaxPooling2D, MaxPooling3D
AvgPool1D, AvgPool2D, AvgPool3D = AveragePooling1D, AveragePooling2D, AveragePooling3D
GlobalAvgPool1D, GlobalAvgPool2D = GlobalAveragePooling1D, GlobalAveragePooling2D
GlobalAvgPool3D, GlobalMaxPool3D = GlobalAveragePooling3D, GlobalMaxPooling3D
GlobalMaxPool1D, GlobalMaxPool2D = GlobalMaxPooling1D, GlobalMaxPooling2D
