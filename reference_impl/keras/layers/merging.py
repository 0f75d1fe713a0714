"""Layers of several tensors: Concatenate, Add, Subtract, Multiply, Average, Maximum, Minimum."""

from __future__ import annotations

import functools
from typing import Any

from ... import math
from ...ops.shaping import concat
from ...tensors.tensor import EagerTensor
from ..layer import Layer


class Concatenate(Layer):
    """Tensors one after another along an axis."""

    supports_masking = True

    def __init__(self, axis: int = -1, **kwargs: Any):
        super().__init__(**kwargs)
        self.axis = axis

    def build(self, input_shape: Any) -> None:
        """ValueError unless there is a list of shapes that differ only in the size along the axis."""
        if not input_shape or not isinstance(input_shape[0], (tuple, list)):
            raise ValueError(
                "A `Concatenate` layer should be called on a list of at least 1 input. Received: "
                f"input_shape={input_shape}"
            )
        others = {tuple(s for k, s in enumerate(shape) if k != self.axis % len(shape)) for shape in input_shape}
        if len(others) > 1:
            raise ValueError(
                "A `Concatenate` layer requires inputs with matching shapes except for the concatenation axis. "
                f"Received: input_shape={input_shape}"
            )

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """Where any of the numbers in a row counts."""
        from .. import ops

        if mask is None:
            return None
        full = [_whole_mask(x, m) for x, m in zip(inputs, mask)]
        return ops.any(ops.concatenate(full, axis=self.axis), axis=-1)

    def call(self, inputs: Any) -> EagerTensor:
        """The tensors in a row."""
        return concat(list(inputs), self.axis)


def _whole_mask(x: Any, mask: Any) -> Any:
    """A mask with the axes of a tensor; of one without a mask everything counts."""
    from .. import ops

    if mask is None:
        return ops.ones_like(x, dtype="bool")
    if len(mask.shape) == len(x.shape):
        return mask
    return ops.logical_or(ops.expand_dims(mask, -1), ops.zeros_like(x, dtype="bool"))


class _Merge(Layer):
    """Tensors of shapes that broadcast, merged element by element."""

    supports_masking = True

    def __init__(self, **kwargs: Any):
        super().__init__(**kwargs)

    def build(self, input_shape: Any) -> None:
        """ValueError unless there is a list of shapes."""
        if not isinstance(input_shape, (list, tuple)) or not isinstance(input_shape[0], (tuple, list)):
            raise ValueError(
                "A merge layer should be called on a list of inputs. Received: "
                f"input_shape={input_shape} (not a list of shapes)"
            )

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """Where any of the tensors counts; None when one has no mask."""
        if mask is None or any(m is None for m in mask):
            return None
        from .. import ops

        return functools.reduce(ops.logical_or, mask)

    def call(self, inputs: Any) -> EagerTensor:
        """What becomes of the tensors."""
        return self._merged(list(inputs))

    def _merged(self, inputs: list) -> Any:
        raise NotImplementedError("layers that merge say how")


class Add(_Merge):
    """The sum."""

    def _merged(self, inputs: list) -> EagerTensor:
        return functools.reduce(math.add, inputs)


class Subtract(_Merge):
    """The first less the second."""

    def _merged(self, inputs: list) -> EagerTensor:
        if len(inputs) != 2:
            raise ValueError(f"A `Subtract` layer should be called on exactly 2 inputs. Received: inputs={inputs}")
        return math.subtract(*inputs)


class Multiply(_Merge):
    """The product."""

    def _merged(self, inputs: list) -> EagerTensor:
        return functools.reduce(math.multiply, inputs)


class Average(_Merge):
    """The mean."""

    def _merged(self, inputs: list) -> EagerTensor:
        return functools.reduce(math.add, inputs) / len(inputs)


class Maximum(_Merge):
    """The largest."""

    def _merged(self, inputs: list) -> EagerTensor:
        return functools.reduce(math.maximum, inputs)


class Minimum(_Merge):
    """The smallest."""

    def _merged(self, inputs: list) -> EagerTensor:
        return functools.reduce(math.minimum, inputs)


def concatenate(inputs: Any, axis: int = -1, **kwargs: Any) -> EagerTensor:
    """Tensors in a row along an axis."""
    return Concatenate(axis, **kwargs)(inputs)


def add(inputs: Any, **kwargs: Any) -> EagerTensor:
    """The sum of tensors."""
    return Add(**kwargs)(inputs)


def multiply(inputs: Any, **kwargs: Any) -> EagerTensor:
    """The product of tensors."""
    return Multiply(**kwargs)(inputs)


def average(inputs: Any, **kwargs: Any) -> EagerTensor:
    """The mean of tensors."""
    return Average(**kwargs)(inputs)


def maximum(inputs: Any, **kwargs: Any) -> EagerTensor:
    """The largest of tensors."""
    return Maximum(**kwargs)(inputs)


def minimum(inputs: Any, **kwargs: Any) -> EagerTensor:
    """The smallest of tensors."""
    return Minimum(**kwargs)(inputs)


def subtract(inputs: Any, **kwargs: Any) -> EagerTensor:
    """The first tensor less the second."""
    return Subtract(**kwargs)(inputs)
