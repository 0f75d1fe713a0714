"""Configurations of layers: the arguments of each class in Keras's order, as values that JSON can hold.

``config_of(layer)`` is what ``layer.get_config()`` gives; ``arguments(config)`` makes objects of what it holds.
"""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np

from .. import nest
from . import activations, constraints, dtype_policies, initializers, regularizers
from .serializing import deserialized, serialized

_CONV = (
    "filters kernel_size strides padding data_format dilation_rate groups activation use_bias kernel_initializer "
    "bias_initializer kernel_regularizer bias_regularizer activity_regularizer kernel_constraint bias_constraint"
)
_DEPTHWISE = (
    "depth_multiplier kernel_size strides padding data_format dilation_rate activation use_bias depthwise_initializer "
    "bias_initializer depthwise_regularizer bias_regularizer activity_regularizer depthwise_constraint bias_constraint"
)
_SEPARABLE = (
    "depth_multiplier filters kernel_size strides padding data_format dilation_rate activation use_bias "
    "depthwise_initializer pointwise_initializer bias_initializer depthwise_regularizer pointwise_regularizer "
    "bias_regularizer activity_regularizer depthwise_constraint pointwise_constraint bias_constraint"
)
_TRANSPOSED = (
    "filters kernel_size strides padding output_padding data_format dilation_rate activation use_bias "
    "kernel_initializer bias_initializer kernel_regularizer bias_regularizer activity_regularizer kernel_constraint "
    "bias_constraint"
)
_LOOP = "return_sequences return_state go_backwards stateful unroll zero_output_for_mask"
_KERNELS = "kernel_initializer recurrent_initializer bias_initializer"
_PENALTIES = "kernel_regularizer recurrent_regularizer bias_regularizer"
_LIMITS = "kernel_constraint recurrent_constraint bias_constraint dropout recurrent_dropout"
_SCALED = "beta_initializer gamma_initializer"
_SCALED_LIMITS = "beta_regularizer gamma_regularizer beta_constraint gamma_constraint"
_POOL = "pool_size padding strides data_format"
_NAMES = {
    "Dense": "units activation use_bias kernel_initializer bias_initializer kernel_regularizer bias_regularizer "
    "kernel_constraint bias_constraint quantization_config",
    **{f"Conv{n}D": _CONV for n in (1, 2, 3)}, **{f"Conv{n}DTranspose": _TRANSPOSED for n in (1, 2, 3)},
    **{f"DepthwiseConv{n}D": _DEPTHWISE for n in (1, 2)}, **{f"SeparableConv{n}D": _SEPARABLE for n in (1, 2)},
    "LSTM": f"{_LOOP} units activation recurrent_activation use_bias {_KERNELS} unit_forget_bias {_PENALTIES} "
    f"activity_regularizer {_LIMITS} seed",
    "GRU": f"{_LOOP} units activation recurrent_activation use_bias {_KERNELS} {_PENALTIES} activity_regularizer "
    f"{_LIMITS} reset_after seed",
    "SimpleRNN": f"{_LOOP} units activation use_bias {_KERNELS} {_PENALTIES} activity_regularizer {_LIMITS}",
    "LSTMCell": f"units activation recurrent_activation use_bias unit_forget_bias {_KERNELS} {_PENALTIES} {_LIMITS} "
    "seed",
    "GRUCell": f"units activation recurrent_activation use_bias {_KERNELS} {_PENALTIES} {_LIMITS} reset_after seed",
    "SimpleRNNCell": f"units activation use_bias {_KERNELS} {_PENALTIES} {_LIMITS} seed",
    "RNN": f"{_LOOP} cell", "StackedRNNCells": "cells",
    "BatchNormalization": f"axis momentum epsilon center scale {_SCALED} moving_mean_initializer "
    f"moving_variance_initializer {_SCALED_LIMITS} synchronized renorm renorm_clipping renorm_momentum",
    "Dropout": "rate seed noise_shape", "Embedding": "input_dim output_dim embeddings_initializer "
    "embeddings_regularizer activity_regularizer embeddings_constraint mask_zero quantization_config",
    "LayerNormalization": f"axis epsilon center scale rms_scaling {_SCALED} {_SCALED_LIMITS}",
    "GroupNormalization": f"groups axis epsilon center scale {_SCALED} {_SCALED_LIMITS}",
    "MultiHeadAttention": "num_heads key_dim value_dim dropout use_bias use_gate output_shape attention_axes "
    "sliding_window kernel_initializer bias_initializer kernel_regularizer bias_regularizer activity_regularizer "
    "kernel_constraint bias_constraint seed",
    "Bidirectional": "merge_mode layer backward_layer", "TimeDistributed": "layer",
    **{f"{kind}Pooling{n}D": _POOL for kind in ("Max", "Average") for n in (1, 2, 3)},
    **{f"Global{kind}Pooling{n}D": "data_format keepdims" for kind in ("Max", "Average") for n in (1, 2, 3)},
    "EinsumDense": "output_shape equation activation bias_axes kernel_initializer bias_initializer "
    "kernel_regularizer bias_regularizer activity_regularizer kernel_constraint bias_constraint quantization_config",
    "Flatten": "data_format", "AlphaDropout": "rate seed", "Normalization": "axis invert mean variance",
    "SpectralNormalization": "layer power_iterations",
}  # fmt: skip
_FIXED = {
    "quantization_config": None, "zero_output_for_mask": False, "synchronized": False, "renorm": False,
    "renorm_clipping": None, "renorm_momentum": 0.99, "rms_scaling": False,
}  # fmt: skip
_KINDS = {"initializer": initializers, "regularizer": regularizers, "constraint": constraints}
_NO_CONFIG = """
Object {} was created by passing
non-serializable argument values in `__init__()`,
and therefore the object must override `get_config()` in
order to be serializable. Please implement `get_config()`.

Example:

class CustomLayer(keras.layers.Layer):
    def __init__(self, arg1, arg2, **kwargs):
        super().__init__(**kwargs)
        self.arg1 = arg1
        self.arg2 = arg2

    def get_config(self):
        config = super().get_config()
        config.update({{
            "arg1": self.arg1,
            "arg2": self.arg2,
        }})
        return config"""
