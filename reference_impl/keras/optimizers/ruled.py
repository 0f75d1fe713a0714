"""Ruled: an optimizer whose step is a function of arrays, one of those in rules.py."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors import invalid
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
    _meets: tuple[str, bool] = ("AssignAddVariableOp", False)  # what a gradient meets first; whether as it is

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
    if g.at is None and g.rows.shape != old.shape:
        _check_shape(optimizer, g.rows.shape, variable, kept)
    taken = int(iterations._peek()) // (optimizer.gradient_accumulation_steps or 1)
    step = rules.Step(old.dtype.type(rate._a), taken + 1, old.dtype)
    new, changed = type(optimizer)._rule(optimizer, old, g, state, step)
    for v, a in zip(kept, changed):
        v._store(a, False)
    variable._store(new, False)


def _check_shape(optimizer: Ruled, shape: tuple[int, ...], variable: ResourceVariable, kept: list) -> None:
    """The error of what a gradient of another shape than its variable meets first; none where it is broadcast to it."""
    want = variable._peek().shape
    kernel, as_it_is = optimizer._meets
    try:
        got = shape if as_it_is and not (kernel == "AssignSubVariableOp" and kept) else np.broadcast_shapes(shape, want)
    except ValueError:
        raise invalid("Sub", f"Incompatible shapes: {_shown(shape)} vs. {_shown(want)}") from None
    if got == want:
        return
    if kernel.startswith("assign"):
        kept[-1 if kernel == "assign last" else 0].assign(np.zeros(got, variable._peek().dtype))  # raises
    text = f"Cannot update variable with shape {_shown(want)} using a Tensor with shape {_shown(got)}"
    raise invalid(kernel, f"{text}, shapes must be equal.")


def _shown(shape: tuple[int, ...]) -> str:
    return f"[{','.join(map(str, shape))}]"
