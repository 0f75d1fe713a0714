"""More rules of optimizers on arrays, as in rules.py: Nadam, Adamax, Adadelta, Ftrl, Lion, Adafactor, Lamb, Muon."""

from __future__ import annotations

from typing import Any

import numpy as np

from .rules import Gradient, Step, quiet


def _powers(options: Any, step: Step) -> tuple[Any, Any]:
    """The decay rates of both moments to the power of the number of the step."""
    first, second = (np.power(step.of(beta), step.of(step.number)) for beta in (options.beta_1, options.beta_2))
    return first, second


def _moments(options: Any, g: Gradient, kept: list, step: Step) -> tuple[Any, Any]:
    """The moving means of the gradient and of its square."""
    m = kept[0] + (g.dense() - kept[0]) * step.of(1 - options.beta_1)
    return m, kept[1] + (g.map(np.square).dense() - kept[1]) * step.of(1 - options.beta_2)


@quiet
def nadam(options: Any, value: Any, g: Gradient, kept: list, step: Step) -> tuple[Any, tuple]:
    """Adam with a look ahead; the third of what is kept is the product of all momenta so far."""
    one, half, decay, beta = step.of(1), step.of(0.5), step.of(0.96), step.of(options.beta_1)
    now, later = (beta * (one - half * np.power(decay, step.of(step.number + k))) for k in (0, 1))
    product = step.of(kept[2])
    m, v = _moments(options, g, kept, step)
    ahead = later * m / (one - product * later) + (one - now) * g.dense() / (one - product)
    spread = v / (one - _powers(options, step)[1])
    return value - ahead * step.rate / (np.sqrt(spread) + step.of(options.epsilon)), (m, v)


@quiet
def adamax(options: Any, value: Any, g: Gradient, kept: list, step: Step) -> tuple[Any, tuple]:
    """Adam by the largest gradient in the place of the mean square."""
    m = kept[0] + (g.dense() - kept[0]) * step.of(1 - options.beta_1)
    u = np.maximum(step.of(options.beta_2) * kept[1], g.map(np.abs).dense())
    below = (step.of(1) - _powers(options, step)[0]) * (u + step.of(options.epsilon))
    return value - step.rate * m / below, (m, u)


@quiet
def adadelta(options: Any, value: Any, g: Gradient, kept: list, step: Step) -> tuple[Any, tuple]:
    """Steps as large as past ones were, in the measure of the gradient over its root mean square."""
    rho, rest, small = step.of(options.rho), step.of(1 - options.rho), step.of(options.epsilon)
    squares = rho * kept[0] + (g.map(lambda x: rest * np.square(x))).dense()
    before, after = np.sqrt(kept[1] + small), np.sqrt(squares + small)
    change = g.times(before).over(after).map(np.negative)
    changes = change.map(lambda x: rest * np.square(x)).dense()
    return value + step.rate * change.dense(), (squares, rho * kept[1] + changes)


@quiet
def schedule_free(options: Any, value: Any, g: Gradient, kept: list, step: Step) -> tuple[Any, tuple]:
    """Adam without a schedule, by the mean of all points so far; what is kept is the point that moves, and the squares.

    The last mean is found with the point after its move, as Keras's optimizer reads it on TensorFlow.
    """
    one, beta = step.of(1), step.of(options.beta_1)
    rate = step.rate
    if options.warmup_steps > 0:
        rate = rate * np.minimum(step.of(step.number) / step.of(options.warmup_steps), one)
    v = kept[1] + (g.map(np.square).dense() - kept[1]) * step.of(1 - options.beta_2)
    below = np.sqrt(v / (one - _powers(options, step)[1])) + step.of(options.epsilon)
    point = kept[0] - rate * g.dense() / below
    mean = (value - (one - beta) * point) / beta
    weight = one / step.of(step.number)
    mean = (one - weight) * mean + weight * point
    return (one - beta) * point + beta * mean, (point, v)


@quiet
def ftrl(options: Any, value: Any, g: Gradient, kept: list, step: Step) -> tuple[Any, tuple]:
    """The best value for all gradients so far, with penalties."""
    total, linear = kept
    power, l1 = step.of(-options.learning_rate_power), step.of(options.l1_regularization_strength)
    l2 = step.of(options.l2_regularization_strength) + step.of(options.beta) / (step.of(2.0) * step.rate)
    dense = g.dense()
    shrunk = dense + step.of(2 * options.l2_shrinkage_regularization_strength) * value
    new = total + g.map(np.square).dense()
    linear = linear + (shrunk - (np.power(new, power) - np.power(total, power)) / step.rate * value)
    curve = np.power(new, power) / step.rate + step.of(2) * l2
    return (np.clip(linear, -l1, l1) - linear) / curve, (new, linear)