_LAYERS = ("layer", "backward_layer", "cell")


def config_of(layer: Any, given: dict[str, Any]) -> dict[str, Any]:
    """Name, trainable and dtype of a layer, and the arguments of its class; ``given`` is what it was made with."""
    if type(layer).__name__.startswith("SpatialDropout"):
        return {"rate": layer.rate, "seed": layer.seed, "name": layer.name, "dtype": layer.dtype}
    config = {"name": layer.name, "trainable": layer._trainable, "dtype": dtype_policies.serialize(layer.dtype_policy)}
    names = _NAMES.get(type(layer).__name__)
    if names is None:
        return {**config, **{k: plain(k, getattr(layer, k, v)) for k, v in given.items() if k not in config}}
    return {**config, **{name: plain(name, _value(layer, given, name)) for name in names.split()}}


def config_of_arguments(layer: Any, start: Any) -> dict[str, Any]:
    """The arguments of a class of the user's that has no ``get_config``.  NotImplementedError unless they are plain."""
    from .model import Model

    args, kwargs = ((), {}) if isinstance(layer, Model) else layer._given  # Keras's models see the defaults alone
    bound = inspect.signature(start).bind_partial(layer, *args, **kwargs)
    bound.apply_defaults()
    given = {**dict(list(bound.arguments.items())[1:]), **bound.arguments.get("kwargs", {})}
    given = {k: v for k, v in given.items() if k not in ("args", "kwargs", "k")}
    if not all(v is None or isinstance(v, (str, int, float, bool)) for v in nest.flatten(given)):
        raise NotImplementedError(_NO_CONFIG.format(type(layer).__name__))
    policy = dtype_policies.serialize(layer.dtype_policy)
    return {**given, "trainable": layer._trainable, "dtype": policy}


