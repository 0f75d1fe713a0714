"""The optimizers that there are: SGD, Adam, AdamW, RMSprop, Adagrad."""

from __future__ import annotations

from typing import Any

from ...surroundings.scopes import init_scope
from .. import initializers
from ..variables import Variable
from . import rules
from .optimizer import Optimizer
from .ruled import Ruled


class SGD(Ruled):
    """Gradient descent, with momentum (Polyak) or Nesterov's on demand."""

    _rule = staticmethod(rules.sgd)
    _meets = ("AssignSubVariableOp", True)

    def __init__(
        self, learning_rate: Any = 0.01, momentum: float = 0.0, nesterov: bool = False, weight_decay: Any = None,
        clipnorm: Any = None, clipvalue: Any = None, global_clipnorm: Any = None, **kwargs: Any,
    ):  # fmt: skip
        super().__init__(learning_rate, weight_decay, clipnorm, clipvalue, global_clipnorm, **kwargs)
        if not isinstance(momentum, float) or momentum < 0 or momentum > 1:
            raise ValueError("`momentum` must be a float between [0, 1].")
        self.momentum, self.nesterov = momentum, nesterov

    def _kept_names(self) -> tuple[str, ...]:
        return ("momentum",) if self.momentum != 0 else ()

    @property
    def momentums(self) -> list[Variable]:
        """The momentum of each variable."""
        return [row[0] for row in self._kept if row]

    def get_config(self) -> dict:
        """The arguments it was made with."""
        return {**super().get_config(), "momentum": self.momentum, "nesterov": self.nesterov}


class Adam(Ruled):
    """Adaptive moments (Kingma and Ba, 2014)."""

    _rule = staticmethod(rules.adam)

    def __init__(
        self, learning_rate: Any = 0.001, beta_1: float = 0.9, beta_2: float = 0.999, epsilon: float = 1e-7,
        amsgrad: bool = False, weight_decay: Any = None, clipnorm: Any = None, clipvalue: Any = None,
        global_clipnorm: Any = None, **kwargs: Any,
    ):  # fmt: skip
        super().__init__(learning_rate, weight_decay, clipnorm, clipvalue, global_clipnorm, **kwargs)
        self.beta_1, self.beta_2, self.epsilon, self.amsgrad = beta_1, beta_2, epsilon, amsgrad

    def build(self, var_list: Any) -> None:
        """Take the variables to be trained, and make two or three moments for each."""
        if self.built:
            return
        Optimizer.build(self, var_list)
        with init_scope():
            first, second = self.add_optimizer_variables(var_list, ["momentum", "velocity"])
            best = self.add_optimizer_variables(var_list, "velocity_hat") if self.amsgrad else None
        self._kept = list(zip(first, second)) if best is None else list(zip(first, second, best))

    def get_config(self) -> dict:
        """The arguments it was made with."""
        own = {"beta_1": self.beta_1, "beta_2": self.beta_2, "epsilon": self.epsilon, "amsgrad": self.amsgrad}
        return {**super().get_config(), **own}


class AdamW(Adam):
    """Adam with weight decay apart from the gradient (Loshchilov and Hutter, 2017)."""

    def __init__(
        self, learning_rate: Any = 0.001, weight_decay: Any = 0.004, beta_1: float = 0.9, beta_2: float = 0.999,
        epsilon: float = 1e-7, amsgrad: bool = False, **kwargs: Any,
    ):  # fmt: skip
        super().__init__(learning_rate, beta_1, beta_2, epsilon, amsgrad, weight_decay, **kwargs)
        if self.weight_decay is None:
            raise ValueError("Argument `weight_decay` must be a float. Received: weight_decay=None")


class RMSprop(Ruled):
    """The gradient over the root of its moving mean square (Hinton, 2012)."""

    _rule = staticmethod(rules.rmsprop)
    _meets = ("assign", False)

    def __init__(
        self, learning_rate: Any = 0.001, rho: float = 0.9, momentum: float = 0.0, epsilon: float = 1e-7,
        centered: bool = False, weight_decay: Any = None, clipnorm: Any = None, clipvalue: Any = None,
        global_clipnorm: Any = None, **kwargs: Any,
    ):  # fmt: skip
        super().__init__(learning_rate, weight_decay, clipnorm, clipvalue, global_clipnorm, **kwargs)
        self.rho, self.momentum, self.epsilon, self.centered = rho, momentum, epsilon, centered

    def build(self, var_list: Any) -> None:
        """Take the variables to be trained, and make what the options need for each."""
        if self.built:
            return
        Optimizer.build(self, var_list)
        with init_scope():
            made = [self.add_optimizer_variables(var_list, name) for name in self._kept_names()]
        self._kept = list(zip(*made))

    def _kept_names(self) -> tuple[str, ...]:
        return (
            "velocity",
            *(("momentum",) if self.momentum > 0 else ()),
            *(("average_gradient",) if self.centered else ()),
        )

    def get_config(self) -> dict:
        """The arguments it was made with."""
        own = {"rho": self.rho, "momentum": self.momentum, "epsilon": self.epsilon, "centered": self.centered}
        return {**super().get_config(), **own}


class Adagrad(Ruled):
    """The gradient over the root of the sum of its squares (Duchi et al., 2011)."""

    _rule = staticmethod(rules.adagrad)
    _slots = ("accumulator",)
    _meets = ("AssignAddVariableOp", True)

    def __init__(
        self, learning_rate: Any = 0.001, initial_accumulator_value: float = 0.1, epsilon: float = 1e-7,
        weight_decay: Any = None, clipnorm: Any = None, clipvalue: Any = None, global_clipnorm: Any = None,
        **kwargs: Any,
    ):  # fmt: skip
        super().__init__(learning_rate, weight_decay, clipnorm, clipvalue, global_clipnorm, **kwargs)
        self.initial_accumulator_value, self.epsilon = initial_accumulator_value, epsilon
        self._first_values = initializers.Constant(initial_accumulator_value)

    def get_config(self) -> dict:
        """The arguments it was made with."""
        own = {"initial_accumulator_value": self.initial_accumulator_value, "epsilon": self.epsilon}
        return {**super().get_config(), **own}
