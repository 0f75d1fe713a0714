"""Initializers of Keras: objects that make the first value of a variable, ``initializer(shape, dtype=None)``.

With a seed, ``GlorotUniform``, ``RandomNormal`` and the others that draw uniform or normal numbers give Keras's values;
those that draw truncated normal numbers give others of the same distribution.
"""

from __future__ import annotations

import math
from typing import Any

from ..ops.casting import cast
from ..ops.making import eye
from ..ops.making import ones as ones_tensor
from ..ops.making import zeros as zeros_tensor
from ..ops.randomness import stateless_normal, stateless_uniform
from ..ops.shaping import broadcast_to, reshape
from ..randomness.functions import stateless_truncated_normal
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor
from .naming import snake_case
from .policy import standardize_dtype
from .seeds import SeedGenerator, draw_seed, make_default_seed


class Initializer:
    """Base class: subclasses have ``__call__(shape, dtype=None)``."""

    def __call__(self, shape: Any, dtype: Any = None) -> Any:
        raise NotImplementedError("Initializer subclasses must implement the `__call__()` method.")

    def get_config(self) -> dict:
        """The arguments it was made with."""
        return {}

    @classmethod
    def from_config(cls, config: dict) -> Initializer:
        """An initializer from its arguments."""
        return cls(**config)

    def clone(self) -> Initializer:
        """Another one with the same arguments."""
        return type(self).from_config(self.get_config())


class Zeros(Initializer):
    """Zeros."""

    def __call__(self, shape: Any, dtype: Any = None) -> EagerTensor:
        return zeros_tensor(shape, standardize_dtype(dtype))


class Ones(Initializer):
    """Ones."""

    def __call__(self, shape: Any, dtype: Any = None) -> EagerTensor:
        return ones_tensor(shape, standardize_dtype(dtype))


class Constant(Initializer):
    """One value everywhere."""

    def __init__(self, value: Any = 0.0):
        self.value = value

    def __call__(self, shape: Any, dtype: Any = None) -> EagerTensor:
        return broadcast_to(cast(convert_to_tensor(self.value), standardize_dtype(dtype)), shape)

    def get_config(self) -> dict:
        return {"value": self.value}


class Identity(Initializer):
    """A multiple of the identity matrix.  ValueError unless the shape has two axes."""

    def __init__(self, gain: float = 1.0):
        self.gain = gain

    def __call__(self, shape: Any, dtype: Any = None) -> EagerTensor:
        if len(shape) != 2:
            raise ValueError(
                "Identity matrix initializer can only be used for 2D matrices. Received: "
                f"shape={shape} of rank {len(shape)}."
            )
        return self.gain * eye(*shape, dtype=standardize_dtype(dtype))

    def get_config(self) -> dict:
        return {"gain": self.gain}


class _Random(Initializer):
    """An initializer with a seed."""

    def __init__(self, seed: Any = None):
        self._init_seed = seed
        self.seed = make_default_seed() if seed is None else seed
        if not isinstance(self.seed, (int, SeedGenerator)):
            raise ValueError(
                "`seed` argument should be an instance of `keras.random.SeedGenerator()` or an integer. Received: "
                f"seed={seed}"
            )

    def get_config(self) -> dict:
        return {"seed": self._init_seed}

    def _normal(self, shape: Any, mean: float, stddev: float, dtype: Any) -> EagerTensor:
        return stateless_normal(shape, draw_seed(self.seed), mean, stddev, standardize_dtype(dtype))

    def _truncated(self, shape: Any, mean: float, stddev: float, dtype: Any) -> EagerTensor:
        return stateless_truncated_normal(shape, draw_seed(self.seed), mean, stddev, standardize_dtype(dtype))

    def _uniform(self, shape: Any, low: float, high: float, dtype: Any) -> EagerTensor:
        return stateless_uniform(shape, draw_seed(self.seed), low, high, standardize_dtype(dtype))


class RandomNormal(_Random):
    """Normal numbers."""

    def __init__(self, mean: float = 0.0, stddev: float = 0.05, seed: Any = None):
        self.mean, self.stddev = mean, stddev
        super().__init__(seed)

    def __call__(self, shape: Any, dtype: Any = None) -> EagerTensor:
        return self._normal(shape, self.mean, self.stddev, dtype)

    def get_config(self) -> dict:
        return {"seed": self._init_seed, "mean": self.mean, "stddev": self.stddev}


