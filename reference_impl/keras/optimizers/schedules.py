"""Learning rates that depend on the step (``tf.keras.optimizers.schedules``): objects called with a step number."""

from __future__ import annotations

import math as plain_math
from typing import Any

from ... import math
from ...ops.casting import cast
from ...ops.making import ones_like
from ...ops.selection import where
from ...tensors.conversion import convert_to_tensor
from ...tensors.tensor import EagerTensor


class LearningRateSchedule:
    """Base class: subclasses write ``__call__(step)``."""

    def __call__(self, step: Any) -> Any:
        raise NotImplementedError(
            f"Learning rate schedule '{type(self).__name__}' must override `__call__(self, step)`."
        )

    def get_config(self) -> dict:
        """The arguments it was made with."""
        return {k.lstrip("_"): v for k, v in vars(self).items()}

    @classmethod
    def from_config(cls, config: dict) -> LearningRateSchedule:
        """A schedule from its arguments."""
        return cls(**config)


def _positive(name: str, value: Any) -> None:
    if value <= 0:
        raise ValueError(f"Argument `{name}` must be > 0. Received: {name}={value}")


class ExponentialDecay(LearningRateSchedule):
    """``rate * decay_rate ** (step / decay_steps)``, in stairs on demand."""

    def __init__(
        self, initial_learning_rate: Any, decay_steps: Any, decay_rate: Any, staircase: bool = False,
        name: str = "ExponentialDecay",
    ):  # fmt: skip
        _positive("decay_steps", decay_steps)
        self.initial_learning_rate, self.decay_steps, self.decay_rate = initial_learning_rate, decay_steps, decay_rate
        self.staircase, self.name = staircase, name

    def __call__(self, step: Any) -> EagerTensor:
        first = convert_to_tensor(self.initial_learning_rate)
        p = cast(step, first.dtype) / cast(self.decay_steps, first.dtype)
        p = math.floor(p) if self.staircase else p
        return math.multiply(first, math.pow(cast(self.decay_rate, first.dtype), p))


class InverseTimeDecay(ExponentialDecay):
    """``rate / (1 + decay_rate * step / decay_steps)``, in stairs on demand."""

    def __init__(
        self, initial_learning_rate: Any, decay_steps: Any, decay_rate: Any, staircase: bool = False,
        name: str = "InverseTimeDecay",
    ):  # fmt: skip
        super().__init__(initial_learning_rate, decay_steps, decay_rate, staircase, name)

    def __call__(self, step: Any) -> EagerTensor:
        first = convert_to_tensor(self.initial_learning_rate)
        p = cast(step, first.dtype) / cast(self.decay_steps, first.dtype)
        p = math.floor(p) if self.staircase else p
        return math.divide(first, 1 + cast(self.decay_rate, first.dtype) * p)


class PiecewiseConstantDecay(LearningRateSchedule):
    """``values[k]`` up to and with ``boundaries[k]``, then the next."""

    def __init__(self, boundaries: Any, values: Any, name: str = "PiecewiseConstant"):
        if len(boundaries) != len(values) - 1:
            raise ValueError(
                "The length of boundaries should be 1 less than the length of values. Received: "
                f"boundaries={boundaries} of length {len(boundaries)}, and values={values} of length {len(values)}."
            )
        self.boundaries, self.values, self.name = boundaries, values, name

    def __call__(self, step: Any) -> EagerTensor:
        step = convert_to_tensor(step)
        rate = convert_to_tensor(self.values[-1])
        for boundary, value in reversed(list(zip(self.boundaries, self.values))):
            rate = where(step <= cast(boundary, step.dtype), convert_to_tensor(value), rate)
        return rate


