"""The rules of optimizers on arrays: from a value, its gradient and what is kept to new ones.

All arithmetic is in the dtype of the variable and in Keras's order.  A gradient by rows (IndexedSlices) is squared row
by row before repeated rows are added up, as Keras does it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...foundation.floating_point import silent
from ...tensors.conversion import convert_to_tensor
from ...tensors.slices import IndexedSlices


@dataclass(frozen=True, slots=True)
class Step:
    """The learning rate as a scalar, the number of the step from 1 on, and the dtype."""

    rate: Any
    number: int
    dtype: np.dtype

    def of(self, value: float) -> Any:
        """A number in the dtype."""
        return self.dtype.type(value)


@dataclass(frozen=True, slots=True)
class Gradient:
    """A gradient: all of it, or rows and where they belong (``at``); ``shape`` is that of the variable."""

    rows: Any
    at: Any
    shape: tuple[int, ...]

    @classmethod
    def of(cls, gradient: Any, like: Any) -> Gradient:
        """From a tensor or slices, in the dtype of an array."""
        if type(gradient) is IndexedSlices:
            rows = np.asarray(convert_to_tensor(gradient.values)._a).astype(like.dtype, copy=False)
            at = np.asarray(convert_to_tensor(gradient.indices)._a).reshape(-1)
            return cls(rows.reshape((at.size, *like.shape[1:])), at, like.shape)
        return cls(np.asarray(convert_to_tensor(gradient)._a).astype(like.dtype, copy=False), None, like.shape)

    def map(self, function: Callable[[Any], Any]) -> Gradient:
        """A function of every number."""
        return Gradient(function(self.rows), self.at, self.shape)

    def times(self, factor: Any) -> Gradient:
        """Multiplied by an array of the shape of the variable."""
        return Gradient(self.rows * (factor if self.at is None else factor[self.at]), self.at, self.shape)

    def over(self, divisor: Any) -> Gradient:
        """Divided by an array of the shape of the variable."""
        return Gradient(self.rows / (divisor if self.at is None else divisor[self.at]), self.at, self.shape)

    def dense(self) -> Any:
        """All of it as one array."""
        if self.at is None:
            return self.rows
        out = np.zeros(self.shape, self.rows.dtype)
        np.add.at(out, self.at, self.rows)
        return out

    def taken_from(self, value: Any) -> Any:
        """The value less the gradient."""
        if self.at is None:
            return value - self.rows
        out = np.array(value)
        np.subtract.at(out, self.at, self.rows)
        return out

    def added_to(self, value: Any) -> Any:
        """The value plus the gradient."""
        if self.at is None:
            return value + self.rows
        out = np.array(value)
        np.add.at(out, self.at, self.rows)
        return out


def quiet(rule: Callable[..., Any]) -> Callable[..., Any]:
    """Decorator: a rule that no error state of NumPy disturbs."""

    def quietly(*args: Any) -> Any:
        with silent():
            return rule(*args)

    return quietly


@quiet
def sgd(options: Any, value: Any, g: Gradient, kept: list, step: Step) -> tuple[Any, tuple]:
    """``value - rate * g``; with momentum, the velocity ``m`` is kept."""
    scaled = g.map(lambda x: x * step.rate)
    if not kept:
        return scaled.taken_from(value), ()
    momentum = step.of(options.momentum)
    m = scaled.taken_from(kept[0] * momentum)
    if options.nesterov:
        return value + scaled.taken_from(m * momentum), (m,)
    return value + m, (m,)


@quiet
def adam(options: Any, value: Any, g: Gradient, kept: list, step: Step) -> tuple[Any, tuple]:
    """``value - alpha * m / (sqrt(v) + epsilon)``."""
    one = step.of(1)
    first, second = (np.power(step.of(beta), step.of(step.number)) for beta in (options.beta_1, options.beta_2))
    alpha = step.rate * np.sqrt(one - second) / (one - first)
    m = kept[0] + (g.dense() - kept[0]) * step.of(1 - options.beta_1)
    v = kept[1] + (g.map(np.square).dense() - kept[1]) * step.of(1 - options.beta_2)
    state: tuple = (m, v)
    if options.amsgrad:
        v = np.maximum(kept[2], v)
        state = (m, kept[1] + (g.map(np.square).dense() - kept[1]) * step.of(1 - options.beta_2), v)
    return value - m * alpha / (np.sqrt(v) + step.of(options.epsilon)), state


@quiet
def rmsprop(options: Any, value: Any, g: Gradient, kept: list, step: Step) -> tuple[Any, tuple]:
    """``value - rate * g / sqrt(v + epsilon)``; centred, by the variance in the place of the mean square."""
    rho, rest, small = step.of(options.rho), step.of(1 - options.rho), step.of(options.epsilon)
    left = list(kept)
    v = g.map(lambda x: rest * np.square(x)).added_to(rho * left.pop(0))
    state = [v]
    momentum = left.pop(0) if options.momentum > 0 else None
    spread = v
    if options.centered:
        mean = g.map(lambda x: rest * x).added_to(rho * left.pop(0))
        spread = v - np.square(mean)
    increment = g.map(lambda x: step.rate * x).over(np.sqrt(spread + small))
    if momentum is None:
        new = increment.taken_from(value)
    else:
        momentum = increment.added_to(step.of(options.momentum) * momentum)
        state.append(momentum)
        new = value - momentum
    if options.centered:
        state.append(mean)
    return new, tuple(state)


@quiet
def adagrad(options: Any, value: Any, g: Gradient, kept: list, step: Step) -> tuple[Any, tuple]:
    """``value - rate * g / sqrt(sum of squares + epsilon)``."""
    total = g.map(np.square).added_to(kept[0])
    increment = g.map(lambda x: step.rate * x).over(np.sqrt(total + step.of(options.epsilon)))
    return increment.taken_from(value), (total,)
