"""What a layer owns, and how it is found: variables, layers below it, metrics, states of random numbers, losses.

Whatever becomes an attribute is noticed, in lists and dicts, too; ``variables``, ``weights`` and ``metrics`` gather
what was noticed here and below.
"""

from __future__ import annotations

from collections import deque
from typing import Any

from .. import nest
from ..foundation.arrivals import arrived, listeners
from ..tensors.tensor import is_tensor
from . import dtype_policies, initializers, regularizers
from .dtype_policies import DTypePolicy
from .naming import scope
from .policy import standardize_dtype
from .seeds import SeedGenerator
from .tracking import Store, tracked
from .variables import Variable

_KINDS = ("trainable", "non_trainable", "layers", "metrics", "seed_generators")


class Owner:
    """The half of ``Layer`` that keeps its state."""

    name: str
    built: bool
    _path: str | None
    _dtype: str  # of what is computed
    _dtype_policy: DTypePolicy
    _mixed: bool  # whether the variables have another dtype
    _trainable: bool
    _losses: list
    _store: Store

    def __setattr__(self, name: str, value: Any) -> None:
        if listeners:
            arrived(self, name, value)
        if name[:1] != "_" or not name.startswith(("_store", "_losses", "_path", "_parent_path")):
            if "_store" not in self.__dict__:
                object.__setattr__(self, "_store", Store(_KINDS))
            if not isinstance(value, (str, int, float, type(None))):
                value = tracked(value, self)
        object.__setattr__(self, name, value)

    def __delattr__(self, name: str) -> None:
        self._store.remove(getattr(self, name))
        object.__delattr__(self, name)

    def _notice(self, value: Any) -> None:
        """Take a variable, layer, metric or generator of seeds that became part of an attribute."""
        from .metrics import Metric

        if isinstance(value, Variable):
            known = any(v is value for v in self._store.kinds["trainable"])
            if value.trainable or not known:
                self._store.add("trainable" if value.trainable else "non_trainable", value)
        elif isinstance(value, Metric):
            self._store.add("metrics", value)
        elif isinstance(value, Owner):
            self._store.add("layers", value)
        elif isinstance(value, SeedGenerator):
            self._store.add("seed_generators", value)

    def add_weight(
        self, shape: Any = None, initializer: Any = None, dtype: Any = None, trainable: bool = True,
        autocast: bool = True, regularizer: Any = None, constraint: Any = None, aggregation: Any = "none",
        overwrite_with_gradient: bool = False, name: str | None = None,
    ) -> Variable:  # fmt: skip
        """A new variable of this layer.  ValueError when the layer is built already."""
        self._check_ready()
        if isinstance(shape, str):
            raise ValueError(
                f"`name` must be passed as a keyword argument. Received: add_weight('{shape}', ...). Use: "
                f"add_weight(shape=..., name='{shape}')."
            )
        dtype = self.variable_dtype if dtype is None else standardize_dtype(dtype)
        if initializer is None:
            initializer = "glorot_uniform" if "float" in dtype else "zeros"
        with scope(self.name, self):
            variable = Variable(
                initializers.get(initializer), shape=() if shape is None else shape, dtype=dtype, trainable=trainable,
                autocast=autocast, aggregation=aggregation, name=name,
            )  # fmt: skip
        variable.regularizer = regularizers.get(regularizer)
        variable.constraint = constraint
        self._notice(variable)
        if not self._trainable:
            variable.trainable = False
        return variable

    add_variable = add_weight

    @property
    def _layers(self) -> list[Any]:
        return self._store.kinds["layers"]

    @property
    def _own(self) -> list[Variable]:
        return self._store.kinds["trainable"] + self._store.kinds["non_trainable"]

    @property
    def variables(self) -> list[Variable]:
        """All variables of the layer and of those below it, states of random numbers included."""
        found = _unique(self._own)
        found += [g.state for g in self._store.kinds["seed_generators"]]
        return _unique(found + [v for layer in self._layers for v in layer.variables])

    @property
    def weights(self) -> list[Variable]:
        """All variables but the states of random numbers."""
        return _unique(self._own + [w for layer in self._layers for w in layer.weights])

    @property
    def trainable_variables(self) -> list[Variable]:
        """The variables that are to be trained; none when the layer is not trainable."""
        return [v for v in self.variables if v.trainable] if self.trainable else []

    @property
    def non_trainable_variables(self) -> list[Variable]:
        """The variables that are not to be trained; all when the layer is not trainable."""
        return [v for v in self.variables if not v.trainable] if self.trainable else self.variables

    @property
    def trainable_weights(self) -> list[Variable]:
        """The weights that are to be trained."""
        return [v for v in self.weights if v.trainable] if self.trainable else []

    @property
    def non_trainable_weights(self) -> list[Variable]:
        """The weights that are not to be trained."""
        return [v for v in self.weights if not v.trainable] if self.trainable else self.weights

    @property
    def trainable(self) -> bool:
        """Whether variables are to be trained; setting it sets it for the layers below.  Tapes do not look at it."""
        return self._trainable

    @trainable.setter
    def trainable(self, value: Any) -> None:
        self._trainable = bool(value)
        for v in self._store.kinds["trainable"]:
            v.trainable = bool(value)
        for layer in self._layers:
            layer.trainable = value

    @property
    def metrics(self) -> list:
        """The metrics of the layer and of those below it."""
        return self._store.kinds["metrics"] + [m for layer in self._layers for m in layer.metrics]

    @property
    def metrics_variables(self) -> list:
        """The states of the metrics."""
        return [v for metric in self.metrics for v in metric.variables]

    def get_weights(self) -> list:
        """The weights as ndarrays."""
        return [v.numpy() for v in self.weights]

    def set_weights(self, weights: Any) -> None:
        """Assign ndarrays to the weights.  ValueError for a wrong number or shape."""
        own = self.weights
        if len(own) != len(weights):
            raise ValueError(
                f"You called `set_weights(weights)` on layer '{self.name}' with a weight list of length "
                f"{len(weights)}, but the layer was expecting {len(own)} weights."
            )
        for variable, value in zip(own, weights):
            if variable.shape != value.shape:
                raise ValueError(
                    f"Layer {self.name} weight shape {variable.shape} is not compatible with provided weight shape "
                    f"{value.shape}."
                )
            variable.assign(value)

    def count_params(self) -> int:
        """The number of numbers in the weights.  ValueError before there are any."""
        if not self.built:
            raise ValueError(
                f"You tried to call `count_params` on layer '{self.name}', but the layer isn't built. You can build it "
                "manually via: `layer.build(input_shape)`."
            )
        return sum(v.shape.num_elements() for v in self.weights)

    @property
    def path(self) -> str | None:
        """The name with those of the layers around it, None before it is built."""
        return self._path

    @property
    def dtype(self) -> str:
        """The dtype of the variables."""
        return self._dtype_policy.variable_dtype

    variable_dtype = dtype

    @property
    def compute_dtype(self) -> str:
        """The dtype of what it computes, to which floats that it is given are cast."""
        return self._dtype

    input_dtype = compute_dtype

    @property
    def dtype_policy(self) -> DTypePolicy:
        """The dtypes of variables and of what is computed."""
        return self._dtype_policy

    @dtype_policy.setter
    def dtype_policy(self, value: Any) -> None:
        policy = dtype_policies.get(value)
        object.__setattr__(self, "_dtype_policy", policy)
        object.__setattr__(self, "_dtype", policy.compute_dtype)
        object.__setattr__(self, "_mixed", policy.compute_dtype != policy.variable_dtype)

    # ------------------------------------------------------------------------------------ losses

    def add_loss(self, loss: Any) -> None:
        """Add scalars to ``losses`` until the next call."""
        flat = nest.flatten(loss)
        for x in flat:
            if not is_tensor(x):
                raise ValueError(
                    "`add_loss()` can only be called from inside `build()` or `call()`, on a tensor input. Received "
                    f"invalid value: {x}"
                )
        self._losses.extend(flat)

    @property
    def losses(self) -> list:
        """What was added by ``add_loss`` in the last call, and the values of regularizers."""
        own = [x for layer in self._flatten_layers() for x in layer._losses]
        return own + [v.regularizer(v) for v in self.trainable_weights if v.regularizer is not None]

    def _flatten_layers(self, include_self: bool = True, recursive: bool = True) -> list[Any]:
        found, seen, left = [self] if include_self else [], set(), deque(self._layers)
        while left:
            layer = left.popleft()
            if id(layer) not in seen:
                seen.add(id(layer))
                found.append(layer)
                if recursive:
                    left.extendleft(layer._layers)
        return found

    def _clear_losses(self) -> None:
        self._losses.clear()
        for layer in self._layers:
            layer._clear_losses()

    def _check_ready(self) -> None:
        if "_ready" not in self.__dict__:
            raise RuntimeError(
                f"In layer '{type(self).__name__}', you forgot to call `super().__init__()` as the first statement in "
                "the `__init__()` method. Go add it!"
            )


def _unique(values: list) -> list:
    seen: set[int] = set()
    return [v for v in values if not (id(v) in seen or seen.add(id(v)))]  # type: ignore[func-returns-value]
