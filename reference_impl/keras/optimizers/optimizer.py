"""Optimizer: what all optimizers share.  It takes steps, and knows how gradients are clipped and summed up before.

An optimizer belongs to the variables of its first call; others are refused with Keras's ValueError.  Gradients may be
IndexedSlices; None is skipped with a warning.
"""

from __future__ import annotations

import re
import warnings
from typing import Any

from ...math import equal
from ...ops.casting import cast
from ...ops.making import zeros
from ...surroundings.scopes import init_scope
from ...tensors.conversion import convert_to_tensor
from ...tracing.control_flow import cond
from ..naming import checked, scope
from ..policy import floatx
from ..serializing import deserialized_object, serialized_rate
from ..variables import Variable
from .gradients import clipped, filled, mapped
from .keeping import Keeper, inner
from .schedules import LearningRateSchedule


class Optimizer(Keeper):
    """Base class: subclasses write ``build(variables)`` and ``update_step(gradient, variable, learning_rate)``."""

    def __init__(
        self, learning_rate: Any, weight_decay: Any = None, clipnorm: Any = None, clipvalue: Any = None,
        global_clipnorm: Any = None, use_ema: bool = False, ema_momentum: float = 0.99,
        ema_overwrite_frequency: Any = None, loss_scale_factor: Any = None, gradient_accumulation_steps: Any = None,
        name: str | None = None, **kwargs: Any,
    ):  # fmt: skip
        if kwargs.pop("decay", None) is not None:
            warnings.warn("Argument `decay` is no longer supported and will be ignored.", stacklevel=3)
        if kwargs:
            raise ValueError(f"Argument(s) not recognized: {kwargs}")
        self.name = checked(name, type(self).__name__)
        _check_frequencies(use_ema, ema_momentum, ema_overwrite_frequency, gradient_accumulation_steps)
        if sum(a is not None for a in (clipnorm, clipvalue, global_clipnorm)) > 1:
            raise ValueError(
                "Only one of `clipnorm`, `clipvalue` and `global_clipnorm` can be set. Received: "
                f"clipnorm={clipnorm}, clipvalue={clipvalue}, global_clipnorm={global_clipnorm}"
            )
        self.weight_decay, self.clipnorm, self.clipvalue = weight_decay, clipnorm, clipvalue
        self.global_clipnorm, self.loss_scale_factor = global_clipnorm, loss_scale_factor
        self.use_ema, self.ema_momentum, self.ema_overwrite_frequency = use_ema, ema_momentum, ema_overwrite_frequency
        self.gradient_accumulation_steps = gradient_accumulation_steps
        self.built = False
        self._variables: list[Variable] = []
        self._trainable_variables: list[Any] = []
        self._places: dict[str, int] = {}
        self._undecayed: set[int] = set()
        self._undecayed_names: Any = None
        with scope(self.name, self):
            self._iterations = Variable(0, name="iteration", dtype="int", trainable=False)
        self._variables.append(self._iterations)
        self._learning_rate = self._made_rate(learning_rate)

    def _made_rate(self, learning_rate: Any) -> Any:
        if isinstance(learning_rate, LearningRateSchedule) or callable(learning_rate):
            return learning_rate
        if not isinstance(learning_rate, float):
            raise ValueError(
                "Argument `learning_rate` should be float, or an instance of LearningRateSchedule, or a callable "
                "(that takes in the current iteration value and returns the corresponding learning rate value). "
                f"Received instead: learning_rate={learning_rate}"
            )
        with scope(self.name, self):
            rate = Variable(learning_rate, name="learning_rate", dtype=floatx(), trainable=False)
        self._variables.append(rate)
        return rate

    # ------------------------------------------------------------------------------------ state

    @property
    def variables(self) -> list[Variable]:
        """The counter of steps, the learning rate, and what the rule keeps for each variable."""
        return list(self._variables)

    @property
    def iterations(self) -> Any:
        """How many steps were taken; steps that only add up gradients do not count."""
        count = self.gradient_accumulation_steps
        return self._iterations.value // count if count else self._iterations

    @property
    def learning_rate(self) -> Any:
        """The learning rate: a variable, or what a schedule or function gives now.  A schedule cannot be set."""
        rate = self._learning_rate
        if isinstance(rate, LearningRateSchedule):
            return rate(self._iterations)
        return rate if isinstance(rate, Variable) else rate()

    @learning_rate.setter
    def learning_rate(self, value: Any) -> None:
        if isinstance(value, LearningRateSchedule) or callable(value):
            self._variables = [v for v in self._variables if v is not self._learning_rate]
            self._learning_rate = value
        elif isinstance(self._learning_rate, LearningRateSchedule):
            raise TypeError(
                "This optimizer was created with a `LearningRateSchedule` object as its `learning_rate` constructor "
                "argument, hence its learning rate is not settable. If you need the learning rate to be settable, you "
                "should instantiate the optimizer with a float `learning_rate` argument."
            )
        else:
            self._learning_rate.assign(value)

    def build(self, variables: Any) -> None:
        """Take the variables to be trained; subclasses make what they keep for each."""
        with init_scope():
            if self.use_ema:
                self._averages = self.add_optimizer_variables(variables, "average")
            if self.gradient_accumulation_steps:
                self._sums = self.add_optimizer_variables(variables, "gradient_accumulator")
            self._places = {key_of(v): k for k, v in enumerate(variables)}
            self._trainable_variables = list(variables)
        self.built = True

    def _get_variable_index(self, variable: Any) -> int:
        return self._places[key_of(variable)]

    # ------------------------------------------------------------------------------------ a step

    def stateless_apply(self, optimizer_variables: Any, grads: Any, trainable_variables: Any) -> Any:
        """ValueError, as with TensorFlow: optimizers need variables."""
        raise ValueError(
            "stateless_apply is not supported with the TensorFlow backend (as it is incompatible with tf.distribute)."
        )

    def apply_gradients(self, grads_and_vars: Any) -> Variable:
        """One step for pairs of gradient and variable; returns the counter of steps."""
        grads, variables = zip(*grads_and_vars)
        self.apply(grads, variables)
        return self._iterations

    def apply(self, grads: Any, trainable_variables: Any = None) -> None:
        """One step.  ValueError for variables that the optimizer was not built with, or when all gradients are None."""
        grads = list(grads)
        if not grads:
            return
        if trainable_variables is None:
            trainable_variables = self._built_variables(len(grads))
        else:
            trainable_variables = list(trainable_variables)
            if not self.built:
                with scope(self.name, self), init_scope():
                    self.build(trainable_variables)
                self.built = True
            self._check_known(trainable_variables)
        with scope(self.name, self):
            self._step(*filled(grads, trainable_variables))
        self._iterations.value.assign_add(1)

    def _built_variables(self, count: int) -> list:
        if not self.built:
            raise ValueError(
                "When passing `grads` without `variables`, the optimizer must already be built on a list of "
                "variables. Call `optimizer.build(trainable_variables)` first. "
            )
        if count != len(self._trainable_variables):
            raise ValueError(
                "When passing `grads` as a list of gradient tensors, the gradients must match `optimizer.variables` "
                f"one-to-on. Received a list of {count} gradients, but the optimizer is tracking "
                f"{len(self._trainable_variables)} trainable variables."
            )
        return self._trainable_variables

    def _check_known(self, variables: list) -> None:
        for v in variables:
            if key_of(v) not in self._places:
                raise ValueError(
                    f"Unknown variable: {v}. This optimizer can only be called for the variables it was originally "
                    "built with. When working with a new set of variables, you should recreate a new optimizer "
                    "instance."
                )

    def _step(self, grads: list, variables: list) -> None:
        if self.loss_scale_factor is not None:
            grads = [mapped(g, lambda x: x / self.loss_scale_factor) for g in grads]
        if self.gradient_accumulation_steps:
            self._accumulate(grads, variables)
        else:
            self._change(grads, variables)
        if self.use_ema:
            self._average()
        for v in variables:
            if v.constraint is not None:
                v.assign(v.constraint(v))

    def _change(self, grads: list, variables: list) -> None:
        """Clip, decay, and take the step."""
        grads, rate = clipped(grads, self), self.learning_rate
        bare = [inner(v) for v in variables]
        if self.weight_decay is not None:
            self._decay(bare, rate)
        for gradient, variable in zip(grads, bare):
            self.update_step(gradient, variable, rate)

    def _accumulate(self, grads: list, variables: list) -> None:
        """Add the gradients up; at every so many steps, take a step by their mean."""
        count = self.gradient_accumulation_steps
        sums = [self._sums[self._get_variable_index(v)] for v in variables]
        totals = [convert_to_tensor(g) + convert_to_tensor(s) for g, s in zip(grads, sums)]

        def change() -> None:
            self._change([total / count for total in totals], variables)
            for s in self._sums:
                s.assign(zeros(s.shape, s.dtype))

        def keep() -> None:
            for s, total in zip(sums, totals):
                s.assign(total)

        _each(count, self._iterations, change, keep)

    def _decay(self, variables: list, rate: Any) -> None:
        for v in variables:
            if self._use_weight_decay(v):
                v.assign_sub(v * cast(self.weight_decay, v.dtype) * cast(rate, v.dtype))

    def exclude_from_weight_decay(self, var_list: Any = None, var_names: Any = None) -> None:
        """Variables, by themselves or by parts of their names, that weight decay leaves alone."""
        self._undecayed = {key_of(v) for v in var_list or ()}
        self._undecayed_names = re.compile("|".join(set(var_names))) if var_names else None

    def _use_weight_decay(self, variable: Any) -> bool:
        named = self._undecayed_names is not None and self._undecayed_names.search(variable.name) is not None
        return not named and key_of(variable) not in self._undecayed

    def _average(self) -> None:
        for v, average in zip(self._trainable_variables, self._averages):
            momentum = cast(cast(self.iterations, "bool"), v.dtype) * self.ema_momentum
            average.assign(momentum * average + (1 - momentum) * convert_to_tensor(v))
        if self.ema_overwrite_frequency:
            variables = self._trainable_variables
            _each(
                self.ema_overwrite_frequency,
                self.iterations,
                lambda: self.finalize_variable_values(variables),
                lambda: None,
            )

    def finalize_variable_values(self, var_list: Any) -> None:
        """With ``use_ema``: replace the variables by their averages."""
        if self.use_ema:
            for v, average in zip(var_list, self._averages):
                inner(v).assign(convert_to_tensor(average))

    def update_step(self, gradient: Any, variable: Any, learning_rate: Any) -> None:
        """Change one variable by its gradient."""
        raise NotImplementedError("subclasses of Optimizer write `update_step`")

    def scale_loss(self, loss: Any) -> Any:
        """The loss times ``loss_scale_factor``, if there is one: what is to be differentiated then."""
        return loss if self.loss_scale_factor is None else loss * self.loss_scale_factor

    def get_config(self) -> dict:
        """The arguments it was made with."""
        rate = self._learning_rate
        return {
            "name": self.name, "learning_rate": float(rate) if isinstance(rate, Variable) else serialized_rate(rate),
            "weight_decay": self.weight_decay, "clipnorm": self.clipnorm, "global_clipnorm": self.global_clipnorm,
            "clipvalue": self.clipvalue, "use_ema": self.use_ema, "ema_momentum": self.ema_momentum,
            "ema_overwrite_frequency": self.ema_overwrite_frequency, "loss_scale_factor": self.loss_scale_factor,
            "gradient_accumulation_steps": self.gradient_accumulation_steps,
        }  # fmt: skip

    @classmethod
    def from_config(cls, config: dict) -> Optimizer:
        """An optimizer from its arguments."""
        return cls(**{k: deserialized_object(v) for k, v in config.items()})


def _check_frequencies(use_ema: bool, momentum: Any, overwrite: Any, accumulation: Any) -> None:
    """ValueError for numbers of steps and shares that are out of range."""
    if use_ema and (momentum > 1 or momentum < 0):
        raise ValueError(f"`ema_momentum` must be in the range [0, 1]. Received: ema_momentum={momentum}")
    if use_ema and overwrite and (not isinstance(overwrite, int) or overwrite < 1):
        raise ValueError(
            f"`ema_overwrite_frequency` must be an integer >= 1 or None. Received: ema_overwrite_frequency={overwrite}"
        )
    if accumulation is not None and not accumulation >= 2:
        raise ValueError(
            "`gradient_accumulation_steps` must be an integer >= 2. Received: gradient_accumulation_steps="
            f"{accumulation}"
        )


def _each(count: int, iterations: Any, then: Any, otherwise: Any) -> None:
    """One of two functions, by whether the step is the last of ``count``; decided anew in each call of a trace."""
    cond(equal((iterations + 1) % count, 0), then, otherwise)


def key_of(variable: Any) -> str:
    """What is equal for two objects that are the same variable."""
    return inner(variable)._unique_id