class TruncatedNormal(RandomNormal):
    """Normal numbers within two standard deviations."""

    def __call__(self, shape: Any, dtype: Any = None) -> EagerTensor:
        return self._truncated(shape, self.mean, self.stddev, dtype)


class RandomUniform(_Random):
    """Numbers in [minval, maxval)."""

    def __init__(self, minval: float = -0.05, maxval: float = 0.05, seed: Any = None):
        self.minval, self.maxval = minval, maxval
        super().__init__(seed)

    def __call__(self, shape: Any, dtype: Any = None) -> EagerTensor:
        return self._uniform(shape, self.minval, self.maxval, dtype)

    def get_config(self) -> dict:
        return {"seed": self._init_seed, "minval": self.minval, "maxval": self.maxval}


class VarianceScaling(_Random):
    """Random numbers whose variance is ``scale`` over the number of inputs, of outputs, or their mean."""

    axes: Any = None  # those of the inputs and those of the outputs, where a layer knows them

    def __init__(
        self, scale: float = 1.0, mode: str = "fan_in", distribution: str = "truncated_normal", seed: Any = None,
        input_axes: Any = None, output_axes: Any = None,
    ):  # fmt: skip
        if scale <= 0.0:
            raise ValueError(f"Argument `scale` must be positive float. Received: scale={scale}")
        if mode not in ("fan_in", "fan_out", "fan_avg"):
            raise ValueError(f"Invalid `mode` argument: {mode}. Please use one of {{'fan_in', 'fan_out', 'fan_avg'}}")
        distribution = "truncated_normal" if distribution.lower() == "normal" else distribution.lower()
        if distribution not in ("uniform", "truncated_normal", "untruncated_normal"):
            raise ValueError(f"Invalid `distribution` argument: {distribution}.")
        self.scale, self.mode, self.distribution = scale, mode, distribution
        self._axes_given = input_axes, output_axes
        if input_axes is not None and output_axes is not None:
            self.axes = list(input_axes), list(output_axes)
        super().__init__(seed)

    def __call__(self, shape: Any, dtype: Any = None) -> EagerTensor:
        inputs, outputs = compute_fans(shape) if self.axes is None else _fans_along(shape, self.axes)
        count = {"fan_in": inputs, "fan_out": outputs, "fan_avg": (inputs + outputs) / 2.0}[self.mode]
        scale = self.scale / max(1.0, count)
        if self.distribution == "truncated_normal":
            # the deviation of a normal distribution that is cut off at two deviations
            return self._truncated(shape, 0.0, math.sqrt(scale) / 0.87962566103423978, dtype)
        if self.distribution == "untruncated_normal":
            return self._normal(shape, 0.0, math.sqrt(scale), dtype)
        limit = math.sqrt(3.0 * scale)
        return self._uniform(shape, -limit, limit, dtype)

    def get_config(self) -> dict:
        own = {"scale": self.scale, "mode": self.mode, "distribution": self.distribution}
        return {"seed": self._init_seed, **own, **self._given_axes()}

    def _given_axes(self) -> dict[str, Any]:
        return dict(zip(("input_axes", "output_axes"), self._axes_given))


def _scaling(name: str, scale: float, mode: str, distribution: str, doc: str) -> type:
    def start(self: Any, seed: Any = None, input_axes: Any = None, output_axes: Any = None) -> None:
        VarianceScaling.__init__(self, scale, mode, distribution, seed, input_axes, output_axes)

    members = {
        "__init__": start,
        "__doc__": doc,
        "get_config": lambda self: {"seed": self._init_seed, **self._given_axes()},
    }
    return type(name, (VarianceScaling,), {**members, "__module__": __name__})


GlorotUniform = _scaling("GlorotUniform", 1.0, "fan_avg", "uniform", "Uniform numbers (Glorot and Bengio, 2010).")
GlorotNormal = _scaling("GlorotNormal", 1.0, "fan_avg", "truncated_normal", "Normal numbers (Glorot and Bengio, 2010).")
LecunNormal = _scaling("LecunNormal", 1.0, "fan_in", "truncated_normal", "Normal numbers (Klambauer et al., 2017).")
LecunUniform = _scaling("LecunUniform", 1.0, "fan_in", "uniform", "Uniform numbers (Klambauer et al., 2017).")
HeNormal = _scaling("HeNormal", 2.0, "fan_in", "truncated_normal", "Normal numbers (He et al., 2015).")
HeUniform = _scaling("HeUniform", 2.0, "fan_in", "uniform", "Uniform numbers (He et al., 2015).")