@quiet
def lion(options: Any, value: Any, g: Gradient, kept: list, step: Step) -> tuple[Any, tuple]:
    """The sign of a mean of momentum and gradient."""
    one, first, second = step.of(1), step.of(options.beta_1), step.of(options.beta_2)
    dense = g.dense()
    new = value - step.rate * np.sign(kept[0] * first + dense * (one - first))
    return new, (kept[0] * second + dense * (one - second),)


@quiet
def lamb(options: Any, value: Any, g: Gradient, kept: list, step: Step) -> tuple[Any, tuple]:
    """Adam with steps in the measure of the variable's own size."""
    m, v = _moments(options, g, kept, step)
    first, second = _powers(options, step)
    update = m / (step.of(1) - first) / (np.sqrt(v / (step.of(1) - second)) + step.of(options.epsilon))
    own, size = (np.sqrt(np.sum(np.square(x), dtype=step.dtype)) for x in (value, update))
    ratio = own / size if own > 0 and size > 0 else step.of(1)
    return value - ratio * step.rate * update, (m, v)


@quiet
def adafactor(options: Any, value: Any, g: Gradient, kept: list, step: Step) -> tuple[Any, tuple]:
    """Mean squares of rows and columns in the place of those of all numbers; clipped."""
    one, number, rate = step.of(1), step.of(step.number), step.rate
    if options.relative_step and not callable(options._learning_rate):
        rate = np.minimum(rate, one / np.sqrt(number))
    alpha = np.maximum(step.of(options.epsilon_2), _rms(value)) * np.minimum(rate, one / np.sqrt(number))
    squares = g.map(np.square).dense() + step.of(options.epsilon_1)
    old = one - np.power(number, step.of(options.beta_2_decay))
    means: tuple
    if value.ndim < 2:
        v = old * kept[2] + (one - old) * squares
        means = (kept[0], kept[1], v)
    else:
        r = old * kept[0] + (one - old) * np.mean(squares, axis=-1, dtype=step.dtype)
        c = old * kept[1] + (one - old) * np.mean(squares, axis=-2, dtype=step.dtype)
        v = (r / np.mean(r, axis=-1, keepdims=True, dtype=step.dtype))[..., None] * c[..., None, :]
        means = (r, c, v)
    update = g.over(np.sqrt(v))
    size = np.sqrt(np.sum(np.square(update.rows), dtype=step.dtype) / step.of(value.size))
    most = np.maximum(one, size / step.of(options.clip_threshold))
    return update.map(lambda x: alpha * (x / most)).taken_from(value), means


def _rms(x: Any) -> Any:
    return np.sqrt(np.mean(np.square(x), dtype=x.dtype))


@quiet
def muon(options: Any, value: Any, g: Gradient, kept: list, step: Step) -> tuple[Any, tuple]:
    """The nearest orthogonal matrix to the momentum, for matrices; Adam for all else."""
    dense, one = g.dense(), step.of(1)
    if len(kept) == 2:
        rate = step.rate * step.of(options.adam_lr_ratio)
        first, second = (np.power(step.of(b), step.of(step.number)) for b in (options.adam_beta_1, options.adam_beta_2))
        m = kept[0] + (dense - kept[0]) * step.of(1 - options.adam_beta_1)
        v = kept[1] + (g.map(np.square).dense() - kept[1]) * step.of(1 - options.adam_beta_2)
        alpha = rate * np.sqrt(one - second) / (one - first)
        return value - m * alpha / (np.sqrt(v) + step.of(options.epsilon)), (m, v)
    m = kept[0] + (dense + kept[0] * step.of(options.momentum - 1))
    ahead = dense + step.of(options.momentum) * m if options.nesterov else m
    change = step.rate * _orthogonal(options, ahead, step)
    if options.rms_rate is not None:
        change = change * np.sqrt(step.of(max(change.shape))) * step.of(options.rms_rate)
    return value - change, (m,)


def _orthogonal(options: Any, x: Any, step: Step) -> Any:
    """A matrix whose singular values are all near 1, by steps of Newton and Schulz."""
    a, b, c = (step.of(v) for v in (options.muon_a, options.muon_b, options.muon_c))
    tall = x.shape[-2] > x.shape[-1]
    x = x.T if tall else x
    x = x / (np.sqrt(np.sum(np.square(x), dtype=step.dtype)) + step.of(1e-7))
    for _ in range(options.ns_steps):
        squares = x @ x.T
        x = a * x + (b * squares + c * squares @ squares) @ x
    return x.T if tall else x
