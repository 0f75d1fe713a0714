"""Keeper: the variables that an optimizer keeps, one or more for each variable that it trains."""

from __future__ import annotations

from typing import Any

from ...foundation.arrivals import arrived, listeners
from ...ops.casting import cast
from .. import initializers
from ..naming import scope
from ..variables import Variable


class Keeper:
    """The part of ``Optimizer`` that subclasses use to make variables and to assign to them."""

    name: str
    built: bool
    _variables: list[Variable]

    def add_variable(
        self, shape: Any, initializer: Any = "zeros", dtype: Any = None, aggregation: Any = "none", layout: Any = None,
        name: str | None = None,
    ) -> Variable:  # fmt: skip
        """A new variable of the optimizer."""
        with scope(self.name, self):
            variable = Variable(initializers.get(initializer), shape=shape, dtype=dtype, trainable=False, name=name)
        if listeners:
            arrived(self, f"_variables/{len(self._variables)}", variable)
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
        starts = initializer if isinstance(initializer, list) else [initializer] * len(names)
        made: tuple[list, ...] = tuple([] for _ in names)
        for variable in trainable_variables:
            for row, each, start in zip(made, names, starts):
                row.append(self.add_variable_from_reference(variable, each, start))
        return made[0] if isinstance(name, str) else made

    def assign(self, variable: Any, value: Any) -> None:
        """For subclasses: replace a value."""
        inner(variable).assign(cast(value, inner(variable).dtype))

    def assign_add(self, variable: Any, value: Any) -> None:
        """For subclasses: add to a value."""
        inner(variable).assign_add(cast(value, inner(variable).dtype))

    def assign_sub(self, variable: Any, value: Any) -> None:
        """For subclasses: subtract from a value."""
        inner(variable).assign_sub(cast(value, inner(variable).dtype))

    def set_weights(self, weights: Any) -> None:
        """Assign ndarrays to the variables of the optimizer.  ValueError before it is built."""
        if not self.built:
            raise ValueError(
                "You are calling `set_weights()` on an optimizer that has not yet been built. Please call "
                "`optimizer.build(trainable_variables)` to create the optimizer weights before calling `set_weights()`."
            )
        for variable, weight in zip(self._variables, weights):
            if variable.shape != weight.shape:
                raise ValueError(
                    f"Optimizer variable {variable.value._unique_id} has shape {variable.shape} not compatible with "
                    f"provided weight shape {weight.shape}."
                )
            variable.assign(weight)


def inner(variable: Any) -> Any:
    """The ``tf.Variable`` that a variable is, or is around."""
    return variable.value if isinstance(variable, Variable) else variable