class PolynomialDecay(LearningRateSchedule):
    """From the initial rate to ``end_learning_rate`` by a power of the part that is left, again and again on demand."""

    def __init__(
        self, initial_learning_rate: Any, decay_steps: Any, end_learning_rate: float = 0.0001, power: float = 1.0,
        cycle: bool = False, name: str = "PolynomialDecay",
    ):  # fmt: skip
        _positive("decay_steps", decay_steps)
        self.initial_learning_rate, self.decay_steps = initial_learning_rate, decay_steps
        self.end_learning_rate, self.power, self.cycle, self.name = end_learning_rate, power, cycle, name

    def __call__(self, step: Any) -> EagerTensor:
        first = convert_to_tensor(self.initial_learning_rate)
        last = cast(self.end_learning_rate, first.dtype)
        at, steps = cast(step, first.dtype), cast(self.decay_steps, first.dtype)
        if self.cycle:
            steps = steps * where(math.equal(at, 0), ones_like(at), math.ceil(at / steps))
        else:
            at = math.minimum(at, steps)
        left = math.pow(1 - math.divide(at, steps), cast(self.power, first.dtype))
        return math.add(math.multiply(first - last, left), last)


class CosineDecay(LearningRateSchedule):
    """Half a cosine from the initial rate down to ``alpha`` times it, after a linear warm-up on demand."""

    def __init__(
        self, initial_learning_rate: Any, decay_steps: Any, alpha: float = 0.0, name: str = "CosineDecay",
        warmup_target: Any = None, warmup_steps: Any = 0,
    ):  # fmt: skip
        _positive("decay_steps", decay_steps)
        self.initial_learning_rate, self.decay_steps, self.alpha, self.name = (
            initial_learning_rate,
            decay_steps,
            alpha,
            name,
        )
        self.warmup_target, self.warmup_steps = warmup_target, warmup_steps

    def __call__(self, step: Any) -> EagerTensor:
        first = convert_to_tensor(self.initial_learning_rate)
        at, steps = cast(step, first.dtype), cast(self.decay_steps, first.dtype)
        if self.warmup_target is None:
            return self._decayed(math.minimum(at, steps), steps, first)
        target, warm = cast(self.warmup_target, first.dtype), cast(self.warmup_steps, first.dtype)
        at = math.minimum(at, steps + warm)
        return where(at < warm, (target - first) * (at / warm) + first, self._decayed(at - warm, steps, target))

    def _decayed(self, at: Any, steps: Any, rate: Any) -> EagerTensor:
        cosine = 0.5 * (1.0 + math.cos(plain_math.pi * math.divide(at, steps)))
        return math.multiply(rate, (1 - self.alpha) * cosine + self.alpha)


class CosineDecayRestarts(LearningRateSchedule):
    """Half a cosine after another, each ``t_mul`` times as long and ``m_mul`` times as high as the one before."""

    def __init__(
        self, initial_learning_rate: Any, first_decay_steps: Any, t_mul: float = 2.0, m_mul: float = 1.0,
        alpha: float = 0.0, name: str = "SGDRDecay",
    ):  # fmt: skip
        _positive("first_decay_steps", first_decay_steps)
        self.initial_learning_rate, self.first_decay_steps = initial_learning_rate, first_decay_steps
        self._t_mul, self._m_mul, self.alpha, self.name = t_mul, m_mul, alpha, name

    def __call__(self, step: Any) -> EagerTensor:
        first = convert_to_tensor(self.initial_learning_rate)
        done = cast(step, first.dtype) / cast(self.first_decay_steps, first.dtype)
        longer, higher = cast(self._t_mul, first.dtype), cast(self._m_mul, first.dtype)
        if self._t_mul == 1.0:
            count = math.floor(done)
            done = done - count
        else:
            count = math.floor(math.log(1.0 - done * (1.0 - longer)) / math.log(longer))
            before = (1.0 - math.pow(longer, count)) / (1.0 - longer)
            done = (done - before) / math.pow(longer, count)
        cosine = 0.5 * math.pow(higher, count) * (1.0 + math.cos(plain_math.pi * done))
        return math.multiply(first, (1 - self.alpha) * cosine + self.alpha)


__all__ = [
    "CosineDecay", "CosineDecayRestarts", "ExponentialDecay", "InverseTimeDecay", "LearningRateSchedule",
    "PiecewiseConstantDecay", "PolynomialDecay",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    from ..outside import missing

    raise missing("keras.optimizers.schedules", name)


def __dir__() -> list[str]:
    return sorted(__all__)
