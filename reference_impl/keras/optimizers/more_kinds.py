"""More optimizers: Nadam, Adamax, Adadelta, Ftrl, Lion, Lamb, Adafactor, Muon, and LossScaleOptimizer."""

from __future__ import annotations

import re
from typing import Any

from ...math import equal, is_finite, logical_and, reduce_all
from ...ops.casting import cast
from ...surroundings.scopes import init_scope
from ...tensors.conversion import convert_to_tensor
from ...tensors.slices import IndexedSlices
from ...tracing.control_flow import cond
from .. import initializers
from ..naming import scope
from ..variables import Variable
from . import more_rules as rules
from .gradients import mapped
from .optimizer import Optimizer
from .ruled import Ruled

_BASE = ("weight_decay", "clipnorm", "clipvalue", "global_clipnorm")


def _kind(class_name: str, rule: Any, slots: tuple[str, ...], doc: str, **options: Any) -> Any:
    """The class of an optimizer by its rule, what it keeps for each variable, and its options with their defaults."""
    order = ("learning_rate", *options, *_BASE)

    def start(self: Any, *args: Any, **kwargs: Any) -> None:
        given = {"learning_rate": 0.001, **dict(zip(order, args)), **kwargs}
        for name, default in options.items():
            setattr(self, name, given.pop(name, default))
        Ruled.__init__(self, **given)

    def get_config(self: Any) -> dict:
        return {**Ruled.get_config(self), **{name: getattr(self, name) for name in options}}

    start.__doc__, get_config.__doc__ = f"See ``{class_name}``.", "The arguments it was made with."
    members = {
        "__init__": start, "get_config": get_config, "_rule": staticmethod(rule), "_slots": slots, "__doc__": doc,
        "__module__": __name__,
    }  # fmt: skip
    return type(class_name, (Ruled,), members)


_MOMENTS = ("momentum", "velocity")
_ADAM = {"beta_1": 0.9, "beta_2": 0.999, "epsilon": 1e-7}
Adamax = _kind(
    "Adamax", rules.adamax, ("momentum", "norm"), "Adam by the largest gradient (Kingma and Ba, 2014).", **_ADAM
)
Lamb = _kind("Lamb", rules.lamb, _MOMENTS, "Adam in the measure of each variable (You et al., 2019).", **_ADAM)
Adadelta = _kind(
    "Adadelta", rules.adadelta, ("accumulated_grad", "accumulated_delta_var"),
    "Steps in the measure of past steps (Zeiler, 2012).", rho=0.95, epsilon=1e-7,
)  # fmt: skip
Adadelta._meets = ("assign", False)
_ScheduleFree = _kind(
    "ScheduleFreeAdamW", rules.schedule_free, _MOMENTS, "Adam without a schedule (Defazio et al., 2024).", beta_1=0.9,
    beta_2=0.999, epsilon=1e-8, warmup_steps=0,
)  # fmt: skip
_Nadam = _kind("Nadam", rules.nadam, _MOMENTS, "Adam with Nesterov's momentum (Dozat, 2015).", **_ADAM)
_Lion = _kind(
    "Lion", rules.lion, ("momentum",), "The sign of the momentum (Chen et al., 2023).", beta_1=0.9, beta_2=0.99
)
_Ftrl = _kind(
    "Ftrl", rules.ftrl, ("accumulator", "linear"), "Follow the regularized leader (McMahan et al., 2013).",
    learning_rate_power=-0.5, initial_accumulator_value=0.1, l1_regularization_strength=0.0,
    l2_regularization_strength=0.0, l2_shrinkage_regularization_strength=0.0, beta=0.0,
)  # fmt: skip
_Adafactor = _kind(
    "Adafactor", rules.adafactor, (), "Adam with little memory (Shazeer and Stern, 2018).", beta_2_decay=-0.8,
    epsilon_1=1e-30, epsilon_2=0.001, clip_threshold=1.0, relative_step=True,
)  # fmt: skip


class ScheduleFreeAdamW(_ScheduleFree):
    """Adam without a schedule of the learning rate (Defazio et al., 2024); ``learning_rate`` is 0.0025 by default."""

    def __init__(self, learning_rate: Any = 0.0025, *args: Any, **kwargs: Any):
        super().__init__(learning_rate, *args, **kwargs)

    def build(self, var_list: Any) -> None:
        """Take the variables to be trained; the points that move begin with their values."""
        if self.built:
            return
        super().build(var_list)
        with init_scope():
            for (point, _), v in zip(self._kept, var_list):
                point.assign(convert_to_tensor(v))


