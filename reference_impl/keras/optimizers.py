"""Optimizers of Keras (``tf.keras.optimizers``): SGD, Adam, AdamW, RMSprop, Adagrad.

    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))

An optimizer belongs to the variables of its first call; others are refused with Keras's ValueError.  Gradients may be
IndexedSlices; None is skipped with a warning.
"""

from __future__ import annotations

import re
import warnings
from typing import Any

from ..building import intercepted
from ..conversion import convert_to_tensor
from ..math import add_n, minimum, reduce_sum, sqrt, square
from ..ops.casting import cast
from ..ops.norms import clip_by_norm, clip_by_value
from ..scopes import init_scope
from ..slices import IndexedSlices
from ..tensor import EagerTensor
from ..variable import ResourceVariable
from . import initializers, rules, schedules
from .naming import checked, rehearsing, scope
from .policy import floatx
from .schedules import LearningRateSchedule
from .variables import Variable


class Optimizer:
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
        if gradient_accumulation_steps:
            raise NotImplementedError(
                "gradients are not accumulated by optimizers in this engine; add them up in the loop"
            )
        self.name = checked(name, type(self).__name__)
        if sum(a is not None for a in (clipnorm, clipvalue, global_clipnorm)) > 1:
            raise ValueError(
                "Only one of `clipnorm`, `clipvalue` and `global_clipnorm` can be set. Received: "
                f"clipnorm={clipnorm}, clipvalue={clipvalue}, global_clipnorm={global_clipnorm}"
            )
        self.weight_decay, self.clipnorm, self.clipvalue = weight_decay, clipnorm, clipvalue
        self.global_clipnorm, self.loss_scale_factor = global_clipnorm, loss_scale_factor
        self.use_ema, self.ema_momentum, self.ema_overwrite_frequency = use_ema, ema_momentum, ema_overwrite_frequency
        self.built = False
        self._variables: list[Variable] = []
        self._trainable_variables: list[Any] = []
        self._places: dict[int, int] = {}
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
    def iterations(self) -> Variable:
        """How many steps were taken."""
        return self._iterations

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
            self._places = {_key(v): k for k, v in enumerate(variables)}
            self._trainable_variables = list(variables)
        self.built = True

    def add_variable(
        self, shape: Any, initializer: Any = "zeros", dtype: Any = None, aggregation: Any = "none", layout: Any = None,
        name: str | None = None,
    ) -> Variable:  # fmt: skip
        """A new variable of the optimizer."""
        with scope(self.name, self):
            variable = Variable(initializers.get(initializer), shape=shape, dtype=dtype, trainable=False, name=name)
        self._variables.append(variable)
        return variable

    def add_variable_from_reference(
        self, reference_variable: Any, name: str | None = None, initializer: Any = "zeros"
    ) -> Variable:
        """A new variable of the shape and dtype of one that is to be trained."""
        path = getattr(reference_variable, "path", None) or str(reference_variable.name).replace(":", "_")
        dtype = reference_variable.dtype if isinstance(reference_variable.dtype, str) else reference_variable.dtype.name
        full = f"{path.replace('/', '_')}_{name or 'var'}"
        return self.add_variable(reference_variable.shape, initializer, dtype, name=full)

    def add_optimizer_variables(self, trainable_variables: Any, name: Any, initializer: Any = "zeros") -> Any:
        """A list of new variables, one for each to be trained; for several names a tuple of lists."""
        names = [name] if isinstance(name, str) else list(name)
        made: tuple[list, ...] = tuple([] for _ in names)
        for variable in trainable_variables:
            for row, each in zip(made, names):
                row.append(self.add_variable_from_reference(variable, each, initializer))
        return made[0] if isinstance(name, str) else made

    def _get_variable_index(self, variable: Any) -> int:
        return self._places[_key(variable)]

    # ------------------------------------------------------------------------------------ a step

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
            self._step(*self._filled(grads, trainable_variables))
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
            if _key(v) not in self._places:
                raise ValueError(
                    f"Unknown variable: {v}. This optimizer can only be called for the variables it was originally "
                    "built with. When working with a new set of variables, you should recreate a new optimizer "
                    "instance."
                )

    def _filled(self, grads: list, variables: list) -> tuple[list, list]:
        """The pairs that have a gradient."""
        missing = [getattr(v, "path", None) or v.name for g, v in zip(grads, variables) if g is None]
        if not missing:
            return grads, variables
        kept = [(g, v) for g, v in zip(grads, variables) if g is not None]
        if not kept:
            raise ValueError("No gradients provided for any variable.")
        warnings.warn(
            f"Gradients do not exist for variables {missing} when minimizing the loss. If using `model.compile()`, "
            "did you forget to provide a `loss` argument?",
            stacklevel=4,
        )
        return [g for g, _ in kept], [v for _, v in kept]

    def _step(self, grads: list, variables: list) -> None:
        if self.loss_scale_factor is not None:
            grads = [_mapped(g, lambda x: x / self.loss_scale_factor) for g in grads]
        grads = self._clipped(grads)
        inner = [v.value if isinstance(v, Variable) else v for v in variables]
        rate = self.learning_rate
        if self.weight_decay is not None:
            self._decay(inner, rate)
        for gradient, variable in zip(grads, inner):
            self.update_step(gradient, variable, rate)
        if self.use_ema:
            self._average()
        for v in variables:
            if v.constraint is not None:
                v.assign(v.constraint(v))

    def _clipped(self, grads: list) -> list:
        if self.clipnorm and self.clipnorm > 0:
            return [clip_by_norm(g, self.clipnorm) for g in grads]
        if self.clipvalue and self.clipvalue > 0:
            limit = self.clipvalue
            return [_mapped(g, lambda x: clip_by_value(x, -limit, limit)) for g in grads]
        if self.global_clipnorm and self.global_clipnorm > 0:
            norm = sqrt(add_n([reduce_sum(square(_values(g))) for g in grads]))
            scale = self.global_clipnorm * minimum(1.0 / norm, 1.0 / self.global_clipnorm) + (norm - norm)
            return [_mapped(g, lambda x: x * scale) for g in grads]
        return grads

    def _decay(self, variables: list, rate: Any) -> None:
        for v in variables:
            if self._use_weight_decay(v):
                v.assign_sub(v * cast(self.weight_decay, v.dtype) * cast(rate, v.dtype))

    def exclude_from_weight_decay(self, var_list: Any = None, var_names: Any = None) -> None:
        """Variables, by themselves or by parts of their names, that weight decay leaves alone."""
        self._undecayed = {_key(v) for v in var_list or ()}
        self._undecayed_names = re.compile("|".join(set(var_names))) if var_names else None

    def _use_weight_decay(self, variable: Any) -> bool:
        named = self._undecayed_names is not None and self._undecayed_names.search(variable.name) is not None
        return not named and _key(variable) not in self._undecayed

    def _average(self) -> None:
        for v, average in zip(self._trainable_variables, self._averages):
            momentum = cast(cast(self._iterations, "bool"), v.dtype) * self.ema_momentum
            average.assign(momentum * average + (1 - momentum) * convert_to_tensor(v))

    def finalize_variable_values(self, var_list: Any) -> None:
        """With ``use_ema``: replace the variables by their averages."""
        if self.use_ema:
            for v, average in zip(var_list, self._averages):
                v.assign(convert_to_tensor(average))

    def update_step(self, gradient: Any, variable: Any, learning_rate: Any) -> None:
        """Change one variable by its gradient."""
        raise NotImplementedError("subclasses of Optimizer write `update_step`")

    def assign(self, variable: Any, value: Any) -> None:
        """For subclasses: replace a value."""
        _inner(variable).assign(cast(value, _inner(variable).dtype))

    def assign_add(self, variable: Any, value: Any) -> None:
        """For subclasses: add to a value."""
        _inner(variable).assign_add(cast(value, _inner(variable).dtype))

    def assign_sub(self, variable: Any, value: Any) -> None:
        """For subclasses: subtract from a value."""
        _inner(variable).assign_sub(cast(value, _inner(variable).dtype))

    def set_weights(self, weights: Any) -> None:
        """Assign ndarrays to the variables of the optimizer.  ValueError before it is built."""
        if not self.built:
            raise ValueError(
                "You are calling `set_weights()` on an optimizer that has not yet been built. Please call "
                "`optimizer.build(trainable_variables)` to create the optimizer weights before calling `set_weights()`."
            )
        for variable, weight in zip(self._variables, weights):
            variable.assign(weight)

    def get_config(self) -> dict:
        """The arguments it was made with."""
        rate = self._learning_rate
        return {
            "name": self.name, "learning_rate": float(rate) if isinstance(rate, Variable) else rate,
            "weight_decay": self.weight_decay, "clipnorm": self.clipnorm, "global_clipnorm": self.global_clipnorm,
            "clipvalue": self.clipvalue, "use_ema": self.use_ema, "ema_momentum": self.ema_momentum,
            "ema_overwrite_frequency": self.ema_overwrite_frequency, "loss_scale_factor": self.loss_scale_factor,
            "gradient_accumulation_steps": None,
        }  # fmt: skip

    @classmethod
    def from_config(cls, config: dict) -> Optimizer:
        """An optimizer from its arguments."""
        return cls(**config)


