"""A NumPy tape that behaves like ``tf.GradientTape``: ``import reference_impl as tf``."""

from . import (
    autodiff,
    bitwise,
    config,
    debugging,
    errors,
    image,
    linalg,
    math,
    nest,
    nn,
    quantization,
    raw_ops,
    signal,
    test,
)
from .dtypes import *  # noqa: F403
from .dtypes import DType, as_dtype
from .dtypes import bool_ as bool
from .foundation.building import intercepted as _intercepted
from .foundation.warnings_log import clear_log_counters
from .ops import (
    arithmetic,
    bitcasting,
    casting,
    comparison,
    elementwise,
    gathering,
    indexing,
    logic,
    matrix,
    operators,
    reductions,
    rounding,
    selection,
    shaping,
    sums,
    unique_values,
)
from .ops.declare import NAMES
from .surroundings import graph_options as _graph_options
from .surroundings import printing as _printing
from .surroundings.scopes import control_dependencies, device, executing_eagerly, group, init_scope, name_scope, no_op
from .tapes.tape import GradientTape, UnconnectedGradients
from .tensors.conversion import constant, convert_to_tensor
from .tensors.shapes import TensorShape
from .tensors.slices import IndexedSlices
from .tensors.tensor import EagerTensor as Tensor
from .tensors.tensor import is_tensor, unwrap, wrap
from .tensors.variable import Variable
from .user_gradients.custom_gradients import custom_gradient, grad_pass_through, recompute_grad
from .user_gradients.python_functions import numpy_function, py_function
from .user_gradients.registry import RegisterGradient, clear_registered_gradients, no_gradient

constant, convert_to_tensor = _intercepted(constant), _intercepted(convert_to_tensor)
numpy_function, py_function = _intercepted(numpy_function), _intercepted(py_function)
newaxis = None
globals().update({name: function for name, function in NAMES.items() if "." not in name})
_TRACING = frozenset(
    (
        "IndexedSlicesSpec", "RaggedTensorSpec", "SparseTensorSpec", "TensorArray", "TensorArraySpec", "TensorSpec",
        "TypeSpec", "type_spec_from_value", "case", "cond", "foldl", "foldr", "function", "gradients", "hessians",
        "map_fn", "scan", "switch_case", "vectorized_map", "while_loop",
    )
)  # fmt: skip
_LATER = {
    **dict.fromkeys(_TRACING, ".tracing"),
    "Module": ".surroundings.modules",
    "RaggedTensor": ".ragged",
    "SparseTensor": ".sparse",
    "as_string": ".strings",
    "edit_distance": ".composed.edit_distances", "parallel_stack": ".tracing.parallel_stack",
    "variable_creator_scope": ".tensors.creators",
    "get_current_name_scope": ".surroundings.scopes",
    "get_logger": ".foundation.warnings_log",
    "timestamp": ".surroundings.inquiring",
    **dict.fromkeys(
        ("VariableAggregation", "VariableSynchronization", "broadcast_static_shape", "get_static_value",
         "inside_function", "is_symbolic_tensor"), ".surroundings.inquiring"
    ),
    **dict.fromkeys(
        ("constant_initializer", "ones_initializer", "random_normal_initializer", "random_uniform_initializer",
         "zeros_initializer"), ".tensors.initial_values"
    ),
}  # fmt: skip
_ROOMS = frozenset(
    (
        "autograph", "compat", "data", "distribute", "experimental", "io", "keras", "lookup", "ragged", "random",
        "saved_model", "sets", "sparse", "strings", "summary", "train", "version", "viz",
    )
)  # fmt: skip
_OF_KERAS = frozenset(
    ("initializers", "losses", "metrics", "optimizers")
)  # names that TensorFlow has for parts of Keras

__version__ = "0.1.0"  # of this engine; the behaviour is that of TensorFlow 2.21


def __getattr__(name: str) -> object:
    """What is not needed by every program is loaded when it is first used."""
    from importlib import import_module

    if name in _LATER:
        value = globals()[name] = getattr(import_module(_LATER[name], __name__), name)
        return value
    if name in _ROOMS:
        return import_module(f".{name}", __name__)
    if name in _OF_KERAS:
        return import_module(f".keras.{name}", __name__)
    raise AttributeError(
        f"module {__name__!r} has no attribute {name!r}: it is a NumPy engine for gradient tapes with what programs "
        f"write around them, not all of TensorFlow. dir({__name__}) and docs/around.md list what there is."
    )


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATER, *_ROOMS, *_OF_KERAS})
