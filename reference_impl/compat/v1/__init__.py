"""``tf.compat.v1`` without sessions: switches that are on anyway, older names, optimizers, and the names of today."""

from __future__ import annotations

from typing import Any, NoReturn

from ... import math
from ...dtypes import as_dtype
from ...ops.casting import cast
from ...ops.declare import NAMES
from ...surroundings.scopes import executing_eagerly
from . import logging, train

__all__ = ["executing_eagerly", "logging", "train"]


def __getattr__(name: str) -> Any:
    """What is not older than itself."""
    import reference_impl

    return getattr(reference_impl, name)


def _on(*_args: Any, **_kwargs: Any) -> None:
    """It is on already."""


enable_eager_execution = enable_v2_behavior = enable_resource_variables = enable_v2_tensorshape = _on
enable_control_flow_v2 = enable_tensor_equality = reset_default_graph = _on


def executing_eagerly_outside_functions() -> bool:
    """True."""
    return True


def resource_variables_enabled() -> bool:
    """True."""
    return True


def control_flow_v2_enabled() -> bool:
    """True."""
    return True


def global_variables_initializer() -> None:
    """None: variables have their values from the start."""


def trainable_variables(scope: Any = None) -> list:
    """An empty list: variables belong to no graph."""
    return []


global_variables = local_variables = trainable_variables


def placeholder(dtype: Any, shape: Any = None, name: str | None = None) -> NoReturn:
    """RuntimeError: there are no sessions."""
    raise RuntimeError("tf.placeholder() is not compatible with eager execution.")


def set_random_seed(seed: int) -> None:
    """The older name of ``tf.random.set_seed``."""
    from ... import random

    random.set_seed(seed)


def to_float(x: Any, name: str = "ToFloat") -> Any:
    """A tensor as float32."""
    return cast(x, as_dtype("float32"))


def to_double(x: Any, name: str = "ToDouble") -> Any:
    """A tensor as float64."""
    return cast(x, as_dtype("float64"))


def to_int32(x: Any, name: str = "ToInt32") -> Any:
    """A tensor as int32."""
    return cast(x, as_dtype("int32"))


def to_int64(x: Any, name: str = "ToInt64") -> Any:
    """A tensor as int64."""
    return cast(x, as_dtype("int64"))


log, lgamma = math.log, math.lgamma


def assign(ref: Any, value: Any, validate_shape: Any = None, use_locking: Any = None, name: str | None = None) -> Any:
    """Replace the value of a variable."""
    return ref.assign(value)


def assign_add(ref: Any, value: Any, use_locking: Any = None, name: str | None = None) -> Any:
    """Add to the value of a variable."""
    return ref.assign_add(value)


def assign_sub(ref: Any, value: Any, use_locking: Any = None, name: str | None = None) -> Any:
    """Subtract from the value of a variable."""
    return ref.assign_sub(value)


matrix_inverse, diag = NAMES["linalg.inv"], NAMES["linalg.tensor_diag"]


def div(x: Any, y: Any, name: str | None = None) -> Any:
    """A quotient as Python 2 had it: of integers, rounded down."""
    from ...tensors.conversion import convert_to_tensor

    x = convert_to_tensor(x)
    return math.floordiv(x, y) if x.dtype.is_integer else math.truediv(x, y)


def _reduction(name: str) -> Any:
    """A reduction that takes the older words, too."""
    of_today = NAMES[name]

    def reduce(
        input_tensor: Any, axis: Any = None, keepdims: Any = None, name: str | None = None,
        reduction_indices: Any = None, keep_dims: Any = None,
    ) -> Any:  # fmt: skip
        kept = bool(keepdims if keep_dims is None else keep_dims)
        return of_today(input_tensor, reduction_indices if axis is None else axis, kept)

    reduce.__name__, reduce.__doc__ = name, of_today.__doc__
    return reduce


reduce_sum, reduce_mean, reduce_max = (_reduction(f"reduce_{word}") for word in ("sum", "mean", "max"))
reduce_min, reduce_prod, reduce_logsumexp = (_reduction(f"reduce_{word}") for word in ("min", "prod", "logsumexp"))


def expand_dims(input: Any, axis: Any = None, name: str | None = None, dim: Any = None) -> Any:
    """A tensor with one more axis."""
    return NAMES["expand_dims"](input, dim if axis is None else axis)


def squeeze(input: Any, axis: Any = None, name: str | None = None, squeeze_dims: Any = None) -> Any:
    """A tensor without axes of size 1."""
    return NAMES["squeeze"](input, squeeze_dims if axis is None else axis)


def argmax(
    input: Any, axis: Any = None, name: str | None = None, dimension: Any = None, output_type: Any = "int64"
) -> Any:
    """Where the largest number of an axis is, 0 by default."""
    found = dimension if axis is None else axis
    return NAMES["argmax"](input, 0 if found is None else found, as_dtype(output_type))