class Orthogonal(_Random):
    """Orthogonal matrices (Saxe et al., 2013).  ValueError for fewer than two axes."""

    def __init__(self, gain: float = 1.0, seed: Any = None):
        self.gain = gain
        super().__init__(seed)

    def __call__(self, shape: Any, dtype: Any = None) -> EagerTensor:
        from ..math import sign
        from ..ops.decompositions import qr
        from ..ops.diagonals import diag_part
        from ..ops.joining import matrix_transpose

        if len(shape) < 2:
            raise ValueError(
                "The tensor to initialize must be at least two-dimensional. Received: "
                f"shape={shape} of rank {len(shape)}."
            )
        rows, columns = math.prod(shape[:-1]), shape[-1]
        square = (max(columns, rows), min(columns, rows))
        q, r = qr(self._normal(square, 0.0, 1.0, dtype))
        q *= sign(diag_part(r))
        return self.gain * reshape(matrix_transpose(q) if rows < columns else q, shape)

    def get_config(self) -> dict:
        return {"seed": self._init_seed, "gain": self.gain}


def compute_fans(shape: Any) -> tuple[int, int]:
    """How many inputs and outputs a kernel of this shape connects."""
    sizes = tuple(int(s) for s in shape)
    if not sizes:
        return 1, 1
    if len(sizes) == 1:
        return sizes[0], sizes[0]
    field = math.prod(sizes[:-2])
    return sizes[-2] * field, sizes[-1] * field


def _fans_along(shape: Any, axes: tuple[list[int], list[int]]) -> tuple[int, int]:
    inputs, outputs = (math.prod(int(shape[k]) for k in part) for part in axes)
    return inputs, outputs


_CLASSES = (
    Constant, GlorotNormal, GlorotUniform, HeNormal, HeUniform, Identity, LecunNormal, LecunUniform, Ones, Orthogonal,
    RandomNormal, RandomUniform, TruncatedNormal, VarianceScaling, Zeros,
)  # fmt: skip
_BY_NAME = {name: c for c in _CLASSES for name in (c.__name__, snake_case(c.__name__))}
_BY_NAME.update(
    uniform=RandomUniform, normal=RandomNormal, orthogonal=Orthogonal, IdentityInitializer=Identity,
    OrthogonalInitializer=Orthogonal, one=Ones, zero=Zeros,
)  # fmt: skip
globals().update({name: c for name, c in _BY_NAME.items() if name not in ("uniform", "normal", "one", "zero")})


def get(identifier: Any) -> Any:
    """An initializer by name, by configuration, or as it is.  ValueError for what is none."""
    if identifier is None:
        return None
    found = identifier
    if isinstance(identifier, dict):
        made = _BY_NAME.get(identifier.get("class_name", ""))
        found = None if made is None else made(**identifier.get("config", {}))
    elif isinstance(identifier, str):
        found = _BY_NAME.get(identifier)
    if callable(found):
        return found() if isinstance(found, type) else found
    if hasattr(identifier, "__array__") or isinstance(identifier, EagerTensor):
        return lambda shape, dtype=None: cast(convert_to_tensor(identifier), standardize_dtype(dtype))
    raise ValueError(f"Could not interpret initializer identifier: {identifier}")


def serialize(initializer: Any) -> Any:
    """An initializer as plain values."""
    from .serializing import serialized

    return serialized(initializer, "keras.initializers")


def deserialize(config: Any, custom_objects: Any = None) -> Any:
    """The initializer of a configuration or a name.  ValueError when its class is not known."""
    from .serializing import deserialized

    return deserialized(config, _BY_NAME, custom_objects)


__all__ = ["Initializer", "deserialize", "get", "serialize"] + [name for name in _BY_NAME if name in globals()]


def __dir__() -> list[str]:
    return sorted(__all__)


def __getattr__(name: str) -> Any:
    from .outside import missing

    raise missing("keras.initializers", name)