class Nadam(_Nadam):
    """Adam with Nesterov's momentum (Dozat, 2015)."""

    def build(self, var_list: Any) -> None:
        """Take the variables to be trained, make two moments for each, and the product of momenta."""
        if self.built:
            return
        super().build(var_list)
        with init_scope():
            dtype = var_list[0].dtype
            with scope(self.name, self):
                self._u_product = Variable(1.0, dtype=dtype if isinstance(dtype, str) else dtype.name, trainable=False)
        self._variables.append(self._u_product)
        self._kept = [(*row, self._u_product) for row in self._kept]

    def _change(self, grads: list, variables: list) -> None:
        product = self._u_product
        number = cast(self.iterations + 1, product.dtype)
        product.assign(product * self.beta_1 * (1.0 - 0.5 * cast(0.96, product.dtype) ** number))
        super()._change(grads, variables)


class Lion(_Lion):
    """The sign of the momentum (Chen et al., 2023)."""

    _meets = ("AssignSubVariableOp", False)

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)
        if self.beta_1 <= 0 or self.beta_1 > 1:
            raise ValueError(
                "Argument `beta_1` must be in the [0, 1] range. Otherwise, the optimizer degenerates to SignSGD. "
                f"Received: beta_1={self.beta_1}."
            )


class Ftrl(_Ftrl):
    """Follow the regularized leader (McMahan et al., 2013)."""

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)
        self._first_values = [initializers.Constant(self.initial_accumulator_value), "zeros"]


class Adafactor(_Adafactor):
    """Adam with little memory: mean squares of rows and columns (Shazeer and Stern, 2018)."""

    _meets = ("assign last", False)

    def build(self, var_list: Any) -> None:
        """Take the variables to be trained, and make means of rows and columns, and a velocity, for each."""
        if self.built:
            return
        Optimizer.build(self, var_list)
        self._kept = []
        with init_scope():
            for v in var_list:
                shape, dtype = tuple(v.shape), v.dtype if isinstance(v.dtype, str) else v.dtype.name
                sizes = [shape[:-1], (*shape[:-2], shape[-1])] if len(shape) > 1 else [(), ()]
                made = [self.add_variable(s, dtype=dtype, name=v.name.partition(":")[0]) for s in sizes]
                self._kept.append((*made, self.add_variable_from_reference(v, "velocity")))


class Muon(Ruled):
    """Orthogonal steps for matrices (Jordan, 2024), AdamW for all else and for what is excluded."""

    _rule = staticmethod(rules.muon)

    def __init__(
        self, learning_rate: Any = 0.001, adam_beta_1: float = 0.9, adam_beta_2: float = 0.999,
        adam_weight_decay: Any = 0.004, epsilon: float = 1e-7, weight_decay: Any = 0.004, clipnorm: Any = None,
        clipvalue: Any = None, global_clipnorm: Any = None, exclude_layers: Any = None,
        exclude_embeddings: bool = True, muon_a: float = 3.4445, muon_b: float = -4.775, muon_c: float = 2.0315,
        adam_lr_ratio: float = 1, momentum: float = 0.95, ns_steps: int = 5, nesterov: bool = True,
        rms_rate: float | None = 0.2, **kwargs: Any,
    ):  # fmt: skip
        super().__init__(learning_rate, weight_decay, clipnorm, clipvalue, global_clipnorm, **kwargs)
        self.adam_beta_1, self.adam_beta_2, self.adam_weight_decay = adam_beta_1, adam_beta_2, adam_weight_decay
        self.epsilon, self.exclude_layers, self.exclude_embeddings = epsilon, exclude_layers or [], exclude_embeddings
        self.muon_a, self.muon_b, self.muon_c, self.adam_lr_ratio = muon_a, muon_b, muon_c, adam_lr_ratio
        self.momentum, self.ns_steps, self.nesterov, self.rms_rate = momentum, ns_steps, nesterov, rms_rate

    def get_config(self) -> dict:
        """The arguments it was made with."""
        own = ("adam_beta_1", "adam_beta_2", "adam_weight_decay", "epsilon", "exclude_layers", "exclude_embeddings")
        more = ("muon_a", "muon_b", "muon_c", "adam_lr_ratio", "momentum", "ns_steps", "nesterov", "rms_rate")
        return {**super().get_config(), **{name: getattr(self, name) for name in (*own, *more)}}

    def _by_adam(self, variable: Any) -> bool:
        path = getattr(variable, "path", None) or variable.name
        excluded = self.exclude_embeddings and "embedding" in path.lower()
        return len(variable.shape) != 2 or excluded or any(re.search(word, path) for word in self.exclude_layers)

    def build(self, var_list: Any) -> None:
        """Take the variables to be trained, and make a momentum for each, and a velocity for those of AdamW."""
        if self.built:
            return
        Optimizer.build(self, var_list)
        self._kept, self._of_adam = [], set()
        with init_scope():
            for k, v in enumerate(var_list):
                momentum = self.add_variable_from_reference(v, "momentum")
                if self._by_adam(v):
                    self._of_adam.add(k)
                    self._kept.append((momentum, self.add_variable_from_reference(v, "velocity")))
                else:
                    self._kept.append((momentum,))

    def _decay(self, variables: list, rate: Any) -> None:
        for v in variables:
            of_adam = self._get_variable_index(v) in self._of_adam
            share = self.adam_weight_decay if of_adam else self.weight_decay
            if share is not None and self._use_weight_decay(v):
                v.assign(v - v * cast(share, v.dtype) * cast(rate, v.dtype))