def _value(layer: Any, given: dict[str, Any], name: str) -> Any:
    kept = _FIXED.get(name) if name in _FIXED and name not in given else given.get(name)
    found = getattr(layer, name, None) if name in vars(layer) or name not in given else getattr(layer, name, kept)
    inner = layer.__dict__.get("cell")
    if inner is not None and name != "cell" and name not in given and found is None:
        found = getattr(inner, name, None)
    if name == "output_shape" and hasattr(layer, "partial_output_shape"):
        return layer.partial_output_shape
    if name in ("layer", "backward_layer") and type(layer).__name__ == "Bidirectional":
        return layer.forward_layer if name == "layer" else layer.backward_layer
    return kept if found is None else found


def plain(name: str, value: Any) -> Any:
    """A value as JSON holds it: objects by their configurations, functions by their names."""
    kind = _KINDS.get(name.rpartition("_")[2])
    if kind is not None:
        found = kind.get(value)  # type: ignore[attr-defined]
        return None if found is None else serialized(found, f"keras.{name.rpartition('_')[2]}s")
    if name.endswith("activation"):
        return activations.serialize(activations.get(value))
    if name in _LAYERS:
        return None if value is None else serialized_layer(value)
    if name == "cells":
        return [serialized_layer(cell) for cell in value]
    if name == "data_format":
        return value or "channels_last"
    return _unboxed(value)


def _unboxed(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, (list, tuple)):
        return type(value)(_unboxed(v) for v in value)
    if isinstance(value, dict):
        return {k: _unboxed(v) for k, v in value.items()}
    return value.get_config() and serialized(value, "keras") if hasattr(value, "get_config") else value


def serialized_layer(layer: Any) -> dict[str, Any]:
    """A layer or model with its class, its configuration and the shapes that it was built for."""
    from .functional import Functional
    from .model import Sequential

    kind = type(layer)
    own = kind.__module__.startswith(__package__ or "")
    home = "keras.layers" if own else kind.__module__
    if isinstance(layer, (Functional, Sequential)) and own:
        home = "keras.src.models.functional" if isinstance(layer, Functional) else "keras"
    made = serialized(layer, home)
    if not own and made["registered_name"] is None:
        made["registered_name"] = kind.__name__
    build = layer.get_build_config()
    return made if build is None else {**made, "build_config": build}


def arguments(config: dict[str, Any], custom_objects: Any = None) -> dict[str, Any]:
    """The arguments of a layer: what a configuration holds of objects, made."""
    kept = {k: v for k, v in config.items() if not (k in _FIXED and v == _FIXED[k])}
    return {k: _made(k, v, custom_objects) for k, v in kept.items()}


def _made(name: str, value: Any, custom_objects: Any) -> Any:
    if name == "cells":
        return [layer_of(cell, custom_objects) for cell in value]
    if name in _LAYERS and isinstance(value, dict):
        return layer_of(value, custom_objects)
    kind = _KINDS.get(name.rpartition("_")[2])
    if kind is not None and isinstance(value, dict):
        return deserialized(value, vars(kind), custom_objects)
    return value


def layer_of(config: Any, custom_objects: Any = None) -> Any:
    """The layer or model of a configuration, built if it was.  ValueError when its class is not known."""
    from . import layers, models

    if not isinstance(config, dict):
        return config
    name = config["class_name"]
    known = {name: getattr(layers, name)} if name[0].isupper() and name in layers.__all__ else {}
    known.update({"Functional": models.Model, "Sequential": models.Sequential, "Model": models.Model})
    layer = deserialized(config, known, custom_objects)
    build = config.get("build_config")
    if build and not layer.built:
        layer.build_from_config(build)
    return layer
