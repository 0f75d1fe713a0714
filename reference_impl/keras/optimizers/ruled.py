"""Ruled: an optimizer whose step is a function of arrays, one of those in rules.py."""

from __future__ import annotations

from typing import Any

from ...foundation.building import intercepted
from ...surroundings.scopes import init_scope
from ...tensors.conversion import convert_to_tensor
from ...tensors.tensor import EagerTensor
from ...tensors.variable import ResourceVariable
from ..naming import rehearsing
from . import rules
from .optimizer import Optimizer


class Ruled(Optimizer):
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
    optimizer: Ruled, gradient: Any, variable: ResourceVariable, kept: list, rate: EagerTensor, iterations: Any
) -> None:
    """One step of a rule: arrays out of the variables, and new ones in."""
    if rehearsing():
        return
    old, state = variable._peek(), [v._peek() for v in kept]
    g = rules.Gradient.of(gradient, old)
    taken = int(iterations._peek()) // (optimizer.gradient_accumulation_steps or 1)
    step = rules.Step(old.dtype.type(rate._a), taken + 1, old.dtype)
    new, changed = type(optimizer)._rule(optimizer, old, g, state, step)
    for v, a in zip(kept, changed):
        v._store(a, False)
    variable._store(new, False)
