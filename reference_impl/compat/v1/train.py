"""``tf.compat.v1.train``: optimizers of TensorFlow 1, which work with tapes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ... import math
from ...ops.making import zeros_like
from ...tapes.tape import GradientTape
from ...tensors.conversion import convert_to_tensor
from ...tensors.variable import ResourceVariable as Variable

__all__ = [
    "AdagradOptimizer", "AdamOptimizer", "GradientDescentOptimizer", "MomentumOptimizer", "Optimizer",
    "RMSPropOptimizer",
]  # fmt: skip


class Optimizer:
    """Base class: subclasses say what their slots begin with and how a variable moves."""

    slots: tuple[str, ...] = ()

    def __init__(self, learning_rate: Any, name: str):
        self._rate, self._name, self._steps = learning_rate, name, 0
        self._kept: dict[Any, dict[str, Any]] = {}

    def get_name(self) -> str:
        """The name."""
        return self._name

    def get_slot_names(self) -> list[str]:
        """The names of what is kept of each variable."""
        return sorted(self.slots) if self._kept else []

    def get_slot(self, var: Any, name: str) -> Any:
        """What is kept of a variable under a name, None before the first step."""
        return self._kept.get(var.ref(), {}).get(name)

    def compute_gradients(self, loss: Any, var_list: Any = None, **_options: Any) -> list[tuple[Any, Any]]:
        """Pairs of gradients and variables.  RuntimeError for a loss that is no function."""
        if not callable(loss):
            raise RuntimeError(
                "`loss` passed to Optimizer.compute_gradients should be a function when eager execution is enabled."
            )
        with GradientTape() as tape:
            value = loss()
        variables = tape.watched_variables() if var_list is None else var_list
        variables = list(variables() if callable(variables) else variables)
        return list(zip(tape.gradient(value, variables), variables))

    def apply_gradients(self, grads_and_vars: Any, global_step: Any = None, name: str | None = None) -> None:
        """Move the variables.  ValueError when there is nothing to move."""
        pairs = [(g, v) for g, v in grads_and_vars]
        if not pairs:
            raise ValueError("No variables provided.")
        if all(g is None for g, _ in pairs):
            raise ValueError(f"No gradients provided for any variable: {[str(v) for _, v in pairs]}.")
        self._steps += 1
        for gradient, variable in pairs:
            if gradient is not None:
                if variable.ref() not in self._kept:
                    self._kept[variable.ref()] = self._slots_of(variable)
                variable.assign_sub(self.step(convert_to_tensor(gradient), self._kept[variable.ref()]))
        if global_step is not None:
            global_step.assign_add(1)

    def _slots_of(self, variable: Any) -> dict[str, Any]:
        """New slots of a variable: their names are its name with that of the optimizer, numbered."""
        base = f"{variable.name.removesuffix(':0')}/{self._name}"
        names = [base, *(f"{base}_{k}" for k in range(1, len(self.slots)))]
        return {s: Variable(self.first(s, variable), name=n, trainable=False) for s, n in zip(self.slots, names)}

    def variables(self) -> list[Any]:
        """What is kept of all variables."""
        return sorted((v for kept in self._kept.values() for v in kept.values()), key=lambda v: v.name)

    def minimize(self, loss: Callable[[], Any], global_step: Any = None, var_list: Any = None, **_options: Any) -> None:
        """Compute gradients and move the variables."""
        self.apply_gradients(self.compute_gradients(loss, var_list), global_step)

    def first(self, slot: str, variable: Any) -> Any:
        """What a slot begins with."""
        return zeros_like(convert_to_tensor(variable))

    def step(self, g: Any, kept: dict[str, Any]) -> Any:
        """How far a variable goes down."""
        raise NotImplementedError

    @property
    def rate(self) -> Any:
        """The learning rate of this step."""
        return self._rate() if callable(self._rate) else self._rate


class GradientDescentOptimizer(Optimizer):
    """Plain gradient descent."""

    def __init__(self, learning_rate: Any, use_locking: bool = False, name: str = "GradientDescent"):
        super().__init__(learning_rate, name)

    def step(self, g: Any, kept: dict[str, Any]) -> Any:
        return g * self.rate


class MomentumOptimizer(Optimizer):
    """Gradient descent with momentum."""

    slots = ("momentum",)

    def __init__(
        self, learning_rate: Any, momentum: Any, use_locking: bool = False, name: str = "Momentum",
        use_nesterov: bool = False,
    ):  # fmt: skip
        super().__init__(learning_rate, name)
        self._momentum, self._nesterov = momentum, use_nesterov

    def step(self, g: Any, kept: dict[str, Any]) -> Any:
        m = kept["momentum"].assign(kept["momentum"] * self._momentum + g)
        if self._nesterov:
            return g * self.rate + m * self._momentum * self.rate
        return m * self.rate


class AdagradOptimizer(Optimizer):
    """Steps that grow shorter with the sum of squares."""

    slots = ("accumulator",)

    def __init__(
        self, learning_rate: Any, initial_accumulator_value: float = 0.1, use_locking: bool = False,
        name: str = "Adagrad",
    ):  # fmt: skip
        super().__init__(learning_rate, name)
        self._start = initial_accumulator_value

    def first(self, slot: str, variable: Any) -> Any:
        return zeros_like(convert_to_tensor(variable)) + self._start

    def step(self, g: Any, kept: dict[str, Any]) -> Any:
        total = kept["accumulator"].assign_add(g * g)
        return g * self.rate * math.rsqrt(convert_to_tensor(total))


class RMSPropOptimizer(Optimizer):
    """Steps divided by a moving root of squares."""

    slots = ("rms", "momentum")

    def __init__(
        self, learning_rate: Any, decay: float = 0.9, momentum: float = 0.0, epsilon: float = 1e-10,
        use_locking: bool = False, centered: bool = False, name: str = "RMSProp",
    ):  # fmt: skip
        super().__init__(learning_rate, name)
        self._decay, self._momentum, self._epsilon = decay, momentum, epsilon

    def first(self, slot: str, variable: Any) -> Any:
        return zeros_like(convert_to_tensor(variable)) + (1.0 if slot == "rms" else 0.0)

    def step(self, g: Any, kept: dict[str, Any]) -> Any:
        rms = kept["rms"].assign_add((g * g - kept["rms"]) * (1 - self._decay))
        new = kept["momentum"] * self._momentum + g * self.rate * math.rsqrt(rms + self._epsilon)
        return convert_to_tensor(kept["momentum"].assign(new))


class AdamOptimizer(Optimizer):
    """Adam with TensorFlow 1's defaults."""

    slots = ("m", "v")

    def __init__(
        self, learning_rate: Any = 0.001, beta1: float = 0.9, beta2: float = 0.999, epsilon: float = 1e-8,
        use_locking: bool = False, name: str = "Adam",
    ):  # fmt: skip
        super().__init__(learning_rate, name)
        self._beta1, self._beta2, self._epsilon = beta1, beta2, epsilon

    def step(self, g: Any, kept: dict[str, Any]) -> Any:
        m = kept["m"].assign_add((g - kept["m"]) * (1 - self._beta1))
        v = kept["v"].assign_add((g * g - kept["v"]) * (1 - self._beta2))
        one, power1, power2 = (np.float32(b) ** self._steps for b in (1.0, self._beta1, self._beta2))
        rate = np.float32(self.rate) * np.sqrt(one - power2) / (one - power1)
        return m * convert_to_tensor(rate, g.dtype) / (math.sqrt(convert_to_tensor(v)) + self._epsilon)
