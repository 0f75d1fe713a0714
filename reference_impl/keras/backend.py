"""``tf.keras.backend``: global settings, and functions that older Keras had here, of backend_table.py."""

from typing import Any

from .dtype_policies import forget_policy
from .naming import auto_name, reset_names
from .policy import epsilon, floatx, set_epsilon, set_floatx, standardize_dtype


def clear_session(free_memory: bool = True) -> None:
    """Count names from the beginning again, and forget the policy of dtypes."""
    reset_names()
    forget_policy()


def get_uid(prefix: str = "") -> int:
    """How many names with a prefix were made, this one included."""
    name = auto_name(prefix)
    return int(name.rpartition("_")[2]) + 1 if name != prefix else 1


def image_data_format() -> str:
    """Always "channels_last"."""
    return "channels_last"


def backend() -> str:
    """Always "tensorflow", which this engine stands for."""
    return "tensorflow"


def is_float_dtype(dtype: Any) -> bool:
    """Whether a dtype holds floats.  ValueError for what is none."""
    return standardize_dtype(dtype).startswith(("float", "bfloat"))


def is_int_dtype(dtype: Any) -> bool:
    """Whether a dtype holds whole numbers.  ValueError for what is none."""
    return standardize_dtype(dtype).startswith(("int", "uint"))


def is_keras_tensor(x: Any) -> bool:
    """Whether a value is a KerasTensor."""
    from .symbolic import KerasTensor

    return isinstance(x, KerasTensor)


def result_type(*dtypes: Any) -> str:
    """The dtype in which dtypes meet by Keras's rules; ``int`` and ``float`` are what Python numbers are."""
    from .operations.promotion import result_type as promoted

    return promoted(*dtypes)


# Functions of backend_table.py, which is loaded when one of them is first used.
_FUNCTIONS = (
    "abs",
    "all",
    "any",
    "arange",
    "argmax",
    "argmin",
    "batch_flatten",
    "batch_get_value",
    "batch_set_value",
    "cast",
    "cast_to_floatx",
    "clip",
    "concatenate",
    "constant",
    "cos",
    "count_params",
    "cumprod",
    "cumsum",
    "elu",
    "equal",
    "eval",
    "exp",
    "expand_dims",
    "flatten",
    "gather",
    "get_value",
    "greater",
    "greater_equal",
    "in_top_k",
    "int_shape",
    "l2_normalize",
    "less",
    "less_equal",
    "log",
    "max",
    "maximum",
    "mean",
    "min",
    "minimum",
    "name_scope",
    "ndim",
    "not_equal",
    "one_hot",
    "ones",
    "ones_like",
    "permute_dimensions",
    "pow",
    "prod",
    "repeat_elements",
    "reshape",
    "reverse",
    "round",
    "set_value",
    "shape",
    "sigmoid",
    "sign",
    "sin",
    "softmax",
    "softplus",
    "softsign",
    "sqrt",
    "square",
    "squeeze",
    "stack",
    "std",
    "stop_gradient",
    "sum",
    "switch",
    "tanh",
    "tile",
    "transpose",
    "update",
    "update_add",
    "update_sub",
    "var",
    "variable",
    "zeros",
    "zeros_like",
)
__all__ = [
    "backend", "clear_session", "epsilon", "floatx", "get_uid", "image_data_format", "is_float_dtype", "is_int_dtype",
    "is_keras_tensor", "result_type", "set_epsilon", "set_floatx", "standardize_dtype",
]  # fmt: skip
__all__ += list(_FUNCTIONS)


def __dir__() -> list[str]:
    return sorted(__all__)


def __getattr__(name: str) -> Any:
    if name in _FUNCTIONS:
        from .backend_table import TABLE

        return TABLE[name]
    from .outside import missing

    raise missing("keras.backend", name)
