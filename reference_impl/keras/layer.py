"""Layer: variables and a ``call`` that uses them (``tf.keras.layers.Layer``).

    class Dense(Layer):
        def __init__(self, units):
            super().__init__()
            self.units = units

        def build(self, input_shape):
            self.kernel = self.add_weight(shape=(input_shape[-1], self.units), name="kernel")

        def call(self, inputs):
            return tf.matmul(inputs, self.kernel)

The first call builds: it calls ``build`` with the shape of the first argument, or, where a layer has none but owns
layers that are not built, rehearses ``call`` once.  Variables and layers are found in lists and dicts, too.
"""

from __future__ import annotations

import contextlib
import functools
import threading
import warnings
from typing import Any

from .. import nest
from ..tensors.tensor import EagerTensor, is_tensor
from . import calling, masks, regularizers, specs, symbolic
from .autocasting import casting, scope_of
from .naming import checked, current_path, rehearsal, scope
from .owning import Owner


class _Context(threading.local):
    """What the outermost call on this thread passes down: the value of ``training``."""

    entry: Any = None
    training: Any = None


_context = _Context()


class Layer(Owner):
    """``Layer(trainable=True, dtype=None, name=None)``; subclasses write ``call`` and, if need be, ``build``."""

    supports_masking = False
    _takes_anything = False  # True for layers whose arguments by position need not be tensors
    makes_masks = False  # True for layers that attach masks to tensors that have none
    _built_for: dict[str, Any] | None = None
    _shown_shape: tuple | None = None  # that of the outputs, for summaries

    def __new__(cls, *args: Any, **kwargs: Any) -> Layer:
        layer = object.__new__(cls)
        object.__setattr__(layer, "_given", (args, kwargs))
        build = layer.build

        @functools.wraps(build)
        def building(*a: Any, **k: Any) -> None:
            with layer._scope():
                object.__setattr__(layer, "_path", current_path())
                build(*a, **k)
            object.__setattr__(layer, "_built_for", calling.build_config(build, a, k))
            layer.built = True
            layer._store.locked = True

        object.__setattr__(layer, "build", building)
        return layer

    def __init__(
        self, *, activity_regularizer: Any = None, trainable: bool = True, dtype: Any = None, autocast: bool = True,
        name: str | None = None, **kwargs: Any,
    ):  # fmt: skip
        self.name = checked(name, type(self).__name__)
        if "input_dim" in kwargs or "input_shape" in kwargs:
            dim = kwargs.pop("input_dim", None)
            self._input_shape_arg = kwargs.pop("input_shape", None) if dim is None else (dim,)
            warnings.warn(
                "Do not pass an `input_shape`/`input_dim` argument to a layer. When using Sequential models, prefer "
                "using an `Input(shape)` object as the first layer in the model instead.",
                stacklevel=3,
            )
        if kwargs:
            raise ValueError(f"Unrecognized keyword arguments passed to {type(self).__name__}: {kwargs}")
        if not isinstance(trainable, bool):
            raise ValueError(
                f"Expected `trainable` to be a boolean. Received: trainable={trainable} (of type {type(trainable)})"
            )
        self.activity_regularizer = regularizers.get(activity_regularizer)
        self._trainable, self.autocast = trainable, autocast
        self.dtype_policy = dtype
        self._path: str | None = None
        self._parent_path: str | None = None
        self.built = False
        self.input_spec: Any = None
        self._losses: list = []
        parameters = calling.signature_of(self.call).parameters
        self._takes_training, self._takes_mask = "training" in parameters, "mask" in parameters
        default = parameters["training"].default if self._takes_training else None
        self._default_training = None if default is calling.inspect.Parameter.empty else default
        self._ready = True
        if not type(self).compute_mask.__module__.startswith(__package__ or ""):
            self.supports_masking = self.makes_masks = True

    def get_config(self) -> dict[str, Any]:
        """Name, trainable and dtype, and of the engine's own layers the arguments they were made with."""
        from . import configuring

        start = next(vars(c)["__init__"] for c in type(self).__mro__ if "__init__" in vars(c))
        if start.__module__.startswith(__package__ or ""):
            args, kwargs = self._given
            bound = calling.inspect.signature(start).bind(self, *args, **kwargs)
            bound.apply_defaults()
            given = {**dict(list(bound.arguments.items())[1:]), **bound.arguments.get("kwargs", {})}
            return configuring.config_of(self, {k: v for k, v in given.items() if k not in ("kwargs", "autocast")})
        if type(self).get_config is not Layer.get_config:  # a subclass adds the arguments of its own
            return configuring.config_of(self, {})
        return configuring.config_of_arguments(self, start)

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Any:
        """A layer from its arguments."""
        from . import configuring

        return cls(**configuring.arguments(config))

    def get_build_config(self) -> dict[str, Any] | None:
        """The shapes that it was built for, None where nothing was built."""
        return self._built_for

    def build_from_config(self, config: dict[str, Any]) -> None:
        """Build for the shapes of ``get_build_config``."""
        if "input_shape" in config:
            self.build(calling.as_shape(config["input_shape"]))
        elif "shapes_dict" in config:
            self.build(**{k: calling.as_shape(v) for k, v in config["shapes_dict"].items()})

    # ------------------------------------------------------------------------------------ calls

    def build(self, input_shape: Any) -> None:
        """Make the variables; called with the shape of the first argument by the first call."""
        self._check_ready()
        if _has_no_build(self) and any(not layer.built for layer in self._layers):
            warnings.warn(
                f"`build()` was called on layer '{self.name}', however the layer does not have a `build()` method "
                "implemented and it looks like it has unbuilt state. This will cause the layer to be marked as built, "
                "despite not being actually built, which may cause failures down the line. Make sure to implement a "
                "proper `build()` method.",
                stacklevel=4,
            )

    def call(self, *args: Any, **kwargs: Any) -> Any:
        """What the layer computes."""
        raise NotImplementedError(f"Layer {type(self).__name__} does not have a `call` method implemented.")

    def compute_mask(self, inputs: Any, previous_mask: Any = None) -> Any:
        """The mask of the outputs, from that of the inputs."""
        return previous_mask

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        self._check_ready()
        if not (len(args) == 1 and not kwargs and type(args[0]) is EagerTensor and args[0].dtype.name == self._dtype):
            args = calling.converted(args, self._dtype, self.autocast)
            kwargs = calling.converted(kwargs, self._dtype, self.autocast)
            if not self._takes_anything:
                calling.check_positional(args)
            if symbolic.symbols_in(args, kwargs):
                return self._called_on_symbols(args, kwargs)
        given = kwargs.pop("training", None) if not self._takes_training else kwargs.get("training")
        if masks.known:
            masks.passed(self, args, kwargs)
        if self.input_spec:
            specs.check(self.input_spec, self._first(args, kwargs), self.name)
        with self._scope():
            if self.built:
                return self._called_in_context(given, args, kwargs)
            self._build_for(args, kwargs)
            outputs = self._called_in_context(given, args, kwargs)
            if self._shown_shape is None and hasattr(outputs, "shape") and not _has_no_build(self):
                object.__setattr__(self, "_shown_shape", tuple(outputs.shape))
            return outputs

    def stateless_call(
        self, trainable_variables: Any, non_trainable_variables: Any, *args: Any, return_losses: bool = False,
        **kwargs: Any,
    ) -> tuple:  # fmt: skip
        """Outputs and the new values of what is not trained, for values of the variables given as lists.

        Nothing is assigned.  ValueError for a layer that is not built, and for lists of another length.
        """
        from . import stateless

        return stateless.called(self, trainable_variables, non_trainable_variables, args, return_losses, kwargs)

    def _called_on_symbols(self, args: tuple, kwargs: dict) -> Any:
        """A call with KerasTensors: builds, and is kept as a node of a graph; nothing is computed."""
        if self.input_spec:
            specs.check(self.input_spec, self._first(args, kwargs), self.name)
        with self._scope():
            if not self.built:
                self._build_for(args, kwargs)
            masks.passed(self, args, kwargs)
            previous = masks.before(self._first(args, kwargs), kwargs)
            try:
                with self._reading():
                    outputs = self.compute_output_spec(*args, **kwargs)
            except Exception as error:
                raise calling.explained(error, self.call, f"{type(self).__name__}.call()", args, kwargs) from None
        self.built = True
        symbolic.Node(self, args, kwargs, outputs)
        masks.carry(self, self._first(args, kwargs), outputs, previous)
        return outputs

    def compute_output_spec(self, *args: Any, **kwargs: Any) -> Any:
        """KerasTensors like the outputs for some KerasTensors."""
        own = type(self).compute_output_shape
        if own is not Layer.compute_output_shape:
            shapes = calling.mapped(args, lambda x: x.shape if isinstance(x, symbolic.KerasTensor) else x)
            return symbolic.KerasTensor(self.compute_output_shape(*shapes), self.compute_dtype)
        try:
            return symbolic.outputs_of(self.call, args, kwargs)
        finally:
            self._clear_losses()

    def compute_output_shape(self, *args: Any, **kwargs: Any) -> Any:
        """The shape of the outputs for inputs of a shape; builds the layer."""
        given = [symbolic.KerasTensor(shape, self.compute_dtype) for shape in (*args, *kwargs.values())]
        if not self.built:
            self._build_for(tuple(given), {})
        return calling.mapped(symbolic.outputs_of(self.call, tuple(given), {}), lambda x: x.shape)

    @property
    def input(self) -> Any:
        """The KerasTensors of its first call with some.  AttributeError before there was one."""
        return symbolic.attribute_of(self, "input_tensors", "input")

    @property
    def output(self) -> Any:
        """What came out of its first call with KerasTensors.  AttributeError before there was one."""
        return symbolic.attribute_of(self, "output_tensors", "output")

    def _called_in_context(self, given: Any, args: tuple, kwargs: dict) -> Any:
        outermost = _context.entry is None
        try:
            if outermost:
                _context.entry = self
                self._clear_losses()
            self._settle_training(given, kwargs)
            return self._called(args, kwargs)
        finally:
            if outermost:
                _context.entry, _context.training = None, None

    def _build_at_init(self) -> None:
        """For layers without variables: they are built as soon as they are made."""
        if _has_no_build(self):
            self.built = True
            self._store.locked = True

    def _settle_training(self, given: Any, kwargs: dict) -> None:
        """``training`` is what was passed, what the last layer in this call got, or the default of ``call``."""
        value = given if given is not None else _context.training
        value = self._default_training if value is None else value
        _context.training = value
        if self._takes_training and value is not None:
            kwargs["training"] = value

    def _called(self, args: tuple, kwargs: dict) -> Any:
        masked = bool(masks.known) or self.makes_masks
        previous = masks.before(self._first(args, kwargs), kwargs) if masked else None
        try:
            if self._mixed or casting.scopes:
                with self._reading():
                    outputs = self.call(*args, **kwargs)
            else:
                outputs = self.call(*args, **kwargs)
        except Exception as error:
            raise calling.explained(error, self.call, f"{type(self).__name__}.call()", args, kwargs) from None
        self.built = True
        if masked or masks.known:
            masks.carry(self, self._first(args, kwargs), outputs, previous)
        if self.activity_regularizer is not None:
            for y in nest.flatten(outputs):
                if is_tensor(y):
                    loss = self.activity_regularizer(y)
                    self.add_loss(loss / _batch_size(y, loss.dtype) if len(y.shape) else loss)
        return outputs

    def _reading(self) -> Any:
        """The scope in which variables are read in the dtype of what is computed."""
        return scope_of(self.autocast, self._dtype, self._mixed) or _AS_IT_IS

    def _first(self, args: tuple, kwargs: dict) -> Any:
        if args:
            return args[0]
        return kwargs.get(next(iter(calling.signature_of(self.call).parameters), ""))

    def _build_for(self, args: tuple, kwargs: dict) -> None:
        """Build by ``build``, or by a rehearsal of ``call``, or by nothing at all."""
        bound = calling.signature_of(self.call).bind(*args, **kwargs)
        bound.apply_defaults()
        shapes = calling.shapes_by_name(bound.arguments)
        if not _has_no_build(self):
            self.build(**calling.shapes_for(self.build, shapes, bound.arguments, type(self).__name__))
            if self.input_spec:
                specs.check(self.input_spec, self._first(args, kwargs), self.name)
            return
        if any(not layer.built for layer in self._layers):
            try:
                with rehearsal(flat=True):
                    self.call(*_concrete(bound.args), **_concrete(bound.kwargs))
            except Exception:  # whatever it is, the call that follows raises it, or builds what is needed
                return
        self.build(next(iter(shapes.values()), None))

    def _scope(self) -> scope:
        if self._parent_path is None:
            self._parent_path = current_path()
        return scope(self.name, self)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} name={self.name}, built={self.built}>"


_AS_IT_IS: Any = contextlib.nullcontext()


def _batch_size(y: Any, dtype: Any) -> Any:
    """How many examples ``y`` has: a tensor where a graph does not know it yet."""
    if y.shape[0] is not None:
        return y.shape[0]
    from ..ops.casting import cast
    from ..ops.making import shape

    return cast(shape(y)[0], dtype)


def _has_no_build(layer: Layer) -> bool:
    return type(layer).build is Layer.build


def _concrete(value: Any) -> Any:
    """Arguments of a rehearsal: zeros in the places of KerasTensors, and, in a trace, of its symbolic tensors."""
    from ..ops.making import zeros

    def leaf(x: Any) -> Any:
        if isinstance(x, symbolic.KerasTensor) or (isinstance(x, EagerTensor) and type(x) is not EagerTensor):
            return zeros([1 if size is None else size for size in x.shape], x.dtype)
        return x

    return calling.mapped(value, leaf)