class _Ruled(Optimizer):
    """An optimizer whose step is a function of arrays in rules.py."""

    _rule: Any = None
    _slots: tuple[str, ...] = ()
    _first_values: Any = "zeros"

    def build(self, var_list: Any) -> None:
        """Take the variables to be trained, and make what the rule keeps for each."""
        if self.built:
            return
        super().build(var_list)
        with init_scope():
            made = self.add_optimizer_variables(var_list, self._kept_names(), self._first_values)
        self._kept = list(zip(*made)) if made else [()] * len(self._trainable_variables)

    def _kept_names(self) -> tuple[str, ...]:
        return self._slots

    def update_step(self, gradient: Any, variable: Any, learning_rate: Any) -> None:
        """Change one variable by its gradient."""
        kept = [v.value for v in self._kept[self._get_variable_index(variable)]]
        _update(self, gradient, variable, kept, convert_to_tensor(learning_rate), self._iterations.value)


@intercepted
def _update(
    optimizer: _Ruled, gradient: Any, variable: ResourceVariable, kept: list, rate: EagerTensor, iterations: Any
) -> None:
    """One step of a rule: arrays out of the variables, and new ones in."""
    if rehearsing():
        return
    old, state = variable._peek(), [v._peek() for v in kept]
    g = rules.Gradient.of(gradient, old)
    step = rules.Step(old.dtype.type(rate._a), int(iterations._peek()) + 1, old.dtype)
    new, changed = type(optimizer)._rule(optimizer, old, g, state, step)
    for v, a in zip(kept, changed):
        v._store(a, False)
    variable._store(new, False)