class LossScaleOptimizer(Optimizer):
    """Another optimizer, for gradients of a loss that ``scale_loss`` made larger; steps that overflow are left out."""

    def __init__(
        self, inner_optimizer: Any, initial_scale: float = 2.0**15, dynamic_growth_steps: int = 2000,
        name: str | None = None,
    ):  # fmt: skip
        super().__init__(0.0, name=name)
        self.inner_optimizer, self.initial_scale = inner_optimizer, initial_scale
        self.dynamic_growth_steps = dynamic_growth_steps
        inner_optimizer.loss_scale_factor = None

    def build(self, variables: Any) -> None:
        """Build the optimizer inside, and make the counter of steps and the scale."""
        with init_scope():
            self.step_counter = self.add_variable((), "zeros", "int", name="step_counter")
            start = initializers.Constant(self.initial_scale)
            self.dynamic_scale = self.add_variable((), start, "float32", name="dynamic_scale")
            self.inner_optimizer.build(variables)
        super().build(variables)

    @property
    def variables(self) -> list[Variable]:
        """Its own, and those of the optimizer inside."""
        return [*self._variables, *self.inner_optimizer.variables]

    @property
    def iterations(self) -> Any:
        """How many steps the optimizer inside took."""
        return self.inner_optimizer.iterations

    @property
    def learning_rate(self) -> Any:
        """That of the optimizer inside."""
        return self.inner_optimizer.learning_rate

    @learning_rate.setter
    def learning_rate(self, value: Any) -> None:
        self.inner_optimizer.learning_rate = value

    def scale_loss(self, loss: Any) -> Any:
        """The loss times the scale: what is to be differentiated."""
        return loss * (convert_to_tensor(self.dynamic_scale) if self.built else self.initial_scale)

    def finalize_variable_values(self, var_list: Any) -> None:
        """As that of the optimizer inside."""
        self.inner_optimizer.finalize_variable_values(var_list)

    def apply(self, grads: Any, trainable_variables: Any = None) -> None:
        """One step of the optimizer inside, if all gradients are finite; the scale grows and shrinks."""
        grads, variables = list(grads), None if trainable_variables is None else list(trainable_variables)
        if not self.built:
            with scope(self.name, self):
                self.build(variables)
            self.built = True
        finite = convert_to_tensor(True)
        for g in grads:
            if g is not None:
                values = g.values if type(g) is IndexedSlices else g
                finite = logical_and(finite, reduce_all(is_finite(convert_to_tensor(values))))
        cond(finite, lambda: self._step_of(grads, variables), self._overflowed)

    def _step_of(self, grads: list, variables: Any) -> None:
        scale = convert_to_tensor(self.dynamic_scale)
        self.inner_optimizer.apply([None if g is None else mapped(g, lambda x: x / scale) for g in grads], variables)
        grown = equal(self.step_counter.value, self.dynamic_growth_steps - 1)
        cond(grown, lambda: self._rescaled(2.0), self._counted)

    def _counted(self) -> None:
        self.step_counter.assign_add(1)

    def _overflowed(self) -> None:
        self._rescaled(0.5)

    def _rescaled(self, factor: float) -> None:
        self.step_counter.assign(0)
        self.dynamic_scale.assign(self.dynamic_scale * factor)

    def get_config(self) -> dict:
        """The optimizer inside, the first scale and the number of steps between growths."""
        from . import serialize

        return {
            "name": self.name, "inner_optimizer": serialize(self.inner_optimizer), "initial_scale": self.initial_scale,
            "dynamic_growth_steps": self.dynamic_growth_steps,
        }  # fmt: skip

    @classmethod
    def from_config(cls, config: dict) -> Optimizer:
        """An optimizer from its arguments."""
        from . import deserialize

        return cls(**{**config, "inner_optimizer": deserialize(config["inner_optimizer"])})


KINDS = (ScheduleFreeAdamW, Adadelta, Adafactor, Adamax, Ftrl, Lamb, Lion, LossScaleOptimizer, Muon, Nadam)
