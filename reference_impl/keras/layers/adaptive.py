"""Pools with a given number of windows, whose sizes follow from the size of what is pooled."""

from __future__ import annotations

from typing import Any

from ...tensors.tensor import EagerTensor
from ..layer import Layer
from ..operations.pooling import TABLE


class _AdaptivePool(Layer):
    """What pools of a given number of windows have in common."""

    rank, kind = 2, "average"

    def __init__(self, output_size: Any, data_format: Any = None, **kwargs: Any):
        super().__init__(**kwargs)
        self.output_size = _sizes(output_size, self.rank)
        self.data_format = data_format or "channels_last"
        if self.data_format not in ("channels_first", "channels_last"):
            raise ValueError(f"Invalid data_format: {self.data_format}. Expected 'channels_first' or 'channels_last'.")
        self._build_at_init()

    def call(self, inputs: Any) -> EagerTensor:
        """So many numbers for each channel."""
        return TABLE[f"adaptive_{self.kind}_pool"](inputs, self.output_size, self.data_format)

    def compute_output_shape(self, input_shape: Any) -> tuple:
        """The shape of what comes out."""
        if self.data_format == "channels_last":
            return (input_shape[0], *self.output_size, input_shape[-1])
        return (input_shape[0], input_shape[1], *self.output_size)

    def get_config(self) -> dict:
        """The arguments it was made with."""
        return {**super().get_config(), "output_size": self.output_size, "data_format": self.data_format}


_WANTED = {
    1: "tuple of 1 integer", 2: "(height, width) tuple", 3: "(depth, height, width) tuple",
}  # fmt: skip


def _sizes(output_size: Any, rank: int) -> tuple:
    if isinstance(output_size, int):
        return (output_size,) * rank
    given = isinstance(output_size, (tuple, list))
    if given and len(output_size) == rank:
        return tuple(output_size)
    if given and rank == 1:
        raise ValueError(f"For 1D input, `output_size` tuple must have length 1. Received: {output_size}")
    raise TypeError(
        f"`output_size` must be an integer or {_WANTED[rank]}. Received: {output_size} of type {type(output_size)}"
    )


class AdaptiveAveragePooling1D(_AdaptivePool):
    """The means of so many windows of a sequence."""

    rank = 1


class AdaptiveAveragePooling2D(_AdaptivePool):
    """The means of so many windows of an image."""


class AdaptiveAveragePooling3D(_AdaptivePool):
    """The means of so many windows of a volume."""

    rank = 3


class AdaptiveMaxPooling1D(_AdaptivePool):
    """The largest of so many windows of a sequence."""

    rank, kind = 1, "max"


class AdaptiveMaxPooling2D(_AdaptivePool):
    """The largest of so many windows of an image."""

    kind = "max"


class AdaptiveMaxPooling3D(_AdaptivePool):
    """The largest of so many windows of a volume."""

    rank, kind = 3, "max"
