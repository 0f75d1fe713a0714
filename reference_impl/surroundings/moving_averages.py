"""``tf.train.ExponentialMovingAverage``: averages of variables that follow their values.

average = ExponentialMovingAverage(0.99)
average.apply(variables)  # after each step of training
"""

from __future__ import annotations

from typing import Any

from ..ops.arithmetic import minimum
from ..ops.casting import cast
from ..tapes.recording import stop_recording
from ..tensors.conversion import convert_to_tensor
from ..tensors.variable import ResourceVariable
from .scopes import init_scope

_FLOATS = ("float16", "float32", "float64")


class ExponentialMovingAverage:
    """Shadows of variables, each of which moves by ``1 - decay`` of the way to its variable in every ``apply``.

    With ``num_updates``, a number of steps, the decay is at most (1 + num_updates) / (10 + num_updates), so that
    averages move faster in the beginning.  ``zero_debias`` concerns tensors, which are not taken in eager mode.
    """

    def __init__(
        self, decay: Any, num_updates: Any = None, zero_debias: bool = False, name: str = "ExponentialMovingAverage"
    ):
        self._decay, self._num_updates, self._name = decay, num_updates, name
        self._averages: dict[Any, ResourceVariable] = {}

    @property
    def name(self) -> str:
        """The name, which those of the averages end in."""
        return self._name

    def apply(self, var_list: Any = None) -> None:
        """Move the averages of variables of floats; one that is new starts at its variable's value.

        TypeError for tensors and for variables of other dtypes.
        """
        variables = list(var_list or ())
        for variable in variables:
            if not isinstance(variable, ResourceVariable):
                raise TypeError(
                    "tf.train.ExponentialMovingAverage does not support non-Variable tensors when eager execution is "
                    "enabled."
                )
            if variable.dtype.name not in _FLOATS:
                raise TypeError(f"The variables must be half, float, or double: {variable.name}")
            if variable.ref() not in self._averages:
                self._averages[variable.ref()] = self._made_for(variable)
        decay = convert_to_tensor(self._decay, "float32")
        if self._num_updates is not None:
            count = cast(self._num_updates, "float32")
            decay = minimum(decay, (1.0 + count) / (10.0 + count))
        with stop_recording():
            for variable in variables:
                average = self._averages[variable.ref()]
                average.assign_sub((average - variable) * cast(1.0 - decay, average.dtype))

    def _made_for(self, variable: ResourceVariable) -> ResourceVariable:
        with init_scope():
            name = self.average_name(variable)
            return ResourceVariable(variable.read_value(), trainable=False, name=name, dtype=variable.dtype)

    def average(self, var: Any) -> ResourceVariable | None:
        """The variable that has the average of ``var``; None before the first ``apply``."""
        return self._averages.get(var.ref())

    def average_name(self, var: Any) -> str:
        """What the average of ``var`` is called."""
        return f"{var.name.partition(':')[0]}/{self._name}"

    def variables_to_restore(self, moving_avg_variables: Any = None) -> dict[str, Any]:
        """The variables by the names of their averages, or by their own where they have none."""
        found = {self.average_name(ref.deref()): ref.deref() for ref in self._averages}
        for variable in moving_avg_variables or ():
            found.setdefault(self.average_name(variable), variable)
        return found