class SGD(_Ruled):
    """Gradient descent, with momentum (Polyak) or Nesterov's on demand."""

    _rule = staticmethod(rules.sgd)

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


class Adam(_Ruled):
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


class RMSprop(_Ruled):
    """The gradient over the root of its moving mean square (Hinton, 2012)."""

    _rule = staticmethod(rules.rmsprop)

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


class Adagrad(_Ruled):
    """The gradient over the root of the sum of its squares (Duchi et al., 2011)."""

    _rule = staticmethod(rules.adagrad)
    _slots = ("accumulator",)

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


def _inner(variable: Any) -> Any:
    return variable.value if isinstance(variable, Variable) else variable


def _key(variable: Any) -> int:
    """What is equal for two objects that are the same variable."""
    return _inner(variable)._handle._a.order


def _values(gradient: Any) -> Any:
    return gradient.values if type(gradient) is IndexedSlices else gradient


def _mapped(gradient: Any, function: Any) -> Any:
    """A function of every number of a gradient; of slices, of the rows as they are."""
    return gradient._map(function) if type(gradient) is IndexedSlices else function(gradient)


_BY_NAME = {c.__name__.lower(): c for c in (SGD, Adam, AdamW, RMSprop, Adagrad)}


def get(identifier: Any) -> Optimizer:
    """An optimizer by its name or configuration, or as it is.  ValueError for what is none."""
    if isinstance(identifier, Optimizer):
        return identifier
    config: dict = {}
    name = identifier
    if isinstance(identifier, dict):
        name, config = identifier.get("class_name", ""), identifier.get("config", {})
    if isinstance(name, str) and name.lower() in _BY_NAME:
        return _BY_NAME[name.lower()](**config)
    raise ValueError(f"Could not interpret optimizer identifier: {identifier}")


def __getattr__(name: str) -> Any:
    from .outside import missing

    raise missing("keras.optimizers", name)


__all__ = ["SGD", "Adagrad", "Adam", "AdamW", "Optimizer", "RMSprop", "get", "schedules"]


def __dir__() -> list[str]:
    return sorted(__all__)
